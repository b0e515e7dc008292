import { isEqual } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../util/clock';
import type { RecordContract } from '../schema/record';
import { normalForm } from '../schema/equality';
import { putLast } from '../util/keyed';
import { type Begun, recordKey } from './newestReads';
import { identifierKey } from '../values/identifier';
import { instantOf, wholeSecond } from '../values/time';

/*
 * Log of the records that this process wrote lately. An entry has IDs, times and values that find a person. If an
 * entry is newer than a read of its record, the node repeats the read. An entry never replaces a read.
 */

/** Maximum number of records and of values in the log. The oldest are removed first. */
const MOST_KEPT = 50_000;

/** Maximum number of records in `OwnWrites`: more than a run writes while a write counts as recent (`SETTLED_MS`). */
const MOST_OWN = 1_000;

/** Maximum number of writes that the log keeps for one value, such as an e-mail address. */
const MOST_OF_VALUE = 30;

/** Assumed time in ms after a write until the search of the service finds the written value. */
const INDEXED_MS = 2 * 60_000;

/** Assumed time in ms after a write until every replica of the service's database shows it. */
const SETTLED_MS = 5_000;

/** A write. `order` is its number among all writes, and `at` is its time by the clock's `now`. */
interface WriteEntry {
	order: number;
	at: number;
	/** ID of the record. Absent for an uncertain create: the service may have created the record without an answer. */
	id?: string;
	/** `updatedAt` of the service's answer, in ms since 1970. */
	updatedAt?: number | undefined;
	/** For an uncertain create: the value as it was sent, because some installations of the CRM compare text exactly. */
	value?: string;
}

/** Log of changes and new people at one base URL with any key. Two keys may belong to one company. */
export class WriteLog {
	private order: number;

	/** Last write to each record, the oldest first. */
	private readonly records: Map<string, WriteEntry>;

	/** Last writes that gave a person a value, the latest first. The key is the `identifierKey` of the value. */
	private readonly values: Map<string, readonly WriteEntry[]>;

	/** Only in a preview: number of the last real write. No read shows a later write, because the preview sends none. */
	private readonly lastShown: number | undefined;

	/**
	 * Begins empty; for a preview, as a copy of the log `real`. In a preview, every read counts as older than the writes
	 * of the preview.
	 */
	constructor(
		private readonly clock: Clock,
		real?: WriteLog,
	) {
		this.order = real?.order ?? 0;
		this.records = new Map(real?.records);
		this.values = new Map(real?.values);
		this.lastShown = real?.order;
	}

	/** Returns the start of a read that begins now. The read shows no write after the number `afterWrite`. */
	begunNow(): Begun {
		return { afterWrite: this.lastShown ?? this.order, at: this.clock.now() };
	}

	/**
	 * Adds a write of a record.
	 *
	 * @param keys `identifierKey`s of the values that the write gave a person
	 * @param answered the record in the service's answer
	 */
	add(noun: string, id: string, keys: readonly string[], answered?: IDataObject): void {
		const updatedAt = instantOf(answered?.updatedAt);
		const entry = { order: ++this.order, at: this.clock.now(), id, updatedAt };
		putLast(this.records, recordKey(noun, id), entry, MOST_KEPT);
		for (const key of keys) this.addValue(key, entry);
	}

	/** Notes that the service may have created a person with these values. */
	addUncertain(values: readonly string[]): void {
		const entry = { order: ++this.order, at: this.clock.now() };
		for (const value of values) this.addValue(identifierKey(value), { ...entry, value });
	}

	/** Returns whether a record was written after the write with the number `afterWrite`. */
	isWrittenSince(noun: string, id: string, afterWrite: number): boolean {
		return (this.records.get(recordKey(noun, id))?.order ?? 0) > afterWrite;
	}

	/**
	 * Returns the IDs of people who got the value with this `key` by a write. The write came after the write number
	 * `afterWrite`, or in the last two minutes.
	 */
	carriersSince(key: string, afterWrite: number): string[] {
		return [...new Set(this.lately(key, afterWrite).flatMap(({ id }) => id ?? []))];
	}

	/**
	 * Returns the recent creates without a clear answer that sent a value with this `key`. A create counts if it came
	 * after the write number `afterWrite` (`isNewer`), or is at most two minutes old. `value` has the spelling that was
	 * sent. At `settlesAt`, all replicas show the new person.
	 */
	uncertainSince(key: string, afterWrite: number) {
		return this.lately(key, afterWrite).flatMap(({ value, order, at }) =>
			value === undefined
				? []
				: [{ value, isNewer: order > afterWrite, settlesAt: settledAt({ at }) }],
		);
	}

	/**
	 * Returns the last write to a record, if a replica may have lacked this write at the time `readAt`. Otherwise,
	 * returns undefined.
	 */
	settling(noun: string, id: string, readAt = this.clock.now()): WriteEntry | undefined {
		const entry = this.records.get(recordKey(noun, id));
		return entry && readAt < settledAt(entry) ? entry : undefined;
	}

	private addValue(key: string, entry: WriteEntry): void {
		const others = (this.values.get(key) ?? []).filter(({ id }) => id !== entry.id);
		putLast(this.values, key, [entry, ...others].slice(0, MOST_OF_VALUE), MOST_KEPT);
	}

	private lately(key: string, afterWrite: number): readonly WriteEntry[] {
		const since = this.clock.now() - INDEXED_MS;
		return (this.values.get(key) ?? []).filter(
			({ order, at }) => order > afterWrite || at >= since,
		);
	}
}

/** Returns the time when every replica shows a write, by the clock's `now`. */
export function settledAt({ at }: Pick<WriteEntry, 'at'>): number {
	return at + SETTLED_MS;
}

/**
 * Writes of one run to each record, with the old values of changed fields. A read that still shows these old values
 * comes from a lagging replica.
 */
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
	const oldValues = normalForm(before, fields);
	const newValues = normalForm(sent, fields);
	const changed = Object.keys(sent).filter((name) => !isEqual(oldValues[name], newValues[name]));
	if (changed.length === 0) return;
	const name = recordKey(noun, id);
	const recent = (own.get(name) ?? []).filter((earlier) => at < settledAt(earlier));
	const write = {
		at,
		before: Object.fromEntries(changed.map((field) => [field, oldValues[field]])),
	};
	putLast(own, name, [...recent, write], MOST_OWN);
}

/**
 * Returns whether a read seems to come from a replica that does not show the last write yet.
 *
 * @param record the record that was read; undefined if the service shows none
 */
export function isBehind(
	contract: RecordContract,
	{
		id,
		entry,
		record,
		own,
	}: { id: string; entry: WriteEntry; record?: IDataObject; own: OwnWrites },
): boolean {
	if (!record) return true;
	const { updatedAt = -Infinity } = entry;
	// Compares whole seconds, because some installations of the CRM show fractions of a second only in the answer to a
	// write.
	if (wholeSecond(instantOf(record.updatedAt) ?? Infinity) < wholeSecond(updatedAt)) return true;
	const writes = own.get(recordKey(contract.noun, id)) ?? [];
	if (writes.length === 0) return false;
	const is = normalForm(record, contract.fields);
	return writes.some(({ before }) =>
		Object.entries(before).every(([name, was]) => isEqual(is[name], was)),
	);
}
