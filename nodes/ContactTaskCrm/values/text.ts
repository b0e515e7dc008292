/*
 * A text: what counts as blank, and the forms in which two texts are compared.
 */

/** Source of a character class: white space does not belong to it. Zero width, soft hyphen, direction marks, byte order mark. */
const INVISIBLE = String.raw`\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF`;

const INVISIBLE_SIGNS = new RegExp(`[${INVISIBLE}]`, 'g');
const ONLY_BLANKS = new RegExp(String.raw`^[\s${INVISIBLE}]*$`);

/**
 * Returns whether a value is null, undefined, or text of white space and invisible characters. This is the only rule for
 * blanks: rows of databases and spreadsheets have many of them.
 */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && ONLY_BLANKS.test(value))
	);
}

/** Returns text in a form to compare: trimmed, without invisible characters, in Unicode form NFC. */
export function cleanText(text: string): string {
	return text.replace(INVISIBLE_SIGNS, '').normalize('NFC').trim();
}

/** Returns a text without accents, in lower case. Plain letters replace variants such as full-width letters. */
export function folded(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Returns a value as a word in lower case, to compare it. */
export function wordOf(value: unknown): string {
	return String(value).trim().toLowerCase();
}

/** Returns the trimmed text of a string or number; an empty string for any other value. */
export function textIn(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Writes a value for a message: text in quotes, a number as it is, anything else as JSON. */
export function quoted(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return `"${shortened(value)}"`;
	return shortened(JSON.stringify(value) ?? typeof value);
}

/** Cuts a text to `longest` characters, and marks the cut with "…". It does not split a surrogate pair. */
export function shortened(text: string, longest = 100): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
