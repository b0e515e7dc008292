import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { readBody } from './answerBody';
import type { Cancellation, Unsubscribe } from './cancellation';
import type { Clock } from './clock';
import type { Outcome, ServiceRequest } from './http';

export const CREDENTIAL = 'contactTaskCrmApi';

/** A request ends after this time where the user set none; the engine would wait five times as long. */
export const DEFAULT_TIMEOUT_MS = 60_000;

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

/** What the user set in the node's Request Options, as the engine hands it on. */
export type ConnectionOptions = Pick<
	IHttpRequestOptions,
	'allowedDomains' | 'proxy' | 'skipSslCertificateValidation' | 'timeout'
>;

/** One request, and what it is sent with. */
export interface Exchange {
	context: IAllExecuteFunctions;
	/** Checked, without a trailing slash. */
	baseUrl: string;
	request: ServiceRequest;
	options: ConnectionOptions;
	/** Decrypted once for many requests. */
	credential: ICredentialDataDecryptedObject;
	clock: Clock;
	cancellation?: Cancellation;
}

/**
 * Sends a request once, through n8n's own helper and the credential. One deadline lies over the whole
 * exchange, since the helper's own timeout counts silence alone: a body that drips would never end.
 *
 * @returns what came of it, whatever the status, at the deadline at the latest; never rejects
 */
export async function sendOnce(exchange: Exchange): Promise<Outcome> {
	const { clock, cancellation, options } = exchange;
	const request = new AbortController();
	const waits = new AbortController();
	const subscriptions: Unsubscribe[] = [];
	const deadline = clock
		.sleep(options.timeout ?? DEFAULT_TIMEOUT_MS, waits.signal)
		.then(() => networkError('ECONNABORTED', 'the answer took too long'));
	const stopped = new Promise<Outcome>((resolve) => {
		const endAfter = (ms: number) => () => {
			void clock
				.sleep(ms, waits.signal)
				.then(() => resolve(networkError('ERR_CANCELED', 'the run was stopped')));
		};
		if (!cancellation) return;
		subscriptions.push(cancellation.onStop(endAfter(FAILURE_GRACE_MS)));
		subscriptions.push(cancellation.onCancel(endAfter(CANCEL_GRACE_MS)));
	});
	try {
		// A race, so that a host that does not pass the signal on frees the slot all the same.
		return await Promise.race([answerTo(exchange, request.signal), deadline, stopped]);
	} finally {
		for (const unsubscribe of subscriptions) unsubscribe();
		waits.abort();
		request.abort();
	}
}

async function answerTo(
	{ context, baseUrl, request, options, credential }: Exchange,
	signal: AbortSignal,
): Promise<Outcome> {
	// The helper puts the execution's own signal into the request, which would end it at once.
	const withSignal = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
	return await outcomeOf(
		async () =>
			(await context.helpers.httpRequestWithAuthentication.call(
				withSignal,
				CREDENTIAL,
				{ ...httpOptionsOf(baseUrl, request, options), abortSignal: signal },
				{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
			)) as IN8nHttpFullResponse,
	);
}

/** What came of a request that one of n8n's helpers sends, its body read whole; never rejects. */
export async function outcomeOf(
	send: () => Promise<{ statusCode: number; headers?: object; body: unknown }>,
): Promise<Outcome> {
	try {
		const { statusCode, headers, body } = await send();
		return {
			kind: 'response',
			status: statusCode,
			headers: lowerCased(headers),
			body: await readBody(body),
		};
	} catch (error) {
		return { kind: 'networkError', ...causeOf(error) };
	}
}

function networkError(code: string, message: string): Outcome {
	return { kind: 'networkError', code, message };
}

/** @throws URIError for text that is no valid Unicode, which cannot be written into a URL */
function httpOptionsOf(
	baseUrl: string,
	request: ServiceRequest,
	{ allowedDomains, proxy, skipSslCertificateValidation }: ConnectionOptions,
): IHttpRequestOptions {
	return {
		...(allowedDomains === undefined ? {} : { allowedDomains }),
		...(proxy === undefined ? {} : { proxy }),
		...(skipSslCertificateValidation === undefined ? {} : { skipSslCertificateValidation }),
		method: request.method,
		url: urlOf(baseUrl, request),
		headers: headersOf(request),
		// As text, since the engine does not send an object that is empty.
		...(request.body ? { body: JSON.stringify(request.body) } : {}),
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

function urlOf(baseUrl: string, { path, query = [] }: ServiceRequest): string {
	const search = query
		.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
		.join('&');
	return baseUrl + path + (search === '' ? '' : `?${search}`);
}

/** Content types by method (interface, section 4; merge-patch is RFC 7396). */
function headersOf({ method, body }: ServiceRequest): Record<string, string> {
	const headers: Record<string, string> = { Accept: 'application/ld+json' };
	if (body) {
		headers['Content-Type'] =
			method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
	}
	return headers;
}

/** Headers by lower-case name. */
function lowerCased(headers: object | undefined): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
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
