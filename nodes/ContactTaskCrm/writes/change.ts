import { isEmpty, mapValues, pickBy } from 'lodash';
import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { LostAnswer, TooLateToLeave } from '../util/failures';
import type { Client } from '../crm/client';
import type { Read } from '../crm/newestReads';
import { fieldsSet } from '../crm/preview';
import { requestRecord } from '../crm/records';
import { rethrow } from '../util/errors';
import type { Approval } from './approved';
import { LostWrites } from './lost';
import { asAnswered, changesBy, differing, isComparable, noteOfOthers } from './merge';
import { Written } from '../crm/written';
import { isOfUpdates, type RecordContract } from '../schema/record';

/*
 * Changes a record that exists. `decide` chooses the fields to write, from the newest read of the run. If a write to a
 * list would leave more than 15 s after this read, the node reads again. The interface has no conditional update. So a
 * write can still overwrite a change that another program makes after the read.
 */

/** When a list write or an approved write leaves, its read may be at most this old, in ms. */
export const FRESH_MS = 15_000;

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
	 * Maximum age in ms of the read when the write leaves; absent if any age will do. After a longer time, a colleague
	 * may have given the value of the lookup to another person.
	 */
	validMs?: number | undefined;
	/**
	 * Returns whether `decide` starts from the present entries of a list, such as when it adds to the list. After a
	 * lost answer, the node then writes the list again, even if somebody else has changed it since. `decide` keeps that
	 * change.
	 */
	addsTo?: (list: string) => boolean;
	/** The changes that the write may make; absent if nobody has to approve them. */
	approval?: Approval | undefined;
	/** Runs right before each request that writes. */
	beforeSending?: (found: Found) => void;
	method?: IHttpRequestMethods | undefined;
	/** Whether to send also the fields that do not differ from the record. */
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
	{
		find,
		decide,
		addsTo = () => false,
		approval,
		beforeSending,
		validMs = Infinity,
		method = 'PATCH',
		isWhole = false,
	}: Change,
): Promise<Written | undefined> {
	let lastLost: LostWrites | undefined;
	for (let [readsAgain, tries] = [0, 0]; ; ) {
		const found = await find(readsAgain + tries > 0).catch((error: unknown) =>
			rethrow(lastLost?.failure.failure ?? error),
		);
		if (!found) return undefined;
		const { path, id = '', named, read } = found;
		const current = read?.record;
		const { body: sent, notes: decidedNotes = [] } = decide(current);
		// The lost writes count only for the same record. A colleague may have given the value of the lookup to
		// somebody else meanwhile. The node then changes that person.
		const lost = lastLost?.id === id ? lastLost : undefined;
		const notesOnMove = lost || !lastLost ? [] : [lastLost.noteOfMove];
		const notes = [...(found.notes ?? []), ...notesOnMove, ...decidedNotes];
		// A replacement (PUT) also resets fields that it does not send, so `fieldsSet` adds these to the comparison.
		const compared = lost ? sent : fieldsSet(record, { method, body: sent });
		const differs = current && (!isWhole || lost) ? differing(record, current, compared) : sent;
		const left = lost && current ? lost.leftBy(current, differs, addsTo) : [];
		const rest = pickBy(differs, (_, name) => !left.includes(name)) as IDataObject;
		// A replacement sends all fields, so it cannot leave out a field that somebody else has changed. If `left` has
		// such a field, the node sends nothing.
		const body = method === 'PATCH' || isEmpty(rest) ? rest : left.length > 0 ? {} : sent;
		if (isEmpty(body)) {
			const end = lost ? settled(record, lost, current!) : unchanged(found, current);
			return end.noted([...notes, ...(lost?.notesOn(left, method) ?? [])]);
		}
		const changesList = Object.keys(body).some((name) => record.fields[name]?.isList);
		const freshMs = approval || (changesList && method === 'PATCH') ? FRESH_MS : Infinity;
		// A preview sends nothing, so its read cannot become too old.
		const isLast = readsAgain === MOST_READS_AGAIN || client.isPreview;
		const leavesBy = read && !isLast ? read.at + Math.min(freshMs, validMs) : Infinity;
		if (systemClock.now() > leavesBy) {
			readsAgain++;
			continue;
		}
		const set = fieldsSet(record, { method, body });
		approval?.assert('updated', changesBy(record, current ?? {}, set));
		const request = { method, path, body, subject: { noun: record.noun, id, named } };
		const sending = {
			...{ leavesBy, decidesAgain: true, triesBefore: tries },
			...(lastLost && { deadline: lastLost.failure.times.deadline }),
		};
		try {
			beforeSending?.(found);
			const written = await requestRecord(client, request, record, { before: current, ...sending });
			const details = detailsOf(record, current, set, written, body);
			const whole = lost
				? { ...details, ...lostDetails(record, lost, set, { current, written }) }
				: details;
			const leftNotes = lost?.notesOn(left, method) ?? [];
			return new Written('updated', written, whole).noted([...notes, ...leftNotes]);
		} catch (error) {
			if (error instanceof TooLateToLeave) {
				readsAgain++;
			} else if (error instanceof LostAnswer) {
				const { wallTime, now } = systemClock;
				const at =
					wallTime() - (now() - error.times.sentAt) + client.tenant.description.clockAheadMs;
				tries++;
				lastLost = lost ?? new LostWrites(record, error, { id, at });
				lastLost.add({ before: current, set });
			} else {
				return rethrow(error);
			}
		}
	}
}

