import type { SwitchChanges } from '../service';
import { changeSwitches } from '../service/switches';
import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import { items, useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';

/*
 * Variants of a service that the interface allows, one at a time. Reads must be complete, and choices of editor lists
 * must work in a write.
 */
const SETTINGS: SwitchChanges[] = [
	{ mountPath: '/api' },
	{ mountPath: '/api', acceptedIris: 'paths' },
	{ mountPath: '/api/v1', prefixedFilters: true },
	{ mountPath: '/api', iriOrigin: 'https://crm.example' },
	{ iriOrigin: 'https://crm.example' },
	{ references: 'embedded' },
	{ references: 'embedded', generatedIds: 'embedded' },
	{ generatedIds: 'everywhere' },
	{ embeddedIds: 'fixed' },
	{ embeddedIds: 'none', emptyObjects: 'object' },
	{ acceptedIris: 'paths', comparison: 'forgiving', offsets: 'heeded' },
	{ mapLists: ['member'] },
	{ mapLists: ['columns', 'tags', 'segments', 'assignees', 'people'] },
	{ columnsIn: 'single' },
	{ hydraPrefix: true },
	{ bareCollections: true },
	{ viewNext: false },
	{ totalItems: false },
	{ omitNulls: false },
	{ updatedTask: 'update-fields' },
	{ comparison: 'exact' },
	{ severalValues: 'last' },
	{ timezone: 'Europe/Amsterdam' },
	{ timezone: 'America/New_York' },
	{ timezone: 'Asia/Kolkata', offsets: 'heeded' },
];

describe.each(sampled(SETTINGS, 15))('a service with %j', (setting) => {
	const scene = useScene();
	beforeEach(() => {
		changeSwitches(scene.service.switches, setting);
	});
	const idsOf = async (resource: 'person' | 'task' | 'segment' | 'workspace', more = {}) => {
		const { items: given, error } = await scene[resource]('getAll', { returnAll: true, ...more });
		expect(error).toBeUndefined();
		return given.map(({ json }) => json.id);
	};

	it('Whatever form the answers have, Return All gives every record', async () => {
		const { store } = scene.service;
		expect(await idsOf('person')).toEqual([...store.people.keys()]);
		expect(await idsOf('task')).toEqual([...store.tasks.keys()]);
		expect(await idsOf('segment')).toEqual([...store.segments.keys()]);
		expect(await idsOf('workspace')).toEqual([...store.workspaces.keys()]);
		const [tag] = PEOPLE.find(({ tags }) => tags.length > 0)!.tags;
		expect(await idsOf('person', { filters: { tagsId: [tag] } })).toEqual(
			PEOPLE.filter(({ tags }) => tags.includes(tag)).map(({ id }) => id),
		);
	});

	it('Whatever form the answers have, a run accepts column and person from editor lists', async () => {
		const columns = await scene.editor.list('searchColumns');
		const offered = columns.results.find(({ name }) => name === 'Support / To do');
		expect(offered).toBeDefined();
		const [{ id: taskId }] = TASKS;
		const status = locator(offered!.value, 'list');
		const { error } = await scene.task('move', { taskId, status });
		expect(error).toBeUndefined();
		const { title, columns: own } = [...scene.service.store.workspaces.values()][1];
		expect([title, own[0].title]).toEqual(['Support', 'To do']);
		expect(scene.service.store.tasks.get(taskId)!.status).toMatch(
			new RegExp(`/columns/${own[0].id}$`),
		);
		const [found] = (await scene.editor.list('searchPeople')).results;
		const person = await scene.person('get', { personId: locator(found.value, 'list') });
		expect(person.items[0].json.id).toBe(PEOPLE[0].id);
	});

	it.each([
		['tags', 'getTags', 'addTags'],
		['segments', 'getSegments', 'addToSegments'],
	] as const)(
		'Whatever form the answers have, a run adds the %s that editor lists offer',
		async (field, list, operation) => {
			// The last entry may be a note that more exist.
			const options = (await scene.editor.options(list))
				.map(({ value }) => String(value))
				.filter((value) => value.startsWith('/'));
			const [{ id }] = PEOPLE;
			const before = scene.service.store.people.get(id)![field];
			const parameters = { personId: locator(id), [field]: options };
			const { error } = await scene.person(operation, parameters);
			expect(error).toBeUndefined();
			const known = [...scene.service.store[field].keys()].map((key) => `/${field}/${key}`);
			const after = scene.service.store.people.get(id)![field];
			expect(after).toEqual(expect.arrayContaining(before));
			expect(known).toEqual(expect.arrayContaining(after));
			expect(after).toHaveLength(new Set([...before, ...after]).size);
			expect(after.length).toBeGreaterThanOrEqual(options.length);
		},
	);
});

describe('the retry of a create', () => {
	const scene = useScene();

	it('If one Create gets HTTP 500, Retry On Fail creates no person twice', async () => {
		const match = { method: 'POST', nth: 4 };
		scene.faults({ kind: 'status', status: 500, stored: true, match });
		const { error } = await scene.person(
			'create',
			{ familyName: '={{ $json.name }}' },
			{ input: items(10, (index) => ({ name: `Retried ${index}` })), retryOnFail: true },
		);
		const names = [...scene.service.store.people.values()].map(({ familyName }) => familyName);
		const retried = names.filter((name) => name?.startsWith('Retried'));
		expect(retried).toEqual([...new Set(retried)]);
		expect(error?.message).toBe(
			`This item is not sent again, since it may have taken effect in the try before [row ${retried.length}: ${retried.at(-1)}] (${retried.length - 1} of 10 items done, ${10 - retried.length} not sent, 1 may have taken effect)`,
		);
	});
});
