import type { Operation } from '../../description/operations';
import { runGet } from '../../runtime/get';
import { runGetAll } from '../../runtime/getAll';
import { workspaceRecord } from './output';

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get workspace',
	description: 'Retrieve one workspace by ID',
	method: 'GET',
	url: '/workspaces/{workspaceId}',
	run: runGet(workspaceRecord),
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many workspaces',
	description: 'Retrieve a list of workspaces with the titles and IRIs of their columns, filtered',
	method: 'GET',
	url: '/workspaces',
	run: runGetAll(workspaceRecord),
};
