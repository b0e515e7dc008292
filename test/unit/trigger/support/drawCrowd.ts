import fc from 'fast-check';
import type { Bounds } from './draw';
import { looksBack, magnitude, share, someSchedule } from './draw';
import type { Restart, Schedule, Watch } from './schedule';
import { life, MINUTE_MS, QUIET, WATCHED } from './schedule';

/** One of the triggers of a crowd. */
export interface MemberPlan {
	/** Index of the workflow that it copies. */
	of: number;
	/** Time from each full interval to n8n's poll. */
	phaseMs: number;
	/** Time from the first change until it is published; undefined for a trigger that was there before. */
	publishedAfter: number | undefined;
	restarts: Restart[];
}

/** Triggers on one credential, from several workflows in one process over one tenant. */
export interface CrowdSchedule {
	/** Their watched lists and the changes in them. The troubles of the first workflow's last round affect all. */
	workflows: Schedule[];
	members: MemberPlan[];
	/** Requests per minute of the credential. */
	limit: number;
	/** Time that n8n gives a poll, in ms; by default, 5 minutes. */
	pollBudgetMs: number | undefined;
}

/** Time that n8n gives a poll with durable cursors. */
const SHORT_POLL_MS = 36_000;
const MOST_TRIGGERS = 40;
const MOST_LIMIT = 60;
/** Most pages to read for a crowd with one request per minute for each trigger. */
const MOST_PAGES = 12;

/** Returns the requests per minute that all polls may use together. */
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

/** Returns crowds of one to forty triggers, with one to sixty requests per minute. */
export function someCrowd(bounds: Bounds): fc.Arbitrary<CrowdSchedule> {
	const watch = fc.constantFrom(...(Object.keys(WATCHED) as Watch[]));
	const workflow = watch.chain((list) => someSchedule(list, bounds));
	// Without bias, because most of a few runs would otherwise be crowds of one.
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
 * Combines schedules of several lists for one tenant, each with a quiet round and one with changes.
 *
 * @param turn minutes between two requests of a trigger; with a longer turn, there is less to read
 */
function together(drawn: Schedule[], turn: number, intervals: readonly number[]): Schedule[] {
	const [{ habits, host }] = drawn;
	const lasts = drawn.map(({ lives }) => lives[0].rounds.slice(-1)[0]);
	const isAhead = drawn.some(({ ahead, lives }) => {
		const deeds = lives.flatMap(({ rounds }) => rounds.flatMap((round) => round.deeds));
		return ahead > 0 || deeds.some(({ aheadMs = 0 }) => aheadMs > 0);
	});
	const shortages = drawn.some(looksBack) ? [] : lasts[0].shortages;
	const mostPerPage = turn > 4 ? 30 : habits.mostPerPage;
	const mostRecords = Math.max(1, Math.floor(MOST_PAGES / turn)) * mostPerPage;
	return drawn.map((one, index): Schedule => {
		const { records, isByInterval, maxRequests } = one;
		const intervalMinutes = intervals[turn > 4 ? 0 : index % intervals.length];
		const deeds = lasts[index].deeds.filter((_, place) => place % drawn.length === 0);
		return {
			...one,
			// If each page is drawn anew, a crowd takes too long.
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
			lives: [life([{ ...QUIET, ...lasts[0], shortages, deeds }])],
		};
	});
}
