import { isEqual, partition, sortBy, takeWhile } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { fieldsOf, type RecordContract } from '../schema/record';
import {
	differingParts,
	entryKeyOf,
	isSameEntry,
	isSameList,
	exactKeyOf,
} from '../schema/equality';
import { isObject, listOf } from '../values/json';
import { entriesShown } from './merge';
import { isEqualIn, type ChangeTable } from './changeTable';
import type { Change } from '../crm/written';

/*
 * Undoes the changes of a run. A field gets its earlier value back only if the record still shows the value of the run.
 * Any other value counts as written by another user or program, so it stays.
 */

type Parts = Record<string, unknown>;
type ListChange = Extract<Change, { added: unknown[] }>;

/** Effect of the undo of one item on the fields that the run has changed. */
interface TurnedBack {
	/** Fields that the undo sets back, with their earlier values. */
	body: IDataObject;
	/** Names of fields that somebody has changed since the run, at least in part. */
	changed: string[];
	/** Names of fields without an earlier value in the output of the run. */
	withoutOldValue: string[];
	/** Names of fields that no update can set. */
	fixed: string[];
	/** Keys of the values that the undo sets back. A key names a field, or a part or an entry of it: `address.city`. */
	setBack: string[];
	/** Keys of values that somebody else has set since the run. Such a value may be the same as before the run. */
	ofOthers: string[];
}

/** Effect of the undo on one field. `to` is the value to write; absent if the field stays as it is. */
type Undo = Pick<TurnedBack, 'setBack' | 'ofOthers'> & {
	to?: unknown;
	/** Whether somebody has changed the field since the run, at least in part. */
	isChanged: boolean;
};

/**
 * Returns whether the undo of a later item has found that somebody else set the value with this key. The undo begins
 * with the last item, so the results of later items are known.
 */
type IsOfOthers = (key: string) => boolean;

/** A field that the run has changed. */
interface ChangedField {
	field: Field;
	name: string;
	/** Value that the record shows now. */
	shown: unknown;
	/** Change of the field by the run. */
	change: Change;
	isOfOthers: IsOfOthers;
}

/**
 * Decides for each field whether the undo sets it back: returns the body to write, and the fields that stay.
 *
 * @param current the record as it is now
 * @param changes the changes of the run, as its output tells them
 */
export function turnedBack(
	record: RecordContract,
	current: IDataObject,
	changes: ChangeTable,
	isOfOthers: IsOfOthers,
): TurnedBack {
	const result: TurnedBack = {
		...{ body: {}, changed: [], withoutOldValue: [], fixed: [], setBack: [], ofOthers: [] },
	};
	const settable = fieldsOf(record, 'update');
	for (const [name, change] of Object.entries(changes)) {
		const field: Field | undefined = settable[name];
		if (!field) result.fixed.push(name);
		else if (!('added' in change) && !('from' in change)) result.withoutOldValue.push(name);
		else {
			const changed = { field, name, shown: current[name], change, isOfOthers };
			const { isChanged, setBack, ofOthers, ...undo } = undoOf(record, changed);
			if (isChanged) result.changed.push(name);
			if ('to' in undo) result.body[name] = undo.to as IDataObject[string];
			result.setBack.push(...setBack);
			result.ofOthers.push(...ofOthers);
		}
	}
	return result;
}

/** Decides the undo of one field, by its kind. */
function undoOf(record: RecordContract, changed: ChangedField): Undo {
	const { field, change } = changed;
	if ('added' in change) return undoOfList(record, changed, change);
	const isObjectField = field.kind === 'object' && isObject(change.to);
	return isObjectField ? undoOfParts(changed, change.to as Parts) : undoOfValue(changed);
}

/** Sets back a field that is neither a list nor an object. */
function undoOfValue({ field, name, shown, change, isOfOthers }: ChangedField): Undo {
	const { from, to } = change;
	const isOfRun = isEqualIn(field, shown, to) && !isOfOthers(name);
	if (isOfRun) return { to: from, setBack: [name], ofOthers: [], isChanged: false };
	return { setBack: [], ofOthers: [name], isChanged: !isEqualIn(field, shown, from) };
}

