import { inZone, isZoned } from '../util/dateTime';
import { ExplainedError } from '../util/errors';
import { comparableId, idOf, valueOf } from '../util/iri';
import { cleanText, isBlank, isObject, listOf, quoted } from '../util/values';
import type { AppliedFilter, Bound, Filter } from '../schema/filter';
import type { RecordContract } from '../schema/record';

/**
 * Holds the records of a page against the filters that were asked for. Such services fail open: a
 * filter that they do not know, or whose value they cannot read, is dropped without a word, and the
 * unfiltered list comes.
 *
 * @throws ExplainedError naming the filter that was dropped
 */
export function assertFiltered(
	records: readonly unknown[],
	filters: readonly AppliedFilter[],
	{ plural }: RecordContract,
): void {
	for (const { filter, values } of filters) {
		if (filter.shownIn.length === 0) continue;
		// Empty fields may be left out of a record; what a filter looks for is set, and shows.
		if (records.filter(isObject).every((record) => meetsFilter(record, filter, values))) continue;
		throw new ExplainedError(
			`${filter.label}: the service returned ${plural} that do not meet the filter`,
			`It seems to drop the filter, or not to know ${values.map(quoted).join(', ')}. Check the value, or remove the filter; nothing of the list was used`,
		);
	}
}

/** Whether a record passes a filter, by the fields that show it. */
export function meetsFilter(
	record: Record<string, unknown>,
	filter: Filter,
	values: string[],
): boolean {
	const { kind, shownIn, refersTo = '', bound } = filter;
	const [field] = shownIn;
	switch (kind) {
		case 'id':
		case 'iri': {
			const idsIn = (references: readonly unknown[]) =>
				references.map((reference) => comparableId(valueOf(idOf(reference, refersTo)) ?? ''));
			const wanted = idsIn(values);
			return idsIn(listOf(record[field]) ?? [record[field]]).some((id) => wanted.includes(id));
		}
		case 'boolean':
			return isBlank(record[field]) === (values[0] === 'false');
		case 'dateTime':
			return bound === undefined || liesWithin(record[field], bound, values[0]);
		case 'text': {
			const texts = shownIn.flatMap((name) => textsIn(record[name])).map(comparableText);
			return values.map(comparableText).some((value) => texts.some((text) => text.includes(value)));
		}
	}
}

/** Digits at the end of a phone number that stay the same, however much of the country code is written. */
const LAST_DIGITS = 8;

/** Services look for whole texts or for parts, with accents or without; phone numbers have many spellings. */
function comparableText(text: string): string {
	const plain = cleanText(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
	return /^[\s\d+()./-]+$/.test(plain)
		? plain.replace(/\D/g, '').slice(-LAST_DIGITS)
		: plain.trim();
}

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return (listOf(value) ?? []).flatMap((entry) =>
		isObject(entry) ? Object.values(entry).filter((part) => typeof part === 'string') : [],
	);
}

/** How far two readings of a time without a zone can be apart. */
const ANY_ZONE_MS = 14 * 60 * 60_000;

function liesWithin(value: unknown, bound: Bound, limit: string): boolean {
	const time = inZone(value, 'utc')?.toMillis();
	const edge = inZone(limit, 'utc')?.toMillis();
	// A time of a form that cannot be read shows nothing of the filter.
	if (time === undefined || edge === undefined) return !isBlank(value);
	const distance = bound.endsWith('after') ? time - edge : edge - time;
	// Some services compare whole seconds.
	return distance > (isZoned(value) ? -1_000 : -ANY_ZONE_MS);
}
