import type { IDisplayOptions, INodeProperties, INodePropertyMode } from 'n8n-workflow';
import { lastSegment } from '../common/iri';
import { contracts } from '../contract';
import { EXAMPLES } from '../contract/field';
import { titledCollection } from '../directory/find';
import { labelOf, titleCase } from '../contract/label';

/** The lists in which a record of a collection can be found (see `lookups/listSearch.ts`). */
const SEARCHES: Readonly<Record<string, string>> = {
	'/people': 'searchPeople',
	'/segments': 'searchSegments',
	'/tasks': 'searchTasks',
	'/tasks/{taskId}/comments': 'searchComments',
	'/tasks/{taskId}/history': 'searchHistory',
	'/users': 'searchUsers',
	'/workspaces': 'searchWorkspaces',
	'/workspaces/{workspaceId}/columns': 'searchColumns',
};

/** A locator for one record: picked from a list that can be searched, or given by id or IRI. */
interface Locator {
	name: string;
	/** What messages call such a record: "task". */
	noun: string;
	/** What the locator is called; by its name where absent. */
	displayName?: string;
	/** Path of the collection that the record is in. */
	collection: string;
	/** Which record is meant, as the description begins: "The task to put the new one after". */
	purpose: string;
}

/** A locator as the engine wants it. */
export function locator({
	name,
	noun,
	displayName = labelOf(name),
	collection,
	purpose,
}: Locator): INodeProperties {
	const iri = EXAMPLES[collection];
	// An id alone cannot name a column, which is known by the path below its workspace.
	const isColumn = collection.endsWith('/columns');
	const example = isColumn ? `Sales / Won or ${iri}` : `${lastSegment(iri)} or ${iri}`;
	const given = isColumn ? 'its title or IRI' : `${titleWord(collection)}ID or IRI`;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		description: `${purpose}: chosen from the list, or given by ${given}, such as ${example}`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}…`,
				typeOptions: { searchListMethod: SEARCHES[collection], searchable: true },
			},
			{ displayName: byId(collection), name: 'id', type: 'string', placeholder: `e.g. ${example}` },
		],
	};
}

/** What records are called by, where that can be given instead of the ID. */
function titleNoun(collection: string): string | undefined {
	if (titledCollection(collection) === undefined) return undefined;
	return collection === '/users' ? 'name' : 'title';
}

/** What a record may be given by beside its ID, in front of that: "title, ". */
export function titleWord(collection: string): string {
	const noun = titleNoun(collection);
	return noun === undefined ? '' : `${noun}, `;
}

/** The mode of a locator in which text is typed. */
function byId(collection: string): string {
	const noun = titleNoun(collection);
	return noun === undefined ? 'By ID' : `By ${titleCase(noun)} or ID`;
}

/** The record that an operation works with, or below which it works. */
export function recordLocator(
	resource: keyof typeof contracts,
	displayOptions: IDisplayOptions,
	purpose = `The ${contracts[resource].noun} to work with`,
): INodeProperties {
	const { locator: name, noun, collection } = contracts[resource];
	const displayName = titleCase(noun);
	return {
		...(resource === 'person'
			? { ...personLocator(name, purpose), displayName }
			: locator({ name, noun, displayName, collection, purpose })),
		required: true,
		displayOptions,
	};
}

/** A locator of people that takes an e-mail address, too. */
function alsoByEmail(parameter: INodeProperties): INodeProperties {
	const { modes = [] } = parameter;
	const byEmail: INodePropertyMode = Object.assign({}, modes[1], {
		displayName: 'By E-Mail',
		name: 'email',
		placeholder: 'e.g. name@email.com',
	});
	return { ...parameter, modes: [...modes, byEmail] };
}

/** A locator for one person, whom a record is linked to. */
export function personLocator(name: string, purpose: string): INodeProperties {
	const { noun, collection } = contracts.person;
	return {
		...alsoByEmail(locator({ name, noun, collection, purpose })),
		description: `${purpose}: chosen from the list, or given by ID, IRI or e-mail address, such as ${EXAMPLES[collection]} or name@email.com`,
	};
}

/** Locators for several people, whom a record is linked to. */
export function peopleLocators(name: string, purpose: string): INodeProperties {
	return {
		...personLocator(name, purpose),
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Person' },
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
