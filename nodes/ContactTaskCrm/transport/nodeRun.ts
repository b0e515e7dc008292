import type { Logger } from 'n8n-workflow';
import type { Cancellation, Unsubscribe } from './cancellation';
import { OnceCallbacks } from './cancellation';
import type { Clock } from './clock';
import { progressText } from './progress';
import { Cancelled } from './requestErrors';
import type { ItemEnd, Tally } from './tally';
import type { TenantLimiter } from './tenantLimiter';

/** How often a run that waits says how far it is. */
const PROGRESS_INTERVAL_MS = 60_000;

/** So many items begin at a stretch: thousands at once would block the process of other workflows. */
const ITEMS_AT_A_TIME = 500;

export interface NodeRunOptions {
	clock: Clock;
	/** Items the run should have, or undefined where that cannot be told. */
	total?: number;
	/** Whether nothing may be sent unless every item was built. */
	mustBeWhole: boolean;
	/** The signal that the execution was cancelled. */
	signal?: AbortSignal;
	logger?: Logger;
}

/**
 * The items of one run of a node. The engine starts every item at once and waits for all of them,
 * so it is up to us that nothing is sent before the run is completely built, and that nothing more
 * is sent once an item has failed and the run is to stop.
 */
export class NodeRun implements Cancellation {
	private readonly counts = { joined: 0, done: 0, failed: 0, notSent: 0, uncertain: 0 };

	private lastItem = -1;

	private readonly whenStopped = new OnceCallbacks();

	private readonly whenCancelled = new OnceCallbacks();

	private isStopped = false;

	private readonly limiters = new Set<TenantLimiter>();

	private readonly whenBuilt: Promise<void>;

	private begunItems = 0;

	/** When the next items may begin. */
	private turn = Promise.resolve();

	private whenAllEnded: Array<() => void> = [];

	/** Present while items are under way: ends the reports of progress. */
	private reports?: AbortController;

	private readonly cancel = () => {
		this.stop();
		this.whenCancelled.call();
	};

	constructor(private readonly options: NodeRunOptions) {
		// The engine builds all items without a pause, so the next macrotask finds the run built.
		this.whenBuilt = options.clock.sleep(0).then(() => {
			if (this.isBroken) this.stop();
		});
	}

	/** Whether the engine gave up while it built the items, and takes no results or rejections. */
	get isBroken(): boolean {
		const { mustBeWhole, total } = this.options;
		return mustBeWhole && total !== undefined && this.counts.joined < total;
	}

	/** Whether the user cancelled the execution. */
	get isCancelled(): boolean {
		return this.options.signal?.aborted ?? false;
	}

	/** Items that the run has, as far as that is known. */
	get size(): number {
		return this.options.total ?? this.counts.joined;
	}

	/** Whether an item belongs to this run: the engine goes through the items once and in order. */
	continuesWith(itemIndex: number): boolean {
		return itemIndex > this.lastItem;
	}

	join(itemIndex: number): void {
		this.lastItem = itemIndex;
		if (this.allEnded) this.begun();
		this.counts.joined++;
	}

	/**
	 * Waits until the run is built.
	 *
	 * @throws Cancelled when the run was stopped
	 */
	async begin(): Promise<void> {
		await this.whenBuilt;
		const { turn } = this;
		if (++this.begunItems % ITEMS_AT_A_TIME === 0) {
			this.turn = turn.then(async () => await this.options.clock.sleep(0));
		}
		await turn;
		this.throwIfStopped();
	}

	throwIfStopped(): void {
		if (this.isStopped) throw new Cancelled();
	}

	onStop(callback: () => void): Unsubscribe {
		return this.whenStopped.add(callback);
	}

	onCancel(callback: () => void): Unsubscribe {
		return this.whenCancelled.add(callback);
	}

	uses(limiter: TenantLimiter): void {
		this.limiters.add(limiter);
		if (this.isStopped) limiter.cancel(this);
	}

	/** Sends nothing more; what is under way has some seconds left to be answered. */
	stop(): void {
		if (this.isStopped) return;
		this.isStopped = true;
		for (const limiter of this.limiters) limiter.cancel(this);
		this.whenStopped.call();
	}

	/** An item has ended. */
	end(how: ItemEnd): void {
		this.counts[how]++;
		if (!this.allEnded) return;
		this.options.signal?.removeEventListener('abort', this.cancel);
		this.reports?.abort();
		for (const resolve of this.whenAllEnded.splice(0)) resolve();
	}

	/** How the run ended, once every item has. */
	async tally(): Promise<Tally> {
		if (!this.allEnded) await new Promise<void>((resolve) => this.whenAllEnded.push(resolve));
		const { joined, done, failed, uncertain } = this.counts;
		const total = this.options.total ?? joined;
		return { total, done, notSent: total - done - failed - uncertain, uncertain };
	}

	private get allEnded(): boolean {
		const { joined, done, failed, notSent, uncertain } = this.counts;
		return done + failed + notSent + uncertain === joined;
	}

	/** With batches set by the user, items may join again after all have ended. */
	private begun(): void {
		if (this.isCancelled) this.cancel();
		else this.options.signal?.addEventListener('abort', this.cancel, { once: true });
		void this.reportProgress();
	}

	private async reportProgress(): Promise<void> {
		const { clock, logger, total } = this.options;
		if (!logger) return;
		const reports = new AbortController();
		this.reports = reports;
		const startedAt = clock.now();
		for (;;) {
			await clock.sleep(PROGRESS_INTERVAL_MS, reports.signal);
			if (reports.signal.aborted) return;
			const { joined, done, failed } = this.counts;
			const ended = done + failed;
			logger.info(progressText(ended, total ?? joined, clock.now() - startedAt));
		}
	}
}
