import { setTimeout as sleep } from 'node:timers/promises';

const MOST_TRIES = 240;
const PAUSE_MS = 500;

/** n8n closes idle connections, and a busy machine notices too late. */
const ONE_REQUEST_EACH = { connection: 'close' };

/** The account of the editor. It is in a temporary folder, and only this machine can reach it. */
export const owner = {
	email: 'demo@contact-task-crm.example',
	password: 'Demo-1234',
	firstName: 'Demo',
	lastName: 'User',
};

/**
 * Gives n8n an owner, unless it has one.
 * @param {string} address
 */
export async function setUpOwner(address) {
	for (let tries = 1; ; tries++) {
		const response = await fetch(`${address}/rest/owner/setup`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...ONE_REQUEST_EACH },
			body: JSON.stringify(owner),
		});
		// A kept user folder already has its owner.
		if (response.ok || response.status === 400) return;
		// n8n 1 reports that it is ready before its addresses and its database work.
		if (![404, 503].includes(response.status) || tries === MOST_TRIES) {
			throw new Error(
				`n8n did not accept the demo account: ${response.status} ${await response.text()}`,
			);
		}
		await sleep(PAUSE_MS);
	}
}

/**
 * Sends a request as n8n's editor does, and returns the data of the answer.
 * @typedef {(method: string, path: string, body?: object) => Promise<any>} Rest
 */

/**
 * Signs in as the owner.
 * @param {{ address: string }} editor
 * @returns {Promise<Rest>}
 */
export async function signIn({ address }) {
	const send = async (method, path, body, headers = {}) => {
		const response = await fetch(`${address}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', ...ONE_REQUEST_EACH, ...headers },
			...(body ? { body: JSON.stringify(body) } : {}),
		});
		if (response.ok) return response;
		const { status } = response;
		throw Object.assign(new Error(`${method} ${path}: ${status} ${await response.text()}`), {
			status,
		});
	};
	const { email, password } = owner;
	const signedIn = await send('POST', '/login', { emailOrLdapLoginId: email, password });
	const cookie = signedIn.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
	return async (method, path, body) =>
		(await (await send(method, path, body, { cookie })).json()).data;
}

/**
 * Saves a workflow and activates it. In n8n 1, the command line cannot activate a workflow that it imported.
 * The import keeps no version of the workflow, but an active workflow must name one.
 * @param {Rest} rest
 * @param {object} workflow
 * @param {number} [pauseMs] between two questions whether the workflow is active
 * @returns {Promise<string>} its id
 * @throws {Error} if n8n does not publish the workflow
 */
export async function activate(rest, workflow, pauseMs = PAUSE_MS) {
	const { id, versionId } = await rest('POST', '/workflows', { active: false, ...workflow });
	await rest('POST', `/workflows/${id}/activate`, { versionId });
	await untilPublished(rest, id, pauseMs);
	return id;
}

/**
 * Waits until a workflow is active, because n8n 2 answers before that.
 * n8n reads the queue of publications and the active triggers separately. If a publication ends between the reads,
 * n8n finds neither and answers `not_published`, so that answer says nothing yet.
 */
async function untilPublished(rest, id, pauseMs) {
	let last;
	for (let tries = 1; tries <= MOST_TRIES; tries++) {
		last = await rest('GET', `/workflows/${id}/publication-status`).catch((error) => {
			// n8n 1 has no such address.
			if (error.status === 404) return { status: 'published' };
			throw error;
		});
		if (last.status === 'published') return;
		if (!['in_progress', 'not_published'].includes(last.status)) break;
		await sleep(pauseMs);
	}
	throw new Error(`n8n did not publish the workflow ${id}: ${JSON.stringify(last)}`);
}

/**
 * Returns a function that tests a credential as its form does.
 * @param {Rest} rest
 * @param {string} type of the credential
 * @returns {(data: object) => Promise<{ status: 'OK' | 'Error', message: string }>}
 */
export function credentialTester(rest, type) {
	return async (data) => {
		// n8n 1 tests only saved credentials.
		const { id } = await rest('POST', '/credentials', { name: 'Tested', type, data });
		const credentials = { id, name: 'Tested', type, data };
		return await rest('POST', '/credentials/test', { credentials });
	};
}
