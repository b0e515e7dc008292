import { locator, PICKED } from './support/fields';
import { useScene } from './support/scene';
import { COLUMN_TITLES, COLUMNS, USERS, WORKSPACES } from './support/seeded';
import { asSearch, get } from './support/wire';

const [{ id }] = WORKSPACES;
const path = `/workspaces/${id}`;
const PICKED_UTC = '2026-12-31T16:00:00Z';

/** Every query parameter of `GET /workspaces` but page and itemsPerPage (interface, 4.2). */
const filters: ReadonlyArray<readonly [name: string, given: unknown, query: string[]]> = [
	['title', ['Sales'], ['title=Sales']],
	['title', ['Sales', 'Support'], ['title[]=Sales', 'title[]=Support']],
	['title', 'Sales', ['title=Sales']],
	['title', 'a, b', ['title=a, b']],
	['description', ['customers'], ['description=customers']],
	['description', ['deal', 'customers'], ['description[]=deal', 'description[]=customers']],
	['owner', [USERS[0]], [`owner=/users/${USERS[0]}`]],
	[
		'owner',
		[`/users/${USERS[0]}`, USERS[1]],
		USERS.slice(0, 2).map((user) => `owner[]=/users/${user}`),
	],
	['existsArchivedAt', true, ['exists[archivedAt]=true']],
	['existsArchivedAt', false, ['exists[archivedAt]=false']],
	['createdAtBefore', PICKED, [`createdAt[before]=${PICKED_UTC}`]],
	['createdAtStrictlyBefore', PICKED, [`createdAt[strictly_before]=${PICKED_UTC}`]],
	['createdAtAfter', PICKED, [`createdAt[after]=${PICKED_UTC}`]],
	['createdAtStrictlyAfter', PICKED, [`createdAt[strictly_after]=${PICKED_UTC}`]],
	['archivedAtBefore', PICKED, [`archivedAt[before]=${PICKED_UTC}`]],
	['archivedAtStrictlyBefore', PICKED, [`archivedAt[strictly_before]=${PICKED_UTC}`]],
	['archivedAtAfter', PICKED, [`archivedAt[after]=${PICKED_UTC}`]],
	['archivedAtStrictlyAfter', PICKED, [`archivedAt[strictly_after]=${PICKED_UTC}`]],
];

describe('workspaces', () => {
	const scene = useScene();

	it.each([id, path, locator(id), locator(path), locator(id, 'list')])(
		'are read one by one: %j',
		async (workspaceId) => {
			const { items } = await scene.run({
				parameters: { resource: 'workspace', operation: 'get', workspaceId, output: 'raw' },
			});
			expect(scene.sent()).toEqual([get(path)]);
			expect(items).toEqual([{ json: await scene.record(path), pairedItem: { item: 0 } }]);
		},
	);

	it.each(filters)('are filtered by %s: %j', async (name, given, query) => {
		const { items, error } = await scene.run({
			parameters: {
				resource: 'workspace',
				operation: 'getAll',
				limit: 30,
				output: 'raw',
				filters: { [name]: given },
			},
		});
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([get('/workspaces', ...query, 'itemsPerPage=30')]);
		const { member } = await scene.record(`/workspaces?itemsPerPage=30&${asSearch(query)}`);
		expect(items).toEqual((member as object[]).map((json) => ({ json, pairedItem: { item: 0 } })));
	});

	it('are filtered by everything at once', async () => {
		await scene.run({
			parameters: {
				resource: 'workspace',
				operation: 'getAll',
				filters: {
					title: ['Sales'],
					existsArchivedAt: true,
					archivedAtAfter: '2020-01-01T00:00:00Z',
				},
			},
		});
		expect(scene.sent()).toEqual([
			get(
				'/workspaces',
				'title=Sales',
				'exists[archivedAt]=true',
				'archivedAt[after]=2020-01-01T00:00:00Z',
				'itemsPerPage=30',
			),
		]);
	});

	it.each(['objects', 'iris'] as const)('come with their columns as %s', async (columns) => {
		scene.service.switches.columns = columns;
		const run = async (output: string) =>
			await scene.run({
				parameters: { resource: 'workspace', operation: 'get', workspaceId: id, output },
			});
		expect((await run('raw')).items[0].json).toEqual(await scene.record(path));
		const names =
			columns === 'objects'
				? COLUMNS.map((iri) => `${COLUMN_TITLES[iri]} (${iri})`).join(', ')
				: WORKSPACES[0].columns.map((column) => `${path}/columns/${column.id}`).join(', ');
		expect((await run('simplified')).items[0].json.columns).toBe(names);
	});
});
