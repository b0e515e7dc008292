import type { Field } from './support/fields';
import { locator, numbers, texts } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
import { SEGMENTS } from './support/seeded';
import { get, patch, post, put } from './support/wire';

const [id] = SEGMENTS;
const path = `/segments/${id}`;
const segmentId = locator(id);
const required = { title: 'New', icon: 'star' };

/** The fields that a segment is written by, besides title and icon (interface, section 2.5). */
const fields: Field[] = numbers('sequence');

describe('segments', () => {
	const scene = useScene();

	const run = async (operation: string, parameters: Record<string, unknown>, input = [{}]) =>
		await scene.run({ parameters: { resource: 'segment', operation, ...parameters }, input });

	it('are created with what is required alone', async () => {
		const { items } = await run('create', required);
		expect(scene.sent()).toEqual([post('/segments', required)]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it.each(fields)('are created with %s', async (name, given, sent) => {
		const { items } = await run('create', { ...required, additionalFields: { [name]: given } });
		expect(scene.sent()).toEqual([post('/segments', { ...required, [name]: sent })]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: created, pairedItem: { item: 0 } }]);
	});

	it.each(fields)('are replaced with %s', async (name, given, sent) => {
		const { items } = await run('replace', {
			...required,
			segmentId,
			additionalFields: { [name]: given },
		});
		expect(scene.sent()).toEqual([put(path, { ...required, [name]: sent })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it.each([...fields, ...texts('title', 'icon')])(
		'are updated with %s alone',
		async (name, given, sent) => {
			const { items } = await run('update', { segmentId, updateFields: { [name]: given } });
			expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);

	it('have their sequence cleared with null', async () => {
		const { items } = await run('update', { segmentId, clearFields: ['sequence'] });
		expect(scene.sent()).toEqual([patch(path, { sequence: null })]);
		expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
	});

	it('do not take their ID from fields', async () => {
		await run('create', { ...required, additionalFields: { id: 'x', sequence: 1 } });
		expect(scene.sent()).toEqual([post('/segments', { ...required, sequence: 1 })]);
	});

	it.each([
		['create', post('/segments', { ...required, id: 'own-id', color: 'red' })],
		['replace', put(path, { ...required, id: 'own-id', color: 'red' })],
		['update', patch(path, { ...required, id: 'own-id', color: 'red' })],
	])('take JSON as it is on %s', async (operation, sent) => {
		const jsonBody = JSON.stringify({ ...required, id: 'own-id', color: 'red' });
		await run(operation, { segmentId, inputMode: 'json', jsonBody });
		expect(scene.sent()).toEqual([sent]);
	});

	it.each([locator(id), locator(path), locator(id, 'list')])(
		'are read one by one: %j',
		async (given) => {
			const { items } = await run('get', { segmentId: given, output: 'raw' });
			expect(scene.sent()).toEqual([get(path)]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);

	it('are listed', async () => {
		const { items } = await run('getAll', { output: 'raw' });
		expect(scene.sent()).toEqual([get('/segments', 'itemsPerPage=30')]);
		const { member } = await scene.record('/segments');
		expect(items).toEqual((member as object[]).map((json) => ({ json, pairedItem: { item: 0 } })));
		expect(items).toHaveLength(SEGMENTS.length);
	});

	it('are created for each item, and linked', async () => {
		const { items } = await run(
			'create',
			{ title: '={{ $json.title }}', icon: 'star' },
			itemsOf(3, (index) => ({ title: `Segment ${index}` })),
		);
		expect(items.map(({ json, pairedItem }) => [json.title, pairedItem])).toEqual(
			[0, 1, 2].map((item) => [`Segment ${item}`, { item }]),
		);
	});
});
