import { upperFirst } from 'lodash';
import { nameIn } from '../util/contacts';
import { isObject } from '../util/values';

/** Path of the columns of all workspaces. */
export const COLUMNS = '/workspaces/{workspaceId}/columns';

/** Collections whose titles the directory keeps. */
export const COLLECTIONS = ['/segments', '/tags', '/users', '/workspaces', COLUMNS] as const;

export type Collection = (typeof COLLECTIONS)[number];

/** Where the titles or names of a collection are read. */
export interface TitleSource {
	/** Name of one record in messages. */
	noun: string;
	/** List that shows the titles of all records of the collection. */
	list: Collection;
	/** Word for such a title in messages. */
	knownBy: 'name' | 'title';
	/** Other lists that show some of the titles. Present if the interface does not show `list`, and it may be absent. */
	seenIn?: readonly string[];
}

/** Collections whose records the user can give by title. A company has too many people for that. */
export const SOURCES: Partial<Record<Collection, TitleSource>> = {
	'/segments': { noun: 'segment', list: '/segments', knownBy: 'title' },
	'/tags': { noun: 'tag', list: '/tags', knownBy: 'title', seenIn: ['/people', '/tasks'] },
	'/users': {
		noun: 'user',
		list: '/users',
		knownBy: 'name',
		seenIn: ['/workspaces', '/tasks', '/people'],
	},
	'/workspaces': { noun: 'workspace', list: '/workspaces', knownBy: 'title' },
	[COLUMNS]: { noun: 'column', list: '/workspaces', knownBy: 'title' },
};

export function sourceOf(collection: Collection): TitleSource {
	return SOURCES[collection]!;
}

/** Returns a collection if the user can give its records by title. */
export function titledCollection(collection: string): Collection | undefined {
	return collection in SOURCES ? (collection as Collection) : undefined;
}

/** Returns what a user may give for a record: "title or ID". */
export function referenceForm(collection: string): string {
	const titled = titledCollection(collection);
	return titled ? `${sourceOf(titled).knownBy} or ID` : 'ID';
}

/** Returns the name of the mode of a locator that takes text: "By Title or ID". */
export function textMode(form: string): string {
	return `By ${upperFirst(form)}`;
}

/** Returns the title of a record. Returns the name of a person or user, whose title is a form of address. */
export function titleIn(record: unknown, collection: string): string {
	if (!isObject(record)) return '';
	const { title } = record;
	const hasName = collection === '/people' || collection === '/users';
	return !hasName && typeof title === 'string' ? title.trim() : nameIn(record);
}
