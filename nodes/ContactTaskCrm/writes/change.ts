import { isEmpty, pickBy } from 'lodash';
import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { LostAnswer, TooLateToLeave } from '../util/failures';
import type { Client, RequestOptions } from '../crm/client';
import type { Read } from '../crm/newestReads';
import { fieldsSet } from '../schema/effect';
import { requestRecord, Written } from '../crm/records';
import { rethrow } from '../util/errors';
import type { Approval } from './approved';
import { LostWrites } from './lost';
import { changesBy, detailsOf, differing } from './merge';
import type { RecordContract } from '../schema/record';

/*
 * Changes a record that exists. `decide` chooses the fields to write, from the newest read of the run. If the write
 * would leave long after this read, the node reads again. The interface has no conditional update. So a write can still
 * overwrite a change that another program makes after the read.
 */

/**
 * When a write leaves, the read of its record may be at most this old, in ms. Create or Update allows an older read
 * (`validMs`), but not for lists.
 */
const FRESH_MS = 15_000;

/**
 * Maximum number of times that the node repeats a read that became too old before its write. After that, the write
 * leaves with an old read, so that every write ends.
 */
export const MOST_READS_AGAIN = 2;

/** A record to change. `read` is absent if the operation does not read before it writes. */
export interface Found {
	path: string;
	id?: string | undefined;
	/** Record that a 404 message calls missing, such as the task of a comment. By default, the record with `id`. */
	named?: { noun: string; id: string } | undefined;
	read?: Read | undefined;
	/**
	 * Latest time for the write to leave, by the clock's `now`. Present if the write also depends on a lookup, such as of
	 * the owners of its e-mail addresses.
	 */
	validUntil?: number;
	/** Notes for the user about the lookup. */
	notes?: readonly string[];
}

/** The fields to write, with notes for the user. */
export interface Decided {
	body: IDataObject;
	notes?: readonly string[];
}

/** Plan of a change: functions that find the record and choose the fields to write, and conditions of the write. */
export interface Change {
	/**
	 * Finds the record.
	 *
	 * @param isFresh whether to read the record right before the write. If not, the newest read of the run suffices
	 * @returns undefined if the record no longer exists, or nobody has the value of the lookup
	 */
	find: (isFresh: boolean) => Promise<Found | undefined>;
	/**
	 * Chooses the fields to write. `current` is undefined if the node did not read the record. The write then has the
	 * fields that the user gave.
	 */
	decide: (current: IDataObject | undefined) => Decided;
	/**
	 * Maximum age in ms of the read when the write leaves; by default, `FRESH_MS`. After a longer time, a colleague may
	 * have changed the record, or given the value of the lookup to another person. A write of a list, or with an
	 * approval, always has `FRESH_MS`.
	 */
	validMs?: number | undefined;
	/**
	 * Returns whether `decide` keeps the present entries of a list, such as when it adds to the list. After a lost
	 * answer, the node then writes this list again, even if somebody else has changed it since. The write keeps that
	 * change, because `decide` starts from it.
	 */
	addsTo?: (list: string) => boolean;
	/** The changes that the write may make; absent if nobody has to approve them. */
	approval?: Approval | undefined;
	/** Runs right before each request that writes. `body` has the fields to send. */
	beforeSending?: (found: Found, body: IDataObject) => void;
	method?: IHttpRequestMethods | undefined;
	/** Whether to send also the fields that already have the wanted value. */
	isWhole?: boolean;
}

/**
 * Changes a record. Sends nothing if the record already shows all values to write.
 *
 * @returns undefined if there is no record to change
 * @throws ServiceError if the service refuses, or does not answer in time
 * @throws ApprovalOutdated if the write would make a change that nobody has approved
 */
export async function change(
	client: Client,
	record: RecordContract,
	plan: Change,
): Promise<Written | undefined> {
	let lastLost: LostWrites | undefined;
	for (let [readsAgain, tries] = [0, 0]; ; ) {
		const found = await plan
			.find(readsAgain + tries > 0)
			.catch((error: unknown) => rethrow(lastLost?.first.failure ?? error));
		if (!found) return undefined;
		const decision = decideOn(record, plan, found, lastLost);
		if (decision.end) return decision.end;
		// A preview sends nothing, so its read cannot become too old.
		const isLast = readsAgain === MOST_READS_AGAIN || client.isPreview;
		const leavesBy = isLast ? Infinity : validUntil(record, plan, decision);
		if (systemClock.now() > leavesBy) {
			readsAgain++;
			continue;
		}
		const deadline = lastLost?.first.deadline;
		const sending = { leavesBy, triesBefore: tries, ...(deadline && { deadline }) };
		try {
			return await send(client, record, plan, { decision, sending });
		} catch (error) {
			if (error instanceof TooLateToLeave) {
				readsAgain++;
			} else if (error instanceof LostAnswer) {
				tries++;
				lastLost = decision.lost ?? new LostWrites(record, error, found.id ?? '');
				const { current: before, set, body: sent } = decision;
				lastLost.add({ before, set, sent });
			} else {
				return rethrow(error);
			}
		}
	}
}

