import { cleanContact, RARE_SIGNS } from './text';

/*
 * Recognises phone numbers, and decides whether two phone numbers are the same.
 */

/** Signs that people write between the digits of a phone number, as the content of a character class. */
const SIGNS = String.raw`\s()./${RARE_SIGNS}-`;

/** Matches a digit, "+" or "(", then digits and signs, then perhaps an extension: "+31 (0)20 123 45 67 ext. 12". */
const PHONE = new RegExp(
	String.raw`^(\(?\+?\s?\(?\d[\d${SIGNS}]*)(?:(?:, ?)?(?:x|ext\.?|extension|toestel|tst\.?|durchwahl|poste|int\.?)\s*(\d{1,6}))?$`,
	'i',
);
const LEAST_DIGITS = 5;
/** E.164 allows 15 digits, and a prefix "00" or "(0)" may add two. A text with more digits holds several numbers. */
const MOST_DIGITS = 17;

/**
 * Number of last digits that two phone numbers must share if one of them lacks the country code. Fewer digits recur in
 * the numbers of many towns. A country code does not change the last eight digits of a number.
 */
const DIGITS_TO_COMPARE = 8;

/** Country code for a number without one: NL, as the interface assumes for addresses (section 2.3). */
const HOME_COUNTRY_CODE = '31';

/** Parts of a phone number. */
export interface Phone {
	/** Meaning of the characters before the digits: "+" or "00" is international, and a single "0" is national. */
	prefix: 'international' | 'national' | 'none';
	/** Digits without prefix and extension. */
	digits: string;
	/** Digits of the extension; empty without one. */
	extension: string;
}

/** Splits a text into a phone number and its extension; undefined if the text is no phone number. */
function numberIn(text: string): { number: string; extension: string } | undefined {
	const [, number = '', extension = ''] = PHONE.exec(text) ?? [];
	const { length } = number.replace(/\D/g, '');
	return length >= LEAST_DIGITS && length <= MOST_DIGITS ? { number, extension } : undefined;
}

/** Returns whether a text is a phone number without any cleaning. White space around the text does not count. */
export function isPhoneNumber(text: string): boolean {
	return numberIn(text.trim()) !== undefined;
}

