import type { IDataObject } from 'n8n-workflow';
import { putLast } from '../common/boundedMap';
import { iriOf, valueOf } from '../common/iri';
import { listOf } from '../common/lists';
import { nameIn } from '../common/records';
import { contracts } from '../contract';
import { isObject } from '../contract/blank';

/** Path of the columns of all workspaces. */
export const COLUMNS = '/workspaces/{workspaceId}/columns';

/** The collections of which titles or names are remembered. */
const COLLECTIONS = ['/people', '/segments', '/tags', '/users', '/workspaces', COLUMNS] as const;

export type Collection = (typeof COLLECTIONS)[number];

/** A record by its IRI, with its title or name; empty where that is not known. */
export interface Entry {
	iri: string;
	title: string;
}

/** A list as it was last read to its end. */
export interface WholeList {
	records: readonly IDataObject[];
	/** ms of the clock's `now`. */
	readAt: number;
}

/** Records of each collection; the oldest go first. */
const MOST_ENTRIES = 20_000;
/** Credentials of one process; the oldest go first. */
const MOST_DIRECTORIES = 100;

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
 * What is remembered of the records of a tenant: the title or name of each, from whatever a credential
 * was shown lately. It sends nothing by itself and may be lost at any time.
 */
export class Directory {
	private readonly titles = new Map<Collection, Map<string, string>>();

	private readonly whole = new Map<string, WholeList>();

	/**
	 * The title or name of a record, where it is known.
	 *
	 * @param reference IRI, id or the record itself
	 */
	titleOf(reference: unknown, collection: Collection): string | undefined {
		const iri = valueOf(iriOf(reference, collection));
		return (iri && this.titles.get(collection)?.get(iri)) || undefined;
	}

	/** All records of a collection that were seen, by title; those without one last. */
	entries(collection: Collection): Entry[] {
		return [...(this.titles.get(collection) ?? [])]
			.map(([iri, title]) => ({ iri, title }))
			.sort((one, other) =>
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
			if (own !== undefined) this.add(record, own);
			for (const [field, target] of REFERENCES.get(collection) ?? []) {
				for (const reference of listOf(record[field]) ?? [record[field]]) {
					this.add(reference, target);
				}
			}
			if (own === '/workspaces') this.addColumns(record);
		}
	}

	/** Keeps a list that was read to its end. */
	keepWhole(collection: string, records: readonly IDataObject[], now: number): void {
		this.notice(records, collection);
		this.whole.set(collection, { records, readAt: now });
	}

	/** A list as it was last read to its end. */
	wholeList(collection: string): WholeList | undefined {
		return this.whole.get(collection);
	}

	private addColumns(workspace: Record<string, unknown>): void {
		const place = valueOf(iriOf(workspace, '/workspaces'));
		for (const column of listOf(workspace.columns) ?? []) {
			const own = valueOf(iriOf(column, COLUMNS));
			const iri = own ?? (place && valueOf(iriOf(column, `${place}/columns`)));
			if (iri) this.put(iri, titleIn(column, COLUMNS), COLUMNS);
		}
	}

	private add(reference: unknown, collection: Collection): void {
		const iri = valueOf(iriOf(reference, collection));
		if (iri !== undefined) this.put(iri, titleIn(reference, collection), collection);
	}

	private put(iri: string, title: string, collection: Collection): void {
		const titles = this.titles.get(collection) ?? new Map<string, string>();
		this.titles.set(collection, titles);
		putLast(titles, iri, title || (titles.get(iri) ?? ''), MOST_ENTRIES);
	}
}

/** The title that a record shows; of people and users, whose title is a form of address, the name. */
export function titleIn(record: unknown, collection: Collection): string {
	if (!isObject(record)) return '';
	const { title } = record;
	const hasName = collection === '/people' || collection === '/users';
	return !hasName && typeof title === 'string' ? title.trim() : nameIn(record);
}

const directories = new Map<string, Directory>();

/**
 * The directory of a credential: another one may be shown other records.
 *
 * @param identity what the credential is known by (`Connection.identity`)
 */
export function directoryOf(identity: string): Directory {
	const directory = directories.get(identity) ?? new Directory();
	putLast(directories, identity, directory, MOST_DIRECTORIES);
	return directory;
}
