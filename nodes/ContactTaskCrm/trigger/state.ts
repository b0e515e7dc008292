import { z } from 'zod';

const instant = z.number().finite();
const count = z.number().int().nonnegative();

/**
 * Version of the saved form. A new optional field needs no new version. A removed field or a new meaning needs a new
 * version. The trigger then begins anew, unless code converts the old form.
 */
const VERSION = 6;

/** Value of `consistency` in a scan: nothing suggests that its pages missed a record. */
export const CONSISTENT = 0;
/** Value of `consistency`: records may have moved from one page to another during the scan. */
export const RECORDS_MOVED = 1;
/** Value of `consistency`: the scan skipped a page that the service could not give. */
export const PAGE_SKIPPED = 2;

/** Position and counts of a scan, which may take several polls. */
const scanSchema = z.object({
	/** Number of the scan. Even scans read the list. Only a segment has odd scans, which read its archived people. */
	number: count,
	/** Whether a scan by creation time goes on by page number, because the service ignored the requested order. */
	isByPage: z.boolean(),
	/** Creation time that the next page begins with, if the scan goes by creation time. */
	after: instant.optional(),
	/** Number of the next page, from 1. With `after`, page 1 begins at that creation time. */
	page: count.min(1),
	/** Number of records on the pages before the next page, counted from page 1. */
	position: count.optional(),
	/** Number of records on all pages of this scan, repeats included. */
	shown: count,
	/** Number of records that this scan has seen, without repeats. */
	seen: count,
	/** Total number of records, as the first page of this scan announced it. */
	firstTotal: count.optional(),
	/** Whether the scan may have missed records, and why. */
	consistency: z.union([z.literal(CONSISTENT), z.literal(RECORDS_MOVED), z.literal(PAGE_SKIPPED)]),
	/**
	 * Four counts: records created later, created earlier, changed later and changed earlier than the record before
	 * them. By these counts, `headPageOf` finds how the service sorts the list, and on which page changes appear.
	 */
	order: z.tuple([count, count, count, count]),
	/** High-water mark to set when this scan ends, if Person Created is the only event. */
	next: instant.optional(),
});

const savedSchema = z.object({
	v: z.literal(VERSION),
	/**
	 * Hash of the watched settings, base URL and key. If the trigger has the same settings but another hash here,
	 * `company.ts` decides whether the trigger keeps the state.
	 */
	key: z.string(),
	/** Hash of the watched settings. A trigger with another hash begins anew. */
	settings: z.string().optional(),
	/** Time of the last page that a poll without a failure has read, by the service's clock. */
	polledAt: instant.optional(),
	/** Beginning of the trigger, by the service's clock. */
	began: instant,
	/** Whether a scan has read the whole list. */
	isListRead: z.boolean(),
	/**
	 * Number of consecutive scans without an unknown record; -1 if the scan under way has found an unknown record. After
	 * several such scans, the list counts as read, even if records move between its pages.
	 */
	quiet: z.number().int().min(-1),
	/**
	 * Number of consecutive scans that saw as many records as the service announced. After two such scans, the trigger
	 * may forget records that neither of them showed.
	 */
	exact: count,
	/**
	 * Page number of the head: the first or the last page. Absent for people, for a list of one page, and for a list that
	 * is not sorted by time.
	 */
	head: count.optional(),
	/** Whether a trigger with Person Created alone has given up its high-water mark, and reads the whole list. */
	readsAll: z.boolean().optional(),
	/** High-water mark, if Person Created is the only event: the trigger ignores people created before this time. */
	from: instant.optional(),
	/** Newest creation time that any person has shown, if Person Created is the only event. */
	newest: instant.optional(),
	/** Time of the page that first showed `newest`, by the service's clock. */
	newestSeenAt: instant.optional(),
	scan: scanSchema,
	/** IRIs of the columns of tasks. The lines of records name a column by its position in this list. */
	columns: z.array(z.string()),
	/**
	 * One line for each record, such as "zk3Xw1aB 4mbx2k9d0". The line holds the record's key, a letter for the last
	 * scan that saw the record, and the snapshot.
	 */
	records: z.array(z.string()),
});

type SavedState = z.infer<typeof savedSchema>;
export type Scan = z.infer<typeof scanSchema>;

/** State of a trigger from one poll to the next. n8n saves the state with the items of a poll. */
export type TriggerState = Omit<SavedState, 'records'> & {
	/**
	 * Line of each record without the key, such as "4mbx2k9d0", by the record's key. The trigger parses a line only
	 * when needed.
	 */
	records: Map<string, string>;
};

/**
 * Returns the state of a scan before its first page.
 *
 * @param after high-water mark: the scan reads only records created after this time. If absent, the scan reads the
 *   whole list
 */
export function startScan(number: number, after?: number): Scan {
	return {
		number,
		isByPage: false,
		...(after === undefined ? {} : { after }),
		page: 1,
		shown: 0,
		seen: 0,
		consistency: CONSISTENT,
		order: [0, 0, 0, 0],
	};
}

/** Hashes that tell whether a saved state fits a trigger. */
export type WatchKeys = Required<Pick<SavedState, 'key' | 'settings'>>;

/**
 * Returns whether a saved state has the same settings as a trigger. Base URL and API key may differ, because the hash
 * `settings` does not include them.
 */
export function fits(state: Pick<SavedState, 'key' | 'settings'>, { key, settings }: WatchKeys) {
	return state.key === key || state.settings === settings;
}

/**
 * Returns the state of a trigger that begins anew.
 *
 * @param began the trigger's beginning, by the service's clock
 */
export function startState({ key, settings }: WatchKeys, began: number): TriggerState {
	return {
		v: VERSION,
		key,
		settings,
		began,
		isListRead: false,
		quiet: 0,
		exact: 0,
		scan: startScan(2),
		columns: [],
		records: new Map(),
	};
}

/** Returns a copy of the state for static data, with one line of text for each record. */
export function toSaved(state: TriggerState): SavedState {
	const records = Array.from(state.records, ([key, line]) => `${key} ${line}`);
	return { ...structuredClone({ ...state, records: [] }), records };
}

/**
 * Reads the state from static data.
 *
 * @returns undefined without a state, or if the state has other settings; "unreadable" for an invalid state
 */
export function fromSaved(
	saved: unknown,
	keys: WatchKeys,
): TriggerState | 'unreadable' | undefined {
	if (saved === undefined || saved === null) return undefined;
	// `safeParse` drops unknown fields, such as those of a later version.
	const { data } = savedSchema.safeParse(saved);
	if (!data) return 'unreadable';
	if (!fits(data, keys)) return undefined;
	const records = data.records.map((line): [string, string] => {
		const end = line.indexOf(' ');
		return [line.slice(0, end), line.slice(end + 1)];
	});
	return { ...data, records: new Map(records) };
}
