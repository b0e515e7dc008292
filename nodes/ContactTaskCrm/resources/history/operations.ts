import type { Operation } from '../../description/operations';
import { runGet } from '../../runtime/get';
import { runGetAll } from '../../runtime/getAll';
import { historyRecord } from './output';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get history entry',
	description: 'Retrieve one entry of the history of a task by ID',
	method: 'GET',
	url: '/tasks/{taskId}/history/{historyId}',
	run: runGet(historyRecord),
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many history entries',
	description: 'Retrieve a list of the history entries of a task',
	method: 'GET',
	url: '/tasks/{taskId}/history',
	run: runGetAll(historyRecord),
};
