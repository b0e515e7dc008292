import { changeSwitches } from '../service/switches';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, USERS, WORKSPACES } from './support/seeded';
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
			`At a base URL ${place}, Get Many of workspaces filters by an owner given as %s`,
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

		it(`At a base URL ${place}, Get Many of workspaces filters by several owners at once`, async () => {
			const { items, error } = await getAll([id, ...others]);
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.id)).toEqual(ownedBy(owner, ...others));
			const query = [owner, ...others].map((iri) => `owner[]=${prefix}${iri}`);
			expect(scene.sent().at(-1)).toEqual(get('/workspaces', ...query, 'itemsPerPage=30'));
		});
	});

	it("Get Many learns the path prefix of the service's IRIs with one request for all items, or from an earlier answer", async () => {
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

	it('A filter by owner finds the people if the IRIs of the service include its host name', async () => {
		changeSwitches(scene.service.switches, { ...PREFIXED, iriOrigin: 'https://crm.example' });
		const { items } = await getAll(`https://crm.example/api/v1${owner}`);
		expect(items.map(({ json }) => json.id)).toEqual(ownedBy(owner));
	});

	it('Count of workspaces filters by owner if IRIs of the service include the path of the base URL', async () => {
		changeSwitches(scene.service.switches, PREFIXED);
		const { items } = await getAll(id, {}, { output: 'count' });
		expect(items[0].json).toEqual({ count: ownedBy(owner).length });
	});

	it('Get Many fails if the service ignores the filter by owner and returns workspaces of others', async () => {
		changeSwitches(scene.service.switches, { ...PREFIXED, dropFilters: ['owner'] });
		const { error } = await getAll(others[0]);
		expect(error?.message).toBe(
			'Owner: the service returned workspaces that do not meet the filter',
		);
	});
});

