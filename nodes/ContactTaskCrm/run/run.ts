import type {
	IExecuteData,
	IExecuteSingleFunctions,
	INodeExecutionData,
	Logger,
} from 'n8n-workflow';
import { deepCopy } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { Cancelled } from '../http/errors';
import { Lookups } from '../people/lookups';
import { AsyncCache } from '../tenant/keyed';
import { openAccount } from '../tenant/client';
import type { Account } from '../tenant/tenant';
import { previewAccount } from '../tenant/tenant';
import { progressText } from '../util/dateTime';
import { ExplainedError } from '../util/errors';

/** What the editor shows of an error below its message. */
type Failure = Error & { description?: string | null };

/** How to go on past an item that ends a run. */
const GO_ON = '. To do the other items all the same, set On Error to Continue under Settings';

/** How often a run that waits says how far it is. */
const PROGRESS_INTERVAL_MS = 60_000;

/** So many items begin at a stretch: thousands at once would block the process of other workflows. */
const ITEMS_AT_A_TIME = 500;

/** How long an answer counts as that of the moment, for items that ask the same. */
const READ_AGE_MS = 60_000;

/** Answers of the last minute: the service gives no more. */
const MOST_READS = 30;

/** How an item ended: with its result, or without; "uncertain" where it may have taken effect all the same. */
export type ItemEnd = 'done' | 'failed' | 'notSent' | 'uncertain';

/** What an item gave, or that nobody knows whether its write took effect. */
type Outcome = INodeExecutionData[] | 'unknown';

/** An item is not sent again, since nobody knows whether it took effect. */
class MayBeDone extends ExplainedError {
	constructor() {
		super(
			'This item is not sent again, since it may have taken effect in the try before',
			'Look for the record in the CRM, and run the items that are missing again. Create or Update can be tried again without harm',
			{ mayHaveTakenEffect: true },
		);
	}
}

/** What is known of a run when it begins. */
interface RunOptions {
	/** Items the run should have, or undefined where that cannot be told. */
	total?: number;
	/** Whether nothing may be sent unless every item was built. */
	mustBeWhole: boolean;
	/** Whether the node runs as a tool of an AI agent. */
	isTool: boolean;
	/** Whether n8n may try the run again, so that what its items gave has to be kept. */
	mayBeRetried: boolean;
	/** The signal that the execution was cancelled. */
	cancelled?: AbortSignal;
	logger?: Logger;
}

/**
 * The items of one run of a node, and all that they share; it ends with the run. The engine starts every
 * item at once and waits for all of them, so it is up to us that nothing is sent before the run is
 * completely built and every parameter found right, and nothing more once an item has failed and the run
 * is to stop.
 */
export class Run {
	/** Nothing is sent once it aborts: an item failed, or the user cancelled. */
	readonly signal: AbortSignal;

	/** In ms of the clock's `now`. */
	readonly begunAt = systemClock.now();

	/** The people that items look for. */
	readonly lookups = new Lookups();

	/** Values of people whom a create of this run may have created, in this try or in one before. */
	readonly uncertainCreates: Set<string>;

	private readonly reads = new AsyncCache(systemClock, MOST_READS);

	private readonly stopped = new AbortController();

	private readonly counts = {
		joined: 0,
		prepared: 0,
		done: 0,
		failed: 0,
		notSent: 0,
		uncertain: 0,
	};

	/** How the items ended so far, in this try and in those before. */
	private readonly outcomes: Map<number, Outcome>;

	private lastItem = -1;

	private readonly whenBuilt: Promise<void>;

	private begunItems = 0;

	/** When the next items may begin. */
	private nextBegin = Promise.resolve();

	private whenAllPrepared: Array<() => void> = [];

	private whenAllEnded: Array<() => void> = [];

	private account?: Promise<Account>;

	/** Of the items that are only previewed, each of which finds what those before would have done. */
	private previewed?: Promise<Account>;

	/** Present while items are under way: ends the reports of progress. */
	private reports?: AbortController;

	/** @param before the try before, where n8n tries the run again */
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

	/** Whether the engine gave up while it built the items, and takes no results or rejections. */
	get isBroken(): boolean {
		const { mustBeWhole, total } = this.options;
		return mustBeWhole && total !== undefined && this.counts.joined < total;
	}

	/** Whether the node runs as a tool of an AI agent. */
	get isTool(): boolean {
		return this.options.isTool;
	}

	/** Whether the user cancelled the execution. */
	get isCancelled(): boolean {
		return this.options.cancelled?.aborted ?? false;
	}

	/** Items that the run has, as far as that is known. */
	get size(): number {
		return this.options.total ?? this.counts.joined;
	}

	/** Whether an item belongs to this run: the engine goes through the items once and in order. */
	continuesWith(itemIndex: number): boolean {
		return itemIndex > this.lastItem;
	}

	/** An item has been built. With batches set by the user, items may join again after all have ended. */
	join(itemIndex: number): void {
		this.lastItem = itemIndex;
		if (this.allEnded) void this.reportProgress();
		this.counts.joined++;
	}

