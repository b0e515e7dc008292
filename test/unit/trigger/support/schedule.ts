import type { NoAnswer } from './crmTenant';
import type { TenantHabits } from './habits';
import { USUAL } from './habits';
import { seededRandom } from '../../../support/seededRandom';
import type { TriggerSetup } from './openTenant';

/** Watched lists, with their events. */
export const WATCHED = {
	people: ['personCreated', 'personUpdated'],
	segment: ['personAddedToSegment', 'personRemovedFromSegment'],
	tasks: ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted', 'taskDue'],
	comments: ['commentAdded'],
	history: ['historyAdded'],
} as const;

export type Watch = keyof typeof WATCHED;

/** A change in the service. */
export interface Deed {
	/** Milliseconds from the beginning of its round. */
	after: number;
	kind: string;
	/** The affected record, and the variant of the change, from 0 to 1. */
	who: number;
	how: number;
	/** Time that the record's new time lies ahead of the service's clock. */
	aheadMs?: number;
}

/** A time of failures of some requests, in ms from the beginning of the round. */
export interface Outage {
	from: number;
	to: number;
	share: number;
	as: number | NoAnswer;
	/** The only page that fails. If absent, any request fails. */
	page?: number | undefined;
}

/** A time when lists show only a part of their records, with matching totals, in ms from the beginning of the round. */
export interface Shortage {
	from: number;
	to: number;
	part: number;
}

/** A change of the host's wall clock, in ms from the beginning of the round. */
export interface Jump {
	after: number;
	byMs: number;
}

/** A kill of n8n, or another publishing of the workflow, after a poll of the round. */
export interface Restart {
	afterPoll: number;
	how: 'kill' | 'publish';
}

/** A time of changes, and then a quiet time until the trigger must have seen all of them. */
export interface Round {
	minutes: number;
	deeds: Deed[];
	outages: Outage[];
	shortages: Shortage[];
	jumps: Jump[];
	restarts: Restart[];
}

/** A way for the trigger to lose its knowledge. It either reports this, or begins again silently. */
export type Beginning =
	| { as: 'published' | 'lost' | 'elsewhere' }
	| { as: 'damaged'; damage: number };

/** The time from one beginning of the trigger to the next. */
export interface Life {
	begins: Beginning;
	rounds: Round[];
}

/** All events of a run. The same schedule always ends the same way. */
export interface Schedule {
	habits: TenantHabits;
	watch: Watch;
	events: readonly string[];
	/** Filter of the trigger, if the event has it. */
	filter: 'none' | 'owner' | 'segment' | 'tag' | 'workspace' | 'column' | 'assignee' | 'open';
	/** The only field with changes that count as an update; if undefined, any field. */
	watchedField: string | undefined;
	/** Minutes from the event until the due date of a task. */
	beforeDue: number;
	/**
	 * Number of records before the workflow is published, how many of them came in one second, and the seconds
	 * between these groups.
	 */
	records: number;
	atOnce: number;
	apart: number;
	/** Part of these records with times ahead of the service's clock. */
	ahead: number;
	maxRequests: number;
	/** Whether the interval decides `maxRequests`, because the user gave no number. */
	isByInterval: boolean;
	intervalMinutes: number;
	host: NonNullable<TriggerSetup['host']>;
	lives: Life[];
	/** Seconds from each poll until another trigger of the process polls the same list. */
	companionAfter: number | undefined;
}

/** Fields that filters compare, among those that the trigger can watch. */
export const FILTERED_FIELDS: Partial<Record<Schedule['filter'], string>> = {
	owner: 'owner',
	segment: 'segments',
	tag: 'tags',
	assignee: 'assignees',
	column: 'status',
};

/** Forms of a damaged memory, made from the saved one. */
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

/** Returns a schedule of a usual tenant without changes, with the given parts. */
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

/** Returns the life of a published trigger with these rounds. */
export function life(rounds: Array<Partial<Round>>, begins: Beginning = { as: 'published' }): Life {
	return { begins, rounds: [{}, ...rounds].map((round) => ({ ...QUIET, ...round })) };
}

/**
 * Returns a repeated series of changes, with a number per minute, at random times or all at the beginning of the
 * minute.
 */
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

/** Times ahead: an hour, a day, a year. */
export const AHEAD_MS = [1, 24, 365 * 24].map((hours) => hours * HOUR_MS);

export const QUIET: Round = {
	minutes: 1,
	deeds: [],
	outages: [],
	shortages: [],
	jumps: [],
	restarts: [],
};
