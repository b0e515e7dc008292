import { ExplainedError } from '../util/errors';
import { listOf, quoted } from '../util/values';
import { labelOf } from '../schema/label';
import { isWebPage } from './send';
import { causeText, explainUnsent, isBrokenAnswer, isOfN8n, maybeSent } from './networkErrors';
import type { ApiRequest, Outcome, ServiceResponse } from './request';
import { isRepeatable, mayHaveTakenEffect } from './retry';

/** Why a request was given up before it was sent. */
export type GivenUpReason =
	/** The own count of the minute. */
	| 'limit'
	/** A 429 of the service. */
	| 'throttled'
	/** Requests before it that the service has not answered yet. */
	| 'unanswered';

function messageOf(reason: GivenUpReason, waitMs: number): string {
	const seconds = Math.ceil(waitMs / 1000);
	switch (reason) {
		case 'limit':
			return `The requests of this minute are used up; the next one is possible in ${seconds} seconds`;
		case 'throttled':
			return `The service refuses requests for now (HTTP 429); the next try is possible in ${seconds} seconds`;
		case 'unanswered':
			return 'The service has not answered the requests before this one, so this one was not sent';
	}
}

/** The request was given up because of the rate limit; nothing of it took effect. */
export class RateLimited extends ExplainedError {
	/** @param waitMs how long the caller would still have had to wait */
	constructor(
		readonly waitMs: number,
		readonly reason: GivenUpReason,
	) {
		super(
			messageOf(reason, waitMs),
			'Set Options > When Rate Limited to Wait, or raise Options > Max Wait (Minutes), or run this again later',
			reason === 'throttled' ? '429' : undefined,
			waitMs,
		);
	}
}

/** Another item had for too long what this one waited for; nothing of this one was sent. */
export class Busy extends ExplainedError {
	/**
	 * @param what who is being changed: "The person 1f0c is being changed by another run"
	 * @param heldMs for how long already
	 */
	constructor(what: string, heldMs: number) {
		super(
			`${what} for ${Math.ceil(heldMs / 1000)} seconds, so that this item was not begun`,
			'Run this item again, or set Options > When Rate Limited to Wait',
		);
	}
}

/** The run was stopped or cancelled before the request was sent, or while it was under way. */
export class Cancelled extends ExplainedError {
	/** @param uncertain the noun of what may have been written all the same: "person" */
	constructor(uncertain?: string) {
		// n8n shows an execution as canceled, and not as failed, by this word in the message.
		super(
			uncertain === undefined
				? 'The run was canceled before this request was sent'
				: 'The run was canceled while this request was under way',
			uncertain === undefined
				? 'Run this item again'
				: `Whether it took effect is not known: look for the ${uncertain} before you run this item again`,
		);
		this.mayHaveTakenEffect = uncertain !== undefined;
	}

	override readonly mayHaveTakenEffect: boolean;
}

/** What a person reads when a request did not succeed: what happened, and how to go on. */
export interface Explanation {
	message: string;
	advice: string;
	/** The status the service answered with, if it did. */
	httpCode?: string;
	/** The label of the parameter that the service did not accept, if it named one. */
	parameter?: string;
	/** Whether something may have been written all the same. */
	mayHaveTakenEffect?: boolean;
}

/** A request that did not succeed, explained. */
export class ServiceError extends ExplainedError {
	override readonly mayHaveTakenEffect: boolean;

	private readonly violated?: string;

	constructor({ message, advice, httpCode, parameter, mayHaveTakenEffect = false }: Explanation) {
		super(message, advice, httpCode);
		this.mayHaveTakenEffect = mayHaveTakenEffect;
		this.violated = parameter;
	}

	override get parameter(): string | undefined {
		return this.violated;
	}

	/** HTTP status, or undefined where no answer came. */
	get status(): number | undefined {
		return this.httpCode === undefined ? undefined : Number(this.httpCode);
	}
}

/** Returns whether the service answered that there is no such record or path. */
export function isNotFound(error: unknown): boolean {
	return error instanceof ServiceError && error.status === 404;
}

/** Whether the service has no such list, or not for this key. */
export function isNoSuchList(error: unknown): boolean {
	return error instanceof ServiceError && [403, 404, 405].includes(error.status ?? 0);
}

/** What messages say of a request. */
type Tried = Pick<ApiRequest, 'method' | 'path' | 'subject' | 'body' | 'labelAt'>;

