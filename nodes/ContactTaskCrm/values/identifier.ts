import { cleanContact } from './text';
import { isMeantAsEmail } from './email';
import { isObject } from './json';
import { isSamePhone, phoneKey, phoneOf, phoneSpellings } from './phone';
import { isPlaceholder } from './placeholder';

/*
 * Identifiers of people: e-mail addresses, phone numbers, and network IDs such as a LinkedIn profile. Lookups find
 * people by identifiers. Two entries of a person's list are the same if their identifiers are the same. Lookups,
 * merging, filters and notes all use the rules of this file.
 */

/**
 * Returns an e-mail address or network ID in a form for comparison: clean and in lower case. For a phone number,
 * `phoneKey` returns such a form.
 */
export function normalized(value: string): string {
	return cleanContact(value).toLowerCase();
}

/**
 * Returns a key that equal identifiers share, to find them fast. Two different phone numbers may share a key, so
 * callers also compare them by `isSameIdentifier`.
 */
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

/** Returns the fuller of two equal identifiers, such as the phone number with its country code. */
export function fullerIdentifier(one: string, other: string): string {
	const [phone, otherPhone] = [phoneOf(one), phoneOf(other)];
	if (!phone || !otherPhone || otherPhone.digits.length <= phone.digits.length) return one;
	return other;
}

/** Matches a text that is too short to identify a person. It has up to four digits, or only letters x: "xxx". */
const TOO_SHORT = /^(?:x+|\d{1,4})$/i;

/** Returns whether a text may identify a person. Placeholders such as "n/a" and very short texts do not. */
export function mayIdentify(text: string): boolean {
	return !isPlaceholder(text) && !TOO_SHORT.test(cleanContact(text));
}

/** URL of a company or school on LinkedIn or Xing. Everybody who works there may give this URL. */
const COMPANY_PAGE =
	/^(?:https?:\/\/)?(?:[\w-]+\.)?(?:linkedin|xing)\.com\/(?:company|companies|pages|school|showcase)\/\S+$/i;
/** Hash of a visitor's network. Web forms write it under "Network ID", in ten hexadecimal digits. */
const HASH = /^(?=.*[a-f])(?=.*\d)[\da-f]{10}$/;

/** Returns whether a network ID identifies no person. Such an ID is the page of a company, or a hash. */
export function isOfNoPerson(networkId: string): boolean {
	return COMPANY_PAGE.test(cleanContact(networkId)) || HASH.test(networkId.trim());
}

/** Digits that are too few for a phone number with its area code. The node takes such a text for a network ID. */
const FEW_DIGITS = /^\d{1,7}$/;

/** Returns the name of the field for an identifier of a person, such as `phoneNumbers` for a phone number. */
export function fieldFor(identifier: string): 'emailAddresses' | 'phoneNumbers' | 'networkId' {
	const text = cleanContact(identifier);
	if (isMeantAsEmail(text)) return 'emailAddresses';
	return phoneOf(text) && !FEW_DIGITS.test(text) ? 'phoneNumbers' : 'networkId';
}

/** Returns the spellings of an identifier for a lookup: the given one, and those that the service may have stored. */
export function spellingsOf(value: string): string[] {
	const text = cleanContact(value);
	const phone = phoneOf(text);
	return [...new Set([text, ...(phone ? phoneSpellings(phone) : [normalized(text)])])];
}

/**
 * Returns an entry of a list with a clean e-mail address or phone number. `entryKey` names the part that holds it, such
 * as `email`.
 */
export function cleanEntry<T>(entry: T, entryKey: string): T {
	const value: unknown = isObject(entry) ? entry[entryKey] : undefined;
	return typeof value === 'string' ? { ...entry, [entryKey]: cleanContact(value) } : entry;
}
