import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { get, patch } from './support/wire';

const [person] = PEOPLE;
const path = `/people/${person.id}`;

const lists = [
	{
		operation: 'addEmailAddress',
		list: 'emailAddresses',
		there: { email: 'eva@mail.example' },
		again: { email: ' EVA@Mail.example' },
		given: { email: 'new@mail.example' },
		sent: { email: 'new@mail.example' },
	},
	{
		operation: 'addPhoneNumber',
		list: 'phoneNumbers',
		there: { phoneNumber: '+31 6 12345678', phoneType: 'mobile' },
		again: { phoneNumber: '0612345678', phoneType: 'mobile' },
		given: { phoneNumber: '+31 20 1234567', phoneType: 'work' },
		sent: { phoneNumber: '+31 20 1234567', phoneType: 'work' },
	},
] as const;

describe.each(lists)('$operation', ({ operation, list, there, again, given, sent }) => {
	const scene = useScene();

	const have = (...entries: object[]) => {
		const { people } = scene.service.store;
		people.set(person.id, { ...people.get(person.id)!, [list]: entries });
	};
	const add = async (parameters: object, input = [{}], personId = locator(person.id) as object) =>
		await scene.run({
			parameters: { resource: 'person', operation, personId, ...parameters },
			input,
		});

	it('reads the person, then writes the list with what is added, and nothing else', async () => {
		have(there);
		const { items, error } = await add(given);
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([get(path), patch(path, { [list]: [there, sent] })]);
		expect(items[0].json.result).toBe('updated');
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('writes nothing where it is there already, however it is written', async () => {
		have(there);
		const { items } = await add(again);
		expect(scene.sent()).toEqual([get(path)]);
		expect(items[0].json.result).toBe('unchanged');
	});

	it('keeps what several items at once add to one person', async () => {
		have(there);
		const [name] = Object.keys(given);
		const values =
			operation === 'addEmailAddress'
				? ['a@mail.example', 'b@mail.example', 'c@mail.example']
				: ['+31 20 1111111', '+31 20 2222222', '+31 20 3333333'];
		await add(
			{ [name]: '={{ $json.value }}' },
			values.map((value) => ({ value })),
		);
		expect(scene.service.store.people.get(person.id)![list]).toHaveLength(4);
	});

	it('finds the person by e-mail address', async () => {
		const [{ email }] = person.emailAddresses as Array<{ email: string }>;
		const { items, error } = await add(given, [{}], { ...locator(email), mode: 'email' });
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ result: 'updated', id: person.id });
		expect(scene.sent().map(({ method }) => method)).toEqual(['GET', 'PATCH']);
	});

	it('asks for nothing where there is nothing to add', async () => {
		const [name] = Object.keys(given);
		const { error } = await add({ [name]: '={{ $json.nothing }}' });
		expect(error?.message).toMatch(/ is empty$/);
		expect(scene.requests()).toEqual([]);
	});

	it('writes nothing where the service does not show what is there', async () => {
		scene.service.switches.faults = [
			{
				kind: 'status',
				status: 200,
				body: { '@id': path, id: person.id },
				match: { method: 'GET' },
			},
		];
		const { error } = await add(given);
		expect(error?.message).toMatch(/the service does not show those that the person has$/);
		expect(scene.sent()).toEqual([get(path)]);
	});
});

describe('the e-mail address and the phone number of a new person', () => {
	const scene = useScene();

	it('come before those of the lists', async () => {
		const { error } = await scene.run({
			parameters: {
				resource: 'person',
				operation: 'create',
				familyName: 'Jansen',
				email: 'first@mail.example',
				phone: '+31 20 1234567',
				additionalFields: {
					emailAddresses: ['second@mail.example'],
					phoneNumbers: [{ phoneNumber: '+31 6 12345678', phoneType: 'mobile' }],
				},
			},
		});
		expect(error).toBeUndefined();
		expect(scene.request().body).toEqual({
			familyName: 'Jansen',
			emailAddresses: [{ email: 'first@mail.example' }, { email: 'second@mail.example' }],
			phoneNumbers: [
				{ phoneNumber: '+31 20 1234567', phoneType: null },
				{ phoneNumber: '+31 6 12345678', phoneType: 'mobile' },
			],
		});
	});

	it('are not sent where they are left empty', async () => {
		await scene.run({
			parameters: {
				resource: 'person',
				operation: 'create',
				familyName: 'Jansen',
				email: '={{ $json.nothing }}',
				additionalFields: { emailAddresses: [''], phoneNumbers: [{ phoneType: 'mobile' }] },
			},
		});
		expect(scene.request().body).toEqual({ familyName: 'Jansen' });
	});
});
