import { isEmpty, isEqual as isDeepEqual, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from './field';
import type { RecordContract } from './record';
import { isSameCountry } from '../values/country';
import { fullerIdentifier, identifierKey, isSameIdentifier } from '../values/identifier';
import { isObject, listOf, partsWhere, truthOf } from '../values/json';
import { grouped, EqualityIndex } from '../values/list';
import { numberOf } from '../values/number';
import {
	comparableId,
	idOf,
	iriOf,
	isSameReference,
	ownIri,
	referenceKey,
	valueOf,
} from '../values/reference';
import { isBlank } from '../values/text';
import { inUtc, isSameTime } from '../values/time';

/*
 * Decides when two values of a field are equal. Each file of `values/` has the rules for one kind of value. Merging,
 * previews, the notes of writes and the trigger use the functions of this file.
 */

type Parts = Record<string, unknown>;

/** Returns whether a record already shows the given value. Only for a field that is neither a list nor an object. */
export function isSameValue(field: Field | undefined, shown: unknown, given: unknown): boolean {
	// Nobody knows the present value of a field that the service never shows. So the given value counts as different.
	if (!field?.shown) return false;
	const before = shown ?? null;
	if (isSamePlain(before, given)) return true;
	if (before === null || given === null) return false;
	if (field.kind === 'dateTime') return isSameTime(before, given);
	return field.refersTo !== undefined && isSameReference(before, given, field.refersTo);
}

/**
 * Returns whether a shown value equals a given text, number or truth value. Some installations of the CRM show a number
 * or truth value as text, or a text as a number.
 */
function isSamePlain(shown: unknown, given: unknown): boolean {
	if (isDeepEqual(shown, given)) return true;
	// Two programs may write "Zoë" with different Unicode characters.
	if (typeof shown === 'string' && typeof given === 'string')
		return shown.normalize() === given.normalize();
	if (typeof given === 'boolean') return shown !== null && truthOf(shown) === given;
	if (typeof given === 'number') return typeof shown === 'string' && numberOf(shown) === given;
	return typeof shown === 'number' && typeof given === 'string' && String(shown) === given;
}

/**
 * Returns those parts of a given object that differ from the shown object; undefined if no part differs. A write sends
 * only these parts, because the service keeps the other parts as they are.
 */
export function differingParts(shown: unknown, given: Parts): Parts | undefined {
	const before = isObject(shown) ? shown : {};
	const parts = partsWhere(given, (value, part) => {
		const shownPart = before[part] ?? null;
		const isSame = part === 'country' && isSameCountry(shownPart, value);
		return !isSame && !isSamePlain(shownPart, value) && !isSameTime(shownPart, value);
	});
	return isEmpty(parts) ? undefined : parts;
}

/** Returns whether two entries of a list have the same reference, e-mail address or phone number. */
export function isSameEntry(
	{ refersTo, entryKey = '' }: Field,
	one: unknown,
	other: unknown,
): boolean {
	if (refersTo !== undefined) return isSameReference(one, other, refersTo);
	if (!isObject(one) || !isObject(other)) return one === other;
	return isSameIdentifier(textOf(one, entryKey), textOf(other, entryKey));
}

/** Returns whether the entry `before` has all parts that the entry `after` gives, with equal values. */
function hasParts(field: Field, before: unknown, after: unknown): boolean {
	if (before === after) return true;
	if (!isSameEntry(field, before, after)) return false;
	if (!isObject(after) || field.refersTo !== undefined) return true;
	const given = partsWhere(after, (value, part) => part !== field.entryKey && value !== null);
	return !differingParts(before, given);
}

/** Returns a key that equal entries of a list share, to find them fast. */
export function entryKeyOf({ refersTo, entryKey = '' }: Field, entry: unknown): string {
	if (refersTo !== undefined) return referenceKey(entry, refersTo) ?? JSON.stringify(entry);
	return isObject(entry) ? identifierKey(textOf(entry, entryKey)) : String(entry);
}

function textOf(entry: Parts, part: string): string {
	return String(entry[part] ?? '');
}

/**
 * Returns whether two lists have the same length and equal entries. An entry of `before` may have more parts than the
 * equal entry of `after`. The last line compares in both directions, because one entry may equal two entries of the
 * other list.
 */
export function isSameList(field: Field, before: unknown[], after: unknown[]): boolean {
	if (before.length !== after.length) return false;
	const keyOf = (entry: unknown) => entryKeyOf(field, entry);
	const shown = new EqualityIndex(keyOf, (one, other) => hasParts(field, one, other), before);
	const given = new EqualityIndex(keyOf, (one, other) => hasParts(field, other, one), after);
	return after.every((entry) => shown.has(entry)) && before.every((entry) => given.has(entry));
}

/** Adds `entries` to a list. Skips an entry that the list already has, even in another spelling. */
export function withEntries(field: Field, list: unknown[], entries: unknown[]): unknown[] {
	const keyOf = (entry: unknown) => entryKeyOf(field, entry);
	const known = new EqualityIndex(keyOf, (one, other) => isSameEntry(field, one, other), list);
	return [...list, ...entries.filter((entry) => known.addNew(entry))];
}

/**
 * Merges equal entries of a list into the first of these entries. From the others, the first entry takes only the parts
 * that it lacks.
 */
function withoutDoubles(field: Field, entries: readonly unknown[]): unknown[] {
	const groups = grouped(entries, {
		keyOf: (entry) => entryKeyOf(field, entry),
		isSame: (one, other) => isSameEntry(field, one, other),
		fuller: (one, other) => fullerEntry(field, one, other),
	});
	return groups.map((group) => group.reduce(filledIn));
}

/** Returns the fuller of two equal entries, such as the phone number with its country code. */
function fullerEntry({ entryKey = '' }: Field, one: unknown, other: unknown): unknown {
	if (!isObject(one) || !isObject(other)) return one;
	const text = textOf(one, entryKey);
	return fullerIdentifier(text, textOf(other, entryKey)) === text ? one : other;
}

/** Adds to an entry those parts of an equal entry (`double`) that the entry lacks. */
function filledIn(entry: unknown, double: unknown): unknown {
	if (!isObject(entry) || !isObject(double)) return entry;
	return { ...entry, ...partsWhere(double, (_, part) => (entry[part] ?? null) === null) };
}

/**
 * Returns a key for an entry of a list, for exact comparison. Two entries have the same key only if all their parts
 * have the same spelling. A missing part equals null. For references, only the ID counts.
 */
export function exactKeyOf({ parts, refersTo }: Field, entry: unknown): string {
	if (refersTo !== undefined) return referenceKey(entry, refersTo) ?? JSON.stringify(entry);
	const written = parts && isObject(entry) ? parts.map((part) => entry[part] ?? null) : entry;
	return JSON.stringify(written) ?? 'undefined';
}

/**
 * Returns the values of a record in a form for comparison with another answer about the record. Leaves out blanks,
 * because the service may write an absent value as null, "", `[]` or `{}`, or not at all. Leaves out `@context`,
 * `@type`, and the `@id` that API Platform makes up for an embedded object. References become sorted IRIs, and field
 * names are sorted. Times with a zone become UTC. URLs become empty text, because the service may sign the URL of a
 * file anew for each answer.
 */
export function normalForm(
	record: IDataObject,
	fields: RecordContract['fields'],
): Record<string, unknown> {
	return partsOf(record, (name, value) => {
		const collection = fields[name]?.refersTo;
		return collection === undefined ? normalValue(value) : sortedReferences(value, collection);
	});
}

function partsOf(
	whole: object,
	normal: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(whole)
			.filter(([name]) => !name.startsWith('@'))
			.map(([name, value]) => [name, normal(name, value)] as const)
			.filter(([, value]) => value !== undefined)
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);
}

