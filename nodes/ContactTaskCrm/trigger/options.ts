import type { INodeProperties } from 'n8n-workflow';

/** Requests that a poll sends at most where the user says nothing. */
export const DEFAULT_MAX_REQUESTS = 2;
/** How long a poll waits for its turns where the user says nothing. */
export const DEFAULT_POLL_WAIT_MINUTES = 1;

/** How much a poll may take of what the service allows. */
export const pollOptions: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add Option',
	default: {},
	description: 'How much each poll may take of what the service allows',
	options: [
		{
			displayName: 'Max Requests per Poll',
			name: 'maxRequestsPerPoll',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_MAX_REQUESTS,
			description:
				'Requests that one poll sends at most, such as 10 of the 20 that the service takes in a minute. What is left is read by the next poll, which goes on where this one stopped.',
		},
		{
			displayName: 'Max Wait (Minutes)',
			name: 'maxWaitMinutes',
			type: 'number',
			typeOptions: { minValue: 0, numberPrecision: 2 },
			default: DEFAULT_POLL_WAIT_MINUTES,
			description:
				'How long one poll waits for its turns when the service is busy, in minutes, such as 1 or 0.5. The next poll goes on where this one stopped.',
		},
		{
			displayName: 'When Rate Limited',
			name: 'whenRateLimited',
			type: 'options',
			default: 'wait',
			description: 'What to do when the service allows no further request for now',
			options: [
				{
					name: 'Fail',
					value: 'fail',
					description: 'Report at once how long the wait is; nothing is lost',
				},
				{
					name: 'Wait',
					value: 'wait',
					description: 'Wait for the next turn, and leave the rest to the next poll',
				},
			],
		},
	],
};
