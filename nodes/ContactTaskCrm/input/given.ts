import { attempt, groupBy, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { isFullName } from '../tables/fullNameHeadings';
import type { TableColumn } from '../schema/tableColumns';
import { UnusableParameter } from '../util/errors';
import { cleaned, type Cleaned } from '../tables/cellRules';
import { type Cell, cellLabel, type Row, shownHeading } from '../tables/cell';
import { cellsOf } from '../tables/cells';
import { jsonEntriesIn } from './entries';
import type { InputItem } from './item';
import { noteOfWholeName, withoutFullName } from '../tables/nameCells';
import type { Mistakes } from '../util/mistakes';
import type { BodySpecification } from './specification';
import { isObject, listOf, locatedIn, partsWhere, withoutUndefined } from '../values/json';
import { isBlank, quoted } from '../values/text';
import { fieldNamesIn } from '../values/list';

/*
 * Reads the fields of an item that the user gives as JSON, or as columns of a table.
 */

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
	const value: unknown = typeof given === 'string' ? attempt(JSON.parse, given) : given;
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
	// The JSON may be a copy of an existing record. Create drops the copied ID and IRI, because the service makes new
	// ones.
	const isCreate = request.method === 'POST';
	const isNamed = '@id' in given;
	const isOfService = (name: string) => name.startsWith('@') || (isNamed && name === 'id');
	const entries = Object.entries(given).flatMap(([name, value]): Array<[string, unknown]> => {
		if (isCreate && isOfService(name)) return [];
		const { kind, entryKey } = (fields[name] ?? {}) as Partial<Field>;
		const own = isCreate && kind === 'object' ? withoutJsonLd(value) : value;
		if (entryKey === undefined || !Array.isArray(own)) return [[name, own]];
		const label = () => item.labelAt(name, given);
		const advice = `Give each entry as an object such as {"${entryKey}": "…"}`;
		const list = { field: fields[name]!, entryKey, label, advice };
		const contacts = mistakes.tried(() => jsonEntriesIn(list, own), name);
		return contacts === undefined ? [] : [[name, contacts]];
	});
	return Object.fromEntries(entries) as IDataObject;
}

/**
 * Removes JSON-LD parts, such as `@id`, from objects, because they could link the new record to parts of the copied
 * one.
 */
function withoutJsonLd(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutJsonLd);
	return isObject(value) ? partsWhere(value, (_, name) => !name.startsWith('@')) : value;
}

/**
 * Returns the values of an item, keyed by the name of their column. A column may have several values.
 *
 * @throws UnusableParameter as `mappedCells` does
 */
export function mappedRow(item: InputItem, specification: BodySpecification): Row {
	const cells = groupBy(mappedCells(item, specification), ({ column }) => column.name);
	return mapValues(cells, ([first, ...others]) =>
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

/**
 * Adds a note for each cell that the rules of `tables/cellRules.ts` changed. Keeps the texts of cells that count as
 * blank.
 */
function noteChanged(item: InputItem, cells: ReadonlyArray<Omit<Cell, 'value'> & Cleaned>): void {
	for (const cell of cells) {
		const label = cellLabel(cell);
		for (const note of cell.notes) item.notes.push(`${label} ${note}`);
		if (cell.value !== undefined || cell.blanked === undefined) continue;
		item.blanked.set(cell.column.name, cell.blanked);
	}
}

/**
 * Returns the cells of the item's row: one for each column that the user mapped, or that a heading matches. A column
 * of a list may have several cells, from several headings or from one cell with several contacts.
 *
 * @throws UnusableParameter if no heading of the input matches a column, or two match one column equally well
 */
export function mappedCells(item: InputItem, body: BodySpecification): readonly Cell[] {
	const headings = body.headings();
	const { context } = item;
	if (item.cells) return item.cells;
	// Reads the parameter `columns` as a whole. From `columns.value` alone, n8n would convert values, such as 1.000 to
	// 1.
	const mapped = context.getNodeParameter('columns', {}) as {
		mappingMode?: string;
		value?: Row | null;
	};
	const { columns } = headings;
	if (mapped.mappingMode === 'defineBelow') {
		const row = mapped.value ?? {};
		const own = columns.filter(({ name }) => Object.hasOwn(row, name));
		const cells = own.map((column) => ({ column, ...cleaned(row[column.name], column) }));
		noteChanged(item, cells);
		const isColumn = (name: string) => own.some((column) => column.name === name);
		for (const [name, value] of Object.entries(row)) {
			if (isColumn(name) || isBlank(locatedIn(value))) continue;
			item.notes.push(`${quoted(shownHeading(name))} is no column of the CRM and is left out`);
		}
		return (item.cells = cells.flatMap(withEachContact));
	}
	item.headings = headings;
	const { json } = context.getInputData();
	const { names, cells, changed, beaten, notUsed } = cellsOf(json, headings);
	item.namesLeft = notUsed.filter(isFullName);
	if (!names.some((heading) => headings.isKnown(heading))) throw noneFits(names, columns);
	for (const { column, header, others, isAlike } of beaten) {
		const taken = quoted(shownHeading(header));
		const notTaken = others.map(shownHeading).map(quoted).join(', ');
		if (isAlike) {
			throw new UnusableParameter(
				`${column.label}: both ${taken} and ${notTaken} of the item fit this column`,
				'Rename one of them, or set Mapping Column Mode to Map Each Column Manually',
			);
		}
		item.notes.push(`${column.label} is taken from ${taken}, and not from ${notTaken}`);
	}
	noteChanged(item, changed);
	const isUpdate = item.request.method === 'PATCH';
	const own = isUpdate ? withoutFullName(cells) : { cells, notes: [] };
	item.notes.push(...own.notes);
	if (body.required.includes('familyName')) item.notes.push(...noteOfWholeName(cells));
	return (item.cells = own.cells.flatMap(withEachContact));
}

/** Returns the error of an item without a heading that matches a column. */
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
