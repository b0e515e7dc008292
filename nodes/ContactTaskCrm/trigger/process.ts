import { systemClock } from '../http/clock';
import { putLast } from '../tenant/cache';
import type { SavedState, TriggerState } from './state';
import { shortHash } from './fingerprint';

/** How far a trigger has come, and what is known of how n8n keeps it. */
interface Progress {
	/** What stands for the state that n8n has saved; undefined where it has saved none. */
	saved?: string;
	/** What stands for the state that the last poll left, and the object it was left in. */
	latest: string;
	holder: object;
	state: TriggerState;
	/** Since when something must be saved that was not, in ms since 1970. */
	unsavedSince?: number;
	/** When an execution without items was last made for that. */
	savedEmptyAt?: number;
	/** Polls of this process after one that handed nothing over: what they load shows whether n8n saves. */
	observed: number;
	/** Those in a row that found it saved all the same, as with durable poll cursors. */
	hostSaves: number;
	/** Whether the last poll threw: n8n then saves nothing, however it saves else. */
	hasThrown: boolean;
}

/** What this process knows of a trigger beyond what n8n has saved; it may be lost at any time. */
export interface TriggerMemory {
	/** Whether it is polling: n8n starts the next poll even while one is under way. */
	isPolling: boolean;
	/** When it polled last, in ms since 1970, and how long after the poll before. */
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
	/** Whether the scan under way, and the one before, saw a record that passes the filters. */
	hasMatch: boolean;
	hadMatch: boolean;
	/** How far it has come; absent where it has not polled. */
	progress?: Progress;
}

/** Triggers of one process; the one that polled longest ago is forgotten first. */
const MOST_TRIGGERS = 1_000;
/** A trigger that did not poll for so long, and for three times as long as it used to wait, was taken off. */
const TAKEN_OFF_MS = 25 * 60 * 60_000;

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
		hasMatch: false,
		hadMatch: true,
	};
	memory.apartMs = Math.max(memory.apartMs, wallTime - memory.polledAt);
	memory.polledAt = wallTime;
	putLast(triggers, trigger, memory, MOST_TRIGGERS);
	return memory;
}

/** As many, and n8n saves by itself: a workflow that is activated again is loaded anew once, too. */
const LEAST_HOST_SAVES = 3;
/** What must outlast a restart waits this long for an item to be saved with, and a day after the last such wait. */
const QUIET_MS = 10 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** What a poll goes on from. */
export interface PollStart {
	state: TriggerState | undefined;
	/** Keeps the state that the poll left; whether it is worth an execution without items. */
	keep: (left: TriggerState, saved: SavedState, mustOutlast: boolean) => boolean;
	/** Notes that n8n saves the state with an execution; where it does not, what it loads shows it. */
	handOver: (hasItems: boolean) => void;
	/** Notes that the poll ends as a failed execution. */
	fail: () => void;
}

/**
 * The state to go on from: what n8n keeps decides. n8n saves what a trigger remembers when it is published or
 * hands something over, and some hosts load it anew for every poll: as long as they load what was saved last,
 * the last poll of the process goes on, or a list of many pages would be begun again and again. Where nothing
 * was ever saved, publishing has failed, and where n8n saves after each poll and has not, handing over has: n8n
 * says neither, so that nothing of such a poll is gone on from.
 *
 * @param key what is watched
 * @param holder the object in which n8n keeps what it remembers
 * @param saved what n8n keeps, as it stands
 * @param load reads it, which takes a while where there is much
 */
export function startFrom(
	memory: TriggerMemory,
	{ key, holder, saved }: { key: string; holder: object; saved: unknown },
	load: () => TriggerState | undefined,
): PollStart {
	const print = saved === undefined ? undefined : printOf(saved);
	const known = memory.progress;
	const kept = known?.state.key === key ? known : undefined;
	const isLatest = kept !== undefined && kept.latest === print;
	let { observed, hostSaves } = kept ?? { observed: 0, hostSaves: 0 };
	if (kept && !kept.hasThrown && kept.saved !== kept.latest) {
		observed++;
		hostSaves = isLatest && kept.holder !== holder ? hostSaves + 1 : 0;
	}
	const isSavedByHost = hostSaves >= LEAST_HOST_SAVES;
	const isOlder = print !== undefined && kept?.saved === print && !isSavedByHost;
	const isKept = isLatest || isOlder;
	// A host that goes on with the state in memory has not saved it by that.
	const savedAs = isLatest && kept.holder === holder ? kept.saved : print;
	const state = isKept ? kept?.state : load();
	// What was seen of n8n with another state says nothing of this one.
	if (state === undefined) [observed, hostSaves] = [0, 0];
	return {
		state,
		keep: (left, form, mustOutlast) => {
			const { polledAt } = memory;
			const { savedEmptyAt, unsavedSince: since } = kept ?? {};
			// What a first poll leaves is saved by n8n as it publishes the workflow.
			const isNews = mustOutlast && state !== undefined;
			const unsavedSince = isSavedByHost
				? undefined
				: ((isKept ? since : undefined) ?? (isNews ? systemClock.wallTime() : undefined));
			// The first polls show nothing: n8n saves on activation anyway.
			const isDue =
				unsavedSince !== undefined &&
				observed > LEAST_HOST_SAVES &&
				polledAt - unsavedSince >= QUIET_MS &&
				polledAt - (savedEmptyAt ?? -Infinity) >= DAY_MS;
			memory.progress = {
				...(savedAs === undefined ? {} : { saved: savedAs }),
				latest: printOf(form),
				holder,
				state: left,
				...(unsavedSince === undefined ? {} : { unsavedSince }),
				...(savedEmptyAt === undefined ? {} : { savedEmptyAt }),
				observed,
				hostSaves,
				hasThrown: false,
			};
			return isDue;
		},
		handOver: (hasItems) => {
			const left = memory.progress;
			if (!left) return;
			left.saved = left.latest;
			delete left.unsavedSince;
			if (!hasItems) left.savedEmptyAt = memory.polledAt;
		},
		fail: () => {
			if (memory.progress) memory.progress.hasThrown = true;
		},
	};
}

/** The same for a state before it is saved and after. */
function printOf(saved: unknown): string {
	return shortHash(JSON.stringify(saved));
}
