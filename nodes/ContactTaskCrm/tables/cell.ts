import { plainName } from './plainName';
import type { TableColumn } from '../schema/tableColumns';
import { cleanText, quoted, shortened } from '../values/text';
import type { Cleaned } from './cellRules';

/*
 * A cell of a row, and its heading in messages.
 */

/** Maximum length of a heading in a message or preview, in characters. */
const LONGEST_HEADING = 40;

/** Values of an item, keyed by the name of a column or field. */
export type Row = Readonly<Record<string, unknown>>;

/** Value that an item gives for a column of the CRM. */
export interface Cell {
	column: TableColumn;
	/** Heading of the value in the input; absent if the user mapped the column by hand. */
	header?: string | undefined;
	value: unknown;
	/** Full name that this value was split from. The node writes such a value only if it creates the person. */
	fullName?: FullNameCell;
}

/** A cell with a full name, without another column of the name. */
export interface FullNameCell {
	header: string;
	text: string;
	/** Whether the name has no sure parts, so that the family name takes it whole. */
	isWhole: boolean;
}

export function cellLabel({ column: { label }, header }: Pick<Cell, 'column' | 'header'>): string {
	const isCalledSo = header === undefined || plainName(header) === plainName(label);
	return isCalledSo ? label : `${label} (from ${quoted(shownHeading(header))})`;
}

/** Returns a heading as messages and previews show it: short, and without invisible characters. */
export function shownHeading(heading: string): string {
	return shortened(cleanText(heading), LONGEST_HEADING);
}

/** A cell that the rules changed, or that counts as blank because of them. */
export type ChangedCell = Cleaned & { column: TableColumn; header: string };
