import type { IDataObject, Logger } from 'n8n-workflow';
import type { Poller } from '../limit/polls';
import { putLast } from '../util/keyed';
import { ExplainedError } from '../util/errors';
import { shortHash } from './remembered';
import { AnchorDeleted } from './requests';
import { SharedPages } from '../crm/sharedPages';
import type { Tenant } from '../crm/tenant';
import type { TriggerState, WatchKeys } from './state';
import { fits, fromSaved, toSaved } from './state';
import type { Watch } from './watch';
import { MINUTE_MS } from '../values/time';

/**
 * Memory of one trigger in this process, beside the state that n8n saves. After a restart, the trigger works without
 * this memory. As a `Poller`, the object also represents the trigger in the queue of all polls of its credential. Times
 * are in ms by the clock's `now`.
 */
export interface TriggerMemory extends Poller {
	/** Whether a poll of this trigger is under way. n8n may start the next poll before this one ends. */
	isPolling: boolean;
	/** Time when n8n last started a poll, even if the trigger skipped that poll. */
	startedAt: number;
	/** Time in ms between the starts of the last two polls. */
	gapMs: number;
	/**
	 * Pages that the triggers of a list share. `next` is the number of the first page that this trigger has not applied
	 * yet.
	 */
	shared: { pages: SharedPages; next: number };
	/** Number of the current poll, from 1. Polls that read nothing do not count. */
	pollNumber: number;
	/**
	 * Number of the page that `headStep` reads next, from 1, if the first page is the head. If the last record of a
	 * page has changed, polls also read the page after it.
	 */
	headPage: number;
	/** Whether the last poll read no page of the scan, so that the next poll begins with the scan. */
	isScanOverdue: boolean;
	/** Number of members that later polls may read by ID before they check again that the segment exists. */
	membersUntilCheck: number;
	/** Time when a poll last threw each error. The key is the message of the error, with "#" in place of numbers. */
	thrownAt: Map<string, number>;
	/**
	 * Error that the last poll could not throw, for example because it returned items. The next poll throws this error.
	 */
	pendingError?: unknown;
	/**
	 * Start of the first poll in a row of polls that neither read anything nor failed. Absent if the last poll read
	 * something or failed.
	 */
	starvedSince?: number | undefined;
	/** Time of the last check that an anchor (a record that the trigger depends on) exists. */
	checkedAt: number;
	/** Number of checks of anchors so far. Each check takes the next anchor. */
	checks: number;
	/** State after the last poll. */
	state?: TriggerState | undefined;
	/** Hash of the state in static data after the last poll. */
	latestHash?: string | undefined;
	/**
	 * Static data object that n8n handed to the last poll. If n8n hands over another object, n8n has loaded the state
	 * anew.
	 */
	staticData?: object;
	/** Hash of the state that n8n has saved. */
	savedHash?: string | undefined;
	/**
	 * Time when a state that must survive a restart began to wait for n8n to save it. Absent if no such state waits.
	 */
	unsavedSince?: number;
	/** Time when the trigger last made an execution without items, to save its state. */
	savedEmptyAt?: number;
}

const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * If a gap between polls is longer than this many usual gaps (`usualMs`), a user has probably published the workflow
 * again. The workflow was not published during the gap.
 */
const MOST_GAPS = 3;
/** Maximum number of triggers in memory, and of lists with shared pages. The least recently polled is removed first. */
const MAX_TRIGGERS = 1_000;

const triggers = new Map<string, TriggerMemory>();

/**
 * Returns the memory of a trigger at the beginning of its poll, and notes the start of the poll.
 *
 * @param trigger key of the trigger: workflow ID and node ID
 * @param now time by the clock's `now`, which ignores changes of the host's clock
 */
export function memoryOf(trigger: string, now: number): TriggerMemory {
	const memory = triggers.get(trigger) ?? {
		isPolling: false,
		startedAt: now,
		gapMs: 0,
		polledAt: now,
		apartMs: 0,
		servedAt: -Infinity,
		pollNumber: 1,
		headPage: 1,
		isScanOverdue: false,
		shared: { pages: new SharedPages(), next: 0 },
		membersUntilCheck: 0,
		thrownAt: new Map(),
		checkedAt: now,
		checks: 0,
	};
	const gapMs = now - memory.startedAt;
	memory.apartMs = intervalOf(gapMs, memory.gapMs);
	memory.gapMs = gapMs;
	memory.startedAt = now;
	// The trigger skips a poll that begins while the last one runs, so `polledAt` remains the start of the running
	// poll.
	if (!memory.isPolling) memory.polledAt = now;
	putLast(triggers, trigger, memory, MAX_TRIGGERS);
	return memory;
}

