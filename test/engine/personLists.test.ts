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

	it.each([
		['new entries', add, [iris[0]], [ids[1], iris[2]], iris.slice(0, 3)],
		['entries to remove', remove, iris.slice(0, 3), [iris[0], ids[2]], [iris[1]]],
		['an entry that is there already', add, iris.slice(0, 2), [ids[0]], undefined],
		['an entry to remove that is not there', remove, iris.slice(0, 2), [ids[3]], undefined],
	])(
		"A write of a person's tags or segments sends only a changed list: %s",
		async (_, operation, before, given, after) => {
			scene.change('people', id, { [field]: before });
			const { items } = await scene.person(operation, { personId, [field]: given });
			const written = after ? [patch(path, { [field]: after })] : [];
			expect(scene.sent()).toEqual([get(path), ...written]);
			const added = after?.filter((iri) => !before.includes(iri));
			const removed = before.filter((iri) => !after?.includes(iri));
			const told = after
				? { result: 'updated', changes: { [field]: { added, removed } } }
				: { result: 'unchanged', changes: {} };
			const known = { name: expect.any(String) as string, summary: expect.any(String) as string };
			const json = { ...told, ...known, ...steady(await scene.record(path)) };
			expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
		},
	);
});

const contacts = [
	{
		operation: 'addEmailAddress',
		list: 'emailAddresses',
		there: { email: 'eva@mail.example' },
		again: { email: ' EVA@Mail.example' },
		given: { email: 'new@mail.example' },
		looksUp: { given: ['new@mail.example'], again: ['EVA@Mail.example', 'eva@mail.example'] },
	},
	{
		operation: 'addPhoneNumber',
		list: 'phoneNumbers',
		there: { phoneNumber: '+31 6 12345678', phoneType: 'mobile' },
		again: { phoneNumber: '0612345678', phoneType: 'mobile' },
		given: { phoneNumber: '+31 20 1234567', phoneType: 'work' },
		looksUp: { given: [], again: [] },
	},
] as const;

describe.each(contacts)('$operation', ({ operation, list, there, again, given, looksUp }) => {
	const scene = useScene();
	const have = () => scene.change('people', id, { [list]: [there] });
	const whoHas = (emails: readonly string[]) =>
		emails.map((email) => get('/people', `emailAddresses.email=${email}`, 'itemsPerPage=30'));
	const add = async (parameters: object, input = [{}]) =>
		await scene.person(operation, { personId, ...parameters }, { input });

	it('Adding an e-mail address or number reads the person, then writes only that list', async () => {
		have();
		const { items, error } = await add(given);
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([
			...whoHas(looksUp.given),
			get(path),
			patch(path, { [list]: [there, given] }),
		]);
		expect(items[0].json.result).toBe('updated');
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('Adding an e-mail address or number writes nothing if only the spelling differs', async () => {
		have();
		const { items } = await add(again);
		expect(scene.sent()).toEqual([...whoHas(looksUp.again), get(path)]);
		expect(items[0].json.result).toBe('unchanged');
	});

	it('Adding an e-mail address or number fails if the service shows no list', async () => {
		scene.faults(answer({ '@id': path, id }, { method: 'GET', path: `^${path}$` }));
		const { error } = await add(given);
		expect(error?.message).toMatch(/the service does not show those that the person has$/);
		expect(scene.sent()).toEqual([...whoHas(looksUp.given), get(path)]);
	});
});
