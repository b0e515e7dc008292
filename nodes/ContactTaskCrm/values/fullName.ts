import { takeWhile } from 'lodash';
import { cleanText, folded } from './text';

/*
 * Splits a full name from one column of a table. A name stays whole if its parts are not certain. Otherwise, the node
 * would also split names of companies, families and couples.
 */

/** The parts of a full name. */
export interface FullName {
	/** Salutation or academic title in front of the name: "Dhr.", "Prof. dr.". */
	honorificPrefix?: string;
	givenName?: string;
	/** Letters with dots in place of the given name: "J.P.". */
	initials?: string;
	/** Infixes in front of the family name: "van der". `familyName` holds them, too. */
	infix?: string;
	familyName: string;
	/**
	 * Whether the node could not tell the parts of the name apart. `familyName` then holds the whole name, perhaps
	 * without its salutation.
	 */
	isWhole: boolean;
}

/** Words in front of a family name, such as "van" and "der" in "van der Berg". In lower case. */
const INFIXES: ReadonlySet<string> = new Set(
	(
		'aan af am auf aus av bij bin d da das de degli del della den der des di do dos du het ibn in la le les lo los op ' +
		'over t ten ter te tot uit uijt v van vande vanden vander vd vdn voor vom von zu zum zur'
	).split(' '),
);

/** Salutations and academic titles, in lower case and without dots. */
const SALUTATIONS: ReadonlySet<string> = new Set(
	(
		'mr mrs ms miss mister mx sir madam dhr heer meneer mevr mevrouw mw mej mejuffrouw juffrouw hr herr herrn fr frau ' +
		'fräulein mme mlle monsieur madame mademoiselle sr sra srta señor señora sig sigra dr drs ds ir ing kfm prof ' +
		'professor doctor dokter doktor docteur dott ssa dra mag rev reverend dipl'
	).split(' '),
);

/** Matches an addition to an academic title, without its dots: "med" of "Dr. med.", "hc" of "Dr. h.c.". */
const DEGREE = /^(?:med|dent|vet|phil|jur|iur|rer|nat|pol|oec|habil|theol|hc|mult)$/;

/**
 * A text with one of these words is not simply the name of one person. Some words mean companies, departments, groups,
 * couples, families or unknown people. Others, such as "junior", stand behind a name. In lower case and without dots.
 */
const NO_PERSON: ReadonlySet<string> = new Set(
	(
		'bv nv vof cv bvba sprl srl gmbh mbh kgaa ohg gbr ltd limited llc llp inc corp corporation company plc sas sasu ' +
		'sarl eurl oyj aps pty firma holding group groep gruppe groupe stichting vereniging stiftung verein association ' +
		'fondation foundation maatschap gemeente kerk school praktijk bakkerij garage hotel restaurant cafe apotheek ' +
		'bureau studio team afdeling fam familie family famille eheleute erven weduwe wed mm and en und et plus jr junior ' +
		'senior ii iii iv phd mba msc bsc llm consulting consultancy consultants solutions systems partners services ' +
		'service office praxis kanzlei klinik kliniek clinic cabinet department departement département abteilung ' +
		'verwaltung administration administratie boekhouding buchhaltung comptabilité finance marketing info reception ' +
		'receptie rezeption desk helpdesk support klantenservice kundenservice kundendienst caller user unknown ' +
		'onbekend unbekannt inconnu deleted anonymous anoniem anonym anonyme'
	).split(' '),
);
/** Words in a column of salutations that mean a company: "Firma", "An die Firma". */
const COMPANIES: ReadonlySet<string> = new Set(
	(
		'firma bedrijf onderneming organisatie instelling zaak company business organisation organization unternehmen ' +
		'gesellschaft société societe entreprise'
	).split(' '),
);
/**
 * Short words in the names of companies, such as "S.A.". They mean a company only in capitals or with dots. In other
 * spellings, they may be names of people.
 */
const IN_CAPITALS: ReadonlySet<string> = new Set(
	'ab ag as co eg ek ev fa kg oy sa spa sr ug'.split(' '),
);

/** Titles behind a comma, in lower case and without dots. "Smith, MD" has no given name behind the comma. */
const BEHIND_NAME: ReadonlySet<string> = new Set(
	'md dds dvm rn cpa esq ra aa rc cfa pmp'.split(' '),
);

