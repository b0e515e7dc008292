import { shortHash } from './fingerprint';
import type { SavedState, TriggerState } from './state';

/** What this process knows of a trigger beyond what n8n has saved. */
interface Progress {
	/** What stands for the state that n8n has saved; undefined where it has saved none. */
	saved?: string;
	/** What stands for the state that the last poll left, and the object it was left in. */
	latest: string;
	holder: object;
	state: TriggerState;
	/** Since when something must be saved that was not, by the clock's `now`. */
	unsavedSince?: number;
	/** Executions with items since the last one without. */
	withItems: number;
	/** Polls of this process after one that handed nothing over: what they load shows whether n8n saves. */
	unsaved: number;
	/** Those in a row that found it saved all the same, as with durable poll cursors. */
	hostSaves: number;
	/** Whether the last poll threw: n8n then saves nothing, however it saves else. */
	hasThrown: boolean;
}

/**
 * n8n saves what a trigger remembers when it is activated or hands something over, and some hosts
 * load it anew for every poll: without this, a list of many pages would be begun again and again.
 */
const progresses = new Map<string, Progress>();

/** As many, and n8n saves by itself: a workflow that is activated again is loaded anew once, too. */
const LEAST_HOST_SAVES = 3;

/** What must outlast a restart waits this long for an item to be saved with. */
const QUIET_MS = 10 * 60_000;

/** An execution without items is worth as many with items, or as long a wait. */
const WITH_ITEMS_FOR_ONE_WITHOUT = 10;
const LONG_QUIET_MS = 24 * 60 * 60_000;

/** Whether a trigger has polled in this process: what then keeps failing is told once an hour. */
export function hasPolled(trigger: string): boolean {
	return progresses.has(trigger);
}

/** What a poll goes on from, and how it ends. */
export interface PollStart {
	state: TriggerState | undefined;
	/** Keeps the state of a poll without items; whether it is worth an execution without items. */
	keep: (state: TriggerState, saved: SavedState, now: number) => boolean;
	/** Notes that n8n saves the state with an execution; where it does not, what it loads shows it. */
	handOver: (hasItems: boolean) => void;
	/** Notes that the poll ends as a failed execution. */
	fail: () => void;
}

/**
 * The state to go on from: that of the last poll, as long as n8n still has the one it began with.
 *
 * @param trigger what the trigger is known by in this process
 * @param key what is watched
 * @param holder the object in which n8n keeps what it remembers
 * @param saved what n8n keeps, as it stands
 * @param load reads it, which takes a while where there is much
 */
export function startFrom(
	{ trigger, key, holder }: { trigger: string; key: string; holder: object },
	saved: unknown,
	load: () => TriggerState | undefined,
): PollStart {
	const print = saved === undefined ? undefined : printOf(saved);
	const known = progresses.get(trigger);
	// With other parameters or another credential it begins anew.
	const kept = known?.state.key === key ? known : undefined;
	const isLatest = kept !== undefined && kept.latest === print;
	const isSame = kept !== undefined && (isLatest || kept.saved === print);
	const isSavedAnew = isLatest && kept.holder !== holder && kept.saved !== undefined;
	const seen = { unsaved: kept?.unsaved ?? 0, hostSaves: kept?.hostSaves ?? 0 };
	if (kept !== undefined && !kept.hasThrown && kept.saved !== kept.latest) {
		seen.unsaved++;
		seen.hostSaves = isSavedAnew ? seen.hostSaves + 1 : 0;
	}
	const { unsaved, hostSaves } = seen;
	const isSavedByHost = hostSaves >= LEAST_HOST_SAVES;
	// A host that goes on with the state in memory has not saved it by that.
	const isInMemory = isLatest && kept.holder === holder;
	const savedAs = isInMemory ? kept.saved : print;
	const state = isSame ? kept.state : load();
	const withItems = kept?.withItems ?? WITH_ITEMS_FOR_ONE_WITHOUT;
	const since = isSame && !isSavedByHost ? kept.unsavedSince : undefined;
	return {
		state,
		keep: (after, left, now) => {
			const unsavedSince = since ?? (mustOutlast(state, after) ? now : undefined);
			const quietMs = unsavedSince === undefined ? 0 : now - unsavedSince;
			// Where polls are far apart, or hand something over each time, it takes some to see whether n8n
			// saves by itself. The first shows nothing: n8n saves on activation anyway.
			const isQuiet =
				unsaved > LEAST_HOST_SAVES &&
				quietMs >= (withItems < WITH_ITEMS_FOR_ONE_WITHOUT ? LONG_QUIET_MS : QUIET_MS);
			progresses.set(trigger, {
				...(savedAs === undefined ? {} : { saved: savedAs }),
				latest: printOf(left),
				holder,
				state: after,
				...(unsavedSince === undefined || isQuiet ? {} : { unsavedSince }),
				unsaved,
				hostSaves,
				hasThrown: false,
				withItems,
			});
			return isQuiet && !isSavedByHost;
		},
		handOver: (hasItems) => {
			const left = progresses.get(trigger);
			if (!left) return;
			progresses.set(trigger, {
				...left,
				saved: left.latest,
				unsavedSince: undefined,
				withItems: hasItems ? withItems + 1 : 0,
			});
		},
		fail: () => {
			const left = progresses.get(trigger);
			if (left) progresses.set(trigger, { ...left, hasThrown: true });
		},
	};
}

/**
 * Whether a poll has learned what must outlast a restart: that the list was read once, or that a
 * record has left what is watched, since it can come back.
 */
function mustOutlast(before: TriggerState | undefined, after: TriggerState): boolean {
	if (!before) return false;
	return after.isListRead !== before.isListRead || after.departures > before.departures;
}

/** The same for a state before it is saved and after. */
function printOf(saved: unknown): string {
	return shortHash(JSON.stringify(saved));
}
