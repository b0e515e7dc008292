import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import type { Begun, Read } from '../tenant/newestReads';
import { shownId } from '../tenant/records';
import { isBehind } from '../tenant/writes';
import { ExplainedError } from '../util/errors';
import type { Match } from './find';
import { findPeople, isMatch, MATCH_FILTERS, onlyMatch, readPerson } from './find';
import { findTogether } from './findTogether';
import { identifierKey, spellingsOf } from '../values/identifier';
import { comparableId } from '../values/reference';
import { quoted } from '../values/text';
import { MINUTE_MS } from '../values/time';

/** Maximum number of values in a request: as many people fit on a page. */
const MOST_VALUES = 30;
/** Maximum length of the values in a query, in characters. Some servers cut longer URLs. */
const LONGEST_QUERY = 3_000;
/** Maximum age in ms of a shared lookup when an item uses it. An older lookup is repeated. */
export const OLDEST_MS = 90_000;
/** Minimum number of lookups for a shared request before any proof. Fewer lookups cost less one by one. */
const FEWEST_TOGETHER = 5;

/** Person that a lookup found, with the newest read of the person. */
export interface Found {
	/** Newest read of the person with the value; undefined if nobody has it. */
	read: Read | undefined;
	/** Sentences about archived people with the same value. */
	notes: readonly string[];
}

/** People who may have one of several values. */
export interface Carriers {
	/** Newest read of each person. */
	reads: Read[];
	/** The same people without their times. */
	people: IDataObject[];
	/** Time when the oldest of the lookups left, by the clock's `now`. */
	at: number;
}

/** Values to look up for one item. */
interface Asked {
	matches: readonly Match[];
	/** Number of the last batch before a fresh lookup. Absent if any young lookup may be used. */
	after: number | undefined;
}

/** Answer of the service to a lookup: people who may have the value. */
interface Shown extends Begun {
	people: readonly IDataObject[];
}

/** Returns whether the write of an item to a person must not start from an old read. */
type NeedsRead = (person: IDataObject) => boolean;

/** People for each lookup of a batch; undefined if each lookup has to send its own request after all. */
type PeopleByMatch = ReadonlyMap<Match, IDataObject[] | undefined> | undefined;

/** Lookups that share one request. */
interface Batch extends Begun {
	/** Number of the batch in its run, from 1. */
	number: number;
	people: Promise<PeopleByMatch>;
}

/**
 * Lookups of people for the items of one run, at most thirty values in a request. An item looks up its person just
 * before its write, so that little can change in between. The same request looks up people of the next items.
 */
export class Lookups {
	/** Announced matches that no request has looked up yet. */
	private readonly waiting = new Set<Match>();

	/** Newest batch of each lookup, until its item ends. */
	private readonly batches = new Map<Match, Batch>();

	private readonly needsRead = new Map<Match, NeedsRead>();

	/** Whether every batch so far found a person for every value. */
	private areLikelyThere = true;

	/** Whether each lookup sends its own request, because this service cannot look up several values at once. */
	private isOneByOne = false;

	private readonly counts = { batches: 0, lookedUp: 0, written: 0 };

	/** Time of the first lookup, by the clock's `now`. */
	private begunAt = Infinity;

	/** Number of the last write before the first lookup. Later items also find people by values written since then. */
	private firstMark: number | undefined;

	/** Announces a lookup, before the run sends anything. */
	announce(lookup: Match): void {
		this.waiting.add(lookup);
	}

	/** Tells whether the item of a lookup needs a fresh read, so that one request can read for several such items. */
	expect(lookup: Match, needsRead: NeedsRead): void {
		this.needsRead.set(lookup, needsRead);
	}

	/**
	 * Finds the person with a value, by the newest reads of the run. Looks the value up again if these show that it has
	 * moved. Also reads people who got the value by a recent write, because the search index may lag.
	 *
	 * @param match value to look up; one request looks up several announced matches
	 * @param isFresh whether to look the value up again in any case, right before a write
	 * @throws ExplainedError if several people match, or the filter does not work
	 */
	async find(client: Client, match: Match, isFresh = false): Promise<Found> {
		const { reads, people } = await this.people(client, [match], isFresh);
		const { person, notes } = onlyMatch(people, match);
		return { read: reads.find(({ record }) => record === person), notes };
	}

	/**
	 * Returns the newest read of each person who may have one of several values.
	 *
	 * @param matches values to look up; one request looks up several announced matches
	 * @param isFresh whether a write follows at once, so that a young answer does not suffice
	 * @throws ExplainedError if the filter does not work
	 */
	async people(client: Client, matches: readonly Match[], isFresh = false): Promise<Carriers> {
		const all = new Map<string, Read>();
		let at = Infinity;
		const asked = { matches, after: isFresh ? this.counts.batches : undefined };
		for (const match of matches) {
			const shown = await this.peopleWith(client, match, asked);
			at = Math.min(at, shown.at);
			for (const read of shown.reads) {
				const id = comparableId(read.id);
				const known = all.get(id);
				if (!known || known.at <= read.at) all.set(id, read);
			}
		}
		const reads = [...all.values()];
		return { reads, at, people: reads.map(({ record }) => record) };
	}

