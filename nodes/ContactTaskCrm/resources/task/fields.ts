import type { INodeProperties } from 'n8n-workflow';
import { archivedAt } from '../../description/sharedFields';

export const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description:
		'The column that the task stands in, which also decides its workspace: chosen from the list of all workspaces, or given by the IRI of that column, such as /workspaces/5c1f/columns/12ab',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a column…',
			typeOptions: { searchListMethod: 'searchColumns', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. /workspaces/5c1f/columns/12ab',
		},
	],
	routing: { send: { type: 'body', property: 'status' } },
};

export const completedAt: INodeProperties = {
	displayName: 'Completed At',
	name: 'completedAt',
	type: 'dateTime',
	default: '',
	description: 'When the task was completed, such as 2026-12-31T17:00:00Z',
	routing: { send: { type: 'body', property: 'completedAt' } },
};

export const isTemplate: INodeProperties = {
	displayName: 'Is Template',
	name: 'isTemplate',
	type: 'boolean',
	default: true,
	description: 'Whether the task is a template for others',
	routing: { send: { type: 'body', property: 'isTemplate' } },
};

const assignees: INodeProperties = {
	displayName: 'Assignee Names or IDs',
	name: 'assignees',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: [],
	description:
		'Users who do the task, each by ID or IRI such as /users/3f2a. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'assignees' } },
};

const author: INodeProperties = {
	displayName: 'Author Name or ID',
	name: 'author',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: '',
	description:
		'User who wrote the task, by ID or IRI such as /users/3f2a. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'author' } },
};

const dealSizeEstimation: INodeProperties = {
	displayName: 'Deal Size Estimation',
	name: 'dealSizeEstimation',
	type: 'number',
	default: 0,
	description: 'Estimated size of the deal, such as 2500',
	routing: { send: { type: 'body', property: 'dealSizeEstimation' } },
};

const description: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. Ask whether the offer is still open',
	description: 'Short description of the task, such as Ask whether the offer is still open',
	routing: { send: { type: 'body', property: 'description' } },
};

const dueDate: INodeProperties = {
	displayName: 'Due Date',
	name: 'dueDate',
	type: 'dateTime',
	default: '',
	description: 'When the task is due, such as 2026-12-31 or 2026-12-31T17:00:00Z',
	routing: { send: { type: 'body', property: 'dueDate' } },
};

const isFlagged: INodeProperties = {
	displayName: 'Is Flagged',
	name: 'isFlagged',
	type: 'boolean',
	default: true,
	description: 'Whether the task is highlighted',
	routing: { send: { type: 'body', property: 'isFlagged' } },
};

const observers: INodeProperties = {
	displayName: 'Observer Names or IDs',
	name: 'observers',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getOwners' },
	default: [],
	description:
		'Users who follow the task, each by ID or IRI such as /users/3f2a. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'body', property: 'observers' } },
};

const plannedMonth: INodeProperties = {
	displayName: 'Planned Month',
	name: 'plannedMonth',
	type: 'dateTime',
	default: '',
	description: 'Month in which the task is planned, as a date in it such as 2026-12-01',
	routing: { send: { type: 'body', property: 'plannedMonth' } },
};

const plannedWeek: INodeProperties = {
	displayName: 'Planned Week',
	name: 'plannedWeek',
	type: 'dateTime',
	default: '',
	description: 'Week in which the task is planned, as a date in it such as 2026-12-28',
	routing: { send: { type: 'body', property: 'plannedWeek' } },
};

const scheduledOn: INodeProperties = {
	displayName: 'Scheduled On',
	name: 'scheduledOn',
	type: 'dateTime',
	default: '',
	description: 'When the task is scheduled, such as 2026-12-31 or 2026-12-31T09:00:00Z',
	routing: { send: { type: 'body', property: 'scheduledOn' } },
};

const snoozeUntil: INodeProperties = {
	displayName: 'Snooze Until',
	name: 'snoozeUntil',
	type: 'dateTime',
	default: '',
	description: 'Until when the task is snoozed, such as 2026-12-31T09:00:00Z',
	routing: { send: { type: 'body', property: 'snoozeUntil' } },
};

const storyPointEstimation: INodeProperties = {
	displayName: 'Story Point Estimation',
	name: 'storyPointEstimation',
	type: 'number',
	default: 0,
	description: 'Estimated story points, such as 5',
	routing: { send: { type: 'body', property: 'storyPointEstimation' } },
};

const timeEstimation: INodeProperties = {
	displayName: 'Time Estimation',
	name: 'timeEstimation',
	type: 'number',
	default: 0,
	description: 'Estimated time in the unit the service uses, such as 90',
	routing: { send: { type: 'body', property: 'timeEstimation' } },
};

/** What may be written on create, update and replacement alike, besides title and status. */
export const commonFields: INodeProperties[] = [
	archivedAt,
	assignees,
	author,
	dealSizeEstimation,
	description,
	dueDate,
	isFlagged,
	isTemplate,
	observers,
	plannedMonth,
	plannedWeek,
	scheduledOn,
	snoozeUntil,
	storyPointEstimation,
	timeEstimation,
];
