import { isEqual } from 'lodash';
import { IDataObject } from 'n8n-workflow';
import { Client } from '../crm/client';
import { Begun } from '../crm/newestReads';
import { systemClock } from '../util/clock';
import { spellingsOf, identifierKey } from '../values/identifier';
import { MINUTE_MS } from '../values/time';
import { type Match, MATCH_FILTERS, findPeople } from './find';
import { findTogether } from './findTogether';

/** Maximum number of values to look up in one request. One page of the answer holds as many people. */
const MOST_VALUES = 30;
/**
 * Maximum number of characters of the values in a query, including the parameter names. Some servers cut longer URLs.
 */
const LONGEST_QUERY = 3_000;
/** Maximum age in ms of a shared lookup when an item uses it. The node repeats an older one. */
export const OLDEST_MS = 90_000;
/**
 * Minimum number of lookups that are left in a run, before `findTogether` proves that shared requests work. The proof
 * costs requests of its own. So fewer lookups cost less one by one.
 */
const FEWEST_TOGETHER = 5;

/** Values to look up for one item. */
export interface Asked {
	matches: readonly Match[];
	/** Number of the newest batch that is too old for the item. Absent if any batch within `OLDEST_MS` will do. */
	after: number | undefined;
}

/** Answer of the service to a lookup: people who may have the value. */
export interface Shown extends Begun {
	people: readonly IDataObject[];
}

/** Returns whether the item must read a person again right before its write. */
type NeedsRead = (person: IDataObject) => boolean;

/** People for each lookup of a batch. Undefined if each lookup has to send a request of its own after all. */
type PeopleByMatch = ReadonlyMap<Match, IDataObject[] | undefined> | undefined;

/** A request that several lookups share, with its answer. */
interface Batch extends Begun {
	/** Number of the batch in its run, from 1. */
	number: number;
	people: Promise<PeopleByMatch>;
}

/** Lookups that one item has announced. One request can look up several people. */
export class AnnouncedLookups {
	/** Keyed by kind and value. */
	private readonly lookups = new Map<string, Match>();

	constructor(private readonly batches: Batches) {}

	/** Announces a lookup of a person. Returns the first of several equal lookups. */
	announce(lookup: Match): Match {
		const name = `${lookup.matchBy} ${lookup.value}`;
		const same = this.lookups.get(name);
		if (same) return same;
		this.lookups.set(name, lookup);
		this.batches.announce(lookup);
		return lookup;
	}

	/** Forgets the lookups, because the item has ended. */
	end(): void {
		for (const lookup of this.lookups.values()) this.batches.forget(lookup);
		this.lookups.clear();
	}
}

/** Lookups of the items of one run. They share requests, with at most thirty values in each. */
export class Batches {
	/** Announced lookups that no request has contained yet. */
	private readonly waiting = new Set<Match>();

	/** Newest batch of each lookup, until its item ends. */
	private readonly batches = new Map<Match, Batch>();

	private readonly needsRead = new Map<Match, NeedsRead>();

	/** Whether every batch so far has found a person for every value. The next one then probably does, too. */
	private areProbablyAllThere = true;

	/** Whether each lookup sends its own request, because this service cannot look up several values at once. */
	private isOneByOne = false;

	private readonly counts = { batches: 0, lookedUp: 0, written: 0 };

	/** Time when the first batch began, by the clock's `now`. */
	private begunAt = Infinity;

	/** Announces a lookup, so that a request for another item can include it. */
	announce(lookup: Match): void {
		this.waiting.add(lookup);
	}

	/**
	 * Keeps a function that tells whether the item of a lookup has to read its person again before it writes. One
	 * request can then read for several of these items.
	 */
	expect(lookup: Match, needsRead: NeedsRead): void {
		this.needsRead.set(lookup, needsRead);
	}

	/** Returns whether a lookup was announced, so that it may share a request. */
	has(match: Match): boolean {
		return this.waiting.has(match) || this.batches.has(match);
	}

	/** Number of batches so far. */
	get count(): number {
		return this.counts.batches;
	}

	/** Counts a write after a lookup. The number of writes per lookup decides the size of the next batches. */
	noteWrite(): void {
		this.counts.written++;
	}

	/** Forgets the lookup of an item that has ended. */
	forget(lookup: Match): void {
		this.waiting.delete(lookup);
		this.batches.delete(lookup);
		this.needsRead.delete(lookup);
	}

	/**
	 * Returns the answer to a lookup. If no batch has a usable answer, begins a batch, which also has lookups of the
	 * next items.
	 *
	 * @param asked all values of the item, and the batches that are too old for it
	 */
	async findInBatch(client: Client, lookup: Match, { matches, after = 0 }: Asked): Promise<Shown> {
		const usable = (one: Match) => {
			const last = this.batches.get(one);
			return last && isYoung(last) && last.number > after ? last : undefined;
		};
		// The item's values may fill several requests. The next one must not repeat those that have a usable answer.
		const unanswered = matches.filter((one) => !usable(one));
		const batch = usable(lookup) ?? this.beginBatch(client, [lookup, ...unanswered]);
		const people = (await batch.people)?.get(lookup);
		return people && isYoung(batch) ? { ...batch, people } : await lookUpAlone(client, lookup);
	}

