import type { Operation } from '../../description/operations';
import { locateByEmail } from '../../lookups/people/locateByEmail';
import { runCommand } from '../../runtime/command';
import { runGet } from '../../runtime/get';
import { runGetAll } from '../../runtime/getAll';
import { setEmpty, setNow, specifyBody } from '../../runtime/specification';
import { runWrite } from '../../runtime/write';
import { taskRecord } from './output';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create task',
	description: 'Create a task or deal in a column of a workspace',
	method: 'POST',
	url: '/tasks',
	run: runWrite(taskRecord, specifyBody(taskRecord, 'create', { locateByEmail })),
};

export const duplicate: Operation = {
	value: 'duplicate',
	name: 'Duplicate',
	action: 'Duplicate task',
	description: 'Create a copy of a task',
	method: 'POST',
	url: '/tasks/{taskId}/duplicate',
	run: runWrite(taskRecord, specifyBody(taskRecord, 'duplicate', { required: [], locateByEmail })),
};

export const exportTask: Operation = {
	value: 'export',
	name: 'Export',
	action: 'Export task',
	description: 'Let the service export a task; it answers without a result',
	method: 'POST',
	url: '/tasks/{taskId}/export',
	run: runCommand(taskRecord, 'export', (id) => ({ id, exported: true })),
};

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get task',
	description: 'Retrieve one task by ID',
	method: 'GET',
	url: '/tasks/{taskId}',
	run: runGet(taskRecord),
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many tasks',
	description:
		'Retrieve a list of tasks or deals, filtered by workspace, column, assignee, person, state, title or dates, 30 a request. Output Count says how many there are.',
	method: 'GET',
	url: '/tasks',
	run: runGetAll(taskRecord),
};

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update task',
	description: 'Change some fields of a task and keep the others',
	method: 'PATCH',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, specifyBody(taskRecord, 'update', { required: [] })),
};

export const replace: Operation = {
	value: 'replace',
	name: 'Replace',
	action: 'Replace task',
	description: 'Replace all fields of a task; fields that are not given are reset',
	method: 'PUT',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, specifyBody(taskRecord, 'update')),
};

export const move: Operation = {
	value: 'move',
	name: 'Move',
	action: 'Move task',
	description:
		'Move a task to another column, in the same workspace or in another one, given by title, such as Sales / Won, or by IRI',
	method: 'PATCH',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, specifyBody(taskRecord, 'update', { required: ['status'] })),
};

export const complete: Operation = {
	value: 'complete',
	name: 'Complete',
	action: 'Complete task',
	description: 'Mark a task as completed',
	method: 'PATCH',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, setNow(taskRecord, 'completedAt')),
};

export const archive: Operation = {
	value: 'archive',
	name: 'Archive',
	action: 'Archive task',
	description: 'Mark a task as archived',
	method: 'PATCH',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, setNow(taskRecord, 'archivedAt')),
};

export const reopen: Operation = {
	value: 'reopen',
	name: 'Reopen',
	action: 'Reopen task',
	description: 'Mark a completed task as open again',
	method: 'PATCH',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, setEmpty(taskRecord, 'completedAt')),
};

export const unarchive: Operation = {
	value: 'unarchive',
	name: 'Unarchive',
	action: 'Unarchive task',
	description: 'Take a task back from the archive',
	method: 'PATCH',
	url: '/tasks/{taskId}',
	run: runWrite(taskRecord, setEmpty(taskRecord, 'archivedAt')),
};
