import { isEqual } from 'lodash';
import { IDataObject } from 'n8n-workflow';
import { Client } from '../crm/client';
import { Begun } from '../crm/newestReads';
import { systemClock } from '../util/clock';
import { spellingsOf, identifierKey } from '../values/identifier';
import { MINUTE_MS } from '../values/time';
import { type Match, MATCH_FILTERS, findPeople } from './find';
import { findTogether } from './findTogether';

/** Maximum number of values to look up in one request, because a page of the answer holds at most 30 people. */
const MOST_VALUES = 30;
/** Maximum number of characters of the values in a query, with their parameter names. Some servers cut longer URLs. */
const LONGEST_QUERY = 3_000;
/** Maximum age in ms of a shared answer when an item uses it. For an older answer, the node repeats the lookup. */
export const OLDEST_LOOKUP_MS = 90_000;
/**
 * Minimum number of lookups left in a run to prove that one request can look up several values (`findTogether`). The
 * proof costs requests. For fewer lookups, single requests cost less.
 */
const FEWEST_TOGETHER = 5;

/** Values that the node looks up for one item. */
export interface Asked {
	matches: readonly Match[];
	/**
	 * The item may use only batches with a higher number than this. If absent, only the age of a batch counts
	 * (`OLDEST_LOOKUP_MS`).
	 */
	after: number | undefined;
}

/** Answer of the service to a lookup: people who may have the value, and the start of the read. */
export interface Shown extends Begun {
	people: readonly IDataObject[];
}

/** Returns whether an item must read the person again right before it writes. */
type NeedsRead = (person: IDataObject) => boolean;

/**
 * People that a batch has found for each lookup. If the map is undefined, each lookup has to send its own request. If
 * the map has no people for a lookup, only this lookup has to.
 */
type PeopleByMatch = ReadonlyMap<Match, IDataObject[] | undefined> | undefined;

/** A request that several lookups share, and its answer. */
interface Batch extends Begun {
	/** Number of the batch in its run, from 1. */
	number: number;
	people: Promise<PeopleByMatch>;
}

/** Lookups of the items of one run. They share requests, with at most thirty values in each. */
export class Batches {
	/** Announced lookups that no shared request (batch) has included yet. */
	private readonly waiting = new Set<Match>();

	/** Newest batch of each lookup. Kept until the item of the lookup ends. */
	private readonly batches = new Map<Match, Batch>();

	private readonly needsRead = new Map<Match, NeedsRead>();

	/**
	 * Whether every batch so far has found a person for each of its values. If so, the next batch probably finds them,
	 * too.
	 */
	private areProbablyAllThere = true;

	/** Whether each lookup sends its own request, because the service cannot look up several values at once. */
	private isOneByOne = false;

	private readonly counts = { batches: 0, lookedUp: 0, written: 0 };

	/** Time when the first batch began, by the clock's `now`. The pace of the run counts from this time. */
	private begunAt = Infinity;

	/** Announces a lookup, so that a request for another item can include it. */
	announce(lookup: Match): void {
		this.waiting.add(lookup);
	}

	/**
	 * Keeps the function `needsRead` for a lookup. This function returns whether the item of the lookup has to read the
	 * person again right before its write. One request can then repeat the lookups of several such items.
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

	/**
	 * Counts a write that followed a lookup. From the number of writes per lookup, `mostLookups` computes the size of the
	 * next batch.
	 */
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
	 * Returns the answer to a lookup. If no batch has a usable answer, begins a batch, with lookups of the next items.
	 *
	 * @param asked all values of the item. Only a batch with a higher number than `after` is usable
	 */
	async findInBatch(client: Client, lookup: Match, { matches, after = 0 }: Asked): Promise<Shown> {
		const usable = (one: Match) => {
			const last = this.batches.get(one);
			return last && isYoung(last) && last.number > after ? last : undefined;
		};
		// The item's values may need several requests. The next request must leave out values with a usable answer.
		const unanswered = matches.filter((one) => !usable(one));
		const batch = usable(lookup) ?? this.beginBatch(client, [lookup, ...unanswered]);
		const people = (await batch.people)?.get(lookup);
		return people && isYoung(batch) ? { ...batch, people } : await lookUpAlone(client, lookup);
	}