	private async peopleWith(
		client: Client,
		match: Match,
		asked: Asked,
	): Promise<{ reads: Read[]; at: number }> {
		const isAnnounced = this.waiting.has(match) || this.batches.has(match);
		const reader = asked.after === undefined ? client : client.beforeWrite();
		const first = isAnnounced
			? await this.findInBatch(reader, match, asked)
			: await this.lookUpAlone(reader, match);
		this.firstMark ??= first.mark;
		const shown = await this.withUncertain(client, match, first);
		const reads = new Map<string, Read>();
		for (const person of shown.people) {
			const id = shownId(person, contract)!;
			const read = await this.newestOf(client, { id, record: person, ...shown });
			if (read) reads.set(comparableId(id), read);
		}
		const key = identifierKey(match.value);
		const { writes } = client.tenant;
		for (const id of writes.carriersSince(key, Math.min(first.mark, this.firstMark))) {
			const read = reads.has(comparableId(id)) ? undefined : await readPerson(client, id);
			if (read) reads.set(comparableId(id), read);
		}
		const people = [...reads.values()].map(({ record }) => record);
		const isIn = (person: IDataObject) => isMatch(person, match.matchBy, match.value);
		const others = client.newest
			.carriersOf(key)
			.filter(
				({ id, at, record }) => at > shown.at && isIn(record) && !reads.has(comparableId(id)),
			);
		const hasMoved = others.length > 0 || shown.people.some(isIn) !== people.some(isIn);
		if (hasMoved && asked.after === undefined) {
			return await this.peopleWith(client, match, { ...asked, after: this.counts.batches });
		}
		return { reads: [...reads.values()], at: shown.at };
	}

	/** Returns the newest read of a person; undefined if the person no longer exists. Reads again after a write. */
	private async newestOf(client: Client, shown: Read): Promise<Read | undefined> {
		const known = client.newest.of(contract, shown.id);
		const read = known && known.at >= shown.at ? known : shown;
		return isOutdated(client, read) ? await readPerson(client, read.id) : read;
	}

	/** Repeats a lookup that found nobody, if a create without a clear answer may have given a person this value. */
	private async withUncertain(client: Client, match: Match, shown: Shown): Promise<Shown> {
		const matching = ({ people, ...begun }: Shown) => ({
			...begun,
			people: people.filter((person) => isMatch(person, match.matchBy, match.value)),
		});
		const found = matching(shown);
		const spellings = spellingsOf(match.value);
		const uncertain = client.tenant.writes
			.uncertainSince(
				identifierKey(match.value),
				Math.min(shown.mark, this.firstMark ?? shown.mark),
			)
			.filter(
				({ value, isNewer, settlesAt }) =>
					isNewer || settlesAt > shown.at || !spellings.includes(value),
			);
		if (found.people.length > 0 || uncertain.length === 0) return found;
		await client.waitUntil(Math.max(...uncertain.map(({ settlesAt }) => settlesAt)));
		const sent = uncertain.map(({ value }) => value);
		return matching(await this.lookUpAlone(client, match, sent));
	}

	/**
	 * Finds a person by e-mail address.
	 *
	 * @throws ExplainedError if nobody or several people have the address
	 */
	async findByEmail(
		client: Client,
		lookup: Match,
		isFresh = false,
	): Promise<Found & { read: Read }> {
		const { read, ...found } = await this.find(client, lookup, isFresh);
		if (read) return { read, ...found };
		throw new ExplainedError(
			`Nobody has the e-mail address ${quoted(lookup.value)}`,
			'Check the address, look for the person by Get Many with the filter Search, or create the person by Create or Update',
		);
	}

	/**
	 * Looks up one match alone, not together with the matches of other items.
	 *
	 * @param sent other spellings of the value. An earlier create may have used one of them
	 */
	private async lookUpAlone(
		client: Client,
		match: Match,
		sent: readonly string[] = [],
	): Promise<Shown> {
		const begun = client.begunNow();
		return { ...begun, people: await findPeople(client, match, sent) };
	}

	/** Counts a write after a lookup. The count decides the size of the next batches. */
	noteWrite(): void {
		this.counts.written++;
	}

	/** Forgets the lookup of an item that has ended. */
	forget(lookup: Match): void {
		this.waiting.delete(lookup);
		this.batches.delete(lookup);
		this.needsRead.delete(lookup);
	}

