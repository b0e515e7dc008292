import { cleanContact } from './text';

/*
 * An e-mail address.
 */

/** Signs of a local part: those of a dot-atom (RFC 5322) without "?" and "/", and letters of any language. */
const ATOM = String.raw`[\p{L}\p{M}\p{N}!#$%&'*+=^_${'`'}{|}~-]+`;
const LABEL = String.raw`[\p{L}\p{M}\p{N}-]+`;
const EMAIL = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@(${LABEL}(?:\.${LABEL})*)$`, 'u');

/** RFC 5321 allows 64 characters, "@" and 255 characters. */
const LONGEST = 320;

/** Returns the domain of an e-mail address in a clean text (see `cleanContact`); undefined if the text is no address. */
function domainOf(text: string): string | undefined {
	return text.length > LONGEST ? undefined : EMAIL.exec(text)?.[1];
}

/** Returns whether a clean text (see `cleanContact`) is an e-mail address. The service decides whether it takes it. */
export function isEmail(text: string): boolean {
	return domainOf(text) !== undefined;
}

/** Returns whether a clean text is an e-mail address of a domain without a dot, which only some networks have. */
export function isDotless(text: string): boolean {
	return domainOf(text)?.includes('.') === false;
}

/**
 * Returns whether somebody meant a text as an e-mail address: after `cleanContact`, it has one "@" between other signs.
 * If it is no address, it is a mistyped one, and never an ID.
 */
export function isMeantAsEmail(text: string): boolean {
	const clean = cleanContact(text);
	const [local, domain, ...others] = clean.split('@');
	return Boolean(local && domain) && others.length === 0 && !/\s/.test(clean);
}
