import { answer } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';

/*
 * Answers in forms that the interface does not rule out. None may cause lost, doubled or wrong data. If the node
 * cannot read an answer, the error must say how to go on.
 */
const UUID = '1f0c3b52-7d0e-4c7a-9a55-0b6f8d1c2e3f';

describe('a person of an odd form', () => {
	const scene = useScene();
	/** Reads a person; the service answers with these fields. */
	const read = async (fields: object, personId = 'x') => {
		scene.faults(answer({ '@id': '/people/x', id: 'x', ...fields }));
		const { items, error } = await scene.person('get', { personId: locator(personId) });
		expect(error).toBeUndefined();
		return items[0].json;
	};

	it('A person shows segments by title, also if they come as objects, and by ID if they have no title', async () => {
		const { segments } = await read({ segments: [{ id: 'a41b', title: 'Red, hot' }, { id: 'x' }] });
		expect(segments).toBe('Red hot, x');
	});

	it('A person is recognised although the service writes the UUID in small letters', async () => {
		const { id } = await read({ '@id': `/people/${UUID}`, id: UUID }, UUID.toUpperCase());
		expect(id).toBe(UUID);
	});

	it('A tag given as a UUID in capital letters is removed from a person, and never added twice', async () => {
		const tags = [`/tags/${UUID}`, '/tags/a1'];
		scene.faults(answer({ '@id': '/people/x', id: 'x', tags }));
		const change = async (operation: string) =>
			await scene.person(operation, { personId: locator('x'), tags: [UUID.toUpperCase()] });
		const { items } = await change('addTags');
		expect(items[0].json.result).toBe('unchanged');
		scene.clear();
		await change('removeTags');
		expect(scene.sent().at(-1)).toMatchObject({ method: 'PATCH', body: { tags: ['/tags/a1'] } });
	});

	it('A person is not written again if the service shows numbers and booleans as text', async () => {
		const eva = {
			'@id': '/people/x',
			id: 'x',
			emailAddresses: [{ email: 'eva@example.com' }],
			dealSize: '2500',
			isTracked: '1',
		};
		scene.faults(answer({ member: [eva] }));
		const { items, error } = await scene.person('upsert', {
			email: 'eva@example.com',
			additionalFields: { dealSize: 2500, isTracked: true },
		});
		expect(error).toBeUndefined();
		expect(items[0].json.result).toBe('unchanged');
	});

	it.each(['tags', 'segments'])('A person keeps %s that come as null', async (field) => {
		scene.faults(answer({ '@id': '/people/x', id: 'x', [field]: null }));
		const operation = field === 'tags' ? 'addTags' : 'addToSegments';
		const { error } = await scene.person(operation, { personId: locator('x'), [field]: ['a1'] });
		expect(error?.description).toContain('Nothing was written');
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('a list of an odd form', () => {
	const scene = useScene();
	it.each([
		['no ID', [{ familyName: 'Jansen' }]],
		['nothing', [null]],
		['lists', [['a']]],
	])(
		'A list of identifiers that are %s is refused, and gives no items without an ID',
		async (_, member) => {
			scene.faults(answer({ member }));
			const { items, error } = await scene.person('getAll', { output: 'identifiers' });
			expect(items).toEqual([]);
			expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
			expect(error?.description).not.toBe('');
		},
	);
});
