import { pageQuery } from './cursor';
import { memberId } from './memberKey';
import type { TriggerState } from './state';
import type { ChangeEvent, QueryPair, Watch } from './watch';

/** What a poll has done so far; begins anew with each poll. */
export interface PollProgress {
	/** Requests that it may send, and has sent. */
	limit: number;
	sent: number;
	isWindowDone: boolean;
	isHeadDone: boolean;
	isScanDone: boolean;
}

/** What to read next. */
export type Step =
	/** The newest people, to learn where the window begins. */
	| { kind: 'newest'; query: QueryPair[] }
	/** The next page of what was created since the high-water mark. */
	| { kind: 'window'; query: QueryPair[] }
	/** The page at which the list shows what has changed. */
	| { kind: 'head'; query: QueryPair[] }
	/** The next page of the full scan. */
	| { kind: 'scan'; query: QueryPair[] }
	/** A member whom a full scan did not see. */
	| { kind: 'member'; id: string; key: string };

/** What an answer led to. */
export interface StepOutcome {
	state: TriggerState;
	changes: ChangeEvent[];
	progress: PollProgress;
}

export function startProgress(limit: number): PollProgress {
	return { limit, sent: 0, isWindowDone: false, isHeadDone: false, isScanDone: false };
}

/** Whether the list is read by the number of the page. */
export function isByPage(watch: Watch, { byPageUntil }: TriggerState): boolean {
	return !watch.isTimed || byPageUntil !== undefined;
}

/**
 * What this poll reads next: first what is likely to show something new (window, head, members who
 * may have left), then the full scan, for which one request is kept. With one request a poll, the two
 * take turns.
 *
 * @returns undefined when the poll has read all it wants, or all it may
 */
export function nextStep(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
): Step | undefined {
	const left = progress.limit - progress.sent;
	if (left < 1) return undefined;
	const isTimed = !isByPage(watch, state);
	const scans = (watch.hasScan || !isTimed) && !progress.isScanDone;
	const mayLook = progress.limit === 1 ? state.polls % 2 === 0 : left > 1;
	if (!scans || mayLook) {
		const likely = likelyStep(watch, state, progress);
		if (likely) return likely;
	}
	if (!scans) return undefined;
	const paging = isTimed ? 'byTime' : 'byPage';
	return { kind: 'scan', query: query(watch, pageQuery(state.scan, paging, watch.pageSize)) };
}

function likelyStep(
	watch: Watch,
	{ window, head, scan, absent, byPageUntil }: TriggerState,
	{ isWindowDone, isHeadDone, sent, limit }: PollProgress,
): Step | undefined {
	const { pageSize } = watch;
	if (watch.hasWindow && byPageUntil === undefined && !isWindowDone) {
		if (!window) {
			const newest = [
				['order[createdAt]', 'desc'] as const,
				['itemsPerPage', String(pageSize)] as const,
			];
			return { kind: 'newest', query: query(watch, newest) };
		}
		return { kind: 'window', query: query(watch, pageQuery(window.cursor, 'byTime', pageSize)) };
	}
	// A list that this poll reads from its first page to its last need not be looked at before.
	const isReadNow = head !== undefined && scan.pages === 0 && head.pages <= limit - sent;
	if (head && !isHeadDone && !isReadNow) {
		const page = [
			['itemsPerPage', String(pageSize)],
			['page', String(head.page)],
		] as const;
		return { kind: 'head', query: query(watch, page.slice(0, head.page > 1 ? 2 : 1)) };
	}
	const [key] = absent;
	// Not more than half of what the poll may send, so that many who leave do not hold up the scan.
	if (key !== undefined && (sent < limit / 2 || limit === 1)) {
		return { kind: 'member', id: memberId(key), key };
	}
	return undefined;
}

function query({ filters }: Watch, paging: readonly QueryPair[]): QueryPair[] {
	return [...filters, ...paging];
}
