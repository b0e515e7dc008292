import type { INodeProperties } from 'n8n-workflow';

/** What kind of record the node works with. */
export const resources: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'person',
	description: 'What kind of record to work with',
	// Where the operation is unknown, nothing else has a routing: the engine would send a bare request.
	routing: { send: { paginate: true } },
	options: [
		{ name: 'Comment', value: 'comment', description: 'What was written about a task' },
		{ name: 'History', value: 'history', description: 'What was changed in a task, and by whom' },
		{ name: 'Person', value: 'person', description: 'A contact' },
		{ name: 'Segment', value: 'segment', description: 'A list of people' },
		{ name: 'Task', value: 'task', description: 'A task or deal in a workspace' },
		{ name: 'Workspace', value: 'workspace', description: 'Where tasks or deals stand in columns' },
	],
};
