import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { Busy, Cancelled } from '../http/errors';
import { MAX_PAGE_SIZE } from '../http/paging';
import { isRepeatable as isRepeatableMethod } from '../http/retry';
import type { Match } from '../people/find';
import type { ClientOptions } from '../tenant/client';
import { byTitle } from '../tenant/byTitle';
import { Client } from '../tenant/client';
import { titledCollection } from '../tenant/directory';
import { isTitle } from '../tenant/titles';
import {
	asNodeError,
	detailsOf,
	errorItem,
	ExplainedError,
	UnusableParameter,
} from '../util/errors';
import type { Resolved } from '../util/iri';
import { idOf, iriOf, lastSegment } from '../util/iri';
import { cleanText, quoted, truthOf } from '../util/values';
import type { OutputForm } from './output';
import { asRecord, inForm, outputFormOf } from './output';
import { isRefusal, previewed, refused } from './preview';
import type { ItemEnd, Run } from './run';
import { runOf } from './run';
import type { Source } from './labels';
import { labelAt } from './labels';
import type { Paginator, RecordSpecification } from './specification';

const MINUTE_MS = 60_000;
const DEFAULT_MAX_WAIT_MINUTES = 30;

/** Whoever would not wait for the service waits so long for what another run changes: it takes a moment. */
const LEAST_LOCK_WAIT_MS = 3_000;

type Request = DeclarativeRestApiSettings.ResultOptions['options'];

/** What may be chosen under Options; each is undefined where it is not added. */
interface Options {
	fields?: unknown;
	lookUp?: unknown;
	matchBy?: unknown;
	maxWaitMinutes?: unknown;
	output?: unknown;
	previewOnly?: unknown;
	replaceLists?: unknown;
	tellChanges?: unknown;
	whenFilterEmpty?: unknown;
	whenRateLimited?: unknown;
}

/** What the editor calls the options that are turned on or off. */
const SWITCHES = { previewOnly: 'Preview Only', tellChanges: 'Tell What Changed' };

/** What an operation does with an item. */
export interface Work {
	/** The records that leave the node, in the form that Output asks for; as they are where absent. */
	record?: RecordSpecification;
	/** Whether an item may be sent again although it may have been done; as its method says where absent. */
	isRepeatable?: boolean;
	/**
	 * Reads and checks the parameters of the item, then sends with the client that `item.begin` gives.
	 *
	 * @returns the records to put out
	 */
	run: (item: Item) => Promise<readonly unknown[]>;
}

/** Makes the paginator of an operation: the function that the engine hands each item to. */
export function paginatorOf(work: Work): Paginator {
	return async function (this: IExecutePaginationFunctions, request) {
		const run = runOf(this);
		const item = new Item(this, request.options, run, work);
		run.join(item.index);
		try {
			const items = run.outcomeBefore(item.index) ?? (await item.perform());
			// A preview is made anew as a whole, since its items build on each other.
			if (!item.isPreview) run.keep(item.index, items);
			run.end('done');
			return items;
		} catch (error) {
			const end = endOf(error);
			const { isRepeatable = isRepeatableMethod(request.options.method ?? 'GET') } = work;
			if (end === 'uncertain' && !isRepeatable) run.keep(item.index, 'unknown');
			run.end(end);
			return await item.failed(error);
		} finally {
			item.release();
		}
	};
}

/** One item of a run, from its parameters to the records that it gives. */
export class Item {
	readonly index: number;

	/** Whether it may change something in the service. */
	readonly isWrite: boolean;

	/** What the user chose under Options. */
	options: Options = {};

	/** Whether it gives its record as columns of a table; as JSON; else as fields. */
	isMapped = false;

	isJson = false;

	/** The form in which its records leave the node. */
	form?: OutputForm;

	/** Whether it says what it would write, and writes nothing. */
	isPreview = false;

	/** Where values were given that do not stand under the label of their field, for messages. */
	sources: () => readonly Source[] = () => [];

	private isPrepared = false;

	private endTurn?: () => void;

	/** How its requests are sent, as its parameters say. */
	private sending: Omit<ClientOptions, 'lane'> = {};

	private readonly lookups: Match[] = [];

	/**
	 * @param request what the engine made of the description: method, path template, query and body
	 */
	constructor(
		readonly context: IExecutePaginationFunctions,
		readonly request: Request,
		readonly run: Run,
		private readonly work: Work,
	) {
		this.index = context.getItemIndex();
		this.isWrite = request.method !== 'GET';
	}

