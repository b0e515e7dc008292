import { isMeantAsEmail } from './email';
import { cleanContact, cleanText, folded } from './text';

/*
 * Texts that tables hold in place of a value. Error values and signs are never a value. A word for "none" may be one: Geen
 * is a family name, and None is a town. Signs around such a word mark it as no value.
 */

/** Error values of databases, programs and spreadsheets, in English, Dutch, German and French. */
const ERROR_VALUES: ReadonlySet<string> = new Set([
	...['NULL', '(null)', '<null>', '\\N', 'nan', 'NaN', 'undefined'],
	...['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!'],
	...['#N/B', '#VERW!', '#WAARDE!', '#NAAM?', '#DEEL/0!', '#GETAL!', '#LEEG!'],
	...['#NV', '#BEZUG!', '#WERT!', '#ZAHL!', '#VALEUR!', '#NOM?', '#NOMBRE!', '#NUL!'],
]);

/** Returns whether a text is an error value of a program. Only these spellings count, because Null is a family name. */
export function isErrorValue(text: string): boolean {
	return ERROR_VALUES.has(cleanText(text));
}

const OBJECT_TEXT = /^(?:\[object \w+\][\s,;]*)+$/;

/** Returns whether a text is what JavaScript makes of an object, such as "[object Object]". */
export function isObjectText(text: string): boolean {
	return OBJECT_TEXT.test(cleanText(text));
}

/** Returns whether a text has no letter and no digit, such as "-" or ".". */
export function isOnlySigns(text: string): boolean {
	return !/[\p{L}\p{N}]/u.test(text);
}

/** Words that mean "none", without case, accents, brackets, quotes, spaces and dots. */
const WORDS: ReadonlySet<string> = new Set([
	...['n/a', '#n/a', 'na', 'none', 'null', 'nil', 'nan', 'undefined', 'unknown', 'blank', 'empty'],
	...['select', 'pleaseselect', 'maakeenkeuze', 'bittewahlen', 'bitteauswahlen', 'choisissez'],
	...['inforequested', 'string'],
	...['missing', 'notset', 'notavailable', 'notapplicable', 'notprovided', 'notgiven', 'notknown'],
	...['noemail', 'noe-mail', 'nomail', 'nophone', 'nonumber', 'novalue', 'noname', 'noanswer'],
	...['tbd', 'tba', 'tbc', 'todo', 'true', 'false', 'nvt', 'nietvantoepassing', 'onbekend', 'geen'],
	...['nietbekend', 'nietingevuld', 'nietopgegeven', 'leeg', 'geenemail', 'geene-mail', 'geenmail'],
	...['geentelefoon', 'geennummer', 'k/a', 'ka', 'kein', 'keine', 'keiner', 'keineangabe'],
	...[
		'keineangaben',
		'ohneangabe',
		'unbekannt',
		'nichtbekannt',
		'nichtvorhanden',
		'nichtangegeben',
	],
	...['leer', 'keinemail', 'keineemail', 'keinee-mail', 'keintelefon', 'inconnu'],
	...['inconnue', 'aucun', 'aucune', 'neant', 'vide', 'nonrenseigne', 'nonrenseignee', 'sansobjet'],
	...['noncommunique', 'nondisponible', 'pasdemail', 'pasd’email'],
]);

/** Fields in which such a word is no value. Geen is a family name, and K.A. are initials. */
export const MAY_HOLD_WORDS: readonly string[] = [
	...['emailAddresses', 'phoneNumbers', 'people', 'networkId', 'customerId', 'jobTitle'],
	...['honorificPrefix', 'postalCode', 'street'],
];

/** Zeros alone, or one digit for all of a number, such as 1111111111. */
const FILLED_NUMBER = /^(?:0+|(\d)\1{7,})$/;

/** A URL of a network without anybody's profile: its path is empty, or names a part of the site alone. */
const BARE_URL =
	/^(?:https?:\/\/(?:[\w-]+\.)+[a-z]+|(?:www\.)?(?:linkedin|xing|facebook|instagram)\.com)\/*(?:(?:in|pub|profile|profiles|people|company|feed|user|users|view)\/*)?$/i;

/** Returns whether a text is a word that means "none", a number of zeros, or a URL of nobody's profile. */
export function meansNone(text: string): boolean {
	const clean = cleanContact(text);
	if (BARE_URL.test(clean)) return true;
	if (!/\p{L}/u.test(clean) && FILLED_NUMBER.test(clean.replace(/\D/g, ''))) return true;
	if (!isMeantAsEmail(clean)) return isWord(clean);
	const [local = '', domain = ''] = clean.split('@');
	return isWord(local) && isWord(domain.split('.')[0] ?? '');
}

/** Length up to which a text may be a word for "none". */
const LONGEST_WORD = 60;

function isWord(text: string): boolean {
	if (text.length > LONGEST_WORD) return false;
	const bare = folded(text).replace(/[\s.()[\]<>{}"'_!?:*~=|]/g, '');
	return WORDS.has(bare.replace(/^-+|-+$/g, ''));
}

/** Signs on both sides of a text: "[…]", "-…-". */
const BETWEEN_SIGNS = /^[([<{*_~=|-].*[)\]>}*_~=|-]$/s;

/**
 * Returns whether signs on both sides mark a word that means "none": "[not provided]", "-None-". So programs fill fields
 * of any kind. Nobody writes a name in this way.
 */
export function isMarkedNone(text: string): boolean {
	const clean = cleanText(text);
	return BETWEEN_SIGNS.test(clean) && isWord(clean);
}

/** Returns whether a text stands in place of a value. Nobody can be found by such a text. */
export function isPlaceholder(text: string): boolean {
	return isErrorValue(text) || isObjectText(text) || isOnlySigns(text) || meansNone(text);
}

/** Spellings that language models and programs use for "no value". Null with one capital is a family name. */
const MODEL_WORDS: ReadonlySet<string> = new Set(['null', 'string', 'N/A', 'n/a', 'NONE', 'nil']);

/** Fields in which None is a name: there is a town None. */
const MAY_BE_NONE = ['city', 'familyName'];

/**
 * Returns whether a text of a language model stands for no value. A model fills in every parameter of its tool.
 *
 * @param names names of the field and its part
 */
export function isModelsNone(text: string, names: readonly string[]): boolean {
	if (isErrorValue(text) || isOnlySigns(text) || MODEL_WORDS.has(cleanText(text))) return true;
	if (/^none$/i.test(cleanText(text))) return !names.some((name) => MAY_BE_NONE.includes(name));
	return names.some((name) => MAY_HOLD_WORDS.includes(name)) && meansNone(text);
}
