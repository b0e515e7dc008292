import { isEqual, partition, sortBy, takeWhile } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { fieldsOf, type RecordContract } from '../schema/record';
import { differingParts, isSameEntry, isSameList, writtenKey } from '../util/equality';
import { isObject, listOf } from '../values/json';
import { entriesShown } from './merge';
import type { Change } from './output';
import { isEqualIn, type Told } from './told';

/*
 * Turns the changes of a run back. A change is turned back only where the record still shows what the run wrote. All
 * else belongs to somebody who came later.
 */

type Parts = Record<string, unknown>;
type ListChange = Extract<Change, { added: unknown[] }>;

/** Fields that are set back, and the names of those that stay. */
interface TurnedBack {
	body: IDataObject;
	/** Fields that somebody has changed since, at least in part. */
	changed: string[];
	/** Fields whose earlier value the run did not tell. */
	untold: string[];
	/** Fields that no update can set. */
	fixed: string[];
}

/** How a field is set back. `to` is absent if nothing is to be written. */
interface Back {
	to?: unknown;
	/** Whether somebody has changed the field since, at least in part. */
	isChanged: boolean;
}

/**
 * Returns the body that turns the changes of a run back.
 *
 * @param current the record as it is now
 * @param changes the changes as the run told them
 */
export function turnedBack(
	record: RecordContract,
	current: IDataObject,
	changes: Told,
): TurnedBack {
	const result: TurnedBack = { body: {}, changed: [], untold: [], fixed: [] };
	const settable = fieldsOf(record, 'update');
	for (const [name, change] of Object.entries(changes)) {
		const field: Field | undefined = settable[name];
		const isList = 'added' in change;
		if (!field) result.fixed.push(name);
		else if (!isList && !('from' in change)) result.untold.push(name);
		else {
			const { isChanged, ...back } = isList
				? listBack(record, name, current[name], change)
				: plainBack(field, current[name], change);
			if (isChanged) result.changed.push(name);
			if ('to' in back) result.body[name] = back.to as IDataObject[string];
		}
	}
	return result;
}

function plainBack(field: Field, shown: unknown, { from, to }: Change): Back {
	if (field.kind === 'object' && isObject(to)) return partsBack(shown, from, to);
	if (isEqualIn(field, shown, from)) return { isChanged: false };
	return isEqualIn(field, shown, to) ? { to: from, isChanged: false } : { isChanged: true };
}

/** Sets back the parts of an object, such as the city of an address, each by itself. */
function partsBack(shown: unknown, from: unknown, to: Parts): Back {
	const is = isObject(shown) ? shown : {};
	const before = isObject(from) ? from : {};
	const shows = (part: string, value: unknown) => !differingParts(is, { [part]: value });
	const names = Object.keys(to).filter((part) => !shows(part, before[part] ?? null));
	const [ours, others] = partition(names, (part) => shows(part, to[part]));
	const isChanged = others.length > 0;
	if (ours.length === 0) return { isChanged };
	const isAllOurs = Object.entries(is).every(
		([part, value]) => part.startsWith('@') || (value ?? null) === null || ours.includes(part),
	);
	if (from === null && isAllOurs) return { to: null, isChanged };
	return { to: Object.fromEntries(ours.map((part) => [part, before[part] ?? null])), isChanged };
}

/** Takes added entries out of a list, and puts removed ones back. Entries of others keep their place. */
function listBack(
	record: RecordContract,
	name: string,
	shown: unknown,
	{ added, removed, from, to }: ListChange,
): Back {
	const field = record.fields[name]!;
	if (!listOf(shown)) return { isChanged: true };
	const before = entriesShown(record, name, shown);
	const isSame = (one: unknown) => (other: unknown) => isSameList(field, [one], [other]);
	const isAbout = (one: unknown) => (other: unknown) => isSameEntry(field, one, other);
	const keys = (list: unknown[]) => list.map((entry) => writtenKey(field, entry));
	if (from && isEqual(keys(before), keys(from))) return { isChanged: false };
	let entries = [...before];
	let isChanged = false;
	// A run may change an entry, such as the type of a number. The entry is then among both, the added and the removed.
	const left = removed.filter((entry) => !added.some(isAbout(entry)));
	for (const entry of added) {
		const was = removed.find(isAbout(entry));
		const written = entries.find(isSame(entry));
		if (written === undefined) {
			const isGone = !entries.some(isAbout(entry));
			isChanged ||= !(was === undefined ? isGone : entries.some(isSame(was)));
		} else {
			entries = entries.flatMap((one) =>
				one !== written ? [one] : was === undefined ? [] : [was],
			);
		}
	}
	for (const entry of left) {
		if (!entries.some(isAbout(entry))) entries.push(entry);
		else isChanged ||= !entries.some(isSame(entry));
	}
	if (from && to) {
		const ours = before.filter((entry) => [...from, ...to].some(isSame(entry)));
		const places = ours.map((entry) => to.findIndex(isSame(entry)));
		const isAsWritten = !places.includes(-1) && isEqual(places, sortBy(places));
		if (isAsWritten) entries = inOrderOf(from, entries, isSame);
		isChanged ||= !isAsWritten;
	}
	return isEqual(keys(entries), keys(before)) ? { isChanged } : { to: entries, isChanged };
}

/** Sorts entries by their places in `from`. Entries of others stay first if they were, and follow otherwise. */
function inOrderOf(
	from: unknown[],
	entries: unknown[],
	isSame: (one: unknown) => (other: unknown) => boolean,
): unknown[] {
	const placeOf = (entry: unknown) => from.findIndex(isSame(entry));
	const first = takeWhile(entries, (entry) => placeOf(entry) < 0);
	const [ours, others] = partition(entries.slice(first.length), (entry) => placeOf(entry) >= 0);
	return [...first, ...sortBy(ours, placeOf), ...others];
}
