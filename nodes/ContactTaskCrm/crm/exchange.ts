import type { IAllExecuteFunctions } from 'n8n-workflow';
import { withoutKey } from '../http/credential';
import { explain } from '../http/explain';
import { causeText } from '../http/networkErrors';
import type { ApiRequest, Outcome, Sending, ServiceResponse } from '../http/request';
import { mayHaveTakenEffect, retryDecision } from '../http/retry';
import { isUsable, sendOnce } from '../http/send';
import { systemClock } from '../util/clock';
import { rethrow } from '../util/errors';
import {
	LostAnswer,
	RateLimited,
	RunStopped,
	ServiceError,
	TitlesTooOld,
	TooLateToLeave,
} from '../util/failures';
import { quoted } from '../values/text';
import type { Begun } from './newestReads';
import { type Account, completeListOf, type Tenant } from './tenant';

/** An answer of the service. `begun` is the start of the try that got this answer. */
export type Answer = ServiceResponse & { begun: Begun };

/** Sender of a request: the execution, the account, and whether an earlier write of the same client took effect. */
interface Sender {
	context: IAllExecuteFunctions;
	account: Account;
	hasWritten: boolean;
}

/** Maximum time in ms for all tries of a request that gets no answer, because other requests wait behind it. */
const LONGEST_UNANSWERED_MS = 2 * 60_000;

/** One request with all its tries. */
export class Exchange {
	/** Number of tries so far, including the earlier tries of the same write (`triesBefore`). */
	private tries: number;

	/** Whether a try so far may have changed something in the CRM, although it failed. */
	private isUncertain: boolean;

	/** Latest time for an answer or another try, by the clock's `now`. */
	private deadline: number;

	/**
	 * Latest time for a write to leave n8n if it has references that the node looked up by title. Later, a title may
	 * belong to another record. By the clock's `now`.
	 */
	private readonly titlesUntil: number;

	/** Start of the last try. */
	private begun: Begun;

	/** Start of the first try, by the clock's `now`. */
	private firstSentAt?: number;

	/** Outcome of the last try. */
	private last?: Outcome;

	constructor(
		private readonly sender: Sender,
		private readonly request: ApiRequest,
		private readonly sending: Sending,
	) {
		const { deadline = Infinity, triesBefore = 0, titlesUntil = Infinity } = sending;
		this.tries = triesBefore;
		this.isUncertain = triesBefore > 0;
		this.deadline = deadline;
		// If a write may have taken effect, its repetition must be the same write, with the same references. So the age of
		// their titles does not stop a repetition.
		this.titlesUntil = request.method === 'GET' || this.isUncertain ? Infinity : titlesUntil;
		this.begun = this.tenant.writes.begunNow();
	}

	/**
	 * Sends the request, and repeats it if needed, until an answer is usable.
	 *
	 * @throws what `Client.request` throws
	 */
	async run(): Promise<Answer> {
		for (;;) {
			const outcome = await this.submit();
			if (outcome.kind === 'response' && isUsable(outcome))
				return { ...outcome, begun: this.begun };
			await this.waitToRepeat(outcome);
		}
	}

	private get tenant(): Tenant {
		return this.sender.account.tenant;
	}

	/** Sends the request as soon as the limiter gives a slot. Returns the first outcome that is no 429. */
	private async submit(): Promise<Outcome> {
		const { request, sending, tenant, titlesUntil } = this;
		const leavesBy = Math.min(sending.leavesBy ?? Infinity, titlesUntil);
		const job = { ...sending, leavesBy };
		const outcome = await tenant.limiter
			.submit(job, async () => await this.attempt())
			.catch((error: unknown) => {
				if (error instanceof RunStopped) throw this.stopped();
				const isTooLate = error instanceof TooLateToLeave;
				if (isTooLate && systemClock.now() > titlesUntil) throw new TitlesTooOld();
				if (!(error instanceof RateLimited && this.last)) return rethrow(error);
				// The outcome of the last try tells the user more than the lack of a slot for another try.
				throw this.failure(this.last);
			});
		// Drops the cached list of this path, because the write may have changed it. The next lookup reads it again.
		if (request.method !== 'GET') tenant.titleReads.delete(completeListOf(request.path));
		this.tries++;
		return outcome;
	}

