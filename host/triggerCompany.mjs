import { activate } from './rest.mjs';
import { stop } from './run.mjs';
import { ask, startService } from './service.mjs';
import { openCrm } from './triggerChanges.mjs';
import { startCollector, triggerWorkflow } from './triggerWorkflow.mjs';

const CREDENTIAL = 'contactTaskCrmApi';

/**
 * Starts a stand-in with more tasks, without a rate limit, and the means to follow it with triggers of a running n8n.
 * @param {import('./rest.mjs').Rest} rest of that n8n
 * @param {{ tasks: number, requestsPerMinute: number }} options `tasks` in all
 */
export async function openCompany(rest, { tasks, requestsPerMinute }) {
	const service = await startService({ port: 0, rateLimit: 'off' });
	const { address, apiKey } = service;
	const collector = await startCollector();
	const { tasks: seeded } = await openCrm(service);
	for (let count = seeded.length; count < tasks; count++) {
		await ask(service, 'POST', '/tasks', { title: `Deal ${count}`, status: seeded[0].status });
	}
	const crm = await openCrm(service);
	const dataOf = (changes) => ({ baseUrl: address, apiKey, requestsPerMinute, ...changes });
	return {
		...crm,
		service,

		/** Saves a credential, and returns its ID and name. */
		createCredential: async (name) => {
			const data = dataOf({});
			const { id } = await rest('POST', '/credentials', { name, type: CREDENTIAL, data });
			return { id, name };
		},

		/** Changes the base URL or the key of a credential. */
		changeCredential: async ({ id, name }, changes) => {
			const data = dataOf(changes);
			await rest('PATCH', `/credentials/${id}`, { name, type: CREDENTIAL, data });
		},

		/**
		 * Publishes a trigger. Returns a function that returns its events so far, as "event id", and their items.
		 * @param {string} name of the trigger, for its path at the collector
		 */
		follow: async (name, credential, parameters) => {
			const url = collector.url + name;
			await activate(rest, triggerWorkflow({ parameters, url, credential }));
			return () => collector.received.filter(({ path }) => path === name);
		},

		close: async () => {
			collector.close();
			await stop(service.program);
		},
	};
}

/** Returns an event as "event id". */
export const lineOf = ({ event, item }) => `${event} ${item.id}`;
