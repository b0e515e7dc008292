/*
 * Functions that remove the signs that spreadsheets and other programs put around a value. One call of such a function
 * removes all signs that it knows, so a second call changes nothing.
 */

/** Matches a formula that only holds a text, such as ="007". In such a formula, a spreadsheet keeps the zeros. */
const FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

/** Returns the text of a formula that holds only a text: `="CEO"` becomes CEO. */
export function withoutFormula(text: string): string {
	const [, inner] = FORMULA.exec(text) ?? [];
	return inner === undefined ? text : withoutFormula(inner.replace(/""/g, '"'));
}

/**
 * Removes the apostrophe that makes a spreadsheet keep a number, a formula or an e-mail address as text: '01012,
 * '+31612345678, 'SW1A 1AA, 'eva@crm.example. An apostrophe before a word belongs to the value: 't Hart.
 */
export function withoutGuard(text: string): string {
	return text.replace(/^\s*'+(?=[-+=@\d]|[A-Z]{1,3}-?\d|[^\s'@]+@[^\s'@]+$)/, '');
}

/** Removes the ".0" behind a whole number. If a column has a blank cell, some programs add ".0" to all its numbers. */
export function withoutDecimal(text: string): string {
	return text.replace(/^(\s*\+?\d+)\.0(\s*)$/, '$1$2');
}

/** Returns whether a text is a long number whose last digits a spreadsheet has cut, such as "1.23457E+15". */
export function isCut(text: string): boolean {
	return /^\s*\d(?:[.,]\d+)?E\+\d{2,}\s*$/i.test(text);
}

const QUOTES = ['""', "''", '``', '“”', '‘’', '«»', '„“', '‚‘', '’’', '””'];

/** Removes quotes that surround a text. */
export function unquoted(text: string): string {
	const bare = text.trim();
	let start = 0;
	let end = bare.length;
	// A text may have a million quotes. The loop only counts them, because a copy for each quote would be slow.
	while (end - start > 2 && QUOTES.includes(bare.charAt(start) + bare.charAt(end - 1))) {
		start++;
		end--;
	}
	return start === 0 ? text : bare.slice(start, end).trim();
}

/**
 * Matches ":::" where it separates values in a text of several lines. In front stands a space, or nothing. Behind
 * stands white space, or nothing. At the start of a later line, ":::" may be markup.
 */
const BETWEEN_VALUES = /(?:^|[^\S\n]):::(?=\s|$)/;

/** Returns the first value of a text with several values. Google Contacts separates values by ":::". */
export function firstOfSeveral(text: string): string {
	const [first = ''] = text.split(text.includes('\n') ? BETWEEN_VALUES : ':::');
	return first.length === text.length ? text : first.trim();
}
