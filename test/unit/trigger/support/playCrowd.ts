/* eslint-disable @n8n/community-nodes/no-restricted-globals -- n8n polls by timers, here in virtual time */
import type { CrmTenant } from './crmTenant';
import type { Outcome, Span } from './diary';
import { Diary } from './diary';
import type { CrowdSchedule, MemberPlan } from './drawCrowd';
import { shareOf } from './drawCrowd';
import { endOf, haveDone, haveTroubles } from './happen';
import { closeTenant, inVirtualTime, openTenant, OpenTrigger } from './openTenant';
import type { Round } from './schedule';
import { MINUTE_MS } from './schedule';
import { World } from './world';

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The results of a crowd. */
export interface CrowdOutcome {
	crowd: CrowdSchedule;
	/** Outcome of each trigger. */
	outcomes: Outcome[];
	/** Times of requests within the limit. */
	admittedAt: readonly number[];
	/** Times of publishing. The first request of a new trigger waits like a request of a run, not like a poll. */
	publications: Span[];
	/** Times when the service refused. */
	outages: Span[];
}

/** Readings of a list until a trigger has seen all changes. */
const PASSES = 5;

let played = 0;

/** Plays a crowd. */
export async function playCrowd(crowd: CrowdSchedule): Promise<CrowdOutcome> {
	const tenant = openTenant(crowd.workflows[0].habits);
	try {
		return await inVirtualTime(new CrowdStage(tenant, crowd).live());
	} finally {
		closeTenant();
	}
}

/** A trigger of the crowd, with its plan. */
interface Member extends Pick<MemberPlan, 'phaseMs' | 'restarts' | 'publishedAfter'> {
	diary: Diary;
	intervalMs: number;
	isPublished: boolean;
}

/** A tenant and its triggers during a crowd. */
class CrowdStage {
	private readonly worlds: World[] = [];

	private readonly members: Member[];

	private readonly publications: Span[] = [];

	private readonly outages: Span[] = [];

	private readonly refusals = { refused: 0, tooMany: 0 };

	/** Time after which no poll begins. */
	private until = Infinity;

	constructor(
		private readonly tenant: CrmTenant,
		private readonly crowd: CrowdSchedule,
	) {
		const { workflows, members, limit, pollBudgetMs } = crowd;
		for (const one of workflows) this.worlds.push(new World(tenant, one, this.worlds));
		const apiKey = `key of crowd ${++played}`;
		this.members = members.map(({ of, phaseMs, publishedAfter, restarts }): Member => {
			const [world, workflow] = [this.worlds[of], workflows[of]];
			const { host, maxRequests, intervalMinutes, lives } = workflow;
			const setup = { requestsPerMinute: limit, host, apiKey, pollBudgetMs };
			const [life] = lives;
			const own = { begins: life.begins, rounds: life.rounds.map((one) => ({ ...one, restarts })) };
			const schedule = { ...workflow, lives: [own] };
			const requestsPerPoll = Math.min(maxRequests, shareOf(limit) / members.length);
			const trigger = new OpenTrigger(tenant, world.parameters, setup);
			const diary = new Diary(trigger, world, schedule, { requestsPerPoll });
			const intervalMs = intervalMinutes * MINUTE_MS;
			return { diary, intervalMs, phaseMs, publishedAfter, restarts, isPublished: false };
		});
	}

	async live(): Promise<CrowdOutcome> {
		const { crowd, members, tenant, publications, outages } = this;
		const roundsOf = crowd.workflows.map(({ lives }) => lives[0].rounds);
		for (const index of roundsOf[0].keys()) {
			await this.go(
				roundsOf.map((rounds) => rounds[index]),
				index,
			);
		}
		for (const { outcome } of members.map(({ diary }) => diary)) {
			outcome.records = tenant.ledger(outcome.world.path);
		}
		const outcomes = members.map(({ diary }) => diary.outcome);
		return { crowd, outcomes, admittedAt: tenant.admittedAt, publications, outages };
	}

