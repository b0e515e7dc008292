import { sortBy } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { fullestOf, identitiesOf, type Identity, isSameIdentity, type Kind } from './identities';

/*
 * Groups of people who may be one person, because they share a value.
 */

/**
 * Maximum number of people with one value who may be one person. A value of more people is the number of a switchboard or
 * an address such as info@.
 */
const MOST_ALIKE = 3;

/** A value with the people who have it, by their positions in the list. */
export interface Shared {
	kind: Kind;
	value: string;
	holders: readonly number[];
}

/** People who all share a value. */
export interface Group {
	/** Positions of the people in the list. */
	members: readonly number[];
	/** Values that at least two members share. */
	share: readonly Shared[];
	/** Values of members that too many people have to be a reason. */
	sharedByMany: readonly Shared[];
}

/** A spelling of a value, with everybody who has the value in this spelling. */
interface Form {
	identity: Identity;
	holders: number[];
}

/** A group while the values of its members are gathered. */
interface Gathered {
	members: readonly number[];
	share: Shared[];
}

/**
 * Returns the groups of people who share a value, in the order of their first members. All members of a group share one
 * value. So a chain is no group: if A and B share a number, and B and C an address, there are two groups.
 *
 * @param kinds kinds of values that are a reason
 */
export function duplicatesAmong(people: readonly IDataObject[], kinds: readonly Kind[]): Group[] {
	const shared = sharedValues(people, kinds);
	const telling = shared.filter(({ holders }) => holders.length <= MOST_ALIKE);
	const many = shared.filter(({ holders }) => holders.length > MOST_ALIKE);
	const groups: Gathered[] = [];
	const groupsOf = new Map<number, Gathered[]>();
	// The largest come first, so that a pair within a group of three belongs to this group.
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

/** Returns each value that at least two people have. The time grows with the number of values. */
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
	return [...byKey.values()].flatMap((forms) => valuesOf([...forms.values()]));
}

/**
 * Returns the values that the spellings stand for. A number without its country code may equal the numbers of two
 * countries. It is then no value of its own, but belongs to both numbers.
 */
function valuesOf(forms: readonly Form[]): Shared[] {
	const values = new Map<string, Shared>();
	for (const { identity } of forms) {
		const same = forms.filter((other) => isSameIdentity(identity, other.identity));
		const isClear = same.every((one) =>
			same.every((other) => isSameIdentity(one.identity, other.identity)),
		);
		const holders = sortBy([...new Set(same.flatMap((form) => form.holders))]);
		if (!isClear || holders.length < 2) continue;
		const value = fullestOf(same.map((form) => form.identity));
		values.set(same.map((form) => form.identity.form).join(), {
			kind: identity.kind,
			value,
			holders,
		});
	}
	return [...values.values()];
}
