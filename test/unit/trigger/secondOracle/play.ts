/* eslint-disable @n8n/community-nodes/no-restricted-globals -- n8n says by its environment how it saves */
import type { IDataObject } from 'n8n-workflow';
import { closeTenant, openTenant, OpenTrigger } from '../support/openTenant';
import type { Plan, Round } from './plan';
import { World } from './world';

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

/** What a plan came to. */
export interface Outcome {
	plan: Plan;
	world: World;
	deliveries: Delivery[];
	polls: Polled[];
	/** When each round began and ended: at its end, everything in it must have been seen. */
	rounds: Array<{ from: number; to: number }>;
	/** Between these, n8n forgot: from when it last saved until it was killed. */
	forgot: Array<{ from: number; to: number }>;
}

const DURABLE = 'N8N_POLLER_DURABLE_CURSORS_ENABLED';

/** Polls that read a list several times; many times where equals change places, for a page may show any of them. */
function pollsToSee({ habits, maxRequests, watch }: Plan, size: number): number {
	const isDrawn = habits.order === 'none' || habits.shufflesTies;
	const passes = isDrawn ? 15 * Math.log(size + 10) : 10;
	const pages = Math.ceil(size / 30) + (watch === 'segment' ? 5 : 3);
	return Math.ceil((passes * pages) / maxRequests) + 15;
}

let played = 0;

/** Carries a plan out. */
export async function play(plan: Plan): Promise<Outcome> {
	const tenant = openTenant(plan.habits);
	process.env[DURABLE] = String(plan.host === 'durableCursors');
	try {
		const world = new World(tenant, plan);
		const setup = {
			requestsPerMinute: Math.max(20, 4 * plan.maxRequests),
			host: plan.host,
			apiKey: `key of plan ${++played}`,
		};
		const trigger = new OpenTrigger(tenant, world.parameters, setup);
		const { companionAfter } = plan;
		const companion =
			companionAfter === undefined ? undefined : new OpenTrigger(tenant, world.parameters, setup);
		const outcome: Outcome = { plan, world, deliveries: [], polls: [], rounds: [], forgot: [] };
		let [refused, tooMany] = [0, 0];
		let isFresh = false;
		let saved = 0;
		let next = tenant.now;
		const poll = async () => {
			const [sent, at] = [tenant.requests.length, Math.max(next, tenant.now)];
			[refused, tooMany] = [0, 0];
			next = at + plan.intervalMinutes * 60_000;
			const { items, failure } = await trigger.poll(at);
			const isSaved = plan.host === 'durableCursors' && !failure;
			if (items !== null || isSaved || outcome.polls.length === 0) saved = tenant.now;
			if (plan.host === 'scheduler') outcome.forgot.push({ from: saved, to: tenant.now });
			outcome.polls.push({
				from: at,
				to: tenant.now,
				requests: tenant.requests.length - sent,
				refused,
				tooMany,
				items: items && items.length,
				failure: failure && `${failure.message}`,
				isFresh,
			});
			isFresh = false;
			// Its pages are shared; what it starts is another workflow's.
			const isDone = tenant.now + companionAfter! * 1000 < next;
			if (companion && isDone) await companion.poll(tenant.now + companionAfter! * 1000);
			for (const json of items ?? []) {
				const round = outcome.rounds.length;
				outcome.deliveries.push({
					round,
					at: tenant.now,
					event: `${json.event}`,
					id: `${json.id}`,
					json,
				});
			}
		};
		const go = async ({ minutes, deeds, outages, kills }: Round) => {
			const from = tenant.now;
			for (const deed of deeds) tenant.schedule(from + deed.after, () => world.act(deed));
			const last = Math.max(minutes * 60_000, ...outages.map(({ to }) => to));
			tenant.failure = () => {
				const after = tenant.now - from;
				// A workflow that cannot be published is none of the trigger's.
				if (outcome.polls.length === 0) return undefined;
				const now = outages.find((outage) => outage.from <= after && after < outage.to);
				if (!now || tenant.random() >= now.share) return undefined;
				refused++;
				if (now.as === 429) tooMany++;
				return now.as;
			};
			let settling = 0;
			for (let count = 0; settling <= pollsToSee(plan, world.ledger.size); count++) {
				await poll();
				if (next - from > last) settling++;
				if (!kills.includes(count)) continue;
				trigger.kill();
				isFresh = true;
				outcome.forgot.push({ from: saved, to: tenant.now });
			}
			outcome.rounds.push({ from, to: tenant.now });
		};
		for (const round of plan.rounds) await go(round);
		return outcome;
	} finally {
		delete process.env[DURABLE];
		closeTenant();
	}
}
