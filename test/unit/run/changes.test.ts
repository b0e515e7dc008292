import type { IDataObject } from 'n8n-workflow';
import { changesBy } from '../../../nodes/ContactTaskCrm/writes/merge';
import { person } from '../../../nodes/ContactTaskCrm/schema/person';
import { task } from '../../../nodes/ContactTaskCrm/schema/task';

const ID = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';

describe('what a write changes', () => {
	it.each<[string, IDataObject, IDataObject, object]>([
		['none for a field that keeps its value', { jobTitle: 'Chef' }, { jobTitle: 'Chef' }, {}],
		[
			'a field that is emptied',
			{ jobTitle: 'Chef' },
			{ jobTitle: null },
			{ jobTitle: { from: 'Chef', to: null } },
		],
		['none for an emptied field that the service does not show', {}, { jobTitle: null }, {}],
		[
			'none for a time in another zone',
			{ archivedAt: '2026-01-05T10:00:00+01:00' },
			{ archivedAt: '2026-01-05T09:00:00Z' },
			{},
		],
		[
			'the old time in the form that the node sends',
			{ archivedAt: '2026-01-05T10:00:00+01:00' },
			{ archivedAt: null },
			{ archivedAt: { from: '2026-01-05T09:00:00Z', to: null } },
		],
		[
			'an IRI, even if the service shows the reference as a record',
			{ owner: { '@id': '/api/users/a', name: 'Eva' } },
			{ owner: '/users/b' },
			{ owner: { from: '/users/a', to: '/users/b' } },
		],
		[
			'added and removed entries of a list, in any form',
			{ tags: [{ '@id': '/api/tags/a' }, `/tags/${ID}`] },
			{ tags: [`/tags/${ID.toLowerCase()}`, '/tags/c'] },
			{ tags: { added: ['/tags/c'], removed: ['/tags/a'] } },
		],
		[
			'an e-mail address in another spelling',
			{ emailAddresses: [{ '@id': '/.well-known/genid/1', email: 'a@x.example' }] },
			{ emailAddresses: [{ email: 'A@x.example' }] },
			{
				emailAddresses: { added: [{ email: 'A@x.example' }], removed: [{ email: 'a@x.example' }] },
			},
		],
		[
			'none for an entry that the service shows with more parts',
			{ emailAddresses: [{ id: 7, email: 'a@x.example' }] },
			{ emailAddresses: [{ email: 'a@x.example' }] },
			{},
		],
		[
			'both whole lists if only the order differs',
			{ emailAddresses: [{ email: 'a@x.example' }, { email: 'b@x.example' }] },
			{ emailAddresses: [{ email: 'b@x.example' }, { email: 'a@x.example' }] },
			{
				emailAddresses: {
					...{ added: [], removed: [] },
					from: [{ email: 'a@x.example' }, { email: 'b@x.example' }],
					to: [{ email: 'b@x.example' }, { email: 'a@x.example' }],
				},
			},
		],
		[
			'none for tags in another order',
			{ tags: ['/tags/a', '/tags/b'] },
			{ tags: ['/tags/b', '/tags/a'] },
			{},
		],
		[
			'none for milliseconds that a service cuts',
			{ archivedAt: '2026-01-05T09:00:06+00:00' },
			{ archivedAt: '2026-01-05T09:00:06.789Z' },
			{},
		],
		[
			'a time of the next second',
			{ archivedAt: '2026-01-05T09:00:06+00:00' },
			{ archivedAt: '2026-01-05T09:00:07.000Z' },
			{ archivedAt: { from: '2026-01-05T09:00:06Z', to: '2026-01-05T09:00:07Z' } },
		],
		[
			'one entry removed and one added if the type of a phone number differs',
			{ phoneNumbers: [{ phoneNumber: '+31612345678', phoneType: 'home' }] },
			{ phoneNumbers: [{ phoneNumber: '+31612345678', phoneType: 'work' }] },
			{
				phoneNumbers: {
					added: [{ phoneNumber: '+31612345678', phoneType: 'work' }],
					removed: [{ phoneNumber: '+31612345678', phoneType: 'home' }],
				},
			},
		],
		[
			'only the parts of an address that differ',
			{ address: { city: 'Utrecht', country: 'NL' } },
			{ address: { city: 'Delft', country: 'NL', street: null } },
			{ address: { from: { city: 'Utrecht' }, to: { city: 'Delft' } } },
		],
		[
			'only the new value if the service does not show the old one',
			{},
			{ avatar: '/media_objects/a' },
			{ avatar: { to: '/media_objects/a' } },
		],
		[
			'only the new list if the service does not show the old list',
			{},
			{ tags: ['/tags/a'] },
			{ tags: { to: ['/tags/a'] } },
		],
	])('The changes that the node computes for a write are %s', (_, before, sent, changes) => {
		expect(changesBy(person, before, sent)).toEqual(changes);
	});

	it('The node sees no change if the service shows an equal number as text', () => {
		expect(changesBy(task, { timeEstimation: '8' }, { timeEstimation: 8 })).toEqual({});
	});
});