/**
 * Explains an outcome that is no success (interface, section 7).
 *
 * @param tries how often the request was sent
 */
export function explain(
	outcome: Outcome,
	request: Tried,
	{ baseUrl, tries }: { baseUrl: string; tries: number },
): Explanation {
	const explanation =
		outcome.kind === 'networkError'
			? explainNetworkError(outcome, request, baseUrl)
			: {
					...explainResponse(outcome, request),
					httpCode: String(outcome.status),
				};
	return {
		...explanation,
		advice: tries > 1 ? `${explanation.advice}. It was tried ${tries} times` : explanation.advice,
		mayHaveTakenEffect: mayHaveTakenEffect(outcome, request.method),
	};
}

/** What the framework says of a path that it does not know, where it tells more than that it is not found. */
const NO_ROUTE = /^No route found for ("[A-Z]+ [^"]+")/;

/** The type that it gives to such an answer, unlike one about a record that is not there. */
const ROUTING_TYPE = /\brfc2616\b/;

/** The endpoint that a service does not have; undefined where it is a record that is missing. */
function missingEndpoint({ body }: ServiceResponse, { method, path }: Tried): string | undefined {
	const { type } = (typeof body === 'object' && body !== null ? body : {}) as { type?: unknown };
	const isRouting = typeof type === 'string' && ROUTING_TYPE.test(type);
	return NO_ROUTE.exec(saying(body))?.[1] ?? (isRouting ? `"${method} ${path}"` : undefined);
}

const VERBS: Record<string, string> = {
	GET: 'read',
	POST: 'create',
	PUT: 'replace',
	PATCH: 'update',
	DELETE: 'delete',
};

function explainResponse(response: ServiceResponse, tried: Tried): Explanation {
	const { method, subject } = tried;
	const { noun, id } = subject;
	const missing = subject.named ?? (id === undefined ? undefined : { noun, id });
	const { status } = response;
	const said = saying(response.body);
	const quotation = said === '' ? '' : `. The service said: ${said}`;
	const verb = subject.verb ?? VERBS[method] ?? 'use';

	if (status === 401) {
		return {
			message: 'The service did not accept the API key',
			advice: `Open the credential and check API Key and Base URL; keys are created by an administrator of the CRM${quotation}`,
		};
	}
	if (status === 403) {
		return {
			message: `The API key has no permission to ${verb} this ${noun}`,
			advice: `Ask an administrator of the CRM for a key that may do this, and enter it in the credential${quotation}`,
		};
	}
	const endpoint = [404, 405].includes(status) ? missingEndpoint(response, tried) : undefined;
	if (endpoint !== undefined) {
		return {
			message: `The service has no endpoint ${endpoint}`,
			advice:
				'This operation is not there in this version of the CRM. If every request ends like this, check the Base URL in the credential',
		};
	}
	if (status === 404) {
		return {
			message: missing
				? `The ${missing.noun} ${quoted(missing.id)} does not exist`
				: `The service has no such ${noun}`,
			advice: `Check the ID: it may belong to another kind of record, or the record may have been removed. If every request ends like this, check the Base URL in the credential${quotation}`,
		};
	}
	const violations = status === 422 ? violationsOf(response.body, tried) : [];
	if (violations.length > 0) {
		const [{ label, text }] = violations;
		return {
			message: `The service did not accept the ${noun}: ${text}${violations.length > 1 ? ` (and ${violations.length - 1} more)` : ''}`,
			// On one line, since the editor shows no line breaks.
			advice:
				violations.length === 1
					? 'Correct the value and run again'
					: `Correct and run again: ${violations.map((violation) => violation.text).join('; ')}`,
			...(label === '' ? {} : { parameter: label }),
		};
	}
	if (status >= 300 && status < 400) {
		return {
			message: 'The service redirects to another address, which is not followed',
			advice: `Enter the final address as Base URL in the credential. It was redirected to ${originOf(response.headers.location)}`,
		};
	}
	if (status >= 500 || status === 408 || status === 425) {
		return {
			message: `The service could not ${verb} the ${noun} (HTTP ${status})${said === '' ? '' : `: ${said}`}`,
			advice: isRepeatable(method)
				? 'The service may be down for a moment. Try again later'
				: `Whether it took effect is not known: look for the ${noun} before you run this item again`,
		};
	}
	if (status >= 400) {
		return {
			message: `The service could not use the request (HTTP ${status})${said === '' ? '' : `: ${said}`}`,
			advice: `Check the values given for this ${noun} and run again`,
		};
	}
	const advice =
		method === 'GET'
			? 'Check that the Base URL in the credential is the address of the CRM interface'
			: `${status < 200 ? 'Whether it took effect is not known' : 'It says that it took effect'}: look for the ${noun} before you run this item again`;
	return {
		message: `The answer of the service cannot be read (HTTP ${status}${otherThanJson(response)})`,
		advice: `${advice}. It was ${namesIn(response.body)}`,
	};
}

