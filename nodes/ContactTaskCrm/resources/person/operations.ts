import type { Operation } from '../../description/operations';
import { runGet } from '../../runtime/get';
import { runGetAll } from '../../runtime/getAll';
import { setEmpty, setNow, specifyBody } from '../../runtime/specification';
import { runWrite } from '../../runtime/write';
import { runAddContact } from './addContact';
import { runListChange } from './listChanges';
import { personRecord } from './output';
import { runUpsert } from './upsert';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create person',
	description: 'Create a person',
	method: 'POST',
	url: '/people',
	run: runWrite(personRecord, specifyBody(personRecord, 'create')),
};

export const upsert: Operation = {
	value: 'upsert',
	name: 'Create or Update',
	action: 'Create or update person',
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	method: 'POST',
	url: '/people',
	run: runUpsert,
};

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get person',
	description: 'Retrieve one person by ID or e-mail address',
	method: 'GET',
	url: '/people/{personId}',
	run: runGet(personRecord),
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many people',
	description:
		'Retrieve a list of people, filtered and sorted, 30 a request. Output Count says how many there are, from one request.',
	method: 'GET',
	url: '/people',
	run: runGetAll(personRecord),
};

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update person',
	description: 'Change some fields of a person and keep the others',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runWrite(personRecord, specifyBody(personRecord, 'update', { required: [] })),
};

export const replace: Operation = {
	value: 'replace',
	name: 'Replace',
	action: 'Replace person',
	description: 'Replace all fields of a person; fields that are not given are reset',
	method: 'PUT',
	url: '/people/{personId}',
	run: runWrite(personRecord, specifyBody(personRecord, 'update')),
};

export const archive: Operation = {
	value: 'archive',
	name: 'Archive',
	action: 'Archive person',
	description: 'Mark a person as archived',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runWrite(personRecord, setNow(personRecord, 'archivedAt')),
};

export const addEmailAddress: Operation = {
	value: 'addEmailAddress',
	name: 'Add Email Address',
	action: 'Add email address to person',
	description: 'Add an e-mail address to a person and keep those already there',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runAddContact('emailAddresses'),
};

export const addPhoneNumber: Operation = {
	value: 'addPhoneNumber',
	name: 'Add Phone Number',
	action: 'Add phone number to person',
	description: 'Add a phone number to a person and keep those already there',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runAddContact('phoneNumbers'),
};

export const addTags: Operation = {
	value: 'addTags',
	name: 'Add Tags',
	action: 'Add tags to person',
	description: 'Add tags to a person and keep those already there',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runListChange('tags', 'add'),
};

export const removeTags: Operation = {
	value: 'removeTags',
	name: 'Remove Tags',
	action: 'Remove tags from person',
	description: 'Remove tags from a person and keep the others',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runListChange('tags', 'remove'),
};

export const addToSegments: Operation = {
	value: 'addToSegments',
	name: 'Add to Segments',
	action: 'Add person to segments',
	description: 'Add a person to segments (lists of people) and keep those it is in',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runListChange('segments', 'add'),
};

export const removeFromSegments: Operation = {
	value: 'removeFromSegments',
	name: 'Remove From Segments',
	action: 'Remove person from segments',
	description: 'Remove a person from segments (lists of people) and keep the others it is in',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runListChange('segments', 'remove'),
};

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive person',
	description: 'Take a person back from the archive',
	method: 'PATCH',
	url: '/people/{personId}',
	run: runWrite(personRecord, setEmpty(personRecord, 'archivedAt')),
};
