import type { NoAnswer, TenantHabits } from './crmTenant';
import { USUAL } from './crmTenant';
import { seededRandom } from '../../../support/seededRandom';
import type { TriggerSetup } from './openTenant';

/** What the trigger watches, with the events that belong to it. */
export const WATCHED = {
	people: ['personCreated', 'personUpdated'],
	segment: ['personAddedToSegment', 'personRemovedFromSegment'],
	tasks: ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted', 'taskDue'],
	comments: ['commentAdded'],
	history: ['historyAdded'],
} as const;

export type Watch = keyof typeof WATCHED;

/** Something that somebody does in the service. */
export interface Deed {
	/** Milliseconds after its round began. */
	after: number;
	kind: string;
	/** Which of the records it is done to, from 0 to 1; how, from 0 to 1. */
	who: number;
	how: number;
	/** How far the time that the record then shows lies ahead of the service's clock. */
	aheadMs?: number;
}

/** The service fails for a share of the requests in a while, in ms after the round began. */
export interface Outage {
	from: number;
	to: number;
	share: number;
	as: number | NoAnswer;
	/** The one page that fails; any request where none is named. */
	page?: number;
}

/** For a while, in ms after the round began, lists show a part of their records alone, with totals to match. */
export interface Shortage {
	from: number;
	to: number;
	part: number;
}

/** The wall clock of n8n's host is set, so many ms after the round began. */
export interface Jump {
	after: number;
	byMs: number;
}

/** After which poll of the round n8n is killed, or the workflow published once more. */
export interface Restart {
	afterPoll: number;
	how: 'kill' | 'publish';
}

/** Deeds for a while; then nothing, until the trigger must have seen all of them. */
export interface Round {
	minutes: number;
	deeds: Deed[];
	outages: Outage[];
	shortages: Shortage[];
	jumps: Jump[];
	restarts: Restart[];
}

/** What the trigger goes through before it knows nothing: it is told of, or begins anew in silence. */
export type Beginning =
	| { as: 'published' | 'lost' | 'elsewhere' }
	| { as: 'damaged'; damage: number };

/** From one beginning of the trigger to the next. */
export interface Life {
	begins: Beginning;
	rounds: Round[];
}

/** Everything that happens: the same schedule ends the same each time. */
export interface Schedule {
	habits: TenantHabits;
	watch: Watch;
	events: readonly string[];
	/** What the trigger is filtered by, of what the event offers. */
	filter: 'none' | 'owner' | 'segment' | 'tag' | 'workspace' | 'column' | 'assignee' | 'open';
	/** The one field of which a change counts as an update; any, where there is none. */
	watchedField: string | undefined;
	/** How long before the due date a task is told, in minutes. */
	beforeDue: number;
	/** Records before the workflow is published, how many of them came in one second, and how far apart, in s. */
	records: number;
	atOnce: number;
	apart: number;
	/** Of these records, the part of which the times lie ahead of the service's clock. */
	ahead: number;
	maxRequests: number;
	/** Whether that is what the interval allows, so that the user gives no number. */
	isByInterval: boolean;
	intervalMinutes: number;
	host: NonNullable<TriggerSetup['host']>;
	lives: Life[];
	/** Seconds after each poll in which another trigger of the process polls the same list. */
	companionAfter: number | undefined;
}

/** What a damaged memory may look like, made of the one that was saved. */
export const DAMAGES: Array<(saved: Record<string, unknown>) => unknown> = [
	() => 'what?',
	() => 7,
	() => [],
	() => ({}),
	(saved) => ({ ...saved, v: Number(saved.v) + 1 }),
	(saved) => ({ ...saved, v: undefined }),
	({ v, ...saved }) => ({
		v,
		...Object.fromEntries(Object.keys(saved).map((name) => [name, null])),
	}),
];

/** A schedule of a usual tenant in which nothing happens, but for what is said. */
export function schedule(said: Partial<Schedule> & Pick<Schedule, 'watch'>): Schedule {
	return {
		habits: USUAL,
		events: WATCHED[said.watch],
		filter: 'none',
		watchedField: undefined,
		beforeDue: 0,
		records: 0,
		atOnce: 1,
		apart: 1,
		ahead: 0,
		maxRequests: 2,
		isByInterval: false,
		intervalMinutes: 1,
		host: 'inMemory',
		lives: [life([])],
		companionAfter: undefined,
		...said,
	};
}

/** A trigger that is published, and what it goes through then. */
export function life(rounds: Array<Partial<Round>>, begins: Beginning = { as: 'published' }): Life {
	return { begins, rounds: [{}, ...rounds].map((round) => ({ ...QUIET, ...round })) };
}

/** The same deeds over and over, so many a minute, at any time of it or all at its beginning. */
export function steadily(
	minutes: number,
	perMinute: number,
	kinds: string[],
	isBurst = false,
): Pick<Round, 'minutes' | 'deeds'> {
	const random = seededRandom(1);
	const deeds = Array.from({ length: minutes * perMinute }, (_, index): Deed => {
		const minute = isBurst ? Math.floor(index / perMinute) : (index + random()) / perMinute;
		return {
			after: minute * MINUTE_MS + (isBurst ? 1000 : 0),
			kind: kinds[index % kinds.length],
			who: random(),
			how: random(),
		};
	});
	return { minutes, deeds };
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** How far times lie ahead: an hour, a day, a year. */
export const AHEAD_MS = [1, 24, 365 * 24].map((hours) => hours * HOUR_MS);

export const QUIET: Round = {
	minutes: 1,
	deeds: [],
	outages: [],
	shortages: [],
	jumps: [],
	restarts: [],
};
