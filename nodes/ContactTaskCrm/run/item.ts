import { attempt, pickBy } from 'lodash';
import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
} from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { Busy, RunStopped, TitlesTooOld } from '../http/errors';
import { isRepeatable as isRepeatableMethod } from '../http/retry';
import type { Match } from '../people/find';
import { person } from '../schema/person';
import { Client, type ClientOptions } from '../tenant/client';
import { meaningOf, resolve } from '../tenant/resolve';
import {
	asNodeError,
	detailsOf,
	errorItem,
	ExplainedError,
	hideItemIndex,
	rethrow,
	UnusableParameter,
} from '../util/errors';
import type { Headings } from '../schema/headings';
import { type Cell, shownHeading } from './cell';
import { type Approval, approvalOf } from './approved';
import { TitleAge } from './titleAge';
import { asRecord, inForm, isAboutItem, type OutputForm, outputFormOf, Written } from './output';
import { type ItemEnd, type Run, runOf } from './run';
import { rowName } from './rowName';
import { labelFromSources, referenceAdvice, type Source } from './labels';
import { previewed, refusedPreview, withChanges, withHeadings } from './writeOutput';
import type { Paginator, RecordSpecification } from './specification';
import { isDotless, isMeantAsEmail } from '../values/email';
import { truthOf } from '../values/json';
import { idOf, iriOf, lastSegment, type Resolved } from '../values/reference';
import { cleanContact, quoted, shortened, textIn } from '../values/text';
import { MINUTE_MS } from '../values/time';

const DEFAULT_MAX_WAIT_MINUTES = 30;

/** Maximum length of the name of a row in a message, in characters. */
const LONGEST_NAME = 60;

/** Options that the user has added. Expressions may give values of any type. */
type Options = Partial<
	Record<
		| 'approvedChanges'
		| 'fields'
		| 'lookUp'
		| 'matchBy'
		| 'maxWaitMinutes'
		| 'onlyIfTheyShare'
		| 'output'
		| 'previewOnly'
		| 'replaceLists'
		| 'tellChanges'
		| 'whenFilterEmpty'
		| 'whenNameDiffers'
		| 'whenRateLimited',
		unknown
	>
>;

/** Labels of the options that the user turns on or off. */
const SWITCHES = {
	onlyIfTheyShare: 'Only If They Share',
	previewOnly: 'Preview Only',
	tellChanges: 'Tell What Changed',
};

/** The work of an operation on an item. */
interface Work {
	/** Description of the records, for the parameter Output. If absent, the output shows the records unchanged. */
	record?: RecordSpecification;
	/** Whether a retry is harmless if the first try took effect. If absent, the HTTP method decides. */
	isRepeatable?: boolean;
	/** Whether the last item writes first. If absent, the first does. */
	isLastFirst?: boolean;
	/** Checks the parameters, sends with the client of `item.begin`, and returns the records for the output. */
	run: (item: Item) => Promise<readonly unknown[]>;
}

