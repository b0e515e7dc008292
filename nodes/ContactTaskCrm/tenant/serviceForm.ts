import { isPlainObject, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isNoSuchList } from '../http/errors';
import { MAX_PAGE_SIZE, pageOf } from '../http/paging';
import type { Query } from '../http/request';
import { person } from '../schema/person';
import type { RecordContract } from '../schema/record';
import { noneIf } from '../util/errors';
import type { Client } from './client';
import type { Tenant } from './tenant';
import { isObject } from '../values/json';
import { splitIri } from '../values/reference';
import { isZoned } from '../values/time';

/** Returns a body with the service's prefix in its IRIs, and with its times in the service's time zone. */
export async function inServiceForm(
	client: Client,
	body: IDataObject,
	contract: RecordContract,
): Promise<IDataObject> {
	const iris: string[] = [];
	withIris(body, contract, (iri) => iris.push(iri));
	const prefix = iris.length > 0 ? await iriPrefix(client) : '';
	const referring = withIris(body, contract, (iri) => prefix + iri);
	const times: unknown[] = [];
	withTimes(body, contract, (time) => times.push(time));
	if (!times.some(isZoned)) return referring;
	await learnZone(client, contract);
	return withTimes(referring, contract, client.writtenTime);
}

const TIME_FILTER = /\[(strictly_)?(after|before)\]$/;

export function hasTimes(query: Query): boolean {
	return query.some(([name]) => TIME_FILTER.test(name));
}

/** Converts the times in a query to the service's time zone, or to UTC if the zone is not known. */
export function inServiceTime(client: Client, query: Query): Query {
	return query.map(([name, value]) => [
		name,
		TIME_FILTER.test(name) ? String(client.writtenTime(value)) : value,
	]);
}

/** Learns the time zone of the service from a page of records, unless the zone is known. */
export async function learnZone(client: Client, contract: RecordContract): Promise<void> {
	const { zone, service } = client.tenant;
	const learn = async () => {
		if (zone.isKnown) return;
		// A refused list is no failure, because a key may have permission to write records, but not to list them.
		await noticeFirst(client, contract).catch(noneIf(isNoSuchList));
		zone.isKnown = true;
	};
	const waiting = { what: 'the time zone of the service', maxWaitMs: Infinity };
	if (!zone.isKnown) await service.locks.run('time zone', learn, waiting);
}

/** Caches titles and names of records, and learns how the service writes IRIs and times. */
export function noticeRecords(
	tenant: Tenant,
	records: readonly unknown[],
	{ collection, fields }: RecordContract,
): void {
	tenant.directory.notice(records, collection);
	for (const record of records.filter(isObject)) {
		for (const name of Object.keys(record)) {
			if (fields[name]?.kind === 'dateTime') tenant.zone.note(record[name]);
		}
	}
	const [first] = records;
	const iri = isObject(first) ? first['@id'] : undefined;
	const found = typeof iri === 'string' ? splitIri(iri, collection) : undefined;
	// The prefix leaves out the host, because not every service that shows absolute IRIs accepts them.
	if (found) tenant.iriPrefix = found.before.replace(/^https?:\/\/[^/]+/i, '');
}

/*
 * The interface documents IRIs as paths such as /people/1f0c. If the base URL has a path such as /api, the service may
 * require this prefix before each IRI. The node learns the prefix from the answers.
 */

/** Applies a function to all IRIs in the references of a body. */
function withIris(
	body: IDataObject,
	{ fields }: RecordContract,
	written: (iri: string) => unknown,
): IDataObject {
	const within = (value: unknown): unknown => {
		if (isObject(value)) return '@id' in value ? { ...value, '@id': within(value['@id']) } : value;
		return typeof value === 'string' && value.startsWith('/') ? written(value) : value;
	};
	return mapValues(body, (value: unknown, name) => {
		if (fields[name]?.refersTo === undefined) return value;
		return Array.isArray(value) ? value.map(within) : within(value);
	}) as IDataObject;
}

/** Returns the prefix of the service's IRIs, such as "/api". May read a page of people to learn it. */
export async function iriPrefix(client: Client): Promise<string> {
	const { tenant } = client;
	const isMounted = new URL(tenant.service.baseUrl).pathname !== '/';
	if (tenant.iriPrefix !== undefined || !isMounted) return tenant.iriPrefix ?? '';
	await noticeFirst(client, person);
	return (tenant.iriPrefix ??= '');
}

/** Reads the first page of a list for `noticeRecords`. */
async function noticeFirst(client: Client, contract: RecordContract): Promise<void> {
	const { collection: path, plural } = contract;
	const query: Query = [['itemsPerPage', String(MAX_PAGE_SIZE)]];
	const subject = { noun: `list of ${plural}` };
	const { body } = await client.request({ method: 'GET', path, query, subject });
	noticeRecords(client.tenant, pageOf(body)?.members ?? [], contract);
}

/** Applies a function to all values of a body that may be times, also within its objects. */
export function withTimes(
	body: IDataObject,
	{ fields }: Pick<RecordContract, 'fields'>,
	written: (value: unknown) => unknown,
): IDataObject {
	const within = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(within);
		return isPlainObject(value) ? mapValues(value as object, within) : written(value);
	};
	return mapValues(body, (value, name) =>
		['dateTime', 'object', 'record'].includes(fields[name]?.kind ?? '') ? within(value) : value,
	) as IDataObject;
}