	/** What the editor calls what a path such as `emailAddresses[0].email` of a body leads to. */
	labelAt(path: string, body: IDataObject): string {
		return labelAt(path, body, this.sources());
	}

	/**
	 * Whether an option is added and turned on.
	 *
	 * @throws UnusableParameter where an expression gives neither true nor false: nothing may be written by mistake
	 */
	isOn(name: keyof typeof SWITCHES): boolean {
		const { options } = this;
		if (!Object.hasOwn(options, name)) return false;
		const truth = truthOf(options[name]);
		if (truth !== undefined) return truth;
		throw new UnusableParameter(
			`${SWITCHES[name]}: expected true or false, got ${quoted(options[name])}`,
			'Turn it on or off, or correct the expression. It has to give one of the two for every item',
		);
	}

	/** Does the work of the item, and gives its records in the form that was asked for, or says what it would do. */
	async perform(): Promise<INodeExecutionData[]> {
		const { context, index } = this;
		const toItem = (json: IDataObject) => ({ json, pairedItem: { item: index } });
		this.options = context.getNodeParameter('options', {}) as Options;
		const inputMode = context.getNodeParameter('inputMode', 'fields');
		this.isMapped = inputMode === 'columns';
		this.isJson = inputMode === 'json';
		this.isPreview = this.isWrite && this.isOn('previewOnly');
		if (this.isPreview) return [toItem(await this.preview())];
		const records = await this.records();
		this.release();
		if (!this.form) return records.map(asRecord).map(toItem);
		const client = await this.client({ maxRetries: 0 });
		return (await inForm(records, this.form, client)).map(toItem);
	}

	/** What stands in the way of this item alone becomes its result, and stops no other item. */
	private async preview(): Promise<IDataObject> {
		try {
			const [record] = await this.records();
			const { preview } = await this.run.openPreview(this.context);
			return previewed(record, preview?.unknownOf(this.index));
		} catch (error) {
			return isRefusal(error) ? refused(error) : await Promise.reject(error);
		}
	}

	private async records(): Promise<readonly unknown[]> {
		const { context, isWrite, options, work } = this;
		this.sending = this.sendOptions();
		if (work.record) {
			const { output, fields } = isWrite
				? options
				: {
						output: context.getNodeParameter('output', 'simplified'),
						fields: context.getNodeParameter('fields', []),
					};
			this.form = outputFormOf({ output, fields }, work.record, isWrite);
		}
		return await work.run(this);
	}

	/**
	 * Waits until the item may send: the parameters of all items were found right, and where it changes
	 * something, its turn has come.
	 *
	 * @throws Cancelled when the run was stopped
	 * @throws RateLimited when it would have to wait longer than it may
	 */
	async begin(): Promise<Client> {
		this.prepared();
		await this.run.allPrepared();
		const client = await this.client({ waitsSince: systemClock.now() });
		if (this.isWrite) this.endTurn = await client.turn();
		return client;
	}

	/** Lets the next item have its turn, and forgets what was announced; does no harm twice. */
	release(): void {
		this.prepared();
		this.endTurn?.();
		this.endTurn = undefined;
		for (const lookup of this.lookups.splice(0)) this.run.lookups.forget(lookup);
	}

	/** Announces that it looks for somebody, which is forgotten with the item. */
	looksFor(lookup: Match): Match {
		this.lookups.push(lookup);
		this.run.lookups.announce(lookup);
		return lookup;
	}

	/**
	 * Runs work on one person, or on one value that people are looked for by, while nobody else does who
	 * uses another key of the same service.
	 *
	 * @param key what is locked, such as "person 1f0c"
	 * @param shown what messages call it, where that is something else
	 * @throws Busy when somebody else changes it for longer than the item may wait
	 */
	async lock<T>(
		client: Client,
		key: string,
		work: () => Promise<T>,
		shown: string = key,
	): Promise<T> {
		const { throttledWaitMs = Infinity } = this.sending;
		const maxWaitMs = Math.max(LEAST_LOCK_WAIT_MS, throttledWaitMs);
		const waiting = { what: `The ${shown}`, maxWaitMs, signal: this.run.signal };
		return await client.tenant.service.locks.run(key, work, waiting);
	}

