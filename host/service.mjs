import { join } from 'node:path';
import getPort from 'get-port';
import { projectFolder } from './paths.mjs';
import { start, waitUntilHealthy } from './run.mjs';

const START_TIMEOUT_MS = 30_000;

/**
 * The stand-in service while it runs.
 * @typedef {object} Service
 * @property {string} address
 * @property {string} apiKey
 * @property {ReturnType<typeof start>} program
 */

/**
 * Starts the stand-in service with the limit of the real one, 20 requests in 60 s, or without one.
 * @param {{ port?: number, apiKey?: string, rateLimit?: 'log' | 'off' }} [options] another port is taken where this one is in use
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
 * Every request that the service saw, oldest first.
 * @param {Service} service
 * @returns {Promise<{ at: number, answeredAt?: number, method: string, path: string, status?: number, stored: boolean }[]>}
 */
export async function requestsOf({ address }) {
	const response = await fetch(`${address}/_control/requests`);
	if (!response.ok) throw new Error(`The service does not give its log: ${response.status}`);
	return await response.json();
}
