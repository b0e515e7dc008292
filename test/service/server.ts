/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server, which never runs inside n8n */
import { setTimeout as delay } from 'node:timers/promises';
import fastify, {
	type FastifyInstance,
	type FastifyReply,
	type FastifyRequest,
	type HTTPMethods,
} from 'fastify';
import { answer, type ServiceState } from './answer';
import { sendBroken } from './brokenAnswers';
import { operations, type Operation } from './contract';
import { registerControl, type Control } from './control';
import { drawLatency } from './faults';
import { logged } from './requestLog';
import type { Latency } from './switches';
import type { Answer } from './wire';

const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_PARAMETER_LENGTH = 2000;

const wait = async (latency: Latency) => {
	const duration = drawLatency(latency, Math.random());
	if (duration > 0) await delay(duration);
};

/** Half of the body, against the full Content-Length, and then the end of the connection. */
function sendTruncated(reply: FastifyReply, { status, headers, body = '' }: Answer): void {
	const bytes = Buffer.from(body);
	reply.hijack();
	reply.raw.writeHead(status, { ...headers, 'content-length': bytes.length });
	reply.raw.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => reply.raw.destroy());
}

async function deliver(state: ServiceState, reply: FastifyReply, sent: Answer) {
	const { fault } = sent;
	if (fault?.kind === 'reset') {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
		return;
	}
	if (fault?.kind === 'slow' && fault.afterMs === undefined) {
		reply.hijack();
		return;
	}
	// The clock may be a test's own: without this, Node sends the time of the machine.
	const headers = { ...sent.headers, date: new Date(state.clock()).toUTCString() };
	if (fault?.kind === 'truncated' && sent.body) {
		sendTruncated(reply, { ...sent, headers });
		return;
	}
	if (fault?.kind === 'broken') {
		reply.hijack();
		sendBroken(reply.raw, { ...sent, headers }, fault.how);
		return;
	}
	// As bytes: to a text, the framework would add a charset.
	const body = sent.body === undefined ? undefined : Buffer.from(sent.body);
	await reply.code(sent.status).headers(headers).send(body);
}

const isAnswered = ({ fault }: Answer) =>
	fault?.kind !== 'reset' && !(fault?.kind === 'slow' && fault.afterMs === undefined);

/** Whether a path is not below the one the service is mounted at. */
const isOutside = ({ originalUrl, raw }: FastifyRequest, { switches }: ServiceState) =>
	switches.mountPath !== '' && originalUrl === raw.url;

/** Logs, waits, answers and delivers one request. */
const serve =
	(state: ServiceState, operation?: Operation) =>
	async (request: FastifyRequest, reply: FastifyReply) => {
		const text = typeof request.body === 'string' ? request.body : '';
		const entry = logged({
			at: state.clock(),
			method: request.method,
			rawUrl: request.raw.url ?? '/',
			headers: request.headers,
			text,
			operationId: operation?.operationId,
		});
		state.requests.push(entry);
		await wait(state.switches.latencyBeforeMs);
		const params = request.params as Record<string, string>;
		const sent = answer(state, {
			entry,
			text,
			params,
			operation,
			isOutside: isOutside(request, state),
		});
		await wait(state.switches.latencyAfterMs);
		if (sent.fault?.kind === 'slow') await wait(sent.fault.afterMs ?? 0);
		if (isAnswered(sent)) {
			entry.status = sent.status;
			entry.answeredAt = state.clock();
		}
		state.onExchange?.({ entry, text, answer: sent });
		await deliver(state, reply, sent);
		return reply;
	};

/** The endpoints of the service; what is no endpoint is refused in the same way. */
function registerService(scope: FastifyInstance, state: ServiceState): void {
	// Media type and syntax are the service's to refuse, after the key and the limit.
	scope.removeAllContentTypeParsers();
	scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
		done(null, body),
	);
	for (const operation of operations) {
		scope.route({
			method: (operation.method === 'GET' ? ['GET', 'HEAD'] : operation.method) as HTTPMethods[],
			url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
			handler: serve(state, operation),
		});
	}
	scope.setNotFoundHandler(serve(state));
}

/** The server of one service, not yet listening. */
export function createServer(state: ServiceState, control: Control): FastifyInstance {
	const server = fastify({
		bodyLimit: MAX_BODY_BYTES,
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: MAX_PARAMETER_LENGTH },
		// What does not lie below the mount path stays as it is, by which it is known.
		rewriteUrl: ({ url: sent = '/' }) => {
			const { mountPath } = state.switches;
			// A percent sign that encodes nothing is one, as PHP reads it.
			const url = sent.replace(/%(?![\da-f]{2})/gi, '%25');
			return mountPath && url.startsWith(`${mountPath}/`) ? url.slice(mountPath.length) : url;
		},
	});
	server.register(async (scope) => registerControl(scope, control), { prefix: '/_control' });
	server.register(async (scope) => registerService(scope, state));
	return server;
}
