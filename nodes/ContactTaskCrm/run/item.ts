import { attempt, once } from 'lodash';
import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { TitlesTooOld, isAboutItem } from '../util/failures';
import type { Match } from '../lookup/find';
import { Client, type ClientOptions } from '../crm/client';
import { meaningOf, resolve, TitleAge } from '../lookup/resolve';
import { rethrow } from '../util/errors';
import type { Headings } from '../tables/headings';
import { NO_ROW, type ReadRow } from '../tables/cell';
import type { Approval } from '../writes/approved';
import { inForm, type OutputForm } from '../output/output';
import type { Run } from './run';
import { sourcesOf } from '../input/body';
import { readRow } from '../input/given';
import { labelFromSources, referenceAdvice, type Source } from '../input/labels';
import type { BodySpecification } from '../input/specification';
import { previewed, refusedPreview, withChanges, withHeadings } from '../output/writeOutput';
import { asRecord } from '../values/json';
import type { ResolvedByTitle } from '../lookup/byName';
import { idOf, iriOf, lastSegment, type Resolved } from '../values/reference';
import { Written } from '../crm/records';
import type { RecordSpecification } from '../output/specification';
import type { InputItem } from '../input/item';
import { isOn, type Options, type Settings, settingsOf } from './options';

/** Description of an operation: its work on an item, its records, and its request body. */
export interface Work {
	/** Description of the records, for the parameter Output. If absent, the output shows the records unchanged. */
	record?: RecordSpecification;
	/** Description of the request body. The user may fill its columns from a table: each item is a row of cells. */
	body?: BodySpecification;
	/** Returns the parameters that gave an item its values, for labels in messages. If absent, `body` tells them. */
	sources?: (item: Item) => readonly Source[];
	/** Whether a second try is harmless if the first took effect (Create or Update). If absent, the method decides. */
	isRepeatable?: boolean;
	/** Whether the last item writes first, as with Undo. If absent, the first item writes first. */
	isLastFirst?: boolean;
	/** Checks the parameters, sends with the client that `item.begin` returns, and returns records for the output. */
	run: (item: Item) => Promise<readonly unknown[]>;
}

/** One item of a run, from its parameters to its output. */
export class Item implements InputItem {
	readonly index: number;

	/** Whether the HTTP method may write, because it is not GET. */
	readonly isWrite: boolean;

	/** Whether the item has left out an unusable value. With On Error: Stop, the item would have failed instead. */
	leavesOut = false;

	/** Notes for the user. The notes on the item's row of the table are in `rowRead` instead. */
	private readonly ownNotes: string[] = [];

	private rowRead: ReadRow | undefined;

	private settingsRead: Settings | undefined;

	private readonly parameters = once(() => {
		const { context } = this;
		return {
			options: context.getNodeParameter('options', {}) as Options,
			inputMode: context.getNodeParameter('inputMode', 'fields'),
			mappingMode: context.getNodeParameter('columns.mappingMode', ''),
		};
	});

	/** Tells the run, once, that the node has checked the parameters of this item, or that the item has ended. */
	private readonly notePrepared = once(() => this.run.notePrepared());

	private unlock: (() => void) | undefined;

	/** Lookups that the item has announced to the run, by kind and value, such as "email eva@crm.example". */
	private readonly announced = new Map<string, Match>();

	private readonly titleAge: TitleAge;

	constructor(
		readonly context: IExecutePaginationFunctions,
		readonly request: InputItem['request'],
		readonly run: Run,
		private readonly work: Work,
	) {
		this.index = context.getItemIndex();
		this.isWrite = request.method !== 'GET';
		this.titleAge = new TitleAge(run.begunAt);
	}

	get options(): Options {
		return this.parameters().options;
	}

	get isMapped(): boolean {
		return this.parameters().inputMode === 'columns';
	}

	get isJson(): boolean {
		return this.parameters().inputMode === 'json';
	}

	/** Whether the item reports its write instead of sending it (Preview Only). */
	get isPreview(): boolean {
		return this.isWrite && isOn(this.options, 'previewOnly');
	}