	/** Begins a request for the values of an item, together with those of the next items. */
	private beginBatch(client: Client, own: readonly [Match, ...Match[]]): Batch {
		// A preview writes nothing, so the time for writes does not limit its batch.
		const most = client.isPreview ? MOST_VALUES : this.mostLookups(client.limit);
		const lookups = this.batchFrom(client, own, most);
		this.begunAt = Math.min(this.begunAt, systemClock.now());
		// If the shared request fails, each item looks up its own person, and reports its own error.
		const begun = client.tenant.begunNow();
		const people = this.lookUpAll(client, lookups).catch(() => undefined);
		const batch = { ...begun, number: ++this.counts.batches, people };
		for (const lookup of lookups) {
			if (this.waiting.delete(lookup)) this.counts.lookedUp++;
			this.batches.set(lookup, batch);
		}
		return batch;
	}

	/** Looks up several values together. Returns undefined if each lookup needs its own request. */
	private async lookUpAll(client: Client, lookups: readonly Match[]): Promise<PeopleByMatch> {
		const { query } = MATCH_FILTERS[lookups[0]?.matchBy ?? 'email'];
		const { knownPeople } = client.tenant.description.severalValues.of(query);
		const isWorthProof = new Set([...lookups, ...this.waiting]).size >= FEWEST_TOGETHER;
		const isEnough = lookups.length > 1 && (knownPeople !== undefined || isWorthProof);
		if (this.isOneByOne || !isEnough) return await this.lookUpRepeated(client, lookups);
		const found = await findTogether(client, lookups, this.areProbablyAllThere);
		if (!found) {
			// If the request asked for known people, they may have left the CRM, and the next try may succeed. If it did not,
			// the service cannot look up several values.
			this.isOneByOne = knownPeople === undefined || this.areProbablyAllThere;
			return undefined;
		}
		this.areProbablyAllThere &&= found.every(({ length }) => length > 0);
		return new Map(lookups.map((lookup, position) => [lookup, found[position]]));
	}

	/**
	 * Looks up the first of several values, for all items of a preview with this value. In a run, each of them looks it up
	 * right before its write. Returns undefined if no other item has the value.
	 */
	private async lookUpRepeated(
		client: Client,
		[first, ...others]: readonly Match[],
	): Promise<PeopleByMatch> {
		const same = others.filter((one) => isEqual(one, first));
		if (!first || !client.isPreview || same.length === 0) return undefined;
		const people = await findPeople(client, first);
		return new Map([first, ...same].map((lookup) => [lookup, people]));
	}

	/**
	 * Chooses lookups for one request, all by e-mail address or all by identifier. It adds lookups of later items up to
	 * `most`, because the answer would be too old for further ones.
	 */
	private batchFrom(client: Client, own: readonly [Match, ...Match[]], most: number): Match[] {
		const [first] = own;
		const others = this.waiting.has(first) ? this.waiting : this.lookupsToRepeat(client);
		const batch: Match[] = [];
		let values = 0;
		let length = 0;
		for (const lookup of new Set([...own, ...others])) {
			const spellings = spellingsOf(lookup.value);
			values += spellings.length;
			length += spellings.join('').length + 40 * spellings.length;
			const isForLater = batch.length >= most && !own.includes(lookup);
			const isFull = values > MOST_VALUES || length > LONGEST_QUERY || isForLater;
			if (batch.length > 0 && (isFull || lookup.matchBy !== first.matchBy)) break;
			batch.push(lookup);
		}
		return batch;
	}

	/** Returns the lookups to repeat: those that are too old, and those of items that need a fresh read. */
	private lookupsToRepeat({ newest }: Client): Match[] {
		const needsRead = (lookup: Match) =>
			newest
				.carriersOf(identifierKey(lookup.value))
				.some(({ record }) => this.needsRead.get(lookup)?.(record));
		const lookups = [...this.batches].filter(([one, batch]) => !isYoung(batch) || needsRead(one));
		return lookups.map(([one]) => one);
	}

	/**
	 * Returns the number of lookups whose items the run can process in about a minute, but at most `MOST_VALUES`. It
	 * follows from the writes per lookup and the pace so far. The pace counts, because the service may be slow, and other
	 * runs use the limit, too. For the first batch, the node assumes a write for each lookup.
	 */
	private mostLookups(limit: number): number {
		const { lookedUp, written } = this.counts;
		if (lookedUp === 0) return Math.min(MOST_VALUES, Math.floor((limit * OLDEST_MS) / MINUTE_MS));
		if (written === 0) return MOST_VALUES;
		const byLimit = ((limit - 1) * lookedUp) / written;
		const byPace = (MINUTE_MS * lookedUp) / (systemClock.now() - this.begunAt);
		return Math.min(MOST_VALUES, Math.ceil(byLimit), Math.ceil(byPace));
	}
}

/**
 * Looks up one value in requests of its own, not in a batch.
 *
 * @param sent other spellings of the value. An earlier create may have used them
 */
export async function lookUpAlone(
	client: Client,
	match: Match,
	sent: readonly string[] = [],
): Promise<Shown> {
	const begun = client.tenant.begunNow();
	return { ...begun, people: await findPeople(client, match, sent) };
}

function isYoung({ at }: Begun): boolean {
	return systemClock.now() - at <= OLDEST_MS;
}