	/** Begins a request for the values of an item, together with those of the next items. */
	private beginBatch(client: Client, own: readonly [Match, ...Match[]]): Batch {
		// A run has to use each answer within `OLDEST_LOOKUP_MS`, although its writes wait for slots. A preview writes
		// nothing, so its batch may have the full size.
		const most = client.isPreview ? MOST_VALUES : this.mostLookups(client.limit);
		const lookups = this.batchFrom(client, own, most);
		this.begunAt = Math.min(this.begunAt, systemClock.now());
		// If the shared request fails, each item sends its own request, and reports its own error.
		const begun = client.tenant.writes.begunNow();
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
		const { knownPeople } = client.tenant.description.severalValues.get(query) ?? {};
		const isWorthProof = new Set([...lookups, ...this.waiting]).size >= FEWEST_TOGETHER;
		const isEnough = lookups.length > 1 && (knownPeople !== undefined || isWorthProof);
		if (this.isOneByOne || !isEnough) return await this.lookUpRepeated(client, lookups);
		const found = await findTogether(client, lookups, this.areProbablyAllThere);
		if (!found) {
			// If the request also asked for two people as a proof (`knownPeople`), these people may have left the CRM. The
			// next try may then succeed. Otherwise, the service cannot look up several values.
			this.isOneByOne = knownPeople === undefined || this.areProbablyAllThere;
			return undefined;
		}
		this.areProbablyAllThere &&= found.every(({ length }) => length > 0);
		return new Map(lookups.map((lookup, position) => [lookup, found[position]]));
	}

	/**
	 * In a preview, looks up the first value of a batch once for all items with this value. Returns undefined if only one
	 * item has this value. Also returns undefined in a run that writes, because each item then looks up its value right
	 * before its write.
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
	 * Chooses lookups for one request, all by e-mail address or all by identifier. First come the lookups of the item,
	 * `own`. Lookups of later items follow, until the batch has `most` lookups. The answer to a larger batch would be too
	 * old before the last items use it.
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

	/** Returns the lookups to repeat: their answer is too old, or their items need a fresh read. */
	private lookupsToRepeat({ newest }: Client): Match[] {
		const needsRead = (lookup: Match) =>
			newest
				.carriersOf(identifierKey(lookup.value))
				.some(({ record }) => this.needsRead.get(lookup)?.(record));
		const lookups = [...this.batches].filter(([one, batch]) => !isYoung(batch) || needsRead(one));
		return lookups.map(([one]) => one);
	}

	/**
	 * Returns how many lookups the next batch may have, at most `MOST_VALUES`. The run can probably process the items of
	 * so many lookups within a minute. This follows from the rate limit with the writes per lookup so far, and from the
	 * pace of the run. The pace shows how slow the service is, and what other runs use of the limit. For the first batch,
	 * the node assumes one write for each lookup, and `OLDEST_LOOKUP_MS` instead of a minute.
	 */
	private mostLookups(limit: number): number {
		const { lookedUp, written } = this.counts;
		if (lookedUp === 0)
			return Math.min(MOST_VALUES, Math.floor((limit * OLDEST_LOOKUP_MS) / MINUTE_MS));
		if (written === 0) return MOST_VALUES;
		const byLimit = ((limit - 1) * lookedUp) / written;
		const byPace = (MINUTE_MS * lookedUp) / (systemClock.now() - this.begunAt);
		return Math.min(MOST_VALUES, Math.ceil(byLimit), Math.ceil(byPace));
	}
}

/**
 * Looks up one value in its own requests, and not in a batch.
 *
 * @param sent other spellings of the value, from earlier creates
 */
export async function lookUpAlone(
	client: Client,
	match: Match,
	sent: readonly string[] = [],
): Promise<Shown> {
	const begun = client.tenant.writes.begunNow();
	return { ...begun, people: await findPeople(client, match, sent) };
}

function isYoung({ at }: Begun): boolean {
	return systemClock.now() - at <= OLDEST_LOOKUP_MS;
}
