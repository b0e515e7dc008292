import { countBy, uniqBy } from 'lodash';
import { type Headings, plainName } from '../schema/headings';
import type { TableColumn } from '../schema/tableColumns';
import { cleanText, isBlank, quoted, shortened } from '../values/text';

/*
 * An item can be a row of the user's table. A heading is a field name of that row; a column is a field of the CRM. This
 * file finds the cell of each column, and the headings that no column takes.
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
}

export function cellLabel({ column: { label }, header }: Omit<Cell, 'value'>): string {
	const isCalledSo = header === undefined || plainName(header) === plainName(label);
	return isCalledSo ? label : `${label} (from ${quoted(shownHeading(header))})`;
}

/** Returns a heading as messages and previews show it: short, and without invisible characters. */
export function shownHeading(heading: string): string {
	return shortened(cleanText(heading), LONGEST_HEADING);
}

/** A column that several headings with different values match. The column takes the value of the best match. */
interface Beaten {
	column: TableColumn;
	/** Heading that gives the value of the column. */
	header: string;
	/** Other headings that match the column. The column does not take their values. */
	others: string[];
	/** Whether one of `others` matches the column equally well, so that the node cannot choose. */
	isAlike: boolean;
}

/** Returns the cells of a row, the columns that several headings match, and the headings that no column takes. */
export function cellsOf(row: Row, headings: Headings) {
	const textOf = (heading: string) => cellText(row[heading]);
	const beaten: Beaten[] = [];
	const used = new Set<string>();
	const cells = headings.take(Object.keys(row), textOf).flatMap((taken): Cell[] => {
		const { column, best, further, deciding } = taken;
		const [header = '', ...alike] = best;
		const rivals = [...alike, ...taken.beaten];
		const others = rivals.filter((heading) => textOf(heading) !== textOf(header));
		const same = rivals.filter((heading) => !others.includes(heading));
		for (const heading of [...best, ...same, ...further, ...deciding]) used.add(heading);
		const isAlike = others.some((heading) => alike.includes(heading));
		if (others.length > 0) beaten.push({ column, header, others, isAlike });
		const given = [...best.slice(0, 1), ...further];
		if (column.name !== 'street' || further.length === 0) {
			const different = uniqBy(given, textOf);
			return different.map((heading) => ({ column, header: heading, value: row[heading] }));
		}
		return [{ column, header, value: given.map(textOf).join(' ') }];
	});
	const left = Object.keys(row).filter((heading) => textOf(heading) !== '' && !used.has(heading));
	return { cells, beaten, left };
}

/** Returns the value of a cell as text; a blank becomes the empty text. */
function cellText(value: unknown): string {
	if (isBlank(value)) return '';
	return typeof value === 'string' ? value.trim() : JSON.stringify(value);
}

/** Returns the headings that no column takes, each with the number of rows in which the heading has a value. */
export function headingsLeft(rows: readonly Row[], headings: Headings) {
	const counts = countBy(rows.flatMap((row) => cellsOf(row, headings).left));
	return Object.entries(counts).map(([heading, count]) => ({
		heading: shownHeading(heading),
		count,
	}));
}
