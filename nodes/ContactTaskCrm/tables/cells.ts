import { countBy, uniqBy } from 'lodash';
import type { Headings } from './headings';
import type { TableColumn } from '../schema/tableColumns';
import { isObject, parsedList } from '../values/json';
import { isBlank, quoted } from '../values/text';
import { type Cell, type ChangedCell, type Row, shownHeading, type Taken } from './cell';
import { cleaned, type Cleaned } from './cellRules';
import { withNameParts, withTitle } from './nameCells';
import type { WholeAddress } from './wholeAddress';

/*
 * An item can be a row of the user's table, with a heading above each value. A `TableColumn` stands for a field of the
 * CRM, or for a part of a field. This file finds the value for each `TableColumn`, and the headings that match no
 * column.
 */

/** A column that several headings match, with different values. The column takes the value of the best match. */
interface Beaten {
	column: TableColumn;
	/** Heading that gives the value of the column. */
	header: string;
	/** Other headings that match the column. The column does not take their values. */
	others: string[];
	/** Whether a heading in `others` matches as well as `header`. The node cannot choose, so the item fails. */
	isAlike: boolean;
}

/** Headings and cells of a row, sorted by their columns of the CRM. */
interface SortedRow {
	/** All headings of the row. */
	names: string[];
	/** Value for each column that a heading matches. */
	cells: readonly Cell[];
	/** Cells with a text that the node changed or shortened, or that counts as blank. */
	changed: ChangedCell[];
	beaten: Beaten[];
	/** Headings that the node uses, each with its column of the CRM. */
	used: Map<string, TableColumn>;
	/** Headings of cells with a value that no column takes. */
	notUsed: string[];
}

/** Finds the values of a row for the columns of the CRM. */
export function cellsOf(item: Row, headings: Headings): SortedRow {
	const row = withPartsBeside(item, headings.columns);
	const names = Object.keys(row);
	const clean = new CleanRow(row);
	const textOf = (heading: string, column?: TableColumn) => clean.text(heading, column);
	const filled = headings.take(names, textOf).map((taken) => filledBy(taken, clean));
	const used = new Map<string, TableColumn>();
	for (const { column, uses } of filled) {
		for (const heading of uses) if (!used.has(heading)) used.set(heading, column);
	}
	const cells = filled.flatMap((one) => one.cells);
	const named = withNameParts(cells, headings.columns);
	for (const header of named.notUsed) used.delete(header);
	const split = filled.flatMap((one) => one.split ?? []);
	const changed = [...clean.changed(), ...split, ...named.changed].filter(
		// A note that a text counts as blank stays only if no column uses the cell. "Company" under "Title" is no
		// salutation, but may be a job title. A note on a changed text stays only if a column uses the cell.
		({ value, header }) => (value === undefined) !== used.has(header),
	);
	const known = new Set([...used.keys(), ...changed.map(({ header }) => header)]);
	const notUsed = names.filter((heading) => textOf(heading) !== '' && !known.has(heading));
	const beaten = filled.flatMap((one) => one.beaten ?? []);
	return { names, cells: named.cells, changed, beaten, used, notUsed };
}

/** Values that one column takes from a row. */
interface Filled {
	column: TableColumn;
	cells: Cell[];
	/** Headings of the cells that the column uses. */
	uses: string[];
	beaten?: Beaten;
	/** Cell with a whole address for several columns, and a note on the parts of the address. */
	split?: ChangedCell;
}

/** Fills a column from the cells under its headings. */
function filledBy(taken: Taken, clean: CleanRow): Filled {
	const { column, best, inFront = [], further, deciding, parts } = taken;
	const textOf = (heading: string) => clean.text(heading, column);
	const [header = '', ...alike] = best;
	const others = [...alike, ...taken.beaten].filter((one) => textOf(one) !== textOf(header));
	const same = taken.beaten.filter((one) => !others.includes(one));
	const uses = [...best, ...same, ...inFront, ...further, ...deciding];
	const filled = (value: string) => ({ column, cells: [{ column, header, value }], uses });
	if (parts) {
		const value = parts[column.name as keyof WholeAddress]!;
		const shown = Object.values(parts).map(quoted).join(', ');
		const notes = [`${quoted(clean.text(header))} is taken as ${shown}`];
		const split = column.name === 'street' && { split: { column, header, value, notes } };
		return { ...filled(value), ...split };
	}
	if (column.name === 'honorificPrefix') {
		const titled = (heading: string) => withTitle(textOf(header), textOf(heading));
		const title = others.find((heading) => titled(heading) !== textOf(header));
		if (title) return { ...filled(titled(title)), uses: [...uses, title] };
	}
	const isAlike = others.some((heading) => alike.includes(heading));
	const beaten = others.length > 0 && { beaten: { column, header, others, isAlike } };
	const given = [...best.slice(0, 1), ...further];
	const before = inFront.map(textOf);
	if (column.name === 'status' && before.length > 0) {
		return { ...filled(`${before[0]} / ${textOf(header)}`), ...beaten };
	}
	if (column.name === 'street') {
		const [street = '', ...behind] = given.map(textOf);
		return { ...filled(joined(street, before, behind)), ...beaten };
	}
	const cells = uniqBy(given, textOf).map((heading) => {
		return { column, header: heading, value: clean.cell(heading, column).value };
	});
	return { column, cells, uses, ...beaten };
}

