import { mapValues, partition, sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { labelOf } from '../schema/label';
import { COLUMNS, type RecordContract, titledCollection } from '../schema/record';
import { titleFor } from './flat';
import { cutList, isObject, listOf } from '../values/json';
import { idOf, iriOf, referenceIn, valueOf } from '../values/reference';
import { isBlank, shortened, textIn } from '../values/text';
import { timeText } from '../values/time';
import type { Change, Written } from '../crm/records';
import type { TitleOf } from './specification';

/*
 * Puts the changes of a write into words for people, on one line. For programs, adds titles to the IRIs in the changes.
 */

type Fields = RecordContract['fields'];

/** Maximum length of a value in characters, so that a table shows many rows on one screen. */
const LONGEST_VALUE = 40;
/** Maximum length of a summary in characters. */
export const LONGEST_SUMMARY = 120;
const MOST_LISTED_ENTRIES = 3;

/** Fields that come first in a summary, because users look for them, and the end of a long summary is cut off. */
const SHOWN_FIRST = ['emailAddresses', 'phoneNumbers'];
/** Fields that make up the name of a record. */
const NAMES = ['title', 'givenName', 'additionalName', 'familyName'];

/**
 * Returns the title of a reference in a field; null if unknown. A workspace column has the title "Workspace / Column".
 */
type TitleIn = (reference: unknown, field: string) => string | null;

/**
 * Returns a function that finds the titles of references. The function searches the record as it was before and after
 * the write, and then asks `titleOf`.
 */
function titlesOf({ record, details }: Written, fields: Fields, titleOf: TitleOf): TitleIn {
	return (reference, name) => {
		const collection = titledCollection(fields[name]?.refersTo ?? '');
		const iri = collection && valueOf(iriOf(reference, collection));
		if (collection === undefined || iri === undefined) return null;
		const shown = [details.before?.[name], record[name]].flatMap(
			(value) => listOf(value) ?? [value],
		);
		const own = shown.find((entry) => isObject(entry) && valueOf(iriOf(entry, collection)) === iri);
		const title = titleFor(own ?? iri, collection, titleOf);
		if (collection !== COLUMNS || title === null) return title;
		const workspace = titleFor(iri.replace(/\/columns\/.*/, ''), '/workspaces', titleOf);
		return [workspace, title].filter(Boolean).join(' / ');
	};
}

/**
 * Returns the changes of a write, with titles beside the IRIs of workspaces, their columns and users. Changes of lists
 * stay as they are.
 */
export function titledChanges(written: Written, fields: Fields, titleOf: TitleOf): IDataObject {
	const titleIn = titlesOf(written, fields, titleOf);
	return mapValues(written.details.changes ?? {}, (change, name) => {
		const { refersTo, isList }: Partial<Field> = fields[name] ?? {};
		if (isList || titledCollection(refersTo ?? '') === undefined) return change;
		const { from, to } = change;
		// The service shows each field of this kind, so the earlier value is known.
		return { from, fromTitle: titleIn(from, name), to, toTitle: titleIn(to, name) };
	}) as IDataObject;
}

/** How a summary is shown. */
interface SummaryLayout {
	/** Maximum length in characters. */
	longest: number;
	/** Name of the record; null if unknown. The output shows the name next to the summary. */
	name: string | null;
	/** Time zone of the workflow. The summary shows times in this zone. */
	timezone: string;
}

/**
 * Returns the changes of a write on one line: "Job Title: Buyer → Head of Purchasing; Tags: + VIP". If the line would
 * be too long, its end tells the number of changes that are left out. For a new record, this number does not count the
 * parts of the name. The output shows the whole name next to the summary.
 */
export function summaryOf(
	written: Written,
	fields: Fields,
	{ longest, name: beside, timezone }: SummaryLayout,
	titleOf: TitleOf,
): string {
	const { changes = {} } = written.details;
	const isNew = written.result === 'created';
	const titleIn = titlesOf(written, fields, titleOf);
	const isInName = ([name, change]: [string, Change]) =>
		isNew && NAMES.includes(name) && Boolean(beside?.includes(textIn(change.to)));
	const textsOf = ([name, change]: [string, Change]) => {
		const text = (value: unknown) => valueText(value, name, fields[name], { titleIn, timezone });
		return changeTexts(name, change, fields[name], { isNew, text });
	};
	const all = sortBy(Object.entries(changes), ([name]) => !SHOWN_FIRST.includes(name));
	const [named, others] = partition(all, isInName);
	const counted = others.flatMap(textsOf);
	const texts = [...counted, ...named.flatMap(textsOf)];
	const lengths = texts.map((_, index) => texts.slice(0, index + 1).join('; ').length);
	const most = Math.max(1, lengths.filter((length) => length <= longest).length);
	if (most >= counted.length) return texts.slice(0, most).join('; ') || 'Nothing changes';
	return cutList(counted, most, '; ');
}

/** Returns the texts of one change. An object has a text for each changed part. */
function changeTexts(
	name: string,
	change: Change,
	field: Field | undefined,
	{ isNew, text }: { isNew: boolean; text: (value: unknown) => string },
): string[] {
	const fromTo = (label: string, from: unknown, to: unknown) =>
		`${label}: ${isNew || from === undefined ? '' : `${text(from)} → `}${text(to)}`;
	if ('added' in change) {
		const { added, removed } = change;
		const signed = [
			...added.map((entry) => `${isNew ? '' : '+ '}${text(entry)}`),
			...removed.map((entry) => `− ${text(entry)}`),
		];
		const label = labelOf(field?.columns?.[0]?.name ?? name);
		return [`${label}: ${cutList(signed, MOST_LISTED_ENTRIES) || 'another order'}`];
	}
	const { from, to } = change;
	if (field?.kind !== 'object' || !isObject(to)) return [fromTo(labelOf(name), from, to)];
	const before = isObject(from) ? from : {};
	return Object.entries(to)
		.filter(([, value]) => !isNew || !isBlank(value))
		.map(([part, value]) => fromTo(labelOf(part), before[part] ?? null, value));
}

/** Returns a value of a field as the summary shows it. */
function valueText(
	value: unknown,
	name: string,
	field: Partial<Field> = {},
	shown: { titleIn: TitleIn; timezone: string },
): string {
	const { refersTo, entryKey = '' } = field;
	if (isBlank(value)) return 'empty';
	if (Array.isArray(value)) {
		const texts = value.map((entry) => valueText(entry, name, field, shown));
		return cutList(texts, MOST_LISTED_ENTRIES);
	}
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (refersTo !== undefined) {
		const id = valueOf(idOf(value, refersTo)) ?? referenceIn(value as string);
		return shortened(shown.titleIn(value, name) ?? String(id), LONGEST_VALUE);
	}
	if (isObject(value) && entryKey in value) {
		const { [entryKey]: own, ...others } = value;
		const kinds = Object.values(others).filter((other) => typeof other === 'string');
		return `${shortened(textIn(own), LONGEST_VALUE)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`;
	}
	const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return shortened(timeText(plain, shown.timezone) ?? plain, LONGEST_VALUE);
}
