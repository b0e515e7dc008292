import { isUndefined, omitBy } from 'lodash';
import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { jsonParse } from 'n8n-workflow';
import type { Clock } from '../util/clock';
import { CREDENTIAL } from './credential';
import type { ApiRequest, Outcome, Sending, ServiceResponse } from './request';

/** Timeout in ms if the user set none. n8n's own default is five times as long. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Minimum time in ms for an answer, even if the deadline leaves less. A shorter Timeout, set by the user, ends the
 * request sooner.
 */
const LEAST_TIMEOUT_MS = 1_000;

/** Time in ms for requests under way after the user cancels. Most answers arrive in time, and show what took effect. */
const CANCEL_GRACE_MS = 600;

/**
 * Time in ms for requests under way after another item stops the run. This time is long, because no user waits for the
 * end of a failed run. Without the answer, Retry On Fail could not repeat an item that may have taken effect.
 */
const FAILURE_GRACE_MS = 5_000;

/**
 * Sends a request once, through n8n's own helper and the credential. One deadline covers the whole exchange, because
 * the helper's own timeout starts again whenever data arrives.
 *
 * @param route.baseUrl checked base URL without a trailing slash
 * @returns the outcome with any status, by the deadline. The promise never rejects
 */
export async function sendOnce(
	request: ApiRequest,
	sending: Partial<Sending>,
	route: {
		context: IAllExecuteFunctions;
		baseUrl: string;
		credential: ICredentialDataDecryptedObject;
		clock: Clock;
	},
): Promise<Outcome> {
	const { context, baseUrl, credential, clock } = route;
	const { timeout = DEFAULT_TIMEOUT_MS, deadline = Infinity, signal } = sending;
	const leftMs = Math.max(LEAST_TIMEOUT_MS, deadline - clock.now());
	const settled = new AbortController();
	const whenTooLate = async () => {
		await clock.sleep(Math.min(timeout, leftMs), settled.signal);
		return networkError('ECONNABORTED', 'the answer took too long');
	};
	const whenStopped = async (by: AbortSignal | undefined, graceMs: number) => {
		await new Promise<void>((resolve) => {
			if (by?.aborted) resolve();
			else by?.addEventListener('abort', () => resolve(), { once: true, signal: settled.signal });
		});
		await clock.sleep(graceMs, settled.signal);
		return networkError('ERR_CANCELED', 'the run was stopped');
	};
	// Editor lists and polls have no cancel signal, so `cancelled` is undefined for them.
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const answer = outcomeOf(
		async () =>
			(await context.helpers.httpRequestWithAuthentication.call(
				cancelledBy(settled.signal, context),
				CREDENTIAL,
				{ ...httpOptionsOf(baseUrl, request, sending), abortSignal: settled.signal },
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
			)) as IN8nHttpFullResponse,
	);
	try {
		// The race ends in time even if n8n does not abort the request. Another request can then use the slot.
		return await Promise.race([
			answer,
			whenTooLate(),
			whenStopped(signal, FAILURE_GRACE_MS),
			whenStopped(cancelled, CANCEL_GRACE_MS),
		]);
	} finally {
		settled.abort();
	}
}

/**
 * Returns the context of an execution with another cancel signal. n8n's helper aborts a request as soon as the signal
 * in its context aborts. With the signal of the execution, requests would get no `CANCEL_GRACE_MS`.
 */
function cancelledBy(signal: AbortSignal, context: IAllExecuteFunctions): IAllExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
}

/** Sends a request with one of n8n's helpers, and reads the whole body. Never rejects. */
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

/** Returns whether a status means success (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Returns whether an answer has a success status, and readable JSON if its headers promise JSON. */
export function isUsable({ status, headers, body }: ServiceResponse): boolean {
	const isText = typeof body === 'string' && body !== '';
	return isSuccess(status) && !(isText && /\bjson\b/.test(headers['content-type'] ?? ''));
}

function networkError(code: string, message: string): Outcome {
	return { kind: 'networkError', code, message };
}

/** Encodes text for a URL. Cut text may end with half of an emoji, and the half becomes the replacement character. */
function encoded(text: string): string {
	return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
}

/** Returns the options of a request for n8n's helper. */
function httpOptionsOf(
	baseUrl: string,
	{ method, path, query = [], body }: ApiRequest,
	{ allowedDomains, proxy, skipSslCertificateValidation }: Partial<Sending>,
): IHttpRequestOptions {
	const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
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
		// The body is JSON text, because n8n does not send an empty object.
		...(body ? { body: JSON.stringify(body) } : {}),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * Returns the code and message of a failure. n8n's helper wraps the error, so the code may be in one of its causes.
 * Older versions of n8n put the code into `httpCode`, the field for the HTTP status.
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

/** Size limit of an answer. A larger answer is no list of 30 records, and takes memory from other workflows. */
const MEGABYTES = 20;
const MAX_ANSWER_BYTES = MEGABYTES * 1024 * 1024;

/**
 * Reads the body of an answer. Parses JSON, and returns other content as text. n8n's HTTP client has no size limit. So
 * the node asks for a stream, and counts the bytes.
 *
 * @param body a stream of bytes; any other value stays as it is
 * @throws Error with a code for more than MAX_ANSWER_BYTES, counted after decompression
 */
async function readBody(body: unknown): Promise<unknown> {
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return body;
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) {
			const error = new Error(`the answer is larger than ${MEGABYTES} MB`);
			throw Object.assign(error, { code: 'ANSWER_TOO_LARGE' });
		}
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks)
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	return jsonParse(text, { fallbackValue: text });
}

/** Returns whether an answer is HTML. HTML comes from a proxy or a sign-in page, not from the service. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*</.test(body);
}
