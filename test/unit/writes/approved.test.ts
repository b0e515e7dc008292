import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { approvalOf } from '../../../nodes/ContactTaskCrm/writes/approved';
import type { ChangeTable } from '../../../nodes/ContactTaskCrm/writes/changeTable';

const assert = (approvedChanges: object, changes: object) => () =>
	approvalOf({ approvedChanges }, contracts.person)!.assert('updated', changes as ChangeTable);
const tags = (added: string[], removed: string[] = []) => ({ tags: { added, removed } });
const order = { added: [], removed: [], from: ['/tags/a', '/tags/b'], to: ['/tags/b', '/tags/a'] };
const address = (from: object | null, to: object | null) => ({ address: { from, to } });

it.each<[string, object, object]>([
	['a part of a list', tags(['/tags/a', '/tags/b'], ['/tags/c']), tags(['/tags/b'])],
	[
		'the same value',
		{ jobTitle: { from: 'CEO', to: 'CTO' } },
		{ jobTitle: { from: 'CEO', to: 'CTO' } },
	],
	['the order of a list', { tags: order }, { tags: order }],
	[
		'some parts of an address',
		address({ city: 'Ede', street: null }, { city: 'Delft', street: 'Kade 1' }),
		address({ city: 'Ede' }, { city: 'Delft' }),
	],
	[
		'a part that was null or missing before',
		address({ street: null }, { street: 'Kade 1' }),
		address({}, { street: 'Kade 1' }),
	],
	[
		'a part of an address that was empty before',
		address(null, { street: 'Kade 1', city: 'Ede' }),
		address({ street: null }, { street: 'Kade 1' }),
	],
	[
		'an address that has become empty',
		address({ street: null }, { street: 'Kade 1' }),
		address(null, { street: 'Kade 1' }),
	],
])('The approval of a change allows %s', (_, approved, changes) => {
	expect(assert(approved, changes)).not.toThrow();
});

it.each<[string, object, object, string]>([
	['another added entry', tags(['/tags/a']), tags(['/tags/b']), 'Tags'],
	['another removed entry', tags(['/tags/a'], ['/tags/c']), tags(['/tags/a'], ['/tags/d']), 'Tags'],
	['another order', { tags: order }, { tags: { ...order, to: [] } }, 'Tags'],
	['a list that hid its entries', { tags: { to: ['/tags/a'] } }, tags(['/tags/a']), 'Tags'],
	['a list that hides its entries', tags(['/tags/a']), { tags: { to: ['/tags/a'] } }, 'Tags'],
	[
		'an unknown list',
		{ hobbies: { added: ['a'], removed: [] } },
		{ hobbies: { added: ['a'], removed: [] } },
		'Hobbies',
	],
	[
		'a field without approval',
		{},
		{ jobTitle: { from: 'CEO', to: 'CTO' } },
		'Job Title (from "CEO" to "CTO")',
	],
	[
		'an earlier value that has changed',
		{ jobTitle: { from: 'CEO', to: 'CTO' } },
		{ jobTitle: { from: 'COO', to: 'CTO' } },
		'Job Title (from "COO" to "CTO")',
	],
	[
		'another part',
		address({ city: 'Ede' }, { city: 'Delft' }),
		address({ street: 'Kade 1' }, { street: 'Kade 2' }),
		'Address',
	],
	[
		'another value of a part',
		address({ city: 'Ede' }, { city: 'Delft' }),
		address({ city: 'Ede' }, { city: 'Gouda' }),
		'Address',
	],
	[
		'an earlier part that has changed',
		address({ city: 'Ede' }, { city: 'Delft' }),
		address({ city: 'Gouda' }, { city: 'Delft' }),
		'Address',
	],
	[
		'a part that had no value',
		address(null, { city: 'Delft' }),
		address({ city: 'Ede' }, { city: 'Delft' }),
		'Address',
	],
	[
		'a part that lost its value',
		address({ city: 'Ede' }, { city: 'Delft' }),
		address(null, { city: 'Delft' }),
		'Address',
	],
	[
		'an address to empty',
		address({ city: 'Ede' }, null),
		address({ city: 'Ede' }, { city: 'Delft' }),
		'Address',
	],
])('The approval of a change does not allow %s', (_, approved, changes, named) => {
	expect(assert(approved, changes)).toThrow(`Not what was approved: ${named}`);
});
