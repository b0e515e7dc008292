// Says which columns of a file the node takes, by the rules of the node.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { person } = require('../nodes/ContactTaskCrm/schema/person.ts');
const { fieldsOf } = require('../nodes/ContactTaskCrm/schema/record.ts');
const { cellsOf } = require('../nodes/ContactTaskCrm/tables/cells.ts');
const { Headings } = require('../nodes/ContactTaskCrm/tables/headings.ts');

/** The rules that match headings to columns of people. */
export const HEADINGS = new Headings(fieldsOf(person, 'create'));

/** Number of rows that decide which columns are used. */
const ROWS_TO_DECIDE = 1_000;

/**
 * Returns the columns of a file that the node takes, and those that it leaves. The values of a row decide between columns.
 * @param {string[]} names
 * @param {Record<string, string>[]} [rows]
 */
export function columnsTaken(names, rows = []) {
	const takenIn = (valueOf) =>
		HEADINGS.take(names, valueOf).flatMap(({ column, best, inFront = [], further, deciding }) =>
			[...best.slice(0, 1), ...inFront, ...further, ...deciding].map((name) => [name, column]),
		);
	const isFilled = (name) => rows.some((row) => row[name]?.trim());
	// A column without any value is shown as if it had one.
	const blank = takenIn(() => 'value').filter(([name]) => !isFilled(name));
	// In a row, the node also uses a rival with an equal value. Here, such a column counts as left.
	const filled = rows.slice(0, ROWS_TO_DECIDE).flatMap((row) => {
		const best = new Map(takenIn((name) => row[name]?.trim() ?? ''));
		return [...cellsOf(row, HEADINGS).used].filter(([name]) => best.has(name));
	});
	const columnOf = new Map([...blank, ...filled]);
	const found = names.map((name) => ({ name, column: columnOf.get(name) }));
	const taken = found.filter(({ column }) => column);
	const left = names.filter((name) => !columnOf.has(name));
	const own = HEADINGS.ownOf(names, isFilled);
	const others = left.filter((name) => !own.includes(name));
	const beaten = left.filter((name) => own.includes(name) && HEADINGS.isKnown(name));
	return { taken, left, others, beaten };
}

/** Maximum number of column names in a list. */
const MOST_NAMES = 10;

/** Lists the first names, and the number of the others. */
export function listed(names) {
	const more = names.length - MOST_NAMES;
	const first = names.slice(0, MOST_NAMES).join(', ');
	return more > 0 ? `${first} and ${more} more` : first;
}

/** Lists the used columns, and the unused ones with the reason. */
export function describeColumns({ taken, left, others, beaten }) {
	const width = Math.max(...taken.map(({ name }) => name.length));
	const lines = taken.map(({ name, column }) => `  ${name.padEnd(width)}  → ${column.label}`);
	const unknown = left.filter((name) => !others.includes(name) && !beaten.includes(name));
	const unused = [
		['Columns not used (no such field in the CRM):', unknown],
		['Columns not used, because another column was:', beaten],
		['Columns not used, because they are about another person:', others],
	]
		.filter(([, names]) => names.length > 0)
		.map(([title, names]) => `${title}\n  ${listed(names)}`);
	return ['Columns used:', ...lines, ...unused].join('\n');
}
