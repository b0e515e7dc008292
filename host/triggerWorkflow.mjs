import { createServer } from 'node:http';
import { once } from 'node:events';

const TRIGGER = 'n8n-nodes-contact-task-crm.contactTaskCrmTrigger';

/**
 * A workflow that polls every minute, the shortest time that n8n allows, and posts what its trigger
 * hands over.
 * @param {{ id: string, parameters: object, url: string }} options
 */
export function triggerWorkflow({ id, parameters, url }) {
	return {
		id,
		name: `On ${parameters.watch}`,
		active: false,
		versionId: `0b6f6f4e-3c1d-4a57-9d0e-${id.slice(-12).padStart(12, '0')}`,
		nodes: [
			{
				id: '00000000-0000-4000-8000-000000000001',
				name: 'Trigger',
				type: TRIGGER,
				typeVersion: 1,
				position: [0, 0],
				parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
				credentials: { contactTaskCrmApi: { id: 'contactTaskCrmDemo', name: 'Contact Task CRM' } },
			},
			{
				id: '00000000-0000-4000-8000-000000000002',
				name: 'Post',
				type: 'n8n-nodes-base.httpRequest',
				typeVersion: 4.2,
				position: [220, 0],
				parameters: {
					method: 'POST',
					url,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ JSON.stringify({ event: $json.event, item: $json }) }}',
					options: {},
				},
			},
		],
		connections: { Trigger: { main: [[{ node: 'Post', type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

/**
 * Where the workflows post: keeps whatever comes.
 * @returns {Promise<{ url: string, received: { event: string, item: Record<string, unknown> }[], close: () => void }>}
 */
export async function startCollector() {
	const received = [];
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		received.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
		response.setHeader('content-type', 'application/json');
		response.end('{}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${server.address().port}/`,
		received,
		close: () => server.close(),
	};
}
