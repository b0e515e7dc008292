import { attempt, isEmpty, mapValues, once, sortBy } from 'lodash';
import type { IDataObject, IExecutePaginationFunctions } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { Headings } from '../schema/headings';
import { plainName, plainNames } from '../schema/plainName';
import { WHOLE_NAME } from '../schema/aliases';
import { labelOf } from '../schema/label';
import { person } from '../schema/person';
import { fieldsOf, type RecordContract } from '../schema/record';
import { COLUMNS, titledCollection } from '../tenant/collections';
import { isOfPreview, type NotSent } from '../tenant/preview';
import { asExplained } from '../util/errors';
import type { Cell } from './cell';
import { headingsLeft } from './cells';
import { titleFor } from './flat';
import { type Change, ListNote, type OutputForm, Written } from './output';
import type { TitleOf } from './specification';
import { emailIn, nameIn } from '../util/person';
import { isMeantAsEmail } from '../values/email';
import { cutList, isObject, listOf, locatedIn, parsedList, truthOf } from '../values/json';
import { idIn, idOf, iriOf, referenceIn, valueOf } from '../values/reference';
import { isBlank, shortened, textIn } from '../values/text';
import { DAY } from '../values/time';

/*
 * Makes the output that tells the changes of a write, and the preview of a write.
 */

type Fields = RecordContract['fields'];

/** Properties of an `Item` that the functions of this file need. */
interface PreviewedItem {
	context: IExecutePaginationFunctions;
	index: number;
	run: { size: number };
	request: { body?: unknown };
	options: { output?: unknown; tellChanges?: unknown };
	notes: readonly string[];
	form?: OutputForm;
	cells?: readonly Cell[];
	headings?: Headings;
}

/** Maximum length of a value and of a summary in characters, because a preview should show many rows on one screen. */
const LONGEST_VALUE = 40;
const LONGEST_SUMMARY = 120;
const MOST_LISTED_ENTRIES = 3;
/** Number of characters on a line of n8n's table view. A column there is at most 300 pixels wide. */
const LONGEST_LINE = 45;

/** A time in UTC on a whole minute. */
const WHOLE_MINUTE = new RegExp(String.raw`^(${DAY})T(\d\d:\d\d):00(?:\.0+)?Z$`);

/** Returns the title of a reference in a field, or null. A workspace column has the title "Workspace / Column". */
type TitleIn = (reference: unknown, field: string) => string | null;

/** Returns a function that finds titles: in the record before or after the write, or else by `titleOf`. */
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

/** Returns changes with titles beside the IRIs of workspaces, their columns and users. */
function titledChanges(
	changes: Readonly<Record<string, Change>>,
	fields: Fields,
	titleIn: TitleIn,
): Record<string, Change> {
	return mapValues(changes, (change, name) => {
		const { refersTo, isList }: Partial<Field> = fields[name] ?? {};
		if (isList || titledCollection(refersTo ?? '') === undefined) return change;
		const { from, to } = change;
		const titled = { to, toTitle: titleIn(to, name) };
		return 'from' in change ? { from, fromTitle: titleIn(from, name), ...titled } : titled;
	});
}

/** Fields at the beginning of a summary, because users look for them, and a long summary is cut. */
const SHOWN_FIRST = ['emailAddresses', 'phoneNumbers'];
/** Fields at the end of the summary of a new record, because its name already shows them. */
const NAMES = ['title', 'givenName', 'additionalName', 'familyName'];

/** Returns changes as one line for the user. A line that would be too long ends with the number of omitted changes. */
function summaryOf(
	changes: Readonly<Record<string, Change>>,
	fields: Fields,
	{ isNew, longest }: { isNew: boolean; longest: number },
	titleIn: TitleIn,
): string {
	const groupOf = ([name]: [string, unknown]) =>
		SHOWN_FIRST.includes(name) ? 0 : isNew && NAMES.includes(name) ? 2 : 1;
	const parts = sortBy(Object.entries(changes), groupOf).flatMap(([name, change]) => {
		const text = (value: unknown) => valueText(value, name, fields[name], titleIn);
		return changeTexts(name, change, fields[name], { isNew, text });
	});
	const lengths = parts.map((_, index) => parts.slice(0, index + 1).join('; ').length);
	const most = Math.max(1, lengths.filter((length) => length <= longest).length);
	return cutList(parts, most, '; ');
}

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

