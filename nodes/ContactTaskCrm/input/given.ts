import { attempt, groupBy, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { namesToEmpty } from '../schema/record';
import type { TableColumn } from '../schema/tableColumns';
import { type Mistakes, UnusableParameter } from '../util/errors';
import { cleaned, type Cleaned } from '../tables/cellRules';
import { type Cell, cellLabel, type ReadRow, type Row, shownHeading } from '../tables/cell';
import { cellsOf } from '../tables/cells';
import { jsonEntriesIn } from './entries';
import type { InputItem } from './item';
import { isFullName } from '../tables/fullNameHeadings';
import { noteOfWholeName, withoutFullName } from '../tables/nameCells';
import type { BodySpecification } from './specification';
import { isDotless } from '../values/email';
import {
	isObject,
	listOf,
	locatedIn,
	ownOf,
	withoutJsonLd,
	withoutUndefined,
} from '../values/json';
import { isBlank, quoted } from '../values/text';
import { fieldNamesIn } from '../values/list';

/*
 * Reads the fields of an item that the user gives as JSON, or as columns of a table.
 */

/** Matches a code block of Markdown. A language model may write its JSON in one. */
const CODE_BLOCK = /^\s*```(?:json)?\s*\n(.*)```\s*$/is;

/**
 * Reads the fields in the parameter JSON Body.
 *
 * @throws UnusableParameter if the parameter is empty or holds no object
 */
export function parsedJson(given: unknown): IDataObject {
	if (isBlank(given)) {
		throw new UnusableParameter(
			'JSON Body is empty',
			'Write the fields in braces, e.g. {"familyName": "Jansen"}. If it is an expression, it gave nothing for this item',
		);
	}
	const isText = typeof given === 'string';
	const value: unknown = isText ? attempt(JSON.parse, given.replace(CODE_BLOCK, '$1')) : given;
	if (value instanceof SyntaxError) {
		throw new UnusableParameter(
			`JSON Body is not valid JSON: ${value.message}`,
			'Check quotes, commas and brackets. In an expression, use JSON.stringify() for values that are put in',
		);
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		const got = value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
		throw new UnusableParameter(
			`JSON Body: expected an object, got ${got}`,
			'Write the fields in braces, e.g. {"familyName": "Jansen"}',
		);
	}
	return { ...(value as IDataObject) };
}

/**
 * Returns the fields that the user gives in JSON Body, with clean e-mail addresses and phone numbers. Ignores fields
 * that an expression left undefined.
 *
 * @param mistakes receives the mistakes in entries of lists
 * @throws UnusableParameter if the parameter holds no object
 */
export function givenAsJson(
	item: InputItem,
	{ fields }: BodySpecification,
	mistakes: Mistakes,
): IDataObject {
	const { context, request } = item;
	const parsed = parsedJson(context.getNodeParameter('jsonBody', ''));
	const given = (withoutUndefined(parsed) ?? {}) as IDataObject;
	// The JSON may be a copy of an existing record. Create drops its JSON-LD parts (`@id`, `@type`), because the service
	// makes new ones. Create drops `id` only beside `@id`, because JSON without `@id` is no copy of a record.
	const isCreate = request.method === 'POST';
	const isNamed = '@id' in given;
	const isOfService = (name: string) => name.startsWith('@') || (isNamed && name === 'id');
	const unknown = Object.keys(given).filter((name) => !isOfService(name) && !ownOf(fields, name));
	// The model of an AI agent may make up names of fields. The model would believe that the service has written such a
	// field, even if the service ignores it.
	if (item.run.isTool && unknown.length > 0) {
		item.addNote(`The CRM documents no such field here, and may ignore it: ${unknown.join(', ')}`);
	}
	const entries = Object.entries(given).flatMap(([name, value]): Array<[string, unknown]> => {
		if (isCreate && isOfService(name)) return [];
		const { kind, entryKey } = (fields[name] ?? {}) as Partial<Field>;
		const own = isCreate && kind === 'object' ? withoutLinks(value) : value;
		if (entryKey === undefined || !Array.isArray(own)) return [[name, own]];
		const label = () => item.labelAt(name, given);
		const advice = `Give each entry as an object such as {"${entryKey}": "…"}`;
		const list = { field: fields[name]!, entryKey, label, advice };
		const contacts = mistakes.tried(() => jsonEntriesIn(list, own), name);
		return contacts === undefined ? [] : [[name, contacts]];
	});
	return Object.fromEntries(entries) as IDataObject;
}

/** Removes JSON-LD parts from objects, because they could link the new record to parts of the copied one. */
function withoutLinks(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutLinks);
	return isObject(value) ? withoutJsonLd(value) : value;
}

