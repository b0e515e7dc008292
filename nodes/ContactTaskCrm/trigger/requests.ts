import type { IPollFunctions } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import type { GivenUpReason } from '../http/errors';
import { isNotFound, RateLimited, ServiceError } from '../http/errors';
import type { Page } from '../http/paging';
import { MAX_PAGE_SIZE, pageOf } from '../http/paging';
import type { PollPlace } from '../http/polls';
import type { ServiceResponse } from '../http/request';
import { headerTime } from '../http/retry';
import { asRecord } from '../run/output';
import type { RequestOptions } from '../tenant/client';
import { Client, openAccount } from '../tenant/client';
import { hasTimes, inServiceTime, noticeRecords } from '../tenant/serviceForm';
import { rethrow, UnusableParameter } from '../util/errors';
import { DEFAULT_POLL_WAIT_MINUTES, REQUESTS_A_MINUTE } from './parameters';
import type { Anchor, QueryPair } from './lists';
import type { ServedPage, Watch } from './watch';

const MINUTE_MS = 60_000;
/** A poll does not hold up others for long, and the next one tries again anyway. */
const MAX_RETRIES = 2;
/** That no answer came in less than this, before the poll had to end, says nothing of the service. */
const PATIENCE_MS = 10_000;

/** Polls so far apart go on in another minute with what one allows; others leave it to the next poll. */
const FAR_APART_MS = 5 * MINUTE_MS;
/** A poll gives up so long before the next one, which would not begin beside it. */
const BEFORE_NEXT_MS = 500;
/** Time that a poll waits for each further request. */
const MORE_MS = 10_000;
/** What is kept of the time that n8n gives a poll, to hand over what was read. */
const HANDOVER_MS = 2_000;
/** How long a poll may take where the host does not say. */
const POLL_MS = 5 * MINUTE_MS;
/** Whoever tests in the editor would rather read why it takes so long. */
const TEST_WAIT_MS = 10_000;
/** Requests of a test run: what has to exist, two pages, and the titles. */
const TEST_REQUESTS = 6;

const FIRST_PAGE: readonly QueryPair[] = [['itemsPerPage', String(MAX_PAGE_SIZE)]];

/** What a poll may spend. */
interface PollLimits {
	requests: number;
	/** When all must be read, by the clock's `now`, since n8n gives a poll no more time. */
	endsAt: number;
	/** Until when it goes on in other minutes. */
	goesOnUntil: number;
	/** Until when the poll waits for its first turn. */
	turnUntil: number;
	/** Until when it waits for a service that stumbles. */
	waitsUntil: number;
	failsAtOnce: boolean;
	/** Whether somebody waits for it in the editor. */
	isTest: boolean;
}

/** The requests of one poll, within its limits of number and time. */
export class PollRequests {
	/** Requests sent, those that were tried again among them. */
	sent = 0;

	/** The first time that an answer gave, by the service's clock: that of a refusal, too. */
	firstAnsweredAt: number | undefined;

	/** When something was sent last, by the clock's `now`. */
	private sentAt = 0;

	/** Whether its trigger has read nothing before: a person who publishes waits for the first answer. */
	isFirst = false;

	/** Whether the service answered a request. */
	hasRead = false;

	/** Reason for which a request was not sent. */
	heldUpBy?: GivenUpReason;

	private constructor(
		readonly client: Client,
		private readonly limits: PollLimits,
	) {}

	/**
	 * Opens a client for one poll, which waits behind other requests; a test does not.
	 *
	 * @param place place of the trigger among those that poll; absent in a test
	 * @param apartMs time since the poll before; 0 where there was none
	 * @throws ExplainedError where base URL or key cannot be used
	 */
	static async open(
		context: IPollFunctions,
		place?: PollPlace,
		apartMs = 0,
	): Promise<PollRequests> {
		const now = systemClock.now();
		const limits = limitsOf(context, now, apartMs);
		const account = await openAccount(context);
		if (limits.isTest) account.tenant.limiter.listOpened();
		if (place) place.since = now;
		const options = { lane: limits, isUrgent: limits.isTest, place };
		return new PollRequests(new Client(context, account, options), limits);
	}

	/** Requests that this poll may send in all. */
	get limit(): number {
		return this.limits.requests;
	}

	/**
	 * Reads one page of the list that is watched.
	 *
	 * @returns undefined when this poll may send nothing more
	 * @throws ServiceError where the service does not answer with a page
	 */
	async page(watch: Watch, query: readonly QueryPair[]): Promise<ServedPage | undefined> {
		const { path, subject, anchors, record } = watch;
		const { zone } = this.client.tenant;
		// Read in another zone, a cursor would pass over people.
		if (hasTimes(query) && !zone.isKnown) {
			if (!(await this.page(watch, FIRST_PAGE))) return undefined;
			zone.isKnown = true;
		}
		const asked = {
			method: 'GET' as const,
			path,
			query: inServiceTime(this.client, query),
			subject,
		};
		const response = await this.send(asked).catch(async (error: unknown) => {
			// Whose list is gone says more than that there is no such list.
			if (isNotFound(error)) await this.assertExist(anchors);
			throw error;
		});
		if (!response) return undefined;
		const page = pageOf(response.body);
		if (!page) throw this.client.unreadable(response, asked);
		noticeRecords(this.client.tenant, page.members, record);
		return { ...page, servedAt: servedAt(response) };
	}

	/**
	 * Reads one person.
	 *
	 * @returns a page of one, or of none where there is no such person; undefined when this poll may send nothing more
	 */
	async person(id: string): Promise<ServedPage | undefined> {
		const path = `/people/${encodeURIComponent(id)}`;
		const asked = { method: 'GET' as const, path, subject: { noun: 'person', id } };
		try {
			const response = await this.send(asked);
			return response && { members: [response.body], servedAt: servedAt(response) };
		} catch (error) {
			if (!isNotFound(error)) return rethrow(error);
			return { members: [], servedAt: this.firstAnsweredAt ?? 0 };
		}
	}

