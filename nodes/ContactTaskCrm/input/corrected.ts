import { cloneDeep, get, groupBy, isEqual, lowerFirst, once, set, uniq, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { DATE_TIME_EXPECTED, TRUTH_EXPECTED } from '../schema/formats';
import { isSameEntry } from '../schema/equality';
import { type Mistakes, UnusableParameter } from '../util/errors';
import { CONTACT_LISTS, MOST_NAMED } from '../tables/cellRules';
import type { Existing } from './existing';
import type { InputItem } from './item';
import { dateAdvice } from './labels';
import type { BodySpecification } from './specification';
import { answerOf, cutList, isObject, listOf, ownOf, parsedList, truthOf } from '../values/json';
import { isExact, numberOf } from '../values/number';
import { isBlank, quoted } from '../values/text';
import { inZone, withZone, writtenDate } from '../values/time';

/** Path of a value in a body: names of fields and parts, and positions in lists. */
export type Path = Array<string | number>;

/**
 * Corrects the values of a body that have the wrong type. Spreadsheets and forms may give a number as text, or a text
 * as a number. In a body that the user wrote as JSON, a wrong type is an error.
 *
 * An unusable e-mail address or phone number stays if the record already has it. Otherwise, a write of the list would
 * remove this entry from the record. With On Error: Continue, the node leaves out other unusable entries that
 * `mayBeLeftOut` allows, and adds a note. The rest of the row is still worth writing.
 *
 * @param options.existing the record to change, if any. The node reads it only if a list has an unusable entry
 * @param options.mistakes receives a mistake, with the expected form, for each value that the node can neither use nor
 *   leave out
 */
export async function corrected(
	item: InputItem,
	given: IDataObject,
	specification: BodySpecification,
	{ existing, mistakes }: { existing?: Existing | undefined; mistakes: Mistakes },
): Promise<IDataObject> {
	const timezone = item.context.getTimezone();
	const { schema } = specification;
	const issuesOf = (body: unknown) => schema().safeParse(body).error?.issues ?? [];
	const wrong = uniqBy(issuesOf(given), placeOf).map((issue) => {
		const value: unknown = get(given, issue.path);
		return { issue, value, meant: item.isJson ? [] : replacementsFor(value, timezone, issue) };
	});
	const body = cloneDeep(given);
	// Each round tries the next replacement of all wrong values at once. A check for each single value would take hours
	// for a long list.
	let unsolved = wrong;
	for (let round = 0; unsolved.some(({ meant }) => round < meant.length); round++) {
		for (const { issue, meant, value } of unsolved) {
			set(body, issue.path, round < meant.length ? meant[round] : value);
		}
		const still = new Set(issuesOf(body).map(placeOf));
		unsolved = unsolved.filter(({ issue }) => still.has(placeOf(issue)));
	}
	for (const { issue, value } of unsolved) set(body, issue.path, value);
	const read = existing && once(existing.read);
	const leftOut: Path[] = [];
	for (const { issue } of unsolved) {
		const { path } = issue;
		const [list = ''] = path;
		const isDispensable = mayBeLeftOut(item, issue, body, specification);
		const isLeftOut = isDispensable && item.context.continueOnFail();
		// A write that only adds to a list keeps the entries of the record. So the node can leave out a new entry without
		// reading the record.
		const isWorthReading = !(isLeftOut && existing?.addsTo(String(list)));
		const present = isWorthReading
			? await valueInRecord(body, path, specification, read)
			: undefined;
		if (present !== undefined) {
			set(body, path, present);
		} else if (isLeftOut) {
			leftOut.push(path);
		} else mistakes.add(unusable(item, issue, body, isDispensable), String(list));
	}
	return mistakes.areNone ? withoutEntries(item, body, leftOut) : body;
}

/**
 * Returns a body without the unusable entries at `paths`, and adds a note for each list. Removes a list that has no
 * usable entry.
 */
function withoutEntries(item: InputItem, body: IDataObject, paths: readonly Path[]): IDataObject {
	const whole = { ...body };
	for (const [list, own] of Object.entries(groupBy(paths, ([name]) => name))) {
		const { one, several } = CONTACT_LISTS[list]!;
		const texts = uniq(own.map((path) => quoted(get(body, path))));
		const are = texts.length === 1 ? `is no ${one} and is` : `are no ${several} and are`;
		item.addNoteOfLeftOut(`${cutList(texts, MOST_NAMED)} ${are} left out`);
		const positions = new Set(own.map(([, position]) => position));
		const usable = (whole[list] as IDataObject[]).filter((_, index) => !positions.has(index));
		if (usable.length > 0) whole[list] = usable;
		else delete whole[list];
	}
	return whole;
}

/**
 * Returns whether the node, with On Error: Continue, may leave out an unusable value and still write the item. The node
 * may leave out a phone number, and an e-mail address from a table. It leaves out nothing if the operation requires the
 * list, or replaces the whole person. A replaced person would lose the present entries.
 */
function mayBeLeftOut(
	{ isMapped, request }: InputItem,
	{ path }: ZodIssue,
	body: IDataObject,
	{ required }: BodySpecification,
): boolean {
	const [list = '', , part] = path;
	const contacts = ownOf(CONTACT_LISTS, String(list));
	if (!contacts || contacts.key !== part || contacts.isRight(String(get(body, path)))) return false;
	if (contacts.key === 'email' && !isMapped) return false;
	return !required.includes(String(list)) && request.method !== 'PUT';
}

/** Returns the path of an issue as one text, to compare issues. */
function placeOf({ path }: ZodIssue): string {
	return path.join('.');
}

/**
 * Decides whether the record already has an unusable part of a list entry, such as a phone type. If so, returns the
 * part as the record has it; otherwise undefined. A write of the whole list can then keep an entry that the node would
 * not accept as new.
 *
 * @param path path to the part: list, position and name
 * @param read reads the record; undefined if there is no record
 */
async function valueInRecord(
	body: IDataObject,
	path: Path,
	{ fields }: BodySpecification,
	read: Existing['read'] | undefined,
): Promise<unknown> {
	const [list = '', position, part = ''] = path;
	const field = fields[list];
	if (!read || field?.entryKey === undefined || path.length !== 3) return undefined;
	const entry: unknown = get(body, [list, position!]);
	const isKey = part === field.entryKey;
	const present = listOf((await read())?.[list])?.find(
		(other): other is IDataObject =>
			isObject(other) &&
			isSameEntry(field, other, entry) &&
			(isKey ? !isBlank(other[part]) : isEqual(other[part], get(entry, part))),
	);
	return present?.[part];
}

/**
 * Advice on other forms of dates. The node cannot know whether the day or the month comes first in "1/2/2026". So the
 * advice shows an expression that parses dates.
 */
const OTHER_DATES =
	". The node also reads 31.12.2026, 31-12-2026 and 12/31/2026. An expression reads other forms: {{ DateTime.fromFormat('1/2/2026', 'd/M/yyyy') }}";

/** Returns the error for a value that no value of `replacementsFor` could correct. */
function unusable(
	item: InputItem,
	{ path, message }: ZodIssue,
	body: IDataObject,
	isDispensable: boolean,
): UnusableParameter {
	const [list = ''] = path;
	const label = item.labelAt(propertyPath(path), body);
	const otherDates =
		message === DATE_TIME_EXPECTED
			? dateAdvice(item.run.isTool, item.context.getTimezone(), OTHER_DATES)
			: '';
	return new UnusableParameter(
		`${label}: ${lowerFirst(message)}, got ${quoted(get(body, path))}`,
		`Correct the value, or remove the field if you do not need it${otherDates}`,
		label,
		isDispensable ? { canDoWithout: CONTACT_LISTS[list]?.one } : {},
	);
}

/**
 * Returns the values that the user may mean by a value of the wrong type, the likeliest first. Returns none for NaN,
 * Infinity, and numbers that may have lost digits.
 */
function replacementsFor(value: unknown, timezone: string, { message }: ZodIssue): unknown[] {
	const isDate = message.startsWith('expected a date');
	const isTruth = message === TRUTH_EXPECTED;
	if (typeof value === 'number') {
		if (!isExact(value)) return [];
		if (isDate) return [writtenDate(String(value)) ?? String(value)];
		return value === 0 || value === 1 ? [String(value), value === 1] : [String(value)];
	}
	if (typeof value === 'boolean') return [String(value)];
	if (typeof value !== 'string') {
		const isTime = value instanceof Object && !Array.isArray(value);
		const time = isTime ? inZone(value, timezone) : undefined;
		return time ? [time.toISO()] : [];
	}
	const text = value.trim();
	// `date` has a value only where the field expects a date. Among phone numbers, "1.2.26" would become 2026-02-01, which
	// passes as a phone number.
	const date = isDate ? writtenDate(text) : undefined;
	const others = [
		...[date, withZone(date ?? text, timezone)],
		...[numberOf(text), isTruth ? answerOf(text) : truthOf(text), parsedList(text)],
	];
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
