import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { personFilters } from '../resources/person/fields';
import { taskFilters } from '../resources/task/fields';
import { contracts } from '../schema';
import { labelOf } from '../schema/label';
import { COLUMNS, type RecordContract } from '../schema/record';
import { parameterNamed } from '../ui/fields';
import { locator, recordLocator } from '../ui/locators';
import { fieldChoice, recordOutput } from '../ui/output';
import {
	choices,
	collection,
	filters,
	labelled,
	noticeParameter,
	parameter,
	sortedBy,
} from '../ui/parameters';
import type { WatchedList } from './events';
import { EVENTS, eventsOf } from './events';
import { watchableFields } from './remembered';
import { DEFAULT_LIMIT } from '../schema/limits';

/** Number of requests that a poll may send for each minute since the last poll, unless the user chose a maximum. */
export const REQUESTS_A_MINUTE = 2;
/** Default maximum time in minutes that a poll waits for slots. */
export const DEFAULT_POLL_WAIT_MINUTES = 1;
/** Label of the filter for completed or open tasks. */
export const COMPLETED = 'Completed (Off: Open)';

const shownOn = (...lists: WatchedList[]): IDisplayOptions => ({ show: { watch: lists } });

/** Options of the parameter Trigger On: the lists to watch. The first is the default. */
const watchable: Array<INodePropertyOptions & { value: WatchedList }> = [
	{
		name: 'People',
		value: 'people',
		description: 'People (contacts) that are created or updated',
	},
	{
		name: 'People in a Segment',
		value: 'segment',
		description: 'Who comes into one segment (list of people), and who leaves it',
	},
	{
		name: 'Tasks',
		value: 'tasks',
		description: 'Tasks and deals that are created, updated, moved, completed or due',
	},
	{
		name: 'Comments of a Task',
		value: 'comments',
		description: 'The comments of one task',
	},
	{
		name: 'History of a Task',
		value: 'history',
		description: 'What was changed in one task, as its history shows it',
	},
];

/*
 * n8n's node panel lists the options of the first parameter called "Event", "Events" or "Trigger On". A choice in the
 * panel sets only that parameter. So the hidden parameter `event` takes the choice. `event` decides the defaults of the
 * visible parameters Trigger On and Events.
 */
const panelChoice: INodeProperties = {
	displayName: 'Event',
	name: 'event',
	type: 'hidden',
	noDataExpression: true,
	default: '',
	options: EVENTS.map(({ name, value, action, description }) => ({
		name,
		value,
		action,
		description,
	})),
};

/**
 * Returns variants of one parameter with different defaults. The editor shows the variant for the event that the user
 * chose in the node panel. If the user chose none, the editor shows the first variant.
 *
 * @param choices the default of each variant (`preset`), and the events of the panel that select the variant (`chosen`)
 * @param show other conditions to show the parameter
 * @param parameterWith makes a variant
 */
function byPanelChoice<T>(
	choices: ReadonlyArray<{ preset: T; chosen: string[] }>,
	show: IDisplayOptions['show'],
	parameterWith: (preset: T, displayOptions: IDisplayOptions) => INodeProperties,
): INodeProperties[] {
	const hide = { event: choices.slice(1).flatMap(({ chosen }) => chosen) };
	const isAlone = choices.length === 1;
	return choices.map(({ preset, chosen }, index) => {
		if (index > 0) return parameterWith(preset, { show: { ...show, event: chosen } });
		return parameterWith(preset, { ...(show ? { show } : {}), ...(isAlone ? {} : { hide }) });
	});
}

const triggerOn = byPanelChoice(
	watchable.map(({ value }) => ({
		preset: value,
		chosen: eventsOf(value).map((event) => event.value),
	})),
	undefined,
	(preset, displayOptions) =>
		parameter('watch', 'options', {
			label: 'Trigger On',
			noDataExpression: true,
			required: true,
			default: preset,
			description: 'What to watch in the CRM',
			displayOptions,
			options: sortedBy(watchable, ({ name }) => name),
		}),
);

/**
 * Returns the parameter Events of a list. The user may choose several events, because one read of the list serves all
 * events.
 */
function eventsParameters(list: WatchedList): INodeProperties[] {
	const found = eventsOf(list);
	return byPanelChoice(
		found.map(({ value }) => ({ preset: [value], chosen: [value] })),
		{ watch: [list] },
		(preset, displayOptions) =>
			parameter('events', 'multiOptions', {
				noDataExpression: true,
				required: true,
				default: preset,
				description: 'Events that start the workflow. Each item names its event.',
				displayOptions,
				options: sortedBy(
					found.map(({ name, value, description }) => ({ name, value, description })),
					({ name }) => name,
				),
			}),
	);
}

/** Returns the parameter Watched Fields. It offers no counts, and no fields that never change, such as the ID. */
function watchedFieldsParameter(
	{ fields, plural }: RecordContract,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return parameter('watchedFields', 'multiOptions', {
		default: [],
		description: `Fields of ${plural}. A change of one of them starts the workflow. If none is chosen, any change does. In each item, "changes" gives the old and new values, and for a list also the added and removed entries.`,
		displayOptions,
		options: labelled(watchableFields(fields)),
	});
}

