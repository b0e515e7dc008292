import type { Field } from './support/fields';
import { locator, texts } from './support/fields';
import { useScene } from './support/scene';
import { COMMENTS, DISCUSSED, TASKS, USERS } from './support/seeded';
import { get, patch, post, put } from './support/wire';

const all = `/tasks/${DISCUSSED.id}/comments`;
const path = `${all}/${COMMENTS[0].id}`;
const taskId = locator(DISCUSSED.id);
const commentId = locator(COMMENTS[0].id);

/** The fields that a comment is written by, besides its text (interface, section 2.7). */
const fields: Field[] = [
	['author', USERS[2], `/users/${USERS[2]}`],
	['flagged', true, true],
	['flagged', false, false],
	['mentions', [USERS[1], `/users/${USERS[2]}`], [`/users/${USERS[1]}`, `/users/${USERS[2]}`]],
];

/** Where the node has a field of a new comment. */
const placed = (name: string, given: unknown) =>
	name === 'mentions' ? { [name]: given } : { additionalFields: { [name]: given } };

describe('comments', () => {
	const scene = useScene();

	const run = async (operation: string, parameters: Record<string, unknown>, input = [{}]) =>
		await scene.run({
			parameters: { resource: 'comment', operation, taskId, ...parameters },
			input,
		});

	it.each(fields)('are created with %s: %j', async (name, given, sent) => {
		const { items } = await run('create', {
			description: 'x',
			...placed(name, given),
		});
		expect(scene.sent()).toEqual([post(all, { description: 'x', [name]: sent })]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it.each(fields)('are replaced with %s: %j', async (name, given, sent) => {
		const { items } = await run('replace', {
			commentId,
			description: 'x',
			...placed(name, given),
		});
		expect(scene.sent()).toEqual([put(path, { description: 'x', [name]: sent })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each([...fields, ...texts('description')])(
		'are updated with %s alone: %j',
		async (name, given, sent) => {
			const { items } = await run('update', { commentId, updateFields: { [name]: given } });
			expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);

	it.each([
		['flagged', null],
		['mentions', []],
	])('have %s cleared with %j', async (name, sent) => {
		await run('update', { commentId, clearFields: [name] });
		expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
	});

	it('do not take their ID, task and time of creation from fields', async () => {
		const readOnly = { id: 'x', taskId: 'y', createdAt: '2026-01-01T00:00:00Z' };
		await run('create', { description: 'x', additionalFields: readOnly });
		await run('update', { commentId, updateFields: { ...readOnly, flagged: true } });
		expect(scene.sent()).toEqual([post(all, { description: 'x' }), patch(path, { flagged: true })]);
	});

	it.each([
		['create', post],
		['replace', put],
		['update', patch],
	])('take JSON as it is on %s, with IDs as IRIs', async (operation, request) => {
		const given = { description: 'x', createdAt: '2026-01-01T00:00:00Z', unknown: [1] };
		await run(operation, {
			commentId,
			inputMode: 'json',
			jsonBody: { ...given, author: USERS[1], mentions: [USERS[2]] },
		});
		expect(scene.sent()).toEqual([
			request(operation === 'create' ? all : path, {
				...given,
				author: `/users/${USERS[1]}`,
				mentions: [`/users/${USERS[2]}`],
			}),
		]);
	});

	it.each([
		['IDs', DISCUSSED.id, COMMENTS[0].id],
		['IRIs', `/tasks/${DISCUSSED.id}`, path],
		['locators with IDs', locator(DISCUSSED.id), locator(COMMENTS[0].id)],
		['locators with IRIs', locator(`/tasks/${DISCUSSED.id}`), locator(path)],
		['choices from lists', locator(DISCUSSED.id, 'list'), locator(COMMENTS[0].id, 'list')],
	])('are read one by one, addressed by %s', async (_, task, comment) => {
		const { items } = await run('get', { taskId: task, commentId: comment, output: 'raw' });
		expect(scene.sent()).toEqual([get(path)]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it('of each task are listed, and linked to its item', async () => {
		const tasks = TASKS.slice(0, 3);
		const { items } = await run(
			'getAll',
			{ taskId: locator('={{ $json.id }}'), output: 'raw', returnAll: true },
			tasks.map(({ id }) => ({ id })),
		);
		expect(scene.sent()).toEqual(
			tasks.map(({ id }) => get(`/tasks/${id}/comments`, 'itemsPerPage=30')),
		);
		const lists = [];
		for (const [item, { id }] of tasks.entries()) {
			const { member } = await scene.record(`/tasks/${id}/comments`);
			lists.push(...(member as object[]).map((json) => ({ json, pairedItem: { item } })));
		}
		expect(items).toEqual(lists);
	});
});
