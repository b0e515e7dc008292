import { cloneDeep, get, set } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { DATE_TIME_EXPECTED } from '../schema/formats';
import { inZone, withZone } from '../util/dateTime';
import { UnusableParameter } from '../util/errors';
import { parsedList, quoted, truthOf } from '../util/values';
import type { Item } from './item';
import type { BodySpecification } from './specification';

/** Where a value stands in a body. */
export type Path = Array<string | number>;

/**
 * A body whose fields hold what they may. Fields come from spreadsheets and forms, where a number may stand as
 * text and a text as a number: a value that its field cannot hold is replaced by the one that was meant, if there
 * is one. What is given as JSON is meant as it is.
 *
 * @throws UnusableParameter naming the field and what was expected
 */
export function corrected(
	item: Item,
	given: IDataObject,
	{ schema }: BodySpecification,
): IDataObject {
	const timezone = item.context.getTimezone();
	const issuesOf = (body: unknown) => schema.safeParse(body).error?.issues ?? [];
	let body = given;
	for (const issue of issuesOf(given)) {
		const isStillThere = (other: ZodIssue) => other.path.join('.') === issue.path.join('.');
		const meant = item.isJson ? [] : replacementsFor(get(body, issue.path), timezone);
		const replaced = meant
			.map((value) => set(cloneDeep(body), issue.path, value))
			.find((candidate) => !issuesOf(candidate).some(isStillThere));
		if (!replaced) throw unusable(item, issue, body);
		body = replaced;
	}
	return body;
}

/** How dates are read that stand in spreadsheets of many countries: only people know which of two is the month. */
const OTHER_DATES =
	". An expression reads other forms: {{ DateTime.fromFormat('31.12.2026', 'd.M.yyyy') }}";

function unusable(item: Item, issue: ZodIssue, body: IDataObject): UnusableParameter {
	const label = item.labelAt(propertyPath(issue.path), body);
	const { message } = issue;
	const isOfDate = message === DATE_TIME_EXPECTED;
	return new UnusableParameter(
		`${label}: ${message.charAt(0).toLowerCase() + message.slice(1)}, got ${quoted(get(body, issue.path))}`,
		`Correct the value, or remove the field if you do not need it${isOfDate ? OTHER_DATES : ''}`,
		label,
	);
}

/**
 * What may have been meant by a value that its field cannot hold, the likeliest first. Nothing is
 * guessed for NaN, Infinity and numbers that have lost digits.
 */
export function replacementsFor(value: unknown, timezone: string): unknown[] {
	if (typeof value === 'number') {
		if (!isExact(value)) return [];
		return value === 0 || value === 1 ? [String(value), value === 1] : [String(value)];
	}
	if (typeof value === 'boolean') return [String(value)];
	if (typeof value !== 'string') {
		const isTime = value instanceof Object && !Array.isArray(value);
		const time = isTime ? inZone(value, timezone) : undefined;
		return time ? [time.toISO()] : [];
	}
	const text = value.trim();
	// One of several choices, as a table writes it: "Mobile".
	const choice = /^[A-Z][A-Za-z]*$/.test(text) ? text.toLowerCase() : undefined;
	const others = [
		withZone(text, timezone),
		numberOf(text),
		truthOf(text),
		parsedList(text),
		choice,
	];
	return [text, ...others.filter((other) => other !== undefined)];
}

/**
 * The number that a text holds; undefined for none, and for one such as "1.000", of which nobody can tell
 * whether it is one or a thousand.
 */
export function numberOf(text: string): number | undefined {
	const trimmed = text.trim();
	if (trimmed === '' || /^[+-]?\d{1,3}(\.\d{3})+$/.test(trimmed)) return undefined;
	return isExact(Number(trimmed)) ? Number(trimmed) : undefined;
}

/** Whether a number is finite and has all the digits that it was written with. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** A path as the service writes it in its violations: `emailAddresses[0].email`. */
export function propertyPath(path: Path): string {
	return path
		.map((part, position) =>
			typeof part === 'number' ? `[${part}]` : position === 0 ? part : `.${part}`,
		)
		.join('');
}
