import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { isWebPage } from '../http/send';
import { creating, keysOf } from '../people/match';
import { person } from '../schema/person';
import type { Client } from '../tenant/client';
import { fieldsSet, newRecord } from '../tenant/expected';
import { requestRecord } from '../tenant/records';
import { bodyOf } from './body';
import type { Item } from './item';
import { paginatorOf } from './item';
import { announceLinks, withLinksFound } from './links';
import { isMapped } from './given';
import { replacedLists } from './mappedColumns';
import { ADDED_TO_LISTS, changesBy, changesTo } from './merge';
import { isOn } from './options';
import { Written } from './output';
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
		const { method } = item.request;
		const body = await bodyOf(item, specification);
		const lists = method === 'PATCH' ? addedLists(item, body, specification) : [];
		const target = await targetOf(item);
		// Whoever is named by e-mail address is read to be found.
		const isTold =
			lists.length > 0 || target.lookup !== undefined || isOn(item.context, 'tellChanges');
		if (specification.hasLinks) announceLinks(item, body);

		const client = await item.begin();
		return await withTarget(item, client, { record, target }, async (located) => {
			const whole = specification.hasLinks
				? await withLinksFound(item, client, body, specification)
				: body;
			if (method === 'POST') return [await createRecord(client, record, located, whole)];
			const isRead = isTold || client.isPreview;
			if (!isRead || Object.keys(whole).length === 0) {
				return [await writeRecord(client, record, { method, located, sent: whole })];
			}
			const current = await recordToChange(client, record, located);
			const sent = lists.length > 0 ? withListsAdded(record, current, whole, lists) : whole;
			return [await writeRecord(client, record, { method, located, sent, current })];
		});
	};
	return paginatorOf({ record, run: write });
}

/** Creates a record. */
export async function createRecord(
	client: Client,
	record: RecordSpecification,
	{ path, id, named }: Located,
	body: IDataObject,
): Promise<Written> {
	const subject = { noun: record.noun, id, named };
	const asked = { method: 'POST' as const, path, body, subject };
	const send = async () => await requestRecord(client, asked, record);
	const isPerson = path === person.collection;
	const created = await (isPerson ? creating(client, body, send, (one) => one) : send());
	// What was created shows for itself what it was created with.
	const changes = client.isPreview ? changesBy(record, newRecord(record), body) : undefined;
	return new Written('created', created, { changes });
}

/** What is to be written to a record that is there. */
interface Writing {
	method?: IHttpRequestMethods;
	located: Located;
	/** The fields that are sent. */
	sent: IDataObject;
	/** The record as it is, where it was read. */
	current?: IDataObject;
	/** The keys of the values that a person gets, for items that look for them. */
	keys?: readonly string[];
}

/** Updates or replaces a record, and says what that changes; nothing goes out where nothing is to be written. */
export async function writeRecord(
	client: Client,
	record: RecordSpecification,
	{ method = 'PATCH', located, sent, current, keys = keysOf(sent) }: Writing,
): Promise<Written> {
	const { path, id = '', named } = located;
	const tell = (body: IDataObject) => ({ changes: current && changesBy(record, current, body) });
	if (Object.keys(sent).length === 0) {
		return new Written('unchanged', current ?? { id: located.id ?? null }, tell({}));
	}
	client.tenant.writes.note(id, keys);
	const asked = { method, path, body: sent, subject: { noun: record.noun, id, named } };
	const written = await requestRecord(client, asked, record, current);
	return new Written('updated', written, tell(fieldsSet(record, asked)));
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