function unchanged({ id }: Found, current: IDataObject | undefined): Written {
	return new Written('unchanged', current ?? { id: id ?? null }, { changes: {} });
}

/**
 * Returns the result of a change that needs no further write. Its writes had no answer, and `current` is a later read.
 */
function settled(record: RecordContract, lost: LostWrites, current: IDataObject): Written {
	const before = lost.without(current);
	const { set } = lost;
	// Nobody can see the value of a field that the service never shows, so the sent value counts as written.
	const shown = mapValues(set, (sent, name) =>
		isComparable(record.fields[name]) ? (current[name] ?? null) : sent,
	) as IDataObject;
	const changes = before && changesBy(record, before, shown);
	const differs = differing(record, current, set);
	const isTaken = changes ? !isEmpty(changes) : Object.keys(set).some((name) => !(name in differs));
	const details = { changes: isTaken ? changes : {}, before };
	return new Written(isTaken ? 'updated' : 'unchanged', current, details);
}

/** Returns the changes of a write that has an answer, together with the changes of the lost writes before it. */
function lostDetails(
	record: RecordContract,
	lost: LostWrites,
	set: IDataObject,
	{ current, written }: { current: IDataObject | undefined; written: IDataObject },
): Written['details'] {
	const before = current && lost.without(current);
	if (!before) return {};
	const all = asAnswered(record, { ...lost.set, ...set }, written);
	return { before, changes: changesBy(record, before, all) };
}

/**
 * Returns the changes that the answer to a write shows, and a note if it shows other values than the node sent.
 *
 * @param set fields that the write sets. A replacement also sets fields that it does not send. If no update can send
 *   such a field, it counts only if the answer shows it
 * @param sent fields that the write sends
 */
export function detailsOf(
	record: RecordContract,
	before: IDataObject | undefined,
	set: IDataObject,
	answer: IDataObject,
	sent = set,
): Written['details'] {
	const known = pickBy(set, (_, name) => name in sent || isOfUpdates(record, name)) as IDataObject;
	const others = pickBy(answer, (_, name) => name in set && !(name in known)) as IDataObject;
	const shown = { ...asAnswered(record, known, answer), ...others };
	const changes = before && changesBy(record, before, shown);
	return { changes, before, note: noteOfOthers(record, known, answer) };
}
