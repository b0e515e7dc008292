import type { IDataObject } from 'n8n-workflow';
import { isFullName, nameUnder } from './fullNameHeadings';
import type { TableColumn } from '../schema/tableColumns';
import { personName } from '../values/person';
import {
	comparedAs,
	type FullName,
	isInfix,
	isSameFullName,
	restOfName,
	splitName,
	withoutInfix,
} from '../values/fullName';
import type { NameParts } from '../values/name';
import { partsWhere } from '../values/json';
import { cleanText, quoted, textIn } from '../values/text';
import type { Cell, ChangedCell, FullNameCell, ReadRow } from './cell';
import { cellLabel, shownHeading } from './cell';
import { withoutPoorer } from './poorerCells';

/*
 * Finds the name of a person in the cells of a row. A column may hold the full name, alone or beside a column of the
 * given name. A column of the family name may repeat the given name or the infix of another column.
 */

/** Cells of a row after the node has split the cell of a full name. */
interface NamedRow {
	cells: Cell[];
	/** Heading of a full name that does not fit the given name in the row. No column takes this name. */
	notUsed: string[];
	/** Cells of names, if a column takes only a part of the text. The note says which part. */
	changed: ChangedCell[];
}

/**
 * Replaces the cell of a full name by cells for the parts of the name. From the cell of a given name, moves a
 * salutation to its own column. Also removes a family name that this cell repeats.
 */
export function withNameParts(cells: readonly Cell[], columns: readonly TableColumn[]): NamedRow {
	const cellOf = (name: string) => cells.find(({ column }) => column.name === name);
	const given = cellOf('givenName');
	const text = cleanText(textIn(given?.value));
	const { honorificPrefix = '', familyName: own } = splitName(text);
	const title = text.endsWith(own) ? honorificPrefix : '';
	const family = ` ${cleanText(textIn(cellOf('familyName')?.value))}`;
	const isRepeated = family !== ' ' && text.toLowerCase().endsWith(family.toLowerCase());
	if (!given?.header || (title === '' && !isRepeated)) return withFullName(cells, columns);
	// "mw. Ans" is Ans, with the salutation "mw." if no column gives one. "Ans Bos" beside the family name "Bos" is Ans.
	const untitled = text.slice(title === '' ? 0 : text.indexOf(title) + title.length).trim();
	const value = isRepeated ? untitled.slice(0, -family.length).trim() : untitled;
	const column = columns.find(({ name }) => name === 'honorificPrefix')!;
	const named = cells.map((cell) => (cell === given ? { ...cell, value } : cell));
	const all = title === '' ? named : withPart(named, { ...given, column, value: title });
	const row = withFullName(all, columns);
	const notes = [`${quoted(text)} is taken as ${quoted(value)}`];
	return { ...row, changed: [...row.changed, { ...given, header: given.header, value, notes }] };
}

/** Matches an academic title, such as "Dr.". */
const ACADEMIC = /\b(?:prof|dr|drs|ir|ing|dipl|mag|dott)\b/i;

/** Adds an academic title from another place of the row to a salutation without one: "Frau Dr.". */
export function withTitle(salutation: string, title: string): string {
	return ACADEMIC.test(title) && !ACADEMIC.test(salutation) ? `${salutation} ${title}` : salutation;
}

/** Adds a part of a name unless another column gives it. A salutation of another column gets only an academic title. */
function withPart(cells: Cell[], part: Cell): Cell[] {
	const { name } = part.column;
	if (cells.every(({ column }) => column.name !== name)) return [...cells, part];
	if (name !== 'honorificPrefix') return cells;
	const titled = (cell: Cell) => withTitle(textIn(cell.value), textIn(part.value));
	return cells.map((cell) => (cell.column.name === name ? { ...cell, value: titled(cell) } : cell));
}

function withFullName(cells: readonly Cell[], columns: readonly TableColumn[]): NamedRow {
	const cellOf = (name: string) => cells.find(({ column }) => column.name === name);
	const columnOf = (name: string) => columns.find((column) => column.name === name)!;
	const full = cellOf('fullName');
	const family = cellOf('familyName');
	const source = full ?? family;
	if (!source?.header) return { cells: [...cells], notUsed: [], changed: [] };
	const { header } = source;
	const text = textIn(source.value);
	const others = cells.filter((cell) => cell !== source);
	const given = textIn(cellOf('givenName')?.value);
	const infix = textIn(cellOf('additionalName')?.value);
	if (full && given === '') {
		const { isWhole, ...parts } = partsOfFullName(header, text, infix);
		const fullName = { header, text, isWhole };
		const made = Object.entries(parts).map(
			([name, value]): Cell => ({ column: columnOf(name), header, value, fullName }),
		);
		return { cells: made.reduce(withPart, others), notUsed: [], changed: [] };
	}
	const mayBeFull = full !== undefined || isFullName(header);
	// Beside the given name "Eva", "Eva" under "Name" is no family name.
	const repeatsGiven = mayBeFull && given !== '' && isSameFullName(text, given);
	// Under a heading of the family name, "(Ann) Lee" may be the whole family name, even beside the given name "Ann".
	const mayRepeat = mayBeFull || /^\p{L}/u.test(text);
	const own = mayRepeat ? restOfName(text, given) : text;
	const rest = repeatsGiven ? undefined : (own ?? (full ? onlyFamilyName(text) : text));
	if (rest === undefined) return { cells: others, notUsed: [header], changed: [] };
	const whole = withInfixInFront(rest);
	const value = isInfix(infix) ? withoutInfix(whole, infix) : whole;
	if (source === family && value === text) return { cells: [...cells], notUsed: [], changed: [] };
	const cell = { column: columnOf('familyName'), header, value };
	const note = `${quoted(text)} is taken as ${quoted(value)}`;
	const isCut = (text.includes(',') || !mayBeFull) && value !== text;
	const changed: ChangedCell[] = isCut ? [{ ...cell, notes: [note] }] : [];
	return { cells: [...others, cell], notUsed: [], changed };
}

