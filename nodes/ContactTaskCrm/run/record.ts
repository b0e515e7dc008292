import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { isWebPage } from '../http/send';
import type { RecordContract } from '../schema/record';
import type { Client } from '../tenant/client';
import { fieldsSet, newRecord } from '../tenant/preview';
import { readCurrent, requestRecord } from '../tenant/records';
import { comparableId } from '../util/iri';
import { bodyOf } from './body';
import type { Item } from './item';
import { paginatorOf } from './item';
import { withLinksFound } from './links';
import { addedLists } from './mappedColumns';
import { asAnswered, changesBy, differing, noteOfOthers, withListsAdded } from './merge';
import { Written } from './output';
import type { Target } from './query';
import { targetOf } from './query';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';

/** A record that an item works with, once it is known which one it is. */
interface Located extends Omit<Target, 'lookup'> {
	/** The record, where it had to be read to know which one it is, and is as it was then. */
	record?: IDataObject;
}

/** Works with the record that an item addresses; what changes it goes one after the other. */
async function withTarget<T>(
	item: Item,
	client: Client,
	record: RecordSpecification,
	target: Target,
	work: (located: Located) => Promise<T>,
): Promise<T> {
	const found = target.lookup && (await item.run.lookups.findByEmail(client, target.lookup));
	const located: Located = found
		? { path: target.path.replace(`{${record.locator}}`, found.id), id: found.id }
		: target;
	const workWith = async () => {
		const { writes } = client.tenant;
		const isAsFound = found && !writes.isWrittenSince(record.noun, found.id, found.mark);
		return await work(isAsFound ? { ...located, record: found.person } : located);
	};
	const { id } = located;
	if (!item.isWrite || id === undefined) return await workWith();
	return await item.lock(client, `${record.noun} ${comparableId(id)}`, workWith);
}

/** Returns a record that is to be changed: as it was just found, else as `readCurrent` reads it. */
async function recordToChange(
	client: Client,
	contract: RecordContract,
	{ path, id = '', record }: Located,
): Promise<IDataObject> {
	return record ?? (await readCurrent(client, contract, { path, id }));
}

/** Reads one record. */
export function runGet(record: RecordSpecification): Paginator {
	const get = async (item: Item) => {
		const target = await targetOf(item);
		const client = await item.begin();
		return await withTarget(item, client, record, target, async (located) => {
			const { path, id = '' } = located;
			const asked = { method: 'GET' as const, path, subject: { noun: record.noun, id } };
			const read = async () => located.record ?? (await requestRecord(client, asked, record));
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
		const isTold = lists.length > 0 || target.lookup !== undefined || item.isOn('tellChanges');

		const client = await item.begin();
		return await withTarget(item, client, record, target, async (located) => {
			const whole = specification.hasLinks
				? await withLinksFound(item, client, body, specification)
				: body;
			if (method === 'POST') return [await createRecord(client, record, located, whole)];
			const isRead = (isTold || client.isPreview) && Object.keys(whole).length > 0;
			const current = isRead ? await recordToChange(client, record, located) : undefined;
			const sent = current ? withListsAdded(record, current, whole, lists) : whole;
			const writing = { method, located, sent, current };
			// A run that does not read writes what is given, so its preview does the same.
			return [await writeRecord(client, record, { ...writing, isWhole: !isTold })];
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
	const created = await requestRecord(client, asked, record);
	return new Written('created', created, changesTold(record, newRecord(record), body, created));
}

/** What is to be written to a record that is there. */
interface Writing {
	method?: IHttpRequestMethods;
	located: Located;
	/** The fields that are given. */
	sent: IDataObject;
	/** The record as it is, where it was read. */
	current?: IDataObject;
	/** Whether everything that is given is sent, also what does not differ. */
	isWhole?: boolean;
}

/** Updates or replaces a record, and says what that changes. Sends nothing where nothing is to be written. */
export async function writeRecord(
	client: Client,
	record: RecordSpecification,
	{ method = 'PATCH', located, sent, current, isWhole = false }: Writing,
): Promise<Written> {
	const { path, id = '', named } = located;
	const isPart = method === 'PATCH' && current !== undefined && !isWhole;
	const body = isPart ? differing(record, current, sent) : sent;
	if (Object.keys(body).length === 0) {
		return new Written('unchanged', current ?? { id: located.id ?? null }, { changes: {} });
	}
	const asked = { method, path, body, subject: { noun: record.noun, id, named } };
	const written = await requestRecord(client, asked, record, current);
	return new Written(
		'updated',
		written,
		changesTold(record, current, fieldsSet(record, asked), written),
	);
}

/** What to tell of a write: what it changed, as the answer shows it, and what came back otherwise. */
function changesTold(
	record: RecordSpecification,
	before: IDataObject | undefined,
	sent: IDataObject,
	answer: IDataObject,
): Written['told'] {
	const changes = before && changesBy(record, before, asAnswered(record, sent, answer));
	return { changes, note: noteOfOthers(record, sent, answer) };
}

/**
 * Changes a record by what it holds, so that it is read before.
 *
 * @param changesOf what is to be written; nothing goes out where that is nothing
 */
export async function changeRecord(
	item: Item,
	record: RecordSpecification,
	changesOf: (current: IDataObject) => IDataObject,
): Promise<Written[]> {
	const target = await targetOf(item);
	const client = await item.begin();
	return await withTarget(item, client, record, target, async (located) => {
		const current = await recordToChange(client, record, located);
		return [await writeRecord(client, record, { located, sent: changesOf(current), current })];
	});
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
