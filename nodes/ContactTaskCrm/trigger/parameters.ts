import type { INodeProperties } from 'n8n-workflow';
import { contracts } from '../contract';
import { recordLocator } from '../description/locators';
import { fieldChoice, recordOutput } from '../description/output';
import { personFilters, taskFilters } from './filters';
import { options } from './options';

/** The events, by what they happen to. */
const PERSON_EVENTS = ['personCreated', 'personUpdated', 'personAddedToSegment'] as const;
const TASK_EVENTS = ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted'] as const;
const ENTRY_EVENTS = ['commentAdded', 'historyAdded'] as const;

export type TriggerEvent =
	| (typeof PERSON_EVENTS)[number]
	| (typeof TASK_EVENTS)[number]
	| (typeof ENTRY_EVENTS)[number];

const event: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	required: true,
	default: 'personCreated',
	description: 'What has to happen in the CRM for the workflow to start',
	options: [
		{
			name: 'Comment Added',
			value: 'commentAdded',
			description: 'Somebody wrote a comment on the chosen task',
		},
		{
			name: 'History Entry Added',
			value: 'historyAdded',
			description: 'The history of the chosen task got an entry',
		},
		{
			name: 'Person Added to Segment',
			value: 'personAddedToSegment',
			description: 'A person came into the chosen segment (list of people)',
		},
		{ name: 'Person Created', value: 'personCreated', description: 'A person was created' },
		{
			name: 'Person Updated',
			value: 'personUpdated',
			description: 'A person was changed in any way',
		},
		{
			name: 'Task Completed',
			value: 'taskCompleted',
			description: 'A task or deal was completed',
		},
		{ name: 'Task Created', value: 'taskCreated', description: 'A task or deal was created' },
		{
			name: 'Task Moved',
			value: 'taskMoved',
			description: 'A task or deal was moved to another column',
		},
		{
			name: 'Task Updated',
			value: 'taskUpdated',
			description: 'A task or deal was changed in any way',
		},
	],
};

const shownOn = (...events: TriggerEvent[]) => ({ show: { event: events } });

const cost: INodeProperties = {
	displayName:
		'To find what changed, each poll reads the list: one request for 30 records, and no more than Max Requests per Poll under Options. With long lists, poll less often.',
	name: 'cost',
	type: 'notice',
	default: '',
	displayOptions: shownOn(
		'personUpdated',
		'personAddedToSegment',
		'taskUpdated',
		'taskMoved',
		'taskCompleted',
	),
};

/** The parameters of the trigger. */
export const parameters: INodeProperties[] = [
	event,
	cost,
	{
		...recordLocator('segment', shownOn('personAddedToSegment')),
		description:
			'The segment (list of people) to watch: chosen from the list, or given by ID or IRI, such as a41b or /segments/a41b',
	},
	{
		...recordLocator('task', shownOn(...ENTRY_EVENTS)),
		description:
			'The task to watch: chosen from the list, or given by ID or IRI, such as 91ce or /tasks/91ce',
	},
	personFilters(shownOn('personCreated', 'personUpdated'), true),
	personFilters(shownOn('personAddedToSegment'), false),
	taskFilters(shownOn(...TASK_EVENTS)),
	recordOutput({}),
	fieldChoice(contracts.person, shownOn(...PERSON_EVENTS)),
	fieldChoice(contracts.task, shownOn(...TASK_EVENTS)),
	fieldChoice(contracts.comment, shownOn('commentAdded')),
	fieldChoice(contracts.history, shownOn('historyAdded')),
	options,
];
