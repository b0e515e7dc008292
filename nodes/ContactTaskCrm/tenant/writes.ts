import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../http/clock';
import type { RecordContract } from '../schema/record';
import { matchKey } from '../util/contacts';
import { instantOf, wholeSecond } from '../util/dateTime';
import { comparableId } from '../util/iri';
import { normalForm } from '../util/normalForm';
import { putLast } from './keyed';

/*
 * What this process wrote lately. Notes hold identifiers and times, no other content: they make an older read
 * worthless, so that it is made again. They never replace what a read shows.
 */

/** Records and values that are noted at most; the oldest give way. */
const MOST_KEPT = 50_000;

/** Records that a run keeps its own writes of: more than it writes within the seconds that count. */
const MOST_OWN = 1_000;

/** Writes noted for one value at most. */
const MOST_OF_VALUE = 30;

/** Time in ms for which a lookup may miss a value that was written, because search indexes lag. */
const INDEXED_MS = 2 * 60_000;

/** Time in ms after which every replica of the service's database shows a write. */
const SETTLED_MS = 5_000;

/** A write, by its number among all writes and the clock's `now`. */
interface Note {
	order: number;
	at: number;
}

/** A write of one record. */
export interface RecordNote extends Note {
	/** `updatedAt` of the service's answer, in ms since 1970; absent without one. */
	updatedAt?: number;
}

/** A write that gave somebody a value. */
interface ValueNote extends Note {
	/** Absent for a create that may have taken effect: the ID of the person is not known. */
	id?: string;
	/** Then the value as it was sent, because a service may compare to the letter. */
	value?: string;
}

/** Notes of all writes to one base URL, whatever the key: two keys may belong to one company. */
export class WriteNotes {
	private order = 0;

	/** The last write to each record, the oldest first. */
	private readonly records: Map<string, RecordNote>;

	/** The last writes that gave somebody a value, by its key; the latest first. */
	private readonly values: Map<string, readonly ValueNote[]>;

	/** Number of the last write that a read can show; absent where it can show all. */
	private lastShown?: number;

	/** @param before notes to begin with */
	constructor(
		private readonly clock: Clock,
		before?: WriteNotes,
	) {
		this.records = new Map(before?.records);
		this.values = new Map(before?.values);
		this.order = before?.order ?? 0;
	}

	/** Copies the notes for a preview. No read can ever show the writes of a preview. */
	forPreview(): WriteNotes {
		return Object.assign(new WriteNotes(this.clock, this), { lastShown: this.order });
	}

	/** Number of the last write that a read shows if it begins now. Take it before you read. */
	get mark(): number {
		return this.lastShown ?? this.order;
	}

	/**
	 * Notes that a record was created or changed.
	 *
	 * @param keys values by which a person may be looked up from now on, as `matchKey` gives them
	 * @param answered the service's answer, if it shows the record
	 */
	note(noun: string, id: string, keys: readonly string[], answered?: IDataObject): void {
		const note = this.next();
		const updatedAt = instantOf(answered?.updatedAt);
		putLast(this.records, nameOf(noun, id), { ...note, updatedAt }, MOST_KEPT);
		for (const key of keys) this.noteValue(key, { ...note, id });
	}

	/**
	 * Notes that a person may have been created, with an ID that is not known.
	 *
	 * @param values the person's values as they were sent
	 */
	noteUncertain(values: readonly string[]): void {
		const note = this.next();
		for (const value of values) this.noteValue(matchKey(value), { ...note, value });
	}

	/** Returns whether a record may have been written after a mark was taken. */
	isWrittenSince(noun: string, id: string, mark: number): boolean {
		const [oldest = { order: 0 }] = this.records.values();
		const forgotten = this.records.size < MOST_KEPT ? 0 : oldest.order - 1;
		return (this.records.get(nameOf(noun, id))?.order ?? forgotten) > mark;
	}

