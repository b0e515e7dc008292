import type { IDataObject } from 'n8n-workflow';
import {
	isBlank,
	isObject,
	listOf,
	locatedIn,
	parsedList,
	trimmed,
	truthOf,
	withoutBlanks,
} from '../util/values';
import type { Field } from '../schema/field';
import { inZone, withZone } from '../util/dateTime';
import { UnusableParameter } from '../util/errors';
import { asMeant } from '../util/identifiers';
import { quoted } from '../util/quoted';
import type { Item } from './item';
import type { BodySpecification } from './specification';

/**
 * The fields that were given a value, in the form of the interface. Tables and agents give a list as
 * text.
 *
 * @param labelled what messages call a field
 */
export function givenFields(
	given: IDataObject,
	{ fields }: BodySpecification,
	labelled: (field: string) => string,
): IDataObject {
	const found: Record<string, unknown> = {};
	for (const [name, shown] of Object.entries(given)) {
		const field: Field | undefined = fields[name];
		const value =
			field === undefined ? withoutBlanks(shown) : givenIn(field, shown, () => labelled(name));
		if (value !== undefined) found[name] = value;
	}
	return found as IDataObject;
}

function givenIn(field: Field, value: unknown, label: () => string): unknown {
	const { kind, isList, entryKey } = field;
	if (entryKey !== undefined) return entriesIn(field, entryKey, value, label);
	if (kind === 'number' && typeof value === 'string') {
		return numberOf(value) ?? withoutBlanks(value);
	}
	const holdsParts = isList || kind === 'object' || kind === 'any';
	const given = withoutBlanks(holdsParts ? (parsedList(value) ?? value) : value);
	return kind === 'text' || kind === 'object' ? trimmed(given) : given;
}

/** Whether an item gives its record as columns of a table. */
export function isMapped({ context }: Pick<Item, 'context'>): boolean {
	return context.getNodeParameter('inputMode', 'fields') === 'columns';
}

/** Fields together with the parts of them that are given on their own, such as a first e-mail address. */
export function withParts(
	given: Readonly<Record<string, unknown>>,
	row: Readonly<Record<string, unknown>>,
	{ fields, columns }: BodySpecification,
): IDataObject {
	const whole: Record<string, unknown> = { ...given };
	const first = new Map<string, unknown[]>();
	for (const { name, field, isPart, part, entry } of columns) {
		const value = row[name];
		if (!isPart) continue;
		delete whole[name];
		if (isBlank(locatedIn(value))) continue;
		if (fields[field].isList) {
			const whole = part === undefined ? value : { ...entry, [part]: value };
			first.set(field, [...(first.get(field) ?? []), whole]);
		} else if (part !== undefined) {
			whole[field] = { ...(isObject(whole[field]) ? whole[field] : {}), [part]: value };
		}
	}
	for (const [field, entries] of first) {
		whole[field] = [...entries, ...(isBlank(whole[field]) ? [] : entriesGiven(whole[field]))];
	}
	return whole as IDataObject;
}

/**
 * The entries that hold something, each with all parts that the interface requires of one.
 *
 * @throws UnusableParameter where an entry is of another form, since it would be left out without a word
 */
function entriesIn(
	{ written }: Field,
	entryKey: string,
	value: unknown,
	label: () => string,
): unknown {
	const blank: IDataObject = {};
	for (const part of partNames(written)) blank[part] = null;
	const entries: IDataObject[] = [];
	for (const one of entriesGiven(value)) {
		const whole = isObject(one) ? one : { [entryKey]: one };
		const entry = trimmed(withoutBlanks(whole)) as IDataObject | undefined;
		if (entry === undefined) continue;
		if (Object.hasOwn(entry, entryKey)) {
			entries.push({ ...blank, ...asMeant(entry, entryKey) });
		} else if (!Object.keys(entry).every((part) => part in blank)) {
			throw new UnusableParameter(
				`${label()}: expected entries with "${entryKey}", got ${quoted(entry)}`,
				'Correct the expression, or give a list of texts',
				label(),
			);
		}
	}
	return entries.length === 0 ? undefined : entries;
}

/** Several values, from a list, a list as JSON text, text with commas, or one value. */
export function entriesGiven(value: unknown): unknown[] {
	return listOf(value) ?? listOf(parsedList(value)) ?? partsOf(value);
}

function partsOf(value: unknown): unknown[] {
	const parsed = parsedList(value);
	if (parsed !== undefined) return [parsed];
	return typeof value === 'string' ? value.split(',') : [value];
}

/** The names of the parts that an entry has. */
export function partNames(written: Field['written']): string[] {
	const { element } = (written ?? {}) as { element?: { shape?: object } };
	return Object.keys(element?.shape ?? {});
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
	if (typeof value === 'string') return replacementsForText(value.trim(), timezone);
	const time =
		value instanceof Object && !Array.isArray(value) ? inZone(value, timezone) : undefined;
	return time ? [time.toISO()] : [];
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

function replacementsForText(text: string, timezone: string): unknown[] {
	const replacements: unknown[] = [text];
	const zoned = withZone(text, timezone);
	if (zoned !== undefined) replacements.push(zoned);
	const number = numberOf(text);
	if (number !== undefined) replacements.push(number);
	const truth = truthOf(text);
	if (truth !== undefined) replacements.push(truth);
	const list = parsedList(text);
	if (list !== undefined) replacements.push(list);
	// One of several choices, as a table writes it: "Mobile".
	return /^[A-Z][A-Za-z]*$/.test(text) ? [...replacements, text.toLowerCase()] : replacements;
}

/** Whether a number is finite and has all the digits that it was written with. */
export function isExact(value: number): boolean {
	return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
