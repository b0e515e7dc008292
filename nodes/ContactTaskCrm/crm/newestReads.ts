import type { IDataObject } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { keysOf } from '../values/person';
import { comparableId } from '../values/reference';
import { putLast } from '../util/keyed';

/**
 * Start of a read. `at` is its time, in ms of the clock's `now`. `afterWrite` is the number that the last write in the
 * `WriteLog` had at this time.
 */
export interface Begun {
	afterWrite: number;
	at: number;
}

/** A record as an answer showed it. */
export interface Read extends Begun {
	id: string;
	record: IDataObject;
}

/** Maximum size of `reads`, and of `carriers`. A run needs only the records of its next items. */
const MOST_KEPT = 2_000;

/**
 * Newest read of each record in one run. It comes from any answer: a lookup, a page of a list, or a read by ID. A
 * change compares its values with this read, and never with an older one.
 */
export class NewestReads {
	private readonly reads = new Map<string, Read>();

	/** IDs of people, by the `identifierKey` of a value that their newest read shows, such as a phone number. */
	private readonly carriers = new Map<string, Set<string>>();

	/** Keeps a CRM record that an answer has shown, unless a newer read of the same record is kept. */
	note({ noun }: Pick<RecordContract, 'noun'>, read: Read): void {
		const name = recordKey(noun, read.id);
		const before = this.reads.get(name);
		if (before && before.at > read.at) return;
		const isPerson = noun === 'person';
		if (before && isPerson) {
			for (const key of keysOf(before.record)) this.carriers.get(key)?.delete(before.id);
		}
		putLast(this.reads, name, read, MOST_KEPT);
		if (!isPerson) return;
		for (const key of keysOf(read.record)) {
			const ids = this.carriers.get(key) ?? new Set();
			ids.add(read.id);
			putLast(this.carriers, key, ids, MOST_KEPT);
		}
	}

	of({ noun }: Pick<RecordContract, 'noun'>, id: string): Read | undefined {
		return this.reads.get(recordKey(noun, id));
	}

	/**
	 * Returns the newest reads of the people with a value, such as a phone number. `key` is the `identifierKey` of the
	 * value. All spellings of a value have the same key.
	 */
	carriersOf(key: string): Read[] {
		const ids = [...(this.carriers.get(key) ?? [])];
		return ids.flatMap((id) => this.reads.get(recordKey('person', id)) ?? []);
	}
}

/** Returns the key of a record in a map of records of all kinds. */
export function recordKey(noun: string, id: string): string {
	return `${noun} ${comparableId(id)}`;
}
