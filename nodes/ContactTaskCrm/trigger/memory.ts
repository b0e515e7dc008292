import type { IDataObject, Logger } from 'n8n-workflow';
import type { GivenUpReason } from '../http/errors';
import type { PollPlace } from '../http/polls';
import { pollShare } from '../http/polls';
import { putLast } from '../tenant/keyed';
import { ExplainedError } from '../util/errors';
import { shortHash } from './remembered';
import { AnchorDeleted } from './requests';
import { SharedPages } from '../tenant/sharedPages';
import type { Tenant } from '../tenant/tenant';
import type { TriggerState } from './state';
import { fromSaved, toSaved } from './state';
import type { Watch } from './watch';

/** What this process knows of a trigger beyond what n8n has saved; it may be lost at any time. Times are of the clock's `now`. */
export interface TriggerMemory {
	/** Whether it is polling: n8n starts the next poll even while one is under way. */
	isPolling: boolean;
	/** When it polled last, and how long after the poll before; 0 in the first. */
	polledAt: number;
	apartMs: number;
	/** Hash of the credential with which it polled last, and its place among the triggers of that. */
	tenant?: string;
	place: PollPlace;
	/** Pages that it shares with other triggers, and the number of the one that it takes next. */
	shared?: { pages: SharedPages; next: number };
	/** Polls of this process that read something. */
	pollNumber: number;
	/** Whether the last poll had no request for the scan. */
	isScanOverdue: boolean;
	/** When each kind of error was thrown last. */
	thrownAt: Map<string, number>;
	/** What the next poll throws before it reads anything: this one handed something over. */
	pendingError?: unknown;
	/** Since when it has read nothing, though nothing failed. */
	starvedSince?: number;
	/** When it was last made sure that something of what is watched exists, and how often. */
	checkedAt: number;
	checks: number;
	/** What the last poll left, what stands for it, and the object it was left in. */
	state?: TriggerState;
	latestHash?: string;
	staticData?: object;
	/** What stands for the state that n8n has saved. */
	savedHash?: string;
	/** Since when the list contradicts itself. */
	contradictedSince?: number;
	/** Since when something must be saved that was not, and when an execution without items was last made for that. */
	unsavedSince?: number;
	savedEmptyAt?: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Triggers of one process; the one that polled longest ago is forgotten first. */
const MOST_TRIGGERS = 1_000;
/** A trigger that did not poll for so long, and for three times as long as it used to wait, was taken off. */
const TAKEN_OFF_MS = DAY_MS + 60 * MINUTE_MS;

const triggers = new Map<string, TriggerMemory>();

/**
 * What this process knows of a trigger that polls now. Those that were taken off are forgotten.
 *
 * @param trigger what it is known by: its workflow and its node
 * @param now time of the clock's `now`: a host whose clock is set back changes nothing
 */
export function memoryOf(trigger: string, now: number): TriggerMemory {
	for (const [other, { polledAt, apartMs, isPolling }] of triggers) {
		const mayWaitMs = Math.max(TAKEN_OFF_MS, 3 * apartMs);
		const isOver = other !== trigger && !isPolling && now - polledAt > mayWaitMs;
		if (isOver) triggers.delete(other);
	}
	const memory = triggers.get(trigger) ?? {
		isPolling: false,
		polledAt: now,
		apartMs: 0,
		place: { servedAt: -Infinity, since: 0, apartMs: 0 },
		pollNumber: 1,
		isScanOverdue: false,
		thrownAt: new Map(),
		checkedAt: now,
		checks: 0,
	};
	memory.apartMs = now - memory.polledAt;
	memory.polledAt = now;
	putLast(triggers, trigger, memory, MOST_TRIGGERS);
	return memory;
}

/** Where n8n keeps what a node remembers: one object for good, or another for each poll. */
export interface StaticData extends IDataObject {
	state?: IDataObject;
}

/**
 * Returns the state to go on from. The state that n8n loads decides. n8n saves the state only when it publishes a
 * trigger, or takes items from it. Some hosts load the saved state before every poll.
 *
 * If n8n loads one of the last two states, the trigger goes on from the last poll of this process. Otherwise it would
 * begin a list of many pages again and again. If n8n loads no state, publishing has failed. If n8n loads another state,
 * handing over items has failed. n8n reports neither failure, so the trigger drops the states of such polls.
 *
 * @param key what is watched
 * If a state cannot be read, the trigger begins anew, and the next poll fails with the reason.
 *
 * @returns undefined where the trigger begins anew
 */
export function resumeState(
	memory: TriggerMemory,
	key: string,
	staticData: StaticData,
	logger: Pick<Logger, 'warn'>,
): TriggerState | undefined {
	const hash = staticData.state && hashOf(staticData.state);
	const isKnown = hash !== undefined && [memory.latestHash, memory.savedHash].includes(hash);
	if (isKnown && memory.state?.key === key) {
		// What is loaded from elsewhere was saved, as durable poll cursors are after each poll.
		if (hash === memory.latestHash && memory.staticData !== staticData) noteSaved(memory);
		return memory.state;
	}
	const state = fromSaved(staticData.state, key);
	Object.assign(memory, {
		state: undefined,
		latestHash: hash,
		savedHash: hash,
		unsavedSince: undefined,
	});
	if (state !== 'unreadable') return (memory.state = state);
	const error = new ExplainedError(
		'What this trigger remembered cannot be read: it is damaged, or was written by another version of this package. The trigger has begun anew',
		'Nothing has to be done. What happened in the meantime does not start the workflow. To go on with the old state, install that version again',
	);
	logger.warn(error.message);
	// n8n shows a failed execution of a timer poll alone, not of the poll that activates a workflow.
	memory.pendingError = error;
	return undefined;
}

/** Notes that a trigger polls a list, whose pages it shares with the other triggers that poll it. */
export function shareList(
	memory: TriggerMemory,
	{ shared }: Tenant,
	{ path, filters }: Pick<Watch, 'path' | 'filters'>,
): void {
	const key = JSON.stringify([path, filters]);
	const pages = shared.get(key) ?? new SharedPages();
	putLast(shared, key, pages, MOST_TRIGGERS);
	pages.join(memory);
	if (memory.shared?.pages !== pages) memory.shared = { pages, next: pages.end };
}

/** What must outlast a restart waits this long for an item to be saved with, and a day after the last such wait. */
const SAVE_DELAY_MS = 10 * MINUTE_MS;

/**
 * Keeps the state that a poll left, in this process and where n8n keeps it.
 *
 * @param mustOutlast whether it holds something that must be saved, though it may go out with no item
 * @returns whether that is worth an execution without items
 */
export function keepState(
	memory: TriggerMemory,
	staticData: StaticData,
	state: TriggerState,
	mustOutlast: boolean,
): boolean {
	const { polledAt, savedEmptyAt = -Infinity } = memory;
	// What a first poll leaves is saved by n8n as it publishes the workflow.
	if (mustOutlast && memory.state) memory.unsavedSince ??= polledAt;
	staticData.state = toSaved(state) as unknown as IDataObject;
	Object.assign(memory, { state, staticData, latestHash: hashOf(staticData.state) });
	const { unsavedSince = polledAt } = memory;
	return polledAt - unsavedSince >= SAVE_DELAY_MS && polledAt - savedEmptyAt >= DAY_MS;
}

/** Notes that n8n has the last state: it saves it with an execution. */
export function noteSaved(memory: TriggerMemory): void {
	memory.savedHash = memory.latestHash;
	delete memory.unsavedSince;
}

/** The same for a state before it is saved and after. */
function hashOf(saved: unknown): string {
	return shortHash(JSON.stringify(saved));
}

/** The same error is thrown no more often: each time is a failed execution. */
const REPEAT_ERROR_MS = 60 * MINUTE_MS;
/** Others may use the rate limit for a while; after this, a user wants to know. */
const TOLERATED_MS = 30 * MINUTE_MS;

/**
 * Notes what a poll ended in.
 *
 * @param isLater whether it is to be thrown by the next poll, since this one hands something over
 * @returns whether to throw it: the first time, once an hour, and when it is something else; once a day where a watched
 *   record no longer exists
 */
export function noteError(memory: TriggerMemory, error: unknown, isLater: boolean): boolean {
	const { thrownAt, polledAt } = memory;
	const apartMs = error instanceof AnchorDeleted ? DAY_MS : REPEAT_ERROR_MS;
	// How many seconds are left says nothing new.
	const kind = (error instanceof Error ? error.message : String(error)).replace(/\d+/g, '#');
	if (polledAt - (thrownAt.get(kind) ?? -Infinity) < apartMs) return false;
	for (const [other, at] of thrownAt) if (polledAt - at >= DAY_MS) thrownAt.delete(other);
	thrownAt.set(kind, polledAt);
	if (isLater) memory.pendingError = error;
	return !isLater;
}

/** Returns the number of triggers that poll with the credential of a trigger, itself among them. */
export function countSharing({ tenant, polledAt }: TriggerMemory): number {
	return [...triggers.values()].filter((other) => {
		const isPolled = polledAt - other.polledAt <= Math.max(2 * other.apartMs, 2 * MINUTE_MS);
		return other.tenant === tenant && isPolled;
	}).length;
}

/** What keeps a trigger from reading. */
interface HeldUp {
	/** Reason for which its last request was not sent. */
	by?: GivenUpReason;
	/** Number of triggers that share the limit, and requests a minute that the credential allows. */
	triggers: number;
	limit: number;
}

/**
 * Returns the error for a trigger that reads nothing; undefined while that is not worth a word. A trigger that waits for
 * its turn among others is no failure before it has missed one.
 *
 * @param hasWord whether the poll has read anything, or failed
 */
export function starvationError(
	memory: TriggerMemory,
	hasResult: boolean,
	{ by, triggers, limit }: HeldUp,
): ExplainedError | undefined {
	const { polledAt } = memory;
	memory.starvedSince = hasResult ? undefined : (memory.starvedSince ?? polledAt);
	const starvedMs = polledAt - (memory.starvedSince ?? polledAt);
	const turnMs = Math.max(MINUTE_MS, memory.apartMs) * (triggers / pollShare(limit));
	if (starvedMs < Math.max(TOLERATED_MS, 2 * turnMs)) return undefined;
	const [cause, advice] = causeOf({ by, triggers, limit });
	return new ExplainedError(
		`The trigger has read nothing for ${Math.round(starvedMs / MINUTE_MS)} minutes: ${cause}`,
		`${advice}. What happens in the meantime starts the workflow later`,
	);
}

/**
 * Returns the error for a trigger whose list leaves out members who are there when asked; undefined while that may pass,
 * as while an index is rebuilt.
 *
 * @param isContradicted undefined where the poll says nothing of that
 */
export function contradictionError(
	memory: TriggerMemory,
	isContradicted: boolean | undefined,
	noun: string,
): ExplainedError | undefined {
	const { polledAt } = memory;
	if (isContradicted === false) delete memory.contradictedSince;
	if (isContradicted) memory.contradictedSince ??= polledAt;
	if (polledAt - (memory.contradictedSince ?? polledAt) < TOLERATED_MS) return undefined;
	return new ExplainedError(
		`The ${noun} contradicts itself: it leaves out most members of the segment, and these are members when they are read one by one`,
		'Tell the administrator of the CRM. The trigger reports nobody as removed whom it has not read singly, and goes on with all else',
	);
}

const LOOK_AT_OTHERS = 'Look which other workflows or programs use the key, and let them send less';

function causeOf({ by, triggers, limit }: HeldUp): [cause: string, advice: string] {
	if (by === 'throttled') return ['the service refuses all requests (HTTP 429)', LOOK_AT_OTHERS];
	if (by === 'unanswered')
		return ['the service answers no request', 'Look whether it is reachable'];
	if (by === 'polls' && triggers > 1) {
		return [
			`${triggers} triggers share half of the rate limit of ${limit} a minute`,
			'Let one trigger watch several events, poll less often, or raise Requests per Minute in the credential',
		];
	}
	return [`other workflows use up the rate limit of ${limit} a minute`, LOOK_AT_OTHERS];
}
