/*
 * Functions for text: a test for blanks, and forms for comparison. E-mail addresses, phone numbers and network IDs have
 * their own form, which `cleanContact` returns.
 */

/**
 * Invisible characters, as the content of a character class: zero width, soft hyphen, direction marks, byte order mark.
 * White space is not among them.
 */
const INVISIBLE = String.raw`\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF`;

const INVISIBLE_SIGNS = new RegExp(`[${INVISIBLE}]`, 'g');
/** Characters that no service stores: NUL, and half of an emoji. Such a half remains if an expression cuts a text. */
const UNSTORABLE_SIGNS = /[\0\p{Cs}]/gu;
const ONLY_BLANKS = new RegExp(String.raw`^[\s\0\p{Cs}${INVISIBLE}]*$`, 'u');

/**
 * Returns whether a value is null, undefined, or text of only white space and invisible characters. The whole node uses
 * this rule for blanks, because rows of databases and spreadsheets have many blanks.
 */
export function isBlank(value: unknown): boolean {
	return (
		value === undefined || value === null || (typeof value === 'string' && ONLY_BLANKS.test(value))
	);
}

/** Returns a text without characters that no service stores, and without white space around the text. */
export function storableText(text: string): string {
	return text.replace(UNSTORABLE_SIGNS, '').trim();
}

/** Returns text in a form to compare: trimmed, without invisible characters, in Unicode form NFC. */
export function cleanText(text: string): string {
	return text.replace(INVISIBLE_SIGNS, '').normalize('NFC').trim();
}

/** Invisible signs, except U+200C and U+200D, which Persian and Hindi need in a word. */
const NOT_NEEDED = new RegExp(`(?![\\u200C\\u200D])[${INVISIBLE}]`, 'g');
const NO_BREAK = /(?<=\S)[\u00A0\u2000-\u200A\u202F\u3000](?=\S)/g;

/** Returns text without needless invisible signs, in Unicode form NFC, with plain spaces between its words. */
export function visibleText(text: string): string {
	return text.replace(NOT_NEEDED, '').replace(NO_BREAK, ' ').normalize('NFC');
}

/** Full-width digits and signs. Chinese and Japanese keyboards write them in phone numbers and addresses. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Hyphens, dashes and minus signs other than the one on the keyboard. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/** Signs that only some people write between the digits of a phone number, as the content of a character class. */
export const RARE_SIGNS = "·•∙⋅‧・'’";

/**
 * Matches a text that may be a phone number: digits and signs, perhaps with an extension. A network ID with other
 * letters does not match.
 */
const WITH_RARE_SIGNS = new RegExp(
	String.raw`^[+\d\s()./${RARE_SIGNS}-]+(?:\p{L}{1,12}\.?\s*\d+)?$`,
	'u',
);
/** Matches a rare sign between two digits of a phone number. */
const BETWEEN_DIGITS = new RegExp(`(?<=[\\d)])[${RARE_SIGNS}](?=[\\d(])`, 'g');

/** A link as Markdown: "[eva@crm.example](mailto:eva@crm.example)". */
const MARKDOWN_LINK = /^\[[^\]]*\]\(((?:mailto|tel):[^\s()?]+)(?:\?[^\s()]*)?\)$/i;

/**
 * Cleans an e-mail address, phone number or network ID. Full-width characters become ASCII, and every dash becomes "-".
 * Removes additions of mail programs and links: the name in "Eva <eva@crm.example>", "mailto:", "tel:", Markdown.
 * Between two digits of a phone number, a rare sign such as "·" becomes a space. Most people write a space there, so an
 * exact search more likely finds the number. A clean text stays as it is.
 */
export function cleanContact(text: string): string {
	const narrow = text
		.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(HYPHENS, '-');
	const plain = cleanText(narrow).replace(MARKDOWN_LINK, '$1');
	const [inBrackets = ''] = plain.slice(plain.lastIndexOf('<') + 1).split('>');
	const address = plain.endsWith('>') && inBrackets.includes('@') ? inBrackets : plain;
	const bare = address.trim().replace(/^(?:(?:mailto|tel):\s*)+/i, '');
	return WITH_RARE_SIGNS.test(bare) ? bare.replace(BETWEEN_DIGITS, ' ') : bare;
}

/** Returns a text in lower case, without accents. Variants such as full-width letters become plain letters. */
export function folded(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Returns a value as trimmed text in lower case, for comparison. */
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
