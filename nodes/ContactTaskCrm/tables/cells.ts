import { countBy, uniqBy } from 'lodash';
import type { Headings } from './headings';
import type { TableColumn } from '../schema/tableColumns';
import { isObject, parsedList } from '../values/json';
import { isBlank, quoted } from '../values/text';
import { type Cell, type ChangedCell, type Row, shownHeading } from './cell';
import { cleaned, type Cleaned } from './cellRules';
import { withNameParts } from './nameCells';
import { addressIn, type WholeAddress } from './wholeAddress';

/*
 * An item can be a row of the user's table, with a heading above each value. A `TableColumn` stands for a field of the
 * CRM, or for a part of a field. This file finds the value for each `TableColumn`, and the headings that match no
 * column.
 */

/** Matches an academic title, which stands behind the salutation of another column: "Dr." behind "Frau". */
const ACADEMIC = /\b(?:prof|dr|drs|ir|ing|dipl|mag|dott)\b/i;

/** A column that several headings match, with different values. The column takes the value of the best match. */
interface Beaten {
	column: TableColumn;
	/** Heading that gives the value of the column. */
	header: string;
	/** Other headings that match the column, and lose. */
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
	const beaten: Beaten[] = [];
	const used = new Map<string, TableColumn>();
	const split: ChangedCell[] = [];
	const clean = new CleanRow(row);
	const textOf = (heading: string, column?: TableColumn) =>
		cellText(clean.cell(heading, column).value);
	const cells = headings.take(Object.keys(row), textOf).flatMap((taken): Cell[] => {
		const { column, best, inFront = [], further, deciding } = taken;
		const [header = '', ...alike] = best;
		const rivals = [...alike, ...taken.beaten];
		const others = rivals.filter((heading) => textOf(heading, column) !== textOf(header, column));
		const same = rivals.filter((heading) => !others.includes(heading));
		const parts = taken.isSplit ? addressIn(textOf(header)) : undefined;
		const value = parts?.[column.name as keyof WholeAddress];
		if (parts && !value) return [];
		for (const heading of [...best, ...same, ...inFront, ...further, ...deciding])
			if (!used.has(heading)) used.set(heading, column);
		if (parts && column.name === 'street') {
			const shown = Object.values(parts).map(quoted).join(', ');
			split.push({
				column,
				header,
				value,
				notes: [`${quoted(textOf(header))} is taken as ${shown}`],
			});
		}
		if (parts) return [{ column, header, value }];
		const isTitled = column.name !== 'honorificPrefix' || ACADEMIC.test(textOf(header, column));
		const isTitle = (heading: string) => !isTitled && ACADEMIC.test(textOf(heading, column));
		const title = others.find(isTitle);
		if (title !== undefined) {
			used.set(title, column);
			return [{ column, header, value: `${textOf(header, column)} ${textOf(title, column)}` }];
		}
		const isAlike = others.some((heading) => alike.includes(heading));
		if (others.length > 0) beaten.push({ column, header, others, isAlike });
		const given = [...best.slice(0, 1), ...further];
		const before = inFront.map((heading) => textOf(heading, column));
		if (column.name === 'status' && before.length > 0) {
			return [{ column, header, value: `${before[0]} / ${textOf(header, column)}` }];
		}
		if (column.name !== 'street') {
			const different = uniqBy(given, (heading) => textOf(heading, column));
			return different.map((heading) => {
				const { value } = clean.cell(heading, column);
				return { column, header: heading, value };
			});
		}
		const [street = '', ...behind] = given.map((heading) => textOf(heading, column));
		return [{ column, header, value: joined(street, before, behind) }];
	});
	const named = withNameParts(cells, headings.columns);
	for (const header of named.notUsed) used.delete(header);
	const changed = [...clean.changed(), ...split, ...named.changed].filter(
		// A note that a text counts as blank stays only if no column uses the cell. "Company" under "Title" is no
		// salutation, but may be a job title. A note on a changed text stays only if a column uses the cell.
		({ value, header }) => (value === undefined) !== used.has(header),
	);
	const known = new Set([...used.keys(), ...changed.map(({ header }) => header)]);
	const isNotUsed = (heading: string) => textOf(heading) !== '' && !known.has(heading);
	const names = Object.keys(row);
	return { names, cells: named.cells, changed, beaten, used, notUsed: names.filter(isNotUsed) };
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

/** Returns the value of a cell as text; a blank becomes the empty text. */
function cellText(value: unknown): string {
	if (isBlank(value)) return '';
	return typeof value === 'string' ? value.trim() : JSON.stringify(value);
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