/**
 * Joins the parts of a street. Some files repeat the house number in the column of the street. The result has this
 * number only once.
 */
function joined(street: string, before: readonly string[], behind: readonly string[]): string {
	const isThere = (part: string) => ` ${street} `.endsWith(` ${part} `) || street === part;
	const isBefore = (part: string) => ` ${street} `.startsWith(` ${part} `);
	const own = [...before.filter((part) => !isBefore(part) && !isThere(part)), street];
	return [
		...own,
		...(isThere(behind.join(' ')) ? [] : behind.filter((part) => !isThere(part))),
	].join(' ');
}

/** A row that cleans each of its cells once for each column of the CRM that may take the cell. */
class CleanRow {
	private readonly cells = new Map<string, Cleaned & { header: string; column?: TableColumn }>();

	constructor(private readonly row: Row) {}

	cell(header: string, column?: TableColumn): Cleaned {
		const key = `${column?.name ?? ''}\n${header}`;
		const known = this.cells.get(key);
		if (known) return known;
		const clean = { ...cleaned(this.row[header], column), header, ...(column && { column }) };
		this.cells.set(key, clean);
		return clean;
	}

	/** Returns a cell as text; a blank becomes the empty text. */
	text(header: string, column?: TableColumn): string {
		const { value } = this.cell(header, column);
		if (isBlank(value)) return '';
		return typeof value === 'string' ? value.trim() : JSON.stringify(value);
	}

	/** Returns the cells that the rules of `cellRules.ts` changed or made blank. */
	changed(): ChangedCell[] {
		return [...this.cells.values()].flatMap(({ column, ...cell }) =>
			column && cell.notes.length > 0 ? [{ ...cell, column }] : [],
		);
	}
}

/**
 * Splits an object in a row into columns: `{ address: { city } }` becomes `city`. Earlier nodes may pass such objects.
 */
function withPartsBeside(row: Row, columns: readonly TableColumn[]): Row {
	const whole: Record<string, unknown> = { ...row };
	const names = new Set(columns.map(({ name }) => name));
	for (const { name, field, part } of columns) {
		// A list field, such as Email Addresses, also has a column for the whole list, so its value stays whole.
		if (part === undefined || names.has(field)) continue;
		const value: unknown = row[field];
		const object = isObject(value) ? value : parsedList(value);
		if (!isObject(object)) continue;
		if (isBlank(row[name])) whole[name] = object[part];
		delete whole[field];
	}
	return whole;
}

/**
 * Headings of a table that give columns their values, and headings that do not. All are in the short form for messages.
 */
export interface UsedHeadings {
	/** Headings that a column takes its values from, with the label of this column. */
	used: Array<{ heading: string; column: string }>;
	/** Headings that no column takes, with the number of rows that have text under the heading. */
	notUsed: Array<{ heading: string; rows: number }>;
}

/** Sorts the headings of a whole table: those that give columns their values, and the others. */
export function usedHeadings(table: readonly Row[], headings: Headings): UsedHeadings {
	const found = table.map((row) => cellsOf(row, headings));
	const used = new Map<string, TableColumn>();
	for (const { names, used: own } of found) {
		for (const name of names) if (own.has(name)) used.set(name, own.get(name)!);
	}
	const counts = countBy(found.flatMap(({ notUsed }) => notUsed));
	return {
		used: [...used].map(([heading, { label: column }]) => ({
			heading: shownHeading(heading),
			column,
		})),
		notUsed: Object.entries(counts).map(([heading, rows]) => ({
			heading: shownHeading(heading),
			rows,
		})),
	};
}
