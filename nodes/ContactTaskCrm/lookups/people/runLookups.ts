import { matchKey } from '../../common/identifiers';
import type { Intent } from '../../runtime/locate';
import type { NodeRun } from '../../transport/nodeRun';
import { systemClock } from '../../transport/clock';
import type { Connection } from '../../transport/connection';
import { findPerson, readPerson, spellingsOf } from './findPerson';
import type { Candidates, Looked, Lookup, Search } from './lookUpTogether';
import { lookUpAll, onlyFound } from './lookUpTogether';
import { isMatch } from './match';
import { isWrite, noIntents, planText } from './plan';
import { carrierSince, markWrites } from './writes';

/** Values in one request: as many people fit on a page. */
const MOST_VALUES = 30;
/** Longer addresses are cut by some servers. */
const LONGEST_QUERY = 3_000;
/** Writes that a minute has room for beside a lookup. */
const WRITES_A_MINUTE = 19;
/** What was looked up is looked up again before a write where it is older than this, in ms. */
const OLDEST_MS = 90_000;

/**
 * The lookups of a run, thirty values a request. They are made just in time, for the items whose writes
 * come next, so that little can change between a lookup and its write.
 */
class RunLookups {
	/** In the order of the items. */
	private readonly waiting: Lookup[] = [];

	private readonly answers = new Map<string, Promise<Looked | undefined>>();

	/** Items that were looked up and have not ended. */
	private readonly open = new Set<string>();

	private whenNoneOpen: Array<() => void> = [];

	/** Every spelling that the items of the run have of a value, by its key. */
	private readonly spellings = new Map<string, Set<string>>();

	private readonly counts = { looked: 0, written: 0, lookups: 0 };

	private readonly intents = noIntents();

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
	async find(connection: Connection, lookup: Search): Promise<Looked> {
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
		{ matchBy, value }: Pick<Search, 'matchBy' | 'value'>,
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
		{ matchBy, value }: Search,
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
		this.counts.lookups++;
		void looked.then((all) => {
			if (all) this.tellPlan(connection, batch, all);
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

	/** Says what the run is going to do, as far as that is known. */
	private tellPlan(
		connection: Connection,
		batch: readonly Lookup[],
		found: ReadonlyMap<string, Candidates>,
	): void {
		let writesLeft = 0;
		for (const lookup of batch) {
			const intent = plannedIntentOf(lookup, found.get(lookup.key));
			this.intents[intent]++;
			if (isWrite(intent)) writesLeft++;
		}
		const { intents, waiting, counts } = this;
		const { limit } = connection;
		const following = waiting.length;
		const { lookups } = counts;
		connection.logInfo(planText({ intents, following, lookups, writesLeft, limit }));
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

function plannedIntentOf(lookup: Lookup, candidates: Candidates | undefined): Intent {
	try {
		return lookup.intend(onlyFound(candidates, lookup)?.person);
	} catch {
		// The item tells it when its turn has come.
		return 'refuse';
	}
}
