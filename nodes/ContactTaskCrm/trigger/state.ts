import { z } from 'zod';

const instant = z.number().finite();
const count = z.number().int().nonnegative();

/**
 * The version of the form that is saved. A new optional field needs no new version; a field that goes, or
 * means something else, does: the trigger then begins anew, unless the old form is brought into the new one.
 */
const VERSION = 4;

/** How much the pages of a reading can be trusted to have shown everything. */
export const NO_DOUBT = 0;
/** Records may have moved from one page to another. */
export const RECORDS_MOVED = 1;
/** A page was left out, since it cannot be read. */
export const PAGE_SKIPPED = 2;

/** Where the scan of a list has come to; it may take several polls. */
const scanSchema = z.object({
	/** Counts the scans; odd is that of the archived people which ends a round through a segment. */
	number: count,
	/** Whether it is read page by page, since the list does not keep to the order it was asked for. */
	isByPage: z.boolean(),
	/** By time: only what was created at this time and later is asked for. */
	after: instant.optional(),
	/** Page to be read next, from 1; by time, of what `after` leaves. */
	page: count.min(1),
	/** Records on the pages before it, as far as they belong to its place. */
	position: count.optional(),
	/** Records on the pages that were read, those that came twice among them. */
	shown: count,
	/** Records that this scan saw. */
	seen: count,
	/** The total that the first page gave. */
	firstTotal: count.optional(),
	doubt: z.union([z.literal(NO_DOUBT), z.literal(RECORDS_MOVED), z.literal(PAGE_SKIPPED)]),
	/** How often the next record on a page was created later, created earlier, changed later, changed earlier. */
	order: z.tuple([count, count, count, count]),
	/** Of those who are new alone: the high-water mark once this scan has ended. */
	next: instant.optional(),
});

const savedSchema = z.object({
	v: z.literal(VERSION),
	/** What is watched, and whose it is, in a few letters. */
	key: z.string(),
	/** When the trigger began, by the service's clock. */
	began: instant,
	/** Whether the list was read from its first record to its last. */
	isListRead: z.boolean(),
	/** Scans in a row that found nobody unknown; -1 while one found somebody. */
	quiet: z.number().int().min(-1),
	/** Scans in a row that saw exactly what the total says. */
	exact: count,
	/** Of a segment: number of the scan in which it was last seen to exist. */
	segmentSeenIn: count.optional(),
	/** The page on which the list shows what has changed, its first or its last, where its order does that. */
	head: count.optional(),
	/** High-water mark, where only those who are new are asked for: who was created before is known, or not to be told. */
	from: instant.optional(),
	/** Newest creation time, and when it was first seen, by the service's clock. */
	newest: instant.optional(),
	newestSeenAt: instant.optional(),
	scan: scanSchema,
	/** IRIs of the columns in which tasks stand. */
	columns: z.array(z.string()),
	/** A line for each record: its key, the mark of the scan that saw it last, and what is remembered of it. */
	records: z.array(z.string()),
});

export type SavedState = z.infer<typeof savedSchema>;
export type Scan = z.infer<typeof scanSchema>;

/** All that a trigger remembers from one poll to the next. It goes with the items that a poll hands over. */
export type TriggerState = Omit<SavedState, 'records'> & {
	/** By key, the rest of the line: what was not looked at need not be read. */
	records: Map<string, string>;
};

/** @param after the high-water mark, where there is one */
export function startScan(number: number, after?: number): Scan {
	return {
		number,
		isByPage: false,
		...(after === undefined ? {} : { after }),
		page: 1,
		shown: 0,
		seen: 0,
		doubt: NO_DOUBT,
		order: [0, 0, 0, 0],
	};
}

/** @param began when the trigger began, by the service's clock */
export function startState(key: string, began: number): TriggerState {
	return {
		v: VERSION,
		key,
		began,
		isListRead: false,
		quiet: 0,
		exact: 0,
		scan: startScan(2),
		columns: [],
		records: new Map(),
	};
}

/** The state as it is kept in static data: plain, one line a record. */
export function toSaved(state: TriggerState): SavedState {
	const records = Array.from(state.records, ([key, line]) => `${key} ${line}`);
	return { ...structuredClone({ ...state, records: [] }), records };
}

/**
 * Reads the state from static data.
 *
 * @param key identifies the parameters and the tenant
 * @returns undefined if there is no state, or if it belongs to other parameters or to another tenant
 */
export function fromSaved(saved: unknown, key: string): TriggerState | 'unreadable' | undefined {
	if (saved === undefined || saved === null) return undefined;
	// What it does not know, such as an optional field of a later version, is left out.
	const { data } = savedSchema.safeParse(saved);
	if (!data) return 'unreadable';
	if (data.key !== key) return undefined;
	const records = data.records.map((line): [string, string] => {
		const end = line.indexOf(' ');
		return [line.slice(0, end), line.slice(end + 1)];
	});
	return { ...data, records: new Map(records) };
}
