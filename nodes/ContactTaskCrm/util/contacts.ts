import { uniqWith } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { isPhoneNumber } from '../schema/formats';
import { cleanContact, firstIn, isBlank, isObject, listOf, textIn } from './values';

/** Normalizes an e-mail address or identifier for comparison: cleaned, in lower case. */
export function normalized(value: string): string {
	return cleanContact(value).toLowerCase();
}

/**
 * Returns one key for all spellings of a value: an e-mail address or identifier in lower case, or the last digits of a
 * phone number. Items with the same key take turns, because they may be about one person.
 */
export function matchKey(value: string): string {
	const phone = phoneOf(value);
	return phone ? `tel:${phone.digits.slice(-PHONE_DIGITS)}` : normalized(value);
}

/** Returns whether a value can be an e-mail address: it has text on both sides of one "@". */
export function isAddress(value: string): boolean {
	return /^[^\s@]+@[^\s@]+$/.test(cleanContact(value));
}

/** Separators of contacts in a cell. A slash or new line separates only if another contact seems to follow. */
const BETWEEN_CONTACTS = /[,;]|:::|(?:\s\/\s|\n)\s*(?=[+(0]|[^\s@]+@)/;

/** Returns each e-mail address or phone number of a text; the whole text if a part of it is neither. */
export function contactsIn(text: string): string[] {
	const parts = text.split(BETWEEN_CONTACTS).filter((part) => !isBlank(part));
	const isContact = (part: string) => isAddress(part) || isPhoneNumber(cleanContact(part));
	return parts.length > 0 && parts.every(isContact) ? uniqWith(parts, isSameContact) : [text];
}

/** Returns whether two texts are the same e-mail address or the same phone number. */
function isSameContact(one: string, other: string): boolean {
	const [phone, otherPhone] = [phoneOf(one), phoneOf(other)];
	const areSame = otherPhone !== undefined && isSamePhone(phone, otherPhone);
	return areSame || normalized(one) === normalized(other);
}

/** Returns a list entry with its e-mail address or phone number in the form of `cleanContact`. */
export function asMeant<T>(entry: T, entryKey: string): T {
	const value: unknown = isObject(entry) ? entry[entryKey] : undefined;
	return typeof value === 'string' ? { ...entry, [entryKey]: cleanContact(value) } : entry;
}

/**
 * Minimum number of digits to compare text as a phone number. Text with fewer digits counts as an identifier. The last
 * eight digits of a number are the same with a country code and without one.
 */
export const PHONE_DIGITS = 8;
/** Country code for a number without one: NL, like the default for addresses in the interface. */
const HOME_COUNTRY_CODE = '31';

/** A phone number, split into its prefix and the other digits. */
interface Phone {
	/** Prefix before the digits: "+" or "00" for international, a single "0" for national. */
	prefix: 'international' | 'national' | 'none';
	digits: string;
}

/** Returns whether a text seems to be a phone number with extra words: "06 12345678 (mobile)". */
export function isNumberWithWords(value: string): boolean {
	const digits = value.replace(/\D/g, '').length;
	return /[\s()]/.test(value) && digits >= PHONE_DIGITS && !value.includes('@') && !phoneOf(value);
}

/** Reads a text as a phone number. Returns undefined if it is none. */
export function phoneOf(value: string): Phone | undefined {
	const text = cleanContact(value);
	if (!/^[+\d\s().\-/]+$/.test(text)) return undefined;
	// "+31 (0)20" means "+31 20", because callers dial the zero in brackets only within the country.
	const written = text.replace(/^(\s*(?:\+|00).*)\(0\)/, '$1').replace(/[^+\d]/g, '');
	const [, mark, digits] = /^(\+|00|0|)(\d+)$/.exec(written) ?? [];
	if (digits === undefined || digits.length < PHONE_DIGITS) return undefined;
	const prefix = mark === '' ? 'none' : mark === '0' ? 'national' : 'international';
	return { prefix, digits };
}

/**
 * Returns whether two phone numbers are the same. If one number lacks the country code, the longer number must end with
 * all digits of the shorter. A match of fewer digits proves nothing, because they recur in many towns and countries.
 */
export function isSamePhone(one: Phone | undefined, other: Phone): boolean {
	if (!one || one.prefix === other.prefix) return one?.digits === other.digits;
	const [short, long] = one.digits.length > other.digits.length ? [other, one] : [one, other];
	const countryDigits = long.digits.length - short.digits.length;
	return (
		long.digits.endsWith(short.digits) &&
		countryDigits <= 3 &&
		(countryDigits === 0 || short.prefix !== 'international')
	);
}

/**
 * Returns spellings of a phone number for a service that compares text exactly: E.164 and the national form. The node
 * checks each answer with `isSamePhone`, so an extra spelling does no harm.
 */
export function phoneSpellings({ prefix, digits }: Phone): string[] {
	if (prefix === 'national') return [`+${HOME_COUNTRY_CODE}${digits}`, `0${digits}`];
	const isHome = digits.startsWith(HOME_COUNTRY_CODE);
	const national = isHome ? [`0${digits.slice(HOME_COUNTRY_CODE.length)}`] : [];
	return [`+${digits}`, ...national, ...(prefix === 'none' ? [`0${digits}`] : [])];
}

/** Returns the full name of a person; empty if none is known. */
export function personName({ givenName, additionalName, familyName }: IDataObject): string {
	const parts = [givenName, additionalName, familyName];
	const names = parts.map((part) => (typeof part === 'string' ? part.trim() : ''));
	return names.filter(Boolean).join(' ');
}

/** Returns the name or title of any record, from any of its fields; empty if none is known. */
export function nameIn(record: Readonly<Record<string, unknown>>): string {
	const { name, fullName, title, email } = record;
	const found = personName(record as IDataObject) || (name ?? fullName ?? title ?? email);
	return textIn(found);
}

/** Returns the first e-mail address of a person; empty if none is known. */
export function emailIn(person: Readonly<Record<string, unknown>>): string {
	return textIn(firstIn(person.emailAddresses as IDataObject[string], 'email'));
}

export function emailsOf(person: IDataObject): string[] {
	return partTexts(person.emailAddresses, 'email');
}

/** Returns one field of each list entry. Leaves out entries without text in the field. */
export function partTexts(entries: unknown, name: string): string[] {
	return (listOf(entries) ?? []).flatMap((entry) =>
		isObject(entry) && typeof entry[name] === 'string' ? [entry[name]] : [],
	);
}

/** Returns all values that may find a person in a lookup, as the record spells them. */
export function valuesOf(person: IDataObject): string[] {
	return [
		...emailsOf(person),
		...partTexts(person.phoneNumbers, 'phoneNumber'),
		...(typeof person.networkId === 'string' ? [person.networkId] : []),
	];
}

/** Returns the `matchKey` of each value in `valuesOf`, without duplicates. */
export function keysOf(person: IDataObject): string[] {
	return [...new Set(valuesOf(person).map(matchKey))];
}
