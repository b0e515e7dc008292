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

/** Maximum age in ms of an answer that items with the same question share. */
const READ_AGE_MS = 60_000;

/** End of an item. "uncertain": the item failed, but its write may have taken effect. */
export type ItemEnd = 'done' | 'failed' | 'notSent' | 'uncertain';

/** Output of an item, for a retry of the run. "unknown": the item failed, but its write may have taken effect. */
type ItemOutcome = INodeExecutionData[] | 'unknown';

/** Facts about a run that are known at its start. */
interface RunOptions {
	/** Number of items of the run, if the engine tells it. */
	total: number | undefined;
	/** Whether the run sends nothing at all if the engine fails to build the request of one item. */
	mustBeWhole: boolean;
	/** Whether the node runs as a tool of an AI agent. */
	isTool: boolean;
	/** Whether n8n may try the run again (Retry On Fail). If so, the run keeps the outcomes of its items. */
	mayBeRetried: boolean;
	/** Aborts when the user cancels the execution. */
	cancelled?: AbortSignal | undefined;
}

/**
 * The items of one run of a node, and the state that these items share. n8n's engine starts all items at once. So the
 * run itself delays every write until the node has checked the parameters of all items. After a failed item has stopped
 * the run, the run sends nothing more.
 */
export class Run {
	/** Aborts when the run must send nothing more: an item failed, or the user cancelled. */
	readonly signal: AbortSignal;

	/** Start of the run, in ms of the clock's `now`. */
	readonly begunAt = systemClock.now();

	private sharedLookups?: Lookups;

	private sharedChecks?: Lookups;

	/**
	 * Values, such as e-mail addresses, of people who may exist: Create or Update sent a create, and got no clear answer.
	 * As `identifierKey` writes the values. Includes the values of earlier tries of the run.
	 */
	readonly uncertainCreates: Set<string>;

	/**
	 * For Undo: keys of the values that other users or programs have set, by the ID of the record. Undo begins with the
	 * last item. When an item finds such values, Undo notes them here, and earlier items leave them as they are.
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

	/** Outcomes of items by index, from this try of the run and from earlier tries. */
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
	 * @param before last run with the same input, if any. If n8n tries a run again, the new run takes over its outcomes
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

	/** Lookups of people for the check of bodies, before any item writes. Before its write, an item looks up again. */
	get checks(): Lookups {
		return (this.sharedChecks ??= new Lookups());
	}

	/**
	 * Whether n8n's engine failed before it had started all items. The engine then ignores the items that it had started.
	 */
	get isAbandoned(): boolean {
		return this.options.mustBeWhole && !this.hasAllItems;
	}

	/** Whether the engine has started all items. With Batching in Request Options, the engine pauses between items. */
	get hasAllItems(): boolean {
		return this.counts.joined >= this.size;
	}

	get isTool(): boolean {
		return this.options.isTool;
	}

	get isCancelled(): boolean {
		return this.options.cancelled?.aborted ?? false;
	}

	/** Number of items of the run. If the engine does not tell this number, the number of items so far. */
	get size(): number {
		return this.options.total ?? this.counts.joined;
	}

	/** Returns whether the item with this index belongs to this run. Within a run, the indexes of items only rise. */
	continuesWith(itemIndex: number): boolean {
		return itemIndex > this.lastItem;
	}

	/** Adds an item to the run. With Batching in Request Options, an item may join when earlier items have ended. */
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
	 * Counts an item as prepared: the node has checked its parameters, or the item has ended. The last item to be
	 * prepared lets all waiting items begin.
	 */
	notePrepared(): void {
		this.counts.prepared++;
		if (this.counts.prepared < this.counts.joined) return;
		for (const resolve of this.onAllPrepared.splice(0)) resolve();
	}

	/**
	 * Waits until all items are prepared (`notePrepared`). Items then begin in groups of `ITEMS_AT_A_TIME`.
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
	 * Waits until all items have begun. Undo needs this wait, because its last item writes first. Call this method
	 * after `untilAllPrepared`.
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
	 * Returns the output of an item in an earlier try of the run; undefined if there is none. With Retry On Fail, n8n
	 * hands all items to the node again.
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

	/** Counts an item that has ended. After the end of the last item, `withSummary` continues. */
	noteEnd(how: ItemEnd): void {
		this.counts[how]++;
		if (!this.allEnded) return;
		for (const resolve of this.onAllEnded.splice(0)) resolve();
	}

	/**
	 * Waits until all items have ended. Adds the numbers of done, failed and unsent items to the error that stopped the
	 * run. The user then knows the number of items to run again.
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
