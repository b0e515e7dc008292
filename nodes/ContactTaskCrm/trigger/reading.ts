import type { IDataObject } from 'n8n-workflow';
import type { TriggerState } from './state';
import { copyOf, startState } from './state';
import type { ChangeEvent, QueryPair, ServedPage, Watch } from './watch';

/** What one poll reads, and what it has come to so far: what was read before something fails counts all the same. */
export interface Reading {
	readonly watch: Watch;
	/** A copy that the poll may change. */
	state: TriggerState;
	/** Whether the trigger has begun: there was a state, or something was read. */
	hasBegun: boolean;
	changes: ChangeEvent[];
	/** What kept it from reading on, or from reading some of it. */
	failure?: { error: unknown };
	/** Whether anything could be read. */
	hasRead: boolean;
	/** Whether something was learned that must outlast a restart, and goes out with no item. */
	mustOutlast: boolean;
	/** Requests that it may send, and has sent. */
	limit: number;
	sent: number;
	/** Counts the polls, so that what does not fit into one poll takes turns. */
	readonly turn: number;
	/** When the service gave the last page, by its own clock. */
	servedAt: number;
	isRecentDone: boolean;
	isScanDone: boolean;
	/** Whether the newest people were looked at. */
	hasLooked: boolean;
	/** Where the list shows changes at its beginning: the page to look at next. */
	headPage: number;
	/** Keys of the records of which something was found. */
	told: Set<string>;
}

/** What to read next, and what comes of it. */
export type Step = PageStep | MemberStep;

interface AnyStep {
	/** It cannot be read, though the service answers: whether the poll goes on, or has left it out. */
	fail: () => 'stays' | 'goesOn' | 'leftOut';
}

export interface PageStep extends AnyStep {
	query: QueryPair[];
	take: (page: ServedPage) => void;
}

export interface MemberStep extends AnyStep {
	personId: string;
	/** @param person undefined where the service has no such person */
	take: (person: IDataObject | undefined) => void;
}

/** @param saved what the last poll left; undefined in the first one */
export function startReading(watch: Watch, saved: TriggerState | undefined, turn: number): Reading {
	return {
		watch,
		state: saved ? copyOf(saved) : startState(watch.key, 0),
		hasBegun: saved !== undefined,
		changes: [],
		hasRead: false,
		mustOutlast: false,
		limit: 0,
		sent: 0,
		turn,
		servedAt: 0,
		isRecentDone: false,
		isScanDone: false,
		hasLooked: false,
		headPage: 1,
		told: new Set(),
	};
}
