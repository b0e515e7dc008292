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

	it('The output of a person shows segments that come as objects by title, or by ID without a title', async () => {
		const { segments } = await read({ segments: [{ id: 'a41b', title: 'Red, hot' }, { id: 'x' }] });
		expect(segments).toBe('Red hot, x');
	});

	it('Get takes a UUID in capital letters although the service answers with small letters', async () => {
		const { id } = await read({ '@id': `/people/${UUID}`, id: UUID }, UUID.toUpperCase());
		expect(id).toBe(UUID);
	});

	it('Add Tags and Remove Tags recognise a tag of the person by its UUID in capital letters', async () => {
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

	it('Create or Update writes nothing if the service shows equal numbers and booleans as text', async () => {
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

	it.each(['tags', 'segments'])(
		'The node does not add to the %s of a person if the service shows null for them',
		async (field) => {
			scene.faults(answer({ '@id': '/people/x', id: 'x', [field]: null }));
			const operation = field === 'tags' ? 'addTags' : 'addToSegments';
			const { error } = await scene.person(operation, { personId: locator('x'), [field]: ['a1'] });
			expect(error?.description).toContain('Nothing was written');
			expect(scene.requests()).toHaveLength(1);
		},
	);
});

describe('a list of an odd form', () => {
	const scene = useScene();
	it.each([
		['records without an ID', [{ familyName: 'Jansen' }]],
		['null', [null]],
		['lists', [['a']]],
	])('Get Many of identifiers fails if the entries of the list are %s', async (_, member) => {
		scene.faults(answer({ member }));
		const { items, error } = await scene.person('getAll', { output: 'identifiers' });
		expect(items).toEqual([]);
		expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
		expect(error?.description).not.toBe('');
	});
});
