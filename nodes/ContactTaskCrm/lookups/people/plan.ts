import type { Intent } from '../../runtime/locate';
import { remainingText } from '../../transport/progress';

/** What is known of a run once some of its items were looked up. */
export interface Plan {
	/** What is to be done with the items looked up so far. */
	intents: Readonly<Record<Intent, number>>;
	/** Items that are looked up later. */
	following: number;
	/** Requests that looked up those so far. */
	lookups: number;
	/** Writes of the items looked up so far that are still to be sent. */
	writesLeft: number;
	/** Requests that the service takes a minute. */
	limit: number;
}

const WORDS: Record<Intent, string> = {
	create: 'to create',
	change: 'to change',
	leave: 'to leave as they are',
	read: 'found',
	refuse: 'to refuse',
};

/** No intents yet. */
export function noIntents(): Record<Intent, number> {
	return { create: 0, change: 0, leave: 0, read: 0, refuse: 0 };
}

/** Whether an intent costs a request. */
export function isWrite(intent: Intent): boolean {
	return intent === 'create' || intent === 'change';
}

/**
 * What a run is going to do, and how long it takes, in a line for n8n's log. The items that follow are
 * taken to be like those before.
 */
export function planText({ intents, following, lookups, writesLeft, limit }: Plan): string {
	const kinds = Object.keys(WORDS) as Intent[];
	const looked = kinds.reduce((sum, kind) => sum + intents[kind], 0);
	const writes = kinds.filter(isWrite).reduce((sum, kind) => sum + intents[kind], 0);
	const planned = kinds.filter((kind) => intents[kind] > 0);
	const said = planned.map((kind) => `${intents[kind]} ${WORDS[kind]}`).join(', ');
	const requests = writesLeft + (looked > 0 ? (following * (writes + lookups)) / looked : 0);
	const rest = following > 0 ? `; ${following} more follow` : '';
	return `Plan for ${looked} of ${looked + following} items: ${said}${rest}; ${remainingText((requests / limit) * 60_000)}`;
}
