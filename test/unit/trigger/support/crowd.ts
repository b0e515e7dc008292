/* eslint-disable @n8n/community-nodes/no-restricted-globals -- n8n polls by timers, here in virtual time */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { CrmTenant } from './crmTenant';
import type { TriggerSetup } from './openTenant';
import { inVirtualTime, OpenTrigger } from './openTenant';
import { MINUTE_MS } from './schedule';

const sleep = async (ms: number) => await new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A trigger of a crowd, and the results of its polls. */
export class Member {
	readonly items: Array<{ at: number; item: IDataObject }> = [];

	readonly failures: string[] = [];

	constructor(
		readonly trigger: OpenTrigger,
		/** Time from each full interval to n8n's poll. */
		readonly phaseMs: number,
	) {}

	/** Polls once, even if the poll before has not ended. */
	async poll(): Promise<void> {
		const { items, failure } = await this.trigger.begin();
		for (const item of items ?? []) this.items.push({ at: Date.now(), item });
		if (failure) this.failures.push(failure.message);
	}
}

/** Triggers on one credential. Each polls at its own second, at the same time as others. */
export class Crowd {
	readonly members: Member[];

	/** Times of the requests. */
	readonly sentAt: number[] = [];

	constructor(
		private readonly tenant: CrmTenant,
		parameters: INodeParameters[],
		phases: number[],
		setup: TriggerSetup,
		private readonly intervalMs = MINUTE_MS,
	) {
		const answer = tenant.answer.bind(tenant);
		tenant.answer = async (...asked) => {
			this.sentAt.push(tenant.now);
			return await answer(...asked);
		};
		this.members = parameters.map(
			(each, index) => new Member(new OpenTrigger(tenant, each, setup), phases[index]),
		);
	}

	/** Publishes all workflows one after another, and repeats each until it succeeds. */
	async publish(): Promise<void> {
		for (const member of this.members) {
			do {
				member.failures.length = 0;
				await inVirtualTime(Promise.all([member.poll(), sleep(5_000)]));
			} while (member.failures.length > 0);
		}
	}

	/** Polls for some time. `act` runs at the beginning of each interval. */
	async poll(minutes: number, act: (minute: number) => unknown = () => {}): Promise<void> {
		const { tenant, members, intervalMs } = this;
		const from = tenant.now;
		const rounds = Math.ceil((minutes * MINUTE_MS) / intervalMs);
		const pollsOf = async (member: Member) => {
			const polls: Array<Promise<void>> = [];
			for (let round = 0; round < rounds; round++) {
				await sleep(from + round * intervalMs + member.phaseMs - tenant.now);
				polls.push(member.poll());
			}
			await Promise.all(polls);
		};
		const acts = async () => {
			for (let round = 0; round < rounds; round++) {
				act(round);
				await sleep(intervalMs);
			}
		};
		await inVirtualTime(Promise.all([acts(), ...members.map(pollsOf)]));
	}

	/** Returns the most requests within any minute since a time. */
	mostInMinute(since: number): number {
		const times = this.sentAt.filter((at) => at >= since);
		const within = times.map(
			(at, index) => times.slice(index).filter((other) => other < at + MINUTE_MS).length,
		);
		return Math.max(0, ...within);
	}
}
