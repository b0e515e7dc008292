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
import type { Change } from '../crm/records';

/*
 * Undoes the changes of a run. A field gets its earlier value back only if the record still shows the value of the run.
 * Any other value counts as written by another user or program, so it stays.
 */

type Parts = Record<string, unknown>;
type ListChange = Extract<Change, { added: unknown[] }>;

/** Effect of the undo of one item on the fields that the run has changed. */
export interface TurnedBack {
	/** Fields that the undo sets back, with their earlier values. */
	body: IDataObject;
	/** Names of fields that somebody has changed since the run, at least in part. */
	changed: string[];
	/** Names of fields without an earlier value in the output of the run. */
	withoutOldValue: string[];
	/** Names of fields that no update can set. */
	fixed: string[];
	/**
	 * Keys of the values that the undo sets back. A key names a field, a part of an object (`address.city`), or an entry
	 * of a list.
	 */
	setBack: string[];
	/** Keys of values that somebody else has set since the run, perhaps back to the value from before the run. */
	ofOthers: string[];
}

/** Effect of the undo on one field. `to` is the value to write; absent if the field stays as it is. */
type Undo = Pick<TurnedBack, 'setBack' | 'ofOthers'> & {
	to?: unknown;
	/** Whether somebody has changed the field since the run, at least in part. */
	isChanged: boolean;
};

/**
 * Returns whether the undo of a later item has found that somebody else set the value with this key. Undo begins with
 * the last item, so it has already checked the later items.
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

/** Sets back a list: its entries, each by itself, and then their order. */
function undoOfList(record: RecordContract, changed: ChangedField, change: ListChange): Undo {
	const { field, name, shown } = changed;
	if (!listOf(shown)) return { setBack: [], ofOthers: [], isChanged: true };
	const before = entriesShown(record, name, shown);
	const undo = new ListUndo(changed, before);
	for (const entry of change.added) undo.takeOut(entry, change.removed);
	for (const entry of change.removed) {
		if (!change.added.some((added) => isSameEntry(field, entry, added))) undo.putBack(entry);
	}
	if (change.from && change.to) undo.restoreOrder(before, change.from, change.to);
	const { setBack, ofOthers, isChanged, entries } = undo;
	const isIdle = isEqual(exactKeys(field, entries), exactKeys(field, before));
	return { setBack, ofOthers, isChanged, ...(isIdle ? {} : { to: entries }) };
}

const exactKeys = (field: Field, list: readonly unknown[]) =>
	list.map((entry) => exactKeyOf(field, entry));

/** The undo of a list, entry by entry. Entries that others have added stay in the list. */
class ListUndo implements Undo {
	readonly setBack: string[] = [];
	readonly ofOthers: string[] = [];
	isChanged = false;

	/** @param entries the list as the record shows it; later, the list to write */
	constructor(
		private readonly changed: ChangedField,
		public entries: unknown[],
	) {}

	/**
	 * Takes out an entry that the run added. If the run changed an entry, such as the type of a phone number, `removed`
	 * has the entry from before the run. That entry then takes the place of the changed one.
	 */
	takeOut(entry: unknown, removed: unknown[]): void {
		const earlier = removed.find((one) => this.isAbout(entry, one));
		const written = this.entries.find((one) => this.isSame(entry, one));
		if (written !== undefined && !this.isOfOthers(entry)) {
			this.setBack.push(this.keyOf(entry));
			const instead = earlier === undefined ? [] : [earlier];
			this.entries = this.entries.flatMap((one) => (one === written ? instead : [one]));
			return;
		}
		const isAsBefore =
			earlier === undefined
				? !this.entries.some((one) => this.isAbout(entry, one))
				: this.shows(earlier);
		this.leave(entry, isAsBefore);
	}

	/** Puts back an entry that the run removed. */
	putBack(entry: unknown): void {
		const isThere = this.entries.some((one) => this.isAbout(entry, one));
		if (isThere || this.isOfOthers(entry)) {
			this.leave(entry, this.shows(entry));
			return;
		}
		this.setBack.push(this.keyOf(entry));
		this.entries = [...this.entries, entry];
	}

	/**
	 * Restores the order of the entries from before the run, unless somebody else has changed the order since.
	 *
	 * @param before the list as the record shows it
	 * @param from the list before the run
	 * @param to the list after the run
	 */
	restoreOrder(before: unknown[], from: unknown[], to: unknown[]): void {
		const { field } = this.changed;
		if (isEqual(exactKeys(field, before), exactKeys(field, from))) return;
		const ofRun = before.filter((entry) => [...from, ...to].some((one) => this.isSame(entry, one)));
		const positions = ofRun.map((entry) => to.findIndex((one) => this.isSame(entry, one)));
		if (positions.includes(-1) || !isEqual(positions, sortBy(positions))) {
			this.isChanged = true;
			return;
		}
		const positionOf = (entry: unknown) => from.findIndex((one) => this.isSame(entry, one));
		this.entries = inOrderOf(positionOf, this.entries);
	}

	/** Leaves an entry that somebody else has changed. `isAsBefore`: the entry is now as it was before the run. */
	private leave(entry: unknown, isAsBefore: boolean): void {
		this.ofOthers.push(this.keyOf(entry));
		this.isChanged ||= !isAsBefore;
	}

	private isOfOthers(entry: unknown): boolean {
		return this.changed.isOfOthers(this.keyOf(entry));
	}

	private keyOf(entry: unknown): string {
		return `${this.changed.name} ${entryKeyOf(this.changed.field, entry)}`;
	}

	private shows(entry: unknown): boolean {
		return this.entries.some((one) => this.isSame(entry, one));
	}

	/** Returns whether two entries are the same in all parts. */
	private isSame(one: unknown, other: unknown): boolean {
		return isSameList(this.changed.field, [one], [other]);
	}

	/**
	 * Returns whether two entries have the same reference, e-mail address or phone number. The type of the phone number
	 * may differ.
	 */
	private isAbout(one: unknown, other: unknown): boolean {
		return isSameEntry(this.changed.field, one, other);
	}
}

/**
 * Sorts `entries` by position. Entries without a position (below 0) go to the end. Only those before the first entry
 * with a position stay at the start.
 */
function inOrderOf(positionOf: (entry: unknown) => number, entries: unknown[]): unknown[] {
	const first = takeWhile(entries, (entry) => positionOf(entry) < 0);
	const [listed, added] = partition(entries.slice(first.length), (entry) => positionOf(entry) >= 0);
	return [...first, ...sortBy(listed, positionOf), ...added];
}
