import type { IDataObject } from 'n8n-workflow';
import { cleanContact, firstIn, isObject, listOf, textIn } from './values';

/*
 * How people are called and reached: names, e-mail addresses and phone numbers, as they are shown and compared.
 */

/** How an e-mail address or identifier is compared. */
export function normalized(value: string): string {
	return cleanContact(value).toLowerCase();
}

/**
 * One key for all spellings of a value: an e-mail address or identifier in lower case, or the last
 * digits of a phone number. Items whose keys are equal take turns, since they may be about one person.
 */
export function matchKey(value: string): string {
	const phone = phoneOf(value);
	return phone ? `tel:${phone.digits.slice(-LEAST_DIGITS)}` : normalized(value);
}

/** Whether a value can be looked for as an e-mail address: something on both sides of one "@". */
export function isAddress(value: string): boolean {
	return /^[^\s@]+@[^\s@]+$/.test(cleanContact(value));
}

/** An entry of a list of e-mail addresses or phone numbers, with what it holds as it is meant. */
export function asMeant<T>(entry: T, entryKey: string): T {
	const value: unknown = isObject(entry) ? entry[entryKey] : undefined;
	return typeof value === 'string' ? { ...entry, [entryKey]: cleanContact(value) } : entry;
}

/** With fewer digits, an identifier could be taken for a phone number. */
export const LEAST_DIGITS = 8;
/** Most digits of a country code. */
const LONGEST_COUNTRY_CODE = 3;
/** Where the country code is missing, that of the country that the interface takes for an address, NL. */
const HOME_COUNTRY_CODE = '31';

/** A phone number, apart from the prefix that depends on where it is dialled from. */
export interface Phone {
	/** Whether a "+" or "00" stood before it, a single "0", or nothing. */
	prefix: 'international' | 'national' | 'none';
	digits: string;
}

/** Whether a text is likely meant as a phone number, though it holds something else besides: "06 12345678 (mobile)". */
export function isNumberWithWords(value: string): boolean {
	const digits = value.replace(/\D/g, '').length;
	return /[\s()]/.test(value) && digits >= LEAST_DIGITS && !value.includes('@') && !phoneOf(value);
}

/** What a text holds as a phone number; undefined where it holds none. */
export function phoneOf(value: string): Phone | undefined {
	const text = cleanContact(value);
	if (!/^[+\d\s().\-/]+$/.test(text)) return undefined;
	// "+31 (0)20" is "+31 20": the zero in brackets is dialled within the country alone.
	const written = text.replace(/^(\s*(?:\+|00).*)\(0\)/, '$1').replace(/[^+\d]/g, '');
	const [, mark, digits] = /^(\+|00|0|)(\d+)$/.exec(written) ?? [];
	if (digits === undefined || digits.length < LEAST_DIGITS) return undefined;
	const prefix = mark === '' ? 'none' : mark === '0' ? 'national' : 'international';
	return { prefix, digits };
}

/**
 * Whether two phone numbers are the same, however they are written. Where one lacks the country code
 * the rest must be equal in full: the last digits alone are the same in many towns and countries.
 */
export function isSamePhone(one: Phone | undefined, other: Phone): boolean {
	if (!one || one.prefix === other.prefix) return one?.digits === other.digits;
	const [short, long] = [one, other].sort((a, b) => a.digits.length - b.digits.length);
	const countryCode = long.digits.length - short.digits.length;
	return (
		long.digits.endsWith(short.digits) &&
		countryCode <= LONGEST_COUNTRY_CODE &&
		(countryCode === 0 || short.prefix !== 'international')
	);
}

/**
 * How a phone number may be written where a service compares texts exactly: as E.164, and in its national
 * form. What is found is held against `isSamePhone` all the same, so a spelling too many does no harm.
 */
export function phoneSpellings({ prefix, digits }: Phone): string[] {
	if (prefix === 'national') return [`+${HOME_COUNTRY_CODE}${digits}`, `0${digits}`];
	const isHome = digits.startsWith(HOME_COUNTRY_CODE);
	const national = isHome ? [`0${digits.slice(HOME_COUNTRY_CODE.length)}`] : [];
	return prefix === 'none'
		? [`+${digits}`, ...national, `0${digits}`]
		: [`+${digits}`, ...national];
}

/** The name of a person as people read it; empty where none is known. */
export function personName({ givenName, additionalName, familyName }: IDataObject): string {
	const parts: string[] = [];
	for (const part of [givenName, additionalName, familyName]) {
		if (typeof part === 'string' && part.trim() !== '') parts.push(part.trim());
	}
	return parts.join(' ');
}

/** The name or title of a record of any kind, in whatever field it comes; empty where none is known. */
export function nameIn(record: Readonly<Record<string, unknown>>): string {
	const { name, fullName, title, email } = record;
	const found = personName(record as IDataObject) || (name ?? fullName ?? title ?? email);
	return textIn(found);
}

/** The first e-mail address of a person; empty where none is known. */
export function emailIn(person: Readonly<Record<string, unknown>>): string {
	return textIn(firstIn(person.emailAddresses as IDataObject[string], 'email'));
}

/** The e-mail addresses of a person. */
export function emailsOf(person: IDataObject): string[] {
	return partTexts(person.emailAddresses, 'email');
}

/** What a part of each of several entries holds, where that is text. */
export function partTexts(entries: unknown, name: string): string[] {
	return (listOf(entries) ?? []).flatMap((entry) =>
		isObject(entry) && typeof entry[name] === 'string' ? [entry[name]] : [],
	);
}

/** All by which a person may be looked up, as it is written. */
export function valuesOf(person: IDataObject): string[] {
	return [
		...emailsOf(person),
		...partTexts(person.phoneNumbers, 'phoneNumber'),
		...(typeof person.networkId === 'string' ? [person.networkId] : []),
	];
}

/** The same as `matchKey` has it. */
export function keysOf(person: IDataObject): string[] {
	return [...new Set(valuesOf(person).map(matchKey))];
}
