import { LABEL_WORDS } from './phone';
import { cleanContact } from './text';

/*
 * Recognises e-mail addresses, and removes words around them.
 */

/**
 * Matches one piece of the text before the "@". In "eva.vos@crm.example", the pieces are "eva" and "vos". A piece may
 * have letters of any language, and the signs of RFC 5322 except "?" and "/".
 */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+=^_${'`'}{|}~-]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}-]+`;
const EMAIL = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@(${LABEL}(?:\.${LABEL})*)$`, 'u');

/** Maximum length of an e-mail address in characters. RFC 5321 allows 64 before the "@", and 255 behind it. */
const LONGEST = 320;

/** Returns the domain of an e-mail address that `cleanContact` has cleaned; undefined if the text is no address. */
function domainOf(text: string): string | undefined {
	return text.length > LONGEST ? undefined : EMAIL.exec(text)?.[1];
}

/**
 * Returns whether a text has the form of an e-mail address. The text must come from `cleanContact`. The service may
 * still refuse the address.
 */
export function isEmail(text: string): boolean {
	return domainOf(text) !== undefined;
}

/**
 * Returns whether a text from `cleanContact` is an e-mail address without a dot in its domain. Only some private
 * networks have such domains, so the address is probably mistyped.
 */
export function isDotless(text: string): boolean {
	return domainOf(text)?.includes('.') === false;
}

/**
 * Returns whether a text is an e-mail address, or a mistyped one. After `cleanContact`, such a text has one "@" with
 * text on both sides, and no space. The node never takes such a text for an ID.
 */
export function isMeantAsEmail(text: string): boolean {
	const clean = cleanContact(text);
	const [local, domain, ...others] = clean.split('@');
	return Boolean(local && domain) && others.length === 0 && !/\s/.test(clean);
}

/** Removes the e-mail address in brackets behind a name: "Eva Vos <eva@crm.example>". */
export function withoutAddress(name: string): string {
	return name.replace(/(?<=\S)\s*[<([][^\s@<>()[\]]+@[^\s@<>()[\]]+[>)\]]\s*$/, '');
}

/** Word in front of an e-mail address: "E-mail:", "Work:". */
const WORD_IN_FRONT = new RegExp(
	String.raw`^\s*(?:e-?mail(?:adress?e?| address)?|mail|smtp|${LABEL_WORDS})\s*:\s*`,
	'iu',
);
/** Word for the kind of an e-mail address, in brackets behind the address: "(privé)". */
const WORD_BEHIND = new RegExp(String.raw`\s\((?:${LABEL_WORDS})\.?\)\s*$`, 'iu');
/** Query of a mailto link: "?subject=Hello" in "mailto:eva@crm.example?subject=Hello". */
const QUERY_OF_LINK = /^(\s*mailto:[^\s?]+)\?.*$/is;

/** Removes words, links and signs around an e-mail address. If the rest is no address, the text stays as it is. */
export function withoutWords(text: string): string {
	const bare = text
		.replace(WORD_IN_FRONT, '')
		.replace(/(?<![.,;:!*])[.,;:!*]+\s*$/, '')
		.replace(WORD_BEHIND, '')
		.replace(QUERY_OF_LINK, '$1');
	return isEmail(cleanContact(bare)) ? bare : text;
}