const whenDue = { show: { watch: ['tasks'], events: ['taskDue'] } };

/** Parameters of the event Task Due: the time before the due date at which a task starts the workflow. */
const timeBeforeDue = [
	parameter('timeBeforeDue', 'number', {
		label: 'Time Before Due',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How long before the due date Task Due starts the workflow, such as 1 for a day before; 0 starts it when the date has come',
		displayOptions: whenDue,
	}),
	parameter('timeBeforeDueUnit', 'options', {
		label: 'Unit',
		default: 'days',
		description: 'The unit of Time Before Due',
		displayOptions: whenDue,
		options: ['days', 'hours', 'minutes'].map((value) => ({ name: labelOf(value), value })),
	}),
];

const CHOICE =
	'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.';

/** Returns a filter of the action node. The new description says which people start the workflow. */
const personFilter = (name: string, meaning: string): INodeProperties => ({
	...parameterNamed(personFilters, name),
	description: `Only people ${meaning}. ${CHOICE}`,
});

const ofOwner = personFilter('ownerId', 'owned by one of these users');
const ofTag = personFilter('tagsId', 'who have one of these tags');

const ofPeople = [
	ofOwner,
	personFilter('segmentsUuid', 'who are in one of these segments (lists of people)'),
	ofTag,
];

// The locators of the trigger take no titles, because a poll does not look titles up.
const takesTitle = false;

const ofTasks = [
	{
		...parameterNamed(taskFilters, 'assignees'),
		description: `Only tasks that are assigned to one of these users. ${CHOICE}`,
	},
	locator({
		name: 'status',
		collection: COLUMNS,
		purpose: 'Only tasks that stand in this column; for Task Moved, those that come into it',
		takesTitle,
	}),
	parameter('existsCompletedAt', 'boolean', {
		label: COMPLETED,
		description:
			'Whether to start the workflow with completed tasks; turned off, only with tasks that are still open',
	}),
	{
		...parameterNamed(personFilters, 'tagsId'),
		name: 'tags',
		description: `Only tasks that have one of these tags. ${CHOICE}`,
	},
	locator({
		name: 'workspaceId',
		displayName: 'Workspace',
		collection: contracts.workspace.collection,
		purpose: 'Only tasks of this workspace',
		takesTitle,
	}),
];

const OF_PEOPLE =
	'Which people start the workflow; a person has to meet all filters that are added';
const OF_TASKS = 'Which tasks start the workflow; a task has to meet all filters that are added';

const pollOptions = collection(
	'options',
	'Add Option',
	'How many of the allowed requests each check of the CRM may use',
	[
		parameter('maxRequestsPerPoll', 'number', {
			label: 'Max Requests per Check',
			typeOptions: { minValue: 1 },
			default: REQUESTS_A_MINUTE,
			description: `Maximum number of requests of one check, such as 10 of the ${DEFAULT_LIMIT} that the service allows in a minute. The next check continues where this one stopped. Without this option, a check sends ${REQUESTS_A_MINUTE} requests for each minute since the last one, and more while few triggers check and nobody waits.`,
		}),
		parameter('maxWaitMinutes', 'number', {
			label: 'Max Wait (Minutes)',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: DEFAULT_POLL_WAIT_MINUTES,
			description:
				'How long one check waits for its turns when the service is busy, in minutes, such as 1 or 0.5. The next check goes on where this one stopped.',
		}),
		parameter('whenRateLimited', 'options', {
			default: 'wait',
			description: 'What to do when the service allows no further request for now',
			options: choices({
				fail: 'Report at once how long the wait is; nothing is lost',
				wait: 'Wait for the next turn, and leave the rest to the next check',
			}),
		}),
	],
);

export const parameters: INodeProperties[] = [
	panelChoice,
	...triggerOn,
	...watchable.flatMap(({ value }) => eventsParameters(value)),
	watchedFieldsParameter(contracts.person, {
		show: { watch: ['people'], events: ['personUpdated'] },
	}),
	watchedFieldsParameter(contracts.task, { show: { watch: ['tasks'], events: ['taskUpdated'] } }),
	...timeBeforeDue,
	noticeParameter(
		'cost',
		'Sees a change within two minutes in a list of 150 records if it is the only trigger, later in longer lists.',
		shownOn('people', 'segment', 'tasks'),
	),
	{
		...locator({
			name: contracts.segment.locator,
			displayName: 'Segment',
			collection: contracts.segment.collection,
			purpose: 'The segment (list of people) to watch',
			takesTitle,
		}),
		required: true,
		displayOptions: shownOn('segment'),
	},
	recordLocator('task', shownOn('comments', 'history'), 'The task to watch'),
	{ ...filters(ofPeople, shownOn('people')), description: OF_PEOPLE },
	{ ...filters([ofOwner, ofTag], shownOn('segment')), description: OF_PEOPLE },
	{ ...filters(ofTasks, shownOn('tasks')), description: OF_TASKS },
	recordOutput({}),
	fieldChoice(contracts.person, shownOn('people', 'segment')),
	fieldChoice(contracts.task, shownOn('tasks')),
	fieldChoice(contracts.comment, shownOn('comments')),
	fieldChoice(contracts.history, shownOn('history')),
	pollOptions,
];