	get headings(): Headings | undefined {
		const isByHand = this.parameters().mappingMode === 'defineBelow';
		return this.isMapped && !isByHand ? this.work.body?.headings() : undefined;
	}

	get row(): ReadRow {
		const { body } = this.work;
		return body && this.isMapped ? (this.rowRead ??= readRow(this, body)) : NO_ROW;
	}

	get sources(): readonly Source[] {
		const { body, sources } = this.work;
		if (sources) return sources(this);
		const fields = (this.request.body ?? {}) as IDataObject;
		return body && !this.isJson ? sourcesOf(this, body, fields) : [];
	}

	/** Form of the item's records in the output. Absent if the output shows them unchanged. */
	get form(): OutputForm | undefined {
		return this.settings().form;
	}

	get approval(): Approval | undefined {
		return this.settings().approval;
	}

	/** Notes for the user. The output shows them in its field `note`. */
	get notes(): readonly string[] {
		return [...(this.rowRead?.notes ?? []), ...this.ownNotes];
	}

	/**
	 * The settings from the parameters. The first use checks them.
	 *
	 * @throws UnusableParameter for an unusable option
	 */
	private settings(): Settings {
		const place = this.work.isLastFirst ? -this.index : this.index;
		return (this.settingsRead ??= settingsOf(this, this.work.record, place));
	}

	labelAt(path: string, body: IDataObject): string {
		return labelFromSources(path, body, this.sources);
	}

	addNote(note: string): void {
		if (!this.ownNotes.includes(note)) this.ownNotes.push(note);
	}

	addNoteOfLeftOut(note: string): void {
		this.leavesOut = true;
		this.addNote(note);
	}

	adviceOn(collection: string): string {
		return referenceAdvice(collection, this.run.isTool);
	}

	/**
	 * Does the work of the item. Returns the records in the form that Output asks for, or previews if Preview Only is on.
	 * If the node or the service refuses an item, its preview shows the error.
	 */
	async perform(): Promise<IDataObject[]> {
		const { isPreview } = this;
		try {
			return await this.inOutput(await this.records());
		} catch (error) {
			if (!isPreview || !isAboutItem(error)) return rethrow(error);
			return withHeadings(this, [refusedPreview(this, error)]);
		}
	}

	/** Returns records of this item in the form that Output asks for, or their previews. */
	async inOutput(records: readonly unknown[]): Promise<IDataObject[]> {
		this.release();
		const of = await this.shown();
		if (!of) return records.map(asRecord);
		const client = await this.client({ maxRetries: 0 });
		return withHeadings(this, await inForm(records, of, client));
	}

	/** Returns the function that brings a record into its output form, or its preview. Undefined if no form is needed. */
	private async shown(): Promise<OutputForm['of'] | undefined> {
		if (!this.isPreview) return this.form && withChanges(this, this.form);
		const { preview } = await this.run.openPreview(this.context);
		const unknown = preview?.unknownOf(this.index);
		return (record, titleOf) => previewed(this, record, unknown, titleOf);
	}

	/** Checks the options of the item, runs its operation, and returns the records with the notes for the user. */
	private async records(): Promise<readonly unknown[]> {
		this.settings();
		const records = await this.doWork();
		const { notes } = this;
		return records.map((record) => (record instanceof Written ? record.noted(notes) : record));
	}

	/**
	 * Runs the operation. Runs it again if the lookups of titles became too old before the write left. The item then
	 * looks the titles up again.
	 */
	private async doWork(): Promise<readonly unknown[]> {
		for (;;) {
			try {
				return await this.work.run(this);
			} catch (error) {
				if (!(error instanceof TitlesTooOld)) return rethrow(error);
				this.titleAge.expire();
				this.ownNotes.length = 0;
			}
		}
	}

