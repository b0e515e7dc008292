import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
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
import { get, steady } from './support/wire';

const person = PEOPLE.find(
	({ givenName, owner, phoneNumbers, segments, tags }) =>
		givenName && owner && [phoneNumbers, segments, tags].every((list) => list.length > 0),
)!;
const [workspace] = WORKSPACES;
const task = TASKS.find(({ assignees, dueDate }) => assignees.length > 0 && dueDate)!;
const [comment] = COMMENTS;
const [entry] = HISTORY;
const idOf = (iri: string) => iri.slice(iri.lastIndexOf('/') + 1);
const idsOf = (iris: string[]) => iris.map(idOf).join(', ');
const ofTask = { taskId: `/tasks/${DISCUSSED.id}` };

/** A record of each resource, with its IRIs and its simplified form. */
const records = [
	{
		resource: 'person',
		path: `/people/${person.id}`,
		address: { personId: `/people/${person.id}` },
		simplified: {
			id: person.id,
			name: `${person.givenName} ${person.familyName}`,
			givenName: person.givenName,
			familyName: person.familyName,
			email: person.emailAddresses[0].email,
			phone: person.phoneNumbers[0].phoneNumber,
			owner: idOf(person.owner!),
			segments: person.segments.map((iri) => SEGMENT_TITLES[iri]).join(', '),
			tags: idsOf(person.tags),
			updatedAt: person.updatedAt,
		},
		titlesFrom: ['/users', '/segments', '/tags'],
	},
	{
		resource: 'workspace',
		path: `/workspaces/${workspace.id}`,
		address: { workspaceId: `/workspaces/${workspace.id}` },
		simplified: {
			id: workspace.id,
			title: 'Sales',
			description: 'Every open deal',
			workspaceType: 'deal',
			privacy: 'public',
			owner: idOf(workspace.owner!),
			currency: 'EUR',
			columns: COLUMNS.map((iri) => COLUMN_TITLES[iri]).join(', '),
			createdAt: workspace.createdAt,
			archivedAt: null,
		},
		titlesFrom: ['/users'],
	},
	{
		resource: 'segment',
		path: `/segments/${SEGMENTS[0]}`,
		address: { segmentId: `/segments/${SEGMENTS[0]}` },
		simplified: { id: SEGMENTS[0], title: 'Newsletter', icon: 'list', sequence: 0 },
	},
	{
		resource: 'task',
		path: `/tasks/${task.id}`,
		address: { taskId: `/tasks/${task.id}` },
		simplified: {
			id: task.id,
			title: task.title,
			status: task.status,
			statusTitle: COLUMN_TITLES[task.status],
			workspaceTitle: WORKSPACES.find(({ id }) => task.status.includes(id))?.title,
			assignees: idsOf(task.assignees),
			people: idsOf(task.people),
			dueDate: task.dueDate,
			completedAt: task.completedAt,
			updatedAt: task.updatedAt,
		},
		titlesFrom: ['/workspaces', '/users'],
	},
	{
		resource: 'comment',
		path: `/tasks/${DISCUSSED.id}/comments/${comment.id}`,
		address: { ...ofTask, commentId: `/tasks/${DISCUSSED.id}/comments/${comment.id}` },
		simplified: {
			id: comment.id,
			taskId: DISCUSSED.id,
			description: comment.description,
			flagged: comment.flagged,
			author: idOf(comment.author!),
			mentions: '',
			createdAt: comment.createdAt,
		},
		titlesFrom: ['/users'],
	},
	{
		resource: 'history',
		path: `/tasks/${DISCUSSED.id}/history/${entry.id}`,
		address: { ...ofTask, historyId: `/tasks/${DISCUSSED.id}/history/${entry.id}` },
		simplified: {
			id: entry.id,
			createdAt: entry.createdAt,
			author: idOf(entry.author),
			changes: JSON.stringify(entry.changes),
		},
		titlesFrom: ['/users'],
	},
] as const;

/** Ways to name a record, from its IRI and the name of its parameter. */
const forms: ReadonlyArray<readonly [name: string, of: (iri: string, name: string) => unknown]> = [
	['an ID', (iri) => idOf(iri)],
	['an IRI', (iri) => iri],
	['an ID with spaces around it', (iri) => ` ${idOf(iri)} `],
	['a locator with an ID', (iri) => locator(idOf(iri))],
	['a locator with an IRI', (iri) => locator(iri)],
	['a choice from the list', (iri) => locator(idOf(iri), 'list')],
	['an expression', (_, name) => locator(`={{ $json.${name} }}`)],
];

