import fc from 'fast-check';
import type { NoAnswer, TenantHabits } from './crmTenant';
import { LIST_ORDERS, USUAL } from './crmTenant';
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
	maxRequests: number;
	/** Whether that is what the interval allows, so that the user gives no number. */
	isByInterval: boolean;
	intervalMinutes: number;
	host: NonNullable<TriggerSetup['host']>;
	lives: Life[];
	/** Seconds after each poll in which another trigger of the process polls the same list. */
	companionAfter: number | undefined;
}

/** What may happen, as often as it stands there in relation to the others. */
const DEEDS: Record<Watch, string> = {
	people: 'create create late change change place fit unfit archive restore remove',
	segment: 'create late join join join leave leave leave change archive restore remove',
	tasks:
		'create late change date date place move move complete complete reopen fit unfit archive restore remove',
	comments: 'create create late change remove',
	history: 'create create create create create remove',
};

const FILTERS: Record<Watch, Array<Schedule['filter']>> = {
	people: ['none', 'none', 'owner', 'segment', 'tag'],
	segment: ['none', 'none', 'owner', 'tag'],
	tasks: ['none', 'none', 'none', 'workspace', 'column', 'assignee', 'tag', 'open'],
	comments: ['none'],
	history: ['none'],
};

/** Fields that the deeds change, and that can be watched. */
const FIELDS: Record<Watch, string[]> = {
	people: ['jobTitle', 'owner', 'tags', 'segments'],
	segment: [],
	tasks: ['description', 'status', 'assignees', 'dueDate'],
	comments: [],
	history: [],
};

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
const QUIET: Round = { minutes: 1, deeds: [], outages: [], restarts: [] };

/** How large a schedule may be. */
export interface Bounds {
	records: number;
	deeds: number;
}

/** Numbers over orders of magnitude. */
function magnitude(from: number, to: number): fc.Arbitrary<number> {
	return fc.nat(1000).map((part) => Math.round(from * (to / from) ** (part / 1000)));
}

const share = fc.nat(9999).map((part) => part / 10_000);

function someRound(watch: Watch, bounds: Bounds): fc.Arbitrary<Round> {
	const deed = fc.record({
		after: share,
		kind: fc.constantFrom(...DEEDS[watch].split(' ')),
		who: share,
		how: share,
	});
	const outage = fc.record({
		from: share,
		ms: magnitude(1000, 90 * MINUTE_MS),
		share: fc.constantFrom(0.05, 0.2, 0.5, 1),
		as: fc.constantFrom(...([503, 500, 429, 'reset', 'silence'] as const)),
	});
	const restart = fc.record({
		afterPoll: magnitude(1, 40).map((poll) => poll - 1),
		how: fc.constantFrom(...(['kill', 'kill', 'publish'] as const)),
	});
	return fc
		.record({
			minutes: magnitude(1, 60),
			isBurst: fc.constantFrom(false, false, true),
			deeds: fc.array(deed, { maxLength: bounds.deeds, size: 'max' }),
			outages: fc.array(outage, { maxLength: 2 }),
			restarts: fc.array(restart, { maxLength: 2 }),
		})
		.map(({ minutes, isBurst, deeds, outages, ...others }) => {
			const at = (part: number) => part * minutes * MINUTE_MS;
			const burstAt = (part: number) => Math.floor(part * minutes) * MINUTE_MS + 1000;
			return {
				...others,
				minutes,
				deeds: deeds
					.map((one) => ({ ...one, after: (isBurst ? burstAt : at)(one.after) }))
					.sort((one, other) => one.after - other.after),
				outages: outages.map(({ from, ms, ...one }) => ({
					...one,
					from: at(from),
					to: at(from) + ms,
				})),
			};
		});
}

