import { cloneDeep, get, groupBy, isEqual, lowerFirst, once, set, uniq, uniqBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { ZodIssue } from 'zod';
import { DATE_TIME_EXPECTED } from '../schema/formats';
import { isSameEntry } from '../schema/equality';
import { UnusableParameter } from '../util/errors';
import { CONTACT_LISTS, MOST_NAMED } from '../tables/cellRules';
import type { Existing } from './existing';
import type { InputItem } from './item';
import type { Mistakes } from '../util/mistakes';
import type { BodySpecification } from './specification';
import { cutList, isObject, listOf, ownOf, parsedList, truthOf } from '../values/json';
import { isExact, numberOf } from '../values/number';
import { isBlank, quoted } from '../values/text';
import { inZone, withZone, writtenDate } from '../values/time';

/** Path of a value in a body: names of fields and parts, and positions in lists. */
export type Path = Array<string | number>;

/**
 * Corrects the values of a body that have the wrong type. Spreadsheets and forms may give a number as text, or a text
 * as a number. In a body that the user wrote as JSON, a wrong type is an error.
 *
 * An e-mail address or phone number that the record has already passes unchanged, because the write would otherwise
 * remove it. If the user chose to continue on errors, any other unusable one is left out with a note, because the rest of
 * the row is still worth writing.
 *
 * @param options.existing the record to change, if any. Only an unusable entry of a list makes the node read it
 * @param options.mistakes receives a mistake for each other value, with the field and the expected form
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
	const read = existing && once(existing.read);
	const leftOut: Path[] = [];
	for (const { issue } of open) {
		const { path } = issue;
		const [list = ''] = path;
		const isDispensable = mayBeLeftOut(item, issue, body, specification);
		const isLeftOut = isDispensable && item.context.continueOnFail();
		// A list that the write adds to keeps its entries in any case, so an entry to leave out is worth no request.
		const mayBeHeld = !(isLeftOut && existing?.addsTo(String(list)));
		const held = mayBeHeld ? await heldValue(body, path, specification, read) : undefined;
		if (held !== undefined) {
			set(body, path, held);
		} else if (isLeftOut) {
			leftOut.push(path);
		} else mistakes.add(unusable(item, issue, body, isDispensable), String(list));
	}
	return mistakes.areNone ? withoutEntries(item, body, leftOut) : body;
}

/** Returns a body without the entries at these paths. A list without any other entry goes as well. Notes tell what goes. */
function withoutEntries(item: InputItem, body: IDataObject, paths: readonly Path[]): IDataObject {
	const whole = { ...body };
	for (const [list, own] of Object.entries(groupBy(paths, ([name]) => name))) {
		const { one, several } = CONTACT_LISTS[list]!;
		const texts = uniq(own.map((path) => quoted(get(body, path))));
		const are = texts.length === 1 ? `is no ${one} and is` : `are no ${several} and are`;
		item.notes.push(`${cutList(texts, MOST_NAMED)} ${are} left out`);
		item.leavesOut = true;
		const positions = new Set(own.map(([, position]) => position));
		const usable = (whole[list] as IDataObject[]).filter((_, index) => !positions.has(index));
		if (usable.length > 0) whole[list] = usable;
		else delete whole[list];
	}
	return whole;
}

/**
 * Returns whether the node may leave out a refused value if On Error continues: an unusable phone number, or an unusable
 * e-mail address of a row. It may not if the operation requires the list. It may not if the operation replaces the person, because the person would
 * lose the present entries.
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

function placeOf({ path }: ZodIssue): string {
	return path.join('.');
}

/**
 * Returns the value of an entry as the record has it; undefined if the record has no such entry. So a write of the whole
 * list does not change an entry that the node would refuse as a new one.
 *
 * @param path path to the value: list, position and part
 */
async function heldValue(
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
	const held = listOf((await read())?.[list])?.find(
		(other): other is IDataObject =>
			isObject(other) &&
			isSameEntry(field, other, entry) &&
			(isKey ? !isBlank(other[part]) : isEqual(other[part], get(entry, part))),
	);
	return held?.[part];
}

function unusable(
	item: InputItem,
	{ path, message }: ZodIssue,
	body: IDataObject,
	isDispensable: boolean,
): UnusableParameter {
	const [list = ''] = path;
	const label = item.labelAt(propertyPath(path), body);
	// The node cannot know which number of "1/2/2026" is the month, so the advice shows an expression that parses dates.
	const otherDates =
		message === DATE_TIME_EXPECTED
			? ". The node also reads 31.12.2026, 31-12-2026 and 12/31/2026. An expression reads other forms: {{ DateTime.fromFormat('1/2/2026', 'd/M/yyyy') }}"
			: '';
	return new UnusableParameter(
		`${label}: ${lowerFirst(message)}, got ${quoted(get(body, path))}`,
		`Correct the value, or remove the field if you do not need it${otherDates}`,
		label,
		isDispensable ? { canDoWithout: CONTACT_LISTS[list]?.one } : {},
	);
}

/**
 * Returns values of other types that may replace a value of the wrong type, the likeliest first. Returns none for NaN,
 * Infinity and numbers that have lost digits.
 */
function replacementsFor(value: unknown, timezone: string, { message }: ZodIssue): unknown[] {
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
	// Without this condition, "1.2.26" would become a phone number.
	const date = message.startsWith('expected a date') ? writtenDate(text) : undefined;
	const others = [
		...[date, withZone(date ?? text, timezone)],
		...[numberOf(text), truthOf(text), parsedList(text)],
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
