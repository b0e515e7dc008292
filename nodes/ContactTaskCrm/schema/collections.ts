import { upperFirst } from 'lodash';
import { nameIn } from '../values/person';
import { isObject } from '../values/json';

/**
 * Path template of a workspace's columns. The node treats the columns of all workspaces as one collection under this
 * path.
 */
export const COLUMNS = '/workspaces/{workspaceId}/columns';

/** Paths of the collections whose records users can give by title or name. `Directory` caches the titles and names. */
export type Collection = '/segments' | '/tags' | '/users' | '/workspaces' | typeof COLUMNS;

/** Source of the titles or names of a collection. */
export interface TitleSource {
	/** Name of one record in messages. */
	noun: string;
	/** List that shows the titles of all records of the collection. */
	list: Collection;
	/** Word in messages for the text that users give for a record: a user has a name, a segment has a title. */
	knownBy: 'name' | 'title';
	/** Whether the interface does not document `list`. Some installations of the CRM then lack this list. */
	isUndocumented?: boolean;
}

/** Sources of titles and names, by collection. `/people` has none, because reading all people would take too long. */
export const SOURCES: Readonly<Record<Collection, TitleSource>> = {
	'/segments': { noun: 'segment', list: '/segments', knownBy: 'title' },
	'/tags': { noun: 'tag', list: '/tags', knownBy: 'title', isUndocumented: true },
	'/users': { noun: 'user', list: '/users', knownBy: 'name', isUndocumented: true },
	'/workspaces': { noun: 'workspace', list: '/workspaces', knownBy: 'title' },
	[COLUMNS]: { noun: 'column', list: '/workspaces', knownBy: 'title' },
};

/** Returns the collection if the user can give its records by title; otherwise undefined. */
export function titledCollection(collection: string): Collection | undefined {
	return collection in SOURCES ? (collection as Collection) : undefined;
}

/** Returns the accepted forms of a reference to a record of the collection, for labels: "title or ID". */
export function referenceForm(collection: string): string {
	const titled = titledCollection(collection);
	return titled ? `${SOURCES[titled].knownBy} or ID` : 'ID';
}

/** Returns the label of a locator's mode for typed references: the form "title or ID" becomes "By Title or ID". */
export function textMode(form: string): string {
	return `By ${upperFirst(form)}`;
}

/** Returns the title of a record; for a person or user the name, because their `title` is a form of address. */
export function titleIn(record: unknown, collection: string): string {
	if (!isObject(record)) return '';
	const { title } = record;
	const hasName = collection === '/people' || collection === '/users';
	return !hasName && typeof title === 'string' ? title.trim() : nameIn(record);
}
