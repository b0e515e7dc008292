import { changeSwitches } from '../service/switches';
import { useScene } from './support/scene';
import { USERS, WORKSPACES } from './support/seeded';
import { get } from './support/wire';

const PREFIXED = { mountPath: '/api/v1', prefixedFilters: true };
const firstPeople = get('/people', 'itemsPerPage=30');

describe('Get Many of workspaces by owner', () => {
	const scene = useScene();
	const owner = WORKSPACES[0].owner!;
	const id = owner.split('/').at(-1)!;
	const others = USERS.map((user) => `/users/${user}`).filter((iri) => iri !== owner);
	const names = `/users/${id} = Eva de Vries`;
	const ownedBy = (...owners: string[]) =>
		WORKSPACES.filter((one) => owners.includes(one.owner!)).map((one) => one.id);

	const getAll = async (given: unknown, setup = {}, more = {}) => {
		const parameters = { output: 'raw', limit: 30, filters: { owner: given }, ...more };
		return await scene.workspace('getAll', parameters, { credentials: { names }, ...setup });
	};

	describe.each([
		['below a path', PREFIXED],
		['without a path', {}],
	])('at a base URL %s', (place, switches) => {
		const prefix = switches === PREFIXED ? PREFIXED.mountPath : '';
		beforeEach(() => {
			changeSwitches(scene.service.switches, switches);
		});

		it.each([
			['an ID', [id]],
			['an IRI', owner],
			['an IRI with a prefix', [`/api/v1${owner}`]],
			['a name of the credential', ['Eva de Vries']],
		])(
			`At a base URL ${place}, Get Many filters workspaces by owner, given as %s`,
			async (_, given) => {
				const { items, error } = await getAll(given);
				expect(error).toBeUndefined();
				expect(items.map(({ json }) => json.id)).toEqual(ownedBy(owner));
				const list = get('/workspaces', `owner=${prefix}${owner}`, 'itemsPerPage=30');
				// The node looks for a name in the list of users first.
				const sent = scene.sent().filter(({ path }) => path !== '/users');
				expect(sent).toEqual(prefix === '' ? [list] : [firstPeople, list]);
			},
		);

		it(`At a base URL ${place}, Get Many filters workspaces by several owners together`, async () => {
			const { items, error } = await getAll([id, ...others]);
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.id)).toEqual(ownedBy(owner, ...others));
			const query = [owner, ...others].map((iri) => `owner[]=${prefix}${iri}`);
			expect(scene.sent().at(-1)).toEqual(get('/workspaces', ...query, 'itemsPerPage=30'));
		});
	});

	it('To filter by owner, Get Many learns the prefix of IRIs by one request', async () => {
		changeSwitches(scene.service.switches, PREFIXED);
		const input = [owner, ...others].map((iri) => ({ iri }));
		const first = await getAll('={{ $json.iri }}', { input });
		expect(first.error).toBeUndefined();
		expect(first.items.map(({ json }) => json.id).sort()).toEqual(ownedBy(owner, ...others).sort());
		expect(scene.sent().filter(({ path }) => path === '/people')).toEqual([firstPeople]);
		scene.clear();
		await getAll(id);
		expect(scene.requests()).toHaveLength(1);
	});

	it("Get Many filters by owner even if the service's IRIs include a host name", async () => {
		changeSwitches(scene.service.switches, { ...PREFIXED, iriOrigin: 'https://crm.example' });
		const { items } = await getAll(`https://crm.example/api/v1${owner}`);
		expect(items.map(({ json }) => json.id)).toEqual(ownedBy(owner));
	});

	it('Count filters workspaces by owner if IRIs include the path of the base URL', async () => {
		changeSwitches(scene.service.switches, PREFIXED);
		const { items } = await getAll(id, {}, { output: 'count' });
		expect(items[0].json).toEqual({ count: ownedBy(owner).length });
	});

	it('Get Many fails if the service ignores the filter by owner', async () => {
		changeSwitches(scene.service.switches, { ...PREFIXED, dropFilters: ['owner'] });
		const { error } = await getAll(others[0]);
		expect(error?.message).toBe(
			'Owner: the service returned workspaces that do not meet the filter',
		);
	});
});
