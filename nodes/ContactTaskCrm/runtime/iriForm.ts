import type { IDataObject } from 'n8n-workflow';
import { splitIri } from '../common/iri';
import { isObject } from '../contract/blank';
import { person } from '../contract/person';
import type { RecordContract } from '../contract/record';
import type { Connection } from '../transport/connection';
import { pageOf } from '../transport/paging';
import { Observed } from './observed';

/*
 * The interface shows IRIs as paths such as /people/1f0c. A service that is mounted below a path such
 * as /api may write that before them and accept them in no other form. Its answers show which form
 * that is.
 */

/** What stands before the path of an IRI, such as "/api", by tenant; empty where nothing does. */
const before = new Observed<string>();

/** Remembers how the service writes the IRI of a record. */
export function noticeIriForm(
	{ tenant }: Pick<Connection, 'tenant'>,
	record: unknown,
	{ collection }: RecordContract,
): void {
	const iri = isObject(record) ? record['@id'] : undefined;
	const found = typeof iri === 'string' ? splitIri(iri, collection) : undefined;
	// Without the host: not every service that shows absolute IRIs takes them.
	if (found) before.keep(tenant, found.before.replace(/^https?:\/\/[^/]+/i, ''));
}

/** A body with its references as the service writes them. */
export async function withServiceIris(
	connection: Connection,
	body: IDataObject,
	{ fields }: RecordContract,
): Promise<IDataObject> {
	const names = Object.keys(body).filter(
		(name) => fields[name]?.refersTo !== undefined && holdsIri(body[name]),
	);
	if (names.length === 0) return body;
	const isMounted = new URL(connection.baseUrl).pathname !== '/';
	const ahead = before.of(connection.tenant) ?? (isMounted ? await aheadInPeople(connection) : '');
	if (ahead === '') return body;
	const written = (value: unknown): unknown => {
		if (isObject(value)) {
			return '@id' in value ? { ...value, '@id': written(value['@id']) } : value;
		}
		return typeof value === 'string' && value.startsWith('/') ? ahead + value : value;
	};
	return {
		...body,
		...Object.fromEntries(
			names.map((name) => {
				const value: unknown = body[name];
				return [name, Array.isArray(value) ? value.map(written) : written(value)];
			}),
		),
	} as IDataObject;
}

function holdsIri(value: unknown): boolean {
	return [value]
		.flat()
		.map((entry) => (isObject(entry) ? entry['@id'] : entry))
		.some((entry) => typeof entry === 'string' && entry.startsWith('/'));
}

/** What the list of people shows before its IRIs: one request, and only for a base URL with a path. */
async function aheadInPeople(connection: Connection): Promise<string> {
	const request = {
		method: 'GET' as const,
		path: '/people',
		query: [['itemsPerPage', '1'] as const],
	};
	const { body } = await connection.request(request, { noun: 'list of people' });
	noticeIriForm(connection, pageOf(body)?.members[0], person);
	const ahead = before.of(connection.tenant) ?? '';
	before.keep(connection.tenant, ahead);
	return ahead;
}
