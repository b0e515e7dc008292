import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { shownId } from '../tenant/records';
import { isBehind } from '../tenant/writes';
import { ExplainedError } from '../util/errors';
import type { Chosen, Match } from './find';
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
const OLDEST_MS = 90_000;
/** Minimum number of lookups for a shared request before any proof. Fewer lookups cost less one by one. */
const FEWEST_TOGETHER = 5;

/** Person that a lookup found. `mark` is the number of the last write (`WriteNotes`) before the person was read. */
export interface Found extends Chosen {
	mark: number;
	/** Start of the lookup, by the clock's `now`, if it served other items, too. */
	sharedAt?: number | undefined;
}

/** Start of a lookup: the number of the last write in `WriteNotes`, and the time by the clock's `now`. */
interface Begun {
	mark: number;
	at: number;
}

/** Answer of the service to a lookup: people who may have the value. */
interface Shown extends Begun {
	people: readonly IDataObject[];
	/** Whether the answer served other items, too. */
	isShared?: boolean;
}

/** Lookups that share one request. `people` is absent if each lookup has to send its own request after all. */
interface Batch extends Begun {
	people?: ReadonlyMap<Match, IDataObject[] | undefined> | undefined;
}

/**
 * Lookups of people for the items of one run, at most thirty values in a request. An item looks up its person just
 * before its write, so that little can change in between. The same request looks up people of the next items.
 */
export class Lookups {
	/** Announced matches that no request has looked up yet. */
	private readonly waiting = new Set<Match>();

	private readonly batches = new Map<Match, Promise<Batch>>();

	/** Whether the last batch found a person for every value. */
	private areLikelyThere = true;

	/** Whether each lookup sends its own request, because this service cannot look up several values at once. */
	private isOneByOne = false;

	private readonly counts = { lookedUp: 0, written: 0 };

	/** Time of the first lookup, by the clock's `now`. */
	private begunAt = Infinity;

	/** Number of the last write before the first lookup. Later items also find people by values written since then. */
	private firstMark: number | undefined;

	/** Announces a lookup, before the run sends anything. */
	announce(lookup: Match): void {
		this.waiting.add(lookup);
	}

	/**
	 * Finds the person with a value. Reads a found person again if a write followed the lookup. Also reads people who
	 * got the value by a recent write, because the search index may lag.
	 *
	 * @param match value to look up; one request looks up several announced matches
	 * @throws ExplainedError if several people match, or the filter does not work
	 */
	async find(client: Client, match: Match): Promise<Found> {
		const isAnnounced = this.waiting.has(match) || this.batches.has(match);
		const first = isAnnounced
			? await this.findInBatch(client, match)
			: await this.lookUpAlone(client, match);
		this.firstMark ??= first.mark;
		const shown = await this.withUncertain(client, match, first);
		const { people, mark, at } = shown;
		const { writes } = client.tenant;
		const found = { mark: writes.mark };
		const now = new Map<string, IDataObject>();
		for (const person of people) {
			const id = shownId(person, contract)!;
			const read = isOutdated(client, person, { mark, at }) ? await readPerson(client, id) : person;
			// A person who no longer exists stays in the result. The older mark makes the item read the person again.
			if (!read) found.mark = mark;
			now.set(comparableId(id), read ?? person);
		}
		for (const id of writes.carriersSince(
			identifierKey(match.value),
			Math.min(mark, this.firstMark),
		)) {
			const read = now.has(comparableId(id)) ? undefined : await readPerson(client, id);
			if (read) now.set(comparableId(id), read);
		}
		const chosen = onlyMatch([...now.values()], match);
		const isShared = shown.isShared && people.includes(chosen.person!);
		return { ...chosen, ...found, sharedAt: isShared ? at : undefined };
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
			.uncertainSince(identifierKey(match.value), shown.mark)
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
	): Promise<Found & { id: string; person: IDataObject }> {
		const { person, ...found } = await this.find(client, lookup);
		const id = shownId(person, contract);
		if (person && id !== undefined) return { id, person, ...found };
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
		const begun = begunNow(client);
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
	}

	private async findInBatch(client: Client, lookup: Match): Promise<Shown> {
		if (!this.batches.has(lookup)) this.beginBatch(client, lookup);
		const batch = await this.batches.get(lookup);
		const people = batch?.people?.get(lookup);
		const isFresh = batch && systemClock.now() - batch.at <= OLDEST_MS;
		if (!people || !isFresh) return await this.lookUpAlone(client, lookup);
		const { mark, at } = batch;
		return { mark, at, people, isShared: true };
	}

	private beginBatch(client: Client, first: Match): void {
		// A preview writes nothing, so the pace of writes does not limit its batch.
		const most = client.isPreview ? MOST_VALUES : this.mostItems(client.limit);
		const lookups = this.batchFrom(first, most);
		this.begunAt = Math.min(this.begunAt, systemClock.now());
		const when = begunNow(client);
		// After a failure, each item looks up its own person, and reports its own error.
		const batch = this.lookUpAll(client, lookups).then(
			(people) => ({ ...when, people }),
			() => when,
		);
		for (const lookup of lookups) {
			this.waiting.delete(lookup);
			this.batches.set(lookup, batch);
		}
	}

	/** Looks up several matches together. Returns undefined if each lookup needs its own request. */
	private async lookUpAll(client: Client, lookups: readonly Match[]): Promise<Batch['people']> {
		this.counts.lookedUp += lookups.length;
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
		this.areLikelyThere = found.every(({ length }) => length > 0);
		return new Map(lookups.map((lookup, position) => [lookup, found[position]]));
	}

	/** Takes announced lookups for one request: at most as many as the run can write in about a minute. */
	private batchFrom(first: Match, mostItems: number): Match[] {
		this.waiting.delete(first);
		const batch: Match[] = [];
		let values = 0;
		let length = 0;
		for (const lookup of [first, ...this.waiting]) {
			const spellings = spellingsOf(lookup.value);
			values += spellings.length;
			length += spellings.join('').length + 40 * spellings.length;
			const isFull = values > MOST_VALUES || length > LONGEST_QUERY || batch.length >= mostItems;
			if (batch.length > 0 && (isFull || lookup.matchBy !== first.matchBy)) break;
			batch.push(lookup);
		}
		return batch;
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

function begunNow({ tenant }: Client): Begun {
	return { mark: tenant.writes.mark, at: systemClock.now() };
}

/** Returns whether a found person may be outdated: a write followed the lookup, or a lagging replica answered. */
function isOutdated(client: Client, person: IDataObject, { mark, at }: Begun): boolean {
	const { own, tenant } = client;
	const { noun } = contract;
	const id = shownId(person, contract)!;
	if (tenant.writes.isWrittenSince(noun, id, mark)) return true;
	const note = tenant.writes.settling(noun, id, at);
	return note !== undefined && isBehind(contract, { id, note, record: person, own });
}
