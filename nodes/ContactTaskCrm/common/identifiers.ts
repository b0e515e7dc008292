import { LEAST_DIGITS, phoneOf } from './phone';

/** How an e-mail address or identifier is compared. */
export function normalized(value: string): string {
	return value.trim().toLowerCase();
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
	return /^[^\s@]+@[^\s@]+$/.test(value.trim());
}
