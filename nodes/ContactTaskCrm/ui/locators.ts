import type { IDisplayOptions, INodeProperties, INodePropertyModeValidation } from 'n8n-workflow';
import { contracts } from '../schema';
import { type CollectionPath, EXAMPLES } from '../values/reference';
import { COLUMNS, referenceForm, textMode } from '../schema/record';
import { labelOf, titleCase } from '../schema/label';
import { lastSegment } from '../values/reference';

/** Path of a collection that the editor can list: the path of any resource, of users or of columns. */
type SearchedPath =
	| (typeof contracts)[keyof typeof contracts]['collection']
	| '/users'
	| typeof COLUMNS;

/** Noun for one record of a collection, and the method of `lists/listSearch.ts` that lists the collection. */
const SEARCHED: Readonly<Record<SearchedPath, readonly [noun: string, method: string]>> = {
	'/people': ['person', 'searchPeople'],
	'/segments': ['segment', 'searchSegments'],
	'/tasks': ['task', 'searchTasks'],
	'/tasks/{taskId}/comments': ['comment', 'searchComments'],
	'/tasks/{taskId}/history': ['history entry', 'searchHistory'],
	'/users': ['user', 'searchUsers'],
	'/workspaces': ['workspace', 'searchWorkspaces'],
	'/workspaces/{workspaceId}/columns': ['column', 'searchColumns'],
};

/** Example of a title or name, for each collection with titles or names. */
export const TITLE_EXAMPLES: Readonly<Partial<Record<CollectionPath, string>>> = {
	'/segments': 'Newsletter',
	'/tags': 'VIP',
	'/users': 'Eva de Vries',
	'/workspaces': 'Sales',
	'/workspaces/{workspaceId}/columns': 'Sales / Won',
};

/** Returns whether the editor can list a collection. */
export function isSearched(collection: string): collection is SearchedPath {
	return collection in SEARCHED;
}

interface Locator {
	name: string;
	displayName?: string;
	/** Path of the collection of the record. */
	collection: SearchedPath;
	/** First words of the description, such as "The task to put the new one after". */
	purpose: string;
	/** Whether the node can find the record by a title from the user. By default, it can. */
	takesTitle?: boolean;
}

/** Returns a locator for one record. For a person, it also takes an e-mail address. */
export function locator({
	name,
	displayName = labelOf(name),
	collection,
	purpose,
	takesTitle = true,
}: Locator): INodeProperties {
	const [noun, searchListMethod] = SEARCHED[collection];
	const iri = EXAMPLES[collection];
	const title = takesTitle ? TITLE_EXAMPLES[collection] : undefined;
	// The ID of a column alone is no example, because the service needs the whole path of the column.
	const id = collection.endsWith('/columns') ? [] : [lastSegment(iri)];
	const examples = [...(title === undefined ? [] : [title]), ...id, iri];
	const form = takesTitle ? referenceForm(collection) : 'ID';
	const mode = textMode(form);
	const isPerson = collection === contracts.person.collection;
	const forms = isPerson
		? 'an ID or e-mail address, such as name@email.com'
		: `${form === 'ID' ? 'an' : 'a'} ${form}, such as ${examples[0]}`;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: `${purpose}: choose from the list, or give ${forms}`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}…`,
				typeOptions: { searchListMethod, searchable: true },
				validation: [refusingNotes(displayName, mode)],
			},
			{
				displayName: mode,
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${examples.join(', ').replace(/, ([^,]*)$/, ' or $1')}`,
			},
			...(isPerson ? [BY_EMAIL] : []),
		],
	};
}

/**
 * Returns a check that the editor makes when a user picks an entry of a list. The check refuses a note among the
 * entries, such as "More exist". The value of a note begins with "<", and no ID or IRI does.
 */
function refusingNotes(label: string, mode: string): INodePropertyModeValidation {
	const errorMessage = `${label}: this entry of the list is a note. Choose another one, or ${mode}`;
	return { type: 'regex', properties: { regex: '(?:[^<].*)?', errorMessage } };
}

const BY_EMAIL = {
	displayName: 'By Email',
	name: 'email',
	type: 'string' as const,
	placeholder: 'e.g. name@email.com',
};

/** Returns the required locator of a record, such as the task or the comment that an operation works with. */
export function recordLocator(
	resource: keyof typeof contracts,
	displayOptions: IDisplayOptions,
	purpose = `The ${contracts[resource].noun} to work with`,
	displayName = titleCase(contracts[resource].noun),
): INodeProperties {
	const { locator: name, collection } = contracts[resource];
	return {
		...locator({ name, displayName, collection, purpose }),
		required: true,
		displayOptions,
	};
}