/**
 * Returns the probable time in ms from this poll to the next: `gapMs`, the time since the last poll. If `gapMs` is much
 * longer than the gap before it (`lastGapMs`), somebody has probably just published the workflow again. The function
 * then returns `lastGapMs`, or a minute if that is longer. With the long gap, this poll would read for minutes, while
 * n8n waits for its end.
 */
function intervalOf(gapMs: number, lastGapMs: number): number {
	const usualMs = Math.max(lastGapMs, MINUTE_MS);
	return lastGapMs > 0 && gapMs > MOST_GAPS * usualMs ? usualMs : gapMs;
}

/**
 * Static data: the object that n8n saves for a node. Some installations of n8n keep one object for all polls. Others load
 * a new object for each poll.
 */
export interface StaticData extends IDataObject {
	state?: IDataObject;
}

/**
 * Returns the state to continue from; undefined if the trigger begins anew.
 *
 * - The saved state is older than the state in memory: the trigger continues from memory. From the older state, it
 *   would report its last events again. Some installations of n8n load the last saved state before every poll. n8n also
 *   saves the data of all nodes of a workflow together. So another trigger may bring back an older state of this
 *   trigger.
 * - The saved state is newer than the state in memory: another process has polled. The trigger continues from the saved
 *   state.
 * - There is no saved state: the trigger begins anew, even with a state in memory. n8n did not finish publishing the
 *   workflow, and saved nothing.
 * - The saved state has other settings: the trigger begins anew.
 * - The saved state is unreadable: the trigger begins anew, and the next poll fails once with the reason.
 */
export function resumeState(
	memory: TriggerMemory,
	keys: WatchKeys,
	staticData: StaticData,
	logger: Pick<Logger, 'warn'>,
): TriggerState | undefined {
	const hash = staticData.state && hashOf(staticData.state);
	const isLatest = hash !== undefined && hash === memory.latestHash;
	const latest = memory.state && fits(memory.state, keys) ? memory.state : undefined;
	if (latest && isLatest) {
		// A new object with the latest state proves that n8n has saved this state, and has loaded it again for this
		// poll.
		if (memory.staticData !== staticData) noteSaved(memory);
		return latest;
	}
	const state = fromSaved(staticData.state, keys);
	// `isKnown`: an earlier poll has reported this unreadable state. n8n may load this state again until another state is
	// saved.
	const isKnown = state === 'unreadable' && hash === memory.savedHash;
	const isOlder = typeof state === 'object' && (state.polledAt ?? 0) <= (latest?.polledAt ?? 0);
	if (latest && (isKnown || isOlder)) {
		if (hash !== memory.savedHash) memory.unsavedSince ??= memory.polledAt;
		return latest;
	}
	Object.assign(memory, { state: undefined, latestHash: hash });
	noteSaved(memory);
	if (state !== 'unreadable') return (memory.state = state);
	const error = new ExplainedError(
		'The saved state of this trigger cannot be read: it is damaged, or of another version of this package. The trigger has begun anew',
		'You need not do anything. Changes in the meantime do not start the workflow. To continue with the old state, install the other version again',
		{ code: 'unreadable' },
	);
	logger.warn(error.message);
	// The next poll throws the error, because n8n shows no failed execution for the poll that activates a workflow.
	memory.pendingError = error;
	memory.unsavedSince = memory.polledAt;
	return undefined;
}

/** Lets a trigger share pages with the other triggers of the same tenant, list and filters. */
export function joinSharedPages(
	memory: TriggerMemory,
	{ shared }: Tenant,
	{ path, filters }: Pick<Watch, 'path' | 'filters'>,
): void {
	const key = JSON.stringify([path, filters]);
	const pages = shared.get(key) ?? new SharedPages();
	putLast(shared, key, pages, MAX_TRIGGERS);
	pages.join(memory);
	dropUnpolledLists(shared);
	if (memory.shared.pages !== pages) memory.shared = { pages, next: pages.end };
}

