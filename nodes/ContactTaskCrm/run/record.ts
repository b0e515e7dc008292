import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { isEmpty, once } from 'lodash';
import { systemClock } from '../http/clock';
import { reportsFailure } from '../http/said';
import { isWebPage } from '../http/send';
import type { RecordContract } from '../schema/record';
import type { Client } from '../tenant/client';
import { fieldsSet, newRecord } from '../tenant/preview';
import { readCurrent, requestRecord } from '../tenant/records';
import { bodyOf } from './body';
import { existingTarget } from './existing';
import { type Item, paginatorOf } from './item';
import { withLinksFound } from './links';
import { addedLists } from './given';
import { asAnswered, changesBy, differing, noteOfOthers, withListsAdded } from './merge';
import { Written } from './output';
import { type Target, targetOf } from './query';
import type { BodySpecification, Paginator, RecordSpecification } from './specification';
import { comparableId } from '../values/reference';

/** The record that an item works with, after any lookup by e-mail address. */
interface Located extends Omit<Target, 'lookup'> {
	/** The record as the lookup read it; absent if the record was written since, or if there was no lookup. */
	record?: IDataObject | undefined;
	/** Start of the lookup, by the clock's `now`, if it served other items, too. */
	sharedAt?: number | undefined;
}

/** Maximum age in ms of a shared lookup. Before it writes a list, the node reads a record of an older lookup again. */
const FRESH_MS = 10_000;

/** Finds the record that an item addresses, and runs work on it. Locks the record if the work is a write. */
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
		const { person, sharedAt } = found ?? {};
		return await work(isAsFound ? { ...located, record: person, sharedAt } : located);
	};
	const { id } = located;
	if (!item.isWrite || id === undefined) return await workWith();
	return await item.lock(client, `${record.noun} ${comparableId(id)}`, workWith);
}

/**
 * Returns a record as it is before a change, from the lookup, or else from the service.
 *
 * @param listsOf returns whole lists to write. If a list differs, the record must not come from an old shared lookup
 */
async function recordToChange(
	client: Client,
	contract: RecordContract,
	{ path, id = '', record, sharedAt }: Located,
	listsOf?: (current: IDataObject) => IDataObject,
) {
	const isOld = sharedAt !== undefined && systemClock.now() - sharedAt > FRESH_MS;
	const isOutdated =
		record && isOld && listsOf && !isEmpty(differing(contract, record, listsOf(record)));
	if (record && !isOutdated) return record;
	return await readCurrent(client, contract, { path, id });
}

export function runGet(record: RecordSpecification): Paginator {
	const get = async (item: Item) => {
		const target = await targetOf(item);
		const client = await item.begin();
		return await withTarget(item, client, record, target, async (located) => {
			const { path, id = '' } = located;
			const request = { method: 'GET' as const, path, subject: { noun: record.noun, id } };
			const read = async () => located.record ?? (await requestRecord(client, request, record));
			return [await item.run.readOnce(located.path, read)];
		});
	};
	return paginatorOf({ record, run: get });
}

/**
 * Makes an operation that sends one record: create, update, replace or duplicate. An update without fields sends
 * nothing, because the service would count an empty update as a change.
 */
export function runWrite(record: RecordSpecification, specification: BodySpecification): Paginator {
	const write = async (item: Item) => {
		const { method } = item.request;
		const targeted = once(async () => await targetOf(item));
		// A new record has no entries to keep. So the node refuses its unusable entries before any request.
		const existing = method === 'POST' ? undefined : existingTarget(item, record, targeted);
		const body = await bodyOf(item, specification, { existing });
		const lists = method === 'PATCH' ? addedLists(item, body, specification) : [];
		const target = await targeted();
		// The result tells the changes if the user asks, or if the item reads the record in any case.
		const tellsChanges =
			lists.length > 0 || target.lookup !== undefined || item.isOn('tellChanges');

		const client = await item.begin();
		return await withTarget(item, client, record, target, async (located) => {
			const whole = await withLinksFound(item, client, body, specification);
			if (method === 'POST') return [await createRecord(client, record, located, whole)];
			const isRead = (tellsChanges || client.isPreview) && Object.keys(whole).length > 0;
			const sentTo = (current: IDataObject) => withListsAdded(record, current, whole, lists);
			const listsOf = lists.length > 0 ? sentTo : undefined;
			const current = isRead ? await recordToChange(client, record, located, listsOf) : undefined;
			const sent = current ? sentTo(current) : whole;
			const writing = { method, located, sent, current };
			// Without `tellsChanges`, a run reads no record and sends all fields. A preview reads the record, but predicts
			// the same request.
			return [await writeRecord(client, record, { ...writing, isWhole: !tellsChanges })];
		});
	};
	return paginatorOf({ record, run: write });
}

export async function createRecord(
	client: Client,
	record: RecordSpecification,
	{ path, id, named }: Located,
	body: IDataObject,
): Promise<Written> {
	const subject = { noun: record.noun, id, named };
	const request = { method: 'POST' as const, path, body, subject };
	const created = await requestRecord(client, request, record);
	return new Written('created', created, detailsOf(record, newRecord(record), body, created));
}

/** A write to a record that exists. */
interface Writing {
	method?: IHttpRequestMethods | undefined;
	located: Located;
	/** Fields to write. */
	sent: IDataObject;
	/** Record before the write, if the item has read it. */
	current?: IDataObject | undefined;
	/** Whether to send also the fields that do not differ from the record. */
	isWhole?: boolean;
}

/** Updates or replaces a record, and returns the changes. Sends nothing if there is no field to write. */
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
	const request = { method, path, body, subject: { noun: record.noun, id, named } };
	const written = await requestRecord(client, request, record, current);
	const details = detailsOf(record, current, fieldsSet(record, request), written);
	return new Written('updated', written, details);
}

/** Returns the changes that the answer to a write shows, and a note if it shows other values than the node sent. */
function detailsOf(
	record: RecordSpecification,
	before: IDataObject | undefined,
	sent: IDataObject,
	answer: IDataObject,
): Written['details'] {
	const changes = before && changesBy(record, before, asAnswered(record, sent, answer));
	return { changes, before, note: noteOfOthers(record, sent, answer) };
}

/** Reads a record, and writes the fields that `changesOf` returns for it. */
export async function changeRecord(
	item: Item,
	record: RecordSpecification,
	changesOf: (current: IDataObject) => IDataObject,
): Promise<Written[]> {
	const target = await targetOf(item);
	const client = await item.begin();
	return await withTarget(item, client, record, target, async (located) => {
		const current = await recordToChange(client, record, located, changesOf);
		return [await writeRecord(client, record, { located, sent: changesOf(current), current })];
	});
}

/**
 * Makes an operation on one record, such as Export. Neither the request nor the answer has a body.
 * An answer with a body is a success, unless the body says otherwise.
 *
 * @param verb verb for messages, such as "export"
 * @param answer returns the output for the ID of the record
 */
export function runCommand(
	record: RecordSpecification,
	verb: string,
	answer: (id: string) => IDataObject,
): Paginator {
	const command = async (item: Item) => {
		const { path, id = '' } = await targetOf(item);
		const { method = 'POST' } = item.request;
		const request = { method, path, subject: { noun: record.noun, id, verb } };
		const client = await item.begin();
		const response = await client.request(request);
		if (isWebPage(response.body)) throw client.unreadable(response, request);
		if (reportsFailure(response)) throw client.refused(response, request);
		return [answer(id)];
	};
	return paginatorOf({ run: command });
}
