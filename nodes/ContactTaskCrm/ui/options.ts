import { choices, parameter } from './parameters';

/** How requests behave, for every operation alike. */
export const options = parameter('options', 'collection', {
	addsPart: 'Add Option',
	description: 'How requests behave when the service is busy',
	parts: [
		parameter('lookUp', 'options', {
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
		}),
		parameter('maxWaitMinutes', 'number', {
			label: 'Max Wait (Minutes)',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 30,
			description:
				'How long to keep waiting while the service refuses every request, in minutes, such as 30 or 0.5. Waiting for a turn in a long run does not count.',
		}),
		parameter('whenFilterEmpty', 'options', {
			label: 'When a Filter Is Empty',
			default: 'fail',
			description:
				'What to do when the expression of a filter gives nothing. As the tool of an AI agent, the node always ignores such a filter.',
			displayOptions: {
				show: { '/operation': ['getAll'], '/resource': ['person', 'task', 'workspace'] },
			},
			options: choices({
				fail: 'Ask for nothing: without the filter, all records would be returned',
				ignore: 'Go on as if the filter was not there, as for a form with optional fields',
			}),
		}),
		parameter('whenRateLimited', 'options', {
			default: 'wait',
			description: 'What to do when the service allows no further request for now',
			options: choices({
				fail: 'Stop at once and say how long the wait is',
				wait: 'Wait for the next turn and go on',
			}),
		}),
	],
});
