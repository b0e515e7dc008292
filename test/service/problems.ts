import type { Switches } from './switches';

/** One broken constraint (interface section 7, rule 3). */
export interface Violation {
	/** E.g. `emailAddresses[0].email`. */
	propertyPath: string;
	message: string;
}

const TITLE = 'An error occurred';

/** A refusal that the service answers as a problem (interface section 7, RFC 9457). */
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

/** A 422: each broken constraint on a line of the detail, as Symfony writes it. */
export function violated(violations: Violation[]): Problem {
	const detail = violations
		.map(({ propertyPath, message }) => `${propertyPath}: ${message}`)
		.join('\n');
	return new Problem(422, detail, {}, violations);
}

export function notFound(): Problem {
	return new Problem(404, 'Not Found');
}

const typeOf = (problem: Problem) =>
	problem.violations ? '/validation_errors' : `/errors/${problem.status}`;

/**
 * The body of a problem.
 *
 * @param acceptsJsonLd whether the client accepts `application/ld+json`
 * @param switches `problemForm` decides which members it has
 */
export function problemBody(
	problem: Problem,
	acceptsJsonLd: boolean,
	switches: Pick<Switches, 'problemForm'>,
): Record<string, unknown> {
	const { status, detail, violations } = problem;
	if (switches.problemForm === 'message-only') return { message: detail };
	const jsonLd =
		switches.problemForm === 'jsonld' || (switches.problemForm === 'negotiated' && acceptsJsonLd);
	const type = typeOf(problem);
	return {
		...(jsonLd && {
			'@context': violations ? '/contexts/ConstraintViolation' : '/contexts/Error',
			'@id': type,
			'@type': violations ? 'ConstraintViolation' : 'Error',
		}),
		title: TITLE,
		detail,
		status,
		type,
		...(violations && { violations }),
		...(jsonLd && { description: detail }),
		message: detail,
	};
}