	/** Sends the request once. Learns the time of the service's clock from the header Date of the answer. */
	private async attempt(): Promise<Outcome> {
		const { request, sending, sender, deadline } = this;
		const { baseUrl, writes, description } = this.tenant;
		this.firstSentAt ??= systemClock.now();
		this.begun = writes.begunNow();
		sending.onSent?.();
		const route = {
			context: sender.context,
			baseUrl,
			credential: sender.account.credential,
			clock: systemClock,
		};
		const outcome = await sendOnce(request, { ...sending, deadline }, route);
		if (outcome.kind === 'response') {
			sending.onAnswer?.(outcome.headers);
			description.noteDate(outcome.headers.date);
		}
		return outcome;
	}

	/**
	 * Waits until the exchange may send the request again after a failed try.
	 *
	 * @throws ServiceError if the request must not be sent again, or if no time is left for another try
	 * @throws RunStopped if the run was stopped before the answer
	 * @throws LostAnswer if the try may have taken effect, and the caller decides on the repetition (`decidesAgain`)
	 */
	private async waitToRepeat(outcome: Outcome): Promise<void> {
		const { sending } = this;
		const { method } = this.request;
		this.last = outcome;
		this.isUncertain = mayHaveTakenEffect(outcome, method, this.isUncertain);
		if (outcome.kind === 'networkError') {
			if (outcome.code === 'ERR_CANCELED') throw this.stopped();
			const longest = Math.max(LONGEST_UNANSWERED_MS, sending.timeout ?? 0);
			this.deadline = Math.min(this.deadline, (this.firstSentAt ?? Infinity) + longest);
		}
		const { deadline } = this;
		const retries = { retries: this.tries - 1, maxRetries: sending.maxRetries };
		const now = { random: Math.random(), wallTime: systemClock.wallTime() };
		const decision = retryDecision({ outcome, method, ...retries, ...now });
		if (decision.kind === 'final' || systemClock.now() + decision.waitMs > deadline) {
			throw this.failure(outcome);
		}
		this.logRetry(outcome, decision.waitMs);
		await systemClock.sleep(decision.waitMs, sending.signal);
		if (!this.isUncertain || !sending.decidesAgain) return;
		const agoMs = systemClock.now() - this.begun.at;
		const sentAt = systemClock.wallTime() - agoMs + this.tenant.description.clockAheadMs;
		throw new LostAnswer(this.failure(outcome), sentAt, deadline);
	}

	private logRetry(outcome: Outcome, waitMs: number): void {
		const { context, account } = this.sender;
		const { method, path } = this.request;
		const reason = outcome.kind === 'response' ? `HTTP ${outcome.status}` : causeText(outcome);
		const text = `${method} ${path} is sent again in ${Math.ceil(waitMs / 1000)} s: ${reason}`;
		context.logger?.debug(withoutKey(text, account.apiKey));
	}

	private failure(outcome: Outcome): ServiceError {
		const { tries, isUncertain, request, sender } = this;
		return failureOf(sender.account, outcome, request, { tries, isUncertain });
	}

	private stopped(): RunStopped {
		const mayHaveWritten = this.sender.hasWritten || this.isUncertain;
		return new RunStopped(mayHaveWritten ? this.request.subject.noun : undefined);
	}
}

/**
 * Returns the error for a request with an outcome that the node cannot use.
 *
 * @param facts.tries number of tries
 * @param facts.isUncertain whether any try may have taken effect. If absent, only `outcome` decides this
 * @param facts.isFailure whether the answer says that the request failed, although its status means success
 */
export function failureOf(
	{ tenant, apiKey, names }: Account,
	outcome: Outcome,
	request: ApiRequest,
	facts: { tries?: number; isUncertain?: boolean; isFailure?: boolean } = {},
): ServiceError {
	const explained = explain(outcome, request, {
		baseUrl: tenant.baseUrl,
		apiKey,
		...facts,
	});
	// The user chose a name from the credential, but the service's message shows the ID. So the advice says which name
	// stands for the ID.
	const named = names.namesIn(explained.message).map(quoted).join(', ');
	if (named === '') return new ServiceError(explained);
	const check = `The credential gives the ID for ${named}. Check it under Names of Users and Tags`;
	return new ServiceError({ ...explained, advice: `${check}. ${explained.advice}` });
}
