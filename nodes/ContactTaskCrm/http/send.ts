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

/** A request ends after this time where the user set none; the engine would wait five times as long. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** A request whose sender is near its end still gets a moment to be answered. */
const LEAST_TIMEOUT_MS = 1_000;

/**
 * What is under way when the user cancels is waited for this long: most answers come within it, and
 * then it is known what took effect.
 */
const CANCEL_GRACE_MS = 600;

/**
 * After a failure nobody waits at the screen, so that nearly every answer is worth waiting for: with
 * Retry On Fail, an item of which it is not known whether it took effect cannot be tried again.
 */
const FAILURE_GRACE_MS = 5_000;

/** Where a request is sent from, and where to. */
interface Route {
	context: IAllExecuteFunctions;
	/** Checked, without a trailing slash. */
	baseUrl: string;
	/** Decrypted once for many requests. */
	credential: ICredentialDataDecryptedObject;
	clock: Clock;
}

/**
 * Sends a request once, through n8n's own helper and the credential. One deadline lies over the whole
 * exchange, since the helper's own timeout counts silence alone: a body that drips would never end.
 *
 * @returns what came of it, whatever the status, at the deadline at the latest; never rejects
 */
export async function sendOnce(
	request: ApiRequest,
	{ context, baseUrl, credential, clock }: Route,
): Promise<Outcome> {
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

/** What came of a request that one of n8n's helpers sends, its body read whole; never rejects. */
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

/** Whether a status says success (RFC 9110, section 15.3). */
export function isSuccess(status: number): boolean {
	return status >= 200 && status < 300;
}

/** Whether an answer says success and can be read: not where JSON was announced and text has come. */
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
		...(allowedDomains === undefined ? {} : { allowedDomains }),
		...(proxy === undefined ? {} : { proxy }),
		...(skipSslCertificateValidation === undefined ? {} : { skipSslCertificateValidation }),
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
 * The code and message of a failure. The helper wraps it: the code stands in one of its causes, or,
 * on older hosts, in the place of the HTTP status.
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

/** A larger answer is none of 30 records, and reading it would take the memory of other workflows. */
export const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

/** Deeper than any record; n8n copies items level by level and would overflow its stack. */
const MAX_DEPTH = 500;

/** An answer that came and cannot be taken, whatever it says. */
class UnusableAnswer extends Error {
	constructor(
		readonly code: 'ANSWER_TOO_LARGE' | 'ANSWER_TOO_DEEP',
		message: string,
	) {
		super(message);
	}
}

/**
 * The body of an answer: parsed where it is JSON, else the text. The host's HTTP client knows no
 * upper limit, so it is asked for a stream, which is read here.
 *
 * @param body a stream of bytes; anything else is given back as it is
 * @throws UnusableAnswer for more than MAX_ANSWER_BYTES, counted after decompression
 */
export async function readBody(body: unknown): Promise<unknown> {
	if (!isStream(body)) return body;
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) {
			const megabytes = MAX_ANSWER_BYTES / 1024 / 1024;
			throw new UnusableAnswer('ANSWER_TOO_LARGE', `the answer is larger than ${megabytes} MB`);
		}
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks)
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	const parsed: unknown = jsonParse(text, { fallbackValue: text });
	if (isTooDeep(parsed)) {
		throw new UnusableAnswer(
			'ANSWER_TOO_DEEP',
			`the answer is nested over ${MAX_DEPTH} levels deep`,
		);
	}
	return parsed;
}

/** Whether an answer is a page of HTML, which comes from a proxy or a sign-in and not from the service. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*</.test(body);
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Level by level, since a function that calls itself would overflow the stack as well. */
function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return true;
		const next: unknown[] = [];
		for (const entry of level) {
			if (typeof entry !== 'object' || entry === null) continue;
			for (const part of Object.values(entry)) next.push(part);
		}
		level = next;
	}
	return false;
}
