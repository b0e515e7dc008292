import type { INodeExecutionData } from 'n8n-workflow';
import type { SwitchChanges } from '../service';
import { changeSwitches } from '../service/switches';
import { itInCi, sampled } from '../support/drawn';
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
	])(
		'Get Many reads %d of 400 people with %d requests for %d people each',
		async (limit, requests, itemsPerPage) => {
			const given = await getAll({ limit });
			expect(scene.sent()).toEqual(reads(requests, itemsPerPage));
			expect(given.ids).toEqual(ids().slice(0, limit));
		},
	);

	it('Get Many gives 50 people if neither Return All nor Limit is set', async () => {
		expect((await getAll({})).items).toHaveLength(50);
	});

	// n8n hides Limit, and then drops it, unless Return All is the boolean `false`.
	it.each(['false', '0', 0])(
		'Get Many gives 50 people if Return All is %j, and Limit is absent',
		async (returnAll) => {
			const { error, items } = await getAll({ returnAll });
			expect(error).toBeUndefined();
			expect(items).toHaveLength(50);
		},
	);

	itInCi('Get Many reads 400 people with 14 requests, each person once and in order', async () => {
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
		'Get Many reads a list once more, and then fails, if the service %s',
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

	itInCi('Return All reads by page number if creation times are missing or unsorted', async () => {
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

	it('Get Many repeats a failed page of a list, and not the pages before', async () => {
		scene.faults({ kind: 'status', status: 503, match: { nth: 2 } });
		const given = await getAll({ limit: 90 });
		const [first, second, third] = reads(3);
		expect(scene.sent()).toEqual([first, second, second, third]);
		expect(given.ids).toEqual(ids().slice(0, 90));
	});
});

describe('the output Count of a list with one page', () => {
	const scene = useScene({ seed: { people: 30, tasks: 30 } });

	it('Count takes one request if the service shows the total of the list', async () => {
		const { items } = await scene.person('getAll', { output: 'count' });
		expect(items.map(({ json }) => json)).toEqual([{ count: 30 }]);
		expect(scene.requests()).toHaveLength(1);
	});

	it('Without a total, Count counts the records of a page that is the last', async () => {
		scene.service.switches.totalItems = false;
		const { items, error } = await scene.person('getAll', { output: 'count' });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json)).toEqual([{ count: 30 }]);
		expect(scene.requests()).toHaveLength(1);
	});

	it('Count fails if the service shows no total, and does not guess', async () => {
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

	it("If the first read lost records, n8n's log says that the node reads again", async () => {
		printed.length = 0;
		scene.faults(answer(page([1, 2]), { first: 2 }), answer(page([2, 3])));
		const { error, items } = await scene.person('getAll', { limit: 1_000 });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(3);
		expect(printed.join('')).toContain(
			'The list of people is read once more: The service says that there are 3 people, and shows 2 of them',
		);
	});

	it('The log of n8n does not mention a list whose first read was complete', async () => {
		printed.length = 0;
		await scene.person('getAll', { returnAll: true });
		expect(printed.join('')).not.toContain('read once more');
	});
});

describe('a list that does not say its end', () => {
	const scene = useScene({ seed: { people: 40, tasks: 40 } });

	const BARE: SwitchChanges = { bareCollections: true };
	const UNSAID: SwitchChanges = { totalItems: false, view: false };
	const TIMES_UNORDERED: SwitchChanges = { dropFilters: ['createdAt[after]'] };

	const peopleAsked = { resource: 'person', operation: 'getAll', output: 'raw' };
	const READS = {
		people: peopleAsked,
		'people, sorted by name': { ...peopleAsked, sort: { familyName: 'asc' } },
		tasks: { resource: 'task', operation: 'getAll', output: 'raw' },
		'an API Request': { resource: 'apiRequest', operation: 'send', path: '/tasks' },
	};

	/** Reads a list. Returns the number of different records and of requests. */
	async function read(parameters: object, more: object) {
		const { items, error } = await scene.run({ parameters: { ...parameters, ...more } });
		expect(error?.message).toBeUndefined();
		const ids = new Set(items.map(({ json }) => json.id));
		expect(ids.size).toBe(items.length);
		return { count: ids.size, requests: scene.requests().length };
	}

	describe.each(sampled(Object.entries(READS), 6))('Return All of %s', (_, parameters) => {
		it.each([
			['a bare array', BARE],
			['an envelope without view and total', UNSAID],
			['a bare array (creation times ignored)', { ...BARE, ...TIMES_UNORDERED }],
		])(
			'Return All gives all 40 records if each page is %s, whatever its length',
			async (_form, switches) => {
				for (const pageSize of [0, 20, 15, 7]) {
					scene.clear();
					changeSwitches(scene.service.switches, { ...switches, pageSize });
					const { count, requests } = await read(parameters, { returnAll: true });
					expect(count).toBe(40);
					// Two walks, because the service may not keep creation order, and a few requests to find their ends.
					expect(requests).toBeLessThanOrEqual(2 * Math.ceil(40 / ((pageSize || 30) - 1)) + 4);
				}
			},
		);

		it.each([
			['a bare array of 40', 40, BARE],
			['an envelope of 40 without view and total', 40, UNSAID],
			['a bare array of exactly 30', 30, BARE],
			['a bare array of 12', 12, BARE],
		])(
			'If an endpoint ignores paging, Return All gives everything and Limit still cuts: %s',
			async (_form, count, switches) => {
				const { people, tasks } = scene.service.store;
				for (const records of [people, tasks] as Array<Map<string, object>>) {
					for (const id of [...records.keys()].slice(count)) records.delete(id);
				}
				changeSwitches(scene.service.switches, { ...switches, unpaged: ['/people', '/tasks'] });
				expect((await read(parameters, { returnAll: true })).count).toBe(count);
				expect((await read(parameters, { limit: 10 })).count).toBe(10);
			},
		);
	});

	it('Create or Update needs one lookup request if the answer is a plain array', async () => {
		changeSwitches(scene.service.switches, BARE);
		const [person] = scene.service.store.people.values();
		const { email } = person.emailAddresses[0];
		const { items } = await scene.person('upsert', {
			...{ email, familyName: person.familyName },
		});
		expect(items[0].json.result).toBe('unchanged');
		expect(scene.requests()).toHaveLength(1);
	});
});