/** Returns a value of a record in the form of `normalForm`; undefined for a blank. */
function normalValue(value: unknown): unknown {
	if (isBlank(value)) return undefined;
	if (typeof value === 'string') return /^https?:/i.test(value) ? '' : inUtc(value);
	const list = listOf(value);
	if (list) {
		const entries = list.map(normalValue).filter((entry) => entry !== undefined);
		return entries.length > 0 ? entries : undefined;
	}
	if (!isObject(value)) return value;
	const iri = ownIri(value);
	const parts = partsOf(value, (_, part) => normalValue(part));
	if (iri !== undefined) return { '@id': iri, ...parts };
	return Object.keys(parts).length > 0 ? parts : undefined;
}

/**
 * Returns the references of a field in one form, and sorted, because their order has no meaning. Each is an IRI if
 * possible, otherwise an ID. A value that is no reference becomes JSON.
 */
function sortedReferences(value: unknown, collection: string): unknown {
	if (isBlank(value)) return undefined;
	const found = [listOf(value) ?? value].flat().map((entry) => {
		const reference = valueOf(iriOf(entry, collection)) ?? valueOf(idOf(entry, collection));
		return reference === undefined ? JSON.stringify(normalValue(entry)) : comparableId(reference);
	});
	return found.length > 0 ? found.sort() : undefined;
}

/** Returns a body in which each list has each reference, e-mail address and phone number only once. */
export function withEachOnce({ fields }: Pick<RecordContract, 'fields'>, body: IDataObject) {
	return mapValues(body, (value, name) => {
		const field: Field | undefined = fields[name];
		if (!field?.isList || !Array.isArray(value)) return value;
		const isComparable = field.refersTo !== undefined || field.entryKey !== undefined;
		return isComparable ? withoutDoubles(field, value) : value;
	}) as IDataObject;
}
