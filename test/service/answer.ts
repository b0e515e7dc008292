import { operations, type Operation } from './contract';
import type { Call, Endpoint } from './endpoint';
import { isCarriedOut, type FaultFinder } from './faults';
import { readInput } from './input';
import type { Lag } from './lag';
import { decide, EMPTY_STATE, retryAfter, type LimiterState } from './limiter';
import { checkContentType, negotiate } from './negotiation';
import { inPlaceOf } from './otherRecord';
import { NoRoute, Problem } from './problems';
import { heededIn } from './query';
import { shownIri } from './references';
import { showResult } from './representation';
import type { LoggedRequest } from './requestLog';
import { comments } from './resources/comments';
import { history } from './resources/history';
import { people } from './resources/people';
import { segments } from './resources/segments';
import { tasks } from './resources/tasks';
import { columnRecord, undocumented } from './resources/undocumented';
import { workspaces } from './resources/workspaces';
import type { Store } from './store';
import type { Fault, Switches } from './switches';
import { formatTimestamp } from './timestamps';
import { faultAnswer, problemAnswer, typed, UNAVAILABLE, unauthorized, type Answer } from './wire';

/** Endpoints by their operationId in openapi.json. */
export const endpoints: Record<string, Endpoint> = {
	...people,
	...workspaces,
	...segments,
	...tasks,
	...comments,
	...history,
};

/** State of a running service. */
export interface ServiceState {
	readonly store: Store;
	readonly switches: Switches;
	readonly requests: LoggedRequest[];
	/** Tenant of each API key, and rate limit of each tenant (interface section 8). */
	readonly keys: ReadonlyMap<string, string>;
	readonly limits: Map<string, LimiterState>;
	faults: FaultFinder;
	lag: Lag;
	/** Returns milliseconds since the epoch. */
	readonly clock: () => number;
	/** Runs for each request with its answer, before the answer is delivered. */
	readonly onExchange?: ((exchange: Exchange) => void) | undefined;
}

/** A request, and the answer on the wire. */
export interface Exchange {
	entry: LoggedRequest;
	/** Body of the request as sent. */
	text: string;
	answer: Answer;
}

/** A request in the form for the service's own code. */
export interface Incoming {
	entry: LoggedRequest;
	/** Body as sent; empty if there is none. */
	text: string;
	params: Record<string, string>;
	operation?: Operation | undefined;
	/** Whether the path is not below the mount path. */
	isOutside?: boolean;
}

/** @throws Problem 429 (interface section 8) */
function takeFromLimit(state: ServiceState, tenant: string): void {
	const { rateLimit, retryAfter: form } = state.switches;
	const now = state.clock();
	const decision = decide(state.limits.get(tenant) ?? EMPTY_STATE, now, rateLimit);
	state.limits.set(tenant, decision.state);
	if (decision.admitted) return;
	const value = retryAfter(form, rateLimit.mode, now, decision.retryAt ?? now);
	throw new Problem(429, 'Too Many Requests', value === undefined ? {} : { 'retry-after': value });
}

const isTemplateOf = (template: string, path: string) =>
	new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);

/** Returns the refusal of an unknown endpoint: 405 if only the method is unknown. */
function refuseUnknown({ path }: LoggedRequest): Problem {
	if (path.startsWith('/.well-known/genid/')) {
		return new Problem(
			404,
			'This route is not exposed on purpose. It generates an IRI for a collection resource without identifier nor item operation.',
		);
	}
	const allowed = operations.filter((operation) => isTemplateOf(operation.path, path));
	return new NoRoute(allowed.map(({ method }) => method));
}

const isReading = ({ method }: LoggedRequest) => method === 'GET' || method === 'HEAD';

/**
 * Returns the call of a request, without filters that a switch ignores. Links to other pages still have all
 * parameters, because the answer is shown with the query as sent.
 */
