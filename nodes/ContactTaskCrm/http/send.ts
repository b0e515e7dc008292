import { isUndefined, omitBy } from 'lodash';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import type { Clock } from './clock';
import { CREDENTIAL } from '../util/credential';
import type { ApiRequest, Outcome, ServiceResponse } from './request';

/** Timeout if the user set none. The engine would wait five times as long. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** Least timeout, however near the deadline is. */
const LEAST_TIMEOUT_MS = 1_000;

/** Wait for the requests under way when the user cancels. Most answers come within it, and tell what took effect. */
const CANCEL_GRACE_MS = 600;

/**
 * The same wait after a failure, when nobody waits at the screen. With Retry On Fail, the node cannot try an item again
 * that may have taken effect.
 */
const FAILURE_GRACE_MS = 5_000;

/**
 * Sends a request once, through n8n's own helper and the credential. One deadline lies over the whole exchange: the
 * helper's own timeout counts silence alone, and a body that drips would never end.
 *
 * @param route with the checked base URL, without a trailing slash
 * @returns the outcome of any status, at the deadline at the latest; never rejects
 */
export async function sendOnce(
	request: ApiRequest,
	route: {
		context: IAllExecuteFunctions;
		baseUrl: string;
		credential: ICredentialDataDecryptedObject;
		clock: Clock;
	},
): Promise<Outcome> {
	const { context, baseUrl, credential, clock } = route;
	const { timeout = DEFAULT_TIMEOUT_MS, deadline = Infinity, signal } = request;
	const leftMs = Math.max(LEAST_TIMEOUT_MS, deadline - clock.now());
	const over = new AbortController();
	const tooLate = async () => {
		await clock.sleep(Math.min(timeout, leftMs), over.signal);
		return networkError('ECONNABORTED', 'the answer took too long');
	};
	const stopped = async (by: AbortSignal | undefined, graceMs: number) => {
		await new Promise<void>((resolve) => {
			if (by?.aborted) resolve();
			else by?.addEventListener('abort', () => resolve(), { once: true, signal: over.signal });
		});
		await clock.sleep(graceMs, over.signal);
		return networkError('ERR_CANCELED', 'the run was stopped');
	};
	// Lists and polls cannot be cancelled.
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	// The helper puts the execution's own signal into the request, which would end it at once.
	const withSignal = Object.create(context, {
		getExecutionCancelSignal: { value: () => over.signal },
	}) as IAllExecuteFunctions;
	const answer = outcomeOf(
		async () =>
			(await context.helpers.httpRequestWithAuthentication.call(
				withSignal,
				CREDENTIAL,
				{ ...httpOptionsOf(baseUrl, request), abortSignal: over.signal },
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
			)) as IN8nHttpFullResponse,
	);
	try {
		// A race, so that a host that does not pass the signal on frees the slot all the same.
		return await Promise.race([
			answer,
			tooLate(),
			stopped(signal, FAILURE_GRACE_MS),
			stopped(cancelled, CANCEL_GRACE_MS),
		]);
	} finally {
		over.abort();
	}
}

/** Sends a request by one of n8n's helpers, and reads the whole body of the answer; never rejects. */
export async function outcomeOf(
	send: () => Promise<{ statusCode: number; headers?: object; body: unknown }>,
): Promise<Outcome> {
	try {
		const { statusCode: status, headers: given = {}, body } = await send();
		const headers: Record<string, string> = {};
		for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = String(value);
		return { kind: 'response', status, headers, body: await readBody(body) };
	} catch (error) {
		return { kind: 'networkError', ...causeOf(error) };
	}
}

/** Returns whether a status says success (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Returns whether an answer says success, and is JSON if its headers say so. */
export function isUsable({ status, headers, body }: ServiceResponse): boolean {
	const isText = typeof body === 'string' && body !== '';
	return isSuccess(status) && !(isText && /\bjson\b/.test(headers['content-type'] ?? ''));
}

function networkError(code: string, message: string): Outcome {
	return { kind: 'networkError', code, message };
}

/** @throws URIError for text that is no valid Unicode, which cannot be written into a URL */
function httpOptionsOf(baseUrl: string, request: ApiRequest): IHttpRequestOptions {
	const { method, path, query = [], body } = request;
	const { allowedDomains, proxy, skipSslCertificateValidation } = request;
	const search = query
		.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
		.join('&');
	const headers: Record<string, string> = { Accept: 'application/ld+json' };
	if (body) {
		// Content types by method (interface, section 4; merge-patch is RFC 7396).
		headers['Content-Type'] =
			method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
	}
	return {
		...omitBy({ allowedDomains, proxy, skipSslCertificateValidation }, isUndefined),
		method,
		url: baseUrl + path + (search === '' ? '' : `?${search}`),
		headers,
		// As text, since the engine does not send an object that is empty.
		...(body ? { body: JSON.stringify(body) } : {}),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * Returns the code and message of a failure. The helper wraps it: one of the causes holds the code, on older hosts in
 * the place of the HTTP status.
 */
function causeOf(error: unknown): { code: string; message: string } {
	let message = '';
	let cause = error;
	for (let depth = 0; depth < 5 && typeof cause === 'object' && cause !== null; depth++) {
		const { code, httpCode, message: text, cause: deeper } = cause as Record<string, unknown>;
		if (typeof text === 'string' && message === '') message = text;
		const named = [code, httpCode].find(
			(value): value is string => typeof value === 'string' && /^[A-Z][A-Z_\d]+$/.test(value),
		);
		if (named !== undefined) {
			return { code: named, message: typeof text === 'string' ? text : message };
		}
		cause = deeper;
	}
	return { code: '', message };
}

/** Size of the largest answer. More is no list of 30 records, and takes the memory of other workflows. */
const MEGABYTES = 20;
export const MAX_ANSWER_BYTES = MEGABYTES * 1024 * 1024;

/** Depth of the deepest answer, beyond any record. n8n copies items level by level, and would overflow its stack. */
const MAX_DEPTH = 500;

/** An answer that is too large or too deep. */
class UnusableAnswer extends Error {
	constructor(
		readonly code: 'ANSWER_TOO_LARGE' | 'ANSWER_TOO_DEEP',
		message: string,
	) {
		super(message);
	}
}

/**
 * Reads the body of an answer: parsed if it is JSON, or else the text. The host's HTTP client knows no upper limit, so
 * the node asks it for a stream.
 *
 * @param body a stream of bytes; any other value stays as it is
 * @throws UnusableAnswer for more than MAX_ANSWER_BYTES, counted after decompression
 */
export async function readBody(body: unknown): Promise<unknown> {
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) {
			throw new UnusableAnswer('ANSWER_TOO_LARGE', `the answer is larger than ${MEGABYTES} MB`);
		}
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks)
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	const parsed: unknown = jsonParse(text, { fallbackValue: text });
	if (!isTooDeep(parsed)) return parsed;
	throw new UnusableAnswer('ANSWER_TOO_DEEP', `the answer is nested over ${MAX_DEPTH} levels deep`);
}

/** Returns whether an answer is HTML. It then comes from a proxy or a sign-in page, and not from the service. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*</.test(body);
}

/** Looks level by level, since a function that calls itself would overflow the stack as well. */
function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return true;
		level = level.flatMap((entry) =>
			typeof entry === 'object' && entry !== null ? (Object.values(entry) as unknown[]) : [],
		);
	}
	return false;
}
