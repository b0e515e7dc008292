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
import { isEqualIn, type Told } from './told';
import type { Change } from '../crm/written';

/*
 * Turns the changes of a run back. Each change needs a record that still shows the value of the run. Another value belongs
 * to somebody else, and stays.
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
	/** Values that the body sets back. A key is the name of a field, perhaps with a part or an entry. */
	ours: string[];
	/** Values that are not what the run wrote. They may even be as before the run, because somebody set them so. */
	others: string[];
}

/** How a field is set back. `to` is absent if nothing is to be written. */
type Back = Pick<TurnedBack, 'ours' | 'others'> & {
	to?: unknown;
	/** Whether somebody has changed the field since, at least in part. */
	isChanged: boolean;
};

/** Returns whether a value belongs to somebody else, as a later item of the run has found. */
type IsOfOthers = (key: string) => boolean;

/**
 * Returns the body that turns the changes of an item back.
 *
 * @param current the record as it is now
 * @param changes the changes as the run told them
 * @param isOfOthers takes the keys of `others`
 */
export function turnedBack(
	record: RecordContract,
	current: IDataObject,
	changes: Told,
	isOfOthers: IsOfOthers,
): TurnedBack {
	const result: TurnedBack = {
		...{ body: {}, changed: [], untold: [], fixed: [], ours: [], others: [] },
	};
	const settable = fieldsOf(record, 'update');
	for (const [name, change] of Object.entries(changes)) {
		const field: Field | undefined = settable[name];
		const isList = 'added' in change;
		if (!field) result.fixed.push(name);
		else if (!isList && !('from' in change)) result.untold.push(name);
		else {
			const { isChanged, ours, others, ...back } = isList
				? listBack(record, name, current[name], change, isOfOthers)
				: plainBack(field, name, current[name], change, isOfOthers);
			if (isChanged) result.changed.push(name);
			if ('to' in back) result.body[name] = back.to as IDataObject[string];
			result.ours.push(...ours);
			result.others.push(...others);
		}
	}
	return result;
}

function plainBack(
	field: Field,
	name: string,
	shown: unknown,
	{ from, to }: Change,
	isOfOthers: IsOfOthers,
): Back {
	if (field.kind === 'object' && isObject(to)) return partsBack(name, shown, from, to, isOfOthers);
	const isOurs = isEqualIn(field, shown, to) && !isOfOthers(name);
	if (isOurs) return { to: from, ours: [name], others: [], isChanged: false };
	return { ours: [], others: [name], isChanged: !isEqualIn(field, shown, from) };
}

/** Sets back the parts of an object, such as the city of an address, each by itself. */
function partsBack(
	name: string,
	shown: unknown,
	from: unknown,
	to: Parts,
	isOfOthers: IsOfOthers,
): Back {
	const is = isObject(shown) ? shown : {};
	const before = isObject(from) ? from : {};
	const keyOf = (part: string) => `${name}.${part}`;
	const shows = (part: string, value: unknown) => !differingParts(is, { [part]: value });
	const [ours, others] = partition(
		Object.keys(to),
		(part) => shows(part, to[part]) && !isOfOthers(keyOf(part)),
	);
	const isChanged = others.some((part) => !shows(part, before[part] ?? null));
	const keys = { ours: ours.map(keyOf), others: others.map(keyOf) };
	if (ours.length === 0) return { ...keys, isChanged };
	const isAllOurs = Object.entries(is).every(
		([part, value]) => part.startsWith('@') || (value ?? null) === null || ours.includes(part),
	);
	if (from === null && isAllOurs) return { ...keys, to: null, isChanged };
	const parts = Object.fromEntries(ours.map((part) => [part, before[part] ?? null]));
	return { ...keys, to: parts, isChanged };
}

/** Takes added entries out of a list, and puts removed ones back. Entries of others keep their place. */
function listBack(
	record: RecordContract,
	name: string,
	shown: unknown,
	{ added, removed, from, to }: ListChange,
	isOfOthers: IsOfOthers,
): Back {
	const field = record.fields[name]!;
	const [ours, others]: [string[], string[]] = [[], []];
	if (!listOf(shown)) return { ours, others, isChanged: true };
	const before = entriesShown(record, name, shown);
	const isSame = (one: unknown) => (other: unknown) => isSameList(field, [one], [other]);
	const isAbout = (one: unknown) => (other: unknown) => isSameEntry(field, one, other);
	const keyOf = (entry: unknown) => `${name} ${entryKeyOf(field, entry)}`;
	let entries = [...before];
	let isChanged = false;
	for (const entry of added) {
		// A run may change an entry, such as the type of a number. The entry is then among both, the added and the removed.
		const was = removed.find(isAbout(entry));
		const written = entries.find(isSame(entry));
		if (written !== undefined && !isOfOthers(keyOf(entry))) {
			ours.push(keyOf(entry));
			entries = entries.flatMap((one) =>
				one !== written ? [one] : was === undefined ? [] : [was],
			);
			continue;
		}
		others.push(keyOf(entry));
		const isAsBefore =
			was === undefined ? !entries.some(isAbout(entry)) : entries.some(isSame(was));
		isChanged ||= !isAsBefore;
	}
	for (const entry of removed.filter((one) => !added.some(isAbout(one)))) {
		if (!entries.some(isAbout(entry)) && !isOfOthers(keyOf(entry))) {
			ours.push(keyOf(entry));
			entries.push(entry);
			continue;
		}
		others.push(keyOf(entry));
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
	return { ours, others, isChanged, ...(isIdle ? {} : { to: entries }) };
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