describe.each(records)('a $resource', (record) => {
	const { resource, path, simplified } = record;
	const iris: Record<string, string | undefined> = record.address;
	const address = Object.fromEntries(
		Object.entries(iris).map(([name, iri = '']) => [name, locator(idOf(iri))]),
	);
	const scene = useScene({ switches: { omitNulls: false } });

	const run = async (operation: string, parameters: Record<string, unknown> = {}) =>
		(await scene[resource](operation, { ...address, ...parameters })).items;

	it.each(sampled(forms, 6))(
		'Get reads a record by %s, and gives it unchanged with the output Raw',
		async (_, of) => {
			const given = Object.entries(iris).map(([name, iri = '']) => [name, of(iri, name)]);
			const { items } = await scene[resource](
				'get',
				{ ...Object.fromEntries(given), output: 'raw' },
				{ input: [iris as never] },
			);
			expect(scene.sent()).toEqual([get(path)]);
			const shown = await scene.record(path);
			expect(steady(items)).toEqual([{ json: steady(shown), pairedItem: { item: 0 } }]);
		},
	);

	it('Get with the default Output, Simplified, gives at most ten flat fields', async () => {
		const items = await run('get');
		const lists: readonly string[] = 'titlesFrom' in record ? record.titlesFrom : [];
		const titles = lists.map((list) => get(list, 'itemsPerPage=30'));
		expect(scene.sent()).toEqual([get(path), ...titles]);
		expect(items).toEqual([{ json: simplified, pairedItem: { item: 0 } }]);
		const values = Object.values(items[0].json);
		expect(values.length).toBeLessThanOrEqual(10);
		expect(values.filter((value) => typeof value === 'object' && value !== null)).toEqual([]);
	});

	it('Get Many gives records in the same simplified and raw form as Get', async () => {
		const items = await run('getAll', { returnAll: true });
		expect(items).toContainEqual({ json: simplified, pairedItem: { item: 0 } });
		scene.clear();
		const raw = await run('getAll', { limit: 12, output: 'raw' });
		const collection = path.slice(0, path.lastIndexOf('/'));
		expect(scene.sent()).toEqual([get(collection, 'itemsPerPage=12')]);
		const { member } = await scene.record(`${collection}?itemsPerPage=12`);
		const shown = steady(member as object[]);
		expect(steady(raw)).toEqual(shown.map((json) => ({ json, pairedItem: { item: 0 } })));
		expect(raw.length).toBeGreaterThan(0);
	});

	it('Selected Fields gives the fields that the user chose', async () => {
		const [chosen] = Object.keys(simplified).filter((name) => name !== 'id' && name !== 'name');
		// Properties of every JavaScript object are no fields of the record.
		const fields = ['id', chosen, 'no such field', 'constructor', 'toString'];
		const shown = await scene.record(path);
		const nothing = { 'no such field': null, constructor: null, toString: null };
		const json = { id: shown.id, [chosen]: shown[chosen], ...nothing };
		expect(await run('get', { output: 'selectedFields', fields })).toEqual([
			{ json, pairedItem: { item: 0 } },
		]);
		expect(scene.sent()).toEqual([get(path)]);
		const items = await run('getAll', { output: 'selectedFields', fields, returnAll: true });
		expect(items).toContainEqual({ json, pairedItem: { item: 0 } });
	});

	it('Selected Fields gives the default fields if the user chose none', async () => {
		const [{ json }] = await run('get', { output: 'selectedFields' });
		expect(json).toMatchObject({ id: simplified.id });
		const columns: Record<string, string[]> = {
			person: ['emailAddresses', 'phoneNumbers', 'street', 'city', 'jobTitle', 'owner', 'tags'],
			task: ['title', 'statusTitle', 'workspaceTitle', 'people', 'dealSizeEstimation'],
			workspace: ['title', 'owner', 'columns'],
		};
		const usual = columns[resource] ?? [];
		expect(Object.keys(json)).toEqual(expect.arrayContaining(['id', ...usual]));
		expect(Object.values(json).filter((value) => typeof value === 'object' && value)).toEqual([]);
	});
});

