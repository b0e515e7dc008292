import type { INodeProperties } from 'n8n-workflow';

/** How requests behave, for every operation alike. */
export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'How requests behave when the service is busy',
	options: [
		{
			displayName: 'Look Up',
			name: 'lookUp',
			type: 'options',
			default: 'together',
			description: 'When to look for the person that an item names',
			displayOptions: { show: { '/operation': ['upsert'], '/resource': ['person'] } },
			options: [
				{
					name: 'Each Item Before Its Write',
					value: 'each',
					description: 'One more request an item, for a CRM in which others change the same people',
				},
				{
					name: 'Many Items Together',
					value: 'together',
					description: 'Up to 30 in one request, about a minute before their writes',
				},
			],
		},
		{
			displayName: 'Max Wait (Minutes)',
			name: 'maxWaitMinutes',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 30,
			description:
				'How long to keep waiting while the service refuses every request, in minutes, such as 30 or 0.5. Waiting for a turn in a long run does not count.',
		},
		{
			displayName: 'When a Filter Is Empty',
			name: 'whenFilterEmpty',
			type: 'options',
			default: 'fail',
			description:
				'What to do when the expression of a filter gives nothing. As the tool of an AI agent, the node always ignores such a filter.',
			displayOptions: {
				show: { '/operation': ['getAll'], '/resource': ['person', 'task', 'workspace'] },
			},
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'Ask for nothing: without the filter, all records would be returned',
				},
				{
					name: 'Ignore',
					value: 'ignore',
					description: 'Go on as if the filter was not there, as for a form with optional fields',
				},
			],
		},
		{
			displayName: 'When Rate Limited',
			name: 'whenRateLimited',
			type: 'options',
			default: 'wait',
			description: 'What to do when the service allows no further request for now',
			options: [
				{ name: 'Fail', value: 'fail', description: 'Stop at once and say how long the wait is' },
				{ name: 'Wait', value: 'wait', description: 'Wait for the next turn and go on' },
			],
		},
	],
};
