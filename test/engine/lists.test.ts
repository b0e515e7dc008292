import type { INodeExecutionData } from 'n8n-workflow';
import { printed } from './support/printed';
import { answer } from './support/faults';
import { items as itemsOf, useScene } from './support/scene';
import { get } from './support/wire';

const pages = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const byCreation = (one: INodeExecutionData, other: INodeExecutionData) =>
	Date.parse(String(one.json.createdAt)) - Date.parse(String(other.json.createdAt));

/** Returns the page requests of a read. The first has no page parameter. */
const reads = (count: number, itemsPerPage = 30, path = '/people', ...query: string[]) =>
	pages(count).map((page) =>
		get(path, ...query, `itemsPerPage=${itemsPerPage}`, ...(page > 1 ? [`page=${page}`] : [])),
	);

describe('a list of 400 people', () => {
	const scene = useScene({ seed: { people: 400, tasks: 0 } });
	const ids = () => [...scene.service.store.people.keys()];
	const getAll = async (parameters: object, input = [{}]) => {
		const result = await scene.person('getAll', { output: 'raw', ...parameters }, { input });
		const linked = result.items.map(({ pairedItem }) => pairedItem);
		return { ...result, ids: result.items.map(({ json }) => json.id), linked };
	};

	it.each([
		[15, 1, 15],
		[61, 3, 30],
	])('gives %d of them in %d requests of %d', async (limit, requests, itemsPerPage) => {
		const given = await getAll({ limit });
		expect(scene.sent()).toEqual(reads(requests, itemsPerPage));
		expect(given.ids).toEqual(ids().slice(0, limit));
	});

	it('gives 50 where neither Return All nor Limit is set', async () => {
		expect((await getAll({})).items).toHaveLength(50);
	});

	it('is read whole in 14 requests, each record once and in order', async () => {
		const given = await getAll({ limit: 1_000 });
		expect(scene.sent()).toEqual(reads(14));
		expect(given.ids).toEqual(ids());
		const all = await getAll({ returnAll: true });
		expect(all.ids).toEqual([...given.items].sort(byCreation).map(({ json }) => json.id));
		expect(scene.sent()).toHaveLength(28);
		expect(given.linked).toEqual(itemsOf(400, () => ({ item: 0 })));
	});

	it.each([
		['repeats a page', { repeatFromPage: 3 }, 3, 60],
		['gives page one for every page', { ignorePage: true }, 2, 30],
	])(
		'is read once more where the service %s, and does not pass for whole',
		async (_, switches, requests, shown) => {
			Object.assign(scene.service.switches, switches);
			const { items, error } = await getAll({ limit: 1_000 });
			expect(scene.sent()).toEqual([...reads(requests), ...reads(requests)]);
			expect(error?.message).toBe(
				`The service says that there are 400 people, and shows ${shown} of them`,
			);
			expect(items).toEqual([]);
		},
	);

	it('is read by page where people show no times, or the service keeps to no order', async () => {
		for (const switches of [
			{ omitFields: ['createdAt'] },
			{ omitFields: [], dropFilters: ['order[createdAt]'] },
		]) {
			Object.assign(scene.service.switches, switches);
			const [last, ...others] = [...scene.service.store.people];
			scene.service.store.people.clear();
			for (const [id, person] of [...others, last]) scene.service.store.people.set(id, person);
			scene.clear();
			expect((await getAll({ returnAll: true })).ids).toEqual(ids());
			expect(scene.sent().slice(-14)).toEqual(reads(14));
		}
	});

	it('goes on where it failed, not from its start', async () => {
		scene.faults({ kind: 'status', status: 503, match: { nth: 2 } });
		const given = await getAll({ limit: 90 });
		const [first, second, third] = reads(3);
		expect(scene.sent()).toEqual([first, second, second, third]);
		expect(given.ids).toEqual(ids().slice(0, 90));
	});
});

describe('a list that is short', () => {
	const scene = useScene({ seed: { people: 30, tasks: 30 } });

	it('is counted in one request', async () => {
		const { items } = await scene.person('getAll', { output: 'count' });
		expect(items.map(({ json }) => json)).toEqual([{ count: 30 }]);
		expect(scene.requests()).toHaveLength(1);
	});

	it('is not counted by a guess where the service does not say its length', async () => {
		Object.assign(scene.service.switches, { totalItems: false, view: false });
		const { error } = await scene.person('getAll', { output: 'count' });
		expect(error?.message).toBe('The service does not say how many people there are');
	});
});

describe("n8n's log", () => {
	const scene = useScene();
	const page = (ids: number[]) => ({
		'@type': 'Collection',
		member: ids.map((id) => ({ '@id': `/people/p-${id}`, '@type': 'Person', id: `p-${id}` })),
		totalItems: 3,
	});

	it('says that a list is read once more, since it lost records while it was read', async () => {
		printed.length = 0;
		scene.faults(answer(page([1, 2]), { first: 2 }), answer(page([2, 3])));
		const { error, items } = await scene.person('getAll', { limit: 1_000 });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(printed.join('')).toContain(
			'The list of people is read once more: 1 were missing after 2',
		);
	});

	it('says nothing of a list that is whole', async () => {
		printed.length = 0;
		await scene.person('getAll', { returnAll: true });
		expect(printed.join('')).not.toContain('read once more');
	});
});
