import type { IDataObject } from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { UnusableParameter } from '../common/errors';
import { isObject } from '../contract/blank';
import { labelOf } from '../contract/label';
import { isExact, replacementsFor } from './coercion';
import type { BodySpecification } from './specification';

type Path = Array<string | number>;

/**
 * JSON.stringify writes NaN and Infinity as null, which would empty the field; and a number of more
 * than 15 digits has lost some of them.
 *
 * @throws UnusableParameter naming the first such number
 */
export function refuseInexactNumbers(value: unknown, path: Path = []): void {
	if (typeof value === 'number' && !isExact(value)) {
		throw new UnusableParameter(
			`${labelOf(propertyPath(path))}: expected a number that can be written exactly, got ${value}`,
			'Correct the value; give a number of more than 15 digits as text',
		);
	}
	if (Array.isArray(value))
		value.forEach((entry, index) => refuseInexactNumbers(entry, [...path, index]));
	else if (isObject(value)) {
		for (const [name, part] of Object.entries(value)) refuseInexactNumbers(part, [...path, name]);
	}
}

/** What the schema does not accept of a body. */
function issuesOf(schema: BodySpecification['schema'], body: unknown): ZodIssue[] {
	return schema.safeParse(body).error?.issues ?? [];
}

/**
 * A body of JSON, where its fields hold what they may.
 *
 * @throws UnusableParameter naming the field and what was expected
 */
export function checkedAsGiven(body: IDataObject, { schema }: BodySpecification): IDataObject {
	const [issue] = issuesOf(schema, body);
	if (issue) throw unusable(issue, body);
	return body;
}

/**
 * Fields come from spreadsheets and forms, where a number may stand as text and a text as a number:
 * a value that its field cannot hold is replaced by the one that was meant, if there is one.
 *
 * @throws UnusableParameter naming the field and what was expected
 */
export function checkedWithCare(
	body: IDataObject,
	specification: BodySpecification,
	timezone: string,
): IDataObject {
	const { schema } = specification;
	let checked = body;
	for (const issue of issuesOf(schema, body)) {
		const replaced = replacementsFor(valueAt(checked, issue.path), timezone)
			.map((value) => withValueAt(checked, issue.path, value) as IDataObject)
			.find((candidate) => !issuesOf(schema, candidate).some((other) => isAt(other, issue.path)));
		if (!replaced) throw unusable(issue, checked);
		checked = replaced;
	}
	return checked;
}

function isAt(issue: ZodIssue, path: Path): boolean {
	return issue.path.join('.') === path.join('.');
}

function unusable(issue: ZodIssue, body: IDataObject): UnusableParameter {
	const got = valueAt(body, issue.path);
	const shown = got === undefined ? 'nothing' : (JSON.stringify(got) ?? typeof got).slice(0, 100);
	return new UnusableParameter(
		`${labelOf(propertyPath(issue.path))}: ${lowerFirst(issue.message)}, got ${shown}`,
		'Correct the value, or remove the field if you do not need it',
	);
}

function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

/** A path as the service writes it in its violations: `emailAddresses[0].email`. */
function propertyPath(path: Path): string {
	return path
		.map((part, position) =>
			typeof part === 'number' ? `[${part}]` : position === 0 ? part : `.${part}`,
		)
		.join('');
}

function valueAt(value: unknown, path: Path): unknown {
	return path.reduce<unknown>(
		(inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key],
		value,
	);
}

function withValueAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
	if (key === undefined) return replacement;
	const inner = withValueAt((value as Record<string | number, unknown>)[key], rest, replacement);
	if (Array.isArray(value)) return value.map((entry, index) => (index === key ? inner : entry));
	return { ...(value as Record<string | number, unknown>), [key]: inner };
}
