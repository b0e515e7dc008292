import { isEmpty, once } from 'lodash';
import { deepCopy, type IDataObject } from 'n8n-workflow';
import { reportsFailure } from '../http/said';
import { isWebPage } from '../http/send';
import type { Client } from '../crm/client';
import { newRecord } from '../schema/effect';
import { readCurrent, requestRecord, Written } from '../crm/records';
import type { Approval } from '../writes/approved';
import { bodyOf } from '../input/body';
import { type Change, change, type Decided, MOST_READS_AGAIN } from '../writes/change';
import { existingTarget } from '../input/existing';
import { addedLists } from '../input/given';
import { withLinksFound } from '../input/links';
import { OLDEST_LOOKUP_MS } from '../lookup/batches';
import { Mistakes, noneIf } from '../util/errors';
import { TooLateToLeave } from '../util/failures';
import { changesBy, detailsOf, withListsAdded } from '../writes/merge';
import { type Target, targetOf } from '../input/query';
import type { BodySpecification } from '../input/specification';
import type { RecordSpecification } from '../output/specification';
import type { Match } from '../lookup/find';
import { withoutOthersAddresses } from '../lookup/meant';
import { emailsOf } from '../values/person';
import type { Item } from './item';
import { isOn } from './options';
import { type Paginator, paginatorOf } from './paginator';

/**
 * Returns a function that finds the record of an item: by its ID, or by the e-mail address of a person.
 *
 * @param reads whether to read a record that the user gave by ID. A lookup by e-mail address always reads the person
 * @param owners owners of the e-mail addresses to write. The function looks them up first. So the read of the record
 *   comes last, right before the write
 */
function finderOf(
	item: Item,
	client: Client,
	record: RecordSpecification,
	{ target, reads, owners }: { target: Target; reads: boolean; owners: AddressOwners },
): Change['find'] {
	return async (isFresh) => {
		const validUntil = await owners.lookUp(client);
		const { lookup, path, id, named } = target;
		if (lookup) {
			const { read, notes } = await item.run.lookups.findByEmail(client, lookup, isFresh);
			const found = path.replace(`{${record.locator}}`, read.id);
			return { path: found, id: read.id, read, validUntil, notes };
		}
		if (id === undefined || !(reads || isFresh)) return { path, id, named, validUntil };
		const read = await readCurrent(client.beforeWrite(), record, { path, id });
		return { path, id, named, read, validUntil };
	};
}

export function runGet(record: RecordSpecification): Paginator {
	const get = async (item: Item) => {
		const target = await targetOf(item);
		const client = await item.begin();
		if (target.lookup) {
			const { read } = await item.run.lookups.findByEmail(client, target.lookup);
			// Several items may find the same person, and each needs an object of its own.
			return [deepCopy(read.record)];
		}
		const { path, id = '' } = target;
		const request = { method: 'GET' as const, path, subject: { noun: record.noun, id } };
		const read = async () => (await requestRecord(client, request, record)).record;
		return [await item.run.readOnce(path, read)];
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
		// The check of the body may need the entries that a list of the record has now. `existing` then reads the record.
		// A new record (POST) has no entries yet.
		const existing = method === 'POST' ? undefined : existingTarget(item, record, targeted);
		const mistakes = new Mistakes();
		const given = await mistakes.triedLater(
			async () => await bodyOf(item, specification, { existing }),
		);
		const addressed = await mistakes.triedLater(targeted);
		mistakes.throwAny();
		const [body, target] = [given!, addressed!];
		const lists = method === 'PATCH' ? addedLists(item, body, specification) : [];
		// The result tells the changes if the user asks, or if the item reads the record for another reason.
		const tellsChanges =
			lists.length > 0 ||
			target.lookup !== undefined ||
			item.approval !== undefined ||
			isOn(item.options, 'tellChanges');

		const owners = new AddressOwners(item, method === 'PATCH' ? body : {});
		if (target.lookup) item.expectsChange(target.lookup, () => true);
		const client = await item.begin();
		const { approval } = item;
		if (method === 'POST') {
			const create = async ({ isAgain, validMs }: Attempt) => {
				const linked = await withLinksFound(item, client, body, specification, isAgain);
				const when = { leavesBy: linked.at + validMs, approval };
				return await createRecord(client, record, target, linked.body, when);
			};
			return [await createInTime(create)];
		}
		const reads = (tellsChanges || client.isPreview) && Object.keys(body).length > 0;
		const written = await change(client, record, {
			find: finderOf(item, client, record, { target, reads, owners }),
			decide: (current) => {
				const sent = current ? withListsAdded(record, current, body, lists) : body;
				return owners.leaveOut(sent, current ?? { id: target.id });
			},
			addsTo: (name) => lists.includes(name),
			approval,
			method,
			// Without `tellsChanges`, a run reads no record, so it sends all fields (`isWhole`). A preview reads the
			// record, but has to predict the request of the run.
			isWhole: !tellsChanges,
		});
		return [written!];
	};
	return paginatorOf({ record, body: specification, run: write });
}

