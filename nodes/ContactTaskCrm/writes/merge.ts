import { mapValues, mergeWith, pick, pickBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import {
	differingParts,
	isSameList,
	isSameValue,
	withEntries,
	exactKeyOf,
} from '../schema/equality';
import { ExplainedError } from '../util/errors';
import type { Field } from '../schema/field';
import { labelOf } from '../schema/label';
import { isOfUpdates, type RecordContract } from '../schema/record';
import { isObject, listOf, partsWhere, withoutJsonLd } from '../values/json';
import { iriOf, valueOf } from '../values/reference';
import { quoted } from '../values/text';
import { inUtc } from '../values/time';
import type { Change, Written } from '../crm/records';

type Parts = Record<string, unknown>;

/** Effect of a write on each list of a record: it replaces the list, or adds to it. */
export interface ListModes {
	/** Names of the lists that the write replaces. The write adds to all other lists. */
	replaced: readonly string[];
	/**
	 * Returns whether an entry has the value of the lookup that found the record. A write always keeps this entry, so that
	 * the next lookup finds the record, too.
	 */
	isMatched: (entry: Parts) => boolean;
}

/** Modes of a write that adds to every list. */
export const ADDED_TO_LISTS: ListModes = { replaced: [], isMatched: () => false };

/**
 * Returns the given fields that differ from the record, in the form of a request body. A write sends no other fields,
 * because these could overwrite recent changes by other users.
 *
 * @throws ExplainedError if the service does not show the entries of a list that the write adds to, or of a replaced
 *   list with a matched entry to keep
 */
export function changesTo(
	contract: RecordContract,
	record: IDataObject,
	given: IDataObject,
	modes: ListModes,
): IDataObject {
	return Object.fromEntries(
		Object.entries(given).flatMap(([name, value]): Array<[string, unknown]> => {
			const field: Field | undefined = contract.fields[name];
			const shown: unknown = record[name];
			const isObjectField = field?.kind === 'object' && isObject(value);
			if (!field?.isList && !isObjectField) {
				return isSameValue(field, shown, value) ? [] : [[name, value]];
			}
			const change = field.isList
				? listChange(contract, name, shown, value as unknown[], modes)
				: differingParts(shown, value as Parts);
			return change ? [[name, change]] : [];
		}),
	) as IDataObject;
}

/**
 * Adds the record's present entries to the lists of a body, because a request always replaces a whole list.
 *
 * @param lists names of the lists to add to
 * @throws ExplainedError if the service does not show one of these lists
 */
export function withListsAdded(
	record: RecordContract,
	current: IDataObject,
	body: IDataObject,
	lists: readonly string[],
): IDataObject {
	const added = partsWhere(body, (_, name) => lists.includes(name));
	const others = partsWhere(body, (_, name) => !lists.includes(name));
	return { ...others, ...changesTo(record, current, added, ADDED_TO_LISTS) };
}

/**
 * Returns the given fields that differ from the record. Of an object, returns only the parts that differ; of a list,
 * all entries.
 */
export function differing(
	contract: RecordContract,
	record: IDataObject,
	given: IDataObject,
): IDataObject {
	return mapValues(changesBy(contract, record, given), (change, name) => {
		const field: Field | undefined = contract.fields[name];
		return field?.kind === 'object' && !field.isList && 'to' in change ? change.to : given[name];
	}) as IDataObject;
}

/**
 * Returns the changes that a write makes to a record. Values have the form of the node's parameters, so that the user
 * can undo the changes. References are IRIs. The change of a list has the added and removed entries. If they do not
 * suffice to restore the order, the change also has the whole list before and after.
 *
 * @param record the record before the write
 * @param sent fields of the write; an object has only the parts that were sent
 */
export function changesBy(
	contract: RecordContract,
	record: IDataObject,
	sent: IDataObject,
): Record<string, Change> {
	const changes = mapValues(sent, (to: unknown, name): Change | undefined => {
		const field: Field | undefined = contract.fields[name];
		const from: unknown = record[name];
		if (field?.isList) return listDifference(field, from, to);
		if (field?.kind === 'object' && isObject(to)) return partDifference(field, from, to);
		if (isSameValue(field, from, to)) return undefined;
		const given = asGiven(field, to);
		return field?.shown ? { from: asGiven(field, from), to: given } : { to: given };
	});
	return partsWhere(changes, (change) => change !== undefined) as Record<string, Change>;
}

/**
 * Joins the changes of several writes of one record into one set of changes. The writes must only add to lists, and not
 * replace them.
 */
export function joinedChanges(
	writes: ReadonlyArray<Readonly<Record<string, Change>>>,
): Record<string, Change> {
	return mergeWith({}, ...writes, (one: Change | undefined, next: Change) => {
		if (!one) return next;
		if (!('added' in one && 'added' in next)) return { ...one, ...next, ...pick(one, 'from') };
		return { added: [...one.added, ...next.added], removed: [...one.removed, ...next.removed] };
	}) as Record<string, Change>;
}

/**
 * Returns the changes that the answer to a write shows, and a note if it shows other values than the node sent.
 *
 * @param set fields that the write sets. A replacement (PUT) also resets fields that it does not send, such as the tags
 *   of a task. The changes have such a field only if an update can send it, or the answer shows it
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

/**
 * Returns the fields of a write with the values that the service's answer shows. A field that the answer lacks has the
 * value that was sent.
 */
export function asAnswered(
	{ fields }: RecordContract,
	sent: IDataObject,
	answer: IDataObject,
): IDataObject {
	return mapValues(sent, (value, name) => {
		if (!isComparable(fields[name]) || !(name in answer)) return value;
		const shown: unknown = answer[name];
		if (fields[name].isList || !isObject(value)) return shown;
		// The service may show an empty object as an empty list.
		const parts = isObject(shown) ? shown : {};
		return mapValues(value, (_, part) => parts[part] ?? null);
	}) as IDataObject;
}

/**
 * Returns a note for the user if the answer to a write shows other values than the node sent; otherwise undefined. A
 * different spelling of a phone number or e-mail address does not count, and neither does a read-only field.
 */
function noteOfOthers(
	{ fields }: RecordContract,
	sent: IDataObject,
	answer: IDataObject,
): string | undefined {
	const others = Object.keys(sent).filter((name) => {
		const field: Field | undefined = fields[name];
		if (!field?.shown || field.bodies.length === 0 || !(name in answer)) return false;
		// `isUnlike`: an answer shows the field in another form than a write sends. If embedded records have IRIs, the node
		// compares the IRIs.
		const isUnlike = field.kind === 'any' || (field.kind === 'record' && !field.refersTo);
		return !isUnlike && !isTaken(field, answer[name], sent[name]);
	});
	if (others.length === 0) return undefined;
	const listed = others.map((name) => {
		const isTime = fields[name]?.kind === 'dateTime';
		const times = `${quoted(answer[name])} instead of ${quoted(sent[name])}`;
		return isTime ? `${labelOf(name)} (${times})` : labelOf(name);
	});
	return `The service shows other values than were sent: ${listed.join(', ')}`;
}

/** Returns whether answers show a field in the form that a write sends. Embedded records have another form. */
export function isComparable(field: Field | undefined): field is Field {
	return field?.shown !== undefined && field.kind !== 'record' && field.kind !== 'any';
}

/** Returns whether an answer shows the value that the node sent. */
function isTaken(field: Field, shown: unknown, sent: unknown): boolean {
	if (field.isList) {
		const [one, other] = [entriesOf(field, shown), entriesOf(field, sent)];
		return !one || !other || isSameList(field, one, other);
	}
	// The service may show an empty yes-or-no field as false.
	if (sent === null && shown === false) return true;
	const isObjectField = field.kind === 'object' && isObject(sent);
	return isObjectField ? !differingParts(shown, sent) : isSameValue(field, shown, sent);
}

/**
 * Returns the entries of a list in the form of the node's parameters, for a comparison. Returns undefined if `list` is
 * no list.
 */
export function entriesOf(field: Field, list: unknown): unknown[] | undefined {
	return listOf(list ?? [])?.map((entry) => asGiven(field, entry));
}

/** Returns the change of a list; undefined if nothing changes. */
function listDifference(field: Field, shown: unknown, to: unknown): Change | undefined {
	const [before, after] = [entriesOf(field, shown), entriesOf(field, to)];
	if (shown === undefined || !before || !after) return { to };
	const keyOf = (entry: unknown) => exactKeyOf(field, entry);
	const [shownKeys, writtenKeys] = [before, after].map((entries) => new Set(entries.map(keyOf)));
	const isShown = (entry: unknown) => shownKeys!.has(keyOf(entry));
	const added = after.filter((entry) => !isShown(entry));
	const removed = before.filter((entry) => !writtenKeys!.has(keyOf(entry)));
	// To undo the change, a user removes the added entries, and appends the removed entries. If this does not restore the
	// order, the result also has both whole lists. The order of references has no meaning.
	const undone = [...after.filter(isShown), ...removed];
	const isUndone =
		field.refersTo !== undefined ||
		(undone.length === before.length &&
			undone.every((entry, position) => keyOf(before[position]) === keyOf(entry)));
	if (isUndone && added.length + removed.length === 0) return undefined;
	return { added, removed, ...(isUndone ? {} : { from: before, to: after }) };
}

/** Returns the change of an object; undefined if no part changes. */
function partDifference(field: Field, shown: unknown, sent: Parts): Change | undefined {
	const to = differingParts(shown, sent);
	if (!to) return undefined;
	const before = isObject(shown) ? shown : {};
	// If the field was empty before, `from` is null. The user then undoes the change by emptying the whole field.
	if (!isObject(shown) && field.emptiedBy === null) return { from: null, to };
	return { from: mapValues(to, (_, part) => before[part] ?? null), to };
}

/** Returns a value of a record, or an entry of a list, in the form of the node's parameters. */
function asGiven(field: Field | undefined, shown: unknown): unknown {
	const { kind, isList, refersTo } = field ?? {};
	if (kind === 'dateTime') return inUtc(shown) ?? null;
	if (refersTo !== undefined) return valueOf(iriOf(shown, refersTo)) ?? shown ?? null;
	return isList ? wholeEntry(field!, shown) : (shown ?? null);
}

/**
 * Returns the entries of a list in a record, in the form of a request body.
 *
 * @throws ExplainedError if the service does not show the entries, because a write without them would remove them
 */
export function entriesShown(
	{ fields, noun }: RecordContract,
	name: string,
	shown: unknown,
): unknown[] {
	const field = fields[name]!;
	const { refersTo } = field;
	const entries = listOf(shown)?.map((entry) =>
		refersTo === undefined ? wholeEntry(field, entry) : valueOf(iriOf(entry, refersTo)),
	);
	if (entries?.every((entry) => entry !== undefined)) return entries;
	throw new ExplainedError(
		`${labelOf(name)}: the service does not show those that the ${noun} has`,
		`Nothing was written, since they would be lost. Remove the field, or update the ${noun} by ID`,
		{ code: 'unsupported' },
	);
}

/** Returns a list as the write has to send it; undefined if nothing changes. */
function listChange(
	contract: RecordContract,
	name: string,
	now: unknown,
	given: unknown[],
	{ replaced, isMatched }: ListModes,
): unknown[] | undefined {
	const field = contract.fields[name]!;
	const isReplaced = replaced.includes(name);
	const needsNone = isReplaced && field.refersTo !== undefined && !listOf(now);
	const before = needsNone ? [] : entriesShown(contract, name, now);
	const kept = isReplaced ? before.filter((entry) => isObject(entry) && isMatched(entry)) : before;
	const after = withEntries(field, kept, given);
	return isSameList(field, before, after) ? undefined : after;
}

/**
 * Returns an entry of a list for a request body. Adds missing parts as null, because many installations of the CRM do
 * not show empty parts. Leaves out the JSON-LD parts, such as `@id`, because the service may make new ones for each
 * answer.
 */
function wholeEntry({ parts = [] }: Field, entry: unknown): unknown {
	if (!isObject(entry)) return entry;
	return { ...Object.fromEntries(parts.map((part) => [part, null])), ...withoutJsonLd(entry) };
}
