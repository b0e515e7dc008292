import { cleanText } from './text';

/** Full-width digits and signs, as Chinese and Japanese keyboards write them in phone numbers and addresses. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Hyphens, dashes and minus signs other than the one on the keyboard. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/** Signs that only some people write between the digits of a phone number, as the content of a character class. */
export const RARE_SIGNS = "·•∙⋅‧・'’";

/** A number with such signs, and perhaps an extension. A Network ID has letters. */
const WITH_RARE_SIGNS = new RegExp(
	String.raw`^[+\d\s()./${RARE_SIGNS}-]+(?:\p{L}{1,12}\.?\s*\d+)?$`,
	'u',
);
const BETWEEN_DIGITS = new RegExp(`(?<=[\\d)])[${RARE_SIGNS}](?=[\\d(])`, 'g');

/**
 * Returns an e-mail address, phone number or identifier with ASCII digits, signs and hyphens. Removes additions of mail
 * programs and links ("Eva <eva@crm.example>", "mailto:", "tel:"). A blank replaces a rare sign between digits, so that a
 * search finds the number in its usual spelling. A clean text stays as it is.
 */
export function cleanContact(text: string): string {
	const narrow = text
		.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(HYPHENS, '-');
	const plain = cleanText(narrow);
	const [inBrackets = ''] = plain.slice(plain.lastIndexOf('<') + 1).split('>');
	const address = plain.endsWith('>') && inBrackets.includes('@') ? inBrackets : plain;
	const bare = address.trim().replace(/^(?:(?:mailto|tel):\s*)+/i, '');
	return WITH_RARE_SIGNS.test(bare) ? bare.replace(BETWEEN_DIGITS, ' ') : bare;
}