/**
 * Returns words for a message on the column or field `name` without a value: "is empty", or `is "-"` for a text that
 * counts as blank. For a family name, also names the headings of full names that no column takes (`namesLeft`).
 */
export function emptinessIn({ blanked, namesLeft }: ReadRow, name: string): string {
	const text = blanked.get(name);
	const is = text === undefined ? 'is empty' : `is ${quoted(text)}`;
	const left = name === 'familyName' ? namesLeft.map(shownHeading).map(quoted) : [];
	return left.length > 0 ? `${is} (${left.join(', ')} is not taken)` : is;
}

/** Adds a note if an e-mail address has no dot behind the "@", because such an address is probably mistyped. */
export function noteDotless(item: InputItem, email: string): void {
	if (isDotless(email)) item.addNote(`The domain of ${quoted(email)} has no dot`);
}

/** Returns the values of a row, keyed by the name of their column. A column may have several values. */
export function valuesOfRow({ cells }: ReadRow): Row {
	const byColumn = groupBy(cells, ({ column }) => column.name);
	return mapValues(byColumn, ([first, ...others]) =>
		others.length === 0 ? first?.value : [first, ...others].flatMap((cell) => cell?.value),
	);
}

/**
 * Splits a cell into one cell for each e-mail address or phone number. A message about one of them can then name the
 * column.
 */
function withEachContact(cell: Cell): Cell[] {
	const { column, value } = cell;
	const isContact = column.part === 'email' || column.part === 'phoneNumber';
	const contacts = isContact || column.name === 'person' ? listOf(value) : undefined;
	return contacts ? contacts.map((contact) => ({ ...cell, value: contact })) : [cell];
}

type CleanedCell = Omit<Cell, 'value'> & Cleaned;

/** Returns a note for each change by the rules of `tables/cellRules.ts`. */
function notesOnCells(cells: readonly CleanedCell[]): string[] {
	return cells.flatMap((cell) => cell.notes.map((note) => `${cellLabel(cell)} ${note}`));
}

/** Returns the texts of the cells that count as blank, keyed by the names of their columns. */
function blankedIn(cells: readonly CleanedCell[]): ReadonlyMap<string, string> {
	const blanks = cells.filter(({ value, blanked }) => value === undefined && blanked !== undefined);
	return new Map(blanks.map(({ column, blanked }) => [column.name, blanked!]));
}

/**
 * Reads the row of an item with values from the columns of a table.
 *
 * @throws UnusableParameter if no heading of the input matches a column, or two match one column equally well
 */
export function readRow(
	{ context, request, headings }: Pick<InputItem, 'context' | 'request' | 'headings'>,
	body: BodySpecification,
): ReadRow {
	if (!headings) {
		// Asks n8n for the whole parameter `columns`. If asked only for `columns.value`, n8n would convert values, such as
		// 1.000 to 1.
		const mapped = context.getNodeParameter('columns', {}) as { value?: Row | null };
		return rowMappedByHand(mapped.value ?? {}, body);
	}
	const { json } = context.getInputData();
	const { names, cells, changed, beaten, notUsed } = cellsOf(json, headings);
	if (!names.some((heading) => headings.isKnown(heading))) throw noneFits(names, headings.columns);
	const notesOnBeaten = beaten.map(({ column, header, others, isAlike }) => {
		const taken = quoted(shownHeading(header));
		const notTaken = others.map(shownHeading).map(quoted).join(', ');
		if (!isAlike) return `${column.label} is taken from ${taken}, and not from ${notTaken}`;
		throw new UnusableParameter(
			`${column.label}: both ${taken} and ${notTaken} of the item fit this column`,
			'Rename one of them, or set Mapping Column Mode to Map Each Column Manually',
		);
	});
	const own = request.method === 'PATCH' ? withoutFullName(cells) : { cells, notes: [] };
	const needsFamilyName = body.required.includes('familyName');
	return {
		cells: own.cells.flatMap(withEachContact),
		blanked: blankedIn(changed),
		namesLeft: notUsed.filter(isFullName),
		notes: [
			...notesOnBeaten,
			...notesOnCells(changed),
			...own.notes,
			...(needsFamilyName ? noteOfWholeName(cells) : []),
		],
	};
}

