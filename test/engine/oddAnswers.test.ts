import { answer } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';

/*
 * Answers of a form that the interface does not rule out: nothing may be lost, doubled or wrong because of
 * one, and where nothing can be made of it the error says how to go on.
 */
const UUID = '1f0c3b52-7d0e-4c7a-9a55-0b6f8d1c2e3f';

describe('a person of an odd form', () => {
	const scene = useScene();
	/** Reads a person whom the service answers with these fields. */
	const read = async (fields: object, personId = 'x') => {
		scene.faults(answer({ '@id': '/people/x', id: 'x', ...fields }));
		const { items, error } = await scene.person('get', { personId: locator(personId) });
		expect(error).toBeUndefined();
		return items[0].json;
	};

	it.each([
		[
			'lists as maps',
			{ emailAddresses: { 2: { email: 'e@x.nl' } }, phoneNumbers: { 1: { phoneNumber: '+31' } } },
			{ email: 'e@x.nl', phone: '+31' },
		],
		[
			'blank entries before others',
			{ emailAddresses: [null, { email: null }, { email: 'e@x.nl' }] },
			{ email: 'e@x.nl' },
		],
		[
			'no list where one is expected',
			{ tags: null, segments: null },
			{ tags: null, segments: null },
		],
		[
			'an embedded owner with an IRI that was made up',
			{ owner: { '@id': '/.well-known/genid/7', id: '3f2a' } },
			{ owner: '3f2a' },
		],
		['an embedded owner of a UUID', { owner: { uuid: '3f2a' } }, { owner: '3f2a' }],
		['an empty ID beside its IRI', { id: '' }, { id: 'x' }],
		['an ID as a number that has lost digits', { id: 2 ** 60 }, { id: 'x' }],
	])('is simplified without loss: %s', async (_, body, simplified) => {
		expect(await read(body)).toMatchObject(simplified);
	});

	it('is linked to segments by title, also where they come as objects, and by ID where they have none', async () => {
		const { segments } = await read({ segments: [{ id: 'a41b', title: 'Red, hot' }, { id: 'x' }] });
		expect(segments).toBe('Red hot, x');
	});

	it('is the one asked for, though the service writes its UUID in small letters', async () => {
		const { id } = await read({ '@id': `/people/${UUID}`, id: UUID }, UUID.toUpperCase());
		expect(id).toBe(UUID);
	});

	it('loses a tag that is given as a UUID in capital letters, and gets none twice', async () => {
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

	it('is not written again where the service shows numbers and truths as text', async () => {
		const eva = {
			'@id': '/people/x',
			id: 'x',
			emailAddresses: [{ email: 'eva@example.com' }],
			dealSize: '2500',
			isTracked: '1',
		};
		scene.faults(answer({ member: [eva] }));
		const { items, error } = await scene.person('upsert', {
			matchValue: 'eva@example.com',
			additionalFields: { dealSize: 2500, isTracked: true },
		});
		expect(error).toBeUndefined();
		expect(items[0].json.result).toBe('unchanged');
	});

	it.each(['tags', 'segments'])('keeps %s that come as null', async (field) => {
		scene.faults(answer({ '@id': '/people/x', id: 'x', [field]: null }));
		const operation = field === 'tags' ? 'addTags' : 'addToSegments';
		const { error } = await scene.person(operation, { personId: locator('x'), [field]: ['a1'] });
		expect(error?.description).toContain('Nothing was written');
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('a list of an odd form', () => {
	const scene = useScene();
	const getPeople = async (more: object = {}) =>
		await scene.person('getAll', { limit: 1_000, ...more });
	const people = (from: number, to: number, more: (index: number) => object = () => ({})) =>
		Array.from({ length: to - from }, (_, index) => ({
			'@id': `/people/p${from + index}`,
			familyName: `P${from + index}`,
			...more(from + index),
		}));

	it.each([
		['empty IDs', () => ({ id: '' })],
		['IDs as numbers that have lost digits', () => ({ id: 2 ** 60 })],
	])('gives every record, though they have %s beside their IRIs', async (_, more) => {
		scene.faults(answer({ member: people(0, 5, more) }));
		const { items } = await getPeople();
		expect(items.map(({ json }) => json.id)).toEqual(['p0', 'p1', 'p2', 'p3', 'p4']);
	});

	it('goes on behind an empty page that names the next one', async () => {
		const view = { '@id': '/people', next: '/people?page=9' };
		scene.faults(
			answer({ member: people(0, 30), view }, { nth: 1 }),
			answer({ member: [], view }, { nth: 2 }),
			answer({ member: people(30, 40) }, { nth: 3 }),
		);
		const { items, error } = await getPeople();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(40);
	});

	it('ends where every page is empty and names the next one', async () => {
		const view = { '@id': '/people', next: '/people?page=9' };
		scene.faults(answer({ member: people(0, 30), view }, { nth: 1 }), answer({ member: [], view }));
		const { items, error } = await getPeople();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(30);
		expect(scene.requests().length).toBeLessThanOrEqual(4);
	});

	it('is counted where the service says its length as text', async () => {
		scene.faults(answer({ member: people(0, 30), totalItems: '45' }));
		const { items, error } = await getPeople({ output: 'count' });
		expect(error).toBeUndefined();
		expect(items[0].json).toEqual({ count: 45 });
	});

	it('is not taken for whole by a length as text', async () => {
		scene.faults(
			answer({ member: people(0, 15), totalItems: '25' }, { nth: 1 }),
			answer({ member: people(15, 25), totalItems: '25' }, { nth: 2 }),
		);
		const { items } = await getPeople();
		expect(items).toHaveLength(25);
	});

	it.each([1767225600, '1767225600', '31-01-2026', { date: '2026-01-31 10:00:00.000000' }])(
		'is not said to drop a filter on a time that it writes as %j',
		async (createdAt) => {
			scene.faults(answer({ member: people(0, 3, () => ({ createdAt })) }));
			const { items, error } = await getPeople({ filters: { createdAtAfter: '2026-01-01' } });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(3);
		},
	);

	it('meets a filter on a tag whose UUID is given in capital letters', async () => {
		const tagged = people(0, 3, () => ({ tags: [`/tags/${UUID}`] }));
		scene.faults(answer({ member: tagged }));
		const { items, error } = await getPeople({ filters: { tagsId: [UUID.toUpperCase()] } });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
	});

	it.each([
		['2026-01-01T03:30:00+05:30', undefined],
		['2025-12-31T20:30:00-01:00', 'Created After'],
	])('is held against a filter by the zone of its times: %s', async (createdAt, refusal) => {
		scene.faults(answer({ member: people(0, 3, () => ({ createdAt })) }));
		const { error } = await getPeople({ filters: { createdAtAfter: '2026-01-01T00:00:00+02:00' } });
		if (refusal === undefined) expect(error).toBeUndefined();
		else expect(error?.message).toContain(refusal);
	});

	it.each([
		['no ID', [{ familyName: 'Jansen' }]],
		['nothing', [null]],
		['lists', [['a']]],
	])(
		'of identifiers that are %s is refused, and not given as items without an ID',
		async (_, member) => {
			scene.faults(answer({ member }));
			const { items, error } = await getPeople({ output: 'identifiers' });
			expect(items).toEqual([]);
			expect(error?.message).toBe('The answer of the service cannot be read (HTTP 200)');
			expect(error?.description).not.toBe('');
		},
	);
});
