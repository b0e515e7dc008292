import { answer } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, TAGS } from './support/seeded';
import { get, patch, steady } from './support/wire';

const [{ id }] = PEOPLE;
const path = `/people/${id}`;
const personId = locator(id);

const lists = [
	{ field: 'tags', ids: TAGS, add: 'addTags', remove: 'removeTags' },
	{
		...({ field: 'segments', ids: SEGMENTS } as const),
		...{ add: 'addToSegments', remove: 'removeFromSegments' },
	},
] as const;

describe.each(lists)('the $field of a person', ({ field, ids, add, remove }) => {
	const scene = useScene();
	const iris = ids.map((entry) => `/${field}/${entry}`);

	/** Gives the person these entries, whatever the seed gave them. */
	const have = (...entries: string[]) => scene.change('people', id, { [field]: entries });
	const change = async (operation: string, given: unknown, input = [{}]) =>
		await scene.person(operation, { personId, [field]: given }, { input });
	const resultOf = async (result: string, change?: { added: string[]; removed: string[] }) => {
		const told = { result, changes: change ? { [field]: change } : {} };
		return [{ json: { ...told, ...steady(await scene.record(path)) }, pairedItem: { item: 0 } }];
	};

	it('are read, then written with what is added, and nothing else', async () => {
		have(iris[0]);
		const { items } = await change(add, [ids[1], iris[2]]);
		expect(scene.sent()).toEqual([get(path), patch(path, { [field]: iris.slice(0, 3) })]);
		const difference = { added: iris.slice(1, 3), removed: [] };
		expect(steady(items)).toEqual(await resultOf('updated', difference));
		expect(items[0].json[field]).toEqual(iris.slice(0, 3));
	});

	it('are read, then written without what is removed', async () => {
		have(iris[0], iris[1], iris[2]);
		const { items } = await change(remove, [iris[0], ids[2]]);
		expect(scene.sent()).toEqual([get(path), patch(path, { [field]: [iris[1]] })]);
		const difference = { added: [], removed: [iris[0], iris[2]] };
		expect(steady(items)).toEqual(await resultOf('updated', difference));
	});

	it.each([
		['added is there already', add, [ids[0]]],
		['removed is not there', remove, [ids[3]]],
	])('are not written where all that is %s', async (_, operation, given) => {
		have(iris[0], iris[1]);
		const { items } = await change(operation, given);
		expect(scene.sent()).toEqual([get(path)]);
		expect(steady(items)).toEqual(await resultOf('unchanged'));
	});
});

const contacts = [
	{
		operation: 'addEmailAddress',
		list: 'emailAddresses',
		there: { email: 'eva@mail.example' },
		again: { email: ' EVA@Mail.example' },
		given: { email: 'new@mail.example' },
	},
	{
		operation: 'addPhoneNumber',
		list: 'phoneNumbers',
		there: { phoneNumber: '+31 6 12345678', phoneType: 'mobile' },
		again: { phoneNumber: '0612345678', phoneType: 'mobile' },
		given: { phoneNumber: '+31 20 1234567', phoneType: 'work' },
	},
] as const;

describe.each(contacts)('$operation', ({ operation, list, there, again, given }) => {
	const scene = useScene();
	const have = () => scene.change('people', id, { [list]: [there] });
	const add = async (parameters: object, input = [{}]) =>
		await scene.person(operation, { personId, ...parameters }, { input });

	it('reads the person, then writes the list with what is added, and nothing else', async () => {
		have();
		const { items, error } = await add(given);
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([get(path), patch(path, { [list]: [there, given] })]);
		expect(items[0].json.result).toBe('updated');
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('writes nothing where it is there already, however it is written', async () => {
		have();
		const { items } = await add(again);
		expect(scene.sent()).toEqual([get(path)]);
		expect(items[0].json.result).toBe('unchanged');
	});

	it('writes nothing where the service does not show what is there', async () => {
		scene.faults(answer({ '@id': path, id }, { method: 'GET' }));
		const { error } = await add(given);
		expect(error?.message).toMatch(/the service does not show those that the person has$/);
		expect(scene.sent()).toEqual([get(path)]);
	});
});
