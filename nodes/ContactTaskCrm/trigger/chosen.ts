import type { IPollFunctions } from 'n8n-workflow';
import { UnusableParameter } from '../util/errors';
import { locatedIn, referencesIn } from '../util/values';
import { idOf } from '../util/iri';

export type Context = Pick<IPollFunctions, 'getNode' | 'getNodeParameter'>;

/**
 * The ID of the record that a locator points to.
 *
 * @throws UnusableParameter naming the parameter
 */
export function located(context: Context, name: string, label: string, collection: string): string {
	const value = context.getNodeParameter(name, undefined, { extractValue: true });
	if (referencesIn(value).length > 0) return resolved(label, idOf(value, collection));
	throw new UnusableParameter(
		`${label} is empty`,
		`Choose a ${label.toLowerCase()} from the list, or give its ID`,
	);
}

/**
 * What was given, as an ID or an IRI.
 *
 * @throws UnusableParameter naming the parameter
 */
export function resolved(label: string, reference: ReturnType<typeof idOf>): string {
	if ('value' in reference) return reference.value;
	throw new UnusableParameter(
		`${label}: ${reference.expected}`,
		'Choose from the list, or give the ID as the service shows it',
	);
}

/** The filters without the names that their lists showed, which may change. */
export function valuesOf(chosen: unknown): unknown {
	if (typeof chosen !== 'object' || chosen === null) return [];
	return Object.entries(chosen)
		.map(([name, value]) => [name, referencesIn(locatedIn(value))])
		.filter(([, values]) => (values as unknown[]).length > 0)
		.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
}

/**
 * The one reference that a filter holds, if it holds any.
 *
 * @throws UnusableParameter where it holds several
 */
export function only(label: string, chosen: unknown): unknown {
	const references = referencesIn(locatedIn(chosen));
	if (references.length < 2) return references[0];
	throw new UnusableParameter(
		`${label}: expected one, got ${references.length}`,
		'Give one, or use a trigger for each',
	);
}
