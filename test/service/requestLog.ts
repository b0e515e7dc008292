/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server that never runs inside n8n */
import type { IncomingHttpHeaders } from 'node:http';
import { parseQuery, type Query } from './query';

/** One request to the service. */
export interface LoggedRequest {
	/** Time of arrival, in milliseconds since the epoch. */
	at: number;
	/** Time when the answer was handed over; absent until then. */
	answeredAt?: number;
	method: string;
	/** Path without the query. */
	path: string;
	/** Query by name as sent. A name that ends in `[]` always has a list. */
	query: Query;
	/** Request target as sent. */
	rawUrl: string;
	headers: IncomingHttpHeaders;
	/** Parsed JSON, or else the text; undefined without a body. */
	body: unknown;
	/** Status of the answer. Absent until there is one, and after a connection reset. */
	status?: number;
	/** Whether the request changed a record. */
	stored: boolean;
	/** Kind of the fault that affected it. */
	fault?: string | undefined;
}

const readBody = (text: unknown): unknown => {
	if (typeof text !== 'string' || text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** Returns the log entry of a request that has just arrived. */
export function logged(request: {
	at: number;
	method: string;
	rawUrl: string;
	headers: IncomingHttpHeaders;
	text: unknown;
}): LoggedRequest {
	const { text, rawUrl, ...seen } = request;
	const [path] = rawUrl.split('?', 1);
	return {
		...seen,
		rawUrl,
		path,
		query: parseQuery(rawUrl.slice(path.length + 1)),
		body: readBody(text),
		stored: false,
	};
}