/** Drops old pages of all lists, and the lists that no trigger polls any more. */
function dropUnpolledLists(shared: Tenant['shared']): void {
	for (const [key, pages] of shared) {
		const hasReaders = pages.prune();
		if (!hasReaders) shared.delete(key);
	}
}

/**
 * n8n saves a state only with an execution. So a state that must survive a restart waits this long for an execution
 * with items. After the wait, the trigger starts an execution without items, at most once a day.
 */
const SAVE_DELAY_MS = 10 * MINUTE_MS;

/**
 * Keeps the state of a poll in this process and in n8n's static data.
 *
 * @param mustOutlast whether the state must survive a restart
 * @returns whether the poll must start an execution without items, so that n8n saves the state
 */
export function keepState(
	memory: TriggerMemory,
	staticData: StaticData,
	state: TriggerState,
	mustOutlast: boolean,
): boolean {
	const { polledAt, savedEmptyAt = -Infinity } = memory;
	// n8n itself saves the state of the first poll, which finds no `memory.state`. So `unsavedSince` starts only with a
	// later poll.
	if (mustOutlast && memory.state) memory.unsavedSince ??= polledAt;
	staticData.state = toSaved(state) as unknown as IDataObject;
	Object.assign(memory, { state, staticData, latestHash: hashOf(staticData.state) });
	const { unsavedSince = polledAt } = memory;
	return polledAt - unsavedSince >= SAVE_DELAY_MS && polledAt - savedEmptyAt >= DAY_MS;
}

/** Notes that n8n saves the latest state, as it does with each execution. */
export function noteSaved(memory: TriggerMemory): void {
	memory.savedHash = memory.latestHash;
	delete memory.unsavedSince;
}

/** Returns the hash of a saved state. After n8n has saved and loaded the state, the hash is still the same. */
function hashOf(saved: unknown): string {
	return shortHash(JSON.stringify(saved));
}

/** Minimum time between two throws of the same error, because each throw is a failed execution. */
const REPEAT_ERROR_MS = 60 * MINUTE_MS;
/** A trigger that reads nothing for this time fails with the reason. Shorter waits are normal with many triggers. */
const STARVED_MS = 60 * MINUTE_MS;

/**
 * Returns whether a poll has to throw `error` now. If so, notes the time. Polls throw the same error at most once an
 * hour. They throw the error of a deleted anchor at most once a day.
 */
export function isErrorDue(memory: TriggerMemory, error: unknown): boolean {
	const { thrownAt, polledAt } = memory;
	const apartMs = error instanceof AnchorDeleted ? DAY_MS : REPEAT_ERROR_MS;
	// Messages that differ only in a number, such as seconds to wait, count as the same error. So `kind` is the message
	// with "#" for each number.
	const kind = (error instanceof Error ? error.message : String(error)).replace(/\d+/g, '#');
	if (polledAt - (thrownAt.get(kind) ?? -Infinity) < apartMs) return false;
	for (const [past, at] of thrownAt) if (polledAt - at >= DAY_MS) thrownAt.delete(past);
	thrownAt.set(kind, polledAt);
	return true;
}

/**
 * Returns the error for a trigger that has read nothing for an hour; undefined before.
 *
 * @param hasResult whether the poll has read anything, or failed
 * @param limit requests per minute of the credential, for the message
 */
export function starvationError(
	memory: TriggerMemory,
	hasResult: boolean,
	limit: number,
): ExplainedError | undefined {
	const { polledAt } = memory;
	memory.starvedSince = hasResult ? undefined : (memory.starvedSince ?? polledAt);
	const starvedMs = polledAt - (memory.starvedSince ?? polledAt);
	if (starvedMs < STARVED_MS) return undefined;
	return new ExplainedError(
		`The trigger has read nothing for ${Math.round(starvedMs / MINUTE_MS)} minutes: the service does not answer or refuses all requests, or other workflows and triggers use up the rate limit of ${limit} a minute`,
		'Let the other workflows and programs that use the key send fewer requests. Let one trigger watch several events, or check less often. Changes in the meantime start the workflow later',
		{ code: 'rate-limited' },
	);
}
