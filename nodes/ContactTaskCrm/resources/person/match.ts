import type { IDataObject } from 'n8n-workflow';

export type MatchBy = 'email' | 'identifier';

/** The query parameters that look for a person (interface, section 4.1). */
export const MATCH_QUERY: Record<MatchBy, string> = {
	email: 'emailAddresses.email',
	identifier: 'identifiers',
};

/** Fewer digits are no phone number that could be told from an identifier. */
const LEAST_DIGITS = 8;
/** Most digits of a country code. */
const LONGEST_COUNTRY_CODE = 3;

/**
 * Whether a person is the one looked for: the filter of the service may find parts of a value, or
 * be dropped altogether, and a guess would overwrite somebody else.
 *
 * @param value e-mail address, phone number or identifier on a professional network
 */
export function isMatch(person: IDataObject, matchBy: MatchBy, value: string): boolean {
	const wanted = normalized(value);
	if (valuesOf(person.emailAddresses, 'email').some((email) => normalized(email) === wanted)) {
		return true;
	}
	if (matchBy === 'email') return false;
	if (normalized(String(person.networkId ?? '')) === wanted) return true;
	const number = phoneOf(value);
	return (
		number !== undefined &&
		valuesOf(person.phoneNumbers, 'phoneNumber').some((phone) =>
			isSamePhone(phoneOf(phone), number),
		)
	);
}

/** Whether an e-mail address of a person holds the value: a filter may look for parts. */
export function carriesPart(person: IDataObject, value: string): boolean {
	const wanted = normalized(value);
	return valuesOf(person.emailAddresses, 'email').some((email) =>
		normalized(email).includes(wanted),
	);
}

/** A new person, with what they must carry to be found by the same value the next time. */
export function withMatch(person: IDataObject, matchBy: MatchBy, value: string): IDataObject {
	if (isMatch(person, matchBy, value)) return person;
	const carried = Object.entries(matchFields(matchBy, value)).map(([name, found]) => {
		const given = person[name];
		if (Array.isArray(given) && Array.isArray(found)) return [name, [...given, ...found]];
		return [name, given ?? found];
	});
	return { ...person, ...Object.fromEntries(carried) };
}

function matchFields(matchBy: MatchBy, value: string): IDataObject {
	const text = value.trim();
	if (matchBy === 'email' || text.includes('@')) return { emailAddresses: [{ email: text }] };
	if (phoneOf(text) !== undefined) {
		return { phoneNumbers: [{ phoneNumber: text, phoneType: null }] };
	}
	return { networkId: text };
}

/** A value as it is compared, and as those who look for it take turns on. */
export function normalized(value: string): string {
	return value.trim().toLowerCase();
}

/** A phone number without what only tells where it is dialled from. */
interface Phone {
	/** Whether a "+" or "00" stood before it, a single "0", or nothing. */
	prefix: 'international' | 'national' | 'none';
	digits: string;
}

function phoneOf(value: string): Phone | undefined {
	if (!/^[+\d\s().\-/]+$/.test(value.trim())) return undefined;
	// "+31 (0)20" is "+31 20": the zero in brackets is dialled within the country alone.
	const written = value.replace(/^(\s*(?:\+|00).*)\(0\)/, '$1').replace(/[^+\d]/g, '');
	const [, mark, digits] = /^(\+|00|0|)(\d+)$/.exec(written) ?? [];
	if (digits === undefined || digits.length < LEAST_DIGITS) return undefined;
	const prefix = mark === '' ? 'none' : mark === '0' ? 'national' : 'international';
	return { prefix, digits };
}

/**
 * Whether two phone numbers are the same, however they are written. Where one lacks the country code
 * the rest must be equal in full: the last digits alone are the same in many towns and countries.
 */
function isSamePhone(one: Phone | undefined, other: Phone): boolean {
	if (!one || one.prefix === other.prefix) return one?.digits === other.digits;
	const [short, long] = [one, other].sort((a, b) => a.digits.length - b.digits.length);
	const countryCode = long.digits.length - short.digits.length;
	return (
		long.digits.endsWith(short.digits) &&
		countryCode <= LONGEST_COUNTRY_CODE &&
		(countryCode === 0 || short.prefix !== 'international')
	);
}

function valuesOf(entries: IDataObject[string], field: string): string[] {
	return Array.isArray(entries)
		? (entries as IDataObject[]).map((entry) => String(entry?.[field] ?? ''))
		: [];
}
