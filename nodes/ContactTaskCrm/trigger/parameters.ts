import type { INodeProperties } from 'n8n-workflow';
import { contracts } from '../schema';
import { recordLocator } from '../ui/locators';
import { sortedBy } from '../ui/order';
import { fieldChoice, recordOutput } from '../ui/output';
import type { WatchedList } from './events';
import { eventsOf } from './events';
import { filtersOfPeople, filtersOfTasks } from './filters';
import { pollOptions } from './options';

const watch: INodeProperties = {
	displayName: 'Trigger On',
	name: 'watch',
	type: 'options',
	noDataExpression: true,
	required: true,
	default: 'people',
	description: 'What to watch in the CRM',
	options: [
		{
			name: 'Comments of a Task',
			value: 'comments',
			action: 'On comments of a task',
			description: 'The comments of one task',
		},
		{
			name: 'History of a Task',
			value: 'history',
			action: 'On history of a task',
			description: 'What was changed in one task, as its history shows it',
		},
		{
			name: 'People',
			value: 'people',
			action: 'On people',
			description: 'People (contacts) that are created or updated',
		},
		{
			name: 'People in a Segment',
			value: 'segment',
			action: 'On people in a segment',
			description: 'Who comes into one segment (list of people), and who leaves it',
		},
		{
			name: 'Tasks',
			value: 'tasks',
			action: 'On tasks',
			description: 'Tasks and deals that are created, updated, moved or completed',
		},
	],
};

const shownOn = (...lists: WatchedList[]) => ({ show: { watch: lists } });

/** The events of a list, all of them chosen: one reading of the list serves them all. */
function events(list: WatchedList): INodeProperties {
	const found = eventsOf(list);
	return {
		displayName: 'Events',
		name: 'events',
		type: 'multiOptions',
		noDataExpression: true,
		required: true,
		default: [...found.map(({ value }) => value)],
		description: 'What has to happen for the workflow to start; each item says its event',
		displayOptions: shownOn(list),
		options: sortedBy(
			found.map(({ name, value, description }) => ({ name, value, description })),
			({ name }) => name,
		),
	};
}

const cost: INodeProperties = {
	displayName:
		'To find what has changed, the list is read again and again: one request for 30 records, and in each poll no more than Max Requests per Poll under Options. All events together cost what one of them costs.',
	name: 'cost',
	type: 'notice',
	default: '',
	displayOptions: shownOn('people', 'segment', 'tasks'),
};

/** The parameters of the trigger. */
export const parameters: INodeProperties[] = [
	watch,
	...(['people', 'segment', 'tasks', 'comments', 'history'] as const).map(events),
	cost,
	{
		...recordLocator('segment', shownOn('segment')),
		description:
			'The segment (list of people) to watch: chosen from the list, or given by ID or IRI, such as a41b or /segments/a41b',
	},
	{
		...recordLocator('task', shownOn('comments', 'history')),
		description:
			'The task to watch: chosen from the list, or given by ID or IRI, such as 91ce or /tasks/91ce',
	},
	filtersOfPeople(shownOn('people'), true),
	filtersOfPeople(shownOn('segment'), false),
	filtersOfTasks(shownOn('tasks')),
	recordOutput({}),
	fieldChoice(contracts.person, shownOn('people', 'segment')),
	fieldChoice(contracts.task, shownOn('tasks')),
	fieldChoice(contracts.comment, shownOn('comments')),
	fieldChoice(contracts.history, shownOn('history')),
	pollOptions,
];