function rowMappedByHand(row: Row, { columns }: BodySpecification): ReadRow {
	const own = columns.filter(({ name }) => Object.hasOwn(row, name));
	const cells = own.map((column) => ({ column, ...cleaned(row[column.name], column) }));
	const unknown = Object.keys(row).filter(
		(name) => !own.some((column) => column.name === name) && !isBlank(locatedIn(row[name])),
	);
	const notesOnUnknown = unknown.map(
		(name) => `${quoted(shownHeading(name))} is no column of the CRM and is left out`,
	);
	return {
		cells: cells.flatMap(withEachContact),
		blanked: blankedIn(cells),
		namesLeft: [],
		notes: [...notesOnCells(cells), ...notesOnUnknown],
	};
}

/** Returns the error for an item without any heading that matches a column. */
function noneFits(headings: string[], columns: readonly TableColumn[]): UnusableParameter {
	const most = 12;
	const shown = (names: string[]) =>
		names.slice(0, most).map(shownHeading).join(', ') + (names.length > most ? ' …' : '');
	const got = headings.length === 0 ? 'the item is empty' : `the item has ${shown(headings)}`;
	return new UnusableParameter(
		`Columns: none of the item has a name of the CRM; ${got}`,
		`Name its columns as here: ${shown(columns.map(({ name }) => name))}. Or set Mapping Column Mode to Map Each Column Manually`,
	);
}

/**
 * Returns the names of the lists in a body that the write adds to. Only values from a table add to lists, because a
 * cell often holds one of many entries.
 */
export function addedLists(
	item: InputItem,
	body: IDataObject,
	{ fields }: BodySpecification,
): string[] {
	if (!item.isMapped) return [];
	const replaced = fieldNamesIn(item.options.replaceLists);
	return Object.keys(body).filter((name) => {
		const value: unknown = body[name];
		const isGiven = Array.isArray(value) && value.length > 0;
		return isGiven && fields[name]?.isList && !replaced.includes(name);
	});
}

/**
 * Returns the empty value of a field in Clear Fields.
 *
 * @throws UnusableParameter if the item also gives the field a value, or if the field may not be empty
 */
export function emptied(
	item: InputItem,
	{ fields }: BodySpecification,
	given: IDataObject,
	name: string,
): IDataObject[string] {
	if (Object.hasOwn(given, name)) {
		throw new UnusableParameter(
			`${item.labelAt(name, given)} is given a value and stands in Clear Fields, too`,
			'Remove it from one of the two',
		);
	}
	const field = ownOf(fields, name);
	if (field?.emptiedBy !== undefined) return field.emptiedBy as IDataObject[string];
	throw new UnusableParameter(
		`Clear Fields: ${quoted(name)} is no field that can be emptied`,
		`Choose from the list, or give names among ${namesToEmpty(fields).join(', ')}`,
	);
}

/**
 * Asserts that a name given in the option "Replace Instead of Add To" names a list of the record. With any other name,
 * the write would add to the list that the user wanted to replace.
 *
 * @throws UnusableParameter if the name is not that of a list
 */
export function assertList(name: string, { fields }: BodySpecification): void {
	if (ownOf(fields, name)?.isList) return;
	throw new UnusableParameter(
		`Replace Instead of Add To: ${quoted(name)} is no list of this record`,
		'Choose from the list, or give names of fields that hold lists',
	);
}
