import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { person as contract } from '../schema/person';
import type { Client } from '../tenant/client';
import { shownId } from '../tenant/records';
import { ExplainedError, UnusableParameter } from '../util/errors';
import { isAddress, matchKey } from '../util/contacts';
import { comparableId } from '../util/iri';
import { cleanContact, quoted } from '../util/values';
import type { Chosen, Match } from './find';
import { findPeople, isMatch, onlyMatch, readPerson, spellingsOf } from './find';
import type { Witnesses } from './findTogether';
import { findTogether } from './findTogether';

/** Values in one request: as many people fit on a page. */
const MOST_VALUES = 30;
/** Longer addresses are cut by some servers. */
const LONGEST_QUERY = 3_000;
const MINUTE_MS = 60_000;
/** What was looked up is looked up again before a write where it is older than this, in ms. */
const OLDEST_MS = 90_000;
/** For fewer, asking for each costs less than seeing how the service takes several values. */
const FEWEST_TOGETHER = 5;

/** What was found for an item. */
export interface Found extends Chosen {
	/** The journal's mark before it was looked up. */
	mark: number;
	/** Whether only another credential was shown the person, which may be of another company. */
	isUnseen?: boolean;
}

/** Whom the service shows for a value. */
interface Shown extends Pick<Found, 'mark'> {
	people: readonly IDataObject[];
}

/** An answer that several lookups share; `people` is undefined for what has to be asked for by itself. */
interface Batch extends Pick<Found, 'mark'> {
	/** When they were looked up, in ms of the clock's `now`. */
	at: number;
	people?: ReadonlyMap<Match, IDataObject[]>;
}

/**
 * A search for a person by e-mail address.
 *
 * @param label of the parameter that holds the address: "Person"
 * @throws UnusableParameter where it is no address
 */
export function lookupByEmail(email: string, label: string): Match {
	const value = cleanContact(email);
	if (!isAddress(value)) {
		throw new UnusableParameter(
			`${label}: expected an e-mail address, got ${quoted(value)}`,
			'Correct the address, or choose the person from the list or by ID',
		);
	}
	return { matchBy: 'email', value };
}

/**
 * The people that the items of one run look for, thirty values a request. They are looked up just in time,
 * with those that the next items need, so that little can change between a lookup and its write.
 */
export class Lookups {
	/** What was announced and not looked up yet. */
	private readonly waiting = new Set<Match>();

	private readonly batches = new Map<Match, Promise<Batch>>();

	/** Who shows, in each request for several values, that any of them is meant. */
	private witnesses?: Witnesses;

	/** Whether the last ones looked up together all existed. */
	private areLikelyThere = true;

	/** Whether the service was seen, in this run, to make something else of several values. */
	private isOneByOne = false;

	private readonly counts = { looked: 0, written: 0 };

	/** When somebody was looked up first. */
	private begunAt = Infinity;

	/** @param run its `writesMark` is the journal's mark when the run began */
	constructor(private readonly run: { readonly writesMark: number }) {}

	/** Announces that an item looks for somebody, before anything of the run is sent. */
	announce(lookup: Match): void {
		this.waiting.add(lookup);
	}

	/**
	 * Whom a value leads to now: as the service shows it, or whom a write has given the value meanwhile, perhaps
	 * under a spelling that the service does not take for the same. What we wrote since the service showed
	 * somebody counts as if it showed it, so that nothing depends on what was looked up together.
	 *
	 * @param match what was announced is looked up with others, anything else by itself
	 * @throws ExplainedError where several people match, or where it cannot be told
	 */
	async find(client: Client, match: Match): Promise<Found> {
		const isAnnounced = this.waiting.has(match) || this.batches.has(match);
		const { people, mark } = isAnnounced
			? await this.findInBatch(client, match)
			: await this.lookUpAlone(client, match);
		const { writes } = client.tenant;
		const { writesMark: begun } = this.run;
		const key = matchKey(match.value);
		const shown = people.filter((person) => isMatch(person, match.matchBy, match.value));
		const sent = shown.length === 0 ? writes.unknownSince(key, mark, spellingsOf(match.value)) : [];
		if (sent.length > 0) {
			const alone = await this.lookUpAlone(client, match, sent);
			return { mark: alone.mark, ...onlyMatch(alone.people, match) };
		}
		let since = writes.mark;
		const now: IDataObject[] = [];
		for (const person of shown) {
			const id = shownId(person, contract);
			const isOld = id !== undefined && writes.isWrittenSince(id, mark);
			const written = isOld ? (await personNow(client, id)).person : person;
			// Who cannot be read any more is kept: the change that follows finds out, and deals with it.
			if (!written) since = mark;
			now.push(written ?? person);
		}
		const ids = new Set(shown.map((person) => comparableId(shownId(person, contract) ?? '')));
		const carriers =
			shown.length > 0 ? writes.ownCarriersSince(key, begun) : writes.carriersSince(key, begun);
		let unseen: IDataObject | undefined;
		for (const id of carriers) {
			if (ids.has(comparableId(id))) continue;
			const { person, isUnseen } = await personNow(client, id);
			if (!person || !isMatch(person, match.matchBy, match.value)) continue;
			if (isUnseen) unseen ??= person;
			else now.push(person);
		}
		const chosen = onlyMatch(now, match);
		const isUnseen = !chosen.person && unseen !== undefined;
		return { ...chosen, person: chosen.person ?? unseen, mark: since, isUnseen };
	}

