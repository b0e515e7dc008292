import type { IDataObject } from 'n8n-workflow';
import type { RecordSpecification } from '../../nodes/ContactTaskCrm/runtime/specification';
import { commentRecord } from '../../nodes/ContactTaskCrm/resources/comment/output';
import { historyRecord } from '../../nodes/ContactTaskCrm/resources/history/output';
import { personRecord } from '../../nodes/ContactTaskCrm/resources/person/output';
import { segmentRecord } from '../../nodes/ContactTaskCrm/resources/segment/output';
import { taskRecord } from '../../nodes/ContactTaskCrm/resources/task/output';
import { workspaceRecord } from '../../nodes/ContactTaskCrm/resources/workspace/output';

const records: Array<[string, RecordSpecification]> = [
	['comment', commentRecord],
	['history entry', historyRecord],
	['person', personRecord],
	['segment', segmentRecord],
	['task', taskRecord],
	['workspace', workspaceRecord],
];

/** A record in which every field holds what is hardest to flatten. */
const crowded: IDataObject = new Proxy({} as IDataObject, {
	get: (_, name) =>
		name === '@id' ? '/x/1' : [{ '@id': '/y/2', email: 'a@example.com', deep: {} }],
});

describe.each(records)('a simplified %s', (noun, { simplify, ...record }) => {
	test('has at most ten fields, the id first', () => {
		const names = Object.keys(simplify({}));
		expect(names.length).toBeLessThanOrEqual(10);
		expect(names[0]).toBe('id');
		expect(record.noun).toBe(noun);
	});

	test('has the same fields whatever the service leaves out', () => {
		expect(Object.keys(simplify({}))).toEqual(Object.keys(simplify(crowded)));
		expect(Object.values(simplify({}))).not.toContain(undefined);
	});

	test('takes its id from its IRI where it shows no other', () => {
		expect(simplify({ '@id': '/people/0d5c' }).id).toBe('0d5c');
		expect(simplify({ '@id': '/people/0d5c', id: '77' }).id).toBe('77');
	});
});

test('a simplified person joins its names and shows its first addresses', () => {
	expect(
		personRecord.simplify({
			'@id': '/people/0d5c',
			id: '0d5c',
			givenName: 'Eva',
			additionalName: 'van der',
			familyName: 'Berg',
			emailAddresses: [{ email: 'eva@example.com' }, { email: 'e@example.com' }],
			phoneNumbers: [{ phoneNumber: '+31 6 12345678', phoneType: 'mobile' }],
			jobTitle: 'Head of Sales',
			owner: { '@id': '/users/3f2a', name: 'Noor' },
			createdAt: '2026-01-01T00:00:00Z',
		}),
	).toEqual({
		id: '0d5c',
		name: 'Eva van der Berg',
		givenName: 'Eva',
		familyName: 'Berg',
		email: 'eva@example.com',
		phone: '+31 6 12345678',
		jobTitle: 'Head of Sales',
		owner: '/users/3f2a',
		createdAt: '2026-01-01T00:00:00Z',
		updatedAt: null,
	});
});

test('a simplified person without addresses shows none', () => {
	expect(personRecord.simplify({ familyName: 'Berg', emailAddresses: [] })).toMatchObject({
		name: 'Berg',
		email: null,
		phone: null,
	});
});

test('a simplified task shows its references as IRIs and its assignees in one text', () => {
	expect(
		taskRecord.simplify({
			id: '91ce',
			title: 'Call back',
			indexNumber: 12,
			status: '/workspaces/5c1f/columns/12ab',
			workspace: { '@id': '/workspaces/5c1f' },
			assignees: ['/users/1', { '@id': '/users/2' }],
			isFlagged: false,
		}),
	).toMatchObject({
		indexNumber: 12,
		status: '/workspaces/5c1f/columns/12ab',
		workspace: '/workspaces/5c1f',
		assignees: '/users/1, /users/2',
		isFlagged: false,
	});
});

test('a simplified workspace names its columns, in whatever form they come', () => {
	const columns = [{ '@id': '/w/1/columns/1', title: 'New' }, { name: 'Won' }, '/w/1/columns/3'];
	expect(workspaceRecord.simplify({ columns })).toMatchObject({
		columns: 'New, Won, /w/1/columns/3',
	});
});

test('a simplified history entry keeps its changes whole, as text', () => {
	expect(historyRecord.simplify({ id: 'e1', changes: [{ field: 'status' }] })).toMatchObject({
		changes: '[{"field":"status"}]',
	});
});
