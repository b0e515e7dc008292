import type { INodeProperties } from 'n8n-workflow';
import { task } from '../../contract/task';
import { dropDown, userLocator } from '../../description/fields';
import { locator, peopleLocators, personLocator } from '../../description/locators';
import { archivedAt, title } from '../../description/sharedFields';
import { recurringSettings } from './recurringSettings';

function taskReference(name: string, purpose: string): INodeProperties {
	return locator({ name, noun: task.noun, collection: task.collection, purpose });
}

/** The one person that most tasks are about; they come before those of People. */
export const firstPerson: INodeProperties = {
	...personLocator('person', 'The person whom the task is about, if there is one'),
	routing: { send: { type: 'body', property: 'person' } },
};

/** The fields of a task that have a parameter of their own. */
export const taskFields: INodeProperties[] = [
	taskReference('afterTask', 'The task to put the new one after'),
	archivedAt,
	dropDown(task, 'assignees', 'Users who do the task'),
	userLocator(task, 'author', 'User who wrote the task'),
	taskReference('beforeTask', 'The task to put the new one before'),
	{
		displayName: 'Completed At',
		name: 'completedAt',
		type: 'dateTime',
		default: '',
		description: 'When the task was completed, such as 2026-12-31T17:00:00Z',
	},
	{
		displayName: 'Deal Size Estimation',
		name: 'dealSizeEstimation',
		type: 'number',
		default: 0,
		description: 'Estimated size of the deal, such as 2500',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		placeholder: 'e.g. Ask whether the offer is still open',
		description: 'Short description of the task, such as Ask whether the offer is still open',
	},
	{
		displayName: 'Due Date',
		name: 'dueDate',
		type: 'dateTime',
		default: '',
		description: 'When the task is due, such as 2026-12-31 or 2026-12-31T17:00:00Z',
	},
	{
		displayName: 'Files',
		name: 'files',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		placeholder: 'e.g. /media_objects/b8e2',
		description:
			'Files of the task, each by ID or IRI of a media object such as /media_objects/b8e2',
	},
	{
		displayName: 'Is Flagged',
		name: 'isFlagged',
		type: 'boolean',
		default: true,
		description: 'Whether the task is highlighted',
	},
	{
		displayName: 'Is Template',
		name: 'isTemplate',
		type: 'boolean',
		default: true,
		description: 'Whether the task is a template for others',
	},
	dropDown(task, 'observers', 'Users who follow the task'),
	{
		displayName: 'Organizations',
		name: 'organizations',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Organization' },
		default: [],
		placeholder: 'e.g. /organizations/9d0c',
		description:
			'Organizations that the task is about, each by ID or IRI such as /organizations/9d0c',
	},
	taskReference('parent', 'The task that the new one is a part of'),
	{
		displayName: 'Participants',
		name: 'participants',
		type: 'json',
		default: '[]',
		placeholder: 'e.g. ["e.jansen@example.com"]',
		description:
			'Participants of the task as a JSON array in the form the service takes, such as ["e.jansen@example.com"]',
	},
	peopleLocators('people', 'People whom the task is about, each of them'),
	{
		displayName: 'Planned Month',
		name: 'plannedMonth',
		type: 'dateTime',
		default: '',
		description: 'Month in which the task is planned, as a date in it such as 2026-12-01',
	},
	{
		displayName: 'Planned Week',
		name: 'plannedWeek',
		type: 'dateTime',
		default: '',
		description: 'Week in which the task is planned, as a date in it such as 2026-12-28',
	},
	{
		displayName: 'At the Top of the Column',
		name: 'positionTop',
		type: 'boolean',
		default: true,
		description: 'Whether the new task is the first of its column',
	},
	recurringSettings,
	{
		displayName: 'Scheduled On',
		name: 'scheduledOn',
		type: 'dateTime',
		default: '',
		description: 'When the task is scheduled, such as 2026-12-31 or 2026-12-31T09:00:00Z',
	},
	{
		displayName: 'Snooze Until',
		name: 'snoozeUntil',
		type: 'dateTime',
		default: '',
		description: 'Until when the task is snoozed, such as 2026-12-31T09:00:00Z',
	},
	locator({
		name: 'status',
		noun: 'column',
		collection: '/workspaces/{workspaceId}/columns',
		purpose: 'The column that the task stands in, which also decides its workspace',
	}),
	{
		displayName: 'Story Point Estimation',
		name: 'storyPointEstimation',
		type: 'number',
		default: 0,
		description: 'Estimated story points, such as 5',
	},
	dropDown(task, 'tags', 'Tags'),
	{
		displayName: 'Time Estimation',
		name: 'timeEstimation',
		type: 'number',
		default: 0,
		description: 'Estimated time in the unit the service uses, such as 90',
	},
	title,
];