function valueText(
	value: unknown,
	name: string,
	field: Partial<Field> = {},
	titleIn: TitleIn,
): string {
	const { refersTo, entryKey = '' } = field;
	if (isBlank(value)) return 'empty';
	if (Array.isArray(value)) {
		const texts = value.map((entry) => valueText(entry, name, field, titleIn));
		return cutList(texts, MOST_LISTED_ENTRIES);
	}
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (refersTo !== undefined) {
		const id = valueOf(idOf(value, refersTo)) ?? referenceIn(value as string);
		return shortened(titleIn(value, name) ?? String(id), LONGEST_VALUE);
	}
	if (isObject(value) && entryKey in value) {
		const { [entryKey]: own, ...others } = value;
		const kinds = Object.values(others).filter((other) => typeof other === 'string');
		return `${shortened(textIn(own), LONGEST_VALUE)}${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`;
	}
	const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
	return shortened(plain.replace(WHOLE_MINUTE, '$1 $2 UTC'), LONGEST_VALUE);
}

/**
 * Returns a form of the output that puts the result, changes and note of a write before the fields of the record. For
 * raw records, changes have no titles unless the user turns Tell What Changed on, because titles may cost a request.
 */
export function withChanges({ options }: PreviewedItem, { kind, of, fields }: OutputForm) {
	const isBare = kind === 'raw' && truthOf(options.tellChanges) !== true;
	return {
		of: (record: unknown, titleOf: TitleOf): IDataObject => {
			if (record instanceof ListNote) return record.json;
			if (!(record instanceof Written)) return of(record, titleOf);
			const { changes, note } = record.details;
			const titled = (bare: Record<string, Change>) =>
				titledChanges(bare, fields, titlesOf(record, fields, titleOf));
			return {
				result: record.result,
				...(changes && { changes: (isBare ? changes : titled(changes)) as IDataObject }),
				...(note !== undefined && { note }),
				...of(record.record, titleOf),
			};
		},
	};
}

const WORDS = { created: 'create', updated: 'update', unchanged: 'unchanged' } as const;

/**
 * Returns the preview of an item: its action, the record and the changes.
 *
 * @param record result of the operation: the expected write
 * @param unknown the item's request, if the node cannot predict its effect; otherwise undefined
 */
export function previewed(
	item: PreviewedItem,
	record: unknown,
	unknown: NotSent | undefined,
	titleOf: TitleOf,
): IDataObject {
	if (unknown) {
		const { method, path, query = [], body } = unknown;
		const search = new URLSearchParams([...query] as Array<[string, string]>).toString();
		const request = {
			method,
			path: search === '' ? path : `${path}?${search}`,
			...(body && { body }),
		};
		const summary = 'The result is known after the run';
		return { preview: 'send', name: rowName(item), summary, request };
	}
	if (!(record instanceof Written)) throw new Error('The item does not say what it would write');
	const { result, record: after, details } = record;
	const { changes = {}, note } = details;
	const { fields } = item.form!;
	const titleIn = titlesOf(record, fields, titleOf);
	const id = idIn(after);
	const longest = item.options.output === 'raw' ? Infinity : LONGEST_SUMMARY;
	const form = { isNew: result === 'created', longest };
	const summary = summaryOf(changes, fields, form, titleIn) || 'Nothing changes';
	const forMachines = {
		// A person that the run would create has no ID yet. This also holds for a later item that finds the person.
		id: isOfPreview(String(id)) ? null : id,
		changes: titledChanges(changes, fields, titleIn) as IDataObject,
	};
	// An update may send only values that the record already has. The preview then says "unchanged".
	const isIdle = result === 'updated' && isEmpty(changes);
	return {
		preview: isIdle ? 'unchanged' : WORDS[result],
		name: nameIn(after) || emailIn(after) || rowName(item),
		summary: shown(item, summary),
		...(isForMachines(item) ? forMachines : {}),
		...(note ? { note: shown(item, note) } : {}),
	};
}

