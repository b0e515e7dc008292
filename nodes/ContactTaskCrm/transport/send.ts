import type { IAllExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import type { Outcome, ServiceRequest } from './http';

export const CREDENTIAL = 'contactTaskCrmApi';

/** A request ends after this time where the user set none; the engine would wait five times as long. */
export const DEFAULT_TIMEOUT_MS = 60_000;

/** What the user set in the node's Request Options, as the engine hands it on. */
export type ConnectionOptions = Pick<
	IHttpRequestOptions,
	'allowedDomains' | 'proxy' | 'skipSslCertificateValidation' | 'timeout'
>;

/**
 * Sends a request once, through n8n's own helper and the credential.
 *
 * @returns what came of it, whatever the status; never rejects
 */
export async function sendOnce(
	context: IAllExecuteFunctions,
	baseUrl: string,
	request: ServiceRequest,
	connection: ConnectionOptions,
): Promise<Outcome> {
	try {
		// Within, since text that is no valid Unicode cannot be written into a URL.
		const options: IHttpRequestOptions = {
			timeout: DEFAULT_TIMEOUT_MS,
			...connection,
			method: request.method,
			url: urlOf(baseUrl, request),
			headers: headersOf(request),
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		// As text, since the engine does not send an object that is empty.
		if (request.body) options.body = JSON.stringify(request.body);
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			options,
		)) as IN8nHttpFullResponse;
		return {
			kind: 'response',
			status: response.statusCode,
			headers: lowerCased(response.headers),
			body: response.body,
		};
	} catch (error) {
		return { kind: 'networkError', ...causeOf(error) };
	}
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

function lowerCased(headers: IN8nHttpFullResponse['headers']): Record<string, string> {
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
