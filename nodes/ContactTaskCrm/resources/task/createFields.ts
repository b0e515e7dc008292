import type { INodeProperties } from 'n8n-workflow';

const afterTask: INodeProperties = {
	displayName: 'After Task',
	name: 'afterTask',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The task to put the new one after: chosen from the list, or given by ID or IRI, such as 91ce or /tasks/91ce',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a task…',
			typeOptions: { searchListMethod: 'searchTasks', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 91ce or /tasks/91ce',
		},
	],
	routing: { send: { type: 'body', property: 'afterTask' } },
};

const beforeTask: INodeProperties = {
	displayName: 'Before Task',
	name: 'beforeTask',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The task to put the new one before: chosen from the list, or given by ID or IRI, such as 91ce or /tasks/91ce',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a task…',
			typeOptions: { searchListMethod: 'searchTasks', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 91ce or /tasks/91ce',
		},
	],
	routing: { send: { type: 'body', property: 'beforeTask' } },
};

const parent: INodeProperties = {
	displayName: 'Parent',
	name: 'parent',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The task that the new one is a part of: chosen from the list, or given by ID or IRI, such as 91ce or /tasks/91ce',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a task…',
			typeOptions: { searchListMethod: 'searchTasks', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 91ce or /tasks/91ce',
		},
	],
	routing: { send: { type: 'body', property: 'parent' } },
};

const participants: INodeProperties = {
	displayName: 'Participants',
	name: 'participants',
	type: 'json',
	default: '[]',
	placeholder: 'e.g. ["e.jansen@example.com"]',
	description:
		'Participants of the task as a JSON array in the form the service takes, such as ["e.jansen@example.com"]',
	routing: { send: { type: 'body', property: 'participants' } },
};

const positionTop: INodeProperties = {
	displayName: 'Position Top',
	name: 'positionTop',
	type: 'boolean',
	default: true,
	description: 'Whether to put the new task on top of its column',
	routing: { send: { type: 'body', property: 'positionTop' } },
};

/** What may be written on create alone. */
export const createOnlyFields: INodeProperties[] = [
	afterTask,
	beforeTask,
	parent,
	participants,
	positionTop,
];
