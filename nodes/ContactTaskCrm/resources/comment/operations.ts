import type { Operation } from '../../description/operations';
import { runGet } from '../../runtime/get';
import { runGetAll } from '../../runtime/getAll';
import { specifyBody } from '../../runtime/specification';
import { runWrite } from '../../runtime/write';
import { commentRecord } from './output';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create comment',
	description: 'Add a comment to a task',
	method: 'POST',
	url: '/tasks/{taskId}/comments',
	run: runWrite(commentRecord, specifyBody(commentRecord, 'create')),
};

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get comment',
	description: 'Retrieve one comment of a task by ID',
	method: 'GET',
	url: '/tasks/{taskId}/comments/{commentId}',
	run: runGet(commentRecord),
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many comments',
	description: 'Retrieve a list of the comments of a task',
	method: 'GET',
	url: '/tasks/{taskId}/comments',
	run: runGetAll(commentRecord),
};

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update comment',
	description: 'Change some fields of a comment and keep the others',
	method: 'PATCH',
	url: '/tasks/{taskId}/comments/{commentId}',
	run: runWrite(commentRecord, specifyBody(commentRecord, 'update', { required: [] })),
};

export const replace: Operation = {
	value: 'replace',
	name: 'Replace',
	action: 'Replace comment',
	description: 'Replace all fields of a comment; fields that are not given are reset',
	method: 'PUT',
	url: '/tasks/{taskId}/comments/{commentId}',
	run: runWrite(commentRecord, specifyBody(commentRecord, 'update')),
};
