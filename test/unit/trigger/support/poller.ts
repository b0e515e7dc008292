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
}

/** Polls one page at a time, with memory and database as n8n keeps them. */
export class Poller {
	/** What n8n's process holds, and what its database holds. */
	private memory: TriggerState | undefined;

	private database: string | undefined;

	private underWay: UnderWay | undefined;

	requests = 0;

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
			state: this.memory ?? firstState(watch),
			happenings: [],
			pages: 0,
			served: [],
		});
		const page = pageOf(tenant.answer(watch.path, nextQuery(watch, poll.state)));
		if (!page) throw new Error('The answer is no page');
		this.requests++;
		const step = withPage(watch, poll.state, page, tenant.now);
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
		this.memory =
			this.database === undefined
				? undefined
				: savedState(JSON.parse(this.database), this.watch.key);
		this.listener.onKill?.();
	}

	/** Polls until the whole list was read several times from beginning to end. */
	settle(): void {
		this.fail();
		for (let done = 0; done < 8; ) {
			if (this.page() === 'done') done++;
			if (this.requests > 100_000) throw new Error('The sweeps do not end');
		}
	}

	private handOver({ state, happenings, served }: UnderWay): void {
		const before = this.memory;
		this.underWay = undefined;
		this.memory = state;
		this.listener.onHandOver?.(happenings, served, state);
		// As n8n does: on activation, and when something is handed over, be it empty.
		if (before && happenings.length === 0 && !mustOutlast(before, state)) return;
		this.database = JSON.stringify(state);
		this.listener.onSave?.();
	}
}
