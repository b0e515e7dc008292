import type { IExecuteData, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { RunStopped } from '../http/errors';
import { Lookups } from '../people/lookups';
import { AsyncCache } from '../tenant/keyed';
import { decryptAccount } from '../tenant/client';
import type { Account } from '../tenant/tenant';
import { previewAccount } from '../tenant/tenant';
import { ExplainedError } from '../util/errors';

/** Items that begin at a stretch. Thousands at once would block other workflows. */
const ITEMS_AT_A_TIME = 500;

/** Time for which items that ask the same share an answer. */
const READ_AGE_MS = 60_000;

/** End of an item; "uncertain" if it has no result, and may have taken effect all the same. */
export type ItemEnd = 'done' | 'failed' | 'notSent' | 'uncertain';

/** Result of an item; "unknown" if nobody knows whether its write took effect. */
type ItemOutcome = INodeExecutionData[] | 'unknown';

/** The node does not send an item again, because it may have taken effect. */
class MayBeDone extends ExplainedError {
	constructor() {
		super(
			'This item is not sent again, since it may have taken effect in the try before',
			'Look for the record in the CRM, and run the items that are missing again. Create or Update can be tried again without harm',
			{ mayHaveTakenEffect: true },
		);
	}
}

/** Facts about a run at its start. */
interface RunOptions {
	/** Number of its items, if the engine tells it. */
	total: number | undefined;
	/** Whether it sends nothing unless the engine built every item. */
	mustBeWhole: boolean;
	/** Whether the node runs as a tool of an AI agent. */
	isTool: boolean;
	/** Whether n8n may try the run again, so that it has to keep the results of its items. */
	mayBeRetried: boolean;
	/** The signal that the user cancelled the execution. */
	cancelled?: AbortSignal | undefined;
}

/**
 * The items of one run of a node, and all that they share. The engine starts every item at once and waits for all of
 * them. So the run itself sends nothing before all parameters are right, and nothing after the failure of an item stops
 * it.
 */
export class Run {
	/** Signal to send nothing more: an item failed, or the user cancelled. */
	readonly signal: AbortSignal;

	/** Time of its start in ms of the clock's `now`. */
	readonly begunAt = systemClock.now();

	private sharedLookups?: Lookups;

	/** Values of people whom a create of this run may have created, in this try or in one before. */
	readonly uncertainCreates: Set<string>;

	/** Answers of about a minute: the service gives no more in it. */
	private readonly reads = new AsyncCache(systemClock, 30);

	private readonly stopped = new AbortController();

	private readonly counts = {
		joined: 0,
		prepared: 0,
		done: 0,
		failed: 0,
		notSent: 0,
		uncertain: 0,
	};

	/** Outcomes of items by index, of this try and of those before. */
	private readonly outcomes: Map<number, ItemOutcome>;

	private lastItem = -1;

	private readonly whenBuilt: Promise<void>;

	private begunItems = 0;

	/** Ends when the next items may begin. */
	private nextBegin = Promise.resolve();

	private whenAllPrepared: Array<() => void> = [];

	private whenAllEnded: Array<() => void> = [];

	private account?: Promise<Account>;

	/** Account of previews. Each of them sees the changes that earlier ones would make. */
	private previewed?: Promise<Account>;

	/** @param before the try before, if n8n tries the run again */
	constructor(
		private readonly options: RunOptions,
		before?: Run,
	) {
		const { cancelled, mayBeRetried } = options;
		const own = this.stopped.signal;
		this.signal = cancelled ? AbortSignal.any([own, cancelled]) : own;
		this.outcomes = new Map(mayBeRetried ? before?.outcomes : []);
		this.uncertainCreates = new Set(mayBeRetried ? before?.uncertainCreates : []);
		// The engine builds all items without a pause, so the next macrotask finds the run built.
		this.whenBuilt = systemClock.sleep(0).then(() => {
			if (this.isBroken) this.stop();
		});
	}

	/** The people that items look for. */
	get lookups(): Lookups {
		return (this.sharedLookups ??= new Lookups());
	}

	/** Whether the engine gave up while it built the items, and takes no results or rejections. */
	get isBroken(): boolean {
		const { mustBeWhole, total } = this.options;
		return mustBeWhole && total !== undefined && this.counts.joined < total;
	}

	get isTool(): boolean {
		return this.options.isTool;
	}

	/** Whether the user cancelled the execution. */
	get isCancelled(): boolean {
		return this.options.cancelled?.aborted ?? false;
	}

	/** Number of its items, or of those so far if the engine does not tell. */
	get size(): number {
		return this.options.total ?? this.counts.joined;
	}

	/** Returns whether an item belongs to this run: the engine goes through the items once and in order. */
	continuesWith(itemIndex: number): boolean {
		return itemIndex > this.lastItem;
	}

	/** Adds an item. If the user set batches, items may join after all others have ended. */
	join(itemIndex: number): void {
		this.lastItem = itemIndex;
		this.counts.joined++;
	}

	/** Decrypts the credential of the node, once for all items. */
	async openAccount(context: IExecuteSingleFunctions): Promise<Account> {
		return await (this.account ??= decryptAccount(context));
	}

	/** Does the same for previews. */
	async openPreview(context: IExecuteSingleFunctions): Promise<Account> {
		return await (this.previewed ??= this.openAccount(context).then(previewAccount));
	}

	/**
	 * Waits until the engine has built all items.
	 *
	 * @throws RunStopped if the run was stopped
	 */
	async built(): Promise<void> {
		await this.whenBuilt;
		if (this.signal.aborted) throw new RunStopped();
	}

	/** Notes that the parameters of an item are right, or that it has ended. */
	prepared(): void {
		this.counts.prepared++;
		if (this.counts.prepared < this.counts.joined) return;
		for (const resolve of this.whenAllPrepared.splice(0)) resolve();
	}

	/**
	 * Waits until the parameters of all items are right.
	 *
	 * @throws RunStopped if the run was stopped
	 */
	async allPrepared(): Promise<void> {
		await this.whenBuilt;
		const { prepared, joined } = this.counts;
		if (prepared < joined) {
			await new Promise<void>((resolve) => this.whenAllPrepared.push(resolve));
		}
		const { nextBegin } = this;
		if (++this.begunItems % ITEMS_AT_A_TIME === 0) {
			this.nextBegin = nextBegin.then(async () => await systemClock.sleep(0));
		}
		await nextBegin;
		if (this.signal.aborted) throw new RunStopped();
	}

	/**
	 * Reads something once for all items with the same question within a minute.
	 *
	 * @returns a copy of the answer for each item
	 */
	async readOnce<T extends object>(question: string, read: () => Promise<T>): Promise<T> {
		const isFirst = !this.reads.isFresh(question, READ_AGE_MS) && !this.reads.isReading(question);
		const answer = await this.reads.get(question, { maxAgeMs: READ_AGE_MS, read });
		return isFirst ? answer : deepCopy(answer);
	}

	/** Sends nothing more. A request under way has some seconds left for its answer. */
	stop(): void {
		this.stopped.abort();
	}

	/**
	 * Returns the result of an item in an earlier try, if it has one. n8n's Retry On Fail hands all items to the node again.
	 *
	 * @throws MayBeDone if its write may have taken effect
	 */
	outcomeBefore(itemIndex: number): INodeExecutionData[] | undefined {
		const outcome = this.outcomes.get(itemIndex);
		if (outcome !== 'unknown') return outcome;
		throw new MayBeDone();
	}

	/** Keeps the outcome of an item, should n8n try the run again. */
	keep(itemIndex: number, outcome: ItemOutcome): void {
		if (this.options.mayBeRetried) this.outcomes.set(itemIndex, outcome);
	}

	/** Counts the end of an item. */
	end(how: ItemEnd): void {
		this.counts[how]++;
		if (!this.allEnded) return;
		for (const resolve of this.whenAllEnded.splice(0)) resolve();
	}

	/**
	 * Adds the ends of all items to the error that stops the run, so that the user knows which items to run again.
	 *
	 * @param isRefusal whether the error is about its item, so that others may do better
	 */
	async withSummary<T extends Error & { description?: string | null | undefined }>(
		error: T,
		isRefusal: boolean,
	): Promise<T> {
		if (!this.allEnded) await new Promise<void>((resolve) => this.whenAllEnded.push(resolve));
		const { size: total } = this;
		const { done, failed, uncertain } = this.counts;
		if (total <= 1) return error;
		const unknown = uncertain > 0 ? `, ${uncertain} may have taken effect` : '';
		const notSent = total - done - failed - uncertain;
		const others = failed > 1 ? `, ${failed} failed` : '';
		error.message += ` (${done} of ${total} items done${others}, ${notSent} not sent${unknown})`;
		if (isRefusal && error.description) {
			error.description = `${error.description.replace(/\.$/, '')}. To do the other items all the same, set On Error to Continue under Settings`;
		}
		return error;
	}

	private get allEnded(): boolean {
		const { joined, done, failed, notSent, uncertain } = this.counts;
		return done + failed + notSent + uncertain === joined;
	}
}

/** Runs by the object that the engine hands to every item of a run, in each try. */
const runs = new WeakMap<IExecuteData, Run>();

/** Returns the run of an item. The first item begins it. */
export function runOf(context: IExecuteSingleFunctions): Run {
	const executeData = context.getExecuteData();
	const last = runs.get(executeData);
	if (last?.continuesWith(context.getItemIndex())) return last;
	const node = context.getNode();
	// n8n makes a type of its own for the tool of an AI agent, named after the node's.
	const isTool = node.type.endsWith('Tool');
	const { main, ai_tool: tool } = executeData.data;
	const given = (main ?? tool)?.[0]?.length;
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchInterval?: number } };
	};
	// If the user set batches, the engine pauses while it builds the items.
	const isBatched = (batching?.batch?.batchInterval ?? 0) > 0;
	const options = {
		// With "Execute Once", the engine goes through the first item alone.
		total: given !== undefined && node.executeOnce ? Math.min(given, 1) : given,
		mustBeWhole: !context.continueOnFail() && !isBatched,
		isTool,
		// An AI agent calls its tool again on purpose.
		mayBeRetried: node.retryOnFail === true && !isTool,
		cancelled: context.getExecutionCancelSignal(),
	};
	const run = new Run(options, last);
	runs.set(executeData, run);
	return run;
}
