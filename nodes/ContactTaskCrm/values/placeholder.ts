import { isMeantAsEmail } from './email';
import { cleanContact, cleanText, folded } from './text';

/*
 * Recognises texts that stand for no value in tables. Error values such as #N/A, and signs such as "-", are never a
 * value. A word for "none" may be a value: Geen is a family name, and None is a town. Between signs, as in "[none]",
 * such a word is no value.
 */

/**
 * Error values of databases, programs and spreadsheets, in English, Dutch, German, French, Spanish, Italian, Portuguese,
 * Polish, Swedish, Danish and Norwegian.
 */
const ERROR_VALUES: ReadonlySet<string> = new Set(
	(
		'NULL null (null) <null> \\N nan NaN undefined #N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #N/B #VERW! ' +
		'#WAARDE! #NAAM? #DEEL/0! #GETAL! #LEEG! #NV #BEZUG! #WERT! #ZAHL! #VALEUR! #NOM? #NOMBRE! #NUL! #ERROR! ' +
		'#SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT! #BUSY! #UNKNOWN! #GETTING_DATA Loading... #N/D #N/V #I/T #¡VALOR! ' +
		'#¡REF! #¿NOMBRE? #¡DIV/0! #¡NUM! #¡NULO! #VALOR! #NÚM! #NULO! #VALORE! #RIF! #NOME? #NULLO! #ARG! #ADR! ' +
		'#NAZWA? #DZIEL/0! #LICZBA! #ZERO! #SAKNAS! #VÄRDEFEL! #REFERENS! #NAMN? #DIVISION/0! #OGILTIGT! #SKÄRNING! ' +
		'#VÆRDI! #REFERENCE! #NAVN? #VERDI!'
	).split(' '),
);

/** Returns whether a text is in `ERROR_VALUES`. Capitals count, because NULL is an error, but Null a family name. */
export function isErrorValue(text: string): boolean {
	return ERROR_VALUES.has(cleanText(text));
}

const OBJECT_TEXT = /^(?:\[object \w+\][\s,;]*)+$/;

/** Returns whether a text consists of "[object Object]" or the like, as JavaScript writes an object in a text. */
export function isObjectText(text: string): boolean {
	return OBJECT_TEXT.test(cleanText(text));
}

/** Matches the day that a program writes for "no date". MySQL, .NET, Excel and Access have different such days. */
const ZERO_DAY =
	/^(?:0000-00-00|0001-01-01|1900-01-00|1899-12-3[01]|(?:00[./-]00|01[./-]01)[./-]000[01]|0?1\/0?0\/1900|30[./-]12[./-]1899|12\/30\/1899)(?=$|[T ])/;

/** Texts that programs write for "no date", in lower case: "Invalid Date", "NaT". */
const NO_DATES: readonly string[] = ['nat', 'invalid date', 'invalid datetime', 'never'];

/**
 * Returns whether a text stands for "no date": a zero day, perhaps with a time, or a word for "none". The word "true"
 * does not stand for it, because somebody may mark a finished task with "true".
 */
export function isNoDate(text: string): boolean {
	const clean = cleanText(text);
	const word = clean.toLowerCase();
	return ZERO_DAY.test(clean) || NO_DATES.includes(word) || (word !== 'true' && isNoneWord(clean));
}

/** Returns whether a text has no letter and no digit, such as "-" or ".". */
export function isOnlySigns(text: string): boolean {
	return !/[\p{L}\p{N}]/u.test(text);
}

/** Texts that mean "none", in lower case, without spaces and accents. `isNoneWord` compares texts in this form. */
const NONE_WORDS: ReadonlySet<string> = new Set(
	(
		'n/a #n/a na none null nil nan undefined unknown blank empty select pleaseselect maakeenkeuze bittewahlen ' +
		'bitteauswahlen choisissez idem ditto zieboven sieheoben seeabove voirplushaut inforequested string ' +
		'unassigned notassigned niettoegewezen nichtzugewiesen nonassigne nonassignee nonattribue missing notset ' +
		'notavailable notapplicable notprovided notgiven notknown noemail noe-mail nomail nophone nonumber ' +
		'novalue noname noanswer tbd tba tbc todo true false nvt nietvantoepassing onbekend geen nietbekend ' +
		'nietingevuld nietopgegeven leeg geenemail geene-mail geenmail geentelefoon geennummer k/a ka kein keine ' +
		'keiner keineangabe keineangaben ohneangabe unbekannt nichtbekannt nichtvorhanden nichtangegeben leer ' +
		'keinemail keineemail keinee-mail keintelefon inconnu inconnue aucun aucune neant vide nonrenseigne ' +
		'nonrenseignee sansobjet noncommunique nondisponible pasdemail pasd’email ntb fname lname firstname ' +
		'lastname untitled naamloos unbenannt sanstitre desconocido sinnombre sinapellidos ' +
		'sconosciuto'
	).split(' '),
);

