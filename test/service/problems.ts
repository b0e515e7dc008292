/** One broken constraint (interface section 7, rule 3). */
export interface Violation {
	/** E.g. `emailAddresses[0].email`. */
	propertyPath: string;
	message: string;
}

/** Messages for the constraints of a body. */
export const CONSTRAINTS = {
	blank: { message: 'This value should not be blank.' },
	null: { message: 'This value should not be null.' },
	email: { message: 'This value is not a valid email address.' },
	choice: { message: 'The value you selected is not a valid choice.' },
} as const;

const TITLE = 'An error occurred';

/** A refusal in the form of a problem document (interface section 7, RFC 9457). */
export class Problem extends Error {
	constructor(
		readonly status: number,
		readonly detail: string,
		readonly headers: Record<string, string> = {},
		readonly violations?: Violation[],
	) {
		super(detail);
	}
}

/** Returns a 422. Each violation has a line of the detail, as in Symfony. */
export function violated(violations: Violation[]): Problem {
	const detail = violations
		.map(({ propertyPath, message }) => `${propertyPath}: ${message}`)
		.join('\n');
	return new Problem(422, detail, {}, violations);
}

export function notFound(): Problem {
	return new Problem(404, 'Not Found');
}

/** A refusal of Symfony's router, before API Platform: no endpoint has this path and method. */
export class NoRoute extends Problem {
	/** @param allowed methods of the path, if known */
	constructor(allowed: string[] = []) {
		const methods = allowed.join(', ');
		if (allowed.length === 0) super(404, 'Not Found');
		else super(405, 'Method Not Allowed', { allow: methods });
	}
}

function routingBody({ status, detail }: Problem): Record<string, unknown> {
	const type = 'https://tools.ietf.org/html/rfc2616#section-10';
	return { type, title: TITLE, status, detail, message: detail };
}

/**
 * Returns the body of a problem.
 *
 * @param isJsonLd whether the client accepts `application/ld+json`
 */
export function problemBody(problem: Problem, isJsonLd: boolean): Record<string, unknown> {
	const { status, detail, violations } = problem;
	if (problem instanceof NoRoute) return routingBody(problem);
	const type = `/errors/${status}`;
	const name = violations ? 'ConstraintViolationList' : 'Error';
	const members = violations
		? { status, violations, detail, ...(isJsonLd && { description: detail }), type, title: TITLE }
		: { title: TITLE, detail, status, type, ...(isJsonLd && { description: detail }) };
	return {
		...(isJsonLd && { '@context': `/contexts/${name}`, '@id': type, '@type': name }),
		...members,
		message: detail,
	};
}
