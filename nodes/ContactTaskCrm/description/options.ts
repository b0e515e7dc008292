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
			displayName: 'Max Wait (Minutes)',
			name: 'maxWaitMinutes',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: 30,
			description:
				'How long to keep waiting while the service refuses every request, in minutes, such as 30 or 0.5. Waiting for a turn in a long run does not count.',
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
