import type { INodeProperties } from 'n8n-workflow';
import { task as contract } from '../../contract/task';
import { shownAsField, shownFor } from '../../description/display';
import { fieldParameter, fieldParameters } from '../../description/fields';
import { clearFields, input } from '../../description/input';
import { listing } from '../../description/listing';
import { recordLocator } from '../../description/locators';
import { operations } from '../../description/operations';
import { fieldChoice, listOutput, recordOutput } from '../../description/output';
import {
	additionalFields,
	nowWhereEmpty,
	required,
	updateFields,
} from '../../description/parameters';
import { taskFields } from './fields';
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

const oneTask = ['duplicate', 'export', 'get', 'update', 'replace', 'move', 'complete', 'archive'];

/** The operations that are answered with one task. */
const answered = ['create', ...oneTask.filter((operation) => operation !== 'export')];

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
	recordLocator('task', shownFor('task', oneTask)),
	...input(
		shownFor('task', ['create', 'duplicate', 'replace', 'update']),
		'{ "title": "Call back", "status": "/workspaces/5c1f/columns/12ab", "people": [{ "familyName": "Jansen" }] }',
	),
	required(fieldParameter(taskFields, 'title'), shownAsField('task', ['create', 'replace'])),
	required(
		fieldParameter(taskFields, 'status'),
		shownAsField('task', ['create', 'replace', 'move']),
	),
	nowWhereEmpty(fieldParameter(taskFields, 'archivedAt'), shownFor('task', ['archive'])),
	nowWhereEmpty(fieldParameter(taskFields, 'completedAt'), shownFor('task', ['complete'])),
	additionalFields(
		fieldParameters(contract, taskFields, 'create', 'further'),
		shownAsField('task', ['create']),
	),
	additionalFields(
		fieldParameters(contract, taskFields, 'update', 'further'),
		shownAsField('task', ['replace']),
	),
	additionalFields(
		fieldParameters(contract, taskFields, 'duplicate'),
		shownAsField('task', ['duplicate']),
	),
	updateFields(fieldParameters(contract, taskFields, 'update'), shownAsField('task', ['update'])),
	clearFields(contract, shownAsField('task', ['update'])),
	...listing(shownFor('task', ['getAll'])),
	recordOutput(shownFor('task', answered)),
	listOutput(shownFor('task', ['getAll']), true),
	fieldChoice(contract, shownFor('task', ['getAll', ...answered])),
];