/** Makes the paginator of an operation: the function that n8n's engine calls for each item. */
export function paginatorOf(work: Work): Paginator {
	return async function (this: IExecutePaginationFunctions, request) {
		const run = runOf(this);
		const item = new Item(this, request.options, run, work);
		run.join(item.index);
		try {
			const items = run.outcomeBefore(item.index) ?? (await item.perform());
			// Each item of a preview builds on earlier items, so a retry of the run previews all items again.
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

/** One item of a run, from its parameters to its output. */
export class Item {
	readonly index: number;

	/** Whether the item may write, because its HTTP method is not GET. */
	readonly isWrite: boolean;

	options: Options = {};

	/** Whether the user gives values as columns of a table. */
	isMapped = false;

	/** Whether the user gives the record as JSON. */
	isJson = false;

	/** Cells of the item's row, once the node has read them. */
	cells?: readonly Cell[];

	/** Rules that match the headings of the item's row to columns; absent if the user maps each column. */
	headings?: Headings;

	/** Texts of the row that count as blank, by the names of their columns. */
	readonly blanked = new Map<string, string>();

	/** Headings of the input that may hold the name of a person, and that no column takes. */
	namesLeft: readonly string[] = [];

	/** Whether the item leaves out an unusable value only because On Error continues. */
	leavesOut = false;

	/** Notes for the user that the output shows beside the record. */
	readonly notes: string[] = [];

	/** Form of the item's records in the output. */
	form?: OutputForm;

	/** The only changes that the item may make, by the option Approved Changes; absent without the option. */
	approval: Approval | undefined;

	/** Whether the item reports its write instead of sending it (Preview Only). */
	isPreview = false;

	/** Returns the parameters and columns that gave the values of the item, with their labels for messages. */
	sources: () => readonly Source[] = () => [];

	private isPrepared = false;

	private endTurn: (() => void) | undefined;

	/** Options for the item's requests, from its parameters. */
	private sending: Omit<ClientOptions, 'lane'> = {};

	/** Lookups that the item has announced, by their kinds and values. */
	private readonly lookups = new Map<string, Match>();

	private readonly titleAge: TitleAge;

	/** @param request request that the engine built from the description: method, path template, query and body */
	constructor(
		readonly context: IExecutePaginationFunctions,
		readonly request: DeclarativeRestApiSettings.ResultOptions['options'],
		readonly run: Run,
		private readonly work: Work,
	) {
		this.index = context.getItemIndex();
		this.isWrite = request.method !== 'GET';
		this.titleAge = TitleAge.atStart(run.begunAt);
	}

	/** Returns the editor's label for a path into a body, such as `emailAddresses[0].email`. */
	labelAt(path: string, body: IDataObject): string {
		return labelFromSources(path, body, this.sources());
	}

	/** Adds a note on an e-mail address without a dot behind the "@", because it is probably mistyped. */
	noteDotless(email: string): void {
		const note = `The domain of ${quoted(email)} has no dot`;
		if (isDotless(email) && !this.notes.includes(note)) this.notes.push(note);
	}

	/** Returns the state of a column or field without a value, for a message: "is empty", or `is "-"`. */
	emptiness(name: string): string {
		const text = this.blanked.get(name);
		const is = text === undefined ? 'is empty' : `is ${quoted(text)}`;
		const left = name === 'familyName' ? this.namesLeft.map(shownHeading).map(quoted) : [];
		return left.length > 0 ? `${is} (${left.join(', ')} is not taken)` : is;
	}

	/** Returns advice on how to give a record of a collection, for the user or for the model of an AI agent. */
	adviceOn(collection: string): string {
		return referenceAdvice(collection, this.run.isTool);
	}

	/**
	 * Returns whether the user turned an option on.
	 *
	 * @throws UnusableParameter if an expression gives neither true nor false, so that no item writes by mistake
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

	/** Does the work of the item. Returns its records in the form of Output, or the preview if the item is a preview. */
	async perform(): Promise<INodeExecutionData[]> {
		const { context, index } = this;
		const toItem = (json: IDataObject) => ({ json, pairedItem: { item: index } });
		this.options = context.getNodeParameter('options', {}) as Options;
		const inputMode = context.getNodeParameter('inputMode', 'fields');
		this.isMapped = inputMode === 'columns';
		this.isJson = inputMode === 'json';
		this.isPreview = this.isWrite && this.isOn('previewOnly');
		if (this.isPreview) return (await this.preview()).map(toItem);
		const records = await this.records();
		this.release();
		if (!this.form) return records.map(asRecord).map(toItem);
		const client = await this.client({ maxRetries: 0 });
		const written = await inForm(records, withChanges(this, this.form), client);
		return withHeadings(this, written).map(toItem);
	}

	/** Returns the preview of each record. If the node or the service would refuse the item, the preview shows the error. */
	private async preview(): Promise<IDataObject[]> {
		try {
			const written = await this.records();
			const { preview } = await this.run.openPreview(this.context);
			const unknown = preview?.unknownOf(this.index);
			this.release();
			const of: OutputForm['of'] = (record, titleOf) => previewed(this, record, unknown, titleOf);
			const client = await this.client({ maxRetries: 0 });
			return withHeadings(this, await inForm(written, { of }, client));
		} catch (error) {
			return isAboutItem(error)
				? withHeadings(this, [refusedPreview(this, error)])
				: rethrow(error);
		}
	}

	private async records(): Promise<readonly unknown[]> {
		const { context, isWrite, options, work } = this;
		this.sending = this.sendOptions();
		if (work.record) {
			const chosen = (name: 'output' | 'fields', orElse: string | string[]): unknown =>
				isWrite ? options[name] : context.getNodeParameter(name, orElse);
			const form = { output: chosen('output', 'simplified'), fields: chosen('fields', []) };
			this.form = outputFormOf(form, work.record, isWrite);
			if (isWrite) this.approval = approvalOf(options, work.record);
		}
		const records = await this.worked();
		const { notes } = this;
		const noted = (record: unknown) => (record instanceof Written ? record.noted(notes) : record);
		return notes.length > 0 ? records.map(noted) : records;
	}

	/** Does the work. Looks the titles up again if they are too old when the write leaves, and then builds the body anew. */
	private async worked(): Promise<readonly unknown[]> {
		for (;;) {
			try {
				return await this.work.run(this);
			} catch (error) {
				if (!(error instanceof TitlesTooOld)) return rethrow(error);
				this.titleAge.expire();
				this.notes.length = 0;
				delete this.cells;
			}
		}
	}

	/**
	 * Waits until the parameters of all items are checked. A write then waits for its turn. Returns the client.
	 *
	 * @throws RunStopped if the run was stopped
	 * @throws RateLimited if the item would have to wait longer than its options allow
	 * @throws TitlesTooOld if the titles are too old for a write
	 */
	async begin(): Promise<Client> {
		this.prepared();
		await this.run.allPrepared();
		if (this.work.isLastFirst) await this.run.allBegun();
		const titlesUntil = this.isPreview ? Infinity : this.titleAge.validUntil;
		const client = await this.client({ waitsSince: systemClock.now(), titlesUntil });
		if (!this.isWrite) return client;
		this.endTurn ??= await client.turn();
		if (systemClock.now() > titlesUntil) throw new TitlesTooOld();
		return client;
	}

	/** Ends the item's turn to write and its announced lookups. A second call has no effect. */
	release(): void {
		this.prepared();
		this.endTurn?.();
		this.endTurn = undefined;
		for (const lookup of this.lookups.values()) this.run.lookups.forget(lookup);
		this.lookups.clear();
	}

	/** Tells the lookups of the run whether the item needs a fresh read of a person, so that items can share later reads. */
	expectsChange(lookup: Match, needsRead: (person: IDataObject) => boolean): void {
		this.run.lookups.expect(lookup, (person) => attempt(needsRead, person) === true);
	}

	/** Announces a lookup of a person, so that one request can look up several people. `release` ends the lookup. */
	looksFor(lookup: Match): Match {
		const name = `${lookup.matchBy} ${lookup.value}`;
		const same = this.lookups.get(name);
		if (same) return same;
		this.lookups.set(name, lookup);
		this.run.lookups.announce(lookup);
		return lookup;
	}

	/**
	 * Announces a search for a person by e-mail address.
	 *
	 * @param label of the parameter that holds the address: "Person"
	 * @throws UnusableParameter if the text is no address
	 */
	looksForEmail(email: string, label: string): Match {
		const value = cleanContact(email);
		if (isMeantAsEmail(value)) return this.looksFor({ matchBy: 'email', value });
		throw new UnusableParameter(
			`${label}: expected an e-mail address, got ${quoted(value)}`,
			`Correct the address. ${this.adviceOn(person.collection)}`,
		);
	}

	/**
	 * Returns the IRI of each reference, or the expected form of an unusable one. Looks titles up in the service, unless a
	 * reference is unusable without a look. In that case, returns only that one.
	 *
	 * @param formOf returns the IRI or ID of a reference that is no title
	 */
	async iris(
		references: readonly unknown[],
		collection: string,
		formOf = iriOf,
	): Promise<Resolved[]> {
		const { context, run } = this;
		const { names, tenant } = await run.openAccount(context);
		const { description } = tenant;
		// Even a text with the form of an ID is a name if the credential lists it.
		const meant = references.map((reference) => {
			const meaning = meaningOf(reference, collection, { description, names });
			return { reference, meaning, iri: meaning === 'reference' && formOf(reference, collection) };
		});
		const unusable = meant.find(({ iri }) => iri && 'expected' in iri);
		if (unusable) return [unusable.iri as Resolved];
		const iris: Resolved[] = [];
		for (const { reference, meaning, iri } of meant) {
			if (iri) {
				iris.push(iri);
				continue;
			}
			const options = { meaning, oldestRead: this.titleAge.lookUp() };
			const look = async (client: Client) => await resolve(client, reference, collection, options);
			iris.push(await this.readAhead(look));
		}
		return iris;
	}

	/** Returns the IRI of a reference, or the expected form of an unusable reference. Looks titles up in the service. */
	async iri(reference: unknown, collection: string): Promise<Resolved> {
		return (await this.iris([reference], collection))[0]!;
	}

	/** Returns the ID of a reference, or the expected form of an unusable reference. Looks titles up in the service. */
	async id(reference: unknown, collection: string): Promise<Resolved> {
		const [iri] = await this.iris([reference], collection, idOf);
		return 'value' in iri! ? { value: lastSegment(iri.value) } : iri!;
	}

	/** Sends a read for the check of the parameters, before any item of the run writes. */
	async readAhead<T>(read: (client: Client) => Promise<T>): Promise<T> {
		await this.run.built();
		const answer = await read(await this.client());
		await this.run.built();
		return answer;
	}

	/** Returns an error item for a failed item if the node continues on errors. Otherwise, stops the run and throws. */
	async failed(error: unknown): Promise<INodeExecutionData[]> {
		const { context, index, run } = this;
		// n8n shows why a run stopped: the user cancelled it, or another item failed. So this item gives no error, unless
		// its write may have taken effect before the user cancelled.
		if (error instanceof RunStopped && !(run.isCancelled && error.mayHaveTakenEffect)) return [];
		const nodeError = asNodeError(context.getNode(), error, index, run.isTool);
		if (context.continueOnFail()) return [errorItem(nodeError.message, detailsOf(error), index)];
		run.stop();
		this.release();
		if (run.size > 1) {
			if (!(error instanceof RunStopped)) nodeError.message += this.rowText();
			hideItemIndex(nodeError);
		}
		const whole = await run.withSummary(nodeError, isAboutItem(error));
		// If n8n's engine has given up the run, it no longer waits for items, and no code would handle a rejection.
		if (run.isBroken) return [];
		throw whole;
	}

	/** Returns the row of the item, to follow a message, with its number from 1 and the name or address in it. */
	private rowText(): string {
		const called = textIn(rowName(this));
		const who = called === '' ? '' : `: ${shortened(called, LONGEST_NAME)}`;
		return ` [row ${this.index + 1}${who}]`;
	}

	private prepared(): void {
		if (this.isPrepared) return;
		this.isPrepared = true;
		this.run.prepared();
	}

	private async client(further: Partial<ClientOptions> = {}): Promise<Client> {
		const { context, run, sending } = this;
		const account = await (this.isPreview ? run.openPreview(context) : run.openAccount(context));
		const keepsReads = this.isWrite;
		return new Client(context, account, {
			...{ lane: run, keepsReads },
			...sending,
			...further,
		});
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
		// Read the timeout from the parameter, because the engine puts its own default into the request.
		const { timeout } = context.getNodeParameter('requestOptions', {}) as { timeout?: number };
		const { proxy, skipSslCertificateValidation, allowedDomains } = request;
		return {
			// The limiter serves the lowest number of a run first.
			item: this.work.isLastFirst ? -index : index,
			signal: run.signal,
			labelAt: (path, body) => this.labelAt(path, body),
			slotWaitMs: isPatient ? Infinity : 0,
			throttledWaitMs: isPatient ? waitMinutes * MINUTE_MS : 0,
			...pickBy({ proxy, skipSslCertificateValidation, allowedDomains, timeout }),
		};
	}
}

function endOf(error: unknown): ItemEnd {
	if (error instanceof ExplainedError && error.mayHaveTakenEffect) return 'uncertain';
	return error instanceof RunStopped || error instanceof Busy ? 'notSent' : 'failed';
}