/** One attempt to create a record from lookups of people. */
interface Attempt {
	/** Whether an earlier attempt came too late, so that the lookups have to be repeated. */
	isAgain: boolean;
	/** Maximum age in ms of the lookups when the request leaves. */
	validMs: number;
}

/**
 * Creates a record that depends on lookups of people. While the request waits for its slot, a colleague may create the
 * person, or give an address to somebody else. So a request that waited too long is not sent, and the next attempt
 * looks the people up again. The last attempt has no time limit, so that every item ends.
 *
 * @param create looks the people up, and creates the record. Throws TooLateToLeave if the request waited too long
 */
export async function createInTime(
	create: (attempt: Attempt) => Promise<Written>,
): Promise<Written> {
	for (let repeats = 0; ; repeats++) {
		const validMs = repeats < MOST_READS_AGAIN ? OLDEST_LOOKUP_MS : Infinity;
		const created = await create({ isAgain: repeats > 0, validMs }).catch(
			noneIf((error) => error instanceof TooLateToLeave),
		);
		if (created) return created;
	}
}

/**
 * Creates a record.
 *
 * @param leavesBy latest time for the request to leave, by the clock's `now`
 * @throws TooLateToLeave if the request gets its slot after `leavesBy`
 * @throws ApprovalOutdated if the record would get values other than the approved ones
 */
export async function createRecord(
	client: Client,
	record: RecordSpecification,
	{ path, id, named }: Omit<Target, 'lookup'>,
	body: IDataObject,
	{ leavesBy, approval }: { leavesBy: number; approval: Approval | undefined },
): Promise<Written> {
	const before = newRecord(record);
	approval?.assert('created', changesBy(record, before, body));
	const subject = { noun: record.noun, id, named };
	const request = { method: 'POST' as const, path, body, subject };
	const { record: created } = await requestRecord(client, request, record, { leavesBy });
	return new Written('created', created, detailsOf(record, before, body, created));
}

/**
 * Reads a record, and writes the fields that `changesOf` returns for it.
 *
 * @param added entries that the item adds, keyed by list. The write leaves out an e-mail address that another person
 *   has
 */
export async function changeRecord(
	item: Item,
	record: RecordSpecification,
	changesOf: (current: IDataObject) => IDataObject,
	added: IDataObject = {},
): Promise<Written[]> {
	const target = await targetOf(item);
	const owners = new AddressOwners(item, added);
	if (target.lookup) item.expectsChange(target.lookup, (person) => !isEmpty(changesOf(person)));
	const client = await item.begin();
	const changed = await change(client, record, {
		find: finderOf(item, client, record, { target, reads: true, owners }),
		decide: (current = {}) => owners.leaveOut(changesOf(current), current),
		addsTo: () => true,
		approval: item.approval,
	});
	return [changed!];
}

/**
 * Makes an operation on one record, such as Export. The request has no body, and the answer needs none. An answer with
 * a body is a success, too, unless the body is a web page or reports a failure.
 *
 * @param verb verb for messages, such as "export"
 * @param answer returns the output item, given the ID of the record
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

/**
 * Maximum number of e-mail addresses of one item to look up. 100 addresses take four requests, and nobody has so many.
 */
const MOST_ADDRESSES = 100;

/**
 * Returns the e-mail addresses of a body to look up. If there are more than `MOST_ADDRESSES`, returns the first of them,
 * and adds a note for the user.
 */
export function addressesToLookUp(item: Item, body: IDataObject): string[] {
	const emails = emailsOf(body);
	if (emails.length > MOST_ADDRESSES) {
		const all = emails.length;
		item.addNote(`Only the first ${MOST_ADDRESSES} of ${all} addresses were looked up`);
	}
	return emails.slice(0, MOST_ADDRESSES);
}

/**
 * Finds the owners of the e-mail addresses that an item writes. A person must not get an address of another active
 * person. If the item writes no address, the class sends no request.
 */
export class AddressOwners {
	private readonly matches: readonly Match[];

	private people: readonly IDataObject[] = [];

	/** Announces the lookups of the e-mail addresses in a body, so that one request can serve several items. */
	constructor(
		private readonly item: Item,
		body: IDataObject,
	) {
		const emails = addressesToLookUp(item, body);
		this.matches = emails.map((value) => item.looksFor({ matchBy: 'email', value }));
	}

	/**
	 * Looks up the owners of the e-mail addresses. Returns the latest time, by the clock's `now`, at which a write with
	 * these addresses may leave. After that, a colleague may have given an address to somebody else.
	 */
	async lookUp(client: Client): Promise<number> {
		if (this.matches.length === 0) return Infinity;
		const { people, at } = await this.item.run.lookups.people(client, this.matches);
		this.people = people;
		return at + OLDEST_LOOKUP_MS;
	}

	/**
	 * Returns a body without the e-mail addresses that other people have, and a note for each of these addresses.
	 *
	 * @param person the person to write: the whole record, or only the ID
	 */
	leaveOut(body: IDataObject, person: IDataObject): Decided {
		return withoutOthersAddresses(body, person, this.people);
	}
}
