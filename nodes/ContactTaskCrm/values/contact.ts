import { cleanText } from './text';

/** Full-width digits and signs, as Chinese and Japanese keyboards write them in phone numbers and addresses. */
const FULL_WIDTH = /[\uFF01-\uFF5E]/g;

/** Hyphens, dashes and minus signs other than the one on the keyboard. */
const HYPHENS = /[\u2010-\u2015\u2212]/g;

/**
 * Returns an e-mail address, phone number or identifier with ASCII digits, signs and hyphens. Removes additions of mail
 * programs and links ("Eva <eva@crm.example>", "mailto:", "tel:"). A clean text stays as it is.
 */
export function cleanContact(text: string): string {
	const narrow = text
		.replace(FULL_WIDTH, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
		.replace(HYPHENS, '-');
	const plain = cleanText(narrow);
	const [inBrackets = ''] = plain.slice(plain.lastIndexOf('<') + 1).split('>');
	const address = plain.endsWith('>') && inBrackets.includes('@') ? inBrackets : plain;
	return address.trim().replace(/^(?:(?:mailto|tel):\s*)+/i, '');
}
