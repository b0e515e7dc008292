import type { TableColumn } from '../schema/tableColumns';
import { cleanText, quoted, shortened } from '../values/text';
import { plainName } from './plainName';
import type { Cleaned } from './cellRules';
import type { WholeAddress } from './wholeAddress';

/*
 * Cells of a row, and the spelling of their headings in messages.
 */

/** Maximum length of a heading in a message or preview, in characters. */
const LONGEST_HEADING = 40;

/** Values of an item, keyed by the headings of a table, or by the names of columns or fields. */
export type Row = Readonly<Record<string, unknown>>;

/** Value that a row gives for a column of the CRM. */
export interface Cell {
	column: TableColumn;
	/** Heading of the cell in the input; absent if the user mapped the column by hand. */
	header?: string | undefined;
	value: unknown;
	/** Full name that the node split to get `value`; otherwise absent. Only a new person gets such a part. */
	fullName?: FullNameCell;
}

/** A cell with a full name, in a row without a given name in another column. */
export interface FullNameCell {
	header: string;
	text: string;
	/** Whether the node could not tell the parts of the name apart. The family name then takes the whole name. */
	isWhole: boolean;
}

/** Returns the label of a cell's column for messages, with the heading if it differs: `Job Title (from "Role")`. */
export function cellLabel({ column: { label }, header }: Pick<Cell, 'column' | 'header'>): string {
	const isCalledSo = header === undefined || plainName(header) === plainName(label);
	return isCalledSo ? label : `${label} (from ${quoted(shownHeading(header))})`;
}

/** Returns a heading as messages and previews show it: short, and without invisible characters. */
export function shownHeading(heading: string): string {
	return shortened(cleanText(heading), LONGEST_HEADING);
}

/** Cell with a text that the node changed or shortened, or that counts as blank. */
export type ChangedCell = Cleaned & { column: TableColumn; header: string };

/** Row of an item, read from the columns of a table. */
export interface ReadRow {
	/**
	 * Cells of the columns that the user mapped, or that a heading matches. Most columns have one cell. A column of a
	 * list may have several cells, from several headings or from one cell with several contacts.
	 */
	cells: readonly Cell[];
	/** Texts of the row that count as blank, keyed by the names of their columns. */
	blanked: ReadonlyMap<string, string>;
	/** Headings of the input that may mean a person's name, but that no column takes. */
	namesLeft: readonly string[];
	/** Notes for the user on cells and headings. */
	notes: readonly string[];
}

/** Row of an item without columns of a table. The values of such an item come from parameters or JSON. */
export const NO_ROW: ReadRow = { cells: [], blanked: new Map(), namesLeft: [], notes: [] };

/** Headings of a row that match one column: those that give its values, and those that match less well. */
export interface Taken {
	column: TableColumn;
	/**
	 * Headings that match best. Several headings may spell one name, such as "Email" and "E-Mail". For a list field,
	 * `best` has only the first of these headings.
	 */
	best: string[];
	/**
	 * Headings of additional values. Such a value is a further list entry ("E-mail 2 Address"), or text to put behind the
	 * best value ("House Number"). Headings with a word such as "Home" come last. "Work" does not count as such a word.
	 */
	further: string[];
	/**
	 * Headings of values that go in front of the best value. In English and French, the house number goes in front of the
	 * street. The workspace goes in front of a task's column.
	 */
	inFront?: string[];
	/** Parts of a whole address in the cell of the best heading. The column takes its part. Absent for other cells. */
	parts?: WholeAddress;
	/** Headings that match less well than `best`. The column does not take their values. */
	beaten: string[];
	/** Headings of cells that tell the kind of a phone number: "Phone 1 - Label" may hold "Home". */
	deciding: string[];
}
