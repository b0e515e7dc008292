import { cleanContact } from './text';

/*
 * An e-mail address.
 */

/** Text on both sides of one "@". A domain has no empty label. */
const EMAIL = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)*$/;

/** Returns whether a clean text (see `cleanContact`) is an e-mail address. The service decides whether it takes it. */
export function isEmail(text: string): boolean {
	return EMAIL.test(text);
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
