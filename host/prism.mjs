import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as openRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { installOnce } from './cache.mjs';
import { npm } from './npm.mjs';
import { start, stop, waitUntilHealthy } from './run.mjs';

/** The last version of Prism that runs on every Node version of the package. */
const VERSION = '5.14.2';
const LOOPBACK = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;

/**
 * An exchange as test/engine/support/recordExchanges.ts writes it.
 * @typedef {object} Exchange
 * @property {string} test the names of its file and test
 * @property {{ method: string, url: string, headers: Record<string, string>, body: string }} request
 * @property {{ status: number, headers: Record<string, string | string[]>, body: string }} answer
 * @property {string} [fault] the kind of fault in this exchange
 * @property {string[]} switches the switches that differed from the defaults
 */

/** The answer to the requests of waitUntilHealthy. */
const HEALTHY = {
	answer: {
		status: 200,
		headers: { 'content-type': 'application/ld+json' },
		body: '{"member":[]}',
	},
};

/** Installs Prism. Its 185 packages are not dependencies of the repository, because no other suite needs them. */
async function ensurePrism() {
	const folder = await installOnce(`prism-${VERSION}`, async (partial) => {
		await writeFile(join(partial, 'package.json'), '{ "private": true }');
		const prism = `@stoplight/prism-cli@${VERSION}`;
		await npm(['install', '--save-exact', '--ignore-scripts', prism], { cwd: partial });
	});
	return join(folder, 'node_modules', '@stoplight', 'prism-cli', 'dist', 'index.js');
}

/**
 * Returns the document with request bodies closed to unknown fields. The service would ignore such fields, but the
 * node must send only documented ones.
 * @param {{ paths: object }} document
 */
function closed(document) {
	const copy = structuredClone(document);
	const operations = Object.values(copy.paths).flatMap((path) => Object.values(path));
	const contents = operations.flatMap(({ requestBody }) =>
		Object.values(requestBody?.content ?? {}),
	);
	for (const content of contents) {
		content.schema = { allOf: [content.schema], unevaluatedProperties: false };
	}
	return copy;
}

/** Sends a recorded request again. */
async function send(port, { method, url, headers, body }) {
	const { host: _host, connection: _connection, ...others } = headers;
	const target = { host: LOOPBACK, port, method, path: url, headers: others };
	return await new Promise((resolve, reject) => {
		const sent = openRequest(target, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part) => (text += part));
			response.on('end', () => resolve({ headers: response.headers, text }));
		});
		sent.on('error', reject).end(body);
	});
}

/** Returns Prism's explanation for a request that it did not forward. For HEAD there is none. */
const refusalOf = (text) => {
	if (text === '') return ['refused'];
	const { title, detail, validation = [] } = JSON.parse(text);
	return [title, ...(validation.length > 0 ? validation.map(({ message }) => message) : [detail])];
};

/**
 * Starts Prism as a proxy that checks exchanges against an OpenAPI document. The service behind it repeats the
 * recorded answer of each request.
 * @param {object} document
 */
export async function startPrism(document) {
	const program = await ensurePrism();
	const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-prism-'));
	const file = join(folder, 'openapi.json');
	await writeFile(file, JSON.stringify(closed(document)));
	let current = HEALTHY;
	let isForwarded = false;
	const upstream = createServer((request, response) => {
		isForwarded = true;
		const { status, headers, body } = current.answer;
		request.resume().on('end', () => response.writeHead(status, headers).end(body));
	});
	await new Promise((resolve) => upstream.listen(0, LOOPBACK, resolve));
	// Lets the process end if Prism does not start, because nothing would stop this server.
	upstream.unref();
	const port = await getPort({ host: LOOPBACK });
	const behind = `http://${LOOPBACK}:${upstream.address().port}`;
	const options = ['--errors', '--port', port, '--host', LOOPBACK, '--verboseLevel', 'silent'];
	const prism = start(process.execPath, [program, 'proxy', file, behind, ...options.map(String)]);
	const probe = { 'x-api-key': 'any', accept: 'application/ld+json' };
	await waitUntilHealthy(`http://${LOOPBACK}:${port}/segments`, prism, START_TIMEOUT_MS, probe);
	return {
		/**
		 * Sends an exchange through the proxy, one at a time.
		 * @param {Exchange} exchange
		 * @returns {Promise<{ request?: string[], answer?: string }>} Prism's objections to either side
		 */
		check: async (exchange) => {
			current = exchange;
			isForwarded = false;
			const { headers, text } = await send(port, exchange.request);
			if (!isForwarded) return { request: refusalOf(text) };
			return { answer: headers['sl-violations'] };
		},
		stop: async () => {
			await stop(prism);
			await new Promise((resolve) => upstream.close(resolve));
			await rm(folder, { recursive: true, force: true });
		},
	};
}
