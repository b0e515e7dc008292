import type { IExecuteData, IExecuteSingleFunctions, Logger } from 'n8n-workflow';
import type { Cancellation, Unsubscribe } from './cancellation';
import { OnceCallbacks } from './cancellation';
import type { Clock } from './clock';
import { systemClock } from './clock';
import { progressText } from './progress';
import { Cancelled } from './requestErrors';
import type { TenantLimiter } from './tenantLimiter';

/** How often a run that waits says how far it is. */
const PROGRESS_INTERVAL_MS = 60_000;

/** So many items begin at a stretch: thousands at once would block the process of other workflows. */
const ITEMS_AT_A_TIME = 500;

/** How an item ended: with its result, or without; "uncertain" where it may have taken effect all the same. */
export type ItemEnd = 'done' | 'failed' | 'notSent' | 'uncertain';

/** How the items of a run ended, for the message of the one that stopped it. */
export interface Tally {
	total: number;
	done: number;
	/** Items of which nothing took effect, because the run was stopped before. */
	notSent: number;
	/** Items of which it is not known whether they took effect. */
	uncertain: number;
}

/** Adds how the items of the run ended, so that the user knows what to run again. */
export function withTally<T extends Error>(
	error: T,
	{ total, done, notSent, uncertain }: Tally,
): T {
	if (total <= 1) return error;
	const unknown = uncertain > 0 ? `, ${uncertain} may have taken effect` : '';
	error.message += ` (${done} of ${total} items done, ${notSent} not sent${unknown})`;
	return error;
}

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

	/** Sends nothing more; what is under way takes its course. */
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

/** Runs by what the engine hands to every item of the same run. */
const runs = new WeakMap<IExecuteData, NodeRun>();

/** The run that an item belongs to; the first item of a run begins it. */
export function runOf(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const known = runs.get(executeData);
	if (known?.continuesWith(context.getItemIndex())) return known;

	const run = new NodeRun({
		clock: systemClock,
		total: totalOf(context, executeData),
		mustBeWhole: !context.continueOnFail() && !isBatched(context),
		signal: context.getExecutionCancelSignal(),
		logger: context.logger,
	});
	runs.set(executeData, run);
	return run;
}

/** How many items the engine goes through: with "Execute Once" the first alone of those it was given. */
function totalOf(
	context: IExecuteSingleFunctions,
	{ data: { main, ai_tool: tool } }: IExecuteData,
): number | undefined {
	const given = (main ?? tool)?.[0]?.length;
	return given !== undefined && context.getNode().executeOnce ? Math.min(given, 1) : given;
}

/** With batches of the user's, the engine pauses while it builds the items. */
function isBatched(context: IExecuteSingleFunctions): boolean {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchInterval?: number } };
	};
	return (batching?.batch?.batchInterval ?? 0) > 0;
}
