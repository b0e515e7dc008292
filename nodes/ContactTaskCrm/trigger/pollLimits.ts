import type { IPollFunctions } from 'n8n-workflow';
import { DEFAULT_MAX_REQUESTS, DEFAULT_POLL_WAIT_MINUTES } from './options';

const MINUTE_MS = 60_000;
/** What is kept of the time that n8n gives a poll, to hand over what was read. */
const HANDOVER_MS = 2_000;
/** How long a poll may take where the host does not say. */
const POLL_MS = 5 * MINUTE_MS;
/** Whoever tests in the editor would rather read why it takes so long. */
const TEST_WAIT_MS = 10_000;
/** Requests of a test run: what has to exist, two pages, and the titles. */
const TEST_REQUESTS = 6;

/** What a poll may spend. */
export interface PollLimits {
	requests: number;
	/** When all must be read, by the clock's `now`, since n8n gives a poll no more time. */
	endsAt: number;
	/** Until when the poll waits for its turns and for a service that stumbles. */
	waitsUntil: number;
	failsAtOnce: boolean;
	/** Whether somebody waits for it in the editor. */
	isTest: boolean;
}

/**
 * What a poll may spend, by its options and by what n8n gives it.
 *
 * @param now ms of the clock's `now`
 */
export function limitsOf(context: IPollFunctions, now: number): PollLimits {
	const { maxRequestsPerPoll, maxWaitMinutes, whenRateLimited } = context.getNodeParameter(
		'options',
		{},
	) as { maxRequestsPerPoll?: unknown; maxWaitMinutes?: unknown; whenRateLimited?: unknown };
	const waitMs = numberOr(maxWaitMinutes, DEFAULT_POLL_WAIT_MINUTES, 0) * MINUTE_MS;
	const isTest = context.getMode() === 'manual';
	const requests = Math.floor(numberOr(maxRequestsPerPoll, DEFAULT_MAX_REQUESTS, 1));
	return {
		requests: isTest ? TEST_REQUESTS : requests,
		endsAt: now + hostBudgetMs(context),
		waitsUntil: now + Math.min(waitMs, isTest ? TEST_WAIT_MS : Infinity),
		failsAtOnce: whenRateLimited === 'fail',
		isTest,
	};
}

function numberOr(value: unknown, preset: number, least: number): number {
	const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
	return typeof number === 'number' && number >= least ? number : preset;
}

/** Hosts before 2026 do not say how long a poll may take. */
function hostBudgetMs(context: Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>): number {
	const budget = context.getPollBudgetMs?.() ?? POLL_MS;
	return Math.max(HANDOVER_MS, budget - HANDOVER_MS);
}