	/**
	 * Waits until the item may send, and returns its client. Every item waits for the check of all items' parameters.
	 * An item of Undo waits until all items have begun, because the last item writes first. A write waits for the
	 * write lock.
	 *
	 * @throws RunStopped if the run was stopped
	 * @throws RateLimited or Busy if the item would have to wait longer than its options allow
	 * @throws TitlesTooOld if the item looked up a title too long ago to write with the result
	 */
	async begin(): Promise<Client> {
		this.notePrepared();
		await this.run.untilAllPrepared();
		if (this.work.isLastFirst) await this.run.untilAllBegun();
		const titlesUntil = this.isPreview ? Infinity : this.titleAge.validUntil;
		const client = await this.client({ waitsSince: systemClock.now(), titlesUntil });
		if (!this.isWrite) return client;
		this.unlock ??= await client.lockWrites();
		if (systemClock.now() > titlesUntil) throw new TitlesTooOld();
		return client;
	}

	/** Gives back the write lock, and ends the lookups that the item has announced. A second call has no effect. */
	release(): void {
		this.notePrepared();
		this.unlock?.();
		this.unlock = undefined;
		for (const lookup of this.announced.values()) this.run.lookups.batches.forget(lookup);
	}

	/**
	 * Tells the run's lookups how to know whether the item has to read the person again right before its write. One
	 * request then reads the people of several such items. `needsRead` decides by the newest read of the person.
	 */
	expectsChange(lookup: Match, needsRead: (person: IDataObject) => boolean): void {
		this.run.lookups.batches.expect(lookup, (person) => attempt(needsRead, person) === true);
	}

	looksFor(lookup: Match): Match {
		const name = `${lookup.matchBy} ${lookup.value}`;
		const same = this.announced.get(name);
		if (same) return same;
		this.announced.set(name, lookup);
		this.run.lookups.batches.announce(lookup);
		return lookup;
	}

	/**
	 * Resolves references as `InputItem.iris` says. `formOf` turns a given ID or IRI into the result: `iriOf` into an IRI,
	 * `idOf` into an ID. A title always becomes an IRI.
	 */
	async iris(
		references: readonly unknown[],
		collection: string,
		{ formOf = iriOf, within = [] }: { formOf?: typeof iriOf; within?: readonly string[] } = {},
	): Promise<Array<Resolved | ResolvedByTitle>> {
		const { context, run } = this;
		const { names, tenant } = await run.openAccount(context);
		const { description } = tenant;
		// The credential may name a tag or a user by a text that looks like an ID, such as B2B. So `meaningOf` also takes
		// these `names`.
		const meant = references.map((reference) => {
			const meaning = meaningOf(reference, collection, { description, names });
			return { reference, meaning, iri: meaning === 'reference' && formOf(reference, collection) };
		});
		const unusable = meant.find(({ iri }) => iri && 'expected' in iri);
		if (unusable) return [unusable.iri as Resolved];
		const iris: Array<Resolved | ResolvedByTitle> = [];
		for (const { reference, meaning, iri } of meant) {
			const look = async (client: Client) => {
				const options = { meaning, within, oldestRead: this.titleAge.noteLookup() };
				return await resolve(client, reference, collection, options);
			};
			iris.push(iri || (await this.readAhead(look)));
		}
		return iris;
	}

	async iri(reference: unknown, collection: string, within: readonly string[] = []) {
		return (await this.iris([reference], collection, { within }))[0]!;
	}

	async id(reference: unknown, collection: string, within: readonly string[] = []) {
		const [iri] = await this.iris([reference], collection, { formOf: idOf, within });
		return 'value' in iri! ? { value: lastSegment(iri.value) } : iri!;
	}

	async readAhead<T>(read: (client: Client) => Promise<T>): Promise<T> {
		await this.run.untilAllJoined();
		const answer = await read(await this.client());
		await this.run.untilAllJoined();
		return answer;
	}

	private async client(further: Partial<ClientOptions> = {}): Promise<Client> {
		const { context, run } = this;
		const { sending } = this.settings();
		const account = await (this.isPreview ? run.openPreview(context) : run.openAccount(context));
		return new Client(context, account, { ...sending, ...further });
	}
}
