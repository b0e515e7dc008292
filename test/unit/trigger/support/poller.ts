import {
	firstState,
	mustOutlast,
	nextQuery,
	withPage,
} from '../../../../nodes/ContactTaskCrm/trigger/reading';
import type { TriggerState } from '../../../../nodes/ContactTaskCrm/trigger/state';
import { savedState } from '../../../../nodes/ContactTaskCrm/trigger/state';
import type { Happening, Watch } from '../../../../nodes/ContactTaskCrm/trigger/watch';
import { pageOf } from '../../../../nodes/ContactTaskCrm/transport/paging';
import type { Tenant } from './tenant';

interface UnderWay {
	startedAt: number;
	state: TriggerState;
	happenings: Happening[];
	pages: number;
	served: Array<Record<string, unknown>>;
}

/** What is told to whoever watches the watcher. */
export interface Listener {
	/** Before the first page of a poll is read. */
	onStart?: () => void;
	/** A poll has ended well: what it handed over, and the records it had seen. */
	onHandOver?: (happenings: Happening[], served: UnderWay['served'], state: TriggerState) => void;
	/** n8n has written to its database what is remembered. */
	onSave?: () => void;
	/** n8n was killed: what was not written is forgotten. */
	onKill?: () => void;
	/** n8n was killed after it had run what was handed over, and before it had written that. */
	onUnwritten?: (happenings: Happening[]) => void;
}

/** Polls one page at a time, with memory and database as n8n keeps them. */
export class Poller {
	/** What n8n's process holds, and what its database holds. */
	private memory: TriggerState | undefined;

	private database: string | undefined;

	/** What the database held before the poll that was the last to end, if that one was written. */
	private unwritten: { database: string | undefined; happenings: Happening[] } | undefined;

	private underWay: UnderWay | undefined;

	requests = 0;

	/** When the first poll began that ended well: n8n activates no workflow whose first poll fails. */
	activatedAt: number | undefined;

	constructor(
		private readonly tenant: Tenant,
		private readonly watch: Watch,
		private readonly maxRequests: number,
		private readonly listener: Listener,
	) {}

	get state(): TriggerState | undefined {
		return this.memory;
	}

	/**
	 * Reads one page; hands over where that was the last one of the poll.
	 *
	 * @returns whether a poll has ended, and whether it read all it wanted
	 */
	page(): 'reading' | 'cut' | 'done' {
		const { tenant, watch } = this;
		if (!this.underWay) this.listener.onStart?.();
		const poll = (this.underWay ??= {
			startedAt: tenant.now,
			state: this.memory ?? firstState(watch),
			happenings: [],
			pages: 0,
			served: [],
		});
		const page = pageOf(tenant.answer(watch.path, nextQuery(watch, poll.state)));
		if (!page) throw new Error('The answer is no page');
		this.requests++;
		const served = { ...page, servedAt: tenant.servedAt };
		const step = withPage(watch, poll.state, served, tenant.now);
		poll.state = step.state;
		poll.happenings.push(...step.happenings);
		poll.served.push(...(page.members as UnderWay['served']));
		poll.pages++;
		if (!step.isDone && poll.pages < this.maxRequests) return 'reading';
		this.handOver(poll);
		return step.isDone ? 'done' : 'cut';
	}

	/** The page that is read next fails, and with it the poll. */
	fail(): void {
		this.underWay = undefined;
	}

	/** n8n is killed and started again: it knows what its database holds. */
	kill(): void {
		this.underWay = undefined;
		this.unwritten = undefined;
		this.memory =
			this.database === undefined
				? undefined
				: savedState(JSON.parse(this.database), this.watch.key);
		this.listener.onKill?.();
	}

	/** n8n is killed between running what the last poll handed over and writing what is remembered. */
	crash(): void {
		if (!this.unwritten || !this.listener.onUnwritten) return;
		// Without the clock of the service, what came before the end of the first read may be old.
		const { database, happenings } = this.unwritten;
		const rest = database === undefined ? undefined : (JSON.parse(database) as TriggerState);
		const isFirstRead = !rest?.isComplete || rest.isSettled !== this.memory?.isSettled;
		if (this.tenant.servedAt === undefined && isFirstRead) return;
		this.database = database;
		this.listener.onUnwritten(happenings);
		this.kill();
	}

	/** Polls until the whole list was read several times from beginning to end. */
	settle(): void {
		this.fail();
		const { number } = this.memory?.sweep ?? { number: 0 };
		// With peeks, a poll reads one page of the sweep.
		const isRead = () => this.memory?.phase !== 'peek' || this.memory.sweep.number > number + 2;
		for (let done = 0; done < 8 || !isRead(); ) {
			if (this.page() === 'done') done++;
			if (this.requests > 100_000) throw new Error('The sweeps do not end');
		}
	}

	private handOver({ state, happenings, served, startedAt }: UnderWay): void {
		const before = this.memory;
		this.activatedAt ??= startedAt;
		this.underWay = undefined;
		this.unwritten = undefined;
		this.memory = state;
		this.listener.onHandOver?.(happenings, served, state);
		// As n8n does: on activation, and when something is handed over, be it empty.
		if (before && happenings.length === 0 && !mustOutlast(before, state)) return;
		// The first poll is part of the activation, which fails where it is not written.
		if (before) this.unwritten = { database: this.database, happenings };
		this.database = JSON.stringify(state);
		this.listener.onSave?.();
	}
}
