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
	/** Polls in a row that found saved what no poll had handed over, as with durable poll cursors. */
	hostSaves: number;
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

/** What a poll goes on from, and how it ends. */
export interface PollStart {
	state: TriggerState | undefined;
	/** Keeps the state of a poll without items; whether it is worth an execution without items. */
	keep: (state: TriggerState, saved: SavedState, now: number) => boolean;
	/** Forgets what was kept: n8n saves the state with the items, or has not handed them over. */
	handOver: () => void;
}

/**
 * The state to go on from: that of the last poll, as long as n8n still has the one it began with.
 *
 * @param trigger what the trigger is known by in this process
 * @param holder the object in which n8n keeps what it remembers
 * @param loaded the state as n8n gives it, read and as it stands
 */
export function startFrom(
	trigger: string,
	holder: object,
	{ state: loaded, saved: loadedAs }: { state: TriggerState | undefined; saved: unknown },
): PollStart {
	const print = loaded && printOf(loadedAs);
	const kept = progresses.get(trigger);
	const isLatest = kept !== undefined && kept.latest === print;
	const isSame = kept !== undefined && (isLatest || kept.saved === print);
	const isSavedAnew = isLatest && kept.holder !== holder && kept.saved !== undefined;
	const hostSaves = isSavedAnew ? kept.hostSaves + 1 : 0;
	const isSavedByHost = hostSaves >= LEAST_HOST_SAVES;
	// A host that goes on with the state in memory has not saved it by that.
	const isInMemory = isLatest && kept.holder === holder;
	const saved = isInMemory ? kept.saved : print;
	const state = isSame && kept.state.key === (loaded ?? kept.state).key ? kept.state : loaded;
	const since = isSame && !isSavedByHost ? kept.unsavedSince : undefined;
	return {
		state,
		keep: (after, savedAs, now) => {
			const learned = mustOutlast(state, after);
			const isQuiet = since !== undefined && now - since >= QUIET_MS && !learned;
			const unsavedSince = learned ? now : since;
			progresses.set(trigger, {
				...(saved === undefined ? {} : { saved }),
				latest: printOf(savedAs),
				holder,
				state: after,
				...(unsavedSince === undefined || isQuiet ? {} : { unsavedSince }),
				hostSaves,
			});
			return isQuiet && !isSavedByHost;
		},
		handOver: () => progresses.delete(trigger),
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
