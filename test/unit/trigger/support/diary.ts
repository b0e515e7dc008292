import type { IDataObject } from 'n8n-workflow';
import type { Kept } from './crmTenant';
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

/** What a poll did, and when. */
export interface Polled {
	from: number;
	to: number;
	requests: number;
	refused: number;
	/** Of those, the ones for which the service said that there were too many. */
	tooMany: number;
	/** How many items started the workflow; null without an execution. */
	items: number | null;
	failure: string | undefined;
	/** Whether it was the first after n8n was killed. */
	isFresh: boolean;
}

/** From when until when something was so. */
export interface Span {
	from: number;
	to: number;
}

/** What a life of the trigger came to. */
export interface Outcome {
	schedule: Schedule;
	world: World;
	/** All that the list ever held. */
	records: readonly Kept[];
	deliveries: Delivery[];
	polls: Polled[];
	/** When each round began and ended: at its end, everything in it must have been seen. */
	rounds: Span[];
	/** Between these, n8n forgot: from when it last saved until it was killed. */
	forgot: Span[];
	/** When lists showed a part of their records alone. */
	shortages: Span[];
	/** Requests that each poll can count on, whoever else polls. */
	requestsPerPoll: number;
	/** Whether it is not the first life. */
	isLater: boolean;
	/** Whether it began with a saved state that cannot be read. */
	isDamaged: boolean;
	/** What went wrong on the way into this life. */
	wrongs: string[];
}

/** All that was played by now. */
export const tally = { polls: 0, items: 0 };

/** Writes down what a trigger does in a life. */
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

	/** Ends a round that began at some time, for the trigger when it was published. */
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