describe('the match keys of a person', () => {
	const scene = useScene();

	it('Match Keys are equal for all spellings of an e-mail address and phone number', async () => {
		const written = [
			{
				email: 'Eva@Mail.example',
				additionalFields: { phoneNumbers: [{ phoneNumber: '06 99887766', phoneType: 'mobile' }] },
			},
			{ email: 'eva@mail.EXAMPLE', phone: '+31 (0)6 9988-7766' },
			{},
		];
		for (const fields of written) await scene.person('create', { familyName: 'Twice', ...fields });
		const { items } = await scene.person('getAll', {
			...{ returnAll: true, filters: { q: 'Twice' } },
			...{ output: 'selectedFields', fields: ['familyName', 'matchKeys'] },
		});
		const matchKeys = 'eva@mail.example, tel:99887766';
		expect(items.map(({ json }) => json)).toEqual(
			[matchKeys, matchKeys, ''].map((keys) => ({ familyName: 'Twice', matchKeys: keys })),
		);
	});
});

describe('records of several items', () => {
	const scene = useScene();

	it('Get Many gives each input item its own list, linked to that item', async () => {
		const tasks = TASKS.slice(0, 3);
		const { items } = await scene.comment(
			'getAll',
			{ taskId: locator('={{ $json.id }}'), output: 'raw', returnAll: true },
			{ input: tasks.map(({ id }) => ({ id })) },
		);
		const paths = tasks.map(({ id }) => `/tasks/${id}/comments`);
		expect(scene.sent()).toEqual(paths.map((path) => get(path, 'itemsPerPage=30')));
		const lists = [];
		for (const [item, path] of paths.entries()) {
			const { member } = await scene.record(path);
			lists.push(...(member as object[]).map((json) => ({ json, pairedItem: { item } })));
		}
		expect(items).toEqual(lists);
	});

	it('If several items read one record, Get reads it once and gives copies', async () => {
		const ids = PEOPLE.slice(0, 4).map(({ id }) => id);
		const asked = itemsOf(20, (index) => ({ id: ids[index % 4] }));
		const parameters = { personId: locator('={{ $json.id }}'), output: 'raw' };
		const { items } = await scene.person('get', parameters, { input: asked });
		expect(items.map(({ json }) => json.id)).toEqual(asked.map(({ id }) => id));
		expect(scene.requests()).toHaveLength(4);
		expect(items[0].json).toEqual(items[4].json);
		expect(items[0].json.tags).not.toBe(items[4].json.tags);
	});

	it('If fifty items read the same list, Get Many reads it once', async () => {
		const { items } = await scene.segment('getAll', { limit: 2 }, { input: Array(50).fill({}) });
		expect(items).toHaveLength(100);
		expect(scene.requests()).toHaveLength(1);
	});

	it('Get Many of history gives no items and no error for a missing task', async () => {
		const { items, error } = await scene.history('getAll', { taskId: locator('none') });
		expect(error).toBeUndefined();
		expect(items).toEqual([]);
	});
});

describe.each([
	['person', '/people', PEOPLE.map(({ id }) => id)],
	['task', '/tasks', TASKS.map(({ id }) => id)],
] as const)('the identifiers of a list of the resource %s', (resource, path, ids) => {
	const scene = useScene();

	it.each(
		sampled(
			[
				...(['array', 'envelope', 'objects', 'iris', 'id-objects', 'uuid-objects'] as const),
				...(['iri-array', 'id-object-array', 'uuid-object-array'] as const),
			],
			4,
		),
	)('The output IDs Only gives each ID, whatever form the service uses (%s)', async (form) => {
		scene.service.switches.identifiers = form;
		const { items } = await scene[resource]('getAll', { output: 'identifiers', limit: 40 });
		expect(scene.sent()).toEqual([
			get(path, 'view=idx', 'itemsPerPage=30'),
			get(path, 'view=idx', 'itemsPerPage=30', 'page=2'),
		]);
		expect(items).toEqual(
			ids.slice(0, 40).map((id) => ({ json: { id }, pairedItem: { item: 0 } })),
		);
	});

	it('The output IDs Only with Return All gives the IDs of the whole list', async () => {
		const { items } = await scene[resource]('getAll', { output: 'identifiers', returnAll: true });
		expect(items.map(({ json }) => json.id)).toEqual(ids);
	});
});

describe('a workspace that shows its columns only as IRIs', () => {
	const scene = useScene();

	it('Get shows columns of a workspace as IRIs if the service gives only IRIs', async () => {
		scene.service.switches.columns = 'iris';
		const address = { workspaceId: workspace.id };
		const raw = await scene.workspace('get', { ...address, output: 'raw' });
		expect(raw.items[0].json).toEqual(await scene.record(`/workspaces/${workspace.id}`));
		const { items } = await scene.workspace('get', address);
		expect(items[0].json.columns).toBe(COLUMNS.join(', '));
	});
});
