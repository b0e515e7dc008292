/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server, which never runs inside n8n */
import type { IncomingHttpHeaders } from 'node:http';
import { parseQuery, type Query } from './query';

/** One request as the service saw it. */
export interface LoggedRequest {
	/** When it arrived, in milliseconds since the epoch. */
	at: number;
	/** When the answer was handed over; missing while there is none. */
	answeredAt?: number;
	method: string;
	/** Without the query. */
	path: string;
	/** By the names as sent; a name that ends in `[]` always has a list. */
	query: Query;
	/** The request target as sent. */
	rawUrl: string;
	headers: IncomingHttpHeaders;
	/** Parsed JSON; the text where it is none; undefined where there was no body. */
	body: unknown;
	/** Status of the answer. Absent until there is one, and after a connection reset. */
	status?: number;
	/** Whether the request changed a record. */
	stored: boolean;
	/** The kind of the fault that fell on it. */
	fault?: string;
}

const readBody = (text: unknown): unknown => {
	if (typeof text !== 'string' || text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
};

/** The entry of a request that has just arrived. */
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
