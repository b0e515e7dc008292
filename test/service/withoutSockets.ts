import { answer, type Incoming, type ServiceState } from './answer';
import { operations } from './contract';
import { logged, type LoggedRequest } from './requestLog';
import type { Answer } from './wire';

const routes = operations.map((operation) => ({
	operation,
	pattern: new RegExp(`^${operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** A request as a client sends it. */
export interface SentRequest {
	method: string;
	url: string;
	headers: Record<string, unknown>;
	text: string;
}

/** Answers a request at once, without a server: faults of the delivery are the caller's to act out. */
export function answerWithoutSockets(
	state: ServiceState,
	{ method, url, headers, text }: SentRequest,
): { entry: LoggedRequest; answer: Answer } {
	const { pathname: whole, search } = new URL(url);
	const { mountPath } = state.switches;
	const isOutside = !whole.startsWith(`${mountPath}/`);
	const pathname = isOutside ? whole : whole.slice(mountPath.length);
	const route = routes.find((one) => one.operation.method === method && one.pattern.test(pathname));
	const lowerCased = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
	const entry = logged({
		...{ at: state.clock(), method, text, rawUrl: pathname + search },
		headers: Object.fromEntries(lowerCased) as LoggedRequest['headers'],
	});
	state.requests.push(entry);
	const params = { ...route?.pattern.exec(pathname)?.groups };
	const incoming: Incoming = { entry, text, params, operation: route?.operation, isOutside };
	return { entry, answer: answer(state, incoming) };
}
