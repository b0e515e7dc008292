import type { INodeProperties } from 'n8n-workflow';
import { person as contract } from '../../contract/person';
import {
	shownAsField,
	shownFor,
	shownForColumns,
	shownUnlessColumns,
	shownUnlessJson,
} from '../../description/display';
import { fieldParameter, fieldParameters } from '../../description/fields';
import {
	ADDED_OTHERWISE,
	clearFields,
	columns,
	columnsNotice,
	input,
	listModes,
} from '../../description/input';
import { listing } from '../../description/listing';
import { recordLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import {
	additionalFields,
	askedAgain,
	filters,
	nowWhereEmpty,
	readByOperation,
	required,
	sort,
	updateFields,
} from '../../description/parameters';
import { emailToAdd, firstParts, phoneToAdd } from './contactFields';
import { personFields } from './fields';
import { personFilters, personOrders } from './filters';
import { matchParameters } from './matchFields';
import {
	addEmailAddress,
	addPhoneNumber,
	addTags,
	addToSegments,
	archive,
	create,
	get,
	getAll,
	removeFromSegments,
	removeTags,
	replace,
	unarchive,
	update,
	upsert,
} from './operations';

const tagChanges = ['addTags', 'removeTags'];
const segmentChanges = ['addToSegments', 'removeFromSegments'];
const onePerson = [
	...['get', 'update', 'replace', 'archive', 'unarchive', 'addEmailAddress', 'addPhoneNumber'],
	...tagChanges,
	...segmentChanges,
];

/** The parameters of the resource "person". */
export const person: INodeProperties[] = [
	operations('person', [
		create,
		upsert,
		get,
		getAll,
		update,
		replace,
		archive,
		unarchive,
		addEmailAddress,
		addPhoneNumber,
		addTags,
		removeTags,
		addToSegments,
		removeFromSegments,
	]),
	recordLocator('person', shownFor('person', onePerson)),
	...input(
		'person',
		['create', 'replace', 'update', 'upsert'],
		'{ "familyName": "Jansen", "emailAddresses": [{ "email": "e.jansen@example.com" }] }',
		['create', 'update', 'upsert'],
	),
	columns(shownForColumns('person', ['create', 'update']), {
		method: 'getPersonColumns',
		mode: 'add',
	}),
	columns(shownForColumns('person', ['upsert']), { method: 'getPersonColumns', mode: 'upsert' }),
	columnsNotice(
		shownForColumns('person', ['create', 'update', 'upsert']),
		'First name, E-mail, Mobile, Zip, Tags or Mailing list',
	),
	...matchParameters(shownUnlessColumns('person', ['upsert'])),
	required(
		fieldParameter(personFields, 'familyName'),
		shownAsField('person', ['create', 'replace']),
	),
	...firstParts(shownAsField('person', ['create'])),
	{
		...fieldParameter(personFields, 'familyName'),
		description: 'Family name, which only somebody who is created must have, such as Jansen',
		displayOptions: shownAsField('person', ['upsert']),
	},
	emailToAdd(shownFor('person', ['addEmailAddress'])),
	...phoneToAdd(shownFor('person', ['addPhoneNumber'])),
	askedAgain(
		readByOperation(fieldParameter(personFields, 'tags'), shownFor('person', tagChanges)),
		contract.locator,
	),
	askedAgain(
		readByOperation(fieldParameter(personFields, 'segments'), shownFor('person', segmentChanges)),
		contract.locator,
	),
	nowWhereEmpty(fieldParameter(personFields, 'archivedAt'), shownFor('person', ['archive'])),
	additionalFields(
		fieldParameters(contract, personFields, 'create', 'further'),
		shownAsField('person', ['create', 'replace', 'upsert']),
	),
	updateFields(
		fieldParameters(contract, personFields, 'update'),
		shownAsField('person', ['update']),
	),
	listModes(
		contract,
		shownFor('person', ['upsert']),
		'Lists that take the place of those an existing person has. What is given of other lists is added to them. The value that the person was found by always stays.',
	),
	listModes(contract, shownForColumns('person', ['update']), ADDED_OTHERWISE),
	clearFields(contract, shownUnlessJson('person', ['update'])),
	...listing(shownFor('person', ['getAll'])),
	filters(personFilters, shownFor('person', ['getAll'])),
	sort(personOrders, shownFor('person', ['getAll'])),
	recordOutput(shownFor('person', ['create', 'upsert', ...onePerson])),
	listOutput(shownFor('person', ['getAll']), true),
	fieldChoice(contract, shownFor('person', ['create', 'upsert', 'getAll', ...onePerson])),
];
