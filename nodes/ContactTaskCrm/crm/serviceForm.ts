import { isPlainObject, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isNoSuchList } from '../util/failures';
import { pageOf } from '../http/paging';
import type { Query } from '../http/request';
import { contracts } from '../schema';
import type { RecordContract } from '../schema/record';
import { noneIf } from '../util/errors';
import type { Client } from './client';
import type { Tenant } from './tenant';
import { isObject } from '../values/json';
import { isZoned } from '../values/time';
import { MAX_PAGE_SIZE } from '../schema/limits';

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
	const { zone } = client.tenant.description;
	await learnFrom(client, contract, () => zone.isKnown);
	zone.isKnown = true;
}

/**
 * Learns whether the IDs of a collection are UUIDs, numbers or other text, unless the node knows it. Reads a page of
 * records that show such IDs.
 */
export async function learnIds(client: Client, collection: string): Promise<void> {
	const { description } = client.tenant;
	const listed = Object.values(contracts).filter((contract) => !contract.collection.includes('{'));
	const refersThere = ({ fields }: RecordContract) =>
		Object.values(fields).some(({ refersTo, shown }) => refersTo === collection && shown);
	const own = listed.find((contract) => contract.collection === collection);
	const contract = own ?? listed.find(refersThere);
	const isKnown = () => description.hasLookedForIds(collection);
	if (contract) await learnFrom(client, contract, isKnown);
	description.noteLookedForIds(collection);
}

/**
 * Reads the first page of a list, so that the description of the service learns from it. Callers at the same time share
 * the read. A refused list is no failure, because a key may have permission to write records, but not to list them.
 *
 * @param isKnown whether the description already holds the fact that the caller needs
 */
async function learnFrom(
	client: Client,
	contract: RecordContract,
	isKnown: () => boolean,
): Promise<void> {
	const { collection: path, plural } = contract;
	const { lessons } = client.tenant.description;
	// If a run is stopped, its shared read fails. A caller that waited for it then reads the list itself.
	while (!isKnown() && lessons.has(path)) await lessons.get(path)?.catch(() => undefined);
	if (isKnown()) return;
	const query: Query = [['itemsPerPage', String(MAX_PAGE_SIZE)]];
	const subject = { noun: `list of ${plural}` };
	const lesson = client
		.request({ method: 'GET', path, query, subject })
		.then(({ body, begun }) => {
			const { members = [] } = pageOf(body) ?? {};
			noticeRecords(client.tenant, members, contract);
			client.noteReads(members, contract, begun);
		})
		.catch(noneIf(isNoSuchList))
		.finally(() => lessons.delete(path));
	lessons.set(path, lesson);
	await lesson;
}

/** Caches titles and names of records. The description of the service also learns from these records. */
export function noticeRecords(
	tenant: Tenant,
	records: readonly unknown[],
	contract: RecordContract,
): void {
	tenant.directory.notice(records, contract.collection);
	tenant.description.learn(records, contract);
}

/*
 * The interface documents IRIs as paths such as /people/1f0c. If the base URL has a path such as /api, the service may
 * require this prefix before each IRI. The node learns the prefix from the answers.
 */

/** Replaces each IRI in the references of a body by the result of `written`. Returns the new body. */
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
	const { description, baseUrl } = client.tenant;
	const isMounted = new URL(baseUrl).pathname !== '/';
	if (isMounted)
		await learnFrom(client, contracts.person, () => description.iriPrefix !== undefined);
	return (description.iriPrefix ??= '');
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
