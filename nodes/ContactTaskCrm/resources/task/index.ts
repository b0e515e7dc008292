import type { INodeProperties } from 'n8n-workflow';
import { task as contract } from '../../contract/task';
import {
	shownAsField,
	shownFor,
	shownForColumns,
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
	filters,
	nowWhereEmpty,
	readFilterNotice,
	required,
	updateFields,
} from '../../description/parameters';
import { firstPerson, taskFields } from './fields';
import { taskFilters } from './filters';
import {
	archive,
	complete,
	create,
	duplicate,
	exportTask,
	get,
	getAll,
	move,
	reopen,
	replace,
	unarchive,
	update,
} from './operations';

const oneTask = [
	...['duplicate', 'export', 'get', 'update', 'replace', 'move', 'complete', 'reopen'],
	...['archive', 'unarchive'],
];

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
		reopen,
		archive,
		unarchive,
	]),
	recordLocator('task', shownFor('task', oneTask)),
	...input(
		'task',
		['create', 'duplicate', 'replace', 'update'],
		'{ "title": "Call back", "status": "/workspaces/5c1f/columns/12ab", "people": [{ "familyName": "Jansen" }] }',
		['create', 'update'],
	),
	columns(shownForColumns('task', ['create', 'update']), { method: 'getTaskColumns', mode: 'add' }),
	columnsNotice(
		shownForColumns('task', ['create', 'update']),
		'Title, Deadline, Stage or Assignees',
	),
	required(fieldParameter(taskFields, 'title'), shownAsField('task', ['create', 'replace'])),
	required(
		fieldParameter(taskFields, 'status'),
		shownAsField('task', ['create', 'replace', 'move']),
	),
	{ ...firstPerson, displayOptions: shownAsField('task', ['create']) },
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
	listModes(contract, shownForColumns('task', ['update']), ADDED_OTHERWISE),
	clearFields(contract, shownUnlessJson('task', ['update'])),
	...listing(shownFor('task', ['getAll'])),
	readFilterNotice(contract.plural, shownFor('task', ['getAll'])),
	filters(taskFilters, shownFor('task', ['getAll'])),
	recordOutput(shownFor('task', answered)),
	listOutput(shownFor('task', ['getAll']), true),
	fieldChoice(contract, shownFor('task', ['getAll', ...answered])),
];
