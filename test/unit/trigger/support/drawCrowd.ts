import fc from 'fast-check';
import type { Bounds } from './draw';
import { magnitude, share, someSchedule } from './draw';
import type { Restart, Schedule, Watch } from './schedule';
import { life, MINUTE_MS, QUIET, WATCHED } from './schedule';

/** One of the triggers of a crowd. */
export interface MemberPlan {
	/** Which of the workflows it is a copy of. */
	of: number;
	/** Time after each full interval at which n8n polls it. */
	phaseMs: number;
	/** Time after the deeds began at which it is published; undefined for a trigger that was there before. */
	publishedAfter: number | undefined;
	restarts: Restart[];
}

/** Triggers on one credential, of several workflows in one process over one tenant. */
export interface CrowdSchedule {
	/** What they watch, and what happens there. The troubles of the first one's last round are those of all. */
	workflows: Schedule[];
	members: MemberPlan[];
	/** Requests a minute that the credential allows. */
	limit: number;
	/** How long n8n gives a poll, in ms; 5 minutes where it does not say. */
	pollBudgetMs: number | undefined;
}

/** What n8n gives a poll where it keeps durable cursors. */
const SHORT_POLL_MS = 36_000;
const MOST_TRIGGERS = 40;
const MOST_LIMIT = 60;
/** Pages that a crowd may have to read where each trigger gets a request a minute. */
const MOST_PAGES = 12;

/** Requests a minute that all polls may use together. */
export const shareOf = (limit: number) => Math.max(1, Math.floor(limit / 2));

const someMember = fc.record({
	of: share,
	phase: share,
	late: fc.option(share, { freq: 3, nil: undefined }),
	restarts: fc.array(
		fc.record({
			afterPoll: magnitude(1, 40).map((poll) => poll - 1),
			how: fc.constantFrom(...(['kill', 'publish'] as const)),
		}),
		{ maxLength: 1 },
	),
});

/** Crowds of one trigger to forty, with one request a minute to sixty. */
export function someCrowd(bounds: Bounds): fc.Arbitrary<CrowdSchedule> {
	const watch = fc.constantFrom(...(Object.keys(WATCHED) as Watch[]));
	const workflow = watch.chain((list) => someSchedule(list, bounds));
	// Small numbers would make crowds of one in most of few runs.
	return fc
		.noBias(
			fc.record({
				workflows: fc.array(workflow, { minLength: 1, maxLength: 4 }),
				count: magnitude(1, MOST_TRIGGERS),
				limit: magnitude(1, MOST_LIMIT),
				intervals: fc.constantFrom([1], [1], [1, 5], [5], [60]),
				isEqual: fc.boolean(),
				members: fc.array(someMember, { minLength: MOST_TRIGGERS, maxLength: MOST_TRIGGERS }),
			}),
		)
		.map(({ workflows: drawn, count, limit, intervals, isEqual, members }) => {
			const turn = Math.ceil(count / shareOf(limit));
			const workflows = together(drawn, turn, intervals);
			const { minutes, shortages } = workflows[0].lives[0].rounds[1];
			const plans = members.slice(0, count).map(({ of, phase, late, restarts }): MemberPlan => {
				const which = Math.floor(of * workflows.length);
				const everyMs = workflows[which].intervalMinutes * MINUTE_MS;
				return {
					of: which,
					phaseMs: isEqual ? 0 : Math.floor(phase * everyMs),
					publishedAfter:
						late === undefined || shortages.length > 0 ? undefined : late * minutes * MINUTE_MS,
					restarts: shortages.length > 0 ? [] : restarts,
				};
			});
			const hasCursors = workflows[0].host === 'durableCursors';
			const isShort = hasCursors && !bounds.without.includes('shortPolls');
			const pollBudgetMs = isShort ? SHORT_POLL_MS : undefined;
			return { workflows, members: plans, limit, pollBudgetMs };
		});
}

/**
 * Schedules of several lists as those of one tenant, each with a quiet round and one of deeds.
 *
 * @param turn minutes between two requests of a trigger: the longer it takes, the less there is to read
 */
function together(drawn: Schedule[], turn: number, intervals: readonly number[]): Schedule[] {
	const [{ habits, host }] = drawn;
	const lasts = drawn.map(({ lives }) => lives[0].rounds.slice(-1)[0]);
	const isAhead = drawn.some(({ ahead, lives }) => {
		const deeds = lives.flatMap(({ rounds }) => rounds.flatMap((round) => round.deeds));
		return ahead > 0 || deeds.some(({ aheadMs = 0 }) => aheadMs > 0);
	});
	const mostPerPage = turn > 4 ? 30 : habits.mostPerPage;
	const mostRecords = Math.max(1, Math.floor(MOST_PAGES / turn)) * mostPerPage;
	return drawn.map((one, index): Schedule => {
		const { records, isByInterval, maxRequests } = one;
		const intervalMinutes = intervals[turn > 4 ? 0 : index % intervals.length];
		const deeds = lasts[index].deeds.filter((_, place) => place % drawn.length === 0);
		return {
			...one,
			// Pages of which each is drawn anew take a crowd too long.
			habits: {
				...habits,
				mostPerPage,
				order: habits.order === 'none' ? 'byPlace' : habits.order,
				shufflesTies: false,
				lagMs: isAhead ? 0 : habits.lagMs,
			},
			host,
			records: Math.ceil(Math.min(records, mostRecords) / drawn.length),
			intervalMinutes,
			maxRequests: isByInterval ? 2 * intervalMinutes : maxRequests,
			lives: [life([{ ...QUIET, ...lasts[0], deeds }])],
		};
	});
}
