import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { listing } from '../ui/output';
import { choices, parameter, required } from '../ui/parameters';
import type { PlainResource } from '../ui/operations';
import { lazily } from '../util/lazily';
import { METHODS, WITH_BODY } from '../schema/methods';

const BODY = '{ "title": "Acme" }';

const path = parameter('path', 'string', {
	meaning: 'Path below the Base URL of the credential, without a question mark and what follows it',
	example: '/people',
});

function queryParameters(displayOptions: IDisplayOptions): INodeProperties {
	const values = [
		parameter('name', 'string', {
			example: 'order[createdAt]',
			description:
				'Name of the parameter, such as order[createdAt]. It may stand several times, and as name[]. The CRM ignores a name that it does not know, and gives the unfiltered list.',
		}),
		parameter('value', 'string', {
			meaning: 'Value of the parameter, as it is meant and not encoded',
			example: 'desc',
		}),
	];
	return {
		...parameter('queryParameters', 'fixedCollection', {
			typeOptions: { multipleValues: true },
			default: {},
			description: 'What would stand behind the question mark of the address',
			displayOptions,
			options: [{ displayName: 'Parameter', name: 'parameters', values }],
		}),
		placeholder: 'Add Parameter',
	};
}

function requestBody(displayOptions: IDisplayOptions): INodeProperties {
	return parameter('jsonBody', 'json', {
		typeOptions: { rows: 6 },
		default: '',
		example: BODY,
		description: `What to send, as a JSON object such as ${BODY}. It goes out as it is: name other records as the CRM does, such as /people/0d5c.`,
		displayOptions,
	});
}

export const apiRequest: PlainResource = {
	value: 'apiRequest',
	name: 'API Request',
	description: 'Any request to the service, for what no other resource offers',
	operations: [
		{
			value: 'send',
			name: 'Send',
			action: 'Send API request',
			description: 'Send a request to a path of the service, such as /people',
			// Method and path are placeholders. The user gives both as parameters, and `runApiRequest` reads them.
			method: 'GET',
			url: '{path}',
			run: lazily(async () => (await import('../run/apiRequest')).runApiRequest),
			parameters: ({ always }) => {
				const shownFor = (method: string[]) => ({ show: { ...always.show, method } });
				return [
					parameter('method', 'options', {
						default: 'GET',
						description: 'What to do with the path',
						displayOptions: always,
						options: choices(METHODS),
					}),
					required(path, always),
					queryParameters(always),
					requestBody(shownFor(WITH_BODY)),
					...listing(shownFor(['GET'])),
				];
			},
		},
	],
};