/** Cleans a text by `cleanContact`, and reads it as a phone number. Returns undefined if it is none. */
export function phoneOf(text: string): Phone | undefined {
	const { number, extension } = numberIn(cleanContact(text)) ?? {};
	if (number === undefined || extension === undefined) return undefined;
	// "+31 (0)20" means "+31 20", because callers dial the zero in brackets only within the country.
	const written = number.replace(/^(\s*\(?(?:\+|00).*)\(0\)/, '$1').replace(/[^+\d]/g, '');
	const [, mark, digits = ''] = /^(\+|00|0|)(\d+)$/.exec(written)!;
	const prefix = mark === '' ? 'none' : mark === '0' ? 'national' : 'international';
	return { prefix, digits, extension };
}

/**
 * Words for the kind of a phone number or e-mail address. The node removes them. Other words stay: "wife" may mean that
 * the number or address belongs to another person.
 */
export const LABEL_WORDS = [
	...['tel', 'telefoon', 'telefoonnummer', 'telephone', 'téléphone', 'telefon', 'phone', 't', 'p'],
	...['mob', 'mobiel', 'mobile', 'portable', 'handy', 'gsm', 'cell', 'm', 'fax', 'direct'],
	...['whatsapp', 'w', 'receptie', 'reception', 'rezeption', 'zentrale'],
	...['werk', 'work', 'kantoor', 'office', 'zakelijk', 'büro', 'bureau', 'travail', 'geschäftlich'],
	...['privé', 'prive', 'privat', 'private', 'home', 'thuis', 'domicile', 'algemeen', 'main'],
].join('|');
/** Matches a word of `LABEL_WORDS` in front of a number: "Tel.", "mobile:", "m". */
const KIND_IN_FRONT = new RegExp(String.raw`^\s*(?:${LABEL_WORDS})[.:\s]\s*(?=[+(\d])`, 'iu');
/** Matches a word of `LABEL_WORDS`, perhaps in brackets, or a full stop behind a number: "(privé)", "WhatsApp". */
const KIND_BEHIND = new RegExp(String.raw`(?<=\d)(?:\s?\(?(?:${LABEL_WORDS})\.?\)?|\.)\s*$`, 'iu');
/** Matches a link of WhatsApp: "https://wa.me/31612345678". */
const CHAT_LINK = /^\s*(?:https?:\/\/)?wa\.me\/\+?(\d{7,15})\/?\s*$/i;

/** Removes words such as "Tel.", or a WhatsApp link, around a number. If the rest is no number, the text stays. */
export function withoutKindWords(text: string): string {
	const bare = text.replace(CHAT_LINK, '+$1').replace(KIND_IN_FRONT, '').replace(KIND_BEHIND, '');
	return isPhoneNumber(bare) ? bare : text;
}

/** Returns whether a text seems to be a phone number with extra words: "06 12345678 (mobile)". */
export function isNumberWithWords(text: string): boolean {
	const digits = text.replace(/\D/g, '').length;
	const hasWords = /[\s()]/.test(text) && !text.includes('@');
	return hasWords && digits >= DIGITS_TO_COMPARE && !phoneOf(text);
}

/**
 * Returns whether two phone numbers are the same. If one number lacks the country code, the longer number must end with
 * all digits of the shorter one. The longer number must then have no national prefix. A national and an international
 * number with the same digits differ: 0471 2345678 is in Germany, and +47 12345678 in Norway. Two extensions of one
 * number are two numbers.
 */
export function isSamePhone(one: Phone, other: Phone): boolean {
	if (one.extension !== other.extension) return false;
	if (one.prefix === other.prefix) return one.digits === other.digits;
	const [short, long] = one.digits.length > other.digits.length ? [other, one] : [one, other];
	const countryDigits = long.digits.length - short.digits.length;
	if (short.digits.length < DIGITS_TO_COMPARE || !long.digits.endsWith(short.digits)) return false;
	if (countryDigits === 0) return short.prefix === 'none' || long.prefix === 'none';
	return countryDigits <= 3 && short.prefix !== 'international' && long.prefix !== 'national';
}

/** Returns a key that equal phone numbers share. The key consists of their last eight digits, and the extension. */
export function phoneKey({ digits, extension }: Phone): string {
	return withExtension(digits.slice(-DIGITS_TO_COMPARE), extension);
}

/**
 * Returns the spellings of a phone number for a lookup: E.164 and the national form. The service may compare text
 * exactly. The node checks each answer with `isSamePhone`, so an extra spelling does no harm.
 */
export function phoneSpellings({ prefix, digits, extension }: Phone): string[] {
	const isHome = digits.startsWith(HOME_COUNTRY_CODE);
	const international = [
		`+${digits}`,
		...(isHome ? [`0${digits.slice(HOME_COUNTRY_CODE.length)}`] : []),
	];
	const atHome = `+${HOME_COUNTRY_CODE}${digits}`;
	// A number without a prefix may be a national one, because spreadsheets drop the leading zero. `atHome` is then a
	// spelling, too.
	const mayBeNational = prefix === 'none' && !isHome && digits.length >= DIGITS_TO_COMPARE;
	const spellings = {
		international,
		national: [atHome, `0${digits}`],
		none: [...international, `0${digits}`, ...(mayBeNational ? [atHome] : [])],
	}[prefix];
	const separators = extension === '' ? [''] : [' ', ''];
	return separators.flatMap((separator) =>
		spellings.map((spelling) => withExtension(spelling, extension, separator)),
	);
}

function withExtension(number: string, extension: string, separator = ' '): string {
	return extension === '' ? number : `${number}${separator}x${extension}`;
}
