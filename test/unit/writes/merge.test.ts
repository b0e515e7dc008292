import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import {
	exactKeyOf,
	isSameList,
	isSameValue,
	withEntries,
} from '../../../nodes/ContactTaskCrm/schema/equality';
import { isOfUpdates } from '../../../nodes/ContactTaskCrm/schema/record';
import { changesTo, joinedChanges } from '../../../nodes/ContactTaskCrm/writes/merge';
import { unionOf } from '../../../nodes/ContactTaskCrm/writes/union';

const { person, task } = contracts;
const { customerId, emailAddresses, isTracked, dealSize, tags, avatar } = person.fields;

it.each([
	['a field of one write', [{ a: { to: 1 } }, {}], { a: { to: 1 } }],
	[
		'a field of two writes',
		[{ a: { from: 1, to: 2 } }, { a: { from: 2, to: 3 } }],
		{ a: { from: 1, to: 3 } },
	],
	['a field that was hidden', [{ a: { to: 2 } }, { a: { to: 3 } }], { a: { to: 3 } }],
	[
		'a list of two writes',
		[{ a: { added: [1], removed: [] } }, { a: { added: [2], removed: [3] } }],
		{ a: { added: [1, 2], removed: [3] } },
	],
])('The changes of several writes become one: %s', (_, writes, joined) => {
	expect(joinedChanges(writes as Parameters<typeof joinedChanges>[0])).toEqual(joined);
});

it.each<[string, object, object, object]>([
	['an empty value', { jobTitle: ' ' }, { jobTitle: 'CEO' }, { jobTitle: 'CEO' }],
	['no value beside an own one', { jobTitle: 'CTO' }, { jobTitle: 'CEO' }, {}],
	[
		'an embedded owner as its IRI',
		{},
		{ owner: { '@id': '/users/3f2a' } },
		{ owner: '/users/3f2a' },
	],
	['an owner without an IRI unchanged', {}, { owner: 'Eva Vos' }, { owner: 'Eva Vos' }],
	[
		'an address without JSON-LD',
		{ address: { country: 'NL' } },
		{ address: { '@id': '/a', city: 'Ede' } },
		{ address: { city: 'Ede' } },
	],
	['no address of only a country', { address: null }, { address: { country: 'BE' } }, {}],
	['no list that the other hides', { tags: [] }, { tags: null, segments: 'x' }, {}],
	[
		'the entries of a list',
		{ tags: ['/tags/a'] },
		{ tags: ['/tags/b'] },
		{ tags: ['/tags/a', '/tags/b'] },
	],
	[
		'no e-mail address that means none',
		{ emailAddresses: [] },
		{ emailAddresses: [{ email: 'n/a' }, {}, { email: ' ' }] },
		{},
	],
])('The kept person of a merge takes %s', (_, kept, other, body) => {
	expect(unionOf(kept as IDataObject, [other as IDataObject])).toEqual(body);
});

describe('a list that a write replaces', () => {
	const modes = {
		replaced: ['tags', 'emailAddresses'],
		isMatched: ({ email }: Record<string, unknown>) => email === 'a@x.nl',
	};
	const written = (shown: object, given: object) =>
		changesTo(person, shown as IDataObject, given as IDataObject, modes);

	it('The write needs no present entries of a list of references', () => {
		expect(written({}, { tags: ['/tags/a'] })).toEqual({ tags: ['/tags/a'] });
		expect(written({ tags: ['/tags/b'] }, { tags: ['/tags/a'] })).toEqual({ tags: ['/tags/a'] });
		expect(written({ tags: ['/tags/a'] }, { tags: ['/tags/a'] })).toEqual({});
	});

	it('The write keeps the e-mail address of the lookup, and needs the present entries', () => {
		const [matched, other, added] = ['a@x.nl', 'b@x.nl', 'c@x.nl'].map((email) => ({ email }));
		expect(written({ emailAddresses: [matched, other] }, { emailAddresses: [added] })).toEqual({
			emailAddresses: [matched, added],
		});
		expect(() => written({}, { emailAddresses: [added] })).toThrow('does not show those');
	});
});

it.each([
	['a number shown for a text', customerId, 7, '7', true],
	['a number shown for another text', customerId, 7, '07', false],
	['another text', customerId, '7', '8', false],
	['null shown for a text', customerId, null, 'null', false],
	['a text shown for a number', dealSize, '7.0', 7, true],
	['a text shown for a truth value', isTracked, '1', true, true],
	['nothing shown for false', isTracked, null, false, false],
	['a field that is never shown', avatar, '/media_objects/a', '/media_objects/a', false],
	['no field', undefined, 'a', 'a', false],
])('The node compares a shown and a given value: %s', (_, field, shown, given, isSame) => {
	expect(isSameValue(field, shown, given)).toBe(isSame);
});

it.each([
	['equal texts in place of e-mail addresses', emailAddresses, ['a'], ['a'], true],
	['unequal texts in place of e-mail addresses', emailAddresses, ['a'], ['b'], false],
	[
		'a text in place of an e-mail address',
		emailAddresses,
		['a@x.nl'],
		[{ email: 'a@x.nl' }],
		false,
	],
	['null in place of an e-mail address', emailAddresses, [null], [{ email: null }], false],
	['a tag without an ID', tags, [{ title: 'VIP' }], [{ title: 'Lead' }], false],
])('The node compares the entries of two lists: %s', (_, field, one, other, isSame) => {
	expect(isSameList(field!, one, other)).toBe(isSame);
});

it('A list gets only new entries, also beside texts in place of e-mail addresses', () => {
	const [entry, same] = [{ email: 'a@x.nl' }, { email: 'A@x.nl' }];
	expect(withEntries(emailAddresses!, ['a', entry], ['a', 'b', same])).toEqual(['a', entry, 'b']);
});

it('The exact key of an entry holds its parts in order, or the entry', () => {
	expect(exactKeyOf(emailAddresses!, { '@id': '/a', email: 'a@x.nl' })).toBe('["a@x.nl"]');
	expect(exactKeyOf(emailAddresses!, {})).toBe('[null]');
	expect(exactKeyOf(emailAddresses!, 'a@x.nl')).toBe('"a@x.nl"');
	expect(exactKeyOf(emailAddresses!, undefined)).toBe('undefined');
});

it('An update takes an unknown field, but no field of Create only', () => {
	expect(isOfUpdates(task, 'mood')).toBe(true);
	expect(isOfUpdates(task, 'title')).toBe(true);
	expect(isOfUpdates(task, 'parent')).toBe(false);
});
