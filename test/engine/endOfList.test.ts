import type { SwitchChanges } from '../service';
import { changeSwitches } from '../service/switches';
import { useScene } from './support/scene';

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

describe.each(Object.entries(READS))('Return All of %s', (_, parameters) => {
	it.each([
		['a bare array', BARE],
		['an envelope without view and total', UNSAID],
		['a bare array, whose service ignores creation times', { ...BARE, ...TIMES_UNORDERED }],
	])(
		'Return All gives all 40 records if each page is %s, with 30, 20, 15 or 7 entries a page',
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
		'If an endpoint ignores paging, Return All still gives every record, and Limit still cuts the list: %s',
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

it('Create or Update looks up an e-mail address with one request if the answer is a bare array', async () => {
	changeSwitches(scene.service.switches, BARE);
	const [person] = scene.service.store.people.values();
	const { email } = person.emailAddresses[0];
	const { items } = await scene.person('upsert', {
		...{ email, familyName: person.familyName },
	});
	expect(items[0].json.result).toBe('unchanged');
	expect(scene.requests()).toHaveLength(1);
});