	/** Returns the IDs of people who were given a value after a mark, or within the last two minutes. */
	carriersSince(key: string, mark: number): string[] {
		return [...new Set(this.lately(key, mark).flatMap(({ id }) => id ?? []))];
	}

	/** Returns the values, as sent, of creates that may have taken effect; with the time until all replicas show them. */
	uncertainSince(
		key: string,
		mark: number,
	): Array<{ value: string; isNewer: boolean; settlesAt: number }> {
		return this.lately(key, mark).flatMap(({ value, order, at }) =>
			value === undefined ? [] : [{ value, isNewer: order > mark, settlesAt: at + SETTLED_MS }],
		);
	}

	/**
	 * Returns the last write to a record if a read may come from a replica that does not show it yet.
	 *
	 * @param readAt when the read begins or began, by the clock's `now`
	 */
	settling(noun: string, id: string, readAt = this.clock.now()): RecordNote | undefined {
		const note = this.records.get(nameOf(noun, id));
		return note && readAt < settledAt(note) ? note : undefined;
	}

	private next(): Note {
		return { order: ++this.order, at: this.clock.now() };
	}

	private noteValue(key: string, note: ValueNote): void {
		const others = (this.values.get(key) ?? []).filter(({ id }) => id !== note.id);
		putLast(this.values, key, [note, ...others].slice(0, MOST_OF_VALUE), MOST_KEPT);
	}

	private lately(key: string, mark: number): readonly ValueNote[] {
		const since = this.clock.now() - INDEXED_MS;
		return (this.values.get(key) ?? []).filter(({ order, at }) => order > mark || at >= since);
	}
}

function nameOf(noun: string, id: string): string {
	return `${noun} ${comparableId(id)}`;
}

/** Returns when every replica shows a write, by the clock's `now`. */
export function settledAt({ at }: Pick<Note, 'at'>): number {
	return at + SETTLED_MS;
}

/**
 * What one run changed, by record: when, and the fields in normal form as they were. By these a read of a replica is
 * recognised that does not show the change yet. It ends with the run.
 */
export type OwnWrites = Map<
	string,
	Array<{ at: number; before: Readonly<Record<string, unknown>> }>
>;

/**
 * Keeps how the fields were that a write of the run sets to something else.
 *
 * @param before the record as it was read
 * @param sent the fields that are written
 */
export function keepOwn(
	own: OwnWrites,
	{ noun, fields }: RecordContract,
	{ id, at, before, sent }: { id: string; at: number; before: IDataObject; sent: IDataObject },
): void {
	const [were, are] = [before, sent].map((record) => normalForm(record, fields));
	const changed = Object.keys(sent).filter((name) => !isEqual(were[name], are[name]));
	if (changed.length === 0) return;
	const recent = (own.get(nameOf(noun, id)) ?? []).filter((one) => at < settledAt(one));
	const write = { at, before: Object.fromEntries(changed.map((name) => [name, were[name]])) };
	putLast(own, nameOf(noun, id), [...recent, write], MOST_OWN);
}

/**
 * Returns whether a read seems to come from a replica that does not show the last write yet.
 *
 * @param note the last write to the record
 * @param record undefined where the service shows none
 */
export function isBehind(
	contract: RecordContract,
	{ id, note, record, own }: { id: string; note: RecordNote; record?: IDataObject; own: OwnWrites },
): boolean {
	if (!record) return true;
	const shownAt = instantOf(record.updatedAt);
	// Services show whole seconds, and some show more in the answer to a write.
	const isOlder =
		note.updatedAt !== undefined &&
		shownAt !== undefined &&
		wholeSecond(shownAt) < wholeSecond(note.updatedAt);
	const writes = own.get(nameOf(contract.noun, id));
	if (isOlder || !writes) return isOlder;
	const is = normalForm(record, contract.fields);
	return writes.some(({ before }) =>
		Object.entries(before).every(([name, was]) => isEqual(is[name], was)),
	);
}
