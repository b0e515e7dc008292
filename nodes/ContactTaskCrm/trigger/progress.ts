import { keyFor } from './fingerprint';
import type { TriggerState } from './state';
import { savedState } from './state';

/** How far the polls of a trigger have come since n8n last saved what it remembers. */
interface Progress {
	/** What stands for the state that n8n has saved; undefined where it has saved none. */
	saved?: string;
	/** What stands for the state that the last poll has left. */
	latest: string;
	state: TriggerState;
}

/**
 * n8n saves what a trigger remembers when it is activated or hands something over, and some hosts
 * load it anew for every poll: without this, a list of many pages would be begun again and again.
 * With durable poll cursors it does not save the poll of the activation.
 */
const progress = new Map<string, Progress>();

/**
 * The state to go on from: that of the last poll, as long as n8n still has the one it began with. And
 * what keeps the state that a poll without anything to hand over has left; one that hands over is not
 * kept: n8n saves it, or has not handed over.
 *
 * @param trigger what the trigger is known by in this process
 * @param watch what it watches
 * @param loaded the state as n8n gives it
 */
export function progressOf(trigger: string, watch: string, loaded: TriggerState | undefined) {
	const print = loaded && printOf(loaded);
	const kept = progress.get(trigger);
	const isSame = kept?.state.watch === watch && kept.saved === print;
	// A host that goes on with the state in memory has not saved it by that.
	const isInMemory = kept?.saved !== undefined && kept.latest === print;
	const saved = isInMemory ? kept.saved : print;
	return {
		state: isSame ? kept.state : loaded,
		keep: (state: TriggerState) => progress.set(trigger, { saved, latest: printOf(state), state }),
	};
}

/** The same for a state before it is saved and after. */
function printOf(state: TriggerState): string {
	return keyFor(JSON.stringify(savedState(state, state.watch)));
}
