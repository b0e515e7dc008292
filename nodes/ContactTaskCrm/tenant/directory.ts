import type { IDataObject } from 'n8n-workflow';
import { putLast } from './keyed';
import { iriOf, valueOf } from '../util/iri';
import { isObject, listOf } from '../util/values';
import { emailIn, nameIn } from '../util/contacts';
import { contracts } from '../schema';

/** Path of the columns of all workspaces. */
export const COLUMNS = '/workspaces/{workspaceId}/columns';

/** The collections of which titles or names are remembered. */
const COLLECTIONS = ['/people', '/segments', '/tags', '/users', '/workspaces', COLUMNS] as const;

export type Collection = (typeof COLLECTIONS)[number];

/** Where the titles or names of a collection are read. */
export interface TitleSource {
	/** What messages call one of its records. */
	noun: string;
	/** The list that shows all of them, and what messages call its records. */
	list: Collection;
	plural: string;
	/** What its records are known by, as people say it. */
	knownBy: 'name' | 'title';
	/** Whether the interface shows that list; else the service may have none. */
	isShown: boolean;
	/** Other lists, in which some of them may be seen with their names. */
	seenIn: readonly string[];
}

const WORKSPACES = {
	list: '/workspaces',
	plural: 'workspaces',
	knownBy: 'title',
	isShown: true,
	seenIn: [],
} satisfies Partial<TitleSource>;

/** The collections of which titles are understood; those of people are too many. */
const SOURCES: Partial<Record<Collection, TitleSource>> = {
	'/segments': {
		noun: 'segment',
		list: '/segments',
		plural: 'segments',
		knownBy: 'title',
		isShown: true,
		seenIn: [],
	},
	'/tags': {
		noun: 'tag',
		list: '/tags',
		plural: 'tags',
		knownBy: 'title',
		isShown: false,
		seenIn: ['/people', '/tasks'],
	},
	'/users': {
		noun: 'user',
		list: '/users',
		plural: 'users',
		knownBy: 'name',
		isShown: false,
		seenIn: ['/workspaces', '/tasks', '/people'],
	},
	'/workspaces': { noun: 'workspace', ...WORKSPACES },
	[COLUMNS]: { noun: 'column', ...WORKSPACES },
};

/** Where the titles of a collection are read that has some. */
export function sourceOf(collection: Collection): TitleSource {
	return SOURCES[collection]!;
}

/** The collection whose records may be given by title; undefined for any other. */
export function titledCollection(collection: string): Collection | undefined {
	return collection in SOURCES ? (collection as Collection) : undefined;
}

/** The list that shows the titles of a collection. */
export function titledListOf(collection: Collection): Collection | undefined {
	return SOURCES[collection]?.list;
}

/** What is remembered of a record. */
export interface Entry {
	iri: string;
	/** Its title or name; empty where that is not known. */
	title: string;
	/** The first e-mail address of a person. */
	email?: string;
	/** What shows a user or tag: by the field that does, the names of some records. */
	shownBy?: Map<string, Set<string>>;
}

/** Records of each collection; the oldest go first. */
const MOST_ENTRIES = 20_000;

/** The interface has no list of these: they are known from the records that show them alone. */
const KNOWN_FROM_OTHERS: ReadonlySet<Collection> = new Set(['/tags', '/users']);

/** Names kept of the records that show another by one field: as many as a label may show, and one more. */
const MOST_SHOWING = 3;

/** The collection that each field of a record points into, by the collection of the record. */
const REFERENCES: ReadonlyMap<string, ReadonlyArray<[field: string, target: Collection]>> = new Map(
	Object.values(contracts).map(({ collection, fields }) => [
		collection,
		Object.entries(fields).flatMap(([field, { refersTo }]) => {
			const target = COLLECTIONS.find((name) => name === refersTo);
			return target === undefined ? [] : [[field, target] as [string, Collection]];
		}),
	]),
);

/**
 * What is remembered of the records of a tenant: the title or name of each, and what shows users and tags,
 * from whatever a credential was shown lately. It sends nothing by itself and may be lost at any time.
 */
export class Directory {
	private readonly known = new Map<Collection, Map<string, Entry>>();

	/** Path of the record that showed a reference last, by `showingKey`. It says which record to read, and no more. */
	readonly showing = new Map<string, string>();

	private readonly whole = new Map<string, readonly IDataObject[]>();

	/** Titles by IRI, as the list that shows them was last read to its end. */
	private readonly listed = new Map<Collection, ReadonlyMap<string, string>>();

