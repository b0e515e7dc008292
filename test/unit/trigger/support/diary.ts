import type { IDataObject } from 'n8n-workflow';
import type { Kept } from './ledger';
import type { OpenTrigger, PollEnd } from './openTenant';
import type { Restart, Round, Schedule } from './schedule';
import type { World } from './world';

/** An item that started the workflow. */
export interface Delivery {
	round: number;
	at: number;
	event: string;
	id: string;
	json: IDataObject;
}

/** The results of a poll, and its time. */
export interface Polled {
	from: number;
	to: number;
	requests: number;
	refused: number;
	/** Requests among them that exceeded the limit. */
	tooMany: number;
	/** Number of items that started the workflow; null without an execution. */
	items: number | null;
	failure: string | undefined;
	/** Whether it was the first poll after n8n was killed. */
	isFresh: boolean;
}

/** A span of time. */
export interface Span {
	from: number;
	to: number;
}

/** The results of one life of the trigger, from one beginning to the next. */
export interface Outcome {
	schedule: Schedule;
	world: World;
	/** All records that the list ever had. */
	records: readonly Kept[];
	deliveries: Delivery[];
	polls: Polled[];
	/** Beginning and end of each round of the schedule. At its end, the trigger must have seen all changes. */
	rounds: Span[];
	/** Times that n8n forgot: from its last save until it was killed. */
	forgot: Span[];
	/** Times when lists showed only a part of their records. */
	shortages: Span[];
	/** Requests that each poll can count on, even if other triggers poll. */
	requestsPerPoll: number;
	/** Whether it is a later life than the first. */
	isLater: boolean;
	/** Whether it began with an unreadable saved state. */
	isDamaged: boolean;
	/** Deviations from README.md while the trigger lost its knowledge before this life. */
	wrongs: string[];
}

/** Total of all polls and items so far. */
export const tally = { polls: 0, items: 0 };

/** Records the events in a life of a trigger. */
export class Diary {
	readonly outcome: Outcome;

	private saved = 0;

	private isFresh = false;

	constructor(
		readonly trigger: OpenTrigger,
		world: World,
		schedule: Schedule,
		others: Partial<Outcome> = {},
	) {
		this.outcome = {
			schedule,
			world,
			records: [],
			deliveries: [],
			polls: [],
			rounds: [],
			forgot: [],
			shortages: [],
			requestsPerPoll: schedule.maxRequests,
			isLater: false,
			isDamaged: false,
			wrongs: [],
			...others,
		};
	}

	/** Ends a round that began at some time. For the trigger, the first round begins when it was published. */
	endRound(from: number, to: number, { shortages }: Round): void {
		const { outcome } = this;
		outcome.rounds.push({ from: Math.max(from, outcome.polls[0].from), to });
		const short = shortages.map((one) => ({ from: from + one.from, to: from + one.to }));
		outcome.shortages.push(...short);
	}

	restart(how: Restart['how'], now: number): void {
		this.trigger[how]();
		this.isFresh = how === 'kill';
		this.outcome.forgot.push({ from: this.saved, to: now });
	}

	note(poll: Omit<Polled, 'items' | 'failure' | 'isFresh'>, { items, failure }: PollEnd): void {
		const { outcome, isFresh } = this;
		const { host } = outcome.schedule;
		const at = poll.to;
		const isSaved = host === 'durableCursors' && !failure;
		if (items !== null || isSaved || outcome.polls.length === 0) this.saved = at;
		if (host === 'scheduler') outcome.forgot.push({ from: this.saved, to: at });
		outcome.polls.push({
			...poll,
			items: items && items.length,
			failure: failure?.message,
			isFresh,
		});
		this.isFresh = false;
		tally.polls++;
		tally.items += items?.length ?? 0;
		const round = outcome.rounds.length;
		for (const json of items ?? []) {
			const [event, id] = [String(json.event), String(json.id)];
			outcome.deliveries.push({ round, at, event, id, json });
		}
	}
}
