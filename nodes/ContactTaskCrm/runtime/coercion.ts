import { inZone, withZone } from '../common/dateTime';
import { parsedList } from '../common/references';

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

/** True or false, from what tables and forms write for it; undefined for anything else. */
export function truthOf(value: unknown): boolean | undefined {
	return YES_OR_NO.get(String(value).trim().toLowerCase());
}

const YES_OR_NO = new Map([
	['true', true],
	['1', true],
	['false', false],
	['0', false],
]);

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
