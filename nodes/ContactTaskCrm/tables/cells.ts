import { countBy, uniqBy } from 'lodash';
import type { Headings } from './headings';
import type { TableColumn } from '../schema/tableColumns';
import { isObject, parsedList } from '../values/json';
import { isBlank } from '../values/text';
import { type Cell, type ChangedCell, type Row, shownHeading } from './cell';
import { cleaned, type Cleaned } from './cellRules';
import { withNameParts } from './nameCells';

/*
 * An item can be a row of the user's table, with a heading above each value. A `TableColumn` stands for a field of the
 * CRM, or a part of one. This file finds the value for each of these columns, and the headings that match none.
 */

/** A column that several headings match, with different values. The column takes the value of the best match. */
interface Beaten {
	column: TableColumn;
	/** Heading that gives the value of the column. */
	header: string;
	/** Other headings that match the column, and lose. */
	others: string[];
	/** Whether one of the other headings matches equally well, so that the node cannot choose. */
	isAlike: boolean;
}

/** The headings and cells of a row, each assigned to a column of the CRM or to none. */
interface SortedRow {
	/** All headings of the row. */
	names: string[];
	/** Value for each column that a heading matches. */
	cells: readonly Cell[];
	/** Cells whose text the node changed or shortened, or that count as blank although they have text. */
	changed: ChangedCell[];
	beaten: Beaten[];
	/** Headings that the node uses for a column of the CRM, each with this column. */
	used: Map<string, TableColumn>;
	/** Headings with a value that no column takes. */
	notUsed: string[];
}

/** Finds the values of a row for the columns of the CRM. */
export function cellsOf(item: Row, headings: Headings): SortedRow {
	const row = withPartsBeside(item, headings.columns);
	const beaten: Beaten[] = [];
	const used = new Map<string, TableColumn>();
	const clean = new CleanRow(row);
	const textOf = (heading: string, column?: TableColumn) =>
		cellText(clean.cell(heading, column).value);
	const cells = headings.take(Object.keys(row), textOf).flatMap((taken): Cell[] => {
		const { column, best, inFront = [], further, deciding } = taken;
		const [header = '', ...alike] = best;
		const rivals = [...alike, ...taken.beaten];
		const others = rivals.filter((heading) => textOf(heading, column) !== textOf(header, column));
		const same = rivals.filter((heading) => !others.includes(heading));
		for (const heading of [...best, ...same, ...inFront, ...further, ...deciding])
			used.set(heading, column);
		const isAlike = others.some((heading) => alike.includes(heading));
		if (others.length > 0) beaten.push({ column, header, others, isAlike });
		const given = [...best.slice(0, 1), ...further];
		if (column.name !== 'street') {
			const different = uniqBy(given, (heading) => textOf(heading, column));
			return different.map((heading) => {
				const { value } = clean.cell(heading, column);
				return { column, header: heading, value };
			});
		}
		const [street = '', ...behind] = given.map((heading) => textOf(heading, column));
		const before = inFront.map((heading) => textOf(heading, column));
		return [{ column, header, value: joined(street, before, behind) }];
	});
	const named = withNameParts(cells, headings.columns);
	for (const header of named.notUsed) used.delete(header);
	const changed = [...clean.changed(), ...named.changed].filter(
		// A cell that counts as blank in one column may have a meaning in another. "Company" is no salutation, but may
		// be a job title.
		({ value, header }) => (value === undefined) !== used.has(header),
	);
	const known = new Set([...used.keys(), ...changed.map(({ header }) => header)]);
	const isNotUsed = (heading: string) => textOf(heading) !== '' && !known.has(heading);
	const names = Object.keys(row);
	return { names, cells: named.cells, changed, beaten, used, notUsed: names.filter(isNotUsed) };
}

/**
 * Joins the parts of a street. Some files repeat the house number in the column of the street. The result has it once.
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

/** A row of a table. It cleans each cell once for each column of the CRM that the cell may go to. */
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

/** Makes columns of the parts of an object in a row. A record from an earlier node has the address as an object. */
function withPartsBeside(row: Row, columns: readonly TableColumn[]): Row {
	const whole: Record<string, unknown> = { ...row };
	const names = new Set(columns.map(({ name }) => name));
	for (const { name, field, part } of columns) {
		// A list field, such as Email Addresses, also has a column of its own, so its value is not split.
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

/** What became of the headings of a table. Each heading has the short form of messages. */
export interface UsedHeadings {
	/** Headings that give a column its values, with the label of the column. */
	used: Array<{ heading: string; column: string }>;
	/** Headings that no column takes, with the number of rows that have a value. */
	notUsed: Array<{ heading: string; rows: number }>;
}

/** Tells which headings of a whole table give columns their values, and which give none. */
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