/**
 * Fields where a word for "none" counts as blank. Fields of names are not among them: Geen is a family name, and K.A.
 * are initials.
 */
export const NONE_IS_BLANK_IN: readonly string[] = [
	...['emailAddresses', 'phoneNumbers', 'people', 'networkId', 'customerId', 'jobTitle'],
	...['honorificPrefix', 'postalCode', 'street'],
];

/** Matches the digits of a number that stands for no value: only zeros, or one digit at least eight times. */
const FILLED_NUMBER = /^(?:0+|(\d)\1{7,})$/;

/** Matches a URL of no profile. The path is empty, or names only a section of the site, such as /in/. */
const BARE_URL =
	/^(?:https?:\/\/(?:[\w-]+\.)+[a-z]+|(?:www\.)?(?:linkedin|xing|facebook|instagram)\.com)\/*(?:(?:in|pub|profile|profiles|people|company|feed|user|users|view)\/*)?$/i;

/**
 * Returns whether a text means "none": "n/a", "00000", the URL of no profile, or an address such as "none@none.com".
 */
export function meansNone(text: string): boolean {
	const clean = cleanContact(text);
	if (BARE_URL.test(clean)) return true;
	if (!/\p{L}/u.test(clean) && FILLED_NUMBER.test(clean.replace(/\D/g, ''))) return true;
	if (!isMeantAsEmail(clean)) return isNoneWord(clean);
	const [local = '', domain = ''] = clean.split('@');
	return isNoneWord(local) && isNoneWord(domain.split('.')[0] ?? '');
}

/** Maximum length of a word for "none", in characters. */
const LONGEST_WORD = 60;

/** Returns whether a text is among `NONE_WORDS`. Case, accents, brackets, quotes, spaces and dots do not count. */
export function isNoneWord(text: string): boolean {
	if (text.length > LONGEST_WORD) return false;
	const bare = folded(text).replace(/[\s.()[\]<>{}"'_!?:*~=|]/g, '');
	return NONE_WORDS.has(bare.replace(/^-+|-+$/g, ''));
}

/** Matches a text with a sign at both ends: "[…]", "-…-". */
const BETWEEN_SIGNS = /^[([<{*_~=|-].*[)\]>}*_~=|-]$/s;

/**
 * Returns whether a text is a word for "none" between signs: "[not provided]", "-None-". Programs write such texts into
 * fields of any kind, and nobody writes a name in this way.
 */
export function isMarkedNone(text: string): boolean {
	const clean = cleanText(text);
	return BETWEEN_SIGNS.test(clean) && isNoneWord(clean);
}

/** Matches a gap that no mail merge or form has filled: "*|FNAME|*", "{{name}}", "<test lead>", "[First Name]". */
const UNFILLED = /^(?:\*\|.*\|\*|\{.*\}|<.*>|\[.*\]|\$\{.*\}|%.*%)$/s;

/** Returns whether a text is a gap of a template, such as "{{name}}", that no program has filled. */
export function isUnfilled(text: string): boolean {
	return UNFILLED.test(cleanText(text)) && !isObjectText(text);
}

/** Returns whether a text stands for no value. The node never looks for a person by such a text. */
export function isPlaceholder(text: string): boolean {
	return isErrorValue(text) || isObjectText(text) || isOnlySigns(text) || meansNone(text);
}

/**
 * Spellings that language models and programs use for "no value", besides `ERROR_VALUES`. "Null" is not among them,
 * because it is a family name.
 */
const MODEL_WORDS = /^(?:string|N\/A|n\/a|NONE|nil|[Uu]nknown|[Nn]ot (?:provided|specified))$/;

/** Fields where "None" may be a name, because a town has this name. */
const MAY_BE_NONE = ['city', 'familyName'];

/**
 * Returns whether a text of a language model stands for no value. A model fills in every parameter of its tool, even
 * without a value for it.
 *
 * @param names name of the field, and the name of its part if the text is the value of a part
 */
export function isModelsNone(text: string, names: readonly string[]): boolean {
	if (isErrorValue(text) || isOnlySigns(text) || MODEL_WORDS.test(cleanText(text))) return true;
	if (/^none$/i.test(cleanText(text))) return !names.some((name) => MAY_BE_NONE.includes(name));
	return names.some((name) => NONE_IS_BLANK_IN.includes(name)) && meansNone(text);
}
