import type { IDataObject } from 'n8n-workflow';
import { emailsOf } from '../values/person';
import { isMeantAsEmail } from '../values/email';
import { fullerIdentifier, mayIdentify, normalized } from '../values/identifier';
import { partTexts } from '../values/json';
import { isSamePhone, type Phone, phoneKey, phoneOf } from '../values/phone';
import { cleanContact } from '../values/text';

/*
 * Compares values that may show that two records belong to one person. It compares only values of one kind, because the
 * digits of a network ID may be the end of somebody's phone number.
 */

export const KINDS = ['email', 'networkId', 'phoneNumber'] as const;

export type Kind = (typeof KINDS)[number];

/** A value of a person, with its forms for comparison. `value` has the spelling that `cleanContact` returns. */
export interface Identity {
	kind: Kind;
	value: string;
	/** Form of the value for comparison. Two phone numbers share it if prefix, digits and extension are equal. */
	form: string;
	/** Key that equal values share. Different values may share it, too. */
	key: string;
	phone?: Phone;
}

const TEXTS: Readonly<Record<Kind, (person: IDataObject) => string[]>> = {
	email: emailsOf,
	networkId: ({ networkId }) => (typeof networkId === 'string' ? [networkId] : []),
	phoneNumber: ({ phoneNumbers }) => partTexts(phoneNumbers, 'phoneNumber'),
};

/** Returns the values of a kind that a person has, in the spelling of the record. */
export function textsOf(person: IDataObject, kind: Kind): string[] {
	return TEXTS[kind](person);
}

/**
 * Returns the values that may identify a person. Leaves out placeholders, very short texts, and phone numbers with
 * words.
 */
export function identitiesOf(person: IDataObject, kinds: readonly Kind[] = KINDS): Identity[] {
	return kinds.flatMap((kind) =>
		textsOf(person, kind)
			.filter(mayIdentify)
			.flatMap((text) => identityOf(kind, text) ?? []),
	);
}

function identityOf(kind: Kind, text: string): Identity | undefined {
	const value = cleanContact(text);
	if (kind !== 'phoneNumber') {
		if (kind === 'email' && !isMeantAsEmail(value)) return undefined;
		const form = normalized(value);
		return { kind, value, form, key: `${kind} ${form}` };
	}
	const phone = phoneOf(value);
	if (!phone) return undefined;
	const form = [phone.prefix, phone.digits, phone.extension].join(' ');
	return { kind, value, form, key: `${kind} ${phoneKey(phone)}`, phone };
}

/** Returns whether two values have the same kind, and are equal apart from their spelling. */
export function isSameIdentity(one: Identity, other: Identity): boolean {
	if (one.kind !== other.kind) return false;
	if (one.phone && other.phone) return isSamePhone(one.phone, other.phone);
	return one.form === other.form;
}

/** Returns the fullest of several spellings of a value, such as the phone number with its country code. */
export function fullestOf(identities: readonly Identity[]): string {
	return identities.map(({ value }) => value).reduce(fullerIdentifier);
}
