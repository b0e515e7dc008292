import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { lastSegment } from '../util/iri';
import { contracts } from '../schema';
import { EXAMPLES } from '../schema/field';
import { sourceOf, titledCollection } from '../tenant/directory';
import { labelOf, titleCase } from '../schema/label';

/** What one record of a collection is called, and the list it can be found in (see `lists/listSearch.ts`). */
const SEARCHED: Readonly<Record<string, readonly [noun: string, method: string]>> = {
	'/people': ['person', 'searchPeople'],
	'/segments': ['segment', 'searchSegments'],
	'/tasks': ['task', 'searchTasks'],
	'/tasks/{taskId}/comments': ['comment', 'searchComments'],
	'/tasks/{taskId}/history': ['history entry', 'searchHistory'],
	'/users': ['user', 'searchUsers'],
	'/workspaces': ['workspace', 'searchWorkspaces'],
	'/workspaces/{workspaceId}/columns': ['column', 'searchColumns'],
};

/** A title or name in each collection whose records are known by one. */
export const TITLE_EXAMPLES: Readonly<Record<string, string>> = {
	'/segments': 'Newsletter',
	'/tags': 'VIP',
	'/users': 'Eva de Vries',
	'/workspaces': 'Sales',
	'/workspaces/{workspaceId}/columns': 'Sales / Won',
};

/** Whether there is a list in which records of a collection can be found. */
export function isSearched(collection: string): boolean {
	return collection in SEARCHED;
}

/** A locator for one record: picked from a list that can be searched, or given by id. */
interface Locator {
	name: string;
	/** What the locator is called; by its name where absent. */
	displayName?: string;
	/** Path of the collection that the record is in. */
	collection: string;
	/** Which record is meant, as the description begins: "The task to put the new one after". */
	purpose: string;
	/** Whether a title is looked up, where records of the collection have one; it is where absent. */
	takesTitle?: boolean;
}

/** A locator as the engine wants it; one for a person takes an e-mail address, too. */
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
	// An id alone cannot name a column, which is known by the path below its workspace.
	const id = collection.endsWith('/columns') ? [] : [lastSegment(iri)];
	const short = [...(title === undefined ? [] : [title]), ...id];
	const [example = iri] = short;
	const titleWord = takesTitle ? titleNoun(collection) : undefined;
	const isPerson = collection === contracts.person.collection;
	const form = titleWord === undefined ? 'an ID' : `a ${titleWord} or ID`;
	const forms = isPerson
		? 'an ID or e-mail address, such as name@email.com'
		: `${form}, such as ${example}`;
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
			},
			{
				displayName: titleWord === undefined ? 'By ID' : `By ${titleCase(titleWord)} or ID`,
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${short.length > 0 ? `${short.join(', ')} or ` : ''}${iri}`,
			},
			...(isPerson
				? [
						{
							displayName: 'By Email',
							name: 'email',
							type: 'string' as const,
							placeholder: 'e.g. name@email.com',
						},
					]
				: []),
		],
	};
}

/** What records are called by, where that can be given instead of the ID. */
function titleNoun(collection: string): string | undefined {
	const titled = titledCollection(collection);
	return titled && sourceOf(titled).knownBy;
}

/** What a record may be given by: "title or ID". */
export function referenceForm(collection: string): string {
	const noun = titleNoun(collection);
	return noun === undefined ? 'ID' : `${noun} or ID`;
}

/** The record that an operation works with, or below which it works. */
export function recordLocator(
	resource: keyof typeof contracts,
	displayOptions: IDisplayOptions,
	purpose = `The ${contracts[resource].noun} to work with`,
): INodeProperties {
	const { locator: name, noun, collection } = contracts[resource];
	return {
		...locator({ name, displayName: titleCase(noun), collection, purpose }),
		required: true,
		displayOptions,
	};
}

/** The task whose comments or history an operation works with. */
export function parentTaskLocator(displayOptions: IDisplayOptions): INodeProperties {
	return recordLocator(
		'task',
		displayOptions,
		'The task to work with, or whose comments or history are meant',
	);
}
