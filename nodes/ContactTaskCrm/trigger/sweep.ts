import { asRecord } from '../runtime/output';
import { goesOn } from '../transport/paging';
import { compare, isInOrder } from './compare';
import { finished, readByPage } from './finish';
import { keyFor, recordKey } from './fingerprint';
import { beganAt } from './since';
import type { SweepProgress, TriggerState } from './state';
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
	const isFollowed = goesOn(page, entries, watch.pageSize);
	if (state.by === 'time' && isFollowed && !isInOrder(page.members, 'asc', sweep.after)) {
		const since = beganAt(state, page.members.map(asRecord), page.servedAt);
		return { state: readByPage({ ...state, since }), happenings: [], isDone: false };
	}
	const compared = compare(watch, state, page, wallTime);
	const { happenings } = compared;
	const fingerprint = keyFor(JSON.stringify([sweep.after, page.members.map(keyOrContent)]));
	const isCut =
		fingerprint === sweep.lastPage ||
		(compared.unseen === 0 && sweep.stalePages + 1 >= MAX_STALE_PAGES);
	const progress: SweepProgress = {
		...compared.state.sweep,
		...(isFirst(sweep) ? { total: page.totalItems, startedAt: page.servedAt } : {}),
		...(page.totalItems === undefined ? {} : { latestTotal: page.totalItems }),
		isSteady: sweep.isSteady && (isFirst(sweep) || page.totalItems === sweep.total),
		entries,
		surprises: sweep.surprises + compared.surprises,
		lastPage: fingerprint,
		stalePages: compared.unseen === 0 ? sweep.stalePages + 1 : 0,
	};
	const next = { ...compared.state, sweep: progress };
	if (isFollowed && !isCut) {
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

function keyOrContent(member: unknown): unknown {
	return recordKey(asRecord(member)) ?? member;
}
