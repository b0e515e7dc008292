import type { IDataObject } from 'n8n-workflow';
import { closeTenant, openTenant, OpenTrigger } from './openTenant';
import type { Life, Round, Schedule } from './schedule';
import { DAMAGES, MINUTE_MS } from './schedule';
import type { CrmTenant, Kept } from './crmTenant';
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

/** What a life of the trigger came to. */
export interface Outcome {
	schedule: Schedule;
	world: World;
	/** All that the list ever held. */
	records: readonly Kept[];
	deliveries: Delivery[];
	polls: Polled[];
	/** When each round began and ended: at its end, everything in it must have been seen. */
	rounds: Array<{ from: number; to: number }>;
	/** Between these, n8n forgot: from when it last saved until it was killed. */
	forgot: Array<{ from: number; to: number }>;
	/** Whether it is not the first life. */
	isLater: boolean;
	/** What went wrong on the way into this life. */
	wrongs: string[];
}

/** Polls that read a list several times; many times where equals change places, for a page may show any of them. */
function pollsToSee({ habits, maxRequests, watch }: Schedule, size: number): number {
	const { order, shufflesTies, mostPerPage } = habits;
	const isDrawn = order === 'none' || shufflesTies;
	const passes = isDrawn ? 15 * Math.log(size + 10) : 8;
	const pages = Math.ceil(size / mostPerPage) + (watch === 'segment' ? 5 : 3);
	return Math.ceil((passes * pages) / maxRequests) + 15;
}

let played = 0;

/** Carries a schedule out: what each life of the trigger came to. */
export async function play(schedule: Schedule): Promise<Outcome[]> {
	const tenant = openTenant(schedule.habits);
	try {
		const stage = new Stage(tenant, schedule);
		const outcomes: Outcome[] = [];
		for (const life of schedule.lives) outcomes.push(await stage.live(life));
		return outcomes;
	} finally {
		closeTenant();
	}
}

/** A tenant and the triggers on it, while a schedule is carried out. */
class Stage {
	private readonly world: World;

	private readonly trigger: OpenTrigger;

	private readonly companion: OpenTrigger | undefined;

	private next: number;

	private isFresh = false;

	private saved = 0;

	private refusals = { refused: 0, tooMany: 0 };

	constructor(
		private readonly tenant: CrmTenant,
		private readonly schedule: Schedule,
	) {
		this.world = new World(tenant, schedule);
		const { parameters } = this.world;
		const { host, maxRequests, companionAfter } = schedule;
		const requestsPerMinute = Math.max(20, 4 * maxRequests);
		const setup = { requestsPerMinute, host, apiKey: `key of schedule ${++played}` };
		this.trigger = new OpenTrigger(tenant, parameters, setup);
		this.companion =
			companionAfter === undefined ? undefined : new OpenTrigger(tenant, parameters, setup);
		this.next = tenant.now;
	}

	async live({ begins, rounds }: Life): Promise<Outcome> {
		const { schedule, world, tenant } = this;
		const outcome: Outcome = {
			schedule,
			world,
			records: [],
			deliveries: [],
			polls: [],
			rounds: [],
			forgot: [],
			isLater: begins.as !== 'published',
			wrongs: await this.begin(begins),
		};
		for (const round of rounds) await this.go(round, outcome);
		outcome.records = structuredClone(tenant.ledger(world.path));
		return outcome;
	}

	/** Brings the trigger to where it knows nothing; what it does on the way other than README.md says. */
	private async begin(begins: Life['begins']): Promise<string[]> {
		const { trigger, tenant, world } = this;
		const poll = async (expected: string) => {
			const { items, failure } = await trigger.poll(this.nextPoll());
			const seen = failure ? failure.message : items && items.length > 0 ? 'items' : 'nothing';
			return seen.startsWith(expected) ? [] : [`${begins.as}: expected ${expected}, got ${seen}`];
		};
		if (begins.as === 'lost') {
			trigger.damage(() => undefined);
			trigger.kill();
		}
		if (begins.as === 'damaged') {
			trigger.damage(DAMAGES[begins.damage]);
			return [
				...(await poll('nothing')),
				...(await poll('What this trigger remembered cannot be read')),
			];
		}
		if (begins.as === 'elsewhere') {
			const { path, parameters } = world.elsewhere;
			tenant.create(path, { title: 'Old', familyName: 'Old' });
			trigger.publish(parameters);
			const wrongs = [...(await poll('nothing')), ...(await poll('nothing'))];
			trigger.publish(world.parameters);
			tenant.passTo(tenant.now + 2000);
			return wrongs;
		}
		return [];
	}

	private nextPoll(): number {
		const at = Math.max(this.next, this.tenant.now);
		this.next = at + this.schedule.intervalMinutes * MINUTE_MS;
		return at;
	}

	private async go(round: Round, outcome: Outcome): Promise<void> {
		const { tenant, trigger, schedule, world } = this;
		const { minutes, deeds, outages, restarts } = round;
		const from = tenant.now;
		// What happens at the very end of a round is of that round.
		for (const deed of deeds) tenant.schedule(from + 1 + deed.after, () => world.act(deed));
		tenant.failure = (request) => {
			// A workflow that cannot be published is none of the trigger's.
			if (outcome.polls.length === 0) return undefined;
			const after = tenant.now - from;
			const outage = outages.find((one) => one.from <= after && after < one.to);
			if (!outage || tenant.random() >= outage.share) return undefined;
			if (outage.page !== undefined && !request.endsWith(`page=${outage.page}`)) return undefined;
			this.refusals.refused++;
			if (outage.as === 429) this.refusals.tooMany++;
			return outage.as;
		};
		const last = Math.max(minutes * MINUTE_MS, ...outages.map(({ to }) => to));
		let settling = 0;
		for (
			let count = 0;
			settling <= pollsToSee(schedule, tenant.present(world.path).length);
			count++
		) {
			await this.poll(outcome);
			if (this.next - from > last) settling++;
			const restart = restarts.find(({ afterPoll }) => afterPoll === count);
			if (!restart) continue;
			trigger[restart.how]();
			this.isFresh = restart.how === 'kill';
			outcome.forgot.push({ from: this.saved, to: tenant.now });
		}
		tenant.failure = undefined;
		outcome.rounds.push({ from, to: tenant.now });
	}

	private async poll(outcome: Outcome): Promise<void> {
		const { tenant, schedule, trigger, companion } = this;
		const sent = tenant.requests.length;
		const from = this.nextPoll();
		this.refusals = { refused: 0, tooMany: 0 };
		const { items, failure } = await trigger.poll(from);
		const isSaved = schedule.host === 'durableCursors' && !failure;
		if (items !== null || isSaved || outcome.polls.length === 0) this.saved = tenant.now;
		if (schedule.host === 'scheduler') outcome.forgot.push({ from: this.saved, to: tenant.now });
		outcome.polls.push({
			from,
			to: tenant.now,
			requests: tenant.requests.length - sent,
			...this.refusals,
			items: items && items.length,
			failure: failure?.message,
			isFresh: this.isFresh,
		});
		this.isFresh = false;
		for (const json of items ?? []) {
			const round = outcome.rounds.length;
			const [event, id] = [String(json.event), String(json.id)];
			outcome.deliveries.push({ round, at: tenant.now, event, id, json });
		}
		// Its pages are shared; what it starts is another workflow's.
		const companionAt = tenant.now + (schedule.companionAfter ?? 0) * 1000;
		if (companion && companionAt < this.next) await companion.poll(companionAt);
	}
}
