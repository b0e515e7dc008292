import { ExplainedError } from '../common/errors';
import type { Outcome, ServiceRequest, ServiceResponse } from './http';
import { causeText, explainUnsent, isBrokenAnswer, isOfN8n, maybeSent } from './networkErrors';
import { mayHaveTakenEffect } from './retryPolicy';
import { saying, violationsOf } from './saying';

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
	/** Whether something may have been written all the same. */
	readonly mayHaveTakenEffect: boolean;

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

/** What the request was about, for the messages. */
export interface Subject {
	/** "person", "comment" */
	noun: string;
	/** Id of the record that was addressed, if one was. */
	id?: string;
	/** What does not exist where the answer is 404: the record, or the one it stands below. */
	named?: { noun: string; id: string };
	/** What was to be done with it, where the method does not tell: "export". */
	verb?: string;
}

/** What was tried. */
export interface Attempt {
	request: ServiceRequest;
	subject: Subject;
	baseUrl: string;
	/** How often the request was sent. */
	tries: number;
}

/** Explains an outcome that is no success (interface, section 7). */
export function explain(
	outcome: Outcome,
	{ request, subject, baseUrl, tries }: Attempt,
): Explanation {
	const explanation =
		outcome.kind === 'networkError'
			? explainNetworkError(outcome, request, subject, baseUrl)
			: {
					...explainResponse(outcome, request, subject),
					httpCode: String(outcome.status),
				};
	return {
		...explanation,
		advice: tries > 1 ? `${explanation.advice}. It was tried ${tries} times` : explanation.advice,
		mayHaveTakenEffect: mayHaveTakenEffect(outcome, request.method),
	};
}

const VERBS: Record<string, string> = {
	GET: 'read',
	POST: 'create',
	PUT: 'replace',
	PATCH: 'update',
};

function explainResponse(
	response: ServiceResponse,
	{ method }: ServiceRequest,
	subject: Subject,
): Explanation {
	const { noun, id } = subject;
	const missing = subject.named ?? (id === undefined ? undefined : { noun, id });
	const { status } = response;
	const said = saying(response.body);
	const quoted = said === '' ? '' : `. The service said: ${said}`;
	const verb = subject.verb ?? VERBS[method] ?? 'use';

	if (status === 401) {
		return {
			message: 'The service did not accept the API key',
			advice: `Open the credential and check API Key and Base URL; keys are created by an administrator of the CRM${quoted}`,
		};
	}
	if (status === 403) {
		return {
			message: `The API key has no permission to ${verb} this ${noun}`,
			advice: `Ask an administrator of the CRM for a key that may do this, and enter it in the credential${quoted}`,
		};
	}
	if (status === 404) {
		return {
			message: missing
				? `The ${missing.noun} "${missing.id}" does not exist`
				: `The service has no such ${noun}`,
			advice: `Check the ID: it may belong to another kind of record, or the record may have been removed. If every request ends like this, check the Base URL in the credential${quoted}`,
		};
	}
	const violations = status === 422 ? violationsOf(response.body) : [];
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
			advice:
				method === 'POST'
					? `Whether it took effect is not known: look for the ${noun} before you run this item again`
					: 'The service may be down for a moment. Try again later',
		};
	}
	if (status >= 400) {
		return {
			message: `The service could not use the request (HTTP ${status})${said === '' ? '' : `: ${said}`}`,
			advice: `Check the values given for this ${noun} and run again`,
		};
	}
	return {
		message: `The answer of the service cannot be read (HTTP ${status})`,
		advice:
			method === 'GET'
				? 'Check that the Base URL in the credential is the address of the CRM interface'
				: `${status < 200 ? 'Whether it took effect is not known' : 'It says that it took effect'}: look for the ${noun} before you run this item again`,
	};
}

function explainNetworkError(
	failure: { code: string; message: string },
	{ method }: ServiceRequest,
	{ noun }: Subject,
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
		advice:
			method === 'POST'
				? `Whether it took effect is not known: look for the ${noun} before you run this item again. Cause: ${cause}`
				: `Try again later. Cause: ${cause}`,
	};
}

function originOf(location: string | undefined): string {
	try {
		return new URL(location ?? '').origin;
	} catch {
		return 'another path of the same host';
	}
}
