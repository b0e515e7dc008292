import { useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';
import { get, patch, post } from './support/wire';

const [{ id, emailAddresses, phoneNumbers }] = PEOPLE;
const path = `/people/${id}`;
const [{ email = '' }] = emailAddresses as Array<{ email: string }>;
const NEW = 'new@mail.example';
const connected = PEOPLE.find(({ networkId }) => networkId !== null)!;

const byEmail = (value: string) =>
	get('/people', `emailAddresses.email=${value}`, 'itemsPerPage=30');
const byIdentifier = (value: string) => get('/people', `identifiers=${value}`, 'itemsPerPage=30');

describe('creating or updating a person', () => {
	const scene = useScene();

	const upsert = async (matchValue: string, more: Record<string, unknown> = {}, input = [{}]) =>
		await scene.run({
			parameters: {
				resource: 'person',
				operation: 'upsert',
				matchBy: 'email',
				matchValue,
				familyName: 'Jansen',
				...more,
			},
			input,
		});
	const writes = () => scene.sent().filter(({ method }) => method !== 'GET');

	it('creates one whom nobody matches, with the e-mail address that was looked for', async () => {
		const { items } = await upsert(NEW, {
			additionalFields: { jobTitle: 'Buyer', tags: [TAGS[0]] },
		});
		expect(scene.sent()).toEqual([
			byEmail(NEW),
			post('/people', {
				familyName: 'Jansen',
				jobTitle: 'Buyer',
				tags: [`/tags/${TAGS[0]}`],
				emailAddresses: [{ email: NEW }],
			}),
		]);
		const created = await scene.record(String(items[0]?.json['@id']));
		expect(items).toEqual([{ json: { result: 'created', ...created }, pairedItem: { item: 0 } }]);
	});

	it('keeps further e-mail addresses of one who is created', async () => {
		const values = [{ email: 'other@mail.example' }];
		await upsert(NEW, { additionalFields: { emailAddresses: values } });
		const { emailAddresses: sent } = writes()[0].body as { emailAddresses: object[] };
		expect(sent).toEqual(expect.arrayContaining([{ email: NEW }, ...values]));
		expect(sent).toHaveLength(2);
	});

	it.each([NEW, NEW.toUpperCase()])(
		'does not double an e-mail address given as %s',
		async (given) => {
			const values = [{ email: given }];
			await upsert(NEW, { additionalFields: { emailAddresses: values } });
			expect(writes()).toEqual([post('/people', { familyName: 'Jansen', emailAddresses: values })]);
		},
	);

	it('updates the one who matches, with the fields that are given alone', async () => {
		const { items } = await upsert(email, { additionalFields: { jobTitle: 'Buyer' } });
		expect(scene.sent()).toEqual([
			byEmail(email),
			patch(path, { familyName: 'Jansen', jobTitle: 'Buyer' }),
		]);
		expect(items).toEqual([
			{ json: { result: 'updated', ...(await scene.record(path)) }, pairedItem: { item: 0 } },
		]);
	});

	it.each([
		['case', email.toUpperCase(), email.toUpperCase()],
		['spaces around it', ` ${email} `, email],
	])('finds an e-mail address whatever its %s', async (_, given, looked) => {
		await upsert(given);
		expect(scene.sent().flatMap(({ query }) => query)).toContainEqual(
			expect.stringMatching(new RegExp(`^emailAddresses\\.email(\\[\\])?=${looked}$`)),
		);
		expect(writes()).toEqual([patch(path, { familyName: 'Jansen' })]);
	});

	it.each([
		['an e-mail address', email, PEOPLE[0]],
		['a phone number', String(phoneNumbers[0].phoneNumber), PEOPLE[0]],
		['an identifier on a network', String(connected.networkId), connected],
	])('finds one by %s as identifier', async (_, value, person) => {
		await upsert(value, { matchBy: 'identifier' });
		expect(writes()).toEqual([patch(`/people/${person.id}`, { familyName: 'Jansen' })]);
	});

	it.each([
		['an e-mail address', NEW, { emailAddresses: [{ email: NEW }] }],
		[
			'a phone number',
			'+31 6 9999 9999',
			{ phoneNumbers: [{ phoneNumber: '+31 6 9999 9999', phoneType: null }] },
		],
		['an identifier on a network', 'eva-jansen', { networkId: 'eva-jansen' }],
	])('creates one with %s as identifier', async (_, value, carried) => {
		const { items } = await upsert(value, { matchBy: 'identifier' });
		expect(writes()).toEqual([post('/people', { familyName: 'Jansen', ...carried })]);
		expect(items[0].json).toMatchObject({
			familyName: 'Jansen',
			...('emailAddresses' in carried ? carried : {}),
		});
	});

	it('creates one person for doubles within a run, and updates them with the later items', async () => {
		const input = [
			{ value: NEW, job: 'A' },
			{ value: NEW.toUpperCase(), job: 'B' },
			{ value: ` ${NEW}`, job: 'C' },
		];
		const { items } = await upsert(
			'={{ $json.value }}',
			{ additionalFields: { jobTitle: '={{ $json.job }}' } },
			input,
		);
		expect(writes().map(({ method }) => method)).toEqual(['POST', 'PATCH', 'PATCH']);
		expect(scene.service.store.people.size).toBe(PEOPLE.length + 1);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(1);
		expect(items.map(({ json, pairedItem }) => [json.jobTitle, pairedItem])).toEqual([
			['A', { item: 0 }],
			['B', { item: 1 }],
			['C', { item: 2 }],
		]);
	});

	it('creates one person where two executions meet', async () => {
		await Promise.all([upsert(NEW), upsert(NEW)]);
		expect(writes().map(({ method }) => method)).toEqual(['POST']);
		expect(scene.service.store.people.size).toBe(PEOPLE.length + 1);
	});

	it('names those who match where three do, and writes nothing', async () => {
		const { people } = scene.service.store;
		const named = [
			{ id, givenName: null, familyName: 'Bakker' },
			{ id: PEOPLE[1].id, givenName: 'Eva', familyName: 'de Boer' },
			{ id: PEOPLE[2].id, givenName: 'Jan', additionalName: 'van', familyName: 'Dam' },
		];
		for (const person of named) {
			people.set(person.id, { ...people.get(person.id)!, ...person, emailAddresses });
		}
		const { error } = await upsert(email);
		expect(error?.message).toBe(
			`3 people have the e-mail address "${email}": Bakker (${id}), Eva de Boer (${PEOPLE[1].id}), Jan van Dam (${PEOPLE[2].id})`,
		);
		expect(error?.description).toBe(
			'Nothing was written. Make the value unique in the CRM, or update the right person by ID',
		);
		expect(error?.context.itemIndex).toBe(0);
		expect(scene.sent()).toEqual([byEmail(email)]);
	});

	it.each(['email', 'identifier'])(
		'writes nothing where the service ignores the filter (%s)',
		async (matchBy) => {
			scene.service.switches.ignoreFilters = true;
			const { error, items } = await upsert(NEW, { matchBy });
			expect(error?.message).toMatch(
				/^The service found 30 people or more for the .* "new@mail\.example"$/,
			);
			expect(items).toEqual([]);
			expect(writes()).toEqual([]);
		},
	);

	it('writes nothing where the service ignores the filter and has few people', async () => {
		scene.service.switches.ignoreFilters = true;
		for (const person of PEOPLE.slice(3)) scene.service.store.people.delete(person.id);
		const { error } = await upsert(NEW);
		expect(error?.message).toBe(
			`The service found 3 people for the e-mail address "${NEW}", none of whom shows it`,
		);
		expect(writes()).toEqual([]);
	});

	it('creates nobody where the search itself fails', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 403, body: 'json', match: { method: 'GET' } },
		];
		const { error } = await upsert(NEW);
		expect(error?.httpCode).toBe('403');
		expect(writes()).toEqual([]);
	});

	it.each([
		['blanks', '  '],
		['an expression that gives nothing', '={{ $json.nothing }}'],
		['an expression that gives null', '={{ null }}'],
		['an expression that gives a list', '={{ [] }}'],
	])('needs a value to match by: %s', async (_, value) => {
		const { error } = await upsert(value);
		expect(error?.message).toBe('Value to Find is empty');
		expect(error?.context.itemIndex).toBe(0);
		expect(scene.sent()).toEqual([]);
	});

	it('refuses what is no e-mail address', async () => {
		const { error } = await upsert('jansen');
		expect(error?.message).toBe('Value to Find: expected an e-mail address, got "jansen"');
		expect(scene.sent()).toEqual([]);
	});

	it('takes a number as identifier', async () => {
		await upsert('={{ 12345 }}', { matchBy: 'identifier' });
		expect(scene.sent()).toEqual([
			byIdentifier('12345'),
			post('/people', { familyName: 'Jansen', networkId: '12345' }),
		]);
	});
});
