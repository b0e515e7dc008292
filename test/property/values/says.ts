import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { isMatch } from '../../../nodes/ContactTaskCrm/lookup/find';
import { ADDED_TO_LISTS, changesBy, changesTo } from '../../../nodes/ContactTaskCrm/writes/merge';
import { person } from '../../../nodes/ContactTaskCrm/schema/person';
import { isSameList, withEachOnce } from '../../../nodes/ContactTaskCrm/schema/equality';
import { fieldFor, isSameIdentifier } from '../../../nodes/ContactTaskCrm/values/identifier';
import { isSameReference, referenceKey } from '../../../nodes/ContactTaskCrm/values/reference';
import { isSameTime } from '../../../nodes/ContactTaskCrm/values/time';
import { meetsFilter } from '../../../nodes/ContactTaskCrm/schema/filter';

/*
 * What each part of the node says on whether two values are equal. The parts must never contradict each other.
 */

const { fields, filters } = person;

/** A list of one entry, also in the form in which PHP writes a list with gaps. */
export const anyList = fc.constantFrom<(entry: unknown) => unknown>(
	(entry) => [entry],
	(entry) => [null, entry],
	(entry) => ({ 3: entry }),
);

/** Returns the list of a person that holds a contact, with the contact as its entry. */
export const entryOf = (text: string): ['emailAddresses' | 'phoneNumbers', IDataObject] => {
	const name = fieldFor(text);
	if (name === 'emailAddresses') return [name, { email: text }];
	if (name === 'phoneNumbers') return [name, { phoneNumber: text, phoneType: null }];
	throw new Error(`"${text}" is neither an e-mail address nor a phone number`);
};

const isEmpty = (value: object) => Object.keys(value).length === 0;

/** Returns what each part of the node says on whether a shown and a given contact are equal. */
export function saysOf(shown: string, given: string, asList: (entry: unknown) => unknown) {
	const [name, entry] = entryOf(shown);
	const [givenName, givenEntry] = entryOf(given);
	const current = { [givenName]: [], [name]: asList(entry) };
	const body = { [givenName]: [givenEntry] };
	const both = name === givenName ? [entry, givenEntry] : [entry];
	const once = withEachOnce(person, { [name]: both })[name] as unknown[];
	return {
		equal: isSameIdentifier(shown, given),
		'equal the other way round': isSameIdentifier(given, shown),
		'same person': isMatch(current as IDataObject, 'identifier', given),
		unchanged: isEmpty(changesTo(person, current as IDataObject, body, ADDED_TO_LISTS)),
		'the same list': isSameList(fields[name]!, [entry], [givenEntry]),
		'a double': once.length === 1 && name === givenName,
	};
}

/** Returns what each part of the node says on whether a shown and a given reference to a tag are equal. */
export const saysOfTags = (one: unknown, other: unknown, asList: (entry: unknown) => unknown) => {
	const current = { tags: asList(one) } as IDataObject;
	const body = { tags: [other] } as IDataObject;
	const once = withEachOnce(person, { tags: [one, other] } as IDataObject).tags as unknown[];
	return {
		equal: isSameReference(one, other, '/tags'),
		'equal the other way round': isSameReference(other, one, '/tags'),
		unchanged: isEmpty(changesTo(person, current, body, ADDED_TO_LISTS)),
		'no change': isEmpty(changesBy(person, current, body)),
		'the same list': isSameList(fields.tags, [one], [other]),
		'a double': once.length === 1,
		key: referenceKey(one, '/tags') === referenceKey(other, '/tags'),
		'the filter meets it': meetsFilter(current, filters.tagsId, [
			referenceKey(other, '/tags') ?? '',
		]),
	};
};

/** Returns what each part of the node says on whether a shown and a given time are equal. */
export const saysOfTime = (shown: string, given: string) => {
	const [current, body] = [{ archivedAt: shown }, { archivedAt: given }];
	return {
		equal: isSameTime(shown, given),
		unchanged: isEmpty(changesTo(person, current, body, ADDED_TO_LISTS)),
		'no change': isEmpty(changesBy(person, current, body)),
	};
};
