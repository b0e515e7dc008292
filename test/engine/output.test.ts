import { locator } from './support/fields';
import { useScene } from './support/scene';
import {
	COLUMN_TITLES,
	COLUMNS,
	COMMENTS,
	DISCUSSED,
	HISTORY,
	PEOPLE,
	SEGMENT_TITLES,
	SEGMENTS,
	TASKS,
	WORKSPACES,
} from './support/seeded';
import { get } from './support/wire';

const person = PEOPLE.find(
	({ givenName, owner, phoneNumbers, segments, tags }) =>
		givenName && owner && [phoneNumbers, segments, tags].every((list) => list.length > 0),
)!;
const [workspace] = WORKSPACES;
const task = TASKS.find(({ assignees, dueDate }) => assignees.length > 0 && dueDate)!;
const [comment] = COMMENTS;
const [entry] = HISTORY;
const taskId = locator(DISCUSSED.id);

/** A record of each resource, the parameters that address it, and what its simplified form says. */
const records = [
	{
		resource: 'person',
		path: `/people/${person.id}`,
		address: { personId: locator(person.id) },
		simplified: {
			id: person.id,
			name: `${person.givenName} ${person.familyName}`,
			givenName: person.givenName,
			familyName: person.familyName,
			email: person.emailAddresses[0].email,
			phone: person.phoneNumbers[0].phoneNumber,
			owner: person.owner,
			segments: person.segments.map((iri) => `${SEGMENT_TITLES[iri]} (${iri})`).join(', '),
			tags: person.tags.join(', '),
			updatedAt: person.updatedAt,
		},
		titlesFrom: '/segments',
	},
	{
		resource: 'workspace',
		path: `/workspaces/${workspace.id}`,
		address: { workspaceId: locator(workspace.id) },
		simplified: {
			id: workspace.id,
			title: 'Sales',
			description: 'Every open deal',
			workspaceType: 'deal',
			privacy: 'public',
			owner: workspace.owner,
			currency: 'EUR',
			columns: COLUMNS.map((iri) => `${COLUMN_TITLES[iri]} (${iri})`).join(', '),
			createdAt: workspace.createdAt,
			archivedAt: null,
		},
	},
	{
		resource: 'segment',
		path: `/segments/${SEGMENTS[0]}`,
		address: { segmentId: locator(SEGMENTS[0]) },
		simplified: { id: SEGMENTS[0], title: 'Newsletter', icon: 'list', sequence: 0 },
	},
	{
		resource: 'task',
		path: `/tasks/${task.id}`,
		address: { taskId: locator(task.id) },
		simplified: {
			id: task.id,
			title: task.title,
			status: task.status,
			statusTitle: COLUMN_TITLES[task.status],
			workspaceTitle: WORKSPACES.find(({ id }) => task.status.includes(id))?.title,
			assignees: task.assignees.join(', '),
			people: task.people.join(', '),
			dueDate: task.dueDate,
			completedAt: task.completedAt,
			updatedAt: task.updatedAt,
		},
		titlesFrom: '/workspaces',
	},
	{
		resource: 'comment',
		path: `/tasks/${DISCUSSED.id}/comments/${comment.id}`,
		address: { taskId, commentId: locator(comment.id) },
		simplified: {
			id: comment.id,
			taskId: DISCUSSED.id,
			description: comment.description,
			flagged: comment.flagged,
			author: comment.author,
			mentions: '',
			createdAt: comment.createdAt,
		},
	},
	{
		resource: 'history',
		path: `/tasks/${DISCUSSED.id}/history/${entry.id}`,
		address: { taskId, historyId: locator(entry.id) },
		simplified: {
			id: entry.id,
			createdAt: entry.createdAt,
			author: entry.author,
			changes: JSON.stringify(entry.changes),
		},
	},
];

