import type { IDataObject } from 'n8n-workflow';
import { matchKey } from '../../common/identifiers';
import type { NodeRun } from '../../transport/nodeRun';
import { systemClock } from '../../transport/clock';
import type { Connection } from '../../transport/connection';
import {
	isAnyOf,
	keepAnyOf,
	looksForAny,
	NotAnyOf,
	peopleWithAny,
	showsAnyOf,
} from './arrayFilters';
import { findPerson, onlyMatch, readPerson, spellingsOf } from './findPerson';
import type { MatchBy } from './match';
import { isMatch } from './match';
import { carrierSince, markWrites } from './writes';

/** Values in one request: as many people fit on a page. */
const MOST_VALUES = 30;
/** Longer addresses are cut by some servers. */
const LONGEST_QUERY = 3_000;
/** Writes that a minute has room for beside a lookup. */
const WRITES_A_MINUTE = 19;
/** What was looked up is looked up again before a write where it is older than this, in ms. */
const OLDEST_MS = 90_000;
/** For fewer items, asking for each costs less than finding out how the service takes several values. */
const FEWEST_TO_PROVE = 5;

/** Somebody an item looks for. */
export interface Lookup {
	/** Tells it from the other lookups of the run; most items have one, by their number. */
	key: string;
	matchBy: MatchBy;
	value: string;
	/** Whether who is found is written to: the next people are looked up when this is done. */
	isToBeWritten: boolean;
}

/** What was found for an item. */
export interface Looked {
	person?: IDataObject;
	/** What `markWrites` gave before the lookup. */
	mark: number;
	/** When it was looked up, in ms of the clock's `now`. */
	at: number;
}

/**
 * The lookups of a run, thirty values a request. They are made just in time, for the items whose writes
 * come next, so that little can change between a lookup and its write.
 */
export class RunLookups {
	/** In the order of the items. */
	private readonly waiting: Lookup[] = [];

	private readonly answers = new Map<string, Promise<Looked | undefined>>();

	/** Items that were looked up and have not ended. */
	private readonly open = new Set<string>();

	private whenNoneOpen: Array<() => void> = [];

	/** Every spelling that the items of the run have of a value, by its key. */
	private readonly spellings = new Map<string, Set<string>>();

	private readonly counts = { looked: 0, written: 0 };

	/** Takes notice of how an item spells a value: a service that compares exactly may hold that spelling. */
	noticeSpelling(value: string): void {
		const key = matchKey(value);
		const known = this.spellings.get(key) ?? new Set();
		this.spellings.set(key, known.add(value.trim()));
	}

	/** How a value may be spelled, as this item and the others of the run have it. */
	spellingsOf(value: string): string[] {
		return [...new Set([...spellingsOf(value), ...(this.spellings.get(matchKey(value)) ?? [])])];
	}

	/** Announces a lookup, without a pause while the items are built. */
	announce(lookup: Lookup): void {
		this.waiting.push(lookup);
	}

	/**
	 * What an item looks for.
	 *
	 * @throws ExplainedError where several people match, or where it cannot be told
	 */
	async find(connection: Connection, lookup: Lookup): Promise<Looked> {
		while (!this.answers.has(lookup.key)) {
			if (this.open.size > 0) await new Promise<void>((go) => this.whenNoneOpen.push(go));
			else this.startBatch(connection);
		}
		const looked = await this.answers.get(lookup.key);
		const isFresh = looked && systemClock.now() - looked.at <= OLDEST_MS;
		return isFresh ? looked : await this.findOne(connection, lookup);
	}

	/** What an item looks for, asked for by itself. */
	async findOne(
		connection: Connection,
		{ matchBy, value }: Pick<Lookup, 'matchBy' | 'value'>,
	): Promise<Looked> {
		const when = { mark: markWrites(), at: systemClock.now() };
		const search = { matchBy, value, spellings: this.spellingsOf(value) };
		return { ...when, person: await findPerson(connection, search) };
	}

	/**
	 * Who has a value now: as looked up, or whom another item has given it meanwhile, perhaps under a
	 * spelling that the service does not take for the same.
	 *
	 * @param begun what `markWrites` gave when the run began
	 */
	async withWrittenSince(
		connection: Connection,
		{ matchBy, value }: Lookup,
		looked: Looked,
		begun: number,
	): Promise<Looked> {
		if (looked.person) return looked;
		const id = carrierSince(connection.identity, matchKey(value), begun);
		if (id === undefined) return looked;
		const mark = markWrites();
		const person = await readPerson(connection, id);
		return person && isMatch(person, matchBy, value) ? { ...looked, person, mark } : looked;
	}

