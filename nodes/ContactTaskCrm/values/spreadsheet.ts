/*
 * What spreadsheets and programs put around a value. Each function takes all of it off, so a second call changes nothing.
 */

/** A formula that only holds a text. Spreadsheets keep the zeros of ="007". */
const FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

/** Returns the text of a formula that holds nothing else: `="CEO"` is CEO. */
export function withoutFormula(text: string): string {
	const [, inner] = FORMULA.exec(text) ?? [];
	return inner === undefined ? text : withoutFormula(inner.replace(/""/g, '"'));
}

/**
 * Removes the apostrophe by which spreadsheets keep a number or a formula as text: '01012, '+31612345678. An apostrophe
 * before a letter belongs to the value: 't Hart.
 */
export function withoutGuard(text: string): string {
	return text.replace(/^\s*'+(?=[-+=@\d])/, '');
}

/** Removes the ".0" behind digits alone. Programs for data add it to a column of numbers with a blank cell. */
export function withoutDecimal(text: string): string {
	return text.replace(/^(\s*\+?\d+)\.0(\s*)$/, '$1$2');
}

const QUOTES = ['""', "''", '``', '“”', '‘’', '«»', '„“', '‚‘', '’’', '””'];

/** Removes quotes that surround a text. */
export function unquoted(text: string): string {
	const bare = text.trim();
	let start = 0;
	let end = bare.length;
	// A text may have a million quotes, so no copy is made for each of them.
	while (end - start > 2 && QUOTES.includes(bare.charAt(start) + bare.charAt(end - 1))) {
		start++;
		end--;
	}
	return start === 0 ? text : bare.slice(start, end).trim();
}

/** ":::" between spaces. In a text of one line, also without spaces. A text of several lines may use it as a mark. */
const BETWEEN_VALUES = /(?:^|[^\S\n]):::(?=\s|$)/;

/** Returns the first of several values that ":::" separates, as in Google Contacts. */
export function firstOfSeveral(text: string): string {
	const [first = ''] = text.split(text.includes('\n') ? BETWEEN_VALUES : ':::');
	return first.length === text.length ? text : first.trim();
}