	/**
	 * The title or name of a record, where anything has shown it.
	 *
	 * @param reference IRI, id or the record itself
	 */
	titleOf(reference: unknown, collection: Collection): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return (iri && this.known.get(collection)?.get(iri)?.title) || undefined;
	}

	/** The title or name of a record in the list of all of them, as that was last read to its end. */
	listedTitleOf(reference: unknown, collection: Collection): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return iri === undefined ? undefined : this.listed.get(collection)?.get(iri);
	}

	/** All records of a collection that were seen, by title; those without one last. */
	entries(collection: Collection): Array<Readonly<Entry>> {
		return [...(this.known.get(collection)?.values() ?? [])].sort((one, other) =>
			one.title === '' || other.title === ''
				? other.title.length - one.title.length
				: one.title.localeCompare(other.title, 'en'),
		);
	}

	/**
	 * Takes notice of what records show of themselves and of others.
	 *
	 * @param collection path of the collection they are in, such as `/tasks`
	 */
	notice(records: readonly unknown[], collection: string): void {
		const own = COLLECTIONS.find((name) => name === collection);
		for (const record of records) {
			if (!isObject(record)) continue;
			const path = own && this.add(record, own)?.iri;
			const name = nameIn(record) || emailIn(record);
			for (const [field, target] of REFERENCES.get(collection) ?? []) {
				for (const reference of listOf(record[field]) ?? [record[field]]) {
					const entry = this.add(reference, target);
					if (entry && KNOWN_FROM_OTHERS.has(target)) noteShowing(entry, field, name);
					if (!entry || !path) continue;
					putLast(this.showing, showingKey(collection, field, entry.iri), path, MOST_ENTRIES);
				}
			}
			if (own === '/workspaces') this.addColumns(record);
		}
	}

	/**
	 * Keeps a list that was read to its end, in place of what was known of it: what is gone is gone. Titles
	 * that the list does not show, such as those of columns that it names by IRI, stay.
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
				if (entry.title === '') entry.title = before[index]?.get(entry.iri)?.title ?? '';
			}
		});
		this.whole.set(collection, records);
	}

	/** The records of a list as it was last read to its end. */
	wholeList(collection: string): readonly IDataObject[] | undefined {
		return this.whole.get(collection);
	}

	private addColumns(workspace: Record<string, unknown>): void {
		for (const column of listOf(workspace.columns) ?? []) {
			const iri = columnIri(column, workspace);
			if (iri !== undefined) this.put(iri, titleIn(column, COLUMNS), COLUMNS);
		}
	}

	private add(reference: unknown, collection: Collection): Entry | undefined {
		const iri = valueOf(iriOf(reference, collection));
		if (iri === undefined) return undefined;
		const entry = this.put(iri, titleIn(reference, collection), collection);
		if (collection === '/people' && isObject(reference) && 'emailAddresses' in reference) {
			entry.email = emailIn(reference);
		}
		return entry;
	}

	private put(iri: string, title: string, collection: Collection): Entry {
		const entries = this.known.get(collection) ?? new Map<string, Entry>();
		this.known.set(collection, entries);
		const entry = entries.get(iri) ?? { iri, title };
		if (title !== '') entry.title = title;
		putLast(entries, iri, entry, MOST_ENTRIES);
		return entry;
	}
}

/** Returns the key of `Directory.showing` for a reference in a field of the records of a collection. */
export function showingKey(collection: string, field: string, iri = ''): string {
	return [collection, field, iri].join(' ');
}

/** Takes down what shows a record, where that has a name: a comment has none. */
function noteShowing(entry: Entry, field: string, name: string): void {
	if (name === '') return;
	entry.shownBy ??= new Map();
	const names = entry.shownBy.get(field) ?? new Set();
	entry.shownBy.set(field, names);
	if (names.size < MOST_SHOWING) names.add(name);
}

/** The IRI of a column, which a service may show within its workspace by its id alone. */
export function columnIri(column: unknown, workspace: object): string | undefined {
	const iri = valueOf(iriOf(column, COLUMNS));
	if (iri !== undefined) return iri;
	const place = valueOf(iriOf(workspace, '/workspaces'));
	return place && valueOf(iriOf(column, `${place}/columns`));
}

/** The title that a record shows; of people and users, whose title is a form of address, the name. */
export function titleIn(record: unknown, collection: Collection): string {
	if (!isObject(record)) return '';
	const { title } = record;
	const hasName = collection === '/people' || collection === '/users';
	return !hasName && typeof title === 'string' ? title.trim() : nameIn(record);
}
