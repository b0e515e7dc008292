import { cloneDeep, get, lowerFirst, partition, set, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { DATE_TIME_EXPECTED } from '../schema/formats';
import { UnusableParameter } from '../util/errors';
import type { Item } from './item';
import type { BodySpecification } from './specification';
import { isObject, parsedList, truthOf } from '../values/json';
import { isExact, numberOf } from '../values/number';
import { isPhoneNumber } from '../values/phone';
import { isBlank, quoted } from '../values/text';
import { inZone, withZone } from '../values/time';

/** Path of a value in a body: names of fields and parts, and positions in lists. */
export type Path = Array<string | number>;

/**
 * Corrects the values of a body that have the wrong type. Spreadsheets and forms may give a number as text, or a text
 * as a number. In a body that the user wrote as JSON, a wrong type is an error.
 *
 * @throws UnusableParameter naming the field and the expected form
 */
export function corrected(
	item: Item,
	given: IDataObject,
	{ schema }: BodySpecification,
): IDataObject {
	const timezone = item.context.getTimezone();
	const issuesOf = (body: unknown) => schema().safeParse(body).error?.issues ?? [];
	const wrong = uniqBy(issuesOf(given), placeOf).map((issue) => {
		const value: unknown = get(given, issue.path);
		return { issue, value, meant: item.isJson ? [] : replacementsFor(value, timezone) };
	});
	const body = cloneDeep(given);
	// Each round checks the next replacement of all wrong values at once. A check of each value by itself would take hours
	// for a long list.
	let open = wrong;
	for (let round = 0; open.some(({ meant }) => round < meant.length); round++) {
		for (const { issue, meant, value } of open) {
			set(body, issue.path, round < meant.length ? meant[round] : value);
		}
		const still = new Set(issuesOf(body).map(placeOf));
		open = open.filter(({ issue }) => still.has(placeOf(issue)));
	}
	for (const { issue, value } of open) set(body, issue.path, value);
	const [first] = open;
	if (first) throw unusable(item, first.issue, body);
	return body;
}

function placeOf({ path }: ZodIssue): string {
	return path.join('.');
}

/**
 * Removes unusable phone numbers from a body, and adds a note for the user. The caller calls this function if the user
 * chose to continue on errors, because the rest of the row is still worth writing. A later check refuses the body if the
 * operation requires phone numbers, or if it replaces the person and would remove the numbers that the person has.
 */
export function dropUnusableNumbers(
	item: Item,
	body: IDataObject,
	{ required }: BodySpecification,
): void {
	const { phoneNumbers } = body;
	const isReplaced = item.request.method === 'PUT';
	if (!Array.isArray(phoneNumbers) || required.includes('phoneNumbers') || isReplaced) return;
	const [unusable, usable] = partition(phoneNumbers as IDataObject[], (entry) => {
		const number: unknown = isObject(entry) ? entry.phoneNumber : undefined;
		return !isBlank(number) && !isPhoneNumber(String(number));
	});
	for (const { phoneNumber } of unusable) {
		item.notes.push(`${quoted(phoneNumber)} is no phone number and is left out`);
	}
	if (usable.length > 0) body.phoneNumbers = usable;
	else if (unusable.length > 0) delete body.phoneNumbers;
}

function unusable(item: Item, { path, message }: ZodIssue, body: IDataObject): UnusableParameter {
	const label = item.labelAt(propertyPath(path), body);
	// The node cannot know which number of "1.2.2026" is the month, so the advice shows an expression that parses dates.
	const otherDates =
		message === DATE_TIME_EXPECTED
			? ". An expression reads other forms: {{ DateTime.fromFormat('31.12.2026', 'd.M.yyyy') }}"
			: '';
	return new UnusableParameter(
		`${label}: ${lowerFirst(message)}, got ${quoted(get(body, path))}`,
		`Correct the value, or remove the field if you do not need it${otherDates}`,
		label,
	);
}

/**
 * Returns values of other types that may replace a value of the wrong type, the likeliest first. Returns none for NaN,
 * Infinity and numbers that have lost digits.
 */
function replacementsFor(value: unknown, timezone: string): unknown[] {
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
	const others = [withZone(text, timezone), numberOf(text), truthOf(text), parsedList(text)];
	// Tables may write a choice such as "mobile" with a capital: "Mobile".
	const choice = /^[A-Z][A-Za-z]*$/.test(text) ? text.toLowerCase() : undefined;
	return [text, ...others, choice].filter((meant) => meant !== undefined);
}

/** Writes a path as the service does in its validation errors, such as `emailAddresses[0].email`. */
export function propertyPath(path: Path): string {
	return path
		.map((part, position) =>
			typeof part === 'number' ? `[${part}]` : position === 0 ? part : `.${part}`,
		)
		.join('');
}