const LONGEST = 200;
/** Matches initials: letters with dots, such as "J.", "J.P." or "Th.J.", or a single capital letter. */
const INITIALS = /^(?:(?:\p{Lu}\p{Ll}?\.-?)+|\p{Lu})$/u;
const WITH_DOTS = /^(?:\p{Lu}\p{Ll}?\.-?)+$/u;
/** Matches a word of a name. Chinese, Japanese and Korean words do not match: the order of such names is uncertain. */
const NAME = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}])[\p{L}\p{M}]['’\p{L}\p{M}-]*$/u;
const CAPITALS = /^[\p{Lu}\p{M}'’-]{3,}$/u;

function bare(word: string): string {
	return word.toLowerCase().replace(/[./]/g, '').replace(/’/g, "'");
}

function isInfixWord(word: string): boolean {
	const letters = bare(word);
	// A single capital letter is an initial, and no infix.
	if (/^\p{Lu}\.?$/u.test(word)) return false;
	return INFIXES.has(letters) || INFIXES.has(letters.replace(/'/g, ''));
}

/** Returns whether a text holds nothing but infixes: "van der". */
export function isInfix(text: string): boolean {
	const words = wordsOf(text);
	return words.length > 0 && words.length < 5 && words.every(isInfixWord);
}

/** Returns whether a text is a salutation or an academic title, such as "Mrs", "Prof. dr." or "Mr & Mrs". */
export function isSalutation(text: string): boolean {
	const words = wordsOf(text.replace(/\s(?:&|\/|en|and|und|et)\s/gi, ' '));
	return words.length > 0 && salutationLength(words, true) === words.length;
}

/** Returns whether a text from a column of salutations means a company: "Firma", "An die Firma". */
export function isOfCompany(text: string): boolean {
	const words = wordsOf(text.replaceAll('/', ' ')).map(bare);
	const own = words.filter((word) => !['an', 'die', 'aan', 'de', 'to', 'the'].includes(word));
	return own.length > 0 && own.every((word) => COMPANIES.has(word));
}

/**
 * Returns whether words are certainly not the name of one person. One word is enough: a word for a company, group or
 * family, or a word with a sign that no name has.
 */
function isNoPerson(words: readonly string[]): boolean {
	return words.some((word, index) => {
		const letters = bare(word);
		// With dots, "A.B." means a company only as the last word. In "A.B. de Wit", these letters are initials.
		const isShort = index === words.length - 1 ? /^[^\p{Ll}]+$|\./u : /^[^\p{Ll}.]+$/u;
		const isCompany = IN_CAPITALS.has(letters) && isShort.test(word);
		const isPart = NAME.test(word) || INITIALS.test(word) || isInfixWord(word);
		return NO_PERSON.has(letters) || isCompany || !isPart;
	});
}

/**
 * Splits a full name, without its salutation, into the first word and the rest. These parts may be wrong, so they serve
 * only for a comparison with other names. Returns no parts if the text has only one word, or is certainly not the name
 * of one person.
 */
export function comparedAs(text: string): { givenName?: string; familyName?: string } {
	const words = wordsOf(text.replace(/,/g, ' '));
	const own = words.slice(salutationLength(words, false));
	if (own.length < 2 || isNoPerson(own)) return {};
	return { givenName: own[0]!, familyName: own.slice(1).join(' ') };
}

function wordsOf(text: string): string[] {
	return text.length > LONGEST ? [] : cleanText(text).split(/\s+/).filter(Boolean);
}

/**
 * Returns the number of words at the start that are a salutation or title.
 *
 * @param isFrench whether "M." means Monsieur. Otherwise, "M." is an initial
 */
function salutationLength(words: readonly string[], isFrench: boolean): number {
	let count = 0;
	while (count < words.length) {
		const word = words[count]!;
		const parts = word.split(/[.-]/).filter(Boolean);
		const isTitle = parts.every((part) => SALUTATIONS.has(bare(part)));
		const isDegree = count > 0 && DEGREE.test(word.replace(/\./g, ''));
		const isOfHeer = count === 0 && bare(word) === 'de' && bare(words[1] ?? '') === 'heer';
		const isMonsieur = isFrench && count === 0 && word === 'M.';
		if (!isTitle && !isDegree && !isOfHeer && !isMonsieur) break;
		count += isOfHeer ? 2 : 1;
	}
	return count;
}

/** What the heading of a column tells about the full names in its cells. */
interface Order {
	/** Whether the family name comes first, as under "Nom et prénom". */
	isFamilyFirst?: boolean;
	/** Whether the heading is French, so that "M." is a salutation. */
	isFrench?: boolean;
}

/**
 * Splits a full name: "Kees Visser", "Visser, Kees", "Dhr. J. de Vries". If the parts are not certain, `familyName`
 * holds the whole name. The parts of a couple, a company or a single word are not certain. Three words without an infix
 * or initials are not certain, either: "Anna Maria Visser".
 */
export function splitName(text: string, { isFamilyFirst, isFrench }: Order = {}): FullName {
	const clean = cleanText(text).replace(/\s+/g, ' ');
	const whole: FullName = { familyName: clean, isWhole: true };
	const [before = '', after, ...more] = clean.split(',');
	const isTitle = BEHIND_NAME.has(bare(after ?? '').trim()) && !/^\s*\p{Lu}\p{Ll}$/u.test(after!);
	if (clean.length > LONGEST || more.length > 0 || isTitle) return whole;
	const [titled, untitled] = [wordsOf(before), wordsOf(after ?? '')];
	const own = after === undefined ? titled : untitled;
	const count = salutationLength(own, isFrench === true);
	const honorificPrefix = own.slice(0, count).join(' ');
	const title = honorificPrefix === '' ? {} : { honorificPrefix };
	const rest = own.slice(count);
	const all = after === undefined ? rest : [...titled, ...rest];
	if (isNoPerson(all)) return whole;
	const parts = after === undefined ? inOrder(rest, isFamilyFirst === true) : [titled, rest];
	const split = parts && partsOf(parts[0]!, parts[1]!);
	if (split) return { ...title, ...split };
	return all.length === 0 || after !== undefined
		? whole
		: { ...title, familyName: rest.join(' '), isWhole: true };
}

/**
 * Returns two lists: the words of the family name, and the words of the given name. Returns undefined if the family
 * name comes first, and may end behind several of the words.
 */
function inOrder(
	words: readonly string[],
	isFamilyFirst: boolean,
): [string[], string[]] | undefined {
	const [first = '', second = ''] = words;
	const isCapitalFirst = CAPITALS.test(first) && !CAPITALS.test(second);
	if (words.length === 2 && (isFamilyFirst || isCapitalFirst) && !isInfixWord(first)) {
		return [[first], [second]];
	}
	if (isFamilyFirst) return undefined;
	// "John Q. Public" has the given name "John Q.". Without its dot, the Q could belong to a company.
	const further = INITIALS.test(first) ? INITIALS : WITH_DOTS;
	const rest = words.findIndex((word, index) => index > 0 && !further.test(word));
	const count = Math.max(1, rest);
	return [words.slice(count), words.slice(0, count)];
}

/**
 * Returns the parts of a name; undefined if the parts are not certain.
 *
 * @param family words of the family name
 * @param given words of the given name, perhaps with infixes behind: "Jan de" in "Vries, Jan de"
 */
function partsOf(family: readonly string[], given: readonly string[]): FullName | undefined {
	const behind = given.length - trailingInfixes(given);
	const infixes = [...given.slice(behind), ...family.slice(0, -1)];
	const own = given.slice(0, behind);
	const last = family.at(-1);
	const isSure =
		own.length > 0 &&
		own.length < 4 &&
		!own.some(isInfixWord) &&
		last !== undefined &&
		NAME.test(last) &&
		!isInfixWord(last) &&
		infixes.every((word) => isInfixWord(word) || isJoint(word));
	if (!isSure) return undefined;
	const infix = takeWhile(infixes, isInfixWord).join(' ');
	return {
		...(own.every((word) => INITIALS.test(word))
			? { initials: own.join(' ') }
			: { givenName: own.join(' ') }),
		...(infix === '' ? {} : { infix }),
		familyName: [...infixes, last].join(' '),
		isWhole: false,
	};
}

/** Returns whether a word joins two family names: "Bakker-de" in "Bakker-de Wit". */
function isJoint(word: string): boolean {
	return /^\p{L}{2,}-/u.test(word) && isInfixWord(word.slice(word.lastIndexOf('-') + 1));
}

function trailingInfixes(words: readonly string[]): number {
	let count = 0;
	while (count < words.length - 1 && isInfixWord(words[words.length - 1 - count]!)) count++;
	return count;
}

/** Returns a name in a form for comparison, without case, accents and punctuation. */
function comparable(text: string): string {
	return folded(cleanText(text))
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}

/** Returns whether two names are the same, ignoring case, accents and punctuation. */
export function isSameFullName(one: string, other: string): boolean {
	return comparable(one) === comparable(other);
}

/**
 * Removes a known given name from a full name, and returns the family name. If the given name is Jan, "Jan de Vries",
 * "Vries, Jan de" and "Vries, J. de" give "de Vries". The full name must begin with the given name, or have it or its
 * initials behind a comma. Otherwise, returns undefined.
 */
export function restOfName(text: string, givenName: string): string | undefined {
	const clean = cleanText(text);
	const [before = '', after, ...more] = clean.split(',');
	if (after !== undefined) {
		const words = wordsOf(after);
		const behind = words.length - trailingInfixes(words);
		const given = words.slice(0, behind).join(' ');
		const isMeant = isSameFullName(given, givenName) || areInitialsOf(given, givenName);
		if (more.length > 0 || !isMeant || before.trim() === '') return undefined;
		return [...words.slice(behind), before.trim()].join(' ');
	}
	const [words, own] = [wordsOf(clean), wordsOf(givenName)];
	const rest = words.slice(own.length).join(' ');
	const isMeant = own.length > 0 && isSameFullName(words.slice(0, own.length).join(' '), givenName);
	return isMeant && rest !== '' ? rest : undefined;
}

/** Returns whether a text is only the initials of a given name: "E." of Eva. */
export function areInitialsOf(text: string, givenName: string): boolean {
	const letters = comparable(text).split(' ');
	const first = comparable(givenName).charAt(0);
	return first !== '' && letters.every((one) => one.length === 1) && letters[0] === first;
}

/** Removes an infix before a family name, because the CRM has a field for infixes. "de Vries" becomes "Vries". */
export function withoutInfix(familyName: string, infix: string): string {
	const [words, own] = [wordsOf(familyName), wordsOf(infix)];
	const begins = isSameFullName(words.slice(0, own.length).join(' '), infix);
	return own.length > 0 && begins && words.length > own.length
		? words.slice(own.length).join(' ')
		: familyName;
}
