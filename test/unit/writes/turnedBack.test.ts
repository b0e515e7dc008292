import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import type { ChangeTable } from '../../../nodes/ContactTaskCrm/writes/changeTable';
import { changedSince } from '../../../nodes/ContactTaskCrm/writes/changeTable';
import { turnedBack } from '../../../nodes/ContactTaskCrm/writes/turnedBack';

const { person } = contracts;
const phone = (phoneNumber: string, phoneType: string | null = null) => ({
	phoneNumber,
	phoneType,
});

/** Returns the body of the undo, and the names of fields that stay. */
const undone = (shown: object, changes: object, ofOthers: string[] = []) => {
	const { body, changed, withoutOldValue, fixed } = turnedBack(
		...([person, shown as IDataObject, changes as ChangeTable] as const),
		(key) => ofOthers.includes(key),
	);
	return { body, stays: [...changed, ...withoutOldValue, ...fixed] };
};

describe('the undo of an update', () => {
	const city = { address: { from: { city: 'Ede' }, to: { city: 'Delft' } } };
	const whole = { address: { from: null, to: { city: 'Delft', street: null } } };
	const number = {
		phoneNumbers: { added: [phone('1234567', 'work')], removed: [phone('1234567', 'home')] },
	};

	it.each<[string, object, object, object, string[]]>([
		[
			'a value',
			{ jobTitle: 'CTO' },
			{ jobTitle: { from: 'CEO', to: 'CTO' } },
			{ jobTitle: 'CEO' },
			[],
		],
		[
			'no value of others',
			{ jobTitle: 'COO' },
			{ jobTitle: { from: 'CEO', to: 'CTO' } },
			{},
			['jobTitle'],
		],
		[
			'no value without the earlier one',
			{ jobTitle: 'CTO' },
			{ jobTitle: { to: 'CTO' } },
			{},
			['jobTitle'],
		],
		[
			'no list without the earlier one',
			{ tags: ['/tags/a'] },
			{ tags: { to: ['/tags/a'] } },
			{},
			['tags'],
		],
		[
			'no field of the service',
			{ createdAt: 'x' },
			{ createdAt: { from: 'y', to: 'x' } },
			{},
			['createdAt'],
		],
		[
			'a part',
			{ address: { city: 'Delft', street: 'Kade 1' } },
			city,
			{ address: { city: 'Ede' } },
			[],
		],
		['no part of others', { address: { city: 'Gouda' } }, city, {}, ['address']],
		['no part that has its earlier value', { address: { city: 'Ede' } }, city, {}, []],
		['no part of an empty address', { address: null }, city, {}, ['address']],
		[
			'a part to null',
			{ address: { city: 'Delft' } },
			{ address: { from: {}, to: { city: 'Delft' } } },
			{ address: { city: null } },
			[],
		],
		[
			'an object that was empty',
			{ address: { '@id': '/a', city: 'Delft', street: null } },
			whole,
			{ address: null },
			[],
		],
		[
			'only own parts beside a new one',
			{ address: { city: 'Delft', postalCode: '1' } },
			whole,
			{ address: { city: null, street: null } },
			[],
		],
		[
			'only own parts beside a changed one',
			{ address: { city: 'Gouda' } },
			whole,
			{ address: { street: null } },
			['address'],
		],
		[
			'no list that the service hides',
			{ tags: '/tags/a' },
			{ tags: { added: ['/tags/a'], removed: [] } },
			{},
			['tags'],
		],
		[
			'an added entry',
			{ tags: ['/tags/a', '/tags/b'] },
			{ tags: { added: ['/tags/a'], removed: [] } },
			{ tags: ['/tags/b'] },
			[],
		],
		[
			'a removed entry',
			{ tags: [] },
			{ tags: { added: [], removed: ['/tags/a'] } },
			{ tags: ['/tags/a'] },
			[],
		],
		[
			'a changed entry',
			{ phoneNumbers: [phone('1234567', 'work')] },
			number,
			{ phoneNumbers: [phone('1234567', 'home')] },
			[],
		],
		[
			'no changed entry of others',
			{ phoneNumbers: [phone('1234567', 'fax')] },
			number,
			{},
			['phoneNumbers'],
		],
		[
			'no changed entry that is as before',
			{ phoneNumbers: [phone('1234567', 'home')] },
			number,
			{},
			[],
		],
	])('The undo of an update sets back %s', (_, shown, changes, body, stays) => {
		expect(undone(shown, changes)).toEqual({ body, stays });
	});

	it.each([
		['value', { jobTitle: 'CTO' }, { jobTitle: { from: 'CEO', to: 'CTO' } }, 'jobTitle', {}],
		['part', { address: { city: 'Delft' } }, city, 'address.city', {}],
		[
			'list entry',
			{ tags: ['/tags/a', '/tags/b'] },
			{ tags: { added: ['/tags/a', '/tags/b'], removed: [] } },
			'tags a',
			{ tags: ['/tags/a'] },
		],
	])(
		'The undo of an earlier item leaves a %s that others have set',
		(_, shown, changes, key, body) => {
			expect(undone(shown, changes, [key]).body).toEqual(body);
		},
	);
});