/** What came in the place of JSON, as a message goes on. */
function otherThanJson({ headers }: ServiceResponse): string {
	const [type = ''] = (headers['content-type'] ?? '').split(';');
	return type === '' || /\bjson\b/.test(type) ? '' : `, ${type.trim().slice(0, 50)}`;
}

const MOST_NAMES = 12;
const LONGEST_NAME = 40;

/** What an answer is made of: the names in it, and no value. */
function namesIn(body: unknown): string {
	if (typeof body === 'string') {
		if (body === '') return 'empty';
		return isWebPage(body) ? 'a web page' : 'text';
	}
	if (Array.isArray(body)) {
		return body.length === 0 ? 'an empty list' : `a list, of ${namesIn(body[0])} first`;
	}
	if (typeof body !== 'object' || body === null) return body ? `a ${typeof body}` : 'empty';
	const names = Object.keys(body);
	if (names.length === 0) return 'an empty object';
	const quoted = names.slice(0, MOST_NAMES).map((name) => `"${name.slice(0, LONGEST_NAME)}"`);
	const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
	return `an object of ${quoted.join(', ')}${more}`;
}

function explainNetworkError(
	failure: { code: string; message: string },
	{ method, subject: { noun } }: Tried,
	baseUrl: string,
): Explanation {
	const { code } = failure;
	if (isOfN8n(code)) return explainUnsent(failure.message);
	const cause = causeText(failure);
	if (!maybeSent(code)) {
		return {
			message: `The service at ${baseUrl} cannot be reached`,
			advice: `Check the Base URL in the credential, and the network of this n8n. Cause: ${cause}`,
		};
	}
	return {
		message: isBrokenAnswer(code)
			? 'The answer of the service cannot be read'
			: 'The service did not answer',
		advice: isRepeatable(method)
			? `Try again later. Cause: ${cause}`
			: `Whether it took effect is not known: look for the ${noun} before you run this item again. Cause: ${cause}`,
	};
}

function originOf(location: string | undefined): string {
	try {
		return new URL(location ?? '').origin;
	} catch {
		return 'another path of the same host';
	}
}

/** Each violation of a 422 under the label of its parameter (interface, section 7, rule 3). */
function violationsOf(
	answer: unknown,
	{ body = {}, labelAt = labelOf }: Tried,
): Array<{ label: string; text: string }> {
	const { violations } = (typeof answer === 'object' && answer !== null ? answer : {}) as {
		violations?: unknown;
	};
	const listed = (listOf(violations) ?? []) as Array<{
		propertyPath?: unknown;
		message?: unknown;
	} | null>;
	return listed.map((violation) => {
		const label = labelAt(String(violation?.propertyPath ?? ''), body);
		const said = String(violation?.message ?? 'not accepted').replace(/\.$/, '');
		return { label, text: label === '' ? said : `${label}: ${said}` };
	});
}

/** What an answer says in words, wherever the service put them; nothing for a page of HTML. */
export function saying(body: unknown): string {
	if (typeof body === 'string') return isWebPage(body) ? '' : shortenedSaying(body);
	if (typeof body !== 'object' || body === null) return '';
	const fields = body as Record<string, unknown>;
	const names = ['detail', 'message', 'description', 'title'];
	for (const name of names.flatMap((field) => [field, `hydra:${field}`])) {
		const text = fields[name];
		if (typeof text === 'string' && text.trim() !== '') return shortenedSaying(text);
	}
	return '';
}

function shortenedSaying(text: string): string {
	// Without the full stop, since another sentence may follow.
	const line = text.replace(/\s+/g, ' ').trim().replace(/\.$/, '');
	// Cut between words: half of a key that the service repeats could not be told any more.
	return line.length > 500 ? `${line.slice(0, 500).replace(/\S*$/, '')}…` : line;
}