/**
 * Splits a full name as `nameUnder` does.
 *
 * @param infix infix from another column of the row. The family name leaves it out, because the CRM has a field for it
 */
function partsOfFullName(header: string, text: string, infix: string): Omit<FullName, 'infix'> {
	const { infix: own = '', ...parts } = nameUnder(header, text);
	if (!isInfix(infix) || !isSameFullName(own, infix)) return parts;
	return { ...parts, familyName: withoutInfix(parts.familyName, infix) };
}

/** Puts the infix of a family name in front: "Berg, van den" and "Berg (van den)" become "van den Berg". */
function withInfixInFront(name: string): string {
	const [, own = '', infix = ''] = /^([^,()]+)[,(]([^,()]+)\)?$/.exec(name) ?? [];
	return isInfix(infix) ? `${infix.trim()} ${own.trim()}` : name;
}

/** Returns the text if it is certainly only a family name: one word, perhaps behind infixes. Otherwise undefined. */
function onlyFamilyName(text: string): string | undefined {
	const words = text.split(/\s+/);
	return words.slice(0, -1).every(isInfix) ? text : undefined;
}

function fullNameIn(cells: readonly Cell[] = []): Cell | undefined {
	return cells.find(({ fullName }) => fullName);
}

/**
 * Removes the cells that the node split from a full name, and adds a note. An update by ID calls this function. Such an
 * update has not read the person, so it cannot compare the full name with the person's name.
 */
export function withoutFullName(cells: readonly Cell[]): Pick<ReadRow, 'cells' | 'notes'> {
	const { fullName } = fullNameIn(cells) ?? {};
	if (!fullName) return { cells, notes: [] };
	return { cells: cells.filter((cell) => !cell.fullName), notes: [leftOut(fullName)] };
}

function leftOut({ header, text }: FullNameCell): string {
	return `${shownHeading(header)} ${quoted(text)} is left out, because only a new person takes a name from one column`;
}

/**
 * Returns the body for an update, without names and places that the person has in a better spelling, and without the
 * values that the node split from a full name.
 */
export function bodyForExisting(
	cells: readonly Cell[] = [],
	body: IDataObject,
	person: IDataObject,
): { body: IDataObject; notes: string[] } {
	const own = withoutNewParts(cells, body, person);
	const better = withoutPoorer(cells, own.body, person);
	return { body: better.body, notes: [...own.notes, ...better.notes] };
}

/**
 * Returns a body without the values that the node split from a full name. Only a new person gets such values. If the
 * person has a different name, a note says that the full name is left out.
 */
function withoutNewParts(
	cells: readonly Cell[],
	body: IDataObject,
	person: IDataObject,
): ReturnType<typeof bodyForExisting> {
	const { fullName } = fullNameIn(cells) ?? {};
	if (!fullName) return { body, notes: [] };
	const names = cells.flatMap((cell) => (cell.fullName ? [cell.column.name] : []));
	const { givenName, initials, honorificPrefix } = body;
	const hasInitials = initials !== undefined && givenName === undefined;
	const called = (one: IDataObject) =>
		personName(hasInitials ? { ...one, givenName: one.initials } : one);
	const isShown =
		isSameFullName(called(body), called(person)) &&
		(!names.includes('honorificPrefix') || person.honorificPrefix === honorificPrefix);
	return {
		body: partsWhere(body, (_, name) => !names.includes(name)) as IDataObject,
		notes: isShown ? [] : [leftOut(fullName)],
	};
}

/** Returns a note if the family name of a new person takes a full name that the node could not split. */
export function noteOfWholeName(cells: readonly Cell[] | undefined): string[] {
	const cell = cells?.find(
		({ column, fullName }) => column.name === 'familyName' && fullName?.isWhole,
	);
	return cell ? [`${cellLabel(cell)} takes ${quoted(cell.value)} whole`] : [];
}

/**
 * Returns the name of a row for a comparison with the name of a person. For this purpose, splits a full name even if
 * its parts are not certain.
 */
export function nameToCompare(cells: readonly Cell[] | undefined, body: IDataObject): NameParts {
	const { fullName } = fullNameIn(cells) ?? {};
	return fullName?.isWhole ? { ...body, ...comparedAs(fullName.text) } : body;
}
