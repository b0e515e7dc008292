import { intersection } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { TableColumn } from '../schema/tableColumns';
import { areInitialsOf } from '../values/fullName';
import { isObject, partsWhere } from '../values/json';
import { spellingsOf } from '../values/name';
import { quoted } from '../values/text';
import { type Cell, cellLabel } from './cell';

/*
 * Recognises names and places that the CRM has in a better spelling than the row. An import of a list in capitals must
 * not spoil the names in the CRM.
 */

/** Columns with names of people and places. */
const SPELLED = ['givenName', 'additionalName', 'familyName', 'street', 'city', 'postalCode'];

/** Matches a word. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns a body without the names and places that the person has in a better spelling. A note names each of them. */
export function withoutPoorer(
	cells: readonly Cell[],
	body: IDataObject,
	person: IDataObject,
): { body: IDataObject; notes: string[] } {
	const poorer = cells.filter(({ column }) => {
		const [text, shown] = [valueAt(body, column), valueAt(person, column)];
		return SPELLED.includes(column.name) && isPoorer(text, shown, column.name);
	});
	const isKept = (field: string, part?: string) =>
		!poorer.some(({ column }) => column.field === field && column.part === part);
	const kept = Object.entries(body).flatMap(([field, value]): Array<[string, unknown]> => {
		if (!isKept(field)) return [];
		if (!isObject(value)) return [[field, value]];
		const parts = partsWhere<unknown>({ ...value }, (_, part) => isKept(field, part));
		return Object.keys(parts).length > 0 ? [[field, parts]] : [];
	});
	return {
		body: Object.fromEntries(kept) as IDataObject,
		notes: poorer.map((cell) => {
			const shown = quoted(valueAt(person, cell.column));
			return `${cellLabel(cell)} ${quoted(cell.value)} is left out, because the CRM has ${shown}`;
		}),
	};
}

/** Returns the value of a column in a record: a field, or a part of one, such as the city of the address. */
function valueAt(record: IDataObject, { field, part }: TableColumn): unknown {
	const value: unknown = record[field];
	return part !== undefined && isObject(value) ? value[part] : value;
}

/**
 * Returns whether a text is a worse spelling of the shown text. It may have only capitals, only small letters or no
 * accents. It may also be the initials of a given name, or a postal code with other spaces.
 */
function isPoorer(text: unknown, shown: unknown, name: string): boolean {
	if (typeof text !== 'string' || typeof shown !== 'string') return false;
	if (name === 'postalCode') {
		return text !== shown && text.replace(/\s/g, '').toUpperCase() === shown.replace(/\s/g, '');
	}
	if (name === 'givenName' && areInitialsOf(text, shown) && !areInitialsOf(shown, text))
		return true;
	// A text of one or two characters, such as "JP", may be a name in capitals.
	if (text.length < 3 || isFlat(shown) || !haveSameWords(text, shown)) return false;
	return isFlat(text) || (hasAccent(shown) && !hasAccent(text));
}

/** Returns whether a text has only capitals or only small letters. */
function isFlat(text: string): boolean {
	return text === text.toUpperCase() || text === text.toLowerCase();
}

function hasAccent(text: string): boolean {
	return /[^a-z]/i.test(text.normalize('NFC').replace(/\P{L}/gu, ''));
}

/** Returns whether two texts have the same words, ignoring case, accents and punctuation: Müller and MUELLER. */
function haveSameWords(one: string, other: string): boolean {
	const wordsIn = (text: string) => text.normalize('NFC').toLowerCase().match(WORD) ?? [];
	const [words, others] = [wordsIn(one), wordsIn(other)];
	const isSame = (word: string, index: number) =>
		!!intersection(spellingsOf(word), spellingsOf(others[index]!))[0];
	return words.length > 0 && words.length === others.length && words.every(isSame);
}
