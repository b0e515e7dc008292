import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { personFilters } from '../resources/person/fields';
import { taskFields } from '../resources/task/fields';
import { contracts } from '../schema';
import { parameterNamed } from '../ui/fields';
import { recordLocator } from '../ui/locators';
import { sortedBy } from '../ui/order';
import { fieldChoice, recordOutput } from '../ui/output';
import { choices, collection, filters, notice, parameter } from '../ui/parameters';
import type { WatchedList } from './events';
import { eventsOf } from './events';

/** Requests that a poll sends at most where the user says nothing. */
export const DEFAULT_MAX_REQUESTS = 2;
/** How long a poll waits for its turns where the user says nothing. */
export const DEFAULT_POLL_WAIT_MINUTES = 1;

const shownOn = (...lists: WatchedList[]): IDisplayOptions => ({ show: { watch: lists } });

/** What can be watched, and the words that n8n's node panel has for it. */
const watchable: Array<INodePropertyOptions & { value: WatchedList }> = [
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
];

const watch = parameter('watch', 'options', {
	label: 'Trigger On',
	noDataExpression: true,
	required: true,
	default: 'people',
	description: 'What to watch in the CRM',
	options: watchable,
});

/** The events of a list, all of them chosen: one reading of the list serves them all. */
function events(list: WatchedList): INodeProperties {
	const found = eventsOf(list);
	return parameter('events', 'multiOptions', {
		noDataExpression: true,
		required: true,
		default: found.map(({ value }) => value),
		description: 'What has to happen for the workflow to start; each item says its event',
		displayOptions: shownOn(list),
		options: sortedBy(
			found.map(({ name, value, description }) => ({ name, value, description })),
			({ name }) => name,
		),
	});
}

const CHOICE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

/** A field of the action node as a filter of the trigger, which sends nothing by itself. */
function filter(field: INodeProperties, description: string): INodeProperties {
	const { displayName, name, type, typeOptions, default: preset, modes } = field;
	return { displayName, name, type, typeOptions, default: preset, description, modes };
}

const ownerFilter = filter(
	parameterNamed(personFilters, 'ownerId'),
	`Only people owned by one of these users. ${CHOICE}`,
);

const segmentFilter = filter(
	parameterNamed(personFilters, 'segmentsUuid'),
	`Only people who are in one of these segments (lists of people). ${CHOICE}`,
);

const tagFilter = filter(
	parameterNamed(personFilters, 'tagsId'),
	`Only people who have one of these tags. ${CHOICE}`,
);

const workspaceFilter = filter(
	recordLocator('workspace', {}),
	'Only tasks of this workspace: chosen from the list, or given by ID or IRI, such as 5c1f or /workspaces/5c1f',
);

const columnFilter = filter(
	{ ...parameterNamed(taskFields, 'status'), displayName: 'Column' },
	'Only tasks that stand in this column (their status); for Task Moved, those that come into it: chosen from the list of all workspaces, or given by its IRI, such as /workspaces/5c1f/columns/12ab',
);

const OF_PEOPLE =
	'Which people start the workflow; a person has to meet all filters that are added';
const OF_TASKS = 'Which tasks start the workflow; a task has to meet all filters that are added';

const pollOptions = collection(
	'options',
	'Add Option',
	'How much each poll may take of what the service allows',
	[
		parameter('maxRequestsPerPoll', 'number', {
			label: 'Max Requests per Poll',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MAX_REQUESTS,
			description:
				'Requests that one poll sends at most, such as 10 of the 20 that the service takes in a minute. What is left is read by the next poll, which goes on where this one stopped.',
		}),
		parameter('maxWaitMinutes', 'number', {
			label: 'Max Wait (Minutes)',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: DEFAULT_POLL_WAIT_MINUTES,
			description:
				'How long one poll waits for its turns when the service is busy, in minutes, such as 1 or 0.5. The next poll goes on where this one stopped.',
		}),
		parameter('whenRateLimited', 'options', {
			default: 'wait',
			description: 'What to do when the service allows no further request for now',
			options: choices({
				fail: 'Report at once how long the wait is; nothing is lost',
				wait: 'Wait for the next turn, and leave the rest to the next poll',
			}),
		}),
	],
);

/** The parameters of the trigger. */
export const parameters: INodeProperties[] = [
	watch,
	...(['people', 'segment', 'tasks', 'comments', 'history'] as const).map(events),
	notice(
		'cost',
		'To find what has changed, the list is read again and again: one request for 30 records, and in each poll no more than Max Requests per Poll under Options. All events together cost what one of them costs.',
		shownOn('people', 'segment', 'tasks'),
	),
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
	{
		...filters([ownerFilter, segmentFilter, tagFilter], shownOn('people')),
		description: OF_PEOPLE,
	},
	{ ...filters([ownerFilter, tagFilter], shownOn('segment')), description: OF_PEOPLE },
	{ ...filters([columnFilter, workspaceFilter], shownOn('tasks')), description: OF_TASKS },
	recordOutput({}),
	fieldChoice(contracts.person, shownOn('people', 'segment')),
	fieldChoice(contracts.task, shownOn('tasks')),
	fieldChoice(contracts.comment, shownOn('comments')),
	fieldChoice(contracts.history, shownOn('history')),
	pollOptions,
];
