/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server that never runs inside n8n */
import {
	createServer as createHttpServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { answer, type ServiceState } from './answer';
import { sendBroken } from './brokenAnswers';
import { answerControl, type Control } from './control';
import { drawLatency } from './faults';
import type { Latency } from './switches';
import type { Answer } from './wire';
import { arrived } from './withoutSockets';

const wait = async (latency: Latency) => {
	const duration = drawLatency(latency, Math.random());
	if (duration > 0) await delay(duration);
};

const isUnanswered = ({ fault }: Answer) =>
	fault?.kind === 'reset' || (fault?.kind === 'slow' && fault.afterMs === undefined);

function deliver(state: ServiceState, response: ServerResponse, sent: Answer): void {
	const { fault, status } = sent;
	if (fault?.kind === 'reset') response.socket?.resetAndDestroy();
	if (isUnanswered(sent)) return;
	// Sends the time of the test's clock, because Node would send the machine's time.
	const headers = { ...sent.headers, date: new Date(state.clock()).toUTCString() };
	if (fault?.kind === 'broken') return sendBroken(response, { ...sent, headers }, fault.how);
	const bytes = Buffer.from(sent.body ?? '');
	response.writeHead(status, { ...headers, 'content-length': bytes.length });
	if (fault?.kind !== 'truncated' || bytes.length === 0) response.end(bytes);
	// Half of the body, despite the full Content-Length, and then the end of the connection.
	else response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
}

/** Logs, waits, answers and delivers one request. */
async function serve(
	state: ServiceState,
	control: Control,
	[request, response]: [IncomingMessage, ServerResponse],
	server: Server,
): Promise<void> {
	const { method = 'GET', url = '/', headers } = request;
	const text = await textOf(request);
	const controlled = answerControl(control, { method, url, text });
	if (controlled) {
		response.writeHead(controlled.status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(controlled.body));
		return;
	}
	const incoming = arrived(state, { method, url, headers, text });
	const { entry } = incoming;
	await wait(state.switches.latencyBeforeMs);
	const sent = answer(state, incoming);
	await wait(state.switches.latencyAfterMs);
	if (sent.fault?.kind === 'slow') await wait(sent.fault.afterMs ?? 0);
	// The clock of a test ends with it.
	if (!server.listening) return;
	if (!isUnanswered(sent)) {
		Object.assign(entry, { status: sent.status, answeredAt: state.clock() });
	}
	state.onExchange?.({ entry, text, answer: sent });
	deliver(state, response, sent);
}

/** Returns the server of one service, before it listens. */
export function createServer(state: ServiceState, control: Control): Server {
	// Longer than any client keeps a connection. Otherwise, the server might close it just as the client sends again.
	const server = createHttpServer({ keepAliveTimeout: 72_000 }, (request, response) => {
		serve(state, control, [request, response], server).catch((error: unknown) => {
			// A defect of the stand-in must be visible as such.
			if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
			response.end(`The stand-in failed: ${String(error)}`);
		});
	});
	return server;
}