	/** An item wrote to whom it looked for. */
	noticeWrite(): void {
		this.counts.written++;
	}

	/** An item has ended, done or not. */
	end(key: string): void {
		if (!this.answers.has(key)) {
			const place = this.waiting.findIndex((lookup) => lookup.key === key);
			if (place >= 0) this.waiting.splice(place, 1);
		}
		this.answers.delete(key);
		this.release([key]);
	}

	/** Lets the next people be looked up, where nothing of the last batch is open any more. */
	private release(keys: readonly string[]): void {
		for (const key of keys) this.open.delete(key);
		if (this.open.size > 0) return;
		for (const go of this.whenNoneOpen.splice(0)) go();
	}

	private startBatch(connection: Connection): void {
		const batch = this.takeBatch();
		const looked = lookUpAll(connection, batch, (value) => this.spellingsOf(value));
		this.counts.looked += batch.length;
		void looked.then((all) => {
			if (!all) return;
			const found = [...all.values()].filter(({ people }) => people.length > 0).length;
			connection.logInfo(
				`Looked up ${batch.length} items, ${this.waiting.length} to follow: ${found} people exist, ${batch.length - found} do not`,
			);
		});
		for (const lookup of batch) {
			this.open.add(lookup.key);
			// What one request for all cannot find is asked for item by item, with a message of its own
			// for what is wrong.
			this.answers.set(
				lookup.key,
				looked.then((all) => onlyFound(all?.get(lookup.key), lookup)),
			);
		}
		for (const answer of this.answers.values()) answer.catch(() => undefined);
		const read = batch.filter(({ isToBeWritten }) => !isToBeWritten).map(({ key }) => key);
		void looked.finally(() => this.release(read));
	}

	private takeBatch(): Lookup[] {
		const [first] = this.waiting;
		let values = 0;
		let length = 0;
		let size = 0;
		for (const { matchBy, value } of this.waiting) {
			const spellings = this.spellingsOf(value);
			values += spellings.length;
			length += spellings.join('').length + 40 * spellings.length;
			const isFull = values > MOST_VALUES || length > LONGEST_QUERY || size >= this.mostItems();
			if (size > 0 && (isFull || matchBy !== first.matchBy)) break;
			size++;
		}
		return this.waiting.splice(0, size);
	}

	/** As many items as can be written to within about a minute, judged by those before. */
	private mostItems(): number {
		const { looked, written } = this.counts;
		if (looked === 0 || written === 0) return MOST_VALUES;
		return Math.min(MOST_VALUES, Math.ceil(WRITES_A_MINUTE / (written / looked)));
	}
}

const lookupsByRun = new WeakMap<NodeRun, RunLookups>();

/** The lookups of a run. */
export function lookupsOf(run: NodeRun): RunLookups {
	let lookups = lookupsByRun.get(run);
	if (!lookups) lookupsByRun.set(run, (lookups = new RunLookups()));
	return lookups;
}

type Candidates = { people: IDataObject[]; mark: number; at: number };

function onlyFound(candidates: Candidates | undefined, lookup: Lookup): Looked | undefined {
	if (!candidates) return undefined;
	const { people, ...when } = candidates;
	return { ...when, person: onlyMatch(people, lookup.matchBy, lookup.value) };
}

/**
 * Who matches each of several lookups, from one request.
 *
 * @returns undefined where they have to be asked for one by one
 */
async function lookUpAll(
	connection: Connection,
	batch: readonly Lookup[],
	spellingsFor: (value: string) => string[],
): Promise<Map<string, Candidates> | undefined> {
	const [{ matchBy }] = batch;
	const isAny = isAnyOf(connection, matchBy);
	if (isAny === false || batch.length === 1) return undefined;
	if (isAny === undefined && batch.length < FEWEST_TO_PROVE) return undefined;
	const when = { mark: markWrites(), at: systemClock.now() };
	try {
		const values = [...new Set(batch.flatMap(({ value }) => spellingsFor(value)))];
		const people = await peopleWithAny(connection, matchBy, values);
		const found = batch.map(({ key, value }) => ({
			key,
			value,
			people: people.filter((person) => isMatch(person, matchBy, value)),
		}));
		if (isAny === undefined && showsAnyOf(people, matchBy, values)) {
			keepAnyOf(connection, matchBy, true);
		}
		if (!(await looksForAny(connection, matchBy))) return undefined;
		return new Map(found.map(({ key, people: own }) => [key, { people: own, ...when }]));
	} catch (error) {
		if (error instanceof NotAnyOf) keepAnyOf(connection, matchBy, false);
		// Each item asks for itself, and tells what stands in its way.
		return undefined;
	}
}