	/** @param rounds changes in the world of each workflow; the troubles of the first affect all */
	private async go(rounds: Round[], index: number): Promise<void> {
		const { tenant, members, refusals } = this;
		const [round] = rounds;
		const from = tenant.now;
		rounds.forEach((one, which) => haveDone(tenant, one, (deed) => this.worlds[which].act(deed)));
		haveTroubles(tenant, round, (as) => {
			refusals.refused++;
			if (as === 429) refusals.tooMany++;
			return true;
		});
		this.outages.push(
			...round.outages.map((one) => ({ from: from + one.from, to: from + one.to })),
		);
		this.until = Infinity;
		// A trigger that is not published in the first round joins in the next one.
		const isDue = ({ publishedAfter }: Member) => index > 0 || publishedAfter === undefined;
		let before = Promise.resolve();
		const lives = members.filter(isDue).map(async (member) => {
			if (!member.isPublished) {
				if (index > 0) await sleep(member.publishedAfter ?? 0);
				await (before = before.then(async () => await this.publish(member)));
			}
			await this.keepPolling(member);
		});
		await this.passTo(from + endOf(round));
		await before;
		await this.passTo(tenant.now + this.settleMs());
		this.until = tenant.now;
		await Promise.all(lives);
		tenant.failure = undefined;
		for (const { diary } of members.filter(isDue)) {
			diary.endRound(from, tenant.now, round);
		}
	}

	/** Publishes a workflow, and repeats that until it succeeds. */
	private async publish(member: Member): Promise<void> {
		const { tenant, publications } = this;
		while (!member.isPublished) {
			const from = tenant.now;
			member.isPublished = await this.poll(member);
			publications.push({ from, to: tenant.now });
			await sleep(5_000);
		}
	}

	/** Polls once in each interval. n8n begins no poll while another one is under way. */
	private async keepPolling(member: Member): Promise<void> {
		const { tenant } = this;
		const { intervalMs, phaseMs, restarts, diary } = member;
		for (let count = 0; ; count++) {
			const last = Math.floor((tenant.now - phaseMs) / intervalMs);
			await sleep((last + 1) * intervalMs + phaseMs - tenant.now);
			if (tenant.now >= this.until) return;
			await this.poll(member);
			const restart = restarts.find(({ afterPoll }) => afterPoll === count);
			if (restart) diary.restart(restart.how, tenant.now);
		}
	}

	/** @returns whether the poll belongs to a published workflow */
	private async poll({ diary, isPublished }: Member): Promise<boolean> {
		const { tenant, refusals } = this;
		const [from, sent, before] = [tenant.now, tenant.requests.length, { ...refusals }];
		const end = await diary.trigger.begin();
		if (end.failure && !isPublished) return false;
		diary.note(
			{
				from,
				to: tenant.now,
				// Requests of all triggers, because any of them may read the page that this one waits for.
				requests: tenant.requests.length - sent,
				refused: refusals.refused - before.refused,
				tooMany: refusals.tooMany - before.tooMany,
			},
			end,
		);
		return true;
	}

	/** Lets time pass until then, and makes scheduled changes on the way. */
	private async passTo(at: number): Promise<void> {
		const { tenant } = this;
		while (tenant.now < at) {
			await sleep(Math.min(MINUTE_MS, at - tenant.now));
			tenant.passTo(tenant.now);
		}
	}

	/** Returns the time until each trigger has seen all changes. */
	private settleMs(): number {
		const { tenant, members } = this;
		const times = members.map(({ diary: { outcome }, intervalMs }) => {
			const { schedule, world, requestsPerPoll } = outcome;
			const size = tenant.present(world.path).length;
			const pages = Math.ceil(size / schedule.habits.mostPerPage);
			const beside = schedule.watch === 'segment' ? 4 : 2;
			return (Math.ceil((PASSES * (pages + beside)) / requestsPerPoll) + 15) * intervalMs;
		});
		return Math.max(...times);
	}
}
