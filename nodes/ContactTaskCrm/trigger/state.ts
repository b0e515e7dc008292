import { z } from 'zod';

const instant = z.number().finite();
const count = z.number().int().nonnegative();

/**
 * Version of the saved form. A new optional field needs no new version. A removed field, or one with a new meaning,
 * does: the trigger then begins anew, unless the old form is converted.
 */
const VERSION = 4;

/** First value of `doubt` in a scan: nothing suggests that its pages missed a record. */
export const NO_DOUBT = 0;
/** Records may have moved from one page to another. */
export const RECORDS_MOVED = 1;
/** A page was skipped, because it cannot be read. */
export const PAGE_SKIPPED = 2;

/** Position and counts of a scan, which may take several polls. */
const scanSchema = z.object({
	/** Number of the scan. Odd scans read the archived people, and end a round through a segment. */
	number: count,
	/** Whether the scan reads page by page, because the list does not keep the requested order. */
	isByPage: z.boolean(),
	/** Creation time from which the next page is requested. */
	after: instant.optional(),
	/** Number of the next page, from 1, counted from `after` if that is there. */
	page: count.min(1),
	/** Records on the pages before it, counted from the same place. */
	position: count.optional(),
	/** Records on all pages read, repeats included. */
	shown: count,
	/** Records seen by this scan, without repeats. */
	seen: count,
	/** Total announced by the first page. */
	firstTotal: count.optional(),
	doubt: z.union([z.literal(NO_DOUBT), z.literal(RECORDS_MOVED), z.literal(PAGE_SKIPPED)]),
	/** Numbers of neighbours in each direction: created later, created earlier, changed later, changed earlier. */
	order: z.tuple([count, count, count, count]),
	/** High-water mark after this scan, with Person Created alone. */
	next: instant.optional(),
});

const savedSchema = z.object({
	v: z.literal(VERSION),
	/** Hash of the watched settings and the tenant. */
	key: z.string(),
	/** Beginning of the trigger, by the service's clock. */
	began: instant,
	/** Whether a scan has read the whole list. */
	isListRead: z.boolean(),
	/** Consecutive scans without an unknown record; -1 while the current scan has found one. */
	quiet: z.number().int().min(-1),
	/** Consecutive scans that matched the total. */
	exact: count,
	/** Number of the last scan in which the watched segment existed. */
	segmentSeenIn: count.optional(),
	/** Number of the page that shows changes, the first or the last, if the list is ordered accordingly. */
	head: count.optional(),
	/** High-water mark, with Person Created alone. Older people are known, or need no report. */
	from: instant.optional(),
	/** Newest creation time, and the time of its first sight, by the service's clock. */
	newest: instant.optional(),
	newestSeenAt: instant.optional(),
	scan: scanSchema,
	/** IRIs of the columns of tasks. */
	columns: z.array(z.string()),
	/** One line for each record: its key, the mark of the last scan that saw it, and the snapshot. */
	records: z.array(z.string()),
});

type SavedState = z.infer<typeof savedSchema>;
export type Scan = z.infer<typeof scanSchema>;

/** Memory of a trigger from one poll to the next. It is saved with the items of a poll. */
export type TriggerState = Omit<SavedState, 'records'> & {
	/** Rest of each line, by key. Only the lines in use are parsed. */
	records: Map<string, string>;
};

/** @param after the high-water mark, if there is one */
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

/** @param began the trigger's beginning, by the service's clock */
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

/** Returns the state for static data: plain values, one line for each record. */
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
	// Unknown fields, such as those of a later version, are dropped.
	const { data } = savedSchema.safeParse(saved);
	if (!data) return 'unreadable';
	if (data.key !== key) return undefined;
	const records = data.records.map((line): [string, string] => {
		const end = line.indexOf(' ');
		return [line.slice(0, end), line.slice(end + 1)];
	});
	return { ...data, records: new Map(records) };
}
