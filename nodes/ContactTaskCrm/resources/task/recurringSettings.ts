import type { INodeProperties } from 'n8n-workflow';

/** How a task recurs, with each of its parts. */
export const recurringSettings: INodeProperties = {
	displayName: 'Recurring Settings',
	name: 'recurringSettings',
	// Not a fixed collection: that one sends all its entries, and an update would reset those not meant.
	type: 'collection',
	placeholder: 'Add Setting',
	default: {},
	description: 'How the task recurs; only the settings that are added are sent',
	options: [
		{
			displayName: 'Create New Task',
			name: 'createNewTask',
			type: 'boolean',
			default: true,
			description: 'Whether each recurrence creates a new task',
		},
		{
			displayName: 'Recur Data',
			name: 'recurData',
			type: 'json',
			default: '[]',
			placeholder: 'e.g. ["MO", "TH"]',
			description:
				'Further data of the recurrence as a JSON array in the form the service takes, such as ["MO", "TH"]',
		},
		{
			displayName: 'Recur On Schedule',
			name: 'recurOnSchedule',
			type: 'boolean',
			default: true,
			description: 'Whether the task recurs by its schedule',
		},
		{
			displayName: 'Recur Until',
			name: 'recurUntil',
			type: 'dateTime',
			default: '',
			description: 'When the task stops recurring, such as 2026-12-31T17:00:00Z',
		},
		{
			displayName: 'Recur Until Count',
			name: 'recurUntilCount',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			description: 'After how many recurrences the task stops recurring, such as 10',
		},
		{
			displayName: 'Recurrence Rule (RRULE)',
			name: 'rrule',
			type: 'string',
			default: '',
			placeholder: 'e.g. FREQ=WEEKLY;INTERVAL=2;BYDAY=MO',
			description:
				'Recurrence rule as in RFC 5545, such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO for every second Monday',
		},
		{
			displayName: 'Snooze',
			name: 'snooze',
			type: 'boolean',
			default: true,
			description: 'Whether the task is snoozed until it recurs',
		},
	],
};
