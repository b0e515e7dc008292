import type { IDataObject, Logger } from 'n8n-workflow';
import { putLast } from '../tenant/cache';
import { ExplainedError } from '../util/errors';
import { shortHash } from './remembered';
import type { TriggerState } from './state';
import { fromSaved, toSaved } from './state';

/** How far a trigger has come in this process, and what is known of how n8n keeps it. */
interface Progress {
	/** What stands for the state that n8n has saved; undefined where it has saved none. */
	saved?: string;
	/** What stands for the state that the last poll left, and the object it was left in. */
	latest: string;
	holder: object;
	/** Absent as long as it has not begun, though n8n keeps something. */
	state?: TriggerState;
	/** Since when something must be saved that was not, in ms since 1970. */
	unsavedSince?: number;
	/** Whether the last poll threw: n8n then saves nothing, however it saves else. */
	hasThrown?: boolean;
}

/** What this process knows of a trigger beyond what n8n has saved; it may be lost at any time. */
export interface TriggerMemory {
	/** Whether it is polling: n8n starts the next poll even while one is under way. */
	isPolling: boolean;
	/** When it polled last, in ms since 1970, and how long after the poll before; 0 in the first. */
	polledAt: number;
	apartMs: number;
	/** Polls of this process. */
	turn: number;
	/** Whether the user was told that what it remembered cannot be read. */
	hasToldUnreadable: boolean;
	/** When each kind of error was thrown last, in ms since 1970. */
	thrownAt: Map<string, number>;
	/** What the next poll throws before it reads anything: this one handed something over. */
	due?: unknown;
	/** Since when it has read nothing, though nothing failed, in ms since 1970. */
	starvedSince?: number;
	/** When it was last made sure that something of what is watched exists, and how often. */
	checks: { at: number; count: number };
	/** When an execution without items was last made, to have n8n save what was learned. */
	savedEmptyAt?: number;
	/** How far it has come; absent where it has not polled. */
	progress?: Progress;
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
 * @param wallTime ms since 1970
 */
export function memoryOf(trigger: string, wallTime: number): TriggerMemory {
	for (const [other, { polledAt, apartMs, isPolling }] of triggers) {
		const mayWaitMs = Math.max(TAKEN_OFF_MS, 3 * apartMs);
		const isOver = other !== trigger && !isPolling && wallTime - polledAt > mayWaitMs;
		if (isOver) triggers.delete(other);
	}
	const memory = triggers.get(trigger) ?? {
		isPolling: false,
		polledAt: wallTime,
		apartMs: 0,
		turn: 1,
		hasToldUnreadable: false,
		thrownAt: new Map(),
		checks: { at: wallTime, count: 0 },
	};
	memory.apartMs = wallTime - memory.polledAt;
	memory.polledAt = wallTime;
	putLast(triggers, trigger, memory, MOST_TRIGGERS);
	return memory;
}

/** Where n8n keeps what a node remembers: one object for good, or another for each poll. */
export interface Holder extends IDataObject {
	state?: IDataObject;
}

/**
 * The state to go on from: what n8n keeps decides. n8n saves what a trigger remembers when it is published or
 * hands something over, and some hosts load it anew for every poll: as long as they load what was saved last,
 * the last poll of the process goes on, or a list of many pages would be begun again and again. Where nothing
 * was ever saved, publishing has failed, and where n8n has another state than the last two, handing over has:
 * n8n says neither, so that nothing of such a poll is gone on from.
 *
 * @param key what is watched
 * @returns undefined where the trigger begins anew
 * @throws ExplainedError once, where there is a state that cannot be read
 */
export function resume(
	memory: TriggerMemory,
	key: string,
	holder: Holder,
	logger: Pick<Logger, 'warn'>,
): TriggerState | undefined {
	const print = holder.state === undefined ? undefined : printOf(holder.state);
	const known = memory.progress;
	if (known?.state?.key === key && print !== undefined) {
		if (print === known.latest) {
			// What is loaded from elsewhere was saved, as durable poll cursors are after each poll.
			if (known.holder !== holder) noteSaved(known);
			return known.state;
		}
		if (print === known.saved) {
			// What the next poll finds shows whether this host saves.
			if (known.hasThrown && known.unsavedSince) known.unsavedSince = memory.polledAt;
			return known.state;
		}
	}
	delete memory.progress;
	const found = fromSaved(holder.state, key);
	const state = typeof found === 'string' ? undefined : found;
	if (print !== undefined) memory.progress = { saved: print, latest: print, holder, state };
	if (typeof found === 'string' && !memory.hasToldUnreadable) {
		memory.hasToldUnreadable = true;
		const message = `What this trigger remembered cannot be read: ${UNREADABLE[found]}`;
		logger.warn(`${message}. It begins anew with the next poll`);
		throw new ExplainedError(
			message,
			`${found === 'later' ? 'Install the later version again, or publish' : 'Publish'} the workflow once more: the trigger then begins anew, and what happened in the meantime does not start it`,
		);
	}
	return state;
}

const UNREADABLE = {
	damaged: 'it is damaged, or was written by another program',
	earlier: 'it was written by an earlier version of this package',
	later: 'it was written by a later version of this package',
};

/** What must outlast a restart waits this long for an item to be saved with, and a day after the last such wait. */
const QUIET_MS = 10 * MINUTE_MS;

/**
 * Keeps the state that a poll left, in this process and where n8n keeps it.
 *
 * @param mustOutlast whether it holds something that must be saved, though it may go out with no item
 * @returns whether that is worth an execution without items
 */
export function keep(
	memory: TriggerMemory,
	holder: Holder,
	state: TriggerState,
	mustOutlast: boolean,
): boolean {
	const { polledAt, progress, savedEmptyAt = -Infinity } = memory;
	const saved = toSaved(state) as unknown as IDataObject;
	holder.state = saved;
	const kept = { ...progress, latest: printOf(saved), holder, state, hasThrown: false };
	// What a first poll leaves is saved by n8n as it publishes the workflow.
	if (mustOutlast && progress?.state) kept.unsavedSince ??= polledAt;
	memory.progress = kept;
	memory.hasToldUnreadable = false;
	const { unsavedSince = polledAt } = kept;
	return polledAt - unsavedSince >= QUIET_MS && polledAt - savedEmptyAt >= DAY_MS;
}

/** Notes that n8n saves the state with an execution; where it does not, what it loads shows it. */
export function noteHandedOver(memory: TriggerMemory, hasItems: boolean): void {
	if (memory.progress) noteSaved(memory.progress);
	if (!hasItems) memory.savedEmptyAt = memory.polledAt;
}

/** Notes that the poll ends as a failed execution. */
export function noteThrown({ progress }: TriggerMemory): void {
	if (progress) progress.hasThrown = true;
}

function noteSaved(progress: Progress): void {
	progress.saved = progress.latest;
	delete progress.unsavedSince;
}

/** The same for a state before it is saved and after. */
function printOf(saved: unknown): string {
	return shortHash(JSON.stringify(saved));
}

/** The same error is thrown no more often: each time is a failed execution. */
const ONCE_MS = 60 * MINUTE_MS;
/** Others may use the rate limit for a while; after this, somebody wants to know. */
const LONG_MS = 30 * MINUTE_MS;

/** What a poll has to throw before it reads: what the last one left unsaid because it handed items over. */
export function takeDue(memory: TriggerMemory): unknown {
	const { due } = memory;
	delete memory.due;
	return due;
}

/**
 * Notes what a poll ended in.
 *
 * @param isLater whether it is to be thrown by the next poll, since this one hands something over
 * @returns whether to throw it: the first time, once an hour, and when it is something else
 */
export function noteError(memory: TriggerMemory, error: unknown, isLater: boolean): boolean {
	const { thrownAt, polledAt } = memory;
	// How many seconds are left says nothing new.
	const kind = (error instanceof Error ? error.message : String(error)).replace(/\d+/g, '#');
	if (polledAt - (thrownAt.get(kind) ?? -Infinity) < ONCE_MS) return false;
	for (const [other, at] of thrownAt) if (polledAt - at >= ONCE_MS) thrownAt.delete(other);
	thrownAt.set(kind, polledAt);
	if (isLater) memory.due = error;
	return !isLater;
}

/**
 * What there is to say of a trigger that gets nothing of the rate limit.
 *
 * @param hasWord whether the poll has read anything, or failed
 * @returns undefined while that is not worth a word
 */
export function starvation(
	memory: TriggerMemory,
	hasWord: boolean,
): { error: ExplainedError } | undefined {
	if (hasWord) {
		delete memory.starvedSince;
		return undefined;
	}
	const { polledAt } = memory;
	const since = (memory.starvedSince ??= polledAt);
	if (polledAt - since < LONG_MS) return undefined;
	const minutes = Math.round((polledAt - since) / MINUTE_MS);
	const error = new ExplainedError(
		`The trigger has read nothing for ${minutes} minutes: the rate limit is used up, or the service refuses all requests`,
		'Look which other workflows or programs use the key, and let them send less. What happens in the meantime starts the workflow later',
	);
	return { error };
}