	/** The credential of the node, decrypted once for all items. */
	async openAccount(context: IExecuteSingleFunctions): Promise<Account> {
		this.account ??= openAccount(context);
		return await this.account;
	}

	/** The same for items that write nothing. */
	async openPreview(context: IExecuteSingleFunctions): Promise<Account> {
		this.previewed ??= this.openAccount(context).then(previewAccount);
		return await this.previewed;
	}

	/**
	 * Waits until the run is built.
	 *
	 * @throws Cancelled when the run was stopped
	 */
	async built(): Promise<void> {
		await this.whenBuilt;
		if (this.signal.aborted) throw new Cancelled();
	}

	/** The parameters of an item were found right, or it has ended. */
	prepared(): void {
		this.counts.prepared++;
		if (this.counts.prepared < this.counts.joined) return;
		for (const resolve of this.whenAllPrepared.splice(0)) resolve();
	}

	/**
	 * Waits until the parameters of all items were found right.
	 *
	 * @throws Cancelled when the run was stopped
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
		if (this.signal.aborted) throw new Cancelled();
	}

	/**
	 * Reads something once for all items that ask for the same within a minute.
	 *
	 * @param question what is asked for, the same text for the same
	 * @returns a copy of the answer for each item
	 */
	async readOnce<T extends object>(question: string, read: () => Promise<T>): Promise<T> {
		const isFirst = !this.reads.isFresh(question, READ_AGE_MS) && !this.reads.isReading(question);
		const answer = await this.reads.get(question, { maxAgeMs: READ_AGE_MS, read });
		return isFirst ? answer : deepCopy(answer);
	}

	/** Sends nothing more; what is under way has some seconds left to be answered. */
	stop(): void {
		this.stopped.abort();
	}

	/**
	 * What an item gave in an earlier try. n8n's Retry On Fail hands all items to the node again: an item
	 * that is done gives what it gave, and one whose write may have taken effect is not sent again.
	 *
	 * @returns undefined where the item has to be done
	 * @throws MayBeDone where the item may have been done
	 */
	outcomeBefore(itemIndex: number): INodeExecutionData[] | undefined {
		const outcome = this.outcomes.get(itemIndex);
		if (outcome !== 'unknown') return outcome;
		throw new MayBeDone();
	}

	/** Keeps how an item ended, should n8n try the run again. */
	keep(itemIndex: number, outcome: Outcome): void {
		if (this.options.mayBeRetried) this.outcomes.set(itemIndex, outcome);
	}

	/** An item has ended. */
	end(how: ItemEnd): void {
		this.counts[how]++;
		if (!this.allEnded) return;
		this.reports?.abort();
		for (const resolve of this.whenAllEnded.splice(0)) resolve();
	}

	/**
	 * Adds how the items of the run ended, once all have, so that the user knows what to run again.
	 *
	 * @param isRefusal whether the error says something of its item, so that others may do better
	 */
	async withSummary<T extends Failure>(error: T, isRefusal: boolean): Promise<T> {
		if (!this.allEnded) await new Promise<void>((resolve) => this.whenAllEnded.push(resolve));
		const { size: total } = this;
		const { done, failed, uncertain } = this.counts;
		if (total <= 1) return error;
		const unknown = uncertain > 0 ? `, ${uncertain} may have taken effect` : '';
		const notSent = total - done - failed - uncertain;
		const others = failed > 1 ? `, ${failed} failed` : '';
		error.message += ` (${done} of ${total} items done${others}, ${notSent} not sent${unknown})`;
		if (isRefusal && error.description)
			error.description = error.description.replace(/\.$/, '') + GO_ON;
		return error;
	}

	private get allEnded(): boolean {
		const { joined, done, failed, notSent, uncertain } = this.counts;
		return done + failed + notSent + uncertain === joined;
	}

	private async reportProgress(): Promise<void> {
		const { logger } = this.options;
		if (!logger) return;
		const reports = new AbortController();
		this.reports = reports;
		const startedAt = systemClock.now();
		for (;;) {
			await systemClock.sleep(PROGRESS_INTERVAL_MS, reports.signal);
			if (reports.signal.aborted) return;
			const { done, failed } = this.counts;
			logger.info(progressText(done + failed, this.size, systemClock.now() - startedAt));
		}
	}
}

/** Runs by what the engine hands to every item of the same run, in each try. */
const runs = new WeakMap<IExecuteData, Run>();

/** The run that an item belongs to; the first item of a run begins it. */
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
	// With batches of the user's, the engine pauses while it builds the items.
	const isBatched = (batching?.batch?.batchInterval ?? 0) > 0;
	const options = {
		// With "Execute Once", the engine goes through the first item alone.
		total: given !== undefined && node.executeOnce ? Math.min(given, 1) : given,
		mustBeWhole: !context.continueOnFail() && !isBatched,
		isTool,
		// An AI agent calls its tool again on purpose.
		mayBeRetried: node.retryOnFail === true && !isTool,
		cancelled: context.getExecutionCancelSignal(),
		logger: context.logger,
	};
	const run = new Run(options, last);
	runs.set(executeData, run);
	return run;
}
