import { z } from 'zod';
import { Memory } from './memory';
import { migrated, VERSION } from './stateVersions';

const instant = z.number().finite();
const count = z.number().int().nonnegative();

/** Where a reading of a list has come to; it may take several polls. */
const cursorSchema = z.object({
	/** By time: only what was created at this time and later is asked for. */
	after: instant.optional(),
	/** Page to be read next, from 1; by time, of what `after` leaves. */
	page: count.min(1),
	/** When the first page was given, by the service's clock. */
	startedAt: instant.optional(),
	/** The total that the first page gave, and the one that the last page gave. */
	firstTotal: count.optional(),
	total: count.optional(),
	/** Records on the fullest page: the service may cut the page size down. */
	size: count,
	/** Pages that were read, and how many of the last ones in a row held nothing unseen. */
	pages: count,
	stale: count,
	/** Pages that it was taken back, because records before it were gone. */
	stepsBack: count,
	/** Whether every page gave the same total. */
	isSteady: z.boolean(),
	/** By time: whether some second took more than one page. */
	isCrowded: z.boolean(),
	/** A page that could not be read in this poll or the one before. */
	failed: count.optional(),
	/** Whether the page behind it was read, so that the service is there. */
	isBehindRead: z.boolean().default(false),
	/** Whether a page was left out, since it could not be read. */
	isGapped: z.boolean(),
	/** What the last page was made of, and how often in a row that came again. */
	lastPage: z.string(),
	repeats: count,
});

const stepsSchema = z.object({ last: instant.optional(), rising: count, falling: count });

const scanSchema = cursorSchema.extend({
	/** Counts the scans; each record keeps a mark of the one it was last seen in. */
	number: count,
	/** Records seen. */
	seen: count,
	/** Records that were never seen before. */
	unknown: count,
	hasMatch: z.boolean(),
	/** How times of creation and of change follow each other through the list. */
	created: stepsSchema,
	changed: stepsSchema,
});

const windowSchema = z.object({
	/** High-water mark less the look-back: where each reading begins; undefined where nothing was ever created. */
	from: instant.optional(),
	/** Newest creation time, and when it was first seen, by the service's clock. */
	newest: instant.optional(),
	newestSeenAt: instant.optional(),
	/** The same when the reading under way began. */
	newestAtStart: instant.optional(),
	newestSeenAtAtStart: instant.optional(),
	/** Whether the reading under way found somebody unknown. */
	hasFound: z.boolean(),
	/** Readings in a row that found nobody unknown. */
	quietReads: count,
	cursor: cursorSchema,
});

const savedSchema = z.object({
	v: z.literal(VERSION),
	/** What is watched, in a few letters. */
	key: z.string(),
	/** When the trigger began, by the service's clock. */
	began: instant,
	/** Latest time that an answer gave. */
	servedAt: instant,
	/** When it was last made sure that what is watched exists, and how often. */
	checkedAt: instant.optional(),
	checks: count.optional(),
	polls: count,
	/** Whether the list was read from its first record to its last. */
	isListRead: z.boolean(),
	/** Scans in a row that found nobody unknown. */
	quietScans: count,
	/** Scans in a row that saw exactly what the total says. */
	exactScans: count,
	/** Whether the last complete scan left a page out, since it could not be read. */
	hasGap: z.boolean().default(false),
	/** Whether the last complete scan saw a record that passes the filters. */
	hasMatches: z.boolean(),
	/** Until when a list is read page by page that does not keep to the order it was asked for. */
	byPageUntil: instant.optional(),
	newestChange: instant.optional(),
	/** Records that left what is watched without starting the workflow, and may come back. */
	departures: count,
	window: windowSchema.optional(),
	scan: scanSchema,
	/** Page to be looked at in each poll, where the order of the list shows changes at one of its ends. */
	head: z
		.object({
			end: z.enum(['first', 'last']),
			page: count.min(1),
			/** Pages that the last full scan took. */
			pages: count,
		})
		.optional(),
	/** Members whom a complete scan did not see, by key: still to be read one by one. */
	absent: z.array(z.string()),
	dictionary: z.array(z.string()),
	memory: z.string(),
});

export type SavedState = z.infer<typeof savedSchema>;
/** All that a trigger remembers from one poll to the next. */
export type TriggerState = Omit<SavedState, 'memory'> & { memory: Memory };
export type Cursor = z.infer<typeof cursorSchema>;
export type Scan = z.infer<typeof scanSchema>;
export type Window = z.infer<typeof windowSchema>;
export type Steps = z.infer<typeof stepsSchema>;

export function startCursor(after?: number): Cursor {
	return {
		...(after === undefined ? {} : { after }),
		page: 1,
		size: 0,
		pages: 0,
		stale: 0,
		stepsBack: 0,
		isSteady: true,
		isCrowded: false,
		isBehindRead: false,
		isGapped: false,
		lastPage: '',
		repeats: 0,
	};
}

export function startScan(number: number): Scan {
	return {
		...startCursor(),
		number,
		seen: 0,
		unknown: 0,
		hasMatch: false,
		created: { rising: 0, falling: 0 },
		changed: { rising: 0, falling: 0 },
	};
}

/** @param began when the trigger began, by the service's clock */
export function startState(key: string, began: number): TriggerState {
	return {
		v: VERSION,
		key,
		began,
		servedAt: began,
		polls: 0,
		isListRead: false,
		quietScans: 0,
		exactScans: 0,
		hasGap: false,
		hasMatches: true,
		departures: 0,
		scan: startScan(1),
		absent: [],
		dictionary: [],
		memory: Memory.empty,
	};
}

/** The state as it is kept in static data: plain, and the memory in one text. */
export function toSaved(state: TriggerState): SavedState {
	return { ...state, memory: state.memory.text };
}

/** What stands in static data. */
export type Loaded =
	| { kind: 'none' }
	/** It belongs to other parameters, or to another tenant. */
	| { kind: 'foreign' }
	/** Not of this version, or damaged. */
	| { kind: 'unreadable'; isLater: boolean }
	| { kind: 'state'; state: TriggerState };

/** @param keyLength as `Memory.fromText` takes it */
export function fromSaved(saved: unknown, key: string, keyLength: number | undefined): Loaded {
	if (saved === undefined || saved === null) return { kind: 'none' };
	const form = migrated(saved);
	if (form.kind !== 'migrated') return { kind: 'unreadable', isLater: form.kind === 'later' };
	// What it does not know, such as an optional field of a later version, is left out.
	const { data } = savedSchema.safeParse(form.saved);
	if (!data) return { kind: 'unreadable', isLater: false };
	if (data.key !== key) return { kind: 'foreign' };
	const memory = Memory.fromText(data.memory, keyLength);
	return { kind: 'state', state: { ...data, memory } };
}
