import type { IDataObject } from 'n8n-workflow';
import { person as contract } from '../schema/person';
import type { Client } from '../crm/client';
import type { Read } from '../crm/newestReads';
import { shownId } from '../crm/records';
import { isBehind } from '../crm/writeLog';
import { ExplainedError } from '../util/errors';
import { type Asked, Batches, lookUpAlone, type Shown } from './batches';
import type { Match } from './find';
import { isMatch, onlyMatch, readPerson } from './find';
import { identifierKey, spellingsOf } from '../values/identifier';
import { comparableId } from '../values/reference';
import { quoted } from '../values/text';

/** Result of a lookup: the person as the newest read shows it. */
export interface Found {
	/** Newest read of the person with the value; undefined if nobody has it. */
	read: Read | undefined;
	/** Notes on archived people with the same value. */
	notes: readonly string[];
}

/** People who may have one of several values. The caller checks whether a person has the value. */
export interface PossibleOwners {
	/** Newest read of each person. */
	reads: Read[];
	/** The same people, without the times of the reads. */
	people: IDataObject[];
	/** Time when the node began the oldest of the lookups, by the clock's `now`. */
	at: number;
}

/**
 * Lookups of people for the items of one run. A request has at most thirty values: those of one item, and those of the
 * next items. An item uses an answer for at most `OLDEST_LOOKUP_MS`, so that little can change before its write.
 */
export class Lookups {
	/** Lookups that share requests. */
	readonly batches = new Batches();

	/**
	 * Number in the `WriteLog` of the last write before the first lookup of the run. The search of the service may not
	 * show later writes yet. So a lookup also reads the people who got the value by a later write.
	 */
	private firstAfterWrite: number | undefined;

	/**
	 * Finds the person with a value, by the newest reads of the run. The search index of the service may lag. So the
	 * method also reads people who got the value by a recent write. It looks the value up again if none of the found
	 * people has the value any more. It also does so if a newer read of the run shows another person with the value.
	 *
	 * @param match value to look up. One request looks up several announced matches
	 * @param isFresh whether the node looks the value up right before a write, even if the run has a recent answer
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
	 * @param matches values to look up. One request looks up several announced matches
	 * @param isFresh whether a write follows at once. If so, the node looks up again instead of using an earlier answer
	 * @throws ExplainedError if the filter does not work
	 */
	async people(
		client: Client,
		matches: readonly Match[],
		isFresh = false,
	): Promise<PossibleOwners> {
		const all = new Map<string, Read>();
		let at = Infinity;
		const asked = { matches, after: isFresh ? this.batches.count : undefined };
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

	/** Returns the newest reads of the people who may have one value. */
	private async peopleWith(
		client: Client,
		match: Match,
		asked: Asked,
	): Promise<{ reads: Read[]; at: number }> {
		const reader = asked.after === undefined ? client : client.beforeWrite();
		const first = this.batches.has(match)
			? await this.batches.findInBatch(reader, match, asked)
			: await lookUpAlone(reader, match);
		this.firstAfterWrite ??= first.afterWrite;
		const shown = await this.withUncertain(client, match, first);
		const since = Math.min(first.afterWrite, this.firstAfterWrite);
		const reads = await this.newestReads(client, match, { ...shown, since });
		if (asked.after === undefined && hasMoved(client, match, { reads, at: shown.at })) {
			return await this.peopleWith(client, match, { ...asked, after: this.batches.count });
		}
		return { reads, at: shown.at };
	}

	/**
	 * Returns the newest reads of the people that a lookup has shown, and of the people who got the value by a write.
	 *
	 * @param shown answer to the lookup. It may lack writes with a number in the `WriteLog` above `since`
	 */
	private async newestReads(
		client: Client,
		{ value }: Match,
		{ people, since, ...begun }: Shown & { since: number },
	): Promise<Read[]> {
		const reads = new Map<string, Read>();
		for (const person of people) {
			const id = shownId(person, contract)!;
			const read = await this.newestOf(client, { id, record: person, ...begun });
			if (read) reads.set(comparableId(id), read);
		}
		for (const id of client.tenant.writes.carriersSince(identifierKey(value), since)) {
			const read = reads.has(comparableId(id)) ? undefined : await readPerson(client, id);
			if (read) reads.set(comparableId(id), read);
		}
		return [...reads.values()];
	}

	/**
	 * Returns the newest read of a person. Reads the person again if even the newest read is outdated. Returns undefined
	 * if the person no longer exists.
	 */
	private async newestOf(client: Client, shown: Read): Promise<Read | undefined> {
		const known = client.newest.of(contract, shown.id);
		const read = known && known.at >= shown.at ? known : shown;
		return isOutdated(client, read) ? await readPerson(client, read.id) : read;
	}

	/**
	 * Repeats a lookup that found nobody, if a create with this value had no clear answer. First waits until every
	 * replica of the service must show the person of this create.
	 */
	private async withUncertain(client: Client, match: Match, shown: Shown): Promise<Shown> {
		const matching = ({ people, ...begun }: Shown) => ({
			...begun,
			people: people.filter((person) => isMatch(person, match.matchBy, match.value)),
		});
		const found = matching(shown);
		if (found.people.length > 0) return found;
		const uncertain = this.uncertainCreates(client, match, shown);
		if (uncertain.length === 0) return found;
		await client.waitUntil(Math.max(...uncertain.map(({ settlesAt }) => settlesAt)));
		const sent = uncertain.map(({ value }) => value);
		return matching(await lookUpAlone(client, match, sent));
	}

	/**
	 * Returns the creates of people with this value that had no clear answer, if the lookup may have missed these people.
	 */
	private uncertainCreates(client: Client, { value: sought }: Match, shown: Shown) {
		const { afterWrite, at } = shown;
		const spellings = spellingsOf(sought);
		const since = Math.min(afterWrite, this.firstAfterWrite ?? afterWrite);
		const creates = client.tenant.writes.uncertainSince(identifierKey(sought), since);
		// A lookup may miss a newer create, a create that a replica lacks, and a create with another spelling.
		return creates.filter(
			({ value, isNewer, settlesAt }) => isNewer || settlesAt > at || !spellings.includes(value),
		);
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
			{ code: 'not-found' },
		);
	}
}

/**
 * Returns whether a value has moved to somebody else since a lookup. Either a newer read of the run shows another
 * person with the value. Or none of the found people (`reads`) has the value any more.
 *
 * @param found `reads`: newest reads of the people from the lookup or the write log. `at`: time of the lookup, by the
 *   clock's `now`
 */
function hasMoved(
	client: Client,
	match: Match,
	{ reads, at }: { reads: readonly Read[]; at: number },
): boolean {
	const hasValue = ({ record }: Read) => isMatch(record, match.matchBy, match.value);
	const isFound = ({ id }: Read) =>
		reads.some((read) => comparableId(read.id) === comparableId(id));
	const others = client.newest
		.carriersOf(identifierKey(match.value))
		.filter((read) => read.at > at && hasValue(read) && !isFound(read));
	return others.length > 0 || (reads.length > 0 && !reads.some(hasValue));
}

/** Returns whether a read began before a write to its person, or came from a lagging replica. */
function isOutdated(
	{ own, tenant: { writes } }: Client,
	{ id, record, afterWrite, at }: Read,
): boolean {
	const { noun } = contract;
	if (writes.isWrittenSince(noun, id, afterWrite)) return true;
	const entry = writes.settling(noun, id, at);
	return entry !== undefined && isBehind(contract, { id, entry, record, own });
}