	private async findInBatch(
		client: Client,
		lookup: Match,
		{ matches, after = 0 }: Asked,
	): Promise<Shown> {
		const last = this.batches.get(lookup);
		const isUsable = last && isYoung(last) && last.number > after;
		const batch = isUsable ? last : this.beginBatch(client, [lookup, ...matches]);
		const people = (await batch.people)?.get(lookup);
		return people && isYoung(batch) ? { ...batch, people } : await this.lookUpAlone(client, lookup);
	}

	/** Looks the values of an item up together with those of the next items. */
	private beginBatch(client: Client, own: readonly [Match, ...Match[]]): Batch {
		// A preview writes nothing, so the pace of writes does not limit its batch.
		const most = client.isPreview ? MOST_VALUES : this.mostItems(client.limit);
		const lookups = this.batchFrom(client, own, most);
		this.begunAt = Math.min(this.begunAt, systemClock.now());
		// After a failure, each item looks up its own person, and reports its own error.
		const begun = client.begunNow();
		const people = this.lookUpAll(client, lookups).catch(() => undefined);
		const batch = { ...begun, number: ++this.counts.batches, people };
		for (const lookup of lookups) {
			if (this.waiting.delete(lookup)) this.counts.lookedUp++;
			this.batches.set(lookup, batch);
		}
		return batch;
	}

	/** Looks up several matches together. Returns undefined if each lookup needs its own request. */
	private async lookUpAll(client: Client, lookups: readonly Match[]): Promise<PeopleByMatch> {
		const { query } = MATCH_FILTERS[lookups[0]?.matchBy ?? 'email'];
		const { pair } = client.tenant.description.severalValues.of(query);
		const isEnough = pair ? lookups.length > 1 : lookups.length >= FEWEST_TOGETHER;
		if (this.isOneByOne || !isEnough) return undefined;
		const found = await findTogether(client, lookups, this.areLikelyThere);
		if (!found) {
			// The people of a known pair may be gone. If none went along, the service cannot look up several values.
			this.isOneByOne = pair === undefined || this.areLikelyThere;
			return undefined;
		}
		this.areLikelyThere &&= found.every(({ length }) => length > 0);
		return new Map(lookups.map((lookup, position) => [lookup, found[position]]));
	}

	/** Chooses lookups of one kind for one request: at most as many as the run can write in about a minute. */
	private batchFrom(client: Client, own: readonly [Match, ...Match[]], mostItems: number): Match[] {
		const [first] = own;
		const others = this.waiting.has(first) ? this.waiting : this.toRepeat(client);
		const batch: Match[] = [];
		let values = 0;
		let length = 0;
		for (const lookup of new Set([...own, ...others])) {
			const spellings = spellingsOf(lookup.value);
			values += spellings.length;
			length += spellings.join('').length + 40 * spellings.length;
			const isFull = values > MOST_VALUES || length > LONGEST_QUERY || batch.length >= mostItems;
			if (batch.length > 0 && (isFull || lookup.matchBy !== first.matchBy)) break;
			batch.push(lookup);
		}
		return batch;
	}

	/** Returns the lookups that are too old, and those of items that write only from a fresh read. */
	private toRepeat({ newest }: Client): Match[] {
		const needsRead = (lookup: Match) =>
			newest
				.carriersOf(identifierKey(lookup.value))
				.some(({ record }) => this.needsRead.get(lookup)?.(record));
		const lookups = [...this.batches].filter(([one, batch]) => !isYoung(batch) || needsRead(one));
		return lookups.map(([one]) => one);
	}

	/**
	 * Returns the number of items that the run can process in about a minute. The basis is the number of writes per lookup
	 * so far, and the pace so far. The service may be slow, and other runs use the limit, too. The first batch assumes a
	 * write for each item.
	 */
	private mostItems(limit: number): number {
		const { lookedUp, written } = this.counts;
		if (lookedUp === 0) return Math.min(MOST_VALUES, (limit * OLDEST_MS) / MINUTE_MS);
		if (written === 0) return MOST_VALUES;
		const byLimit = ((limit - 1) * lookedUp) / written;
		const byPace = (MINUTE_MS * lookedUp) / (systemClock.now() - this.begunAt);
		return Math.min(MOST_VALUES, Math.ceil(byLimit), Math.ceil(byPace));
	}
}

function isYoung({ at }: Begun): boolean {
	return systemClock.now() - at <= OLDEST_MS;
}

/** Returns whether a read is older than a write of its person, or came from a lagging replica. */
function isOutdated({ own, tenant: { writes } }: Client, { id, record, mark, at }: Read): boolean {
	const { noun } = contract;
	if (writes.isWrittenSince(noun, id, mark)) return true;
	const note = writes.settling(noun, id, at);
	return note !== undefined && isBehind(contract, { id, note, record, own });
}
