import type { INodeProperties } from 'n8n-workflow';
import { taskSchema } from '../../contract/task';
import { shownAsField, shownFor } from '../../description/display';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { taskLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import {
	additionalFields,
	nowWhereEmpty,
	required,
	updateFields,
} from '../../description/parameters';
import { archivedAt, title } from '../../description/sharedFields';
import { createOnlyFields } from './createFields';
import { commonFields, completedAt, isTemplate, status } from './fields';
import {
	archive,
	complete,
	create,
	duplicate,
	exportTask,
	get,
	getAll,
	move,
	replace,
	update,
} from './operations';
import { clearableFields, updateOnlyFields } from './updateFields';

const oneTask = ['duplicate', 'export', 'get', 'update', 'replace', 'move', 'complete', 'archive'];

/** The parameters of the resource "task". */
export const task: INodeProperties[] = [
	operations('task', [
		create,
		duplicate,
		exportTask,
		get,
		getAll,
		update,
		replace,
		move,
		complete,
		archive,
	]),
	taskLocator(shownFor('task', oneTask)),
	...input(
		shownFor('task', ['create', 'duplicate', 'replace', 'update']),
		'{ "title": "Call back", "status": "/workspaces/5c1f/columns/12ab", "people": [{ "familyName": "Jansen" }] }',
	),
	required(title, shownAsField('task', ['create', 'replace'])),
	required(status, shownAsField('task', ['create', 'replace', 'move'])),
	nowWhereEmpty(archivedAt, shownFor('task', ['archive'])),
	nowWhereEmpty(completedAt, shownFor('task', ['complete'])),
	additionalFields([...commonFields, ...createOnlyFields], shownAsField('task', ['create'])),
	additionalFields([...commonFields, ...updateOnlyFields], shownAsField('task', ['replace'])),
	additionalFields([isTemplate, status, title], shownAsField('task', ['duplicate'])),
	updateFields(
		[title, status, ...commonFields, ...updateOnlyFields],
		shownAsField('task', ['update']),
	),
	clearFields(clearableFields, shownAsField('task', ['update'])),
	...listing(shownFor('task', ['getAll'])),
	recordOutput(shownFor('task', ['get'])),
	listOutput(shownFor('task', ['getAll'])),
	fieldChoice(taskSchema.shape, shownFor('task', ['get', 'getAll'])),
];
