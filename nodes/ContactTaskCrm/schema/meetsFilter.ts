import { normalized } from '../values/identifier';
import { isObject, listOf } from '../values/json';
import { phoneOf, phoneKey } from '../values/phone';
import { isSameReference } from '../values/reference';
import { isBlank, folded, cleanText } from '../values/text';
import { inZone, isZoned } from '../values/time';
import type { Bound, Filter } from './filter';

/** Returns whether a record meets a filter, as far as the fields of the record show it. */
export function meetsFilter(
	record: Record<string, unknown>,
	filter: Filter,
	values: string[],
): boolean {
	const { kind, shownIn, refersTo = '', bound } = filter;
	const [field = ''] = shownIn;
	switch (kind) {
		case 'id':
		case 'iri': {
			const shown = listOf(record[field]) ?? [record[field]];
			return values.some((value) => shown.some((one) => isSameReference(one, value, refersTo)));
		}
		case 'boolean':
			return isBlank(record[field]) === (values[0] === 'false');
		case 'dateTime':
			return bound === undefined || liesWithin(record[field], bound, values[0]);
		case 'text': {
			const texts = shownIn.flatMap((name) => textsIn(record[name])).map(comparableForms);
			return values
				.map(comparableForms)
				.some((value) =>
					texts.some((text) => text.some((form, position) => form.includes(value[position]!))),
				);
		}
	}
}

/**
 * Returns three forms of a text, because the service may compare any of them. The first has no accents and no case. The
 * second is the key of a phone number or another identifier. The third has only the digits if the text looks like a
 * phone number, to match a part of the number.
 */
function comparableForms(text: string): string[] {
	const plain = folded(cleanText(text)).trim();
	const phone = phoneOf(text);
	const digits = /^[+\d\s().·/-]+$/.test(plain) ? plain.replace(/\D/g, '').replace(/^0+/, '') : '';
	return [plain, phone ? phoneKey(phone) : normalized(text), digits || plain];
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return (listOf(value) ?? []).flatMap((entry) =>
		isObject(entry) ? Object.values(entry).filter((part) => typeof part === 'string') : [],
	);
}

/** Largest offset of a time zone from UTC, in ms. A time without a zone, read as UTC, may be wrong by this much. */
const ANY_ZONE_MS = 14 * 60 * 60_000;

function liesWithin(value: unknown, bound: Bound, limit: unknown): boolean {
	const time = inZone(value, 'utc')?.toMillis();
	const edge = inZone(limit, 'utc')?.toMillis();
	// A time in an unknown form passes, because it does not tell whether the service applied the filter.
	if (time === undefined || edge === undefined) return !isBlank(value);
	const distance = bound.endsWith('after') ? time - edge : edge - time;
	// Allows a difference of one second, because some installations of the CRM compare whole seconds.
	return distance > (isZoned(value) ? -1_000 : -ANY_ZONE_MS);
}
