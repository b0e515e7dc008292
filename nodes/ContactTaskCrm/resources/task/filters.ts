import type { INodeProperties } from 'n8n-workflow';
import { dropDownOf } from '../../description/fields';
import { locator, personLocator } from '../../description/locators';
import { COLUMNS } from '../../directory/directory';

/** Which tasks to return. Each is applied by `readFilters.ts`. */
export const taskFilters: INodeProperties[] = [
	{
		displayName: 'Archived',
		name: 'existsArchivedAt',
		type: 'boolean',
		default: true,
		description: 'Whether to return archived tasks; turned off, only tasks that are not archived',
	},
	dropDownOf({
		name: 'assignees',
		label: 'Assignee',
		collection: '/users',
		meaning: 'Return tasks that are assigned to one of these users',
	}),
	locator({
		name: 'status',
		noun: 'column',
		displayName: 'Column',
		collection: COLUMNS,
		purpose: 'Return tasks that stand in this column',
	}),
	{
		displayName: 'Completed (Off: Open)',
		name: 'existsCompletedAt',
		type: 'boolean',
		default: true,
		description: 'Whether to return completed tasks; turned off, only tasks that are still open',
	},
	{
		displayName: 'Due After',
		name: 'dueDateAfter',
		type: 'dateTime',
		default: '',
		description: 'Return tasks due at this time or later, such as 2026-01-31T09:00:00Z',
	},
	{
		displayName: 'Due Before',
		name: 'dueDateBefore',
		type: 'dateTime',
		default: '',
		description: 'Return tasks due at this time or earlier, such as 2026-01-31T09:00:00Z',
	},
	{
		displayName: 'Flagged',
		name: 'isFlagged',
		type: 'boolean',
		default: true,
		description: 'Whether to return highlighted tasks; turned off, only tasks that are not',
	},
	{
		displayName: 'Overdue',
		name: 'isOverdue',
		type: 'boolean',
		default: true,
		description:
			'Whether to return tasks that are open and were due before now; turned off, only all others',
	},
	{
		...personLocator('people', 'Return tasks that are linked to this person'),
		displayName: 'Person',
	},
	{
		displayName: 'Title Contains',
		name: 'title',
		type: 'string',
		typeOptions: { multipleValues: true },
		default: [],
		placeholder: 'e.g. renewal',
		description: 'Return tasks with one of these texts in the title, such as renewal',
	},
	{
		displayName: 'Updated After',
		name: 'updatedAtAfter',
		type: 'dateTime',
		default: '',
		description: 'Return tasks changed at this time or later, such as 2026-01-31T09:00:00Z',
	},
	{
		displayName: 'Updated Before',
		name: 'updatedAtBefore',
		type: 'dateTime',
		default: '',
		description: 'Return tasks changed at this time or earlier, such as 2026-01-31T09:00:00Z',
	},
	locator({
		name: 'workspaceId',
		noun: 'workspace',
		displayName: 'Workspace',
		collection: '/workspaces',
		purpose: 'Return tasks of this workspace',
	}),
];
