import type { IDataObject } from 'n8n-workflow';
import { compare, detected } from './compare';
import { markOf } from './memory';
import { fromText, toText } from './observationText';
import type { Observation } from './observation';
import type { StepOutcome, PollProgress, Step } from './plan';
import { goesOn } from '../transport/paging';
import { withScanPage } from './scan';
import type { Cursor, TriggerState } from './state';
import { startScan } from './state';
import { timeOf } from './times';
import type { ServedPage, Watch } from './watch';
import { withNewestPage, withWindowPage } from './window';

/** The state at the beginning of a poll. */
export function begunPoll(state: TriggerState): TriggerState {
	const begun = { ...state, polls: state.polls + 1 };
	const isOver = begun.byPageUntil !== undefined && begun.servedAt >= begun.byPageUntil;
	// A scan that takes longer than that is read to its end, or nobody would ever read the end of the list.
	if (!isOver || begun.scan.pages > 0) return begun;
	// Whether the service keeps to the order by now is seen in the next page.
	return { ...begun, byPageUntil: undefined, scan: startScan(begun.scan.number + 1) };
}

/**
 * What a page leads to: what has happened, what to remember, and what this poll has done. Decides
 * without a clock or a network, so that any course of events can be played through.
 */
export function withPage(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
	step: Exclude<Step, { kind: 'member' }>,
	page: ServedPage,
): StepOutcome {
	const timed = { ...state, servedAt: Math.max(state.servedAt, page.servedAt) };
	switch (step.kind) {
		case 'newest':
			return withNewestPage(watch, timed, page, progress);
		case 'window':
			return withWindowPage(watch, timed, page, progress);
		case 'head':
			return withHeadPage(watch, timed, page, progress);
		default:
			return withScanPage(watch, timed, page, progress);
	}
}

/** A look at the end of the list where changes show; on while there is nothing but news. */
function withHeadPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): StepOutcome {
	const { head } = state;
	if (!head) return { state, changes: [], progress };
	const { state: next, changes, news } = compare(watch, state, page, false);
	const { members, totalItems } = page;
	const follows = goesOn(page, (head.page - 1) * watch.pageSize + members.length, watch.pageSize);
	const last = Math.max(1, Math.ceil((totalItems ?? 0) / watch.pageSize));
	if (head.end === 'last') {
		const at = follows ? head.page + 1 : members.length > 0 ? head.page : last;
		const isDone = !follows;
		return {
			state: { ...next, head: { ...head, page: at } },
			changes,
			progress: { ...progress, isHeadDone: isDone },
		};
	}
	const goesFurther = follows && news >= members.length;
	return {
		state: { ...next, head: { ...head, page: goesFurther ? head.page + 1 : 1 } },
		changes,
		progress: { ...progress, isHeadDone: !goesFurther },
	};
}

/**
 * What the record of a member leads to whom a full scan did not see: gone, or only out of sight, as
 * archived people may be.
 *
 * @param person undefined where the service has no such person
 */
export function withMember(
	watch: Watch,
	state: TriggerState,
	progress: PollProgress,
	{ key, id }: Extract<Step, { kind: 'member' }>,
	person: IDataObject | undefined,
): StepOutcome {
	const known = state.memory.get(key);
	const rest = { ...state, absent: state.absent.filter((other) => other !== key) };
	if (known === undefined) return { state: rest, changes: [], progress };
	const isIn = Array.isArray(person?.segments) && watch.isMember?.(person);
	if (person && isIn) {
		// Who is not archived may have come back meanwhile, and leave again: the next scan tells.
		const membership = membershipIn(watch, person);
		const { text } = toText({ membership }, watch.aspects, state.dictionary);
		const mark = markOf(state.scan.number);
		const memory = state.memory.with(new Map([[key, mark + text]]));
		return { state: { ...rest, memory }, changes: [], progress };
	}
	const record = person ?? { id };
	const before = fromText(known.slice(1), watch.aspects, state.dictionary);
	const found = detected(watch, state, { record, before, after: undefined });
	const isOther = before.membership === 'other' || before.membership === 'hiddenOther';
	const isWanted = person ? watch.matches(person) : !isOther;
	const changes = isWanted ? found : [];
	return {
		state: {
			...rest,
			memory: state.memory.with(new Map([[key, undefined]])),
			departures: state.departures + (changes.length > 0 ? 0 : 1),
		},
		changes,
		progress,
	};
}

function membershipIn(watch: Watch, person: IDataObject): Observation['membership'] {
	const matches = watch.matches(person);
	if (timeOf(person.archivedAt) === undefined) return matches ? 'listed' : 'other';
	return matches ? 'hidden' : 'hiddenOther';
}

/**
 * What a page leads to that cannot be read though the service answers. The next poll tries it once
 * more; if it fails again, the page behind it is read. Where that fails, too, the service is down, and
 * the reading stays where it was; else a scan asks a last time, and leaves the page out.
 *
 * @returns the state, and whether this poll goes on
 */
export function withFailedPage(
	state: TriggerState,
	progress: PollProgress,
	step: Step,
): { state: TriggerState; progress: PollProgress; goesOn: boolean } {
	if (step.kind === 'head') {
		return { state, progress: { ...progress, isHeadDone: true }, goesOn: true };
	}
	if (step.kind === 'scan') {
		const { cursor, goesOn: on } = behind(state.scan);
		return { state: { ...state, scan: cursor }, progress, goesOn: on };
	}
	if (step.kind === 'window' && state.window) {
		const { cursor, goesOn: on } = behind(state.window.cursor);
		return { state: { ...state, window: { ...state.window, cursor } }, progress, goesOn: on };
	}
	if (step.kind === 'member') {
		// The others are not held up by one that cannot be read.
		const [first, ...others] = state.absent;
		return { state: { ...state, absent: [...others, first] }, progress, goesOn: true };
	}
	return { state, progress, goesOn: false };
}

/** Whether a page is being left out: what kept it from being read has not ended yet. */
export function leavesOut({ hasGap, scan, window }: TriggerState): boolean {
	const isGapped = [scan, window?.cursor].some((cursor) => cursor?.isGapped);
	return hasGap || isGapped || scan.failed !== undefined;
}

function behind<T extends Cursor>(cursor: T): { cursor: T; goesOn: boolean } {
	const { page, failed, isBehindRead } = cursor;
	if (isBehindRead) {
		const leftOut = { failed: undefined, isBehindRead: false, isGapped: true };
		return { cursor: { ...cursor, ...leftOut, page: page + 1 }, goesOn: true };
	}
	if (failed === undefined) return { cursor: { ...cursor, failed: page }, goesOn: false };
	if (failed === page) return { cursor: { ...cursor, page: page + 1 }, goesOn: true };
	return { cursor: { ...cursor, page: failed, failed: undefined }, goesOn: false };
}