function callOf(state: ServiceState, incoming: Incoming): Call {
	const { entry, operation, params, text } = incoming;
	const { store: current, switches, lag } = state;
	const isRead = isReading(entry);
	return {
		store: isRead ? lag.seen(current, state.clock(), switches.readsLagMs) : current,
		switches,
		params,
		query: heededIn(entry.query, switches),
		now: formatTimestamp(state.clock()),
		readInput: (filled) => {
			const contentType = entry.headers['content-type'];
			return operation ? readInput(operation, text, { ...state, contentType, filled }) : {};
		},
	};
}

/**
 * Returns the endpoint of a request.
 * @throws Problem 404, 405
 */
function endpointFor({ entry, operation, params, isOutside }: Incoming): Endpoint {
	const isSplit = Object.values(params).some((value) => value.includes('/'));
	if (isOutside || (operation && isSplit)) throw new NoRoute();
	const endpoint = operation
		? endpoints[operation.operationId]
		: (undocumented[entry.path] ?? columnRecord(entry.path));
	if (!endpoint || (!operation && !isReading(entry))) throw refuseUnknown(entry);
	return endpoint;
}

/** @throws Problem 415, even before the service looks for the record */
function checkBodyType({ entry, operation, text }: Incoming): void {
	if (!operation || isReading(entry) || (text === '' && !operation.bodyRequired)) return;
	checkContentType(entry.headers['content-type'], operation.requestTypes);
}

/** Carries a request out. @throws Problem */
function carryOut(state: ServiceState, incoming: Incoming, fault?: Fault): Answer {
	const { entry, operation } = incoming;
	const { store, switches } = state;
	const endpoint = endpointFor(incoming);
	const representation = negotiate(entry.headers.accept);
	checkBodyType(incoming);
	const call = callOf(state, incoming);
	if (!isReading(entry)) state.lag.beforeWrite(store, state.clock());
	const carriedOut = endpoint(call);
	entry.stored = carriedOut.kind === 'item' && carriedOut.stored;
	const result =
		fault?.kind === 'other-record' ? inPlaceOf(carriedOut, call, endpoints) : carriedOut;
	const status = operation?.successStatus ?? 200;
	if (status === 201 && result.kind === 'item' && switches.createdAnswer !== 'record') {
		const isNamed = switches.createdAnswer === 'location';
		return { status, headers: isNamed ? { location: shownIri(result.item.iri, switches) } : {} };
	}
	const shown = showResult(result, {
		operation: operation ?? { queryParameters: [] },
		representation,
		path: entry.path,
		query: entry.query,
		switches,
		store,
	});
	if (shown === undefined) return { status, headers: {} };
	const location =
		result.kind === 'item' && shownIri(result.item.iri, { ...switches, iriOrigin: '' });
	const headers = { ...typed(representation), ...(status === 201 && location && { location }) };
	return { status, headers, body: JSON.stringify(shown) };
}

function answerAdmitted(state: ServiceState, incoming: Incoming): Answer {
	const { entry } = incoming;
	const fault = state.faults.next(state.switches.faults, entry);
	entry.fault = fault?.kind;
	const answer = isCarriedOut(fault)
		? orProblem(incoming, () => carryOut(state, incoming, fault))
		: UNAVAILABLE;
	if (fault?.kind === 'status') return faultAnswer(fault, entry.headers);
	return { ...answer, fault };
}

function orProblem(incoming: Incoming, act: () => Answer): Answer {
	try {
		return act();
	} catch (error) {
		const problem = error instanceof Problem ? error : new Problem(500, String(error));
		return problemAnswer(problem, incoming.entry.headers);
	}
}

/**
 * Answers a request: firewall (401), rate limit (429), then the endpoint. A fault affects only requests that passed
 * both. A request that was refused therefore does not use up a fault.
 */
export function answer(state: ServiceState, incoming: Incoming): Answer {
	const key = incoming.entry.headers['x-api-key'];
	if (typeof key !== 'string' || key === '') return unauthorized('API key not found.');
	const tenant = state.keys.get(key);
	if (tenant === undefined) return unauthorized('Invalid API key.');
	return orProblem(incoming, () => {
		takeFromLimit(state, tenant);
		return answerAdmitted(state, incoming);
	});
}
