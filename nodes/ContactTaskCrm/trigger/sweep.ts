import { asRecord } from '../operation/output';
import { compare, isInOrder } from './compare';
import { finished, readByPage } from './finish';
import { keyFor, recordKey } from './fingerprint';
import type { SweepProgress, TriggerState } from './state';
import { startSweep } from './state';
import type { Instant } from './times';
import { timeOf, wholeSecond } from './times';
import type { Happening, ServedPage, Watch } from './watch';

/** What a page led to. */
export interface Step {
	state: TriggerState;
	happenings: Happening[];
	/** Whether this poll has nothing more to read. */
	isDone: boolean;
	/** Whether a whole sweep found no record that passes the filters. */
	foundNone?: boolean;
}

/** Pages in a row without anything unseen before a sweep ends: a list that moves has one or two. */
const MAX_STALE_PAGES = 3;
/** Polls in a row that may take a window for unchanged without reading it. */
const MAX_QUIET_POLLS = 4;

/**
 * A sweep with one more page. A sweep reads the whole list (or, by time, all from `from` on) and may
 * take several polls; what it skips because the list moves meanwhile, the next one finds.
 *
 * By time, each page begins where the one before ended: `createdAt[after]` with the last creation
 * time, so that nothing that comes or goes before it can shift what follows. Where the service does
 * not keep to filter or order, the list is read by page from there on.
 */
export function withSweepPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	wallTime: Instant,
): Step {
	const { sweep } = state;
	const entries = sweep.entries + page.members.length;
	const goesOn = followedByMore(watch, page, entries);
	if (state.by === 'time' && goesOn && !isInOrder(page.members, 'asc', sweep.after)) {
		return { state: readByPage(state), happenings: [], isDone: false };
	}
	if (isUnchangedWindow(watch, state, page)) {
		const quietPolls = state.quietPolls + 1;
		const sweep = startSweep(state.sweep.number, state);
		return { state: { ...state, quietPolls, sweep }, happenings: [], isDone: true };
	}

	const compared = compare(watch, state, page, wallTime);
	const { happenings } = compared;
	const fingerprint = keyFor(JSON.stringify([sweep.after, page.members.map(keyOrContent)]));
	const isCut =
		fingerprint === sweep.lastPage ||
		(compared.unseen === 0 && sweep.stalePages + 1 >= MAX_STALE_PAGES);
	const progress: SweepProgress = {
		...compared.state.sweep,
		...(isFirst(sweep) && page.totalItems !== undefined ? { total: page.totalItems } : {}),
		...(page.totalItems === undefined ? {} : { latestTotal: page.totalItems }),
		isSteady: sweep.isSteady && (isFirst(sweep) || page.totalItems === sweep.total),
		entries,
		surprises: sweep.surprises + compared.surprises,
		lastPage: fingerprint,
		stalePages: compared.unseen === 0 ? sweep.stalePages + 1 : 0,
	};
	const next = { ...compared.state, sweep: progress };
	if (goesOn && !isCut) {
		const isBehindPeeks = state.tail !== undefined;
		return {
			state: {
				...next,
				phase: isBehindPeeks ? 'peek' : 'sweep',
				sweep: nextPage(state, progress, page),
			},
			happenings,
			isDone: isBehindPeeks,
		};
	}
	const after = finished(watch, next, isCut);
	// What was read for the first time is read once more at once, where that has to confirm it.
	const isDone = state.isComplete || !after.isComplete || after.isSettled;
	return { state: after, happenings, isDone, foundNone: !progress.hasMatch };
}

/** Whether the list goes on after a page: as the service says, or by how many entries have come. */
export function followedByMore(watch: Watch, page: ServedPage, entries: number): boolean {
	if (page.members.length === 0) return false;
	if (page.hasNext !== undefined) return page.hasNext;
	if (page.totalItems !== undefined) return entries < page.totalItems;
	return page.members.length >= watch.pageSize;
}

function isFirst({ lastPage }: SweepProgress): boolean {
	return lastPage === '';
}

function nextPage(state: TriggerState, progress: SweepProgress, page: ServedPage): SweepProgress {
	if (state.by === 'time') {
		const last = timeOf(asRecord(page.members.at(-1)).createdAt);
		const after = last === undefined ? undefined : wholeSecond(last);
		if (after !== undefined && (progress.after === undefined || after > progress.after)) {
			return { ...progress, after, page: 1, entries: 0 };
		}
	}
	return { ...progress, page: progress.page + 1, isPaged: true };
}

/**
 * A window with more records than a page, all of which are known: its total alone tells that nothing
 * has come. One that has come while another went is found when the window is next read.
 */
function isUnchangedWindow(
	{ reading, pageSize }: Watch,
	state: TriggerState,
	page: ServedPage,
): boolean {
	if (reading !== 'window' || state.by !== 'time') return false;
	const known = Object.keys(state.memory).length;
	return (
		state.isComplete &&
		state.quietPolls < MAX_QUIET_POLLS &&
		known > pageSize &&
		isFirst(state.sweep) &&
		page.totalItems === known &&
		page.members.every((member) => {
			const key = recordKey(asRecord(member));
			return key !== undefined && state.memory[key] !== undefined;
		})
	);
}

function keyOrContent(member: unknown): unknown {
	return recordKey(asRecord(member)) ?? member;
}
