/*
 * Replaces entities of HTML, which web programs write into tables.
 */

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
		if (letter) return (letter + (ACCENTS[accent] ?? '')).normalize('NFC');
		return ENTITIES[name] ?? whole;
	});
}
