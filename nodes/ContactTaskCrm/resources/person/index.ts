import type { INodeProperties } from 'n8n-workflow';
import { personSchema } from '../../contract/person';
import { shownAsField, shownFor } from '../../description/display';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { personLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import {
	additionalFields,
	filters,
	nowWhereEmpty,
	readByOperation,
	required,
	sort,
	updateFields,
} from '../../description/parameters';
import { archivedAt } from '../../description/sharedFields';
import { clearableFields, familyName, furtherFields, segments, tags } from './fields';
import { personFilters, personOrders } from './filters';
import { matching } from './matchFields';
import {
	addTags,
	addToSegments,
	archive,
	create,
	get,
	getAll,
	removeFromSegments,
	removeTags,
	replace,
	update,
	upsert,
} from './operations';

const tagChanges = ['addTags', 'removeTags'];
const segmentChanges = ['addToSegments', 'removeFromSegments'];
const onePerson = ['get', 'update', 'replace', 'archive', ...tagChanges, ...segmentChanges];

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
		addTags,
		removeTags,
		addToSegments,
		removeFromSegments,
	]),
	personLocator(shownFor('person', onePerson)),
	...input(
		shownFor('person', ['create', 'replace', 'update']),
		'{ "familyName": "Jansen", "emailAddresses": [{ "email": "e.jansen@example.com" }] }',
	),
	...matching(shownFor('person', ['upsert'])),
	required(familyName, shownAsField('person', ['create', 'replace', 'upsert'])),
	readByOperation(tags, shownFor('person', tagChanges)),
	readByOperation(segments, shownFor('person', segmentChanges)),
	nowWhereEmpty(archivedAt, shownFor('person', ['archive'])),
	additionalFields(furtherFields, shownAsField('person', ['create', 'replace', 'upsert'])),
	updateFields([familyName, ...furtherFields], shownAsField('person', ['update'])),
	clearFields(clearableFields, shownAsField('person', ['update'])),
	...listing(shownFor('person', ['getAll'])),
	filters(personFilters, shownFor('person', ['getAll'])),
	sort(personOrders, shownFor('person', ['getAll'])),
	recordOutput(shownFor('person', ['get'])),
	listOutput(shownFor('person', ['getAll'])),
	fieldChoice(personSchema.shape, shownFor('person', ['get', 'getAll'])),
];