	/**
	 * The person whom an item looks for by e-mail address.
	 *
	 * @throws ExplainedError where nobody has it, or several people have it
	 */
	async findByEmail(
		client: Client,
		lookup: Match,
	): Promise<{ id: string; person: IDataObject; mark: number }> {
		const { person, mark, isUnseen } = await this.find(client, lookup);
		const id = shownId(person, contract);
		if (person && id !== undefined && !isUnseen) return { id, person, mark };
		throw new ExplainedError(
			`Nobody has the e-mail address ${quoted(lookup.value)}`,
			'Check the address, or create the person first with Create or Update',
		);
	}

	/** @param sent further spellings under which the person may have been created */
	private async lookUpAlone(
		client: Client,
		match: Match,
		sent: readonly string[] = [],
	): Promise<Shown> {
		const { mark } = client.tenant.writes;
		return { mark, people: await findPeople(client, match, sent) };
	}

	/** Notes that an item writes to whom it looked for, by which the next batches are measured. */
	noteWrite(): void {
		this.counts.written++;
	}

	/** Forgets what an item announced, once it has ended. */
	forget(lookup: Match): void {
		this.waiting.delete(lookup);
		this.batches.delete(lookup);
	}

	private async findInBatch(client: Client, lookup: Match): Promise<Shown> {
		if (!this.batches.has(lookup)) this.begin(client, lookup);
		const batch = await this.batches.get(lookup);
		const people = batch?.people?.get(lookup);
		const isFresh = batch && systemClock.now() - batch.at <= OLDEST_MS;
		if (!people || !isFresh) return await this.lookUpAlone(client, lookup);
		return { mark: batch.mark, people };
	}

	private begin(client: Client, first: Match): void {
		// What writes nothing has no writes to wait for.
		const most = client.isPreview ? MOST_VALUES : this.mostItems(client.limit);
		const lookups = this.batchFrom(first, most);
		this.begunAt = Math.min(this.begunAt, systemClock.now());
		const when = { mark: client.tenant.writes.mark, at: systemClock.now() };
		// Where that fails, each of them asks for itself, and tells what stands in its way.
		const batch = this.lookUp(client, lookups).then(
			(people) => ({ ...when, people }),
			() => when,
		);
		for (const lookup of lookups) {
			this.waiting.delete(lookup);
			this.batches.set(lookup, batch);
		}
	}

	/** @returns undefined where each has to be asked for by itself */
	private async lookUp(client: Client, lookups: readonly Match[]): Promise<Batch['people']> {
		this.counts.looked += lookups.length;
		const isEnough = this.witnesses ? lookups.length > 1 : lookups.length >= FEWEST_TOGETHER;
		if (this.isOneByOne || !isEnough) return undefined;
		const { witnesses, areLikelyThere } = this;
		const found = await findTogether(client, lookups, { witnesses, areLikelyThere });
		if (!found) {
			// Who witnessed may be gone; without them, it is the service.
			this.isOneByOne = witnesses === undefined || areLikelyThere;
			this.witnesses = undefined;
			return undefined;
		}
		this.witnesses = found.witnesses;
		this.areLikelyThere = found.people.every(({ length }) => length > 0);
		return new Map(lookups.map((lookup, position) => [lookup, found.people[position]]));
	}

	/** As many as fit into one request and can be written to within about a minute, as they were announced. */
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
	 * Judged by how many of those before were written to, and by how long they took, since the service may be
	 * slow and other runs share the limit; of the first, all may have to be written to.
	 */
	private mostItems(limit: number): number {
		const { looked, written } = this.counts;
		if (looked === 0) return Math.min(MOST_VALUES, (limit * OLDEST_MS) / MINUTE_MS);
		if (written === 0) return MOST_VALUES;
		const byLimit = ((limit - 1) * looked) / written;
		const byPace = (MINUTE_MS * looked) / (systemClock.now() - this.begunAt);
		return Math.min(MOST_VALUES, Math.ceil(byLimit), Math.ceil(byPace));
	}
}

/** A person as it is now, and whether only another credential was shown it. */
async function personNow(
	client: Client,
	id: string,
): Promise<{ person?: IDataObject; isUnseen: boolean }> {
	const { writes } = client.tenant;
	const read = await readPerson(client, id);
	const isUnseen = !read && !writes.isAnswered(contract.noun, id);
	return { person: writes.latest(contract.noun, id, read), isUnseen };
}
