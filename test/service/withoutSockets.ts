import { answer, type Incoming, type ServiceState } from './answer';
import { operations } from './contract';
import { pathOf } from './iris';
import { logged, type LoggedRequest } from './requestLog';
import type { Answer } from './wire';

const routes = operations.map((operation) => ({
	operation,
	pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** A request in the form that a client sends. */
export interface SentRequest {
	method: string;
	/** Address, or only path and query. */
	url: string;
	headers: Record<string, unknown>;
	text: string;
}

/** Logs a request that has just arrived, and finds its endpoint. */
export function arrived(state: ServiceState, { method, url, headers, text }: SentRequest) {
	const { mountPath } = state.switches;
	// A percent sign that encodes nothing stays a percent sign, as in PHP.
	const target = pathOf(url).replace(/%(?![\da-f]{2})/gi, '%25');
	// A path outside the mount path stays unchanged.
	const isOutside = !target.startsWith(`${mountPath}/`);
	const rawUrl = isOutside ? target : target.slice(mountPath.length);
	const parts = rawUrl.split('?', 1)[0].split('/').map(decodeURIComponent);
	const path = parts.map(encodeURIComponent).join('/');
	const asked = method === 'HEAD' ? 'GET' : method;
	const route = routes.find((one) => one.operation.method === asked && one.pattern.test(path));
	const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
	const entry = logged({
		...{ at: state.clock(), method, text, rawUrl },
		headers: Object.fromEntries(lowerCased) as LoggedRequest['headers'],
	});
	state.requests.push(entry);
	const params = Object.entries({ ...route?.pattern.exec(path)?.groups }).map(
		([name, value]) => [name, decodeURIComponent(value)] as const,
	);
	const incoming: Incoming = { entry, text, params: Object.fromEntries(params), isOutside };
	return { ...incoming, operation: route?.operation };
}

/** Answers a request at once, without a server. The caller carries out faults of the delivery. */
export function answerWithoutSockets(
	state: ServiceState,
	sent: SentRequest,
): { entry: LoggedRequest; answer: Answer } {
	const incoming = arrived(state, sent);
	return { entry: incoming.entry, answer: answer(state, incoming) };
}