describe('an empty list of people', () => {
	const scene = useScene();
	const person = PEOPLE.find(
		({ archivedAt, owner, segments }) => !archivedAt && owner && segments.length === 1,
	)!;
	const { owner, segments } = person;
	const segment = segments[0].split('/').at(-1)!;
	const name = [person.givenName, person.familyName].filter(Boolean).join(' ');
	const readPerson = get(`/people/${person.id}`);

	beforeEach(() => {
		changeSwitches(scene.service.switches, { deafFilters: ['segments.uuid'] });
	});
	const show = async () => {
		const { error } = await scene.person('get', { personId: locator(person.id), output: 'raw' });
		expect(error).toBeUndefined();
		scene.clear();
	};
	const getAll = async (more: object = {}, filters: object = {}, setup = {}) => {
		const all = { segmentsUuid: [segment], ...filters };
		const parameters = { limit: 30, output: 'raw', filters: all, ...more };
		return await scene.person('getAll', parameters, setup);
	};
	const MESSAGE = `the service returned no people, though "${name}" meets the filter`;

	it.each(['raw', 'simplified', 'identifiers', 'count'])(
		'Get Many of people fails on an empty answer if a person seen earlier meets the filter (output %s)',
		async (output) => {
			await show();
			const { error } = await getAll({ output });
			expect(error?.message).toBe(`Segment: ${MESSAGE}`);
			expect(error?.description).toContain('another form of the ID');
			expect(scene.sent().at(-1)).toEqual(readPerson);
		},
	);

	it('Get Many of people fails on an empty answer for a segment if an earlier list showed a member', async () => {
		await scene.person('getAll', { returnAll: true, output: 'simplified' });
		const { error } = await getAll({ returnAll: true });
		expect(error?.message).toMatch(/^Segment: the service returned no people, though ".+" meets/);
	});

	it('If a person seen earlier meets the filter, an empty answer fails each item, after one read of the person in all', async () => {
		await show();
		const input = [{}, {}, {}];
		const { items } = await getAll({}, {}, { input, onError: 'continueRegularOutput' });
		expect(items.map(({ json }) => json.error)).toEqual(Array(3).fill(`Segment: ${MESSAGE}`));
		expect(scene.sent().filter((sent) => sent.path === readPerson.path)).toHaveLength(1);
	});

	it('The error for an empty answer names all filters that a person seen earlier meets', async () => {
		await show();
		const { error } = await getAll({}, { ownerId: [owner], existsArchivedAt: 'false' });
		expect(error?.message).toBe(`Owner, Segment, Archived: ${MESSAGE}s`);
	});

	it.each(['raw', 'identifiers', 'count'])(
		'Get Many of people accepts an empty answer if no person seen earlier meets the filter (output %s)',
		async (output) => {
			const { items, error } = await getAll({ output });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json)).toEqual(output === 'count' ? [{ count: 0 }] : []);
			expect(scene.sent().map(({ path }) => path)).not.toContain(readPerson.path);
		},
	);

	it('Get Many of people accepts an empty answer if one read shows that the member seen earlier left the segment', async () => {
		await show();
		scene.change('people', person.id, { segments: [] });
		for (const reads of [1, 0]) {
			scene.clear();
			const { items, error } = await getAll();
			expect(error).toBeUndefined();
			expect(items).toEqual([]);
			expect(scene.requests()).toHaveLength(1 + reads);
		}
	});

	it.each([
		['another owner', { ownerId: [USERS.find((id) => `/users/${id}` !== owner)] }, 1],
		['whether archived', { existsArchivedAt: 'true' }, 1],
		// Only the service knows the records that match these filters.
		['a search', { q: 'Nobody' }, 0],
		['a time', { createdAtStrictlyAfter: person.createdAt }, 0],
		['an e-mail address', { emailAddressesEmail: ['nobody@mail.example'] }, 0],
	])(
		'Get Many of people accepts an empty answer if a filter on %s may exclude the member seen earlier',
		async (_, filters, reads) => {
			await show();
			const { items, error } = await getAll({}, filters);
			expect(error).toBeUndefined();
			expect(items).toEqual([]);
			expect(scene.requests()).toHaveLength(1 + reads);
		},
	);

	it('Get Many of people fails on an empty answer even if an earlier call had a filter that excludes the member seen earlier', async () => {
		await show();
		await getAll({}, { existsArchivedAt: 'true' });
		const { error } = await getAll();
		expect(error?.message).toBe(`Segment: ${MESSAGE}`);
	});

	it('Get Many of people accepts an empty answer if the member seen earlier is archived, unless a filter asks for archived people', async () => {
		await show();
		scene.change('people', person.id, { archivedAt: '2026-01-01T00:00:00+00:00' });
		expect((await getAll()).error).toBeUndefined();
		const { error } = await getAll({}, { existsArchivedAt: 'true' });
		expect(error?.message).toBe(`Segment, Archived: ${MESSAGE}s`);
	});

	it.each([404, 500])(
		'Get Many of people accepts an empty answer if the member seen earlier cannot be read (HTTP %d)',
		async (status) => {
			await show();
			scene.faults({ kind: 'status', status, match: { path: `/people/${person.id}` } });
			const { items, error } = await getAll();
			expect(error).toBeUndefined();
			expect(items).toEqual([]);
			expect(scene.requests()).toHaveLength(2);
		},
	);

	it('If the read of a member seen earlier failed once, the next Get Many of people still fails on an empty answer', async () => {
		await show();
		scene.faults({ kind: 'status', status: 500, match: { path: `/people/${person.id}` } });
		expect((await getAll()).error).toBeUndefined();
		scene.faults();
		expect((await getAll()).error?.message).toBe(`Segment: ${MESSAGE}`);
	});

	it('If the service joins several segments with AND instead of OR, Get Many of people fails on an empty answer', async () => {
		scene.service.switches.deafFilters = [];
		scene.service.switches.severalValues = 'all';
		await show();
		const { error } = await getAll({}, { segmentsUuid: SEGMENTS });
		expect(error?.message).toBe(`Segment: ${MESSAGE}`);
	});
});
