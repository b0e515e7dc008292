import { task } from '../../schema/task';
import { fieldParameters, filterParameters, partParameters, SHARED } from '../../ui/fields';
import { taskReadFilters } from './record';

export const taskFields = fieldParameters(task, {
	afterTask: 'The task to put the new one after',
	archivedAt: SHARED.archivedAt,
	assignees: 'Colleagues who do the task',
	author: 'Colleague who wrote the task',
	beforeTask: 'The task to put the new one before',
	completedAt: 'When the task was completed, such as 2026-12-31T17:00:00Z',
	dealSizeEstimation: 'Estimated size of the deal, such as 2500',
	description: {
		meaning: 'Short description of the task',
		example: 'Ask whether the offer is still open',
		typeOptions: { rows: 4 },
	},
	dueDate: 'When the task is due, such as 2026-12-31 or 2026-12-31T17:00:00Z',
	files: 'Files of the task, each by its ID in the CRM, such as /media_objects/b8e2',
	isFlagged: 'Whether the task is highlighted',
	isTemplate: 'Whether the task is a template for others',
	observers: 'Colleagues who follow the task',
	organizations: {
		description: 'Organizations that the task is about, each by ID, such as /organizations/9d0c',
		addsEntry: 'Add Organization',
	},
	parent: 'The task that the new one is a part of',
	participants: {
		meaning: 'Participants of the task as a JSON list',
		example: '["e.jansen@example.com"]',
	},
	people: { meaning: 'A person whom the task is about', addsEntry: 'Add Person' },
	plannedMonth: 'Month in which the task is planned: a date in it, such as 2026-12-01',
	plannedWeek: 'Week in which the task is planned: a date in it, such as 2026-12-28',
	positionTop: 'Whether the new task is the first of its column',
	recurringSettings: {
		addsPart: 'Add Setting',
		description: 'How the task repeats; only the settings you add are sent',
		parts: partParameters({
			createNewTask: {
				type: 'boolean',
				description: 'Whether to create a new task each time it repeats',
			},
			recurData: {
				type: 'json',
				meaning: 'What else the CRM needs to know, as a JSON list',
				example: '["MO", "TH"]',
			},
			recurUntilCount: {
				type: 'number',
				typeOptions: { minValue: 1, numberPrecision: 0 },
				default: 1,
				description: 'After how many times the task stops repeating, such as 10',
			},
			recurOnSchedule: {
				type: 'boolean',
				description: 'Whether the task repeats by its schedule',
			},
			rrule: {
				example: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
				description:
					'When it repeats, as calendars write it (RFC 5545), such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO for every second Monday',
			},
			recurUntil: {
				type: 'dateTime',
				description: 'When the task stops repeating, such as 2026-12-31T17:00:00Z',
			},
			snooze: { type: 'boolean', description: 'Whether to snooze the task until it repeats' },
		}),
	},
	scheduledOn: 'When the task is scheduled, such as 2026-12-31 or 2026-12-31T09:00:00Z',
	snoozeUntil: 'Until when the task is snoozed, such as 2026-12-31T09:00:00Z',
	status: 'The column of the task, and so its workspace',
	storyPointEstimation: 'Estimated story points, such as 5',
	tags: 'Tags',
	timeEstimation: 'Estimated time in the unit of the CRM, such as 90',
	title: SHARED.title,
});

/** Parameters for the filters of tasks. The node applies these filters itself, by `taskReadFilters`. */
export const taskFilters = filterParameters(taskReadFilters, task.plural, {
	assignees: 'Return tasks that are assigned to one of these users',
	existsArchivedAt: {
		default: 'false',
		description: 'Yes for tasks that are archived, No for those that are not',
	},
	isFlagged: 'Yes for tasks that are highlighted, No for those that are not',
	isOverdue: 'Yes for tasks that are open and were due before now, No for all others',
	organizations: {
		description:
			'Return tasks that are linked to one of these organizations, each by ID, such as /organizations/9d0c',
		addsEntry: 'Add Organization',
	},
	people: 'Return tasks that are linked to this person',
	state: {
		default: 'open',
		description: 'Return tasks that are open, or those that are completed',
	},
	status: 'Return tasks that stand in this column',
	tags: 'Return tasks that have one of these tags',
	title: { meaning: 'Return tasks with one of these texts in the title', example: 'renewal' },
	workspaceId: 'Return tasks of this workspace',
});
