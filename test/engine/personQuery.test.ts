import { PICKED } from './support/fields';
import { useScene } from './support/scene';
import { SEGMENTS, TAGS, USERS } from './support/seeded';
import { asSearch, get } from './support/wire';

const PICKED_UTC = '2026-12-31T16:00:00Z';
const first = (ids: string[]) => ids[0];
const both = (ids: string[]) => ids.slice(0, 2);

/** Every query parameter of `GET /people` but page, itemsPerPage and view (interface, 4.1). */
const filters: ReadonlyArray<readonly [name: string, given: unknown, query: string[]]> = [
	['q', 'O’Neill & sons + co=1', ['q=O’Neill & sons + co=1']],
	['ownerId', [first(USERS)], [`owner.id=${first(USERS)}`]],
	['ownerId', [`/users/${first(USERS)}`], [`owner.id=${first(USERS)}`]],
	['ownerId', both(USERS), both(USERS).map((id) => `owner.id[]=${id}`)],
	['emailAddressesEmail', ['a+b@mail.example'], ['emailAddresses.email=a+b@mail.example']],
	[
		'emailAddressesEmail',
		['a@mail.example', 'b@mail.example'],
		['emailAddresses.email[]=a@mail.example', 'emailAddresses.email[]=b@mail.example'],
	],
	['tagsId', [first(TAGS)], [`tags.id=${first(TAGS)}`]],
	['tagsId', both(TAGS), both(TAGS).map((id) => `tags.id[]=${id}`)],
	['segmentsUuid', [first(SEGMENTS)], [`segments.uuid=${first(SEGMENTS)}`]],
	[
		'segmentsUuid',
		both(SEGMENTS).map((id) => `/segments/${id}`),
		both(SEGMENTS).map((id) => `segments.uuid[]=${id}`),
	],
	['existsArchivedAt', true, ['exists[archivedAt]=true']],
	['existsArchivedAt', false, ['exists[archivedAt]=false']],
	['createdAtAfter', PICKED, [`createdAt[after]=${PICKED_UTC}`]],
	['createdAtStrictlyAfter', PICKED, [`createdAt[strictly_after]=${PICKED_UTC}`]],
	['createdAtBefore', PICKED, [`createdAt[before]=${PICKED_UTC}`]],
	['createdAtStrictlyBefore', PICKED, [`createdAt[strictly_before]=${PICKED_UTC}`]],
	['createdAtAfter', '2026-07-01T09:00:00+02:00', ['createdAt[after]=2026-07-01T07:00:00Z']],
	['identifiers', ['+31 6 12345678'], ['identifiers=+31 6 12345678']],
	[
		'identifiers',
		['network-3', 'x@y.example'],
		['identifiers[]=network-3', 'identifiers[]=x@y.example'],
	],
];

const orders: ReadonlyArray<readonly [name: string, direction: string]> = [
	['familyName', 'asc'],
	['familyName', 'desc'],
	['createdAt', 'asc'],
	['createdAt', 'desc'],
];

describe('a list of people', () => {
	const scene = useScene();

	const getAll = async (parameters: Record<string, unknown>, json = {}) =>
		await scene.run({
			parameters: { resource: 'person', operation: 'getAll', output: 'raw', ...parameters },
			input: [json],
		});

	/** What the service shows to a client of its own for the same query. */
	const shown = async (query: string[]) => {
		const { member } = await scene.record(`/people?itemsPerPage=30&${asSearch(query)}`);
		return (member as object[]).map((json) => ({ json, pairedItem: { item: 0 } }));
	};

	it.each(filters)('is filtered by %s: %j', async (name, given, query) => {
		const { items, error } = await getAll({ limit: 30, filters: { [name]: given } });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([get('/people', ...query, 'itemsPerPage=30')]);
		expect(items).toEqual(await shown(query));
	});

	it.each(orders)('is sorted by %s, %s', async (name, direction) => {
		const { items } = await getAll({ limit: 30, sort: { [name]: direction } });
		const query = [`order[${name}]=${direction}`];
		expect(scene.sent()).toEqual([get('/people', ...query, 'itemsPerPage=30')]);
		expect(items).toEqual(await shown(query));
		expect(items).toHaveLength(30);
	});

	it('is filtered and sorted by everything at once, on every page alike', async () => {
		await getAll({
			returnAll: true,
			filters: { ownerId: both(USERS), existsArchivedAt: false, createdAtAfter: '2020-01-01' },
			sort: { familyName: 'asc', createdAt: 'desc' },
		});
		const query = [
			...both(USERS).map((id) => `owner.id[]=${id}`),
			'exists[archivedAt]=false',
			'createdAt[after]=2019-12-31T23:00:00Z',
			'order[familyName]=asc',
			'order[createdAt]=desc',
			'itemsPerPage=30',
		];
		expect(scene.sent()[0]).toEqual(get('/people', ...query));
		for (const [index, sent] of scene.sent().slice(1).entries()) {
			expect(sent).toEqual(get('/people', ...query, `page=${index + 2}`));
		}
	});

	it.each([
		[
			'a text with commas',
			'ownerId',
			both(USERS).join(', '),
			both(USERS).map((id) => `owner.id[]=${id}`),
		],
		['a list', 'tagsId', both(TAGS), both(TAGS).map((id) => `tags.id[]=${id}`)],
		['a record', 'ownerId', { id: first(USERS) }, [`owner.id=${first(USERS)}`]],
		['a number', 'q', 1042, ['q=1042']],
		['a text for a yes or no', 'existsArchivedAt', 'false', ['exists[archivedAt]=false']],
		['a date', 'createdAtAfter', '2026-06-01', ['createdAt[after]=2026-05-31T22:00:00Z']],
	])('takes a filter as %s from an expression', async (_, name, value, query) => {
		const filter = { [name]: '={{ $json.value }}' };
		await getAll({ limit: 30, filters: filter }, { value });
		expect(scene.sent()).toEqual([get('/people', ...query, 'itemsPerPage=30')]);
	});

	it('takes a time as an object', async () => {
		const createdAtAfter = "={{ DateTime.fromISO('2026-12-31T17:00:00', { zone: 'Asia/Tokyo' }) }}";
		await getAll({ limit: 30, filters: { createdAtAfter } });
		expect(scene.sent()).toEqual([
			get('/people', 'createdAt[after]=2026-12-31T08:00:00Z', 'itemsPerPage=30'),
		]);
	});

	it('leaves out filters that were added and not filled in', async () => {
		const blank = { q: '', ownerId: [], tagsId: [], emailAddressesEmail: [''], createdAtAfter: '' };
		await getAll({ limit: 30, filters: blank });
		expect(scene.sent()).toEqual([get('/people', 'itemsPerPage=30')]);
	});

	it('has its query encoded so that PHP and URLs read it alike', async () => {
		await getAll({ limit: 30, filters: { q: 'a+b c&d=é#?/[]' } });
		expect(scene.request().rawUrl).toBe(
			'/people?q=a%2Bb%20c%26d%3D%C3%A9%23%3F%2F%5B%5D&itemsPerPage=30',
		);
		expect(scene.request().query.q).toBe('a+b c&d=é#?/[]');
	});
});
