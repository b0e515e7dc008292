import type { Outcome } from './diary';
import { Diary } from './diary';
import { endOf, haveDone, haveTroubles } from './happen';
import { closeTenant, openTenant, OpenTrigger } from './openTenant';
import type { Life, Round, Schedule } from './schedule';
import { DAMAGES, MINUTE_MS } from './schedule';
import type { CrmTenant } from './crmTenant';
import { World } from './world';

/**
 * Returns enough polls to read a list several times. If equal records change places, a page may show any of them, so
 * the list must be read far more often. In a segment, each member who is gone takes further requests.
 */
function pollsToSee({ habits, maxRequests, watch }: Schedule, size: number, gone: number): number {
	const { order, shufflesTies, mostPerPage } = habits;
	const isDrawn = order === 'none' || shufflesTies;
	const passes = isDrawn ? 15 * Math.log(size + 10) : 8;
	const pages = Math.ceil(size / mostPerPage) + (watch === 'segment' ? 5 : 3);
	const singly = watch === 'segment' ? 3 * gone : 0;
	return Math.ceil((passes * pages + singly) / maxRequests) + 15;
}

let played = 0;

/** Plays a schedule. Returns the outcome of each life of the trigger. */
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

/** A tenant and its triggers during a schedule. */
class Stage {
	private readonly world: World;

	private readonly trigger: OpenTrigger;

	private readonly companion: OpenTrigger | undefined;

	private next: number;

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
		const { schedule, world, trigger, tenant } = this;
		const wrongs = await this.begin(begins);
		const isLater = begins.as !== 'published';
		const isDamaged = begins.as === 'damaged';
		const diary = new Diary(trigger, world, schedule, { isLater, isDamaged, wrongs });
		for (const round of rounds) await this.go(round, diary);
		return { ...diary.outcome, records: structuredClone(tenant.ledger(world.path)) };
	}

	/** Resets the trigger to a state without knowledge. Returns its deviations from README.md on the way. */
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

	private async go(round: Round, diary: Diary): Promise<void> {
		const { tenant, schedule, world } = this;
		const from = tenant.now;
		haveDone(tenant, round, (deed) => world.act(deed));
		haveTroubles(tenant, round, (as) => {
			// A failure to publish a workflow is no failure of the trigger.
			if (diary.outcome.polls.length === 0) return false;
			this.refusals.refused++;
			if (as === 429) this.refusals.tooMany++;
			return true;
		});
		const last = endOf(round);
		let settling = 0;
		for (
			let count = 0;
			settling <= pollsToSee(schedule, tenant.present(world.path).length, round.deeds.length);
			count++
		) {
			await this.poll(diary);
			if (this.next - from > last) settling++;
			const restart = round.restarts.find(({ afterPoll }) => afterPoll === count);
			if (restart) diary.restart(restart.how, tenant.now);
		}
		tenant.failure = undefined;
		diary.endRound(from, tenant.now, round);
	}

	private async poll(diary: Diary): Promise<void> {
		const { tenant, schedule, trigger, companion } = this;
		const sent = tenant.requests.length;
		const from = this.nextPoll();
		this.refusals = { refused: 0, tooMany: 0 };
		const end = await trigger.poll(from);
		const requests = tenant.requests.length - sent;
		diary.note({ from, to: tenant.now, requests, ...this.refusals }, end);
		// The companion's pages are shared. Its items belong to another workflow.
		const companionAt = tenant.now + (schedule.companionAfter ?? 0) * 1000;
		if (companion && companionAt < this.next) await companion.poll(companionAt);
	}
}
