import { DateTime } from 'luxon';

/**
 * Possible meanings of a given value. Quotes are rules of the interface, the design or the README, as listed in
 * ../README.md. If these documents leave a case open, the node may take the value in its obvious sense or refuse it.
 */
export type Reading =
	/** Not given (design 3, "Blanks"): the field stays as it is. */
	| { is: 'blank' }
	/** An impossible value: the item is an error, and nothing of it is written. */
	| { is: 'refused' }
	/** The field gets this value. */
	| { is: 'value'; fits: Fits }
	/** The field gets this value, or the item is an error. */
	| { is: 'open'; fits: Fits };

export type Fits = (after: unknown) => boolean;

const BLANK: Reading = { is: 'blank' };
const REFUSED: Reading = { is: 'refused' };
const value = (fits: Fits): Reading => ({ is: 'value', fits });
const open = (fits: Fits): Reading => ({ is: 'open', fits });
const oneOf =
	(...values: unknown[]): Fits =>
	(after) =>
		values.includes(after);

const isObject = (given: unknown): given is Record<string, unknown> =>
	typeof given === 'object' && given !== null && !Array.isArray(given);

/** "`null`, undefined, empty text and white space mean 'not given'"; so do lists of blanks and empty objects. */
export const isBlank = (given: unknown): boolean =>
	given === null ||
	given === undefined ||
	(typeof given === 'string' && given.trim() === '') ||
	isOddBlank(given);

/** Blanks that the documents do not mention. They count as not given, or as an error. */
export const isOddBlank = (given: unknown): boolean =>
	Array.isArray(given) ? given.every(isBlank) : isObject(given) && Object.keys(given).length === 0;

/** "Non-finite numbers, numbers beyond 2^53 and objects where text belongs are refused." */
const isImpossible = (given: unknown): boolean =>
	isObject(given) ||
	(typeof given === 'number' && !(Math.abs(given) <= Number.MAX_SAFE_INTEGER)) ||
	(Array.isArray(given) && given.some(isImpossible));

/** Applies the rules for every kind of field. Returns undefined if they decide nothing. */
function readAny(given: unknown): Reading | undefined {
	if (isBlank(given)) return BLANK;
	return isImpossible(given) ? REFUSED : undefined;
}

export function readText(given: unknown): Reading {
	const decided = readAny(given);
	if (decided) return decided;
	if (typeof given === 'string') return value(oneOf(given.trim()));
	if (Array.isArray(given)) return open(oneOf(String(given), given.join(', ')));
	return open(oneOf(String(given)));
}

/** Reads an integer (interface 2.3). The service refuses fractions, so they are always errors. */
export function readInteger(given: unknown): Reading {
	const decided = readAny(given);
	if (decided) return decided;
	const single = Array.isArray(given) && given.length === 1 ? (given[0] as unknown) : given;
	if (typeof single === 'number' && Number.isInteger(single)) {
		return single === given ? value(oneOf(single)) : open(oneOf(single));
	}
	const isNumber = typeof single === 'string' && /^\s*[-+]?\d+(\.0*)?(e\d+)?\s*$/i.test(single);
	return isNumber ? open(oneOf(Number(single))) : REFUSED;
}

const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** "`TRUE`, `False`, 0 and 1 are booleans." */
export function readBoolean(given: unknown): Reading {
	const decided = readAny(given);
	if (decided) return decided;
	if (typeof given === 'boolean') return value(oneOf(given));
	const read = BOOLEANS[String(given).trim().toLowerCase()];
	if (read !== undefined && !Array.isArray(given)) return value(oneOf(read));
	return Array.isArray(given) ? open(oneOf(true, false)) : REFUSED;
}

const ZONE = 'Europe/Amsterdam';

/** "Dates without a zone … are meant in the workflow's time zone"; digits alone are refused. */
export function readDate(given: unknown): Reading {
	const decided = readAny(given);
	if (decided) return decided;
	if (typeof given !== 'string' || /^\s*\d+\s*$/.test(given)) return REFUSED;
	const read = DateTime.fromISO(given.trim(), { zone: ZONE });
	const isMeant: Fits = (after) =>
		typeof after === 'string' && Date.parse(after) === Math.floor(read.toMillis() / 1000) * 1000;
	if (read.isValid) return value(isMeant);
	const isSomeDate: Fits = (after) => typeof after === 'string' && !Number.isNaN(Date.parse(after));
	return /\d{4}-(1[3-9]|[2-9]\d)/.test(given) ? REFUSED : open(isSomeDate);
}