	/** A page of a collection for its titles alone; undefined where it cannot be had. */
	async records(path: string, query: readonly QueryPair[]): Promise<Page | undefined> {
		const response = await this.send({ method: 'GET', path, query, subject: { noun: 'list' } });
		return response && pageOf(response.body);
	}

	/**
	 * Makes sure that what is watched exists, within what this poll may send.
	 *
	 * @throws ServiceError when something does not exist (404), UnusableParameter when it lacks the column
	 */
	async assertExist(anchors: readonly Anchor[]): Promise<void> {
		for (const { path, subject, assertSuits } of anchors) {
			const response = await this.send({ method: 'GET', path, subject });
			if (!response) return;
			assertSuits?.(asRecord(response.body));
		}
	}

	/**
	 * Sends one request.
	 *
	 * @returns undefined when this poll may send nothing more, or has to end before the answer came
	 * @throws ServiceError when the service says no, or does not answer
	 */
	private async send(asked: RequestOptions): Promise<ServiceResponse | undefined> {
		const { requests, endsAt, failsAtOnce, waitsUntil, turnUntil, goesOnUntil } = this.limits;
		const left = requests - this.sent;
		const now = systemClock.now();
		if (left < 1 || (endsAt <= now && this.sent > 0)) return undefined;
		// A poll that has read something hands that over soon.
		const slotUntil = this.sent === 0 ? turnUntil : Math.min(waitsUntil, now + MORE_MS);
		const until = Math.min(endsAt, Math.max(waitsUntil, goesOnUntil, now));
		const waitMs = Math.min(endsAt, Math.max(slotUntil, goesOnUntil, now)) - now;
		let isAnswered = true;
		try {
			return await this.client.request({
				...asked,
				...(this.isFirst && this.sent === 0 ? { place: undefined } : {}),
				slotWaitMs: failsAtOnce ? 0 : waitMs,
				throttledWaitMs: failsAtOnce ? 0 : until - now,
				// What is tried again is spent, too, and does not hold up others for long.
				maxRetries: Math.min(MAX_RETRIES, left - 1),
				// However late its turn has come, an answer is waited for.
				deadline: Math.min(endsAt, until + MINUTE_MS),
				onSent: () => {
					this.sent++;
					this.sentAt = systemClock.now();
				},
				onAnswer: ({ date }) => (this.firstAnsweredAt ??= headerTime(date)),
			});
		} catch (error) {
			isAnswered = error instanceof ServiceError && error.status !== undefined;
			return this.mayGoOnLater(error) ? undefined : rethrow(error);
		} finally {
			this.hasRead ||= isAnswered;
		}
	}

	/**
	 * Returns whether the next poll goes on: where others use the budget, the service refuses for now, or the poll has
	 * to end. A first poll needs an answer, or a refusal, that says when the trigger began.
	 */
	private mayGoOnLater(error: unknown): boolean {
		const { failsAtOnce, isTest, endsAt } = this.limits;
		if (isTest) return false;
		if (error instanceof ServiceError) {
			const isCutShort = error.status === undefined && endsAt - this.sentAt < PATIENCE_MS;
			return isCutShort && this.sent > 1;
		}
		if (!(error instanceof RateLimited)) return false;
		this.heldUpBy = error.reason;
		if (error.reason === 'polls') return true;
		if (failsAtOnce) return false;
		if (this.isFirst) return this.firstAnsweredAt !== undefined;
		return error.reason !== 'unanswered' || this.sent > 0;
	}
}

/** @throws UnusableParameter where an answer does not say when it was given */
function servedAt({ headers: { date } }: ServiceResponse): number {
	const time = headerTime(date);
	if (time === undefined) throw timeless();
	return time;
}

/** Without the service's clock nothing old can be told from what is new. */
export function timeless(): UnusableParameter {
	return new UnusableParameter(
		'The service gave no answer that says what time it is, so that nothing new can be told from what is old',
		'Publish the workflow again when the service answers. Its answers need the header Date, which a proxy in front of it may take away',
	);
}

/**
 * What a poll may spend, by its options and by what n8n gives it.
 *
 * @param now ms of the clock's `now`
 * @param apartMs time since the poll before
 */
function limitsOf(context: IPollFunctions, now: number, apartMs: number): PollLimits {
	const { maxRequestsPerPoll, maxWaitMinutes, whenRateLimited } = context.getNodeParameter(
		'options',
		{},
	) as { maxRequestsPerPoll?: unknown; maxWaitMinutes?: unknown; whenRateLimited?: unknown };
	const waitMs = numberOr(maxWaitMinutes, DEFAULT_POLL_WAIT_MINUTES, 0) * MINUTE_MS;
	const isTest = context.getMode() === 'manual';
	const allowed = Math.max(1, Math.round(apartMs / MINUTE_MS)) * REQUESTS_A_MINUTE;
	const requests = Math.floor(numberOr(maxRequestsPerPoll, allowed, 1));
	const endsAt = now + hostBudgetMs(context);
	const waitsUntil = now + Math.min(waitMs, isTest ? TEST_WAIT_MS : Infinity);
	return {
		requests: isTest ? TEST_REQUESTS : requests,
		endsAt,
		goesOnUntil: apartMs < FAR_APART_MS ? now : Math.min(endsAt, now + apartMs / 2),
		turnUntil: Math.min(waitsUntil, now + (apartMs || MINUTE_MS) - BEFORE_NEXT_MS),
		waitsUntil,
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
