import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../util/clock';
import type { RecordContract } from '../schema/record';
import { normalForm } from '../schema/equality';
import { putLast } from './keyed';
import { identifierKey } from '../values/identifier';
import { comparableId } from '../values/reference';
import { instantOf, wholeSecond } from '../values/time';

/*
 * Notes of records that this process wrote lately. A note holds IDs, times and values that find a person. If a note is
 * newer than a read of its record, the node repeats the read. A note never replaces a read.
 */

/** Maximum number of records and of values with notes. The oldest are removed first. */
const MOST_KEPT = 50_000;

/** Maximum number of records in `OwnWrites`: more than a run writes while a write counts as recent (`SETTLED_MS`). */
const MOST_OWN = 1_000;

/** Maximum number of notes for one value. */
const MOST_OF_VALUE = 30;

/** Time in ms until the search of the service finds a value that was written. */
const INDEXED_MS = 2 * 60_000;

/** Time in ms after which every replica of the service's database shows a write. */
const SETTLED_MS = 5_000;

/** A write. `order` is its number among all writes, and `at` is its time by the clock's `now`. */
interface Note {
	order: number;
	at: number;
	/** ID of the record. Absent for an uncertain create: the service may have created the record without an answer. */
	id?: string;
	/** `updatedAt` of the service's answer, in ms since 1970. */
	updatedAt?: number | undefined;
	/** For an uncertain create: the value as it was sent, because some services compare exactly. */
	value?: string;
}

/** Notes of all writes to one base URL with any key, because two keys may belong to one company. */
export class WriteNotes {
	private order = 0;

	/** Last write to each record, the oldest first. */
	private readonly records = new Map<string, Note>();

	/** Last writes that gave a person a value, the latest first. The key is the `identifierKey` of the value. */
	private readonly values = new Map<string, readonly Note[]>();

	/** Only in a preview: number of the last real write. No read shows a later write, because the preview sends none. */
	private lastShown?: number;

	constructor(private readonly clock: Clock) {}

	/** Copies the notes for a preview. The preview sends no writes, so all reads count as older than its writes. */
	forPreview(): WriteNotes {
		const { order } = this;
		const [records, values] = [new Map(this.records), new Map(this.values)];
		return Object.assign(new WriteNotes(this.clock), { order, records, values, lastShown: order });
	}

	/** Number of the last write that a read shows if it begins now. Take this mark before you read. */
	get mark(): number {
		return this.lastShown ?? this.order;
	}

	/**
	 * Notes a write of a record.
	 *
	 * @param keys `identifierKey`s of the values that the write gave a person
	 * @param answered the record in the service's answer
	 */
	note(noun: string, id: string, keys: readonly string[], answered?: IDataObject): void {
		const updatedAt = instantOf(answered?.updatedAt);
		const note = { order: ++this.order, at: this.clock.now(), id, updatedAt };
		putLast(this.records, noteKey(noun, id), note, MOST_KEPT);
		for (const key of keys) this.noteValue(key, note);
	}

	/** Notes that a person with these values may have been created. */
	noteUncertain(values: readonly string[]): void {
		const note = { order: ++this.order, at: this.clock.now() };
		for (const value of values) this.noteValue(identifierKey(value), { ...note, value });
	}

	/** Returns whether a record was written after a mark was taken. */
	isWrittenSince(noun: string, id: string, mark: number): boolean {
		return (this.records.get(noteKey(noun, id))?.order ?? 0) > mark;
	}

	/** Returns the IDs in notes of writes that gave a person this value, after the mark or in the last two minutes. */
	carriersSince(key: string, mark: number): string[] {
		return [...new Set(this.lately(key, mark).flatMap(({ id }) => id ?? []))];
	}

	/** Returns the values of uncertain creates as they were sent. At `settlesAt`, all replicas show the new records. */
	uncertainSince(key: string, mark: number) {
		return this.lately(key, mark).flatMap(({ value, order, at }) =>
			value === undefined ? [] : [{ value, isNewer: order > mark, settlesAt: settledAt({ at }) }],
		);
	}

	/** Returns the last write to a record; undefined if every replica already showed it at `readAt` (clock's `now`). */
	settling(noun: string, id: string, readAt = this.clock.now()): Note | undefined {
		const note = this.records.get(noteKey(noun, id));
		return note && readAt < settledAt(note) ? note : undefined;
	}

	private noteValue(key: string, note: Note): void {
		const others = (this.values.get(key) ?? []).filter(({ id }) => id !== note.id);
		putLast(this.values, key, [note, ...others].slice(0, MOST_OF_VALUE), MOST_KEPT);
	}

	private lately(key: string, mark: number): readonly Note[] {
		const since = this.clock.now() - INDEXED_MS;
		return (this.values.get(key) ?? []).filter(({ order, at }) => order > mark || at >= since);
	}
}

function noteKey(noun: string, id: string): string {
	return `${noun} ${comparableId(id)}`;
}

/** Returns the time when every replica shows a write, by the clock's `now`. */
export function settledAt({ at }: Pick<Note, 'at'>): number {
	return at + SETTLED_MS;
}

/** Writes of one run to each record, with the old values of changed fields. A read that shows these values is stale. */
export type OwnWrites = Map<string, Array<{ at: number; before: Record<string, unknown> }>>;

/**
 * Adds a write to `own`, with the old values of the fields that the write changes.
 *
 * @param before the record as it was read
 * @param sent the fields that are written
 */
export function keepOwn(
	own: OwnWrites,
	{ noun, fields }: RecordContract,
	{ id, at, before, sent }: { id: string; at: number; before: IDataObject; sent: IDataObject },
): void {
	const were = normalForm(before, fields);
	const are = normalForm(sent, fields);
	const changed = Object.keys(sent).filter((name) => !isEqual(were[name], are[name]));
	if (changed.length === 0) return;
	const name = noteKey(noun, id);
	const recent = (own.get(name) ?? []).filter((one) => at < settledAt(one));
	const write = { at, before: Object.fromEntries(changed.map((field) => [field, were[field]])) };
	putLast(own, name, [...recent, write], MOST_OWN);
}

/**
 * Returns whether a read seems to come from a replica that does not show the last write yet.
 *
 * @param record the record that was read; undefined if the service shows none
 */
export function isBehind(
	contract: RecordContract,
	{ id, note, record, own }: { id: string; note: Note; record?: IDataObject; own: OwnWrites },
): boolean {
	if (!record) return true;
	const { updatedAt = -Infinity } = note;
	// Compares whole seconds, because some services show fractions only in the answer to a write.
	if (wholeSecond(instantOf(record.updatedAt) ?? Infinity) < wholeSecond(updatedAt)) return true;
	const writes = own.get(noteKey(contract.noun, id)) ?? [];
	if (writes.length === 0) return false;
	const is = normalForm(record, contract.fields);
	return writes.some(({ before }) =>
		Object.entries(before).every(([name, was]) => isEqual(is[name], was)),
	);
}
