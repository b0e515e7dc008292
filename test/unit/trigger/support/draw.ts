import fc from 'fast-check';
import type { TenantHabits } from './habits';
import { LIST_ORDERS } from './habits';
import type { Beginning, Deed, Life, Round, Schedule, Watch } from './schedule';
import { AHEAD_MS, DAMAGES, FILTERED_FIELDS, HOUR_MS, MINUTE_MS, QUIET, WATCHED } from './schedule';

/** Possible changes of each list. A word that occurs more often in the text is drawn more often. */
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

/** Fields that changes affect, and that the trigger can watch. */
const FIELDS: Record<Watch, string[]> = {
	people: ['jobTitle', 'owner', 'tags', 'segments'],
	segment: [],
	tasks: ['description', 'status', 'assignees', 'dueDate'],
	comments: [],
	history: [],
};

/** Limits for the size of a schedule, and the conditions to leave out. */
export interface Bounds {
	records: number;
	deeds: number;
	without: readonly string[];
}

/** Returns numbers over orders of magnitude. */
export function magnitude(from: number, to: number): fc.Arbitrary<number> {
	return fc.nat(1000).map((part) => Math.round(from * (to / from) ** (part / 1000)));
}

export const share = fc.nat(9999).map((part) => part / 10_000);

/** Draws an event in half of the cases, because few runs have to show each of its forms. */
const sometimes = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
	fc.noBias(fc.oneof(fc.constant<T[]>([]), fc.array(one, { minLength: 1, maxLength: 2 })));