describe.each(records)('the output of a $resource', (record) => {
	const { resource, path, address, simplified, titlesFrom } = record;
	const scene = useScene({ switches: { omitNulls: false } });

	const run = async (operation: string, parameters: Record<string, unknown> = {}) => {
		const { items } = await scene.run({
			parameters: { resource, operation, ...address, ...parameters },
		});
		return items;
	};

	it('is simplified by default: at most ten flat fields', async () => {
		const items = await run('get');
		const titles = titlesFrom === undefined ? [] : [get(titlesFrom, 'itemsPerPage=30')];
		expect(scene.sent()).toEqual([get(path), ...titles]);
		expect(items).toEqual([{ json: simplified, pairedItem: { item: 0 } }]);
		const values = Object.values(items[0].json);
		expect(values.length).toBeLessThanOrEqual(10);
		expect(values.filter((value) => typeof value === 'object' && value !== null)).toEqual([]);
	});

	it('is simplified in a list as it is alone', async () => {
		const items = await run('getAll', { returnAll: true });
		expect(items).toContainEqual({ json: simplified, pairedItem: { item: 0 } });
	});

	it('is the record as the service shows it where it is raw', async () => {
		const items = await run('get', { output: 'raw' });
		expect(scene.sent()).toEqual([get(path)]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it('is what the user chose where fields are selected', async () => {
		const [chosen] = Object.keys(simplified).filter((name) => name !== 'id' && name !== 'name');
		const fields = ['id', chosen, 'no such field'];
		const shown = await scene.record(path);
		const json = { id: shown.id, [chosen]: shown[chosen] };
		expect(await run('get', { output: 'selectedFields', fields })).toEqual([
			{ json, pairedItem: { item: 0 } },
		]);
		expect(scene.sent()).toEqual([get(path)]);
		const items = await run('getAll', { output: 'selectedFields', fields, returnAll: true });
		expect(items).toContainEqual({ json, pairedItem: { item: 0 } });
	});

	it('is the ID where fields are selected and none is chosen', async () => {
		const items = await run('get', { output: 'selectedFields' });
		expect(items).toEqual([{ json: { id: simplified.id }, pairedItem: { item: 0 } }]);
	});
});

describe.each([
	['person', '/people', PEOPLE.map(({ id }) => id)],
	['task', '/tasks', TASKS.map(({ id }) => id)],
])('the identifiers of a list of the resource %s', (resource, path, ids) => {
	const scene = useScene();

	it.each(['array', 'envelope', 'objects'] as const)(
		'are given as { id }, whatever their form (%s)',
		async (form) => {
			scene.service.switches.identifiers = form;
			const { items } = await scene.run({
				parameters: { resource, operation: 'getAll', output: 'identifiers', limit: 40 },
			});
			expect(scene.sent()).toEqual([
				get(path, 'view=idx', 'itemsPerPage=30'),
				get(path, 'view=idx', 'itemsPerPage=30', 'page=2'),
			]);
			expect(items).toEqual(
				ids.slice(0, 40).map((id) => ({ json: { id }, pairedItem: { item: 0 } })),
			);
		},
	);

	it('are read to their end', async () => {
		const { items } = await scene.run({
			parameters: { resource, operation: 'getAll', output: 'identifiers', returnAll: true },
		});
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});
});

describe('a record that says less than the interface shows', () => {
	const scene = useScene();

	it.each([
		[
			{ '@id': '/people/x', familyName: 'Jansen' },
			{ id: 'x', name: 'Jansen', givenName: null },
		],
		[
			{ id: 'x', owner: { '@id': '/users/1', name: 'Eva' } },
			{ id: 'x', owner: '/users/1' },
		],
		[
			{ id: 'x', emailAddresses: [{}], phoneNumbers: null },
			{ id: 'x', email: null, phone: null },
		],
	])('is simplified all the same: %j', async (body, simplified) => {
		scene.service.switches.faults = [{ kind: 'status', status: 200, body }];
		const { items, error } = await scene.run({
			parameters: { resource: 'person', operation: 'get', personId: locator('x') },
		});
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject(simplified);
		expect(Object.keys(items[0].json)).toHaveLength(10);
	});
});
