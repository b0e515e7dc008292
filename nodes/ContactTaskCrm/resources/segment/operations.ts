import type { Operation } from '../../description/operations';
import { runGet } from '../../runtime/get';
import { runGetAll } from '../../runtime/getAll';
import { specifyBody } from '../../runtime/specification';
import { runWrite } from '../../runtime/write';
import { segmentRecord } from './output';

export const create: Operation = {
	value: 'create',
	name: 'Create',
	action: 'Create segment',
	description: 'Create a segment (list of people)',
	method: 'POST',
	url: '/segments',
	run: runWrite(segmentRecord, specifyBody(segmentRecord, 'create')),
};

export const get: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get segment',
	description: 'Retrieve one segment (list of people) by ID',
	method: 'GET',
	url: '/segments/{segmentId}',
	run: runGet(segmentRecord),
};

export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many segments',
	description: 'Retrieve a list of segments (lists of people)',
	method: 'GET',
	url: '/segments',
	run: runGetAll(segmentRecord),
};

export const update: Operation = {
	value: 'update',
	name: 'Update',
	action: 'Update segment',
	description: 'Change some fields of a segment (list of people) and keep the others',
	method: 'PATCH',
	url: '/segments/{segmentId}',
	run: runWrite(segmentRecord, specifyBody(segmentRecord, 'update', { required: [] })),
};

export const replace: Operation = {
	value: 'replace',
	name: 'Replace',
	action: 'Replace segment',
	description:
		'Replace all fields of a segment (list of people); fields that are not given are reset',
	method: 'PUT',
	url: '/segments/{segmentId}',
	run: runWrite(segmentRecord, specifyBody(segmentRecord, 'update')),
};