/** Ways to name records. */
export interface Referable {
	/** IRIs of the records in the store. */
	iris: string[];
	/** Titles or names, because a row may name a record by them. */
	titles: Record<string, string>;
}

/** Possible text before the path of an IRI: the path of a base URL, or an address. */
const PREFIX = /^(https?:\/\/[^/]+)?(\/[\w.-]+)*$/;

/** Returns the IRI of a reference: "an ID, an IRI … or a pick from the list will do". */
function readOne(given: unknown, { iris, titles }: Referable) {
	const text = isObject(given) ? (given['@id'] ?? given.id ?? given.uuid) : given;
	if (typeof text !== 'string') return undefined;
	const name = text.trim();
	const found = iris.find((iri) => iri === name || iri.split('/').at(-1) === name);
	if (found) return { iri: found, isPlain: !isObject(given) };
	const prefixed = iris.find(
		(iri) => name.endsWith(iri) && PREFIX.test(name.slice(0, -iri.length)),
	);
	const titled = iris.find((iri) => titles[iri] === name);
	const iri = prefixed ?? titled;
	return iri ? { iri, isPlain: false } : undefined;
}

export function readReference(given: unknown, referable: Referable): Reading {
	if (isBlank(given)) return BLANK;
	const single = Array.isArray(given) && given.length === 1 ? (given[0] as unknown) : given;
	const read = readOne(single, referable);
	if (!read) return REFUSED;
	const isPlain = read.isPlain && !Array.isArray(given);
	return isPlain ? value(oneOf(read.iri)) : open(oneOf(read.iri));
}

/** The IRIs of a list, and whether the documents mention its form. */
export type ListReading =
	| Exclude<Reading, { fits: Fits }>
	| { is: 'value' | 'open'; iris: string[] };

/** "Lists from data fit wherever a list is asked for: arrays, comma lists." */
export function readReferenceList(given: unknown, referable: Referable): ListReading {
	if (isBlank(given)) return { is: 'blank' };
	const parts: unknown[] =
		typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : [given];
	const read = parts.filter((part) => !isBlank(part)).map((part) => readOne(part, referable));
	const named = read.filter((one) => one !== undefined);
	if (named.length < read.length) return { is: 'refused' };
	const isPlain = named.every((one) => one.isPlain) && read.length === parts.length;
	const isList = Array.isArray(given) || typeof given === 'string';
	return { is: isPlain && isList ? 'value' : 'open', iris: named.map(({ iri }) => iri) };
}

const sorted = (values: unknown) => JSON.stringify([...new Set(values as string[])].sort());

/** Returns a reading by which the entries replace the whole list, in any order. */
export function asReplaced(reading: ListReading): Reading {
	if (!('iris' in reading)) return reading;
	return { is: reading.is, fits: (after) => sorted(after) === sorted(reading.iris) };
}

/** "One normalisation of e-mail addresses and phone numbers": without capitals, or separators in a number. */
export function normalForm(text: string): string {
	const trimmed = text.trim().toLowerCase();
	if (trimmed.includes('@')) return trimmed;
	return /^\+?[\d\s().-]+$/.test(trimmed) ? trimmed.replace(/[\s().-]/g, '') : trimmed;
}

/** Returns the form to compare entries by, without a leading + or 00, because spreadsheets drop the +. */
export const entryForm = (text: string): string => normalForm(text).replace(/^(\+|00)(?=\d)/, '');

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Reads the addresses or numbers of a list, without blank entries. */
export function readContacts(
	given: unknown[],
	kind: 'email' | 'phone',
): { is: 'blank' | 'refused' } | { is: 'value' | 'open'; contacts: string[] } {
	const filled = given.filter((entry) => !isBlank(entry));
	if (filled.length === 0) return { is: 'blank' };
	if (filled.some(isImpossible)) return { is: 'refused' };
	const texts = filled.map((entry) => String(entry).trim());
	if (kind === 'email' && texts.some((text) => !EMAIL.test(text))) return { is: 'refused' };
	const isPlain = filled.every((entry) => typeof entry === 'string');
	return { is: isPlain ? 'value' : 'open', contacts: texts };
}
