import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { emailsOf } from '../values/person';
import { isMeantAsEmail } from '../values/email';
import { fullerIdentifier, mayIdentify, normalized } from '../values/identifier';
import { partTexts } from '../values/json';
import { isSamePhone, type Phone, phoneKey, phoneOf } from '../values/phone';
import { cleanContact } from '../values/text';

/*
 * Finds groups of people who may be one person, because they share a value: an e-mail address, phone number or
 * network ID.
 */

/**
 * Maximum number of people with one value who may be one person. If more people have the value, it is probably the
 * number of a switchboard, or an address such as info@.
 */
const MOST_ALIKE = 3;

/** A value of several people, and these people. */
export interface Shared {
	kind: Kind;
	value: string;
	/** Positions of these people in the parameter `people` of `duplicatesAmong`. */
	holders: readonly number[];
}

/** People who may be one person, because they all share a value. */
export interface Group {
	/** Positions of the members in the parameter `people` of `duplicatesAmong`. */
	members: readonly number[];
	/** Values that at least two of the members have. */
	share: readonly Shared[];
	/**
	 * Values of members with more than `MOST_ALIKE` holders. Such a value does not show that two records are of one
	 * person.
	 */
	sharedByMany: readonly Shared[];
}

/** One spelling of a value, and the people who have the value in this spelling. */
interface Form {
	identity: Identity;
	/** Positions of these people in the parameter `people` of `duplicatesAmong`. */
	holders: number[];
}

/** A group while `duplicatesAmong` still collects its shared values. */
interface Gathered {
	members: readonly number[];
	share: Shared[];
}

/**
 * Returns the groups of people who share a value, in the order of their first members. All members of a group share one
 * value. So a chain makes two groups: A and B share a phone number, and B and C share an e-mail address.
 *
 * @param kinds kinds of values that count, such as `email`
 */
export function duplicatesAmong(people: readonly IDataObject[], kinds: readonly Kind[]): Group[] {
	const shared = sharedValues(people, kinds);
	const telling = shared.filter(({ holders }) => holders.length <= MOST_ALIKE);
	const many = shared.filter(({ holders }) => holders.length > MOST_ALIKE);
	const groups: Gathered[] = [];
	const groupsOf = new Map<number, Gathered[]>();
	// Values with the most holders come first, because they make the large groups. If two of three members share a
	// further value, it joins their group (`around`), and makes no smaller group.
	for (const one of sortBy(telling, ({ holders }) => -holders.length)) {
		const [first, ...others] = one.holders;
		const around = (groupsOf.get(first!) ?? []).filter(({ members }) =>
			others.every((member) => members.includes(member)),
		);
		for (const { share } of around) share.push(one);
		if (around.length > 0) continue;
		const group = { members: one.holders, share: [one] };
		groups.push(group);
		for (const member of one.holders) {
			groupsOf.set(member, [...(groupsOf.get(member) ?? []), group]);
		}
	}
	const sharedBy = new Map<number, Shared[]>();
	for (const one of many) {
		for (const member of one.holders) sharedBy.set(member, [...(sharedBy.get(member) ?? []), one]);
	}
	const found = groups.map(({ members, share }): Group => {
		const sharedByMany = [...new Set(members.flatMap((member) => sharedBy.get(member) ?? []))];
		return { members, share, sharedByMany };
	});
	return sortBy(found, ({ members }) => members[0]);
}

/**
 * Returns each value that at least two people have. Compares only values with the same key, so it stays fast with many
 * people.
 */
function sharedValues(people: readonly IDataObject[], kinds: readonly Kind[]): Shared[] {
	const byKey = new Map<string, Map<string, Form>>();
	for (const [position, person] of people.entries()) {
		for (const identity of identitiesOf(person, kinds)) {
			const forms = byKey.get(identity.key) ?? new Map<string, Form>();
			byKey.set(identity.key, forms);
			const form = forms.get(identity.form) ?? { identity, holders: [] };
			forms.set(identity.form, form);
			form.holders.push(position);
		}
	}
	return [...byKey.values()].flatMap((forms) => distinctValues([...forms.values()]));
}

/**
 * Merges spellings with the same key into values. A phone number without its country code may equal the numbers of two
 * countries. Such a number makes no value of its own. The people with this number count as holders of both other
 * numbers.
 */
function distinctValues(forms: readonly Form[]): Shared[] {
	const values = new Map<string, Shared>();
	for (const { identity } of forms) {
		const same = forms.filter((other) => isSameIdentity(identity, other.identity));
		const isClear = same.every((one) =>
			same.every((other) => isSameIdentity(one.identity, other.identity)),
		);
		const holders = sortBy([...new Set(same.flatMap((form) => form.holders))]);
		if (!isClear || holders.length < 2) continue;
		// Shows the value in its fullest spelling, such as the phone number with its country code.
		const value = same.map((form) => form.identity.value).reduce(fullerIdentifier);
		values.set(same.map((form) => form.identity.form).join(), {
			kind: identity.kind,
			value,
			holders,
		});
	}
	return [...values.values()];
}

/*
 * Compares values that may show that two records belong to one person. It compares only values of one kind, because the
 * digits of a network ID may be the end of somebody's phone number.
 */

export const KINDS = ['email', 'networkId', 'phoneNumber'] as const;

export type Kind = (typeof KINDS)[number];

/** A value of a person, with its forms for comparison. `value` has the spelling that `cleanContact` returns. */
interface Identity {
	kind: Kind;
	value: string;
	/** Form of the value for comparison. The form of a phone number has its prefix, digits and extension. */
	form: string;
	/** Key to group values. Equal values have the same key, but different values may have it, too. */
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
