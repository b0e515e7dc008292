const PEOPLE = 100;
export const CREDENTIAL = {
	contactTaskCrmApi: { id: 'contactTaskCrmDemo', name: 'Contact Task CRM' },
};

/** Returns nodes that output items, with a manual start. */
export const items = (given) => [
	{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
	{
		name: 'Given',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ given }), options: {} },
	},
	{
		name: 'One Each',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'given', options: {} },
	},
];

const start = items(Array.from({ length: PEOPLE }, (_, index) => ({ name: `Person ${index}` })));

/** Connects nodes one after the other. */
export const chain = (names) =>
	Object.fromEntries(
		names
			.slice(0, -1)
			.map((name, index) => [
				name,
				{ main: [[{ node: names[index + 1], type: 'main', index: 0 }]] },
			]),
	);

const httpRequest = (service, options = {}, settings = {}) => ({
	name: 'Create',
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url: `${service.address}/people`,
		sendHeaders: true,
		headerParameters: { parameters: [{ name: 'X-API-KEY', value: service.apiKey }] },
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={{ { "familyName": $json.name } }}',
		options,
	},
	...settings,
});

const contactTaskCrm = {
	name: 'Create',
	type: 'n8n-nodes-contact-task-crm.contactTaskCrm',
	typeVersion: 1,
	parameters: { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' },
	credentials: CREDENTIAL,
};

const straight = (node) => ({
	nodes: [...start, node],
	connections: chain(['Start', 'Given', 'One Each', 'Create']),
	results: 'Create',
});

/** Returns a manual workflow around the HTTP Request node: twenty requests, then a minute's wait. */
const loop = (service) => ({
	nodes: [
		...start,
		{
			name: 'Loop',
			type: 'n8n-nodes-base.splitInBatches',
			typeVersion: 3,
			parameters: { batchSize: 20, options: {} },
		},
		httpRequest(service),
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { amount: 60, unit: 'seconds' },
			webhookId: 'bench-wait',
		},
	],
	connections: {
		...chain(['Start', 'Given', 'One Each', 'Loop']),
		Loop: { main: [[], [{ node: 'Create', type: 'main', index: 0 }]] },
		...chain(['Create', 'Wait', 'Loop']),
		Create: { main: [[{ node: 'Wait', type: 'main', index: 0 }]] },
		Wait: { main: [[{ node: 'Loop', type: 'main', index: 0 }]] },
	},
	results: 'Loop',
});

/**
 * The measured ways to create people, with the package's own first. Each has a name and a function from a service to
 * its workflow.
 * @type {[string, (service: { address: string, apiKey: string }) => { nodes: object[], connections: object, results: string }][]}
 */
export const WAYS = [
	['Contact Task CRM node', () => straight(contactTaskCrm)],
	['HTTP Request', (service) => straight(httpRequest(service))],
	[
		'HTTP Request, batches of 20 a minute',
		(service) =>
			straight(
				httpRequest(service, { batching: { batch: { batchSize: 20, batchInterval: 60_000 } } }),
			),
	],
	[
		'HTTP Request, Retry On Fail',
		(service) =>
			straight(
				httpRequest(service, {}, { retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 }),
			),
	],
	['Loop Over Items and Wait', loop],
];

/**
 * Returns a workflow for n8n's import.
 * @param {string} id
 * @param {ReturnType<WAYS[number][1]>} way
 */
export function benchWorkflow(id, { nodes, connections }) {
	return {
		id,
		name: id,
		active: false,
		versionId: id,
		settings: {},
		nodes: nodes.map((node, index) => ({
			id: `${id}-${index}`,
			position: [index * 200, 0],
			...node,
		})),
		connections,
	};
}
