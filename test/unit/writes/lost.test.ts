import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import type { LostAnswer } from '../../../nodes/ContactTaskCrm/util/failures';
import { LostWrites } from '../../../nodes/ContactTaskCrm/writes/lost';

const SENT_AT = Date.parse('2026-07-01T10:00:00Z');
const phone = (phoneType: string | null) => ({ phoneNumber: '+31201234567', phoneType });

/** A write of a person without an answer. `before` is undefined if the node did not read the person. */
function lostWrite(before: object | undefined, set: object): LostWrites {
	const lost = new LostWrites(contracts.person, { sentAt: SENT_AT } as LostAnswer, 'a');
	lost.add({ before, set, sent: set } as Parameters<LostWrites['add']>[0]);
	return lost;
}

it.each<[string, object, object, object, object]>([
	['value', { jobTitle: 'CEO' }, { jobTitle: 'CTO' }, { jobTitle: 'CTO' }, { jobTitle: 'CEO' }],
	[
		'value of others',
		{ jobTitle: 'CEO' },
		{ jobTitle: 'CTO' },
		{ jobTitle: 'COO' },
		{ jobTitle: 'COO' },
	],
	['value that it hid', {}, { jobTitle: 'CTO' }, { jobTitle: 'CTO' }, { jobTitle: null }],
	[
		'list',
		{ tags: null },
		{ tags: ['/tags/a'] },
		{ tags: ['/tags/a', '/tags/b'] },
		{ tags: ['/tags/b'] },
	],
	['removed entry', { tags: ['/tags/a'] }, { tags: [] }, { tags: null }, { tags: ['/tags/a'] }],
	['list in an unknown form', { tags: [] }, { tags: ['/tags/a'] }, { tags: 'x' }, { tags: 'x' }],
	[
		'type of a phone number',
		{ phoneNumbers: [phone('home')] },
		{ phoneNumbers: [phone('work')] },
		{ phoneNumbers: [phone('work')] },
		{ phoneNumbers: [phone('home')] },
	],
	[
		'type that others have set',
		{ phoneNumbers: [phone('home')] },
		{ phoneNumbers: [phone('work')] },
		{ phoneNumbers: [phone('fax')] },
		{ phoneNumbers: [phone('fax')] },
	],
	[
		'part',
		{ address: { city: 'Ede' } },
		{ address: { city: 'Delft' } },
		{ address: { city: 'Delft', street: 'x' } },
		{ address: { city: 'Ede', street: 'x' } },
	],
	[
		'part of others',
		{ address: { city: 'Ede' } },
		{ address: { city: 'Delft' } },
		{ address: { city: 'Gouda' } },
		{ address: { city: 'Gouda' } },
	],
	[
		'part of an address that is empty now',
		{ address: { city: 'Ede' } },
		{ address: { city: 'Delft' } },
		{ address: null },
		{ address: null },
	],
	[
		'empty address',
		{ address: null },
		{ address: { city: 'Delft' } },
		{ address: { city: 'Delft' } },
		{ address: null },
	],
	[
		'hidden address',
		{},
		{ address: { city: 'Delft' } },
		{ address: { city: 'Delft' } },
		{ address: null },
	],
	[
		'address of which others have changed a part',
		{ address: null },
		{ address: { city: 'Delft', street: 'x' } },
		{ address: { city: 'Gouda', street: 'x' } },
		{ address: { city: 'Gouda', street: null } },
	],
])(
	'After a lost answer, the node knows the person without its write: %s',
	(_, before, set, now, without) => {
		const current = now as IDataObject;
		expect(lostWrite(before, set).detailsWith({}, current, current).before).toEqual(without);
	},
);

it('Without a read before the lost write, the node knows no earlier state', () => {
	const current = { jobTitle: 'CTO' };
	expect(lostWrite(undefined, current).detailsWith({}, current, current)).toEqual({});
});

it.each<[string | undefined, string[]]>([
	[undefined, []],
	['2026-07-01T09:59:57Z', []],
	['2026-07-01T09:59:59Z', ['jobTitle', 'tags']],
])(
	'Without an earlier read, a person last changed at %p keeps the fields %j',
	(updatedAt, left) => {
		const lost = lostWrite(undefined, { jobTitle: 'CTO' });
		const current = { jobTitle: 'COO', tags: [], updatedAt };
		const differs = { jobTitle: 'CTO', tags: ['/tags/a'], segments: ['/segments/a'] };
		expect(lost.leftBy(current, differs, (name) => name === 'segments')).toEqual(left);
	},
);
