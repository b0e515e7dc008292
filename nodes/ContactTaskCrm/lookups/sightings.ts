import type { IDataObject } from 'n8n-workflow';
import { putLast } from '../common/boundedMap';
import { iriOf, valueOf } from '../common/iri';
import { listOf } from '../common/lists';
import { nameIn } from '../common/records';
import { isObject } from '../contract/blank';
import { directoryOf } from '../directory/directory';
import { personLabel, shortened, titleLabel } from './labels';

/*
 * Records that were seen in what was read for lists, and who showed them. The interface has no list of
 * users and none of tags: they are known from the records that show them alone. People are remembered
 * to be searched here by what the service may not search.
 */

/** A record that was seen, and what is known of it. */
export interface Seen {
	iri: string;
	/** Its name; empty where none is known. */
	name: string;
	/** What shows it, by how: under "owner of" the titles of workspaces and names of people. */
	shownBy: ReadonlyMap<Relation, ReadonlySet<string>>;
}

/** How a record shows another, the most telling first. */
export const RELATIONS = [
	'owner of',
	'on',
	'assigned to',
	'author of',
	'observer of',
	'member of',
] as const;
type Relation = (typeof RELATIONS)[number];

type Relations = Record<string, { collection: string; relation: Relation }>;

/** The fields of a record that show others, by its collection. */
const SHOWN: Record<string, Relations> = {
	'/people': {
		owner: { collection: '/users', relation: 'owner of' },
		tags: { collection: '/tags', relation: 'on' },
	},
	'/tasks': {
		assignees: { collection: '/users', relation: 'assigned to' },
		author: { collection: '/users', relation: 'author of' },
		observers: { collection: '/users', relation: 'observer of' },
		tags: { collection: '/tags', relation: 'on' },
	},
	'/workspaces': {
		owner: { collection: '/users', relation: 'owner of' },
		users: { collection: '/users', relation: 'member of' },
	},
};

/** What records are called where they are looked for, if not by their name alone. */
const LABELS: Record<string, (record: IDataObject) => string> = {
	'/people': personLabel,
	'/tasks': titleLabel,
	'/workspaces': titleLabel,
};

/** Looked for by name beyond what the service finds, or known from other records alone. */
const REMEMBERED = new Set(['/people', '/users', '/tags']);

interface Sighted {
	name: string;
	shownBy: Map<Relation, Set<string>>;
}

/** Of each collection; what was not seen for longest goes first. */
const MOST_SEEN = 2_000;
/** Of all credentials of the process, three collections each. */
const MOST_COLLECTIONS = 300;
/** As many as a label may show, and one more. */
const MOST_SHOWING = 3;

/** By the identity of a credential and the path of a collection. */
const sightings = new Map<string, Map<string, Sighted>>();

/** Takes notice of records that were read, and of those that they show. */
export function noticeRecords(
	identity: string,
	collection: string,
	records: readonly IDataObject[],
): void {
	const label = LABELS[collection] ?? nameIn;
	for (const record of records) {
		if (REMEMBERED.has(collection)) notice(identity, collection, record, label(record));
		for (const [field, shown] of Object.entries(SHOWN[collection] ?? {})) {
			for (const reference of listOf(record[field]) ?? [record[field]]) {
				const seen = notice(identity, shown.collection, reference, shownName(reference));
				if (!seen) continue;
				const showing = seen.shownBy.get(shown.relation) ?? new Set();
				seen.shownBy.set(shown.relation, showing);
				if (showing.size < MOST_SHOWING) showing.add(shortened(nameIn(record)) || label(record));
			}
		}
	}
}

function notice(
	identity: string,
	collection: string,
	reference: unknown,
	name: string,
): Sighted | undefined {
	const iri = valueOf(iriOf(reference, collection));
	if (iri === undefined) return undefined;
	const key = `${identity} ${collection}`;
	const known = sightings.get(key) ?? new Map<string, Sighted>();
	putLast(sightings, key, known, MOST_COLLECTIONS);
	const seen = known.get(iri) ?? { name: '', shownBy: new Map() };
	if (name !== '') seen.name = name;
	putLast(known, iri, seen, MOST_SEEN);
	return seen;
}

/** The name that comes with a reference, where it is a record. */
function shownName(reference: unknown): string {
	return isObject(reference) ? nameIn(reference) : '';
}

/**
 * The records of a collection that lists have shown, and those that runs have come upon.
 */
export function seenLately(identity: string, collection: '/people' | '/tags' | '/users'): Seen[] {
	const inRuns = directoryOf(identity).entries(collection);
	const seen = new Map<string, Seen>(
		inRuns.map(({ iri, title }) => [iri, { iri, name: title, shownBy: new Map() }]),
	);
	for (const [iri, sighted] of sightings.get(`${identity} ${collection}`) ?? []) {
		const name = sighted.name || (seen.get(iri)?.name ?? '');
		seen.set(iri, { iri, name, shownBy: sighted.shownBy });
	}
	return [...seen.values()];
}
