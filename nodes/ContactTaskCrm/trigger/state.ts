import { z } from 'zod';

const instant = z.number().finite();
const count = z.number().int().nonnegative();

/**
 * The version of the form that is saved. A new optional field needs no new version; a field that goes, or
 * means something else, does: the trigger then begins anew, unless the old form is brought into the new one.
 */
export const VERSION = 3;

/** How much the pages of a reading can be trusted to have shown everything. */
export const SURE = 0;
/** Records may have moved from one page to another. */
export const MOVED = 1;
/** A page was left out, since it cannot be read. */
export const GAPPED = 2;

/** Where a reading of a list has come to; it may take several polls. */
const cursorSchema = z.object({
	/** By time: only what was created at this time and later is asked for. */
	after: instant.optional(),
	/** Page to be read next, from 1; by time, of what `after` leaves. */
	page: count.min(1),
	/** Records on the pages that were read, those that came twice among them. */
	shown: count,
	/** The total that the first page gave. */
	firstTotal: count.optional(),
	doubt: z.union([z.literal(SURE), z.literal(MOVED), z.literal(GAPPED)]),
	/** A page that could not be read, and whether the one behind it could. */
	failed: count.optional(),
	isBehindRead: z.boolean().optional(),
});

const scanSchema = cursorSchema.extend({
	/** Counts the scans; odd is that of the archived people which ends a round through a segment. */
	number: count,
	/** Records that this scan saw. */
	seen: count,
	/** How often the next record on a page was created later, created earlier, changed later, changed earlier. */
	order: z.tuple([count, count, count, count]),
});

const windowSchema = z.object({
	/** High-water mark: who was created before is known, or not to be told. Absent where nobody was ever created. */
	from: instant.optional(),
	/** Newest creation time, and when it was first seen, by the service's clock. */
	newest: instant.optional(),
	newestSeenAt: instant.optional(),
	/** The high-water mark once the reading under way has ended. */
	next: instant.optional(),
	/** Readings in a row that found nobody unknown before that mark; -1 while one found somebody. */
	quiet: z.number().int().min(-1),
	cursor: cursorSchema,
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
	/** Until when a list is read page by page that does not keep to the order it was asked for. */
	byPageUntil: instant.optional(),
	/** The page on which the list shows what has changed, its first or its last, where its order does that. */
	head: count.optional(),
	window: windowSchema.optional(),
	scan: scanSchema,
	/** IRIs of the columns in which tasks stand. */
	columns: z.array(z.string()),
	/** A line for each record: its key, the mark of the scan that saw it last, and what is remembered of it. */
	records: z.array(z.string()),
});

export type SavedState = z.infer<typeof savedSchema>;
export type Cursor = z.infer<typeof cursorSchema>;
export type Scan = z.infer<typeof scanSchema>;
export type Window = z.infer<typeof windowSchema>;

/** All that a trigger remembers from one poll to the next. A poll works on a copy of its own. */
export type TriggerState = Omit<SavedState, 'records'> & {
	/** By key, the rest of the line: what was not looked at need not be read. */
	records: Map<string, string>;
};

export function startCursor(after?: number): Cursor {
	return { ...(after === undefined ? {} : { after }), page: 1, shown: 0, doubt: SURE };
}

export function startScan(number: number): Scan {
	return { ...startCursor(), number, seen: 0, order: [0, 0, 0, 0] };
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

/** A copy that a poll may change. */
export function copyOf(state: TriggerState): TriggerState {
	const { records, ...rest } = state;
	return { ...structuredClone(rest), records: new Map(records) };
}

/** The state as it is kept in static data: plain, one line a record. */
export function toSaved(state: TriggerState): SavedState {
	const records = Array.from(state.records, ([key, line]) => `${key} ${line}`);
	return { ...structuredClone({ ...state, records: [] }), records };
}

/**
 * The state that stands in static data.
 *
 * @param key what is watched, and whose it is
 * @returns undefined where there is none, or one of other parameters or of another tenant; a word where it cannot be read
 */
export function fromSaved(
	saved: unknown,
	key: string,
): TriggerState | 'damaged' | 'earlier' | 'later' | undefined {
	if (saved === undefined || saved === null) return undefined;
	// What it does not know, such as an optional field of a later version, is left out.
	const { data } = savedSchema.safeParse(saved);
	if (!data) {
		const version = (saved as { v?: unknown }).v;
		if (typeof version !== 'number' || version === VERSION) return 'damaged';
		return version > VERSION ? 'later' : 'earlier';
	}
	if (data.key !== key) return undefined;
	const records = data.records.map((line): [string, string] => {
		const end = line.indexOf(' ');
		return [line.slice(0, end), line.slice(end + 1)];
	});
	return { ...data, records: new Map(records) };
}
