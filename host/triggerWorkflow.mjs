import { createServer } from 'node:http';
import { once } from 'node:events';
import { crmTrigger, workflowOf } from './e2e/workflows.mjs';

/** The example credential. */
const DEMO = { id: 'contactTaskCrmDemo', name: 'Contact Task CRM' };

/**
 * Returns a workflow that polls every minute, n8n's shortest interval, and posts the items of its trigger.
 * @param {{ parameters: object, url: string, credential?: { id: string, name: string } }} options
 */
export function triggerWorkflow({ parameters, url, credential = DEMO }) {
	const trigger = crmTrigger('Trigger', credential, parameters);
	return workflowOf(`On ${parameters.watch}`, [postNode(url)], trigger);
}

/** Returns a node that posts each item to a collector. */
export function postNode(url) {
	return {
		name: 'Post',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify({ event: $json.event, item: $json }) }}',
			options: {},
		},
	};
}

/**
 * Starts a server for the posts of the workflows, and keeps each with its path and time.
 * @returns {Promise<{ url: string, received: { at: number, path: string, event: string, item: Record<string, unknown> }[], close: () => void }>}
 */
export async function startCollector() {
	const received = [];
	const server = createServer(async (request, response) => {
		const chunks = [];
		for await (const chunk of request) chunks.push(chunk);
		const posted = JSON.parse(Buffer.concat(chunks).toString('utf8'));
		received.push({ at: Date.now(), path: request.url.slice(1), ...posted });
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