function someRound(watch: Watch, bounds: Bounds): fc.Arbitrary<Round> {
	const deed = fc.record({
		after: share,
		kind: fc.constantFrom(...DEEDS[watch].split(' ')),
		who: share,
		how: share,
		aheadMs: fc.constantFrom(0, 0, 0, ...AHEAD_MS),
	});
	const shortage = fc.record({
		from: share,
		ms: fc.integer({ min: 2 * MINUTE_MS, max: 5 * MINUTE_MS }),
		part: fc.constantFrom(0, 0.5),
	});
	const jump = fc.record({
		after: share,
		byMs: fc.constantFrom(-12, -4, -1, 1, 4, 12).map((hours) => hours * HOUR_MS),
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
			shortages: sometimes(shortage),
			jumps: sometimes(jump),
			restarts: fc.array(restart, { maxLength: 2 }),
		})
		.map(({ minutes, isBurst, deeds, outages, shortages, jumps, restarts }) => {
			const at = (part: number) => part * minutes * MINUTE_MS;
			const burstAt = (part: number) => Math.floor(part * minutes) * MINUTE_MS + 1000;
			const isWithout = (what: string) => bounds.without.includes(what);
			const short = isWithout('shortages') ? [] : shortages;
			return {
				minutes,
				// No restarts with shortages: while a list hides records, the trigger cannot learn again what n8n forgot.
				restarts: short.length > 0 ? [] : restarts,
				shortages: short.map(({ from, ms, part }) => ({ from: at(from), to: at(from) + ms, part })),
				jumps: isWithout('jumps') ? [] : jumps.map((one) => ({ ...one, after: at(one.after) })),
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
			ignoresTime: isPeople
				? fc.constantFrom<TenantHabits['ignoresTime']>(false, false, false, true, 'filters')
				: fc.constant(false),
			undated: isPeople ? fc.constantFrom(0, 0, 0, 0.5) : fc.constant(0),
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
			// Without totals and `view`, only a page with fewer records than requested shows the end of a list.
			const tellsEnd = habits.hasTotals || habits.hasView;
			return tellsEnd ? habits : { ...habits, mostPerPage: 30 };
		});
}

const someBeginning: fc.Arbitrary<Beginning> = fc.oneof(
	fc.record({ as: fc.constantFrom(...(['lost', 'elsewhere'] as const)) }),
	fc.record({ as: fc.constant('damaged' as const), damage: fc.nat(DAMAGES.length - 1) }),
);

/** Returns schedules of one list, drawn over orders of magnitude. */
export function someSchedule(watch: Watch, bounds: Bounds): fc.Arbitrary<Schedule> {
	const rounds = fc.array(someRound(watch, bounds), { minLength: 1, maxLength: 2 });
	// After a quiet start, the judge can check more.
	const some = fc.tuple(fc.constantFrom(true, true, false), rounds).map(([isQuiet, drawn]) => {
		// The first round has no shortage, because a record that the list hides at first looks new later.
		const [first, ...later] = drawn;
		return isQuiet ? [QUIET, ...drawn] : [{ ...first, shortages: [] }, ...later];
	});
	// Draws some large segments, where the trigger has no time to ask for each of many missing members.
	const many = magnitude(watch === 'segment' ? bounds.records / 2 : 1, bounds.records);
	const anew = fc.record({ begins: someBeginning, rounds: some });
	const published = { as: 'published' as const };
	return fc
		.record({
			habits: someHabits(watch),
			watch: fc.constant(watch),
			events: fc.subarray<string>([...WATCHED[watch]], { minLength: 1 }),
			filter: fc.constantFrom(...FILTERS[watch]),
			watchedField: fc.constantFrom(undefined, undefined, ...FIELDS[watch]),
			watchesFiltered: fc.boolean(),
			beforeDue: fc.constantFrom(0, 0, 20, 24 * 60),
			records: fc.oneof(fc.constant(0), magnitude(1, bounds.records), many),
			atOnce: magnitude(1, 300),
			apart: fc.constantFrom(1, 1, 60),
			isAhead: fc.constantFrom(true, false, false),
			ahead: fc.constantFrom(0, 0.1, 0.5),
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
		.map(({ first, others, isAhead, watchesFiltered, watchedField, ...drawn }) => {
			const { habits, records } = drawn;
			// In a replica that lags, a time ahead cannot be recognised.
			const mayBeAhead = isAhead && habits.lagMs === 0 && !bounds.without.includes('ahead');
			// Each page of such a list is drawn anew, so seeing all of a long list takes too long.
			const most = habits.order === 'none' || habits.shufflesTies ? 300 : Infinity;
			// A damaged memory returns after each restart, until something new was saved.
			const lives = [{ begins: published, rounds: first }, ...others].map((one) =>
				one.begins.as === 'damaged' ? withoutRestarts(one) : one,
			);
			const { isByInterval, intervalMinutes, maxRequests } = drawn;
			const inTime = mayBeAhead ? lives : lives.map(withoutTimesAhead);
			return {
				...drawn,
				// In half of the cases, a change of the watched field brings a record into the list.
				watchedField:
					(watchesFiltered && watchedField && FILTERED_FIELDS[drawn.filter]) || watchedField,
				records: Math.min(most, records),
				maxRequests: isByInterval ? 2 * intervalMinutes : maxRequests,
				ahead: mayBeAhead ? drawn.ahead : 0,
				lives: looksBack(drawn) ? inTime.map(withoutShortages) : inTime,
			};
		});
}

/**
 * Returns whether a trigger looks back for two minutes only, because Person Created is its only event. A shortage may
 * last longer.
 */
export function looksBack({ watch, events }: Pick<Schedule, 'watch' | 'events'>): boolean {
	return watch === 'people' && String(events) === 'personCreated';
}

function withoutRestarts({ begins, rounds }: Life): Life {
	return { begins, rounds: rounds.map((round) => ({ ...round, restarts: [] })) };
}

function withoutShortages({ begins, rounds }: Life): Life {
	return { begins, rounds: rounds.map((round) => ({ ...round, shortages: [] })) };
}

function withoutTimesAhead({ begins, rounds }: Life): Life {
	const inTime = (deeds: Deed[]) => deeds.map((deed) => ({ ...deed, aheadMs: 0 }));
	return { begins, rounds: rounds.map((round) => ({ ...round, deeds: inTime(round.deeds) })) };
}
