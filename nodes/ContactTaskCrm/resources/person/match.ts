import type { IDataObject } from 'n8n-workflow';

export type MatchBy = 'email' | 'identifier';

/** The query parameters that look for a person (interface, section 4.1). */
export const MATCH_QUERY: Record<MatchBy, string> = {
	email: 'emailAddresses.email',
	identifier: 'identifiers',
};

/** How two phone numbers are told to be the same, however they are written: by their last digits. */
const SIGNIFICANT_DIGITS = 8;

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
	const digits = significantDigits(value);
	return (
		digits !== undefined &&
		valuesOf(person.phoneNumbers, 'phoneNumber').some(
			(phone) => significantDigits(phone) === digits,
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

/** What a new person must carry to be found by the same value the next time. */
export function matchFields(matchBy: MatchBy, value: string): IDataObject {
	const text = value.trim();
	if (matchBy === 'email' || text.includes('@')) return { emailAddresses: [{ email: text }] };
	if (significantDigits(text) !== undefined) {
		return { phoneNumbers: [{ phoneNumber: text, phoneType: null }] };
	}
	return { networkId: text };
}

/** A value as it is compared, and as those who look for it take turns on. */
export function normalized(value: string): string {
	return value.trim().toLowerCase();
}

function significantDigits(value: string): string | undefined {
	if (!/^[+\d\s().\-/]+$/.test(value.trim())) return undefined;
	const digits = value.replace(/\D/g, '');
	return digits.length >= SIGNIFICANT_DIGITS ? digits.slice(-SIGNIFICANT_DIGITS) : undefined;
}

function valuesOf(entries: IDataObject[string], field: string): string[] {
	return Array.isArray(entries)
		? (entries as IDataObject[]).map((entry) => String(entry?.[field] ?? ''))
		: [];
}
