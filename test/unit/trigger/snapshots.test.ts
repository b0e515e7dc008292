import type { IDataObject } from 'n8n-workflow';
import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import {
	ASPECTS,
	fromText,
	recordKey,
	type Snapshot,
	snapshotOf,
	toText,
	withoutFiltered,
} from '../../../nodes/ContactTaskCrm/trigger/remembered';

const NOW = Date.parse('2026-07-01T10:00:00Z');
const watched = {
	aspects: ASPECTS,
	matches: ({ owner }: IDataObject) => owner === 'Eva',
	isMember: ({ segments }: IDataObject) => segments !== null,
	record: contracts.task,
	...{ watchedFields: ['title', 'tags'], filteredFields: ['tags'] },
	dueTimeOf: ({ due }: IDataObject) => due as number | undefined,
};

it.each<[string, IDataObject, Snapshot | undefined, object]>([
	[
		'a change time',
		{ updatedAt: '2026-07-01T09:00:00Z' },
		undefined,
		{ updatedAt: NOW - 3_600_000 },
	],
	[
		'a change time a minute ahead',
		{ updatedAt: '2026-07-01T10:01:00Z' },
		undefined,
		{ updatedAt: NOW + 60_000 },
	],
	[
		'a change time further ahead',
		{ updatedAt: '2026-07-01T10:01:01Z' },
		undefined,
		{ updatedAt: -NOW - 61_000 },
	],
	['no change time', {}, { updatedAt: 7 }, { updatedAt: 7 }],
	['a column', { status: '/a' }, { status: '/b' }, { status: '/a' }],
	['an embedded column', { status: { '@id': '/a' } }, undefined, { status: '/a' }],
	['an empty column', { status: '' }, { status: '/b' }, { status: '/b' }],
	['a due time', { due: NOW }, { due: 7 }, { due: NOW }],
	['a due time to come', { due: NOW + 1 }, { due: 7 }, { due: 7 }],
	['no due time', {}, undefined, { due: undefined }],
	['a member', { owner: 'Eva' }, undefined, { membership: 'in' }],
	['a member outside the filters', {}, undefined, { membership: 'inUnmet' }],
	['a person outside', { segments: null }, undefined, { membership: 'out' }],
	[
		'a watched URL',
		{ title: 'https://a.example' },
		undefined,
		{ values: '["https://a.example",null]' },
	],
])(
	'A snapshot of a record holds the part that a trigger compares: %s',
	(_, record, before, part) => {
		expect(snapshotOf(watched, record, before, NOW)).toMatchObject(part);
	},
);

it('A trigger reads back each snapshot that it wrote as text', () => {
	const columns = ['/a'];
	const snapshots: Snapshot[] = [
		{
			membership: 'in',
			createdAt: 1,
			updatedAt: -2,
			content: 'x',
			status: '/b',
			completedAt: 3,
			due: 0,
			values: '["a b",null]',
		},
		{ updatedAt: NOW, status: '/a' },
		{ values: '["x  y"]' },
		{},
	];
	for (const snapshot of snapshots) {
		const read = fromText(toText(snapshot, ASPECTS, columns), ASPECTS, columns);
		expect(JSON.parse(JSON.stringify(read))).toEqual(snapshot);
	}
	expect(columns).toEqual(['/a', '/b']);
});

it('A trigger forgets the values of fields by which the service filters the list', () => {
	expect(withoutFiltered('["Call",["/tags/a"]]', watched)).toBe('["Call",{"#":""}]');
	expect(withoutFiltered('["Call","x","y"]', watched)).toBe('["Call",{"#":""},"y"]');
});

it.each([
	[{ id: 'a b' }, 'a%20b'],
	[{ id: 7 }, '7'],
	[{ '@id': '/people/a' }, 'a'],
	[{ uuid: 'a', '@id': '/people/b' }, 'a'],
	[{ '@id': '_:b0' }, undefined],
	[{}, undefined],
])('A trigger on a segment knows the person %j by the key %p', (record, key) => {
	expect(recordKey(watched, record)).toBe(key);
});