describe('a created person', () => {
	const now = { updatedAt: '2026-07-01T10:00:00Z' };
	const later = { updatedAt: '2026-07-02T10:00:00Z' };
	const tags = { tags: { added: ['/tags/a'], removed: [] } };
	const address = (to: object | null) => ({ address: { from: null, to } });

	it.each<[string, object, object, string[], object?]>([
		['with its values', { ...later, jobTitle: 'CEO' }, { jobTitle: { from: null, to: 'CEO' } }, []],
		[
			'with another value',
			{ ...later, jobTitle: 'COO' },
			{ jobTitle: { from: null, to: 'CEO' } },
			['jobTitle'],
		],
		['with a further field', { ...later, jobTitle: 'COO' }, {}, ['jobTitle']],
		['with a further field of the same second', { ...now, jobTitle: 'COO' }, {}, []],
		[
			'with a further field that it had',
			{ ...later, jobTitle: 'COO' },
			{},
			[],
			{ jobTitle: 'COO' },
		],
		['that is archived', { ...later, archivedAt: later.updatedAt }, {}, []],
		['with its list', { ...later, tags: ['/tags/a'] }, tags, []],
		['with a further entry', { ...later, tags: ['/tags/a', '/tags/b'] }, tags, ['tags']],
		['with a list in an unknown form', { ...later, tags: '/tags/a' }, tags, ['tags']],
		[
			'with a list that told no entries',
			{ ...later, tags: ['/tags/a'] },
			{ tags: { to: 'x' } },
			['tags'],
		],
		['without its list', later, tags, ['tags']],
		['with an empty list', { ...later, tags: null }, { tags: { to: null } }, []],
		[
			'with its address',
			{ ...later, address: { '@id': '/a', city: 'Ede', street: null, country: 'NL' } },
			address({ city: 'Ede' }),
			[],
		],
		[
			'with another part',
			{ ...later, address: { city: 'Ede', street: 'Kade 1' } },
			address({ city: 'Ede' }),
			['address'],
		],
		[
			'with another country',
			{ ...later, address: { city: 'Ede', country: 'BE' } },
			address({ city: 'Ede' }),
			['address'],
		],
		[
			'with another city',
			{ ...later, address: { city: 'Gouda' } },
			address({ city: 'Ede' }),
			['address'],
		],
		['without its address', { ...later, address: null }, address({ city: 'Ede' }), ['address']],
		[
			'whose null address shows empty parts',
			{ ...later, address: { '@type': 'A', city: '', street: null } },
			address(null),
			[],
		],
		['whose null address is an empty list', { ...later, address: [] }, address(null), []],
		[
			'whose null address got a city',
			{ ...later, address: { city: 'Ede' } },
			address(null),
			['address'],
		],
		['whose empty parts the service hides', { ...later, address: [] }, address({ city: null }), []],
	])(
		'The undo of Create finds the fields that others changed: %s',
		(_, shown, changes, changed, created = {}) => {
			const found = changedSince(
				...([
					person,
					shown as IDataObject,
					{ ...now, ...created },
					changes as ChangeTable,
				] as const),
			);
			expect(found).toEqual(changed);
		},
	);
});
