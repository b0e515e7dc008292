import type { SwitchChanges } from '../service';
import { changeSwitches } from '../service/switches';
import { locator } from './support/fields';
import { Lookups } from './support/lookup';
import { useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * What the interface leaves open, one way each: what is read has to be whole, and what the lists of
 * the editor offer has to be good for a write.
 */
const SETTINGS: SwitchChanges[] = [
	{ mountPath: '/api' },
	{ mountPath: '/api', acceptedIris: 'routes' },
	{ mountPath: '/api', iriOrigin: 'https://crm.example', acceptedIris: 'routes' },
	{ iriOrigin: 'https://crm.example' },
	{ references: 'embedded' },
	{ references: 'embedded', generatedIds: 'embedded' },
	{ generatedIds: 'everywhere' },
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
];

describe.each(SETTINGS)('a service with %j', (setting) => {
	const scene = useScene();
	let lookups: Lookups;
	beforeEach(() => {
		changeSwitches(scene.service.switches, setting);
		lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
	});
	const idsOf = async (resource: string, more: object = {}) => {
		const { items, error } = await scene.run({
			parameters: { resource, operation: 'getAll', returnAll: true, ...more },
		});
		expect(error).toBeUndefined();
		return items.map(({ json }) => json.id);
	};
	const people = () => scene.service.store.people;

	it('gives a person, and a task', async () => {
		for (const [resource, parameter, id] of [
			['person', 'personId', PEOPLE[0].id],
			['task', 'taskId', TASKS[0].id],
		]) {
			const { items } = await scene.run({
				parameters: { resource, operation: 'get', [parameter]: locator(id) },
			});
			expect(items.map(({ json }) => json.id)).toEqual([id]);
		}
	});

	it('gives every person, task, segment and workspace', async () => {
		const { store } = scene.service;
		expect(await idsOf('person')).toEqual([...store.people.keys()]);
		expect(await idsOf('task')).toEqual([...store.tasks.keys()]);
		expect(await idsOf('segment')).toEqual([...store.segments.keys()]);
		expect(await idsOf('workspace')).toEqual([...store.workspaces.keys()]);
	});

	it('gives those with a tag', async () => {
		const tag = PEOPLE.find(({ tags }) => tags.length > 0)!.tags[0];
		const having = PEOPLE.filter(({ tags }) => tags.includes(tag));
		expect(await idsOf('person', { filters: { tagsId: [tag] } })).toEqual(
			having.map(({ id }) => id),
		);
	});

	it('offers columns into which a task can be moved', async () => {
		const { results } = await lapse(lookups.list('searchColumns'));
		const offered = results.find(({ name }) => name === 'Support / To do');
		expect(offered).toBeDefined();
		const { error } = await scene.run({
			parameters: {
				resource: 'task',
				operation: 'move',
				taskId: locator(TASKS[0].id),
				status: locator(offered!.value, 'list'),
			},
		});
		expect(error).toBeUndefined();
		const { title, columns } = [...scene.service.store.workspaces.values()][1];
		expect([title, columns[0].title]).toEqual(['Support', 'To do']);
		expect(scene.service.store.tasks.get(TASKS[0].id)!.status).toMatch(
			new RegExp(`/columns/${columns[0].id}$`),
		);
	});

	it('offers people who can be found again', async () => {
		const { results } = await lapse(lookups.list('searchPeople'));
		const { items } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'get',
				personId: locator(results[0].value, 'list'),
			},
		});
		expect(items[0].json.id).toBe(PEOPLE[0].id);
	});

	it.each([
		['tags', 'getTags', 'addTags'],
		['segments', 'getSegments', 'addToSegments'],
	] as const)(
		'offers %s that can be given, and keeps the others',
		async (field, list, operation) => {
			const offered = await lapse(lookups.options(list));
			// The last entry may say that there are more.
			const options = offered.filter(({ value }) => String(value).trim() !== '');
			expect(options.length).toBeGreaterThan(1);
			const { id } = PEOPLE[0];
			const before = people().get(id)![field];
			const { error } = await scene.run({
				parameters: {
					resource: 'person',
					operation,
					personId: locator(id),
					[field]: options.map(({ value }) => value),
				},
			});
			expect(error).toBeUndefined();
			const known = [...scene.service.store[field].keys()].map((key) => `/${field}/${key}`);
			const after = people().get(id)![field];
			expect(after).toEqual(expect.arrayContaining(before));
			expect(known).toEqual(expect.arrayContaining(after));
			expect(after).toHaveLength(new Set([...before, ...after]).size);
			expect(after.length).toBeGreaterThanOrEqual(options.length);
		},
	);

	it('finds somebody whom it has, and makes nobody twice', async () => {
		const { id, emailAddresses } = PEOPLE.find(({ emailAddresses: all }) => all.length > 0)!;
		const count = people().size;
		const upsert = async (matchValue: string) =>
			await scene.run({
				parameters: {
					resource: 'person',
					operation: 'upsert',
					matchBy: 'email',
					matchValue,
					familyName: 'Vos',
					additionalFields: {},
				},
			});
		const found = await upsert(emailAddresses[0].email!.toUpperCase());
		expect([found.error, people().get(id)!.familyName]).toEqual([undefined, 'Vos']);
		await upsert('new@mail.example');
		await upsert('NEW@mail.example');
		expect(people().size).toBe(count + 1);
	});
});