/** The write that a change makes next, from the newest read. */
interface Decision {
	found: Found;
	/** The record as the node read it; undefined if the operation does not read. */
	current: IDataObject | undefined;
	/** Earlier writes of this change to the same record, without an answer. */
	lost: LostWrites | undefined;
	/** Fields to send. */
	body: IDataObject;
	/** Fields that the write sets. A replacement (PUT) also resets fields that it does not send. */
	set: IDataObject;
	/** Notes for the user. */
	notes: readonly string[];
	/** Result of the change, if nothing is left to send. */
	end?: Written;
}

/**
 * Decides from the newest read what to send.
 *
 * @param lastLost the lost writes so far: writes of this change without an answer
 */
function decideOn(
	record: RecordContract,
	{ decide, addsTo = () => false, method = 'PATCH', isWhole = false }: Change,
	found: Found,
	lastLost: LostWrites | undefined,
): Decision {
	const { id = '', read } = found;
	const current = read?.record;
	const { body: wanted, notes: decidedNotes = [] } = decide(current);
	// The lost writes count only if they went to the record that is now found. A colleague may have given the value of
	// the lookup to somebody else meanwhile. The node then changes that other person.
	const lost = lastLost?.id === id ? lastLost : undefined;
	const notesOnMove = lost || !lastLost ? [] : [lastLost.noteOfMove];
	// A replacement (PUT) also resets fields that it does not send. So `fieldsSet` adds these fields to the comparison.
	const compared = lost ? wanted : fieldsSet(record, { method, body: wanted });
	const differs = current && (!isWhole || lost) ? differing(record, current, compared) : wanted;
	const left = lost && current ? lost.leftBy(current, differs, addsTo) : [];
	const rest = pickBy(differs, (_, name) => !left.includes(name)) as IDataObject;
	// A replacement (PUT) resets a field that it leaves out. So it cannot spare the fields that somebody else has changed
	// (`left`). If there are any, the node sends nothing.
	const body = method === 'PATCH' || isEmpty(rest) ? rest : left.length > 0 ? {} : wanted;
	const notesOnLeft = lost?.notesOn(left, method) ?? [];
	const notes = [...(found.notes ?? []), ...notesOnMove, ...decidedNotes, ...notesOnLeft];
	const decision = { found, current, lost, body, set: fieldsSet(record, { method, body }), notes };
	if (!isEmpty(body)) return decision;
	const end = lost ? lost.settled(current!) : unchanged(found, current);
	return { ...decision, end: end.noted(notes) };
}

/**
 * Returns the time when a read becomes too old for the write, in ms of the clock's `now`. Returns Infinity if the write
 * depends on no read.
 */
function validUntil(
	record: RecordContract,
	{ approval, validMs = FRESH_MS }: Change,
	{ found: { read, validUntil: latest = Infinity }, body }: Decision,
): number {
	if (!read) return latest;
	const changesList = Object.keys(body).some((name) => record.fields[name]?.isList);
	return Math.min(latest, read.at + (approval || changesList ? FRESH_MS : validMs));
}

/**
 * Sends the write.
 *
 * @throws TooLateToLeave if the read became too old while the write waited for its slot
 * @throws LostAnswer if the write has no answer
 */
async function send(
	client: Client,
	record: RecordContract,
	{ approval, beforeSending, method = 'PATCH' }: Change,
	{ decision, sending }: { decision: Decision; sending: RequestOptions },
): Promise<Written> {
	const { found, current, lost, body, set, notes } = decision;
	approval?.assert('updated', changesBy(record, current ?? {}, set));
	const { path, id = '', named } = found;
	const request = { method, path, body, subject: { noun: record.noun, id, named } };
	beforeSending?.(found, body);
	const options = { ...sending, before: current, decidesAgain: true };
	const { record: written } = await requestRecord(client, request, record, options);
	const details = detailsOf(record, current, set, written, body);
	const ofLost = current && lost?.detailsWith(set, current, written);
	return new Written('updated', written, { ...details, ...ofLost }).noted(notes);
}

function unchanged({ id }: Found, current: IDataObject | undefined): Written {
	return new Written('unchanged', current ?? { id: id ?? null }, { changes: {} });
}
