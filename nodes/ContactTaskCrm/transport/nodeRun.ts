import type { IExecuteData, IExecuteSingleFunctions } from 'n8n-workflow';
import type { Clock } from './clock';
import { systemClock } from './clock';
import type { Cancellation } from './connection';
import { Cancelled } from './requestErrors';
import type { TenantLimiter } from './tenantLimiter';

/** How the items of a run ended, for the message of the one that stopped it. */
export interface Tally {
	total: number;
	done: number;
	/** Items of which nothing took effect, because the run was stopped before. */
	notSent: number;
}

/** Adds how the rest of the run ended, so that the user knows what to run again. */
export function withTally<T extends Error>(error: T, { total, done, notSent }: Tally): T {
	if (total > 1) error.message += ` (${done} of ${total} items done before, ${notSent} not sent)`;
	return error;
}

/**
 * The items of one run of a node. The engine starts every item at once and waits for all of them,
 * so it is up to us that nothing is sent before the run is completely built, and that nothing more
 * is sent once an item has failed and the run is to stop.
 */
export class NodeRun implements Cancellation {
	private readonly counts = { joined: 0, done: 0, failed: 0, notSent: 0 };

	private lastItem = -1;

	private isStopped = false;

	private readonly limiters = new Set<TenantLimiter>();

	private readonly whenBuilt: Promise<void>;

	private whenAllEnded: Array<() => void> = [];

	private announceStop: () => void = () => {};

	readonly cancelled = new Promise<void>((resolve) => {
		this.announceStop = resolve;
	});

	/**
	 * @param total items the run should have, or undefined where that cannot be told
	 * @param mustBeWhole whether nothing may be sent unless every item was built
	 */
	constructor(
		clock: Clock,
		private readonly total: number | undefined,
		private readonly mustBeWhole: boolean,
	) {
		// The engine builds all items without a pause, so the next macrotask finds the run built.
		this.whenBuilt = clock.sleep(0).then(() => {
			if (this.isBroken) this.stop();
		});
	}

	/** Whether the engine gave up while it built the items, and takes no results or rejections. */
	get isBroken(): boolean {
		return this.mustBeWhole && this.total !== undefined && this.counts.joined < this.total;
	}

	/** Whether an item belongs to this run: the engine goes through the items once and in order. */
	continuesWith(itemIndex: number): boolean {
		return itemIndex > this.lastItem;
	}

	join(itemIndex: number): void {
		this.lastItem = itemIndex;
		this.counts.joined++;
	}

	/**
	 * Waits until the run is built.
	 *
	 * @throws Cancelled when the run was stopped
	 */
	async begin(): Promise<void> {
		await this.whenBuilt;
		this.throwIfCancelled();
	}

	throwIfCancelled(): void {
		if (this.isStopped) throw new Cancelled();
	}

	uses(limiter: TenantLimiter): void {
		this.limiters.add(limiter);
	}

	/** Sends nothing more; what is on its way takes its course. */
	stop(): void {
		if (this.isStopped) return;
		this.isStopped = true;
		this.announceStop();
		for (const limiter of this.limiters) limiter.cancel(this);
	}

	/** An item has ended: done, failed, or cancelled before anything of it took effect. */
	end(how: 'done' | 'failed' | 'notSent'): void {
		this.counts[how]++;
		if (!this.allEnded) return;
		for (const resolve of this.whenAllEnded.splice(0)) resolve();
	}

	private get allEnded(): boolean {
		const { joined, done, failed, notSent } = this.counts;
		return done + failed + notSent === joined;
	}

	/** How the run ended, once every item has. */
	async tally(): Promise<Tally> {
		if (!this.allEnded) await new Promise<void>((resolve) => this.whenAllEnded.push(resolve));
		const { joined, done, failed } = this.counts;
		const total = this.total ?? joined;
		return { total, done, notSent: total - done - failed };
	}
}

/** Runs by what the engine hands to every item of the same run. */
const runs = new WeakMap<IExecuteData, NodeRun>();

/** The run that an item belongs to; the first item of a run begins it. */
export function runOf(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const known = runs.get(executeData);
	if (known?.continuesWith(context.getItemIndex())) return known;

	const run = new NodeRun(
		systemClock,
		totalOf(context, executeData),
		!context.continueOnFail() && !isBatched(context),
	);
	const cancelled = context.getExecutionCancelSignal();
	if (cancelled?.aborted) run.stop();
	else cancelled?.addEventListener('abort', () => run.stop(), { once: true });
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
