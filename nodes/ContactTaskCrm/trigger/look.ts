import { asRecord } from '../runtime/output';
import { isInOrder } from './compare';
import { recordKey } from './fingerprint';
import { LATE_MS } from './since';
import type { TriggerState } from './state';
import { startSweep } from './state';
import type { Step } from './sweep';
import type { ServedPage, Watch } from './watch';

/** Polls in a row that may take a window for unchanged without reading it. */
const MAX_QUIET_POLLS = 60;
/** The same while something may still be stored late, or where no total tells. */
const MAX_QUIET_POLLS_WHILE_UNSURE = 4;

/**
 * A look at the newest records of a window that holds more than a page: with the total as it was and
 * nothing unknown among the newest, nothing has come. One that was stored late, while another went, is
 * found when the window is next read.
 */
export function withLook(watch: Watch, state: TriggerState, page: ServedPage): Step {
	const { members, totalItems } = page;
	const known = Object.keys(state.memory).length;
	const isSure = totalItems !== undefined && isReadInFull(state);
	const mostQuiet = isSure ? MAX_QUIET_POLLS : MAX_QUIET_POLLS_WHILE_UNSURE;
	const isUnchanged =
		state.quietPolls < mostQuiet &&
		(totalItems ?? known) === known &&
		isInOrder(members, 'desc') &&
		members.every((member) => {
			const key = recordKey(asRecord(member));
			return key !== undefined && state.memory[key] !== undefined;
		});
	const sweep = startSweep(state.sweep.number, state);
	return isUnchanged && members.length >= watch.pageSize
		? {
				state: { ...state, quietPolls: state.quietPolls + 1, sweep },
				happenings: [],
				isDone: true,
			}
		: { state: { ...state, phase: 'sweep', sweep }, happenings: [], isDone: false };
}

/** Whether the window was read when, by the service's clock, nothing as old as its newest could still come. */
function isReadInFull({ since, newest, sweptAt }: TriggerState): boolean {
	if (typeof since !== 'number' || newest === undefined || sweptAt === undefined) return false;
	return sweptAt - newest > LATE_MS;
}
