import { inZone, withZone } from '../common/dateTime';

/**
 * What may have been meant by a value that its field cannot hold, the likeliest first.
 *
 * @param isNested whether the value stands within a field; an empty one there means "none"
 */
export function replacementsFor(value: unknown, timezone: string, isNested: boolean): unknown[] {
	if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
	if (typeof value === 'string') return replacementsForText(value.trim(), timezone, isNested);
	const time =
		value instanceof Object && !Array.isArray(value) ? inZone(value, timezone) : undefined;
	return time ? [time.toISO()] : [];
}

function replacementsForText(text: string, timezone: string, isNested: boolean): unknown[] {
	if (text === '') return isNested ? [null, undefined] : [undefined];
	const replacements: unknown[] = [text];
	const zoned = withZone(text, timezone);
	if (zoned !== undefined) replacements.push(zoned);
	if (Number.isFinite(Number(text))) replacements.push(Number(text));
	if (text === 'true' || text === 'false') replacements.push(text === 'true');
	const list = parsedList(text);
	if (list) replacements.push(list);
	return replacements;
}

/** A field of JSON hands over its text. */
function parsedList(text: string): unknown {
	if (!/^[[{]/.test(text)) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
