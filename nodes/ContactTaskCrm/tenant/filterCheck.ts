import { inZone, isZoned } from '../util/dateTime';
import { Cancelled } from '../http/errors';
import { ExplainedError, noneIf } from '../util/errors';
import { comparableId, idOf, iriOf, lastSegment, valueOf } from '../util/iri';
import { cleanText, isBlank, isObject, listOf, quoted } from '../util/values';
import type { AppliedFilter, Bound, Filter } from '../schema/filter';
import type { RecordContract } from '../schema/record';
import type { Client } from './client';
import type { Collection } from './directory';
import { showingKey, titleIn } from './directory';
import { requestRecord } from './records';

/**
 * Checks that the records of a page meet their filters. A service drops a filter or a value that it does not know, and
 * answers with the whole list.
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
		// A record may lack empty fields. The field of a filter is not empty.
		if (records.filter(isObject).every((record) => meetsFilter(record, filter, values))) continue;
		throw new ExplainedError(
			`${filter.label}: the service returned ${plural} that do not meet the filter`,
			`It seems to drop the filter, or not to know ${values.map(quoted).join(', ')}. Check the value, or remove the filter; nothing of the list was used`,
		);
	}
}

/**
 * Checks an empty list by one record that showed a reference of its filters before. Believes the list if it finds no
 * such record.
 *
 * @throws ExplainedError naming the filters if that record meets them
 */
export async function assertNoneMeets(
	client: Client,
	filters: readonly AppliedFilter[],
	contract: RecordContract,
): Promise<void> {
	const { directory } = client.tenant;
	const { collection, noun, plural } = contract;
	// Only the service knows how it compares texts and times.
	if (filters.some(({ filter: { kind } }) => kind === 'text' || kind === 'dateTime')) return;
	const keys = filters.flatMap(({ filter: { shownIn, refersTo = '' }, values }) =>
		values.map((value) => showingKey(collection, shownIn[0], valueOf(iriOf(value, refersTo)))),
	);
	// The last filter is the narrowest: a segment has fewer people than an owner.
	const key = keys.filter((one) => directory.showing.has(one)).at(-1) ?? '';
	const path = directory.showing.get(key);
	if (path === undefined) return;
	const id = lastSegment(path);
	const asked = { method: 'GET' as const, path, subject: { noun, id }, maxRetries: 0 };
	const isNoAnswer = (error: unknown) => !(error instanceof Cancelled);
	const record = await requestRecord(client, asked, contract).catch(noneIf(isNoAnswer));
	if (!record) return;
	// A list may leave archived records out unless a filter asks for them.
	const isListed = isBlank(record.archivedAt) || filters.some(({ filter }) => !filter.refersTo);
	if (!isListed || !filters.every(({ filter, values }) => meetsFilter(record, filter, values))) {
		// The record may have lost this reference.
		directory.showing.delete(key);
		directory.notice([record], collection);
		return;
	}
	const labels = filters.map(({ filter }) => filter.label).join(', ');
	const name = quoted(titleIn(record, collection as Collection) || id);
	throw new ExplainedError(
		`${labels}: the service returned no ${plural}, though ${name} meets the filter${filters.length > 1 ? 's' : ''}`,
		`If the ${noun} was changed just now, run again. Else the service may expect another form of the ID here: read the list without this filter, and select with a Filter node behind it`,
	);
}

/** Returns whether a record passes a filter, by the fields that show it. */
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

/** Digits at the end of a phone number that are the same with a country code and without one. */
const LAST_DIGITS = 8;

/** Returns a text without accents and capitals. Of a phone number, returns the last digits. */
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

/** Most time in ms between two readings of a time without a zone. */
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
