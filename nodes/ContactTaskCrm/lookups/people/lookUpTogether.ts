import type { IDataObject } from 'n8n-workflow';
import type { Intent } from '../../runtime/locate';
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
import { onlyMatch } from './findPerson';
import type { MatchBy } from './match';
import { isMatch } from './match';
import { markWrites } from './writes';

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
	/**
	 * What the item is going to do with whom it finds, for the plan of the run.
	 *
	 * @throws ExplainedError where it will be refused
	 */
	intend: (person?: IDataObject) => Intent;
}

/** What is asked for. */
export type Search = Omit<Lookup, 'intend'>;

/** What was found for an item. */
export interface Looked {
	person?: IDataObject;
	/** What `markWrites` gave before the lookup. */
	mark: number;
	/** When it was looked up, in ms of the clock's `now`. */
	at: number;
}

/** The people of whom one may be the one that an item looks for. */
export type Candidates = { people: IDataObject[]; mark: number; at: number };

/**
 * Whom an item looks for.
 *
 * @throws ExplainedError where several people match
 */
export function onlyFound(candidates: Candidates | undefined, lookup: Lookup): Looked | undefined {
	if (!candidates) return undefined;
	const { people, ...when } = candidates;
	return { ...when, person: onlyMatch(people, lookup.matchBy, lookup.value) };
}

/**
 * Who matches each of several lookups, from one request.
 *
 * @returns undefined where they have to be asked for one by one
 */
export async function lookUpAll(
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
