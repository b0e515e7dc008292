import { z } from 'zod';
import { mapValues, upperFirst } from 'lodash';
import type { CollectionPath } from '../values/reference';
import { nameIn } from '../values/person';
import { isObject } from '../values/json';
import type { Body, Field } from './field';
import type { Filters } from './filter';
import { openObject } from './formats';

/** Contract: the description of one kind of record, such as a person. */
export interface RecordContract<Path extends CollectionPath = CollectionPath> {
	/** Name of one record in messages, in lower case: "person". */
	noun: string;
	plural: string;
	/** Path of the collection. The path may hold parameters: "/tasks/{taskId}/comments". */
	collection: Path;
	/** Name of the parameter that chooses one record: "personId". */
	locator: string;
	fields: Readonly<Record<string, Field>>;
	filters: Filters;
	/** Names of the fields that Output: Selected Fields shows by default, separated by spaces. */
	usual: string;
	/** Query parameters that sort the list, keyed by their names in the parameters of the node. */
	orders: Readonly<Record<string, string>>;
}

/** Fields that JSON-LD adds to a record. */
export const jsonLdFields = {
	'@context': z.union([z.string(), z.object({}).passthrough()]),
	'@id': z.string(),
	'@type': z.string(),
};

/** Returns the zod schema that checks a request body. Every field is optional, and unknown fields pass. */
export function bodySchema(contract: RecordContract, body: Body): z.AnyZodObject {
	return openObject(mapValues(fieldsOf(contract, body), ({ written }) => written!));
}

/** Returns the fields that a request body may have. */
export function fieldsOf({ fields }: RecordContract, body: Body): RecordContract['fields'] {
	return Object.fromEntries(
		Object.entries(fields).filter(([, { bodies }]) => bodies.includes(body)),
	);
}

export function namesWhere(
	fields: RecordContract['fields'],
	holds: (field: Field) => boolean,
): string[] {
	return Object.entries(fields)
		.filter(([, field]) => holds(field))
		.map(([name]) => name);
}

/** Returns the names of the fields that a write can empty, for Clear Fields. */
export function namesToEmpty(fields: RecordContract['fields']): string[] {
	return namesWhere(fields, ({ emptiedBy }) => emptiedBy !== undefined);
}

/** Returns whether an update takes a field. A field that is missing in the interface counts as taken. */
export function isOfUpdates({ fields }: RecordContract, name: string): boolean {
	return fields[name]?.bodies.includes('update') ?? true;
}

/**
 * Path template of a workspace's columns. The node treats the columns of all workspaces as one collection under this
 * path.
 */
export const COLUMNS = '/workspaces/{workspaceId}/columns';

/**
 * Paths of the collections whose records users can give by title or name. The class `Directory` in `crm/` caches these
 * titles and names.
 */
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
