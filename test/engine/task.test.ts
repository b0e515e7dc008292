import { locator } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
import { COLUMNS, ORGANIZATIONS, PEOPLE, TAGS, TASKS, USERS } from './support/seeded';
import { get, patch, post, put } from './support/wire';

const [{ id }] = TASKS;
const path = `/tasks/${id}`;
const taskId = locator(id);

/** Everything that only JSON can say of a new task (interface, section 2.6). */
const EMBEDDED = {
	title: 'Call',
	status: COLUMNS[0],
	people: [
		{
			familyName: 'Nieuw',
			emailAddresses: [{ email: 'nieuw@mail.example' }],
			phoneNumbers: [{ phoneNumber: '+31 6 1', phoneType: 'work' }],
			address: { city: 'Delft' },
			tags: [`/tags/${TAGS[0]}`],
		},
		{ id: PEOPLE[0].id },
	],
	organizations: [
		{ title: 'Acme', website: 'https://acme.example', address: { city: 'Delft' } },
		{ id: ORGANIZATIONS[0] },
	],
	messages: [{ subject: 'Hello', from: { email: 'a@mail.example' }, read: true }],
	conversationItems: [{ body: 'Hello', mentions: [`/users/${USERS[0]}`], attachments: [] }],
	tags: [{ title: 'New tag', backgroundColor: '#ff0000', textColor: '#ffffff' }, { id: TAGS[0] }],
	participants: ['a@mail.example'],
};

describe('tasks', () => {
	const scene = useScene();

	const run = async (operation: string, parameters: Record<string, unknown>, input = [{}]) =>
		await scene.run({ parameters: { resource: 'task', operation, ...parameters }, input });

	it.each([locator(id), locator(path), locator(id, 'list')])(
		'are read one by one: %j',
		async (given) => {
			const { items } = await run('get', { taskId: given, output: 'raw' });
			expect(scene.sent()).toEqual([get(path)]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);

	it('are listed', async () => {
		const { items } = await run('getAll', { limit: 20, output: 'raw' });
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=20')]);
		const { member } = await scene.record('/tasks?itemsPerPage=20');
		expect(items).toEqual((member as object[]).map((json) => ({ json, pairedItem: { item: 0 } })));
	});

	it.each([
		['as an object', EMBEDDED],
		['as text', JSON.stringify(EMBEDDED)],
		['from the item', '={{ $json }}'],
	])('are created with embedded records, given %s', async (_, jsonBody) => {
		const { items, error } = await run('create', { inputMode: 'json', jsonBody }, [EMBEDDED]);
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([post('/tasks', EMBEDDED)]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
		expect(created.people).toEqual([expect.any(String), `/people/${PEOPLE[0].id}`]);
	});

	it('are duplicated with embedded records', async () => {
		const { people, organizations } = EMBEDDED;
		const body = { title: 'Copy', status: COLUMNS[1], isTemplate: true, people, organizations };
		const { items } = await run('duplicate', { taskId, inputMode: 'json', jsonBody: body });
		expect(scene.sent()).toEqual([post(`${path}/duplicate`, body)]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it.each([
		['update', patch],
		['replace', put],
	])('take JSON with fields that are not documented on %s', async (operation, request) => {
		const body = {
			title: 'x',
			status: COLUMNS[0],
			recurringSettings: { rrule: 'FREQ=DAILY', recurData: [1] },
			notDocumented: { of: 'any form' },
			assignees: [],
			dueDate: null,
		};
		await run(operation, { taskId, inputMode: 'json', jsonBody: body });
		expect(scene.sent()).toEqual([request(path, body)]);
	});

	it('have IDs in JSON turned into IRIs', async () => {
		const jsonBody = { title: 'x', status: COLUMNS[0], assignees: [USERS[0]], parent: id };
		await run('create', { inputMode: 'json', jsonBody });
		expect(scene.sent()).toEqual([
			post('/tasks', { ...jsonBody, assignees: [`/users/${USERS[0]}`], parent: path }),
		]);
	});

	it('are created for each item in its column, and linked', async () => {
		const { items } = await run(
			'create',
			{ title: '={{ $json.title }}', status: locator('={{ $json.column }}') },
			itemsOf(3, (index) => ({ title: `Task ${index}`, column: COLUMNS[index] })),
		);
		expect(items.map(({ json, pairedItem }) => [json.title, json.status, pairedItem])).toEqual(
			[0, 1, 2].map((item) => [`Task ${item}`, COLUMNS[item], { item }]),
		);
	});

	it('are given as they come where an update answers the updated fields alone', async () => {
		scene.service.switches.updatedTask = 'update-fields';
		const { items } = await run('update', { taskId, updateFields: { title: 'x' } });
		expect(items).toHaveLength(1);
		expect(items[0].json).toMatchObject({ '@id': path, title: 'x' });
		expect(items[0].json).not.toHaveProperty('createdAt');
	});
});
