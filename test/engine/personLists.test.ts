import { answer } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, TAGS } from './support/seeded';
import { get, patch, steady } from './support/wire';

const [{ id, emailAddresses }] = PEOPLE;
const path = `/people/${id}`;
const personId = locator(id);

const lists = [
	{ field: 'tags', ids: TAGS, add: 'addTags', remove: 'removeTags', label: 'Tags' },
	{
		...({ field: 'segments', ids: SEGMENTS, label: 'Segments' } as const),
		...{ add: 'addToSegments', remove: 'removeFromSegments' },
	},
] as const;

describe.each(lists)('the $field of a person', ({ field, ids, add, remove, label }) => {
	const scene = useScene();
	const iris = ids.map((entry) => `/${field}/${entry}`);

	/** Gives the person these entries, whatever the seed gave them. */
	const have = (...entries: string[]) => scene.change('people', id, { [field]: entries });
	const change = async (operation: string, given: unknown, input = [{}]) =>
		await scene.person(operation, { personId, [field]: given }, { input });
	const listNow = () => scene.service.store.people.get(id)![field];
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

	it('are emptied with an empty list', async () => {
		have(iris[0]);
		await change(remove, [ids[0]]);
		expect(scene.sent()[1]).toEqual(patch(path, { [field]: [] }));
		expect(listNow()).toEqual([]);
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

	it('take what several items at once add to one person', async () => {
		have();
		const input = ids.slice(0, 5).map((entry) => ({ entry }));
		const { items } = await change(add, '={{ $json.entry }}', input);
		expect(listNow()).toEqual(iris.slice(0, 5));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(input.map((_, item) => ({ item })));
		expect(scene.sent().map(({ method }) => method)).toEqual(input.flatMap(() => ['GET', 'PATCH']));
	});

	it('take what several executions at once add to one person', async () => {
		have();
		await Promise.all([change(add, [ids[0]]), change(add, [ids[1]]), change(add, [ids[2]])]);
		expect([...listNow()].sort()).toEqual(iris.slice(0, 3).sort());
	});

	it('are written nowhere where the person cannot be read', async () => {
		scene.service.store.people.delete(id);
		const { error } = await change(add, [ids[0]]);
		expect(scene.sent()).toEqual([get(path)]);
		expect(error?.message).toBe(`The person "${id}" does not exist`);
	});

	it.each([
		['an expression that gives nothing', '={{ $json.nothing }}'],
		['an expression that gives an empty list', '={{ [] }}'],
	])('are refused as %s before anything is sent', async (_, given) => {
		const { error } = await change(add, given);
		expect(error?.message).toBe(`${label} is empty`);
		expect(scene.sent()).toEqual([]);
	});
});

describe('tags and segments of one person', () => {
	const scene = useScene();

	it('are changed side by side without one change undoing the other', async () => {
		await Promise.all([
			scene.person('addTags', { personId, tags: [TAGS[6]] }),
			scene.person('addToSegments', { personId, segments: [SEGMENTS[4]] }),
			scene.person('removeTags', { personId, tags: PEOPLE[0].tags }),
		]);
		expect(await scene.record(path)).toMatchObject({
			tags: [`/tags/${TAGS[6]}`],
			segments: [...PEOPLE[0].segments, `/segments/${SEGMENTS[4]}`],
		});
	});
});

const contacts = [
	{
		operation: 'addEmailAddress',
		list: 'emailAddresses',
		there: { email: 'eva@mail.example' },
		again: { email: ' EVA@Mail.example' },
		given: { email: 'new@mail.example' },
		more: ['a@mail.example', 'b@mail.example', 'c@mail.example'],
	},
	{
		operation: 'addPhoneNumber',
		list: 'phoneNumbers',
		there: { phoneNumber: '+31 6 12345678', phoneType: 'mobile' },
		again: { phoneNumber: '0612345678', phoneType: 'mobile' },
		given: { phoneNumber: '+31 20 1234567', phoneType: 'work' },
		more: ['+31 20 1111111', '+31 20 2222222', '+31 20 3333333'],
	},
] as const;

describe.each(contacts)('$operation', ({ operation, list, there, again, given, more }) => {
	const scene = useScene();
	const [name] = Object.keys(given);

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

	it('keeps what several items at once add to one person', async () => {
		have();
		await add(
			{ [name]: '={{ $json.value }}' },
			more.map((value) => ({ value })),
		);
		expect(scene.service.store.people.get(id)![list]).toHaveLength(4);
	});

	it('finds the person by e-mail address', async () => {
		const byEmail = { ...locator(emailAddresses[0].email), mode: 'email' };
		const { items, error } = await add({ ...given, personId: byEmail });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ result: 'updated', id });
		expect(scene.sent().map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	});

	it('asks for nothing where there is nothing to add', async () => {
		const { error } = await add({ [name]: '={{ $json.nothing }}' });
		expect(error?.message).toMatch(/ is empty$/);
		expect(scene.requests()).toEqual([]);
	});

	it('writes nothing where the service does not show what is there', async () => {
		scene.faults(answer({ '@id': path, id }, { method: 'GET' }));
		const { error } = await add(given);
		expect(error?.message).toMatch(/the service does not show those that the person has$/);
		expect(scene.sent()).toEqual([get(path)]);
	});
});

describe('the e-mail address and the phone number of a new person', () => {
	const scene = useScene();
	const create = async (parameters: object) =>
		await scene.person('create', { familyName: 'Jansen', ...parameters });

	it('come before those of the lists', async () => {
		const mobile = { phoneNumber: '+31 6 12345678', phoneType: 'mobile' };
		const { error } = await create({
			email: 'first@mail.example',
			phone: '+31 20 1234567',
			additionalFields: { emailAddresses: ['second@mail.example'], phoneNumbers: [mobile] },
		});
		expect(error).toBeUndefined();
		expect(scene.request().body).toEqual({
			familyName: 'Jansen',
			emailAddresses: [{ email: 'first@mail.example' }, { email: 'second@mail.example' }],
			phoneNumbers: [{ phoneNumber: '+31 20 1234567', phoneType: null }, mobile],
		});
	});

	it('are not sent where they are left empty', async () => {
		const additionalFields = { emailAddresses: [''], phoneNumbers: [{ phoneType: 'mobile' }] };
		await create({ email: '={{ $json.nothing }}', additionalFields });
		expect(scene.request().body).toEqual({ familyName: 'Jansen' });
	});
});
