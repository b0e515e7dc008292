import { join } from 'node:path';
import getPort from 'get-port';
import { projectFolder } from './paths.mjs';
import { start, waitUntilHealthy } from './run.mjs';

const START_TIMEOUT_MS = 30_000;

/**
 * A running stand-in service.
 * @typedef {object} Service
 * @property {string} address
 * @property {string} apiKey
 * @property {ReturnType<typeof start>} program
 */

/**
 * Starts the stand-in service with the limit of the real one, 20 requests in 60 s, or without a limit.
 * @param {{ port?: number, apiKey?: string, rateLimit?: 'log' | 'off' }} [options] if the port is in use, another one is taken
 * @returns {Promise<Service>}
 */
export async function startService({ port = 8377, apiKey = 'demo-key', rateLimit = 'log' } = {}) {
	const servicePort = await getPort({ host: '127.0.0.1', port });
	const address = `http://127.0.0.1:${servicePort}`;
	const program = start(
		join(projectFolder, 'node_modules', '.bin', 'tsx'),
		[
			'test/service/main.ts',
			...['--port', String(servicePort)],
			...['--api-key', apiKey],
			...['--rate-limit', rateLimit],
		],
		{ cwd: projectFolder },
	);
	await waitUntilHealthy(`${address}/_control/requests`, program, START_TIMEOUT_MS);
	return { address, apiKey, program };
}

/**
 * Returns all requests to the service, oldest first.
 * @param {Service} service
 * @returns {Promise<{ at: number, answeredAt?: number, method: string, path: string, headers: Record<string, string>, status?: number, stored: boolean }[]>}
 */
export async function requestsOf({ address }) {
	const response = await fetch(`${address}/_control/requests`);
	if (!response.ok) throw new Error(`The service does not give its log: ${response.status}`);
	return await response.json();
}

/**
 * Changes the behaviour of the stand-in service.
 * @param {Service} service
 * @param {object} switches as in test/service/README.md
 */
export async function setSwitches({ address }, switches) {
	const response = await fetch(`${address}/_control/switches`, {
		method: 'PUT',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(switches),
	});
	if (!response.ok) throw new Error(`The service took no switches: ${await response.text()}`);
}

/** Header that marks requests of the tests, to tell them from n8n's. */
const MARK = 'x-from-the-test';

/** Returns all requests of n8n, oldest first. */
export async function requestsOfN8n(service) {
	return (await requestsOf(service)).filter(({ headers }) => !headers[MARK]);
}

/**
 * Sends a request to the service, like another program of the same company.
 * @param {Service} service
 * @param {string} method
 * @param {string} path with its query
 * @param {object} [body]
 */
export async function ask({ address, apiKey }, method, path, body) {
	const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
	const response = await fetch(`${address}${path}`, {
		method,
		headers: {
			'x-api-key': apiKey,
			[MARK]: 'yes',
			accept: 'application/ld+json',
			'content-type': type,
		},
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
	return await response.json();
}

/** Returns all records of a list. */
export async function askForAll(service, path) {
	const records = [];
	for (let next = `${path}?itemsPerPage=30`; next; ) {
		const { member, view } = await ask(service, 'GET', next);
		records.push(...member);
		next = view?.next;
	}
	return records;
}

/** Returns all records of a list by ID, with sorted lists, and without the time of their last change. */
export async function storedRecords(service, path) {
	const records = await askForAll(service, path);
	// Leaves out fields such as `@id`. Each answer invents new values of them for parts of a record.
	const asText = (value) =>
		JSON.stringify(value, (name, own) => (name.startsWith('@') ? undefined : own));
	const inOrder = (value) =>
		Array.isArray(value) ? value.map(asText).sort() : JSON.parse(asText(value) ?? 'null');
	return new Map(
		records.map(({ updatedAt: _, ...record }) => [
			record.id,
			Object.fromEntries(Object.entries(record).map(([name, value]) => [name, inOrder(value)])),
		]),
	);
}

/** Uses up the limit of the minute, like another program of the same company. */
export async function useUpTheLimit({ address, apiKey }) {
	for (let status = 200; status !== 429; ) {
		({ status } = await fetch(`${address}/segments`, { headers: { 'x-api-key': apiKey } }));
	}
}