function someHabits(watch: Watch): fc.Arbitrary<TenantHabits> {
	const isPeople = watch === 'people' || watch === 'segment';
	const seldom = fc.constantFrom(false, false, false, true);
	return fc
		.record({
			order: fc.constantFrom(...LIST_ORDERS),
			shufflesTies: seldom,
			hasTotals: fc.constantFrom(true, true, false),
			hasView: fc.constantFrom(true, true, false),
			mostPerPage: fc.constantFrom(30, 30, 5, 3),
			showsArchived: fc.boolean(),
			ignoresTime: isPeople ? seldom : fc.constant(false),
			ignoresFilters: isPeople ? seldom : fc.constant(false),
			prefix: fc.constantFrom('', '', '/api'),
			embeds: seldom,
			rewrites: fc.boolean(),
			lagMs: fc.constantFrom(0, 0, 0, 5_000, 30_000),
			latencyMs: magnitude(1, 3000),
			seed: fc.nat(100_000),
			timezone: fc.constantFrom('UTC', 'UTC', 'America/New_York', 'Asia/Kolkata'),
		})
		.map((habits) => {
			// Without either, only a page that is not full tells the end of a list.
			const tellsEnd = habits.hasTotals || habits.hasView;
			return tellsEnd ? habits : { ...habits, mostPerPage: 30 };
		});
}

const someBeginning: fc.Arbitrary<Beginning> = fc.oneof(
	fc.record({ as: fc.constantFrom(...(['lost', 'elsewhere'] as const)) }),
	fc.record({ as: fc.constant('damaged' as const), damage: fc.nat(DAMAGES.length - 1) }),
);

/** Schedules of one list, drawn over orders of magnitude. */
export function someSchedule(watch: Watch, bounds: Bounds): fc.Arbitrary<Schedule> {
	const rounds = fc.array(someRound(watch, bounds), { minLength: 1, maxLength: 2 });
	// What happens after a quiet start can be judged by more.
	const some = fc
		.tuple(fc.constantFrom(true, true, false), rounds)
		.map(([isQuiet, drawn]) => (isQuiet ? [QUIET, ...drawn] : drawn));
	const anew = fc.record({ begins: someBeginning, rounds: some });
	const published = { as: 'published' as const };
	return fc
		.record({
			habits: someHabits(watch),
			watch: fc.constant(watch),
			events: fc.subarray<string>([...WATCHED[watch]], { minLength: 1 }),
			filter: fc.constantFrom(...FILTERS[watch]),
			watchedField: fc.constantFrom(undefined, undefined, ...FIELDS[watch]),
			beforeDue: fc.constantFrom(0, 0, 20, 24 * 60),
			records: fc.oneof(fc.constant(0), magnitude(1, bounds.records)),
			atOnce: magnitude(1, 300),
			apart: fc.constantFrom(1, 1, 60),
			maxRequests: fc.oneof(fc.constantFrom(1, 2), magnitude(1, 60)),
			isByInterval: fc.boolean(),
			intervalMinutes: fc.constantFrom(1, 1, 1, 5, 60, 24 * 60),
			host: fc.constantFrom(...(['inMemory', 'inMemory', 'scheduler', 'durableCursors'] as const)),
			first: some,
			others: fc.oneof(
				{ weight: 3, arbitrary: fc.constant([]) },
				{ weight: 1, arbitrary: fc.array(anew, { minLength: 1, maxLength: 1 }) },
			),
			companionAfter: fc.option(fc.integer({ min: 1, max: 30 }), { freq: 2, nil: undefined }),
		})
		.map(({ first, others, ...drawn }) => {
			const { habits, records } = drawn;
			// Each page of such a list is drawn anew, so that seeing all of a long one takes too long.
			const most = habits.order === 'none' || habits.shufflesTies ? 300 : Infinity;
			// A damaged memory is there again after each restart, until something new was saved.
			const lives = [{ begins: published, rounds: first }, ...others].map((one) =>
				one.begins.as === 'damaged' ? withoutRestarts(one) : one,
			);
			const { isByInterval, intervalMinutes, maxRequests } = drawn;
			return {
				...drawn,
				records: Math.min(most, records),
				maxRequests: isByInterval ? 2 * intervalMinutes : maxRequests,
				lives,
			};
		});
}

function withoutRestarts({ begins, rounds }: Life): Life {
	return { begins, rounds: rounds.map((round) => ({ ...round, restarts: [] })) };
}