/** Returns the preview of an item that the node or the service would refuse. */
export function refusedPreview(item: PreviewedItem, error: unknown): IDataObject {
	const { message: reason, advice: howToGoOn, facts } = asExplained(error);
	const note = item.notes.join('. ');
	return {
		...{ preview: 'refused', name: rowName(item), reason: shown(item, reason) },
		parameter: facts.parameter ?? null,
		// The table view puts a column that the first row lacks behind all others, so the summary has the reason, too.
		summary: shown(item, `Not written: ${reason}`),
		...(isForMachines(item) ? { id: null, changes: {}, howToGoOn } : {}),
		...(note ? { note: shown(item, note) } : {}),
	};
}

/** Returns a text of a preview. For Selected Fields, joins words to widen the column in n8n's table view. */
function shown(item: PreviewedItem, text: string): string {
	return isForMachines(item) ? text : inWideColumn(text);
}

/**
 * Joins the words of a long text by no-break spaces, up to the length of a line. With ordinary spaces, the table view
 * would make the column as narrow as a word, and each row as high as the screen.
 */
function inWideColumn(text: string): string {
	if (text.length <= LONGEST_LINE) return text;
	return text.split(' ').reduce((lines, word) => {
		const line = lines.slice(lines.lastIndexOf(' ') + 1);
		return `${lines}${line.length + word.length < LONGEST_LINE ? '\u00A0' : ' '}${word}`;
	});
}

/**
 * Returns whether a preview also has fields for programs: the ID and the changes. Selected Fields leaves them out.
 * n8n's table view shows each part of an object on its own line, so a few rows would fill the screen.
 */
function isForMachines({ options }: PreviewedItem): boolean {
	return options.output !== 'selectedFields';
}

/** Returns the headings that no column takes, with their number of values. The first item gives them for all rows. */
export function notTaken(item: PreviewedItem): IDataObject {
	const { context, headings, index, run } = item;
	const { main, ai_tool: tool } = context.getExecuteData().data;
	const rows = ((main ?? tool)?.[0] ?? []).slice(0, run.size).map(({ json }) => json);
	const left = index === 0 && headings ? headingsLeft(rows, headings) : [];
	const named = left.map(({ heading, count }) => `${heading} (${count})`);
	const text = named.join(', ');
	return text === '' ? {} : { notTaken: shown(item, text) };
}

/** Headings of tables of people. The first preview builds them, to keep the load of the node fast. */
const headingsOfPeople = once(() => new Headings(fieldsOf(person, 'create')));
const WHOLE_NAMES = new Set(plainNames(WHOLE_NAME));

/** Returns the name of an item's record, from its fields, the input or the lookup value; null if unknown. */
function rowName({ context, request, cells = [], form }: PreviewedItem): string | null {
	const { json } = context.getInputData();
	const parameter = (name: string): unknown => attempt(() => context.getNodeParameter(name, ''));
	const wholeName = Object.keys(json).find((heading) => WHOLE_NAMES.has(plainName(heading)));
	const textOf = (heading: string) => textIn(json[heading]);
	const row = headingsOfPeople()
		.take(Object.keys(json), textOf)
		.map(({ column, best, further }) => ({
			[column.name]: [...best, ...further].map(textOf)[0],
		}));
	const { title } = json;
	const isTitled = form?.fields.title !== undefined;
	const given = [
		request.body ?? {},
		parsedList(parameter('jsonBody')) ?? {},
		Object.fromEntries(cells.map(({ column, value }) => [column.name, value])),
		Object.assign({ name: json[wholeName ?? ''], ...(isTitled && { title }) }, ...row),
	] as IDataObject[];
	const names = given.map((fields) => nameIn({ ...fields, email: undefined }));
	const emails = given.map((fields) => textIn(fields.email) || emailIn(fields));
	const sought = ['email', person.locator].map((name) => textIn(locatedIn(parameter(name))));
	const values = [...sought.filter(isMeantAsEmail), textIn(parameter('matchValue'))];
	return [...names, ...emails, ...values].find(Boolean) ?? null;
}
