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
 * Returns whether somebody meant a clean text as an e-mail address: it has one "@" between other signs. If it is no
 * address, it is a mistyped one, and never an ID.
 */
export function isMeantAsEmail(text: string): boolean {
	const [local, domain, ...others] = text.split('@');
	return Boolean(local && domain) && others.length === 0 && !/\s/.test(text);
}
