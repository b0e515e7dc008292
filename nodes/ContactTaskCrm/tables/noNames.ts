import { isNoneWord } from '../values/placeholder';

/*
 * Recognises texts that are no name of a person or a town, and no job title. Replaces entities of HTML, which web
 * programs write into tables.
 */

/** Words for "none" that are names, too: the family names Geen and Na, the town Leer. */
const NAMES: ReadonlySet<string> = new Set(
	(
		'na none null nil nan undefined blank empty select string missing todo true false geen leeg ka kein keine keiner ' +
		'leer aucun aucune néant neant vide'
	).split(' '),
);
/** Matches initials, such as "N.V.T.". In small letters, "n.v.t." is a Dutch word for "none". */
const INITIALS = /^(?:\p{Lu}\.\s?){2,}$/u;
/** Matches what a wrong encoding leaves of an accent: "Ã¼" of "ü", U+FFFD, or the "?" in "M?ller". */
const GARBLED = /\uFFFD|\?\p{L}|[ÂÃ][\u0080-\u00BF\u0152-\u0178\u2013-\u203A]/u;

/** Returns whether a text is a word for "none" that nobody has as a name. */
export function isNoName(text: string): boolean {
	const word = text.toLowerCase().replace(/[\s.]/g, '');
	return isNoneWord(text) && !NAMES.has(word) && !INITIALS.test(text.trim());
}

/** Returns whether a program has read a text in a wrong encoding, and so lost its accents. */
export function isGarbled(text: string): boolean {
	return GARBLED.test(text);
}

/** Matches a kind of people, such as "customer", which is no job title. */
const KINDS_OF_PEOPLE =
	/^(?:customer|client|subscriber|klant|kunde|member|lid|mitglied|contact|lead|prospect|attendee|presenter|organi[sz]er|participant|deelnemer|teilnehmer|guest|gast|invité)$/i;

/**
 * Returns whether a text is a kind of a person, such as "customer". Shops and meetings write such texts under "Role".
 */
export function isKindOfPerson(text: string): boolean {
	return KINDS_OF_PEOPLE.test(text.trim());
}

/** Kind of a participant behind a name: "Eva Vos (Guest)". Programs for meetings add such a kind. */
const ROLE_BEHIND =
	/(?<=\S)\s\((?:guest|gast|host|organi[sz]er|extern(?:al|e)?|invité|unverified|sample)\)\s*$/i;

export function withoutRole(name: string): string {
	return name.replace(ROLE_BEHIND, '');
}

const ENTITIES: Readonly<Record<string, string>> = {
	...{ amp: '&', apos: "'", quot: '"', lt: '<', gt: '>', nbsp: ' ', rsquo: '’', ndash: '–' },
	...{ szlig: 'ß', oslash: 'ø', Oslash: 'Ø', aelig: 'æ', AElig: 'Æ' },
};
/** Names of accents in entities such as "&euml;", and the signs of Unicode that put them on a letter. */
const ACCENTS: Readonly<Record<string, string>> = {
	...{ uml: '\u0308', acute: '\u0301', grave: '\u0300', circ: '\u0302', tilde: '\u0303' },
	...{ cedil: '\u0327', ring: '\u030A', caron: '\u030C' },
};
const ENTITY =
	/&(?:#(x[\da-f]{2,5}|\d{2,6})|([a-z])(uml|acute|grave|circ|tilde|cedil|ring|caron)|(\w+));/gi;

/** Replaces entities of HTML by their signs, because web programs may write "O&#39;Brien" and "Zo&euml;". */
export function withoutEntities(text: string): string {
	return text.replace(ENTITY, (whole, code?: string, letter = '', accent = '', name = '') => {
		if (code) return String.fromCodePoint(Number(code.replace(/^x/i, '0x')));
		if (letter) return (letter + ACCENTS[accent.toLowerCase()]!).normalize('NFC');
		return ENTITIES[name] ?? whole;
	});
}
