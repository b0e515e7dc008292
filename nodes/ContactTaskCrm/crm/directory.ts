import type { IDataObject } from 'n8n-workflow';
import { type Collection, COLUMNS, titledCollection, titleIn } from '../schema/record';
import { putLast } from '../util/keyed';
import { contracts } from '../schema';
import { emailIn, nameIn } from '../values/person';
import { isObject, listOf } from '../values/json';
import { comparableId, iriOf, valueOf } from '../values/reference';

export interface Entry {
	iri: string;
	/** Title or name; empty if none is known. */
	title: string;
	/** For a user or tag: relations to some records, such as "owns Onboarding". */
	relations?: string[];
}

/** Maximum number of entries of a collection. A new entry replaces the one that answers showed longest ago. */
const MOST_ENTRIES = 20_000;

/** Maximum number of `relations` of an entry. */
const MOST_RELATIONS = 2;

/** Words for the relation between a record and a user or tag, by the record's field. */
const RELATIONS: Readonly<Record<string, string>> = {
	owner: 'owns',
	tags: 'on',
	assignees: 'assigned to',
	author: 'wrote',
	observers: 'follows',
	users: 'member of',
};

/**
 * For each collection, the fields of its records that refer to records with titles. Example: `/people` has the field
 * `owner` with the target `/users`.
 */
const REFERENCES = new Map<string, ReadonlyArray<{ field: string; target: Collection }>>(
	Object.values(contracts).map(({ collection, fields }) => [
		collection,
		Object.entries(fields).flatMap(([field, { refersTo }]) => {
			const target = titledCollection(refersTo ?? '');
			return target === undefined ? [] : [{ field, target }];
		}),
	]),
);

/** Cache of titles and names from all answers to one API key, and of relations to users and tags. Sends no requests. */
export class Directory {
	/** Entries of each collection, by the `comparableId` of their IRI. */
	private readonly known = new Map<Collection, Map<string, Entry>>();

	/** Titles by IRI, for each collection whose list the node has read to the end. */
	private readonly listed = new Map<Collection, ReadonlyMap<string, string>>();

	/** Returns the title or name of a record, if any answer showed it. The reference is an IRI, an ID or the record. */
	shownTitleOf(reference: unknown, collection: Collection): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return (iri && this.known.get(collection)?.get(comparableId(iri))?.title) || undefined;
	}

	/** Returns whether an answer has shown the record with this IRI. */
	shows(iri: string, collection: string): boolean {
		return this.known.get(collection as Collection)?.has(comparableId(iri)) ?? false;
	}

	/** Returns the title of a record from the last complete read of its collection; undefined without such a title. */
	listedTitleOf(reference: unknown, collection: Collection): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return iri === undefined ? undefined : this.listed.get(collection)?.get(iri);
	}

	/** Returns the known records of a collection, sorted by title. Records without a title come last. */
	entries(collection: Collection): Array<Readonly<Entry>> {
		return [...(this.known.get(collection)?.values() ?? [])].sort((one, other) =>
			one.title === '' || other.title === ''
				? other.title.length - one.title.length
				: one.title.localeCompare(other.title, 'en'),
		);
	}

	/**
	 * Keeps the titles of records, and of the records that they refer to.
	 *
	 * @param collection path of the collection of `records`, such as `/tasks`
	 */
	notice(records: readonly unknown[], collection: string): void {
		const own = titledCollection(collection);
		for (const record of records) {
			if (!isObject(record)) continue;
			if (own) this.put(valueOf(iriOf(record, own)), record, own);
			const name = nameIn(record) || emailIn(record);
			for (const { field, target } of REFERENCES.get(collection) ?? []) {
				for (const reference of listOf(record[field]) ?? [record[field]]) {
					const entry = this.put(valueOf(iriOf(reference, target)), reference, target);
					if (entry && name !== '' && field in RELATIONS) {
						noteRelation(entry, `${RELATIONS[field]} ${name}`);
					}
				}
			}
			if (own !== '/workspaces') continue;
			for (const column of listOf(record.columns) ?? []) {
				this.put(columnIri(column, record), column, COLUMNS);
			}
		}
	}

	/**
	 * Replaces a cached collection with a list that was read to its end. A record keeps its cached title or relations
	 * if the list shows none.
	 */
	keepWhole(collection: string, records: readonly IDataObject[]): void {
		const names = (
			collection === '/workspaces' ? [collection, COLUMNS] : [collection]
		) as Collection[];
		const before = names.map((name) => this.known.get(name));
		for (const name of names) this.known.delete(name);
		this.notice(records, collection);
		names.forEach((name, index) => {
			const entries = [...(this.known.get(name)?.values() ?? [])];
			const titled = entries.filter(({ title }) => title !== '');
			this.listed.set(name, new Map(titled.map(({ iri, title }) => [iri, title])));
			for (const entry of entries) {
				const earlier = before[index]?.get(comparableId(entry.iri)) ?? entry;
				Object.assign(entry, { ...earlier, ...entry, title: entry.title || earlier.title });
			}
		});
	}

	private put(iri: string | undefined, shown: unknown, collection: Collection): Entry | undefined {
		if (iri === undefined) return undefined;
		const entries = this.known.get(collection) ?? new Map<string, Entry>();
		this.known.set(collection, entries);
		const key = comparableId(iri);
		const entry = entries.get(key) ?? { iri, title: '' };
		entry.title = titleIn(shown, collection) || entry.title;
		putLast(entries, key, entry, MOST_ENTRIES);
		return entry;
	}
}

function noteRelation(entry: Entry, relation: string): void {
	const { relations = [] } = entry;
	if (relations.length === MOST_RELATIONS || relations.includes(relation)) return;
	entry.relations = [...relations, relation];
}

/** Returns the IRI of a column. Adds the path of its workspace if the service shows only the `id` of the column. */
export function columnIri(column: unknown, workspace: object): string | undefined {
	const iri = valueOf(iriOf(column, COLUMNS));
	if (iri !== undefined) return iri;
	const place = valueOf(iriOf(workspace, '/workspaces'));
	return place && valueOf(iriOf(column, `${place}/columns`));
}
