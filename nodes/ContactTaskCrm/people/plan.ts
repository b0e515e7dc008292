import { remainingText } from '../util/durations';

/** What an item is going to do, once it is known whom it found. */
export type PlannedAction = 'create' | 'change' | 'leave' | 'read' | 'refuse';

/** What is known of a run once some of its items were looked up. */
export interface Plan {
	/** What is to be done with the items looked up so far. */
	actions: Readonly<Record<PlannedAction, number>>;
	/** Items that are looked up later. */
	following: number;
	/** Requests that looked up those so far. */
	lookups: number;
	/** Writes of the items looked up so far that are still to be sent. */
	writesLeft: number;
	/** Requests that the service takes a minute. */
	limit: number;
}

const WORDS: Record<PlannedAction, string> = {
	create: 'to create',
	change: 'to change',
	leave: 'to leave as they are',
	read: 'found',
	refuse: 'to refuse',
};

/** No actions yet. */
export function noActions(): Record<PlannedAction, number> {
	return { create: 0, change: 0, leave: 0, read: 0, refuse: 0 };
}

/** Whether an action costs a request. */
export function isWrite(action: PlannedAction): boolean {
	return action === 'create' || action === 'change';
}

/**
 * What a run is going to do, and how long it takes, in a line for n8n's log. The items that follow are
 * taken to be like those before.
 */
export function planText({ actions, following, lookups, writesLeft, limit }: Plan): string {
	const kinds = Object.keys(WORDS) as PlannedAction[];
	const looked = kinds.reduce((sum, kind) => sum + actions[kind], 0);
	const writes = kinds.filter(isWrite).reduce((sum, kind) => sum + actions[kind], 0);
	const planned = kinds.filter((kind) => actions[kind] > 0);
	const said = planned.map((kind) => `${actions[kind]} ${WORDS[kind]}`).join(', ');
	const requests = writesLeft + (looked > 0 ? (following * (writes + lookups)) / looked : 0);
	const rest = following > 0 ? `; ${following} more follow` : '';
	return `Plan for ${looked} of ${looked + following} items: ${said}${rest}; ${remainingText((requests / limit) * 60_000)}`;
}
