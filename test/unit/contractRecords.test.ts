import type { IDataObject } from 'n8n-workflow';
import type {
	RecordSpecification,
	TitleOf,
} from '../../nodes/ContactTaskCrm/runtime/specification';
import { referenceIn } from '../../nodes/ContactTaskCrm/common/records';
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

/** Titles as they may be known. */
const TITLES: Record<string, string> = {
	'/workspaces/5c1f/columns/12ab': 'Won',
	'/workspaces/5c1f': 'Sales',
	'/users/1': 'Eva, de Vries',
	'/people/0d5c': 'Amber',
	'/segments/a41b': 'Newsletter',
};
const titleOf: TitleOf = (reference) => TITLES[String(reference)];
const unknown: TitleOf = () => undefined;

describe.each(records)('a simplified %s', (noun, { simplify: simplifyWith, ...record }) => {
	const simplify = (whole: IDataObject) => simplifyWith(whole, unknown);

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
		personRecord.simplify(
			{
				'@id': '/people/0d5c',
				id: '0d5c',
				givenName: 'Eva',
				additionalName: 'van der',
				familyName: 'Berg',
				emailAddresses: [{ email: 'eva@example.com' }, { email: 'e@example.com' }],
				phoneNumbers: [{ phoneNumber: '+31 6 12345678', phoneType: 'mobile' }],
				owner: { '@id': '/users/3f2a', name: 'Noor' },
				segments: ['/segments/a41b', '/segments/b'],
				tags: [{ '@id': '/tags/7c1e', title: 'VIP' }],
				updatedAt: '2026-01-01T00:00:00Z',
			},
			titleOf,
		),
	).toEqual({
		id: '0d5c',
		name: 'Eva van der Berg',
		givenName: 'Eva',
		familyName: 'Berg',
		email: 'eva@example.com',
		phone: '+31 6 12345678',
		owner: '/users/3f2a',
		segments: 'Newsletter (/segments/a41b), /segments/b',
		tags: 'VIP (/tags/7c1e)',
		updatedAt: '2026-01-01T00:00:00Z',
	});
});

test('a simplified person without addresses shows none', () => {
	expect(personRecord.simplify({ familyName: 'Berg', emailAddresses: [] }, titleOf)).toMatchObject({
		name: 'Berg',
		email: null,
		phone: null,
	});
});

test('a simplified task shows titles beside the IRIs that it is joined by', () => {
	const task = {
		id: '91ce',
		title: 'Call back',
		status: '/workspaces/5c1f/columns/12ab',
		workspace: { '@id': '/workspaces/5c1f' },
		assignees: ['/users/1', { '@id': '/users/2' }],
		people: ['/people/0d5c', { '@id': '/people/2', familyName: 'Berg' }],
	};
	expect(
		taskRecord.simplify(task, (reference) => titleOf(referenceIn(reference as never), '/tags')),
	).toEqual({
		id: '91ce',
		title: 'Call back',
		status: '/workspaces/5c1f/columns/12ab',
		statusTitle: 'Won',
		workspaceTitle: 'Sales',
		assignees: 'Eva de Vries (/users/1), /users/2',
		people: 'Amber (/people/0d5c), Berg (/people/2)',
		dueDate: null,
		completedAt: null,
		updatedAt: null,
	});
	expect(taskRecord.simplify({ status: task.status }, titleOf)).toMatchObject({
		workspaceTitle: 'Sales',
	});
	expect(taskRecord.simplify(task, unknown)).toMatchObject({
		statusTitle: null,
		workspaceTitle: null,
		assignees: '/users/1, /users/2',
	});
});

test('a simplified workspace names its columns with their IRIs, in whatever form they come', () => {
	const columns = [{ '@id': '/w/1/columns/1', title: 'New' }, { name: 'Won' }, '/w/1/columns/3'];
	expect(workspaceRecord.simplify({ columns }, unknown)).toMatchObject({
		columns: 'New (/w/1/columns/1), Won, /w/1/columns/3',
	});
});

test('a simplified history entry keeps its changes whole, as text', () => {
	expect(
		historyRecord.simplify({ id: 'e1', changes: [{ field: 'status' }] }, unknown),
	).toMatchObject({
		changes: '[{"field":"status"}]',
	});
});
