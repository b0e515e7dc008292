/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server, which never runs inside n8n */
import { STATUS_CODES, type IncomingHttpHeaders } from 'node:http';
import { proxyPage } from './faults';
import { acceptsJsonLd, formatByName } from './negotiation';
import { NoRoute, Problem, problemBody } from './problems';
import type { Fault, Switches } from './switches';

/** What goes over the wire. */
export interface Answer {
	status: number;
	headers: Record<string, string | string[]>;
	/** Undefined where there is no body. */
	body?: string;
	/** The fault that falls on the delivery. */
	fault?: Fault;
}

export const typed = (mediaType: string) => ({ 'content-type': `${mediaType}; charset=utf-8` });

/** The page that Symfony shows to whoever asks for no type by name. */
const errorPage = ({ status, detail }: Problem) =>
	`<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="UTF-8" />\n<title>An Error Occurred: ${detail}</title>\n</head>\n<body><h1>Oops! An Error Occurred</h1>\n<h2>The server returned a "${status} ${detail}".</h2></body>\n</html>`;

/** Symfony's router knows no slash at the end, and says where to go instead. */
export function movedAnswer(
	path: string,
	host: string | undefined,
	{ mountPath }: Switches,
): Answer {
	const location = `http://${host ?? 'localhost'}${mountPath}${path}`;
	const body = `<!DOCTYPE html>\n<html>\n<head>\n<meta charset="UTF-8" />\n<meta http-equiv="refresh" content="0;url='${location}'" />\n<title>Redirecting to ${location}</title>\n</head>\n<body>Redirecting to <a href="${location}">${location}</a>.</body>\n</html>`;
	return { status: 301, headers: { ...typed('text/html'), location }, body };
}

/** What the router answers, in the type that is asked for by name. */
function routingAnswer(problem: NoRoute, accept: string | undefined, switches: Switches): Answer {
	const { status, headers } = problem;
	const format = formatByName(accept);
	if (format === 'text/html') {
		const html = { 'content-type': 'text/html; charset=UTF-8' };
		return { status, headers: { ...html, ...headers }, body: errorPage(problem) };
	}
	const body = JSON.stringify(problemBody(problem, false, switches));
	return { status, headers: { 'content-type': format, ...headers }, body };
}

export function problemAnswer(
	problem: Problem,
	{ accept }: IncomingHttpHeaders,
	switches: Switches,
): Answer {
	if (problem instanceof NoRoute) return routingAnswer(problem, accept, switches);
	return {
		status: problem.status,
		headers: { ...typed('application/problem+json'), ...problem.headers },
		body: JSON.stringify(problemBody(problem, acceptsJsonLd(accept), switches)),
	};
}

/** The firewall's answer, which is no problem: it stands before API Platform. */
export const unauthorized = (message: string): Answer => ({
	status: 401,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ code: 401, message }),
});

/** What a fault answers in place of the endpoint. */
export function faultAnswer(
	fault: Fault & { kind: 'status' },
	headers: IncomingHttpHeaders,
	switches: Switches,
): Answer {
	const { status, body = 'html' } = fault;
	const problem = () =>
		problemAnswer(new Problem(status, STATUS_CODES[status] ?? 'Error'), headers, switches);
	const html = { status, headers: typed('text/html'), body: proxyPage(status) };
	const given = { status, headers: typed('application/json'), body: JSON.stringify(body) };
	const answer: Answer = body === 'html' ? html : body === 'json' ? problem() : given;
	return { ...answer, headers: { ...answer.headers, ...fault.headers } };
}

/** What a cut or late answer says where the request was not carried out. */
export const UNAVAILABLE: Answer = {
	status: 503,
	headers: typed('text/html'),
	body: proxyPage(503),
};