	/**
	 * The IRI that a reference stands for, or what was expected in its place. A title is looked up in what the
	 * service shows.
	 */
	async iri(reference: unknown, collection: string): Promise<Resolved> {
		return (await this.iriByTitle(reference, collection)) ?? iriOf(reference, collection);
	}

	/** The ID that a reference stands for, or what was expected in its place. */
	async id(reference: unknown, collection: string): Promise<Resolved> {
		const iri = await this.iriByTitle(reference, collection);
		if (!iri) return idOf(reference, collection);
		return 'value' in iri ? { value: lastSegment(iri.value) } : iri;
	}

	/** @returns undefined for what is not meant as a title or name: one that the credential gives may look like an ID */
	private async iriByTitle(reference: unknown, path: string): Promise<Resolved | undefined> {
		const { context, run } = this;
		const collection = titledCollection(path);
		const text = typeof reference === 'string' ? cleanText(reference) : '';
		if (collection === undefined || text === '') return undefined;
		if (!isTitle(text, collection)) {
			const { names } = await run.openAccount(context);
			if (!names.holds(text, collection)) return undefined;
		}
		await run.built();
		const client = await this.client();
		const sought = { text, collection, runBegan: run.begunAt, isForWrite: this.isWrite };
		const found = await byTitle(client, sought);
		await run.built();
		return found;
	}

	/**
	 * What becomes of an item that was not done: a linked error item, no item at all, or the error that
	 * stops the run.
	 */
	async failed(error: unknown): Promise<INodeExecutionData[]> {
		const { context, index, run } = this;
		// Where another item's failure stopped the run, that one has the message to show.
		if (error instanceof Cancelled && !(run.isCancelled && error.mayHaveTakenEffect)) return [];
		const nodeError = asNodeError(context.getNode(), error, index, run.isTool);
		if (context.continueOnFail()) return [errorItem(nodeError.message, detailsOf(error), index)];
		run.stop();
		this.release();
		const whole = await run.withSummary(nodeError, isRefusal(error));
		// The engine has given up this run and waits for no item of it: a rejection would be unhandled.
		if (run.isBroken) return [];
		throw whole;
	}

	private prepared(): void {
		if (this.isPrepared) return;
		this.isPrepared = true;
		this.run.prepared();
	}

	private async client(further: Partial<ClientOptions> = {}): Promise<Client> {
		const { context, run, sending } = this;
		const account = await (this.isPreview ? run.openPreview(context) : run.openAccount(context));
		// Who is looked up with others, and not written, takes a part of a request.
		const isShared = this.isPreview && this.lookups.length > 0;
		const runMinutes = run.size / (isShared ? MAX_PAGE_SIZE : 1) / account.limit;
		return new Client(context, account, { lane: run, runMinutes, ...sending, ...further });
	}

	private sendOptions(): Omit<ClientOptions, 'lane'> {
		const { context, request, run, index } = this;
		const { whenRateLimited, maxWaitMinutes } = this.options;
		const isPatient = whenRateLimited !== 'fail';
		const minutes = Number(maxWaitMinutes ?? DEFAULT_MAX_WAIT_MINUTES);
		if (isPatient && Number.isNaN(minutes)) {
			throw new UnusableParameter(
				`Max Wait (Minutes): expected a number, got ${quoted(maxWaitMinutes)}`,
				'Enter how many minutes to wait, such as 30 or 0.5',
			);
		}
		const waitMinutes = minutes > 0 ? minutes : DEFAULT_MAX_WAIT_MINUTES;
		// The engine fills in a timeout of its own where the user set none, so the parameter is asked.
		const { timeout } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
		const { proxy, skipSslCertificateValidation, allowedDomains } = request;
		return {
			item: index,
			signal: run.signal,
			labelAt: (path, body) => this.labelAt(path, body),
			slotWaitMs: isPatient ? Infinity : 0,
			throttledWaitMs: isPatient ? waitMinutes * MINUTE_MS : 0,
			...(proxy ? { proxy } : {}),
			...(skipSslCertificateValidation ? { skipSslCertificateValidation: true } : {}),
			...(allowedDomains ? { allowedDomains } : {}),
			...(timeout ? { timeout } : {}),
		};
	}
}

/** How an item ended that was not done. */
function endOf(error: unknown): ItemEnd {
	if (error instanceof ExplainedError && error.mayHaveTakenEffect) return 'uncertain';
	return error instanceof Cancelled || error instanceof Busy ? 'notSent' : 'failed';
}
