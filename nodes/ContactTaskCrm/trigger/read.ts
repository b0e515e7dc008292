import type { IDataObject } from 'n8n-workflow';
import { passFailure } from './cursor';
import { memberId } from './fingerprint';
import { leaveForLater, membersToRead, withMember } from './members';
import {
	headQuery,
	newestQuery,
	windowQuery,
	withHeadPage,
	withNewestPage,
	withWindowPage,
} from './recent';
import type { PollProgress } from './progress';
import { isByPage, scanQuery, withScanPage } from './scan';
import type { TriggerState, Window } from './state';
import type { ChangeEvent, QueryPair, ServedPage, Watch } from './watch';

/** What to read next. */
export type Step =
	| { kind: 'newest' | 'window' | 'head' | 'scan'; query: QueryPair[] }
	/** A member whom a round did not see. */
	| { kind: 'member'; id: string; key: string };

/** Of two requests a poll, one goes to a window that is all but always empty in one of so many polls. */
const QUIET_WINDOW_EVERY = 5;

/**
 * What this poll reads next: first what is likely to show something new (the recent end, members who may have
 * left), then the scan, for which one request is kept. With one request a poll, the two take turns.
 *
 * @returns undefined when the poll has read all it wants, or all it may
 */
export function nextStep(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
): Step | undefined {
	const { limit, sent, turn } = progress;
	const left = limit - sent;
	if (left < 1) return undefined;
	const hasScan = watch.hasScan || isByPage(watch, state);
	const scans = hasScan && !progress.isScanDone;
	const mayLook = !scans || (limit === 1 ? turn % 2 === 0 : left > 1);
	const likely = mayLook ? likelyStep(watch, state, progress, hasScan) : undefined;
	if (likely || !scans) return likely;
	return { kind: 'scan', query: scanQuery(watch, state) };
}

function likelyStep(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
	hasScan: boolean,
): Step | undefined {
	const { limit, sent, isRecentDone } = progress;
	const { window, head } = state;
	if (watch.hasWindow && state.byPageUntil === undefined && !isRecentDone) {
		if (!window || isNewestNext(window, progress, hasScan)) {
			return { kind: 'newest', query: newestQuery(watch) };
		}
		if (isWindowDue(window, progress, hasScan)) {
			return { kind: 'window', query: windowQuery(watch, window) };
		}
	}
	if (head !== undefined && !isRecentDone) {
		return { kind: 'head', query: headQuery(watch, head === 1 ? progress.headPage : head) };
	}
	// Not more than half of what the poll may send, so that many who leave do not hold up the scan.
	if (!watch.isMember || (sent >= limit / 2 && limit > 1)) return undefined;
	const [key] = membersToRead(state);
	return key === undefined ? undefined : { kind: 'member', id: memberId(key), key };
}

/** A window of one page, in which nothing was found lately, leaves the request to the scan. */
function isWindowDue({ cursor }: Window, { limit, turn }: PollProgress, hasScan: boolean): boolean {
	return !hasScan || limit !== 2 || cursor.shown > 0 || turn % QUIET_WINDOW_EVERY === 0;
}

/** Once in each poll in which the window takes more than a page; every second time where there is one request for both. */
function isNewestNext(
	{ cursor }: Window,
	{ hasLooked, limit, turn }: PollProgress,
	hasScan: boolean,
): boolean {
	if (cursor.shown === 0 || hasLooked) return false;
	const requests = hasScan ? limit - 1 : limit;
	const ownTurn = limit === 1 && hasScan ? Math.floor(turn / 2) : turn;
	return requests > 1 || ownTurn % 2 === 0;
}

/**
 * Takes the state past a page: what has happened, and what to remember. Decides without a clock or a
 * network, so that any course of events can be played through.
 */
export function withPage(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
	{ kind, page }: { kind: Exclude<Step['kind'], 'member'>; page: ServedPage },
): ChangeEvent[] {
	const readers = {
		newest: withNewestPage,
		window: withWindowPage,
		head: withHeadPage,
		scan: withScanPage,
	};
	return readers[kind](watch, state, page, progress);
}

/** The same for the record of a member; `person` is undefined where the service has no such person. */
export function withPerson(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
	read: { key: string; person: IDataObject | undefined },
): ChangeEvent[] {
	return withMember(watch, state, read, progress);
}

/**
 * Takes the state past a page that cannot be read though the service answers.
 *
 * @returns whether this poll goes on
 */
export function withFailure(state: TriggerState, progress: PollProgress, step: Step): boolean {
	const { window } = state;
	switch (step.kind) {
		case 'scan':
			return passFailure(state.scan);
		case 'window':
			return window !== undefined && passFailure(window.cursor);
		case 'newest':
			progress.hasLooked = true;
			return window !== undefined;
		case 'head':
			progress.isRecentDone = true;
			return true;
		default:
			// The others are not held up by one that cannot be read.
			leaveForLater(state, step.key);
			return true;
	}
}