/** Sets back the parts of an object, such as the city of an address, each by itself. */
function undoOfParts({ name, shown, change: { from }, isOfOthers }: ChangedField, to: Parts): Undo {
	const shownParts = isObject(shown) ? shown : {};
	const before = isObject(from) ? from : {};
	const keyOf = (part: string) => `${name}.${part}`;
	const shows = (part: string, value: unknown) => !differingParts(shownParts, { [part]: value });
	const [ofRun, others] = partition(
		Object.keys(to),
		(part) => shows(part, to[part]) && !isOfOthers(keyOf(part)),
	);
	const isChanged = others.some((part) => !shows(part, before[part] ?? null));
	const keys = { setBack: ofRun.map(keyOf), ofOthers: others.map(keyOf) };
	if (ofRun.length === 0) return { ...keys, isChanged };
	const isAllOfRun = Object.entries(shownParts).every(
		([part, value]) => part.startsWith('@') || (value ?? null) === null || ofRun.includes(part),
	);
	if (from === null && isAllOfRun) return { ...keys, to: null, isChanged };
	const parts = Object.fromEntries(ofRun.map((part) => [part, before[part] ?? null]));
	return { ...keys, to: parts, isChanged };
}

/**
 * Takes out of a list the entries that the run added, and puts back the entries that it removed. Entries that others
 * have added keep their place.
 */
function undoOfList(
	record: RecordContract,
	{ field, name, shown, isOfOthers }: ChangedField,
	{ added, removed, from, to }: ListChange,
): Undo {
	const [setBack, ofOthers]: [string[], string[]] = [[], []];
	if (!listOf(shown)) return { setBack, ofOthers, isChanged: true };
	const before = entriesShown(record, name, shown);
	const isSame = (one: unknown) => (other: unknown) => isSameList(field, [one], [other]);
	const isAbout = (one: unknown) => (other: unknown) => isSameEntry(field, one, other);
	const keyOf = (entry: unknown) => `${name} ${entryKeyOf(field, entry)}`;
	let entries = [...before];
	let isChanged = false;
	for (const entry of added) {
		// A run may change an entry, such as the type of a phone number. Then `added` has the entry as the run wrote
		// it, and `removed` has it as it was before (`earlier`).
		const earlier = removed.find(isAbout(entry));
		const written = entries.find(isSame(entry));
		if (written !== undefined && !isOfOthers(keyOf(entry))) {
			setBack.push(keyOf(entry));
			entries = entries.flatMap((one) =>
				one !== written ? [one] : earlier === undefined ? [] : [earlier],
			);
			continue;
		}
		ofOthers.push(keyOf(entry));
		const isAsBefore =
			earlier === undefined ? !entries.some(isAbout(entry)) : entries.some(isSame(earlier));
		isChanged ||= !isAsBefore;
	}
	for (const entry of removed.filter((one) => !added.some(isAbout(one)))) {
		if (!entries.some(isAbout(entry)) && !isOfOthers(keyOf(entry))) {
			setBack.push(keyOf(entry));
			entries.push(entry);
			continue;
		}
		ofOthers.push(keyOf(entry));
		isChanged ||= !entries.some(isSame(entry));
	}
	const keys = (list: unknown[]) => list.map((entry) => exactKeyOf(field, entry));
	if (from && to && !isEqual(keys(before), keys(from))) {
		const own = before.filter((entry) => [...from, ...to].some(isSame(entry)));
		const places = own.map((entry) => to.findIndex(isSame(entry)));
		const isAsWritten = !places.includes(-1) && isEqual(places, sortBy(places));
		if (isAsWritten) entries = inOrderOf(from, entries, isSame);
		isChanged ||= !isAsWritten;
	}
	const isIdle = isEqual(keys(entries), keys(before));
	return { setBack, ofOthers, isChanged, ...(isIdle ? {} : { to: entries }) };
}

/**
 * Sorts `entries` by their positions in `from`. Entries that `from` lacks stay at the start if they stand before all
 * others. Otherwise they go to the end.
 */
function inOrderOf(
	from: unknown[],
	entries: unknown[],
	isSame: (one: unknown) => (other: unknown) => boolean,
): unknown[] {
	const placeOf = (entry: unknown) => from.findIndex(isSame(entry));
	const first = takeWhile(entries, (entry) => placeOf(entry) < 0);
	const [listed, added] = partition(entries.slice(first.length), (entry) => placeOf(entry) >= 0);
	return [...first, ...sortBy(listed, placeOf), ...added];
}
