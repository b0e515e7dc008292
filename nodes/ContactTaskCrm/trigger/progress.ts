import { keyFor } from './fingerprint';
import type { TriggerState } from './state';
import { savedState } from './state';

/** How far the polls of a trigger have come since n8n last saved what it remembers. */
interface Progress {
	/** What stands for the state that n8n has saved. */
	saved: string;
	/** What stands for the state that the last poll has left. */
	latest: string;
	state: TriggerState;
}

/**
 * n8n saves what a trigger remembers when it is activated or hands something over, and some hosts
 * load it anew for every poll: without this, a list of many pages would be begun again and again.
 */
const progress = new Map<string, Progress>();

/**
 * The state to go on from: that of the last poll, as long as n8n still has the one it began with.
 *
 * @param trigger what the trigger is known by in this process
 * @param loaded the state as n8n gives it
 */
export function latestState(
	trigger: string,
	loaded: TriggerState | undefined,
): TriggerState | undefined {
	const kept = progress.get(trigger);
	const isSame = loaded && kept?.state.watch === loaded.watch && kept.saved === printOf(loaded);
	return isSame ? kept.state : loaded;
}

/**
 * Keeps the state that a poll without anything to hand over has left. One that hands over is not
 * kept: n8n saves it, or has not handed over.
 *
 * @param loaded the state as n8n gave it to that poll
 */
export function keepProgress(
	trigger: string,
	loaded: TriggerState | undefined,
	state: TriggerState,
): void {
	if (!loaded) {
		progress.delete(trigger);
		return;
	}
	const print = printOf(loaded);
	const kept = progress.get(trigger);
	// A host that goes on with the state in memory has not saved it by that.
	const isFurther = kept !== undefined && (kept.latest === print || kept.saved === print);
	progress.set(trigger, {
		saved: isFurther ? kept.saved : print,
		latest: printOf(state),
		state,
	});
}

/** The same for a state before it is saved and after. */
function printOf(state: TriggerState): string {
	return keyFor(JSON.stringify(savedState(state, state.watch)));
}
