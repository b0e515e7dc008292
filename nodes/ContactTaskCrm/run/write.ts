import type { IDataObject } from 'n8n-workflow';
import { isWebPage } from '../http/send';
import { createPerson } from '../people/create';
import { person } from '../schema/person';
import type { Client } from '../tenant/client';
import { requestRecord } from '../tenant/records';
import { bodyOf } from './body';
import type { Item } from './item';
import { paginatorOf } from './item';
import { announceLinks, withLinksFound } from './links';
import { isMapped } from './given';
import { replacedLists } from './mappedColumns';
import { ADDED_TO_LISTS, changesTo } from './merge';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';
import type { Located } from './target';
import { currentRecord, recordToChange, targetOf, withTarget } from './target';

/** Reads one record. */
export function runGet(record: RecordSpecification): Paginator {
	const get = async (item: Item) => {
		const target = await targetOf(item);
		const client = await item.begin();
		return await withTarget(item, client, { record, target }, async (located) => {
			const read = async () => await currentRecord(client, record, located);
			return [await item.run.readOnce(located.path, read)];
		});
	};
	return paginatorOf({ record, run: get });
}

/**
 * Sends one record: creates, updates, replaces or duplicates it, as the description says. An update in
 * which nothing is given sends nothing, since an empty one would count as a change.
 */
export function runWrite(record: RecordSpecification, specification: BodySpecification): Paginator {
	const write = async (item: Item) => {
		const body = await bodyOf(item, specification);
		const lists = item.request.method === 'PATCH' ? addedLists(item, body, specification) : [];
		const target = await targetOf(item);
		if (specification.hasLinks) announceLinks(item, body);

		const client = await item.begin();
		return await withTarget(item, client, { record, target }, async (located) => {
			const whole = specification.hasLinks
				? await withLinksFound(item, client, body, specification)
				: body;
			if (lists.length === 0) return [await send(item, client, { record, located, body: whole })];
			const current = await recordToChange(client, record, located);
			const changes = withListsAdded(record, current, whole, lists);
			if (Object.keys(changes).length === 0) return [current];
			return [await send(item, client, { record, located, body: changes })];
		});
	};
	return paginatorOf({ record, run: write });
}

async function send(
	{ request: { method = 'POST' } }: Item,
	client: Client,
	{ record, located, body }: { record: RecordSpecification; located: Located; body: IDataObject },
): Promise<IDataObject> {
	const { path, id, named } = located;
	if (method === 'PATCH' && Object.keys(body).length === 0) return { id: id ?? null };
	if (id !== undefined) client.tenant.writes.note(id, []);
	if (method === 'POST' && path === person.collection) return await createPerson(client, body);
	const subject = { noun: record.noun, id, named };
	return await requestRecord(client, { method, path, body, subject }, record);
}

/** The lists of an update that are added to: a table gives one value of a list more often than all. */
function addedLists(item: Item, body: IDataObject, specification: BodySpecification): string[] {
	if (!isMapped(item)) return [];
	const replaced = replacedLists(item, specification);
	return Object.keys(body).filter((name) => {
		const value: unknown = body[name];
		const isGiven = Array.isArray(value) && value.length > 0;
		return isGiven && specification.fields[name]?.isList && !replaced.includes(name);
	});
}

/**
 * What has to be written so that lists hold what is given beside what they hold now: the interface
 * replaces a list as a whole.
 *
 * @param lists the names of the fields of the body that are added to
 * @throws ExplainedError where the service does not show what a list holds
 */
function withListsAdded(
	record: RecordSpecification,
	current: IDataObject,
	body: IDataObject,
	lists: readonly string[],
): IDataObject {
	const isList = ([name]: [string, unknown]) => lists.includes(name);
	const given = Object.entries(body);
	const added = Object.fromEntries(given.filter(isList)) as IDataObject;
	const others = Object.fromEntries(given.filter((field) => !isList(field)));
	return { ...others, ...changesTo(record, current, added, ADDED_TO_LISTS) } as IDataObject;
}

/**
 * Asks the service to do something with a record, and gives the answer that the operation defines,
 * since the service sends none.
 *
 * @param verb what is done, for the messages: "export"
 * @param answer what to give for a record, by its id: the service answers without a body
 */
export function runCommand(
	record: RecordSpecification,
	verb: string,
	answer: (id: string) => IDataObject,
): Paginator {
	const command = async (item: Item) => {
		const { path, id = '' } = await targetOf(item);
		const { method = 'POST' } = item.request;
		const asked = { method, path, subject: { noun: record.noun, id, verb } };
		const client = await item.begin();
		const response = await client.request(asked);
		if (isWebPage(response.body)) throw client.unreadable(response, asked);
		return [answer(id)];
	};
	return paginatorOf({ run: command });
}
