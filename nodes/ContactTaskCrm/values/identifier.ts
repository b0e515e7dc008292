import { cleanContact } from './text';
import { isMeantAsEmail } from './email';
import { isObject } from './json';
import { isSamePhone, phoneKey, phoneOf, phoneSpellings } from './phone';
import { isPlaceholder } from './placeholder';

/*
 * An identifier: an e-mail address, a phone number or a network ID. People are found by it, and entries of their lists
 * of addresses and numbers are the same if their identifiers are. One rule serves lookups, merging, filters and notes.
 */

/** Returns an identifier that is no phone number in a form to compare: clean, in lower case. */
export function normalized(value: string): string {
	return cleanContact(value).toLowerCase();
}

/** Returns a key that two identifiers share if `isSameIdentifier`. For other values of a phone number, it may be equal, too. */
export function identifierKey(value: string): string {
	const phone = phoneOf(value);
	return phone ? `tel:${phoneKey(phone)}` : normalized(value);
}

/** Returns whether two texts are the same e-mail address, the same phone number, or the same network ID. */
export function isSameIdentifier(one: string, other: string): boolean {
	const [phone, otherPhone] = [phoneOf(one), phoneOf(other)];
	if (phone && otherPhone) return isSamePhone(phone, otherPhone);
	return normalized(one) === normalized(other);
}

/** Returns the one of two equal identifiers that says more: a phone number with its country code. */
export function fullerIdentifier(one: string, other: string): string {
	const [phone, otherPhone] = [phoneOf(one), phoneOf(other)];
	if (!phone || !otherPhone || otherPhone.digits.length <= phone.digits.length) return one;
	return other;
}

/** Texts too short to identify a person: up to four digits, or the letter x. */
const TOO_SHORT = /^(?:x+|\d{1,4})$/i;

/** Returns whether a text may identify a person: it is no placeholder, and not too short. */
export function isTelling(text: string): boolean {
	return !isPlaceholder(text) && !TOO_SHORT.test(cleanContact(text));
}

/** Digits too few for a phone number with its area. They are the ID of a network, unless they are given as a number. */
const FEW_DIGITS = /^\d{1,7}$/;

/** Returns which field of a person holds an identifier. */
export function fieldFor(identifier: string): 'emailAddresses' | 'phoneNumbers' | 'networkId' {
	const text = cleanContact(identifier);
	if (isMeantAsEmail(text)) return 'emailAddresses';
	return phoneOf(text) && !FEW_DIGITS.test(text) ? 'phoneNumbers' : 'networkId';
}

/** Returns the spellings to look for: the value as given, then spellings that the service may have stored. */
export function spellingsOf(value: string): string[] {
	const text = cleanContact(value);
	const phone = phoneOf(text);
	return [...new Set([text, ...(phone ? phoneSpellings(phone) : [normalized(text)])])];
}

/** Returns a list entry with its e-mail address or phone number in the form of `cleanContact`. */
export function cleanEntry<T>(entry: T, entryKey: string): T {
	const value: unknown = isObject(entry) ? entry[entryKey] : undefined;
	return typeof value === 'string' ? { ...entry, [entryKey]: cleanContact(value) } : entry;
}
