/** Characters that nobody sees: zero width, soft hyphen, marks of direction, the mark before a file. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;

/** Nothing but what nobody sees, from the first character on. */
const BLANK = /^[\s\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]*$/;

/** Whether nobody sees anything of a text. */
export function isBlankText(text: string): boolean {
	return BLANK.test(text);
}

/** Digits, and the signs of phone numbers and addresses, in the width of Chinese characters. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Hyphens, dashes and minus signs that stand for the one of the keyboard. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * Text as two of them are compared: trimmed, without what nobody sees, each letter in one form.
 * Nothing that people write to mean something goes.
 */
export function cleanText(text: string): string {
	return text.normalize('NFC').replace(INVISIBLE, '').trim();
}

/** What stands between the titles of a list: commas, or semicolons as other programs export them. */
export const BETWEEN_TITLES = /[,;]/;

/** A title or name in a list that is written with commas. */
export function withoutCommas(title: string): string {
	const parts = title.split(BETWEEN_TITLES).map((part) => part.trim());
	return parts.filter(Boolean).join(' ');
}

/** A title as two of them are compared: of "Workspace / Column", each part by itself. */
export function comparableTitle(text: string): string {
	const parts = withoutCommas(cleanText(text)).toLowerCase().split('/');
	return parts.map((part) => part.trim()).join('/');
}

/**
 * An e-mail address, a phone number or an identifier as it is meant: digits and hyphens of the keyboard, and
 * without what mail programs and links put around it ("Eva <eva@crm.example>", "mailto:", "tel:").
 */
export function cleanContact(text: string): string {
	const plain = cleanText(text)
		.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(HYPHENS, '-');
	const inBrackets = plain.endsWith('>') ? plain.slice(plain.lastIndexOf('<') + 1, -1) : plain;
	const address = inBrackets.includes('@') ? inBrackets : plain;
	return address
		.trim()
		.replace(/^(?:mailto|tel):/i, '')
		.trim();
}
