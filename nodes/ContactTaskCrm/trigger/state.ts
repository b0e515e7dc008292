import { z } from 'zod';

const instant = z.number().finite();
const count = z.number().int().nonnegative();

/** How far a read through the list has come; it may take several polls. */
const sweepSchema = z.object({
	/** Counts the sweeps; each record keeps the last digit of the one it was last seen in. */
	number: count,
	/** Page to be read next, from 1. */
	page: count.min(1),
	/** By time: only what was created at this time and later is asked for. */
	after: instant.optional(),
	/** Entries on the pages that were read; by time, since `after`. */
	entries: count,
	/** The total that the first page gave. */
	total: count.optional(),
	/** When the first page was given, by the service's clock. */
	startedAt: instant.optional(),
	/** By time: whether some second took more than one page. */
	isPaged: z.boolean(),
	/** The total that the last page gave. */
	latestTotal: count.optional(),
	/** Whether every page gave the same total. */
	isSteady: z.boolean(),
	/** Records that were never seen before, though they were there. */
	surprises: count,
	/** Newest creation time that was known when it began. */
	newest: instant.optional(),
	/** Whether any record passed the filters. */
	hasMatch: z.boolean(),
	/** What the last page was made of, to tell when a page repeats itself. */
	lastPage: z.string(),
	/** Pages in a row that held only what this sweep had seen. */
	stalePages: count,
	/** How creation times follow each other. */
	order: z.enum(['none', 'rising', 'falling', 'mixed']),
	lastCreated: instant.optional(),
});

/** Where new entries of a list appear, so that one page tells whether there are any. */
const tailSchema = z.object({
	/** Total when nothing was unread. */
	total: count,
	order: z.enum(['none', 'rising', 'falling', 'mixed']),
	/** Page to be read next. */
	page: count.min(1),
	/** New entries found since `total` was right. */
	found: count,
	/** The total that the last page of a look at several pages gave. */
	latestTotal: count.optional(),
});

const stateSchema = z.object({
	v: z.literal(1),
	/** What is watched: the event, its filters and the tenant, in a few letters. */
	watch: z.string(),
	/**
	 * `newest`: ask for the newest record. `look`: see whether the newest are all known. `tail`: look
	 * where new entries appear. `peek`: look where new records are likely, then read on for a page.
	 * `sweep`: read on.
	 */
	phase: z.enum(['newest', 'look', 'tail', 'peek', 'sweep']),
	/** Whether the list is read by creation time, or by the number of the page. */
	by: z.enum(['time', 'page']),
	/** Whether the list was read once: before, nothing can be told apart as new. */
	isComplete: z.boolean(),
	/** Whether it is certain that this read left nothing out. */
	isSettled: z.boolean(),
	/** Sweeps in a row that may have left something out. */
	shortReads: count,
	/** Polls in a row that took a window for unchanged, by a look at the newest. */
	quietPolls: count,
	/**
	 * When the trigger began, by the service's own clock; null where that is not the clock of its
	 * records.
	 */
	since: instant.nullable().optional(),
	/** Whether a sweep found nothing, and the poll could not ask any more whether there is what it needs. */
	isAnchorDue: z.boolean(),
	/** Records that were seen to leave what is watched: a segment, a column. */
	departures: count,
	/** Newest creation time when the list was read once. */
	mark: instant.optional(),
	/** Newest time of creation or change when the list was read once. */
	touched: instant.optional(),
	/** Newest creation time so far. */
	newest: instant.optional(),
	/** Newest time of creation or change so far. */
	newestTouch: instant.optional(),
	/** When the last sweep began, by the service's clock. */
	sweptAt: instant.optional(),
	/** By time: where each sweep begins. */
	from: instant.optional(),
	sweep: sweepSchema,
	tail: tailSchema.optional(),
	/** Texts that many records share; their memory holds the position in this list. */
	texts: z.array(z.string()),
	/** By key of the record: the digit of the sweep it was last seen in, and what is to be compared. */
	memory: z.record(z.string().min(1)),
});

/** All that a trigger remembers from one poll to the next. */
export type TriggerState = z.infer<typeof stateSchema>;
export type SweepProgress = z.infer<typeof sweepSchema>;
export type Tail = z.infer<typeof tailSchema>;
export type Order = SweepProgress['order'];

/**
 * A sweep before its first page.
 *
 * @param known by time: where it begins; and the newest creation time that is known
 */
export function startSweep(
	number: number,
	{ from, newest }: { from?: number; newest?: number } = {},
): SweepProgress {
	return {
		number,
		page: 1,
		...(from === undefined ? {} : { after: from }),
		...(newest === undefined ? {} : { newest }),
		entries: 0,
		isPaged: false,
		isSteady: true,
		surprises: 0,
		hasMatch: false,
		lastPage: '',
		stalePages: 0,
		order: 'none',
	};
}

/** The state of a trigger that has seen nothing yet. */
export function startState(
	watch: string,
	phase: TriggerState['phase'],
	by: TriggerState['by'],
): TriggerState {
	return {
		v: 1,
		watch,
		phase,
		by,
		isComplete: false,
		isSettled: false,
		shortReads: 0,
		quietPolls: 0,
		departures: 0,
		isAnchorDue: false,
		sweep: startSweep(0),
		texts: [],
		memory: {},
	};
}

/**
 * The state that was saved, if it is one of this version and belongs to what is watched now.
 *
 * @param saved whatever stands in static data
 */
export function savedState(saved: unknown, watch: string): TriggerState | undefined {
	const { data } = stateSchema.safeParse(saved);
	return data?.watch === watch ? data : undefined;
}
