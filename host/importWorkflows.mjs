import { chain, CREDENTIAL, items } from './benchWorkflows.mjs';

/** Twenty requests per minute at an even pace. The service never refuses a loop at this pace. */
const SECONDS_A_REQUEST = 3;

const familyName = 'Jansen';

const createOrUpdate = {
	name: 'Import',
	type: 'n8n-nodes-contact-task-crm.contactTaskCrm',
	typeVersion: 1,
	parameters: {
		resource: 'person',
		operation: 'upsert',
		email: '={{ $json.email }}',
		familyName,
		additionalFields: { jobTitle: '={{ $json.job }}' },
	},
	credentials: CREDENTIAL,
};

const httpRequest = (service, name, { type, ...parameters }) => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		sendHeaders: true,
		headerParameters: {
			parameters: [
				{ name: 'X-API-KEY', value: service.apiKey },
				{ name: 'Accept', value: 'application/ld+json' },
				...(type ? [{ name: 'Content-Type', value: type }] : []),
			],
		},
		options: { response: { response: { responseFormat: 'json' } } },
		...parameters,
	},
});

const write = (method, type, url, jsonBody) => ({
	method,
	type,
	url,
	sendBody: true,
	specifyBody: 'json',
	jsonBody,
});

/** Returns a manual loop: it looks each row up, writes it, and waits as long as the limit requires for two requests. */
const loop = (service, rows) => ({
	nodes: [
		...items(rows),
		{
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 1, options: {} },
		},
		httpRequest(service, 'Look Up', {
			url: `=${service.address}/people?emailAddresses.email={{ encodeURIComponent($json.email) }}`,
		}),
		{
			name: 'Is There',
			type: 'n8n-nodes-base.if',
			typeVersion: 2.2,
			parameters: {
				conditions: {
					options: { caseSensitive: true, typeValidation: 'strict', version: 2 },
					combinator: 'and',
					conditions: [
						{
							id: 'found',
							leftValue: '={{ $json.member.length }}',
							rightValue: 0,
							operator: { type: 'number', operation: 'gt' },
						},
					],
				},
				options: {},
			},
		},
		httpRequest(
			service,
			'Update',
			write(
				'PATCH',
				'application/merge-patch+json',
				`=${service.address}/people/{{ $json.member[0].id }}`,
				`={{ JSON.stringify({ familyName: '${familyName}', jobTitle: $('Loop').item.json.job }) }}`,
			),
		),
		httpRequest(
			service,
			'Create',
			write(
				'POST',
				'application/ld+json',
				`${service.address}/people`,
				`={{ JSON.stringify({ familyName: '${familyName}', jobTitle: $('Loop').item.json.job, emailAddresses: [{ email: $('Loop').item.json.email }] }) }}`,
			),
		),
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { amount: 2 * SECONDS_A_REQUEST, unit: 'seconds' },
			webhookId: 'bench-wait',
		},
	],
	connections: {
		...chain(['Start', 'Given', 'One Each', 'Loop']),
		...chain(['Look Up', 'Is There']),
		'Is There': {
			main: ['Update', 'Create'].map((node) => [{ node, type: 'main', index: 0 }]),
		},
		...chain(['Update', 'Wait']),
		Loop: { main: [[], [{ node: 'Look Up', type: 'main', index: 0 }]] },
		Create: { main: [[{ node: 'Wait', type: 'main', index: 0 }]] },
		Wait: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
	},
});

/**
 * The ways to import a file of people, with the package's own first. Each has a name and a function from a service
 * and rows to its workflow.
 * @type {[string, (service: { address: string, apiKey: string }, rows: object[]) => { nodes: object[], connections: object }][]}
 */
export const WAYS_TO_IMPORT = [
	[
		'Contact Task CRM node',
		(_service, rows) => ({
			nodes: [...items(rows), createOrUpdate],
			connections: chain(['Start', 'Given', 'One Each', 'Import']),
		}),
	],
	['Loop Over Items, HTTP Request, Wait', loop],
];
