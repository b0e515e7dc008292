import type { IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { Lookups } from '../lookup/lookups';
import { AsyncCache } from '../util/keyed';
import { decryptAccount } from '../crm/client';
import { type Account, previewAccount } from '../crm/tenant';
import { ExplainedError } from '../util/errors';
import { RunStopped } from '../util/failures';

/** Number of items that begin before a pause. Without pauses, thousands of items would block other workflows. */
const ITEMS_AT_A_TIME = 500;

/** Items that send the same read share one answer for this time in ms. */
const READ_AGE_MS = 60_000;

/** How an item ended. "uncertain" means that it failed, but its write may have taken effect. */
export type ItemEnd = 'done' | 'failed' | 'notSent' | 'uncertain';

/** Result of an item. "unknown" means that its write may or may not have taken effect. */
type ItemOutcome = INodeExecutionData[] | 'unknown';

/** Facts about a run that are known at its start. */
interface RunOptions {
	/** Number of items of the run, if the engine tells it. */
	total: number | undefined;
	/** Whether the run sends nothing at all if the engine fails to build the request of one item. */
	mustBeWhole: boolean;
	/** Whether the node runs as a tool of an AI agent. */
	isTool: boolean;
	/** Whether n8n may try the run again. The run then keeps the results of its items. */
	mayBeRetried: boolean;
	/** Signal that the user cancelled the execution. */
	cancelled?: AbortSignal | undefined;
}

/**
 * Items of one run of a node, with the state that they share. The engine starts all items at once. So the run itself
 * delays every write until the parameters of all items are checked. After a failed item has stopped the run, the run
 * sends nothing more.
 */
export class Run {
	/** Signal to send nothing more: an item failed, or the user cancelled. */
	readonly signal: AbortSignal;

	/** Start of the run, in ms of the clock's `now`. */
	readonly begunAt = systemClock.now();

	private sharedLookups?: Lookups;

	private sharedChecks?: Lookups;

	/**
	 * Keys of values by which Create or Update looked for a person, such as an e-mail address. The create that followed
	 * had no clear answer. The set includes values of earlier tries of the run.
	 */
	readonly uncertainCreates: Set<string>;

	/**
	 * Keys of values that other users or programs have set, by the ID of the record. The undo of a run begins with the
	 * last item, and notes here what it finds. Earlier items then leave these values as they are.
	 */
	readonly valuesOfOthers = new Map<string, Set<string>>();

	/** Cache of 30 answers: enough, because answers last a minute, and the default limit is 20 requests a minute. */
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

	/** Outcomes of items by index, of this try of the run and of earlier tries. */
	private readonly outcomes: Map<number, ItemOutcome>;

	/** Index of the last item that has joined. */
	private lastItem = -1;

	private readonly whenAllJoined: Promise<void>;

	private begunItems = 0;

	/** Resolves when the next group of items may begin. */
	private nextBegin = Promise.resolve();

	private whenAllBegun?: Promise<void>;

	private onAllPrepared: Array<() => void> = [];

	private onAllEnded: Array<() => void> = [];

	private account?: Promise<Account>;

	/** Account of all previews of the run. Each preview sees the changes that earlier previews would make. */
	private previewed?: Promise<Account>;

	/**
	 * `before` is the earlier try of the run, if n8n tries the run again. The new try then knows the outcomes of
	 * `before`.
	 */
	constructor(
		private readonly options: RunOptions,
		before?: Run,
	) {
		const { cancelled, mayBeRetried } = options;
		const own = this.stopped.signal;
		this.signal = cancelled ? AbortSignal.any([own, cancelled]) : own;
		this.outcomes = new Map(mayBeRetried ? before?.outcomes : []);
		this.uncertainCreates = new Set(mayBeRetried ? before?.uncertainCreates : []);
		// The engine starts all items without a pause, so all items have joined before the next macrotask.
		this.whenAllJoined = systemClock.sleep(0).then(() => {
			if (this.isAbandoned) this.stop();
		});
	}

	/** Lookups of the people whom items read, write or filter by. */
	get lookups(): Lookups {
		return (this.sharedLookups ??= new Lookups());
	}

	/**
	 * Lookups of people for the check of bodies, before any item writes. The items look them up again for their writes.
	 */
	get checks(): Lookups {
		return (this.sharedChecks ??= new Lookups());
	}

	/**
	 * Whether n8n's engine failed before it had started all items. The engine then ignores the items that it had started.
	 */
	get isAbandoned(): boolean {
		const { mustBeWhole, total } = this.options;
		return mustBeWhole && total !== undefined && this.counts.joined < total;
	}

	/** Whether the engine has started all items. With Batching in Request Options, it pauses between items. */
	get hasAllItems(): boolean {
		return this.counts.joined >= this.size;
	}

	get isTool(): boolean {
		return this.options.isTool;
	}

	get isCancelled(): boolean {
		return this.options.cancelled?.aborted ?? false;
	}

	/** Number of items of the run. If the engine does not tell it, the number of items so far. */
	get size(): number {
		return this.options.total ?? this.counts.joined;
	}

	/** Returns whether the item with this index belongs to this run. Within a run, each index is higher than the last. */
	continuesWith(itemIndex: number): boolean {
		return itemIndex > this.lastItem;
	}

	/** Adds an item. With Batching in Request Options, an item may start after all earlier items have ended. */
	join(itemIndex: number): void {
		this.lastItem = itemIndex;
		this.counts.joined++;
	}

	/** Decrypts the credential of the node, once for all items. */
	async openAccount(context: IExecuteSingleFunctions): Promise<Account> {
		return await (this.account ??= decryptAccount(context));
	}

	/** Returns the account for previews, made from the decrypted credential once for all items. */
	async openPreview(context: IExecuteSingleFunctions): Promise<Account> {
		return await (this.previewed ??= this.openAccount(context).then(previewAccount));
	}

	/**
	 * Waits until all items have joined the run.
	 *
	 * @throws RunStopped if the run was stopped
	 */
	async untilAllJoined(): Promise<void> {
		await this.whenAllJoined;
		if (this.signal.aborted) throw new RunStopped();
	}

	/**
	 * Counts an item with checked parameters, or an item that has ended. The last such item lets all waiting items begin.
	 */
	notePrepared(): void {
		this.counts.prepared++;
		if (this.counts.prepared < this.counts.joined) return;
		for (const resolve of this.onAllPrepared.splice(0)) resolve();
	}

	/**
	 * Waits until the parameters of all items are checked. Items then begin in groups of `ITEMS_AT_A_TIME`.
	 *
	 * @throws RunStopped if the run was stopped
	 */
	async untilAllPrepared(): Promise<void> {
		await this.whenAllJoined;
		const { prepared, joined } = this.counts;
		if (prepared < joined) {
			await new Promise<void>((resolve) => this.onAllPrepared.push(resolve));
		}
		const { nextBegin } = this;
		if (++this.begunItems % ITEMS_AT_A_TIME === 0) {
			this.nextBegin = nextBegin.then(async () => await systemClock.sleep(0));
		}
		await nextBegin;
		if (this.signal.aborted) throw new RunStopped();
	}

	/**
	 * Waits until all items have begun, so that the last of them can go first. Call it after `untilAllPrepared`.
	 *
	 * @throws RunStopped if the run was stopped
	 */
	async untilAllBegun(): Promise<void> {
		// The first pause lets all items queue up behind `nextBegin`. The second pause lets the last group begin.
		this.whenAllBegun ??= systemClock
			.sleep(0)
			.then(async () => await this.nextBegin)
			.then(async () => await systemClock.sleep(0));
		await this.whenAllBegun;
		if (this.signal.aborted) throw new RunStopped();
	}

	/**
	 * Reads from the service once for all items that ask the same question within a minute.
	 *
	 * @param question key of the answer in the cache
	 * @returns the answer; each item but the first gets a copy
	 */
	async readOnce<T extends object>(question: string, read: () => Promise<T>): Promise<T> {
		const isFirst = !this.reads.isFresh(question, READ_AGE_MS) && !this.reads.isReading(question);
		const answer = await this.reads.get(question, { maxAgeMs: READ_AGE_MS, read });
		return isFirst ? answer : deepCopy(answer);
	}

	/** Stops the run: it sends nothing more. A request under way has some seconds left for its answer. */
	stop(): void {
		this.stopped.abort();
	}

	/**
	 * Returns the result of an item in an earlier try of the run; undefined without one. n8n's Retry On Fail hands all
	 * items to the node again.
	 *
	 * @throws ExplainedError if the write of the item may have taken effect
	 */
	outcomeBefore(itemIndex: number): INodeExecutionData[] | undefined {
		const outcome = this.outcomes.get(itemIndex);
		if (outcome !== 'unknown') return outcome;
		throw new ExplainedError(
			'This item is not sent again, since it may have taken effect in the try before',
			'Look for the record in the CRM, and run the items that are missing again. Create or Update can be tried again without harm',
			{ code: 'uncertain' },
		);
	}

	/** Keeps the outcome of an item, for the case that n8n tries the run again. */
	keepOutcome(itemIndex: number, outcome: ItemOutcome): void {
		if (this.options.mayBeRetried) this.outcomes.set(itemIndex, outcome);
	}

	/** Counts an ended item. The last item lets `withSummary` continue. */
	noteEnd(how: ItemEnd): void {
		this.counts[how]++;
		if (!this.allEnded) return;
		for (const resolve of this.onAllEnded.splice(0)) resolve();
	}

	/**
	 * Waits until all items have ended. Adds the numbers of done, failed and unsent items to the error that stopped the
	 * run. From these numbers, the user knows how many items to run again.
	 *
	 * @param isRefusal whether the error is about its item alone, so that other items may succeed
	 */
	async withSummary<T extends Error & { description?: string | null | undefined }>(
		error: T,
		isRefusal: boolean,
	): Promise<T> {
		if (!this.allEnded) await new Promise<void>((resolve) => this.onAllEnded.push(resolve));
		const { size: total } = this;
		const { done, failed, uncertain } = this.counts;
		if (total <= 1) return error;
		const unknown = uncertain > 0 ? `, ${uncertain} may have taken effect` : '';
		const notSent = total - done - failed - uncertain;
		const others = failed > 1 ? `, ${failed} failed` : '';
		error.message += ` (${done} of ${total} items done${others}, ${notSent} not sent${unknown})`;
		if (isRefusal && error.description) {
			error.description = `${error.description.replace(/\.$/, '')}. To run the other items despite a failure, set On Error to Continue under Settings`;
		}
		return error;
	}

	private get allEnded(): boolean {
		const { joined, done, failed, notSent, uncertain } = this.counts;
		return done + failed + notSent + uncertain === joined;
	}
}
