/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server that never runs inside n8n */
import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import { proxyPage } from './faults';
import { acceptsJsonLd } from './negotiation';
import { NoRoute, Problem, problemBody } from './problems';
import type { Fault } from './switches';

/** An answer on the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string | string[]>;
	/** Body; undefined if there is none. */
	body?: string;
	/** Fault that affects the delivery. */
	fault?: Fault | undefined;
}

export const typed = (mediaType: string) => ({ 'content-type': `${mediaType}; charset=utf-8` });

export function problemAnswer(problem: Problem, { accept }: IncomingHttpHeaders): Answer {
	const isJsonLd = acceptsJsonLd(accept);
	// The router's own answer is no problem document of API Platform.
	const routed = { 'content-type': `application/${isJsonLd ? 'ld+json' : 'json'}` };
	const type = problem instanceof NoRoute ? routed : typed('application/problem+json');
	const body = JSON.stringify(problemBody(problem, isJsonLd));
	return { status: problem.status, headers: { ...type, ...problem.headers }, body };
}

/** Returns the firewall's answer. It is no problem document, because the firewall comes before API Platform. */
export const unauthorized = (message: string): Answer => ({
	status: 401,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ code: 401, message }),
});

/** Returns the answer of a fault, in place of the endpoint's answer. */
export function faultAnswer(
	fault: Fault & { kind: 'status' },
	headers: IncomingHttpHeaders,
): Answer {
	const { status, body = 'html' } = fault;
	const problem = () =>
		problemAnswer(new Problem(status, STATUS_CODES[status] ?? 'Error'), headers);
	const html = { status, headers: typed('text/html'), body: proxyPage(status) };
	const given = { status, headers: typed('application/json'), body: JSON.stringify(body) };
	const answer: Answer = body === 'html' ? html : body === 'json' ? problem() : given;
	return { ...answer, headers: { ...answer.headers, ...fault.headers } };
}

/** Answer if a fault keeps the service from carrying out the request. The fault may also cut or delay the answer. */
export const UNAVAILABLE: Answer = {
	status: 503,
	headers: typed('text/html'),
	body: proxyPage(503),
};
