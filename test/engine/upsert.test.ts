import { partition } from 'lodash';
import { itInCi, sampled } from '../support/drawn';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import { excuse } from './support/recordExchanges';
import { items as itemsOf, useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';
import { get, patch, post, put, steady } from './support/wire';

const [{ id, emailAddresses }] = PEOPLE;
const path = `/people/${id}`;
const [{ email = '' }] = emailAddresses as Array<{ email: string }>;
const NEW = 'new@mail.example';
const EMAILS = PEOPLE.map((person) => person.emailAddresses[0]?.email ?? '').filter(Boolean);

const byEmail = (value: string) =>
	get('/people', `emailAddresses.email=${value}`, 'itemsPerPage=30');
const byIdentifier = (value: string) => get('/people', `identifiers=${value}`, 'itemsPerPage=30');

/** Finds people by any identifier, and not only by e-mail address. */
const BY_IDENTIFIER = { options: { matchBy: 'identifier' } };

describe('creating or updating a person', () => {
	const scene = useScene();

	/** Sets the value in both parameters. Find By decides between them. */
	const upsert = async (value: string, more: object = {}, input = [{}]) =>
		await scene.person('upsert', { ...valued(value), familyName: 'Jansen', ...more }, { input });
	const valued = (value: string) => ({ email: value, matchValue: value });
	const writes = () => scene.sent().filter(({ method }) => method !== 'GET');
	const count = () => scene.service.store.people.size;

	it('Create or Update creates an unknown person with the e-mail address of the lookup', async () => {
		const additionalFields = { jobTitle: 'Buyer', tags: [TAGS[0]] };
		const { items } = await upsert(NEW, { additionalFields });
		expect(scene.sent()).toEqual([
			byEmail(NEW),
			post('/people', {
				...{ familyName: 'Jansen', jobTitle: 'Buyer', tags: [`/tags/${TAGS[0]}`] },
				emailAddresses: [{ email: NEW }],
			}),
		]);
		const created = await scene.record(String(items[0]?.json['@id']));
		const changes = {
			familyName: { from: null, to: 'Jansen' },
			jobTitle: { from: null, to: 'Buyer' },
			tags: { added: [`/tags/${TAGS[0]}`], removed: [] },
			emailAddresses: { added: [{ email: NEW }], removed: [] },
		};
		const summary = `Email: ${NEW}; Job Title: Buyer; Tags: ${TAGS[0]}; Family Name: Jansen`;
		const json = steady({ result: 'created', name: 'Jansen', summary, ...created, changes });
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('Create or Update sends only the given fields for a person whom it finds', async () => {
		const { items } = await upsert(email, { additionalFields: { jobTitle: 'Buyer' } });
		expect(scene.sent()).toEqual([
			byEmail(email),
			patch(path, { familyName: 'Jansen', jobTitle: 'Buyer' }),
		]);
		const changes = {
			familyName: { from: PEOPLE[0].familyName, to: 'Jansen' },
			jobTitle: { from: PEOPLE[0].jobTitle, to: 'Buyer' },
		};
		const name = `${PEOPLE[0].givenName} Jansen`;
		const summary = `Family Name: ${PEOPLE[0].familyName} → Jansen; Job Title: ${PEOPLE[0].jobTitle} → Buyer`;
		const record = steady(await scene.record(path));
		const json = { result: 'updated', name, summary, ...record, changes };
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('Create or Update finds a person by another spelling of the phone number', async () => {
		scene.service.switches.comparison = 'exact';
		const held = { phoneNumber: '0611112222', phoneType: 'mobile' };
		scene.change('people', id, { phoneNumbers: [held] });
		await upsert('0031 6 11 11 22 22', BY_IDENTIFIER);
		expect(writes()).toEqual([patch(path, { familyName: 'Jansen' })]);
	});

	const PHONE = '+31 6 9999 9999';

	it.each([
		['an e-mail address', NEW, { emailAddresses: [{ email: NEW }] }],
		['a phone number', PHONE, { phoneNumbers: [{ phoneNumber: PHONE, phoneType: null }] }],
		['a network ID', 'eva-jansen', { networkId: 'eva-jansen' }],
		['a number', '={{ 12345 }}', { networkId: '12345' }],
	])(
		'Create or Update creates a person with %s as identifier, and stores that identifier',
		async (_, value, carried) => {
			const { items } = await upsert(value, BY_IDENTIFIER);
			if (value.startsWith('=')) expect(scene.sent()[0]).toEqual(byIdentifier('12345'));
			expect(writes()).toEqual([post('/people', { familyName: 'Jansen', ...carried })]);
			expect(items[0].json).toMatchObject({ result: 'created', familyName: 'Jansen' });
		},
	);

	it.each([
		['upsert', { email: NEW }, []],
		['create', { email: NEW }, [email]],
	])(
		"The operation %s puts Email and Phone first in a new person's lists",
		async (operation, beside, emailAddresses) => {
			const phoneNumbers = [{ phoneNumber: '+31 20 1234567', phoneType: 'work' }];
			const additionalFields = { emailAddresses, phoneNumbers };
			const parameters = { ...beside, familyName: 'Jansen', phone: PHONE, additionalFields };
			await scene.person(operation, parameters);
			expect(writes()).toEqual([
				post('/people', {
					familyName: 'Jansen',
					emailAddresses: [NEW, ...emailAddresses].map((one) => ({ email: one })),
					phoneNumbers: [{ phoneNumber: PHONE, phoneType: null }, ...phoneNumbers],
				}),
			]);
		},
	);

	it("A new person's list of e-mail addresses begins with the address of the lookup", async () => {
		const additionalFields = { emailAddresses: ['second@new.example'] };
		await upsert(NEW, { additionalFields });
		const emailAddresses = [{ email: NEW }, { email: 'second@new.example' }];
		expect(writes()).toEqual([post('/people', { familyName: 'Jansen', emailAddresses })]);
	});

	it.each(['eva@mail.example.', 'eva@mail..example', 'eva@.example'])(
		'Create or Update refuses the address %s before any write, as its preview says',
		async (bad) => {
			const input = [{ email: 'good@new.example' }, { email: bad }];
			const parameters = { email: '={{ $json.email }}', familyName: 'Jansen' };
			const preview = { ...parameters, options: { previewOnly: true } };
			const { items } = await scene.person('upsert', preview, { input });
			expect(items.map(({ json }) => json.preview)).toEqual(['create', 'refused']);
			const { error } = await scene.person('upsert', parameters, { input });
			expect(error?.message).toMatch(/^Email: expected an e-mail address/);
			expect(writes()).toEqual([]);
		},
	);

	it.each(['n/a', '#N/A', 'N.v.t.', '0', 'null', 'unknown', 'none', 'xxx'])(
		'Create or Update refuses two rows with the placeholder %s as identifier',
		async (key) => {
			const input = ['Alpha', 'Beta'].map((name) => ({ key, name }));
			const parameters = { matchValue: '={{ $json.key }}', familyName: '={{ $json.name }}' };
			const { errorItems } = await scene.person(
				'upsert',
				{ ...parameters, ...BY_IDENTIFIER },
				{ input, onError: 'continueErrorOutput' },
			);
			expect(errorItems).toHaveLength(2);
			expect(writes()).toEqual([]);
		},
	);

	it('Create or Update refuses a Network ID that differs from the lookup value', async () => {
		const additionalFields = { networkId: 'https://network.example/in/eva-jansen' };
		const { error } = await upsert('eva-jansen', { ...BY_IDENTIFIER, additionalFields });
		expect(error?.message).toMatch(/^Network ID: "https:.*" differs from Identifier, "eva-jansen"/);
		await upsert('eva-jansen', { ...BY_IDENTIFIER, additionalFields: { networkId: 'Eva-Jansen' } });
		expect(writes()).toEqual([post('/people', { familyName: 'Jansen', networkId: 'Eva-Jansen' })]);
	});

	it.each<[string, object]>([
		['Identifier', {}],
		['Network ID', { networkId: 'Eva-Jansen' }],
	])(
		'If the service refuses a network ID, the error names its parameter: %s',
		async (label, own) => {
			scene.faults({
				...{ kind: 'status', status: 422, match: { method: 'POST' } },
				body: { status: 422, violations: [{ propertyPath: 'networkId', message: 'Not this.' }] },
			});
			const { error } = await upsert('eva-jansen', { ...BY_IDENTIFIER, additionalFields: own });
			expect(error?.message).toBe(`The service did not accept the person: ${label}: Not this`);
		},
	);

	it('After a retried create succeeds, a later row with the same address says "updated"', async () => {
		scene.faults({ kind: 'status', status: 502, stored: false, match: { method: 'POST', nth: 1 } });
		const input = [{ job: 'A' }, { job: 'B' }];
		const additionalFields = { jobTitle: '={{ $json.job }}' };
		const { items } = await scene.person(
			'upsert',
			{ email: NEW, familyName: 'Jansen', additionalFields },
			{ input, retryOnFail: true },
		);
		expect(items.map(({ json }) => json.result)).toEqual(['created', 'updated']);
	});

	it('Replace takes the e-mail address and phone number from the same parameters as Create', async () => {
		const parameters = { personId: locator(id), email: NEW, familyName: 'Jansen', phone: PHONE };
		await scene.person('replace', parameters);
		const emailAddresses = [{ email: NEW }];
		const phoneNumbers = [{ phoneNumber: PHONE, phoneType: null }];
		const body = { familyName: 'Jansen', emailAddresses, phoneNumbers };
		expect(scene.sent()).toEqual([put(path, body)]);
	});

	it.each([
		['', { phoneNumber: '0611112222', phoneType: 'mobile' }],
		[' (shown without its type)', { phoneNumber: '0611112222' }],
	])(
		'Create or Update adds a phone number only if the person lacks this number%s',
		async (_, held) => {
			excuse('answers', 'the service may leave out the type, which the interface requires');
			const phoneNumbers = [held as { phoneNumber: string; phoneType: string }];
			scene.change('people', id, { phoneNumbers, familyName: 'Jansen' });
			await upsert(email, { phone: '+31 6 1111 2222' });
			expect(writes()).toEqual([]);
			await upsert(email, { phone: PHONE });
			const added = { phoneNumber: PHONE, phoneType: null };
			expect(writes()).toEqual([
				patch(path, { phoneNumbers: [{ phoneType: null, ...held }, added] }),
			]);
		},
	);

	it('Create or Update adds to lists, replaces chosen ones, and keeps the matched address', async () => {
		const [first, second] = TAGS.map((tag) => `/tags/${tag}`);
		scene.change('people', id, { tags: [first] });
		const additionalFields = { emailAddresses: ['other@mail.example'], tags: [second] };
		await upsert(email, { additionalFields, options: { replaceLists: ['emailAddresses'] } });
		const held = () => scene.service.store.people.get(id)!;
		expect(held().emailAddresses).toEqual([{ email }, { email: 'other@mail.example' }]);
		expect(held().tags).toEqual([first, second]);
		await upsert(email, { additionalFields, options: { replaceLists: ['tags'] } });
		expect(held().tags).toEqual([second]);
		expect(count()).toBe(PEOPLE.length);
	});

	it('If three people match, Create or Update fails, names them, and writes nothing', async () => {
		const [, { id: second }, { id: third }] = PEOPLE;
		scene.change('people', id, { emailAddresses, givenName: null, familyName: 'Bakker' });
		scene.change('people', second, { emailAddresses, givenName: 'Eva', familyName: 'de Boer' });
		const jan = { givenName: 'Jan', additionalName: 'van', familyName: 'Dam' };
		scene.change('people', third, { emailAddresses, ...jan });
		const { error } = await upsert(email);
		expect(error?.message).toBe(
			`3 people have the e-mail address "${email}": Bakker (${id}), Eva de Boer (${second}), Jan van Dam (${third})`,
		);
		expect(error?.description).toBe(
			'Give the ID of the right person, or make the value unique in the CRM. Nothing was written',
		);
		expect(error?.context.itemIndex).toBe(0);
		expect(scene.sent()).toEqual([byEmail(email)]);
	});

	it.each(['email', 'identifier'])(
		'With Find By %s, Create or Update writes nothing if the service ignores filters',
		async (matchBy) => {
			scene.service.switches.ignoreFilters = true;
			const { error, items } = await upsert(NEW, { options: { matchBy } });
			expect(error?.message).toMatch(
				/^The service found 30 people or more for the .* "new@mail\.example"$/,
			);
			expect(items).toEqual([]);
			expect(writes()).toEqual([]);
		},
	);

	it('Create or Update writes nothing if a service with few people ignores the filter', async () => {
		scene.service.switches.ignoreFilters = true;
		for (const person of PEOPLE.slice(3)) scene.service.store.people.delete(person.id);
		const { error } = await upsert(NEW);
		expect(error?.message).toBe(
			`The service found 3 people for the e-mail address "${NEW}", and 3 of them do not show it`,
		);
		expect(writes()).toEqual([]);
	});

	it('Create or Update creates nobody if the search itself fails', async () => {
		scene.faults(refusal(403, { method: 'GET' }));
		const { error } = await upsert(NEW);
		expect(error?.httpCode).toBe('403');
		expect(writes()).toEqual([]);
	});
});

describe('creating or updating many people', () => {
	const scene = useScene();
	const count = () => scene.service.store.people.size;
	const reads = () => scene.requests().filter(({ method }) => method === 'GET');

	/** Returns rows for people. Every second person already exists. */
	const file = (rows: number) =>
		itemsOf(rows, (index) => ({
			email: index % 2 === 0 ? EMAILS[index / 2] : `new${index}@mail.example`,
			job: `Job ${index}`,
		}));
	const run = async (input: Array<{ email: string }>, more: object = {}, setup: object = {}) =>
		await scene.person(
			'upsert',
			{
				...{ email: '={{ $json.email }}', familyName: 'Jansen' },
				additionalFields: { jobTitle: '={{ $json.job }}' },
				...more,
			},
			{ input, ...setup },
		);

	itInCi(
		'Create or Update looks up thirty people together, and writes nothing when repeated',
		async () => {
			const rows = file(100);
			const first = await run(rows);
			expect(first.error).toBeUndefined();
			expect(count()).toBe(PEOPLE.length + 50);
			expect(first.items.map(({ json, pairedItem }) => [json.result, pairedItem])).toEqual(
				rows.map((_, item) => [item % 2 === 0 ? 'updated' : 'created', { item }]),
			);
			expect(scene.writes()).toHaveLength(100);
			// Of thirty people in one lookup, the last new ones would leave too late at 18 writes a minute.
			expect(reads().length).toBeLessThanOrEqual(8);

			scene.clear();
			const second = await run(rows);
			expect(second.items.map(({ json }) => json.result)).toEqual(rows.map(() => 'unchanged'));
			expect(scene.writes()).toEqual([]);
			expect(reads().length).toBeLessThanOrEqual(7);
		},
	);

	itInCi('Create or Update looks up fewer people together if the rate limit is low', async () => {
		const setup = { credentials: { requestsPerMinute: 5 } };
		const { error } = await run(file(60), {}, setup);
		expect(error).toBeUndefined();
		expect(scene.writes()).toHaveLength(60);
		// One lookup for about five rows. A lookup for each row would add another sixty requests.
		expect(reads().length).toBeLessThanOrEqual(22);
	});

	itInCi.each([{ options: { previewOnly: false } }, { options: { previewOnly: true } }])(
		'In a CRM without people, a hundred rows share few lookups: %j',
		async (more) => {
			scene.service.store.people.clear();
			const rows = itemsOf(100, (row) => ({ email: `new${row}@mail.example`, job: 'Chef' }));
			const { items, error } = await run(rows, more);
			expect(error?.message).toBeUndefined();
			expect(items).toHaveLength(100);
			expect(count()).toBe(scene.writes().length);
			expect(reads().length).toBeLessThanOrEqual(12);
		},
	);

	itInCi('One lookup of phone numbers holds more than 20 spellings, and at most 32', async () => {
		const parameters = { matchValue: '={{ $json.phone }}', familyName: 'Jansen', email: '' };
		const options = { matchBy: 'identifier', previewOnly: true };
		const input = itemsOf(40, (row) => ({ phone: `06-123456${10 + row}` }));
		const { error } = await scene.person('upsert', { ...parameters, options }, { input });
		expect(error).toBeUndefined();
		const spellings = reads().map(({ query }) => [query['identifiers[]'] ?? []].flat().length);
		expect(Math.max(...spellings)).toBeLessThanOrEqual(32);
		expect(Math.max(...spellings)).toBeGreaterThan(20);
	});

	const withAddresses = (rows: number, each: number) =>
		itemsOf(rows, (row) => ({
			email: `main${row}@mail.example`,
			more: Array.from({ length: each - 1 }, (_, nth) => `more${row}.${nth}@mail.example`),
		}));
	const emailAddresses = '={{ $json.more }}';

	it.each(
		sampled(
			[
				[1, 60, 20, 4],
				[1, 100, 20, 6],
				[3, 40, 20, 7],
				[20, 3, 1, 26],
				[20, 2, 2, 24],
			],
			5,
		),
	)(
		'For %s rows of %s addresses, at %s requests a minute, %s lookups suffice',
		async (rows, each, requestsPerMinute, most) => {
			const setup = { credentials: { requestsPerMinute } };
			const more = { additionalFields: { emailAddresses } };
			const { error } = await run(withAddresses(rows, each), more, setup);
			expect(error?.message).toBeUndefined();
			expect(count()).toBe(PEOPLE.length + rows);
			expect(reads().length).toBeLessThanOrEqual(most);
		},
	);

	itInCi('Each further row of one new person takes one read and one write', async () => {
		const rows = itemsOf(45, (row) => ({
			email: `new${Math.floor(row / 3)}@mail.example`,
			job: `Job ${row}`,
		}));
		const { error } = await run(rows);
		expect(error?.message).toBeUndefined();
		expect(count()).toBe(PEOPLE.length + 15);
		expect(scene.writes()).toHaveLength(45);
		// The shared lookups of the fifteen people take a few requests more.
		expect(reads().length).toBeLessThanOrEqual(30 + 8);
	});

	itInCi.each([1, 30])(
		'A preview looks up rows of one new person together (%s rows apart)',
		async (apart) => {
			const rows = itemsOf(60, (row) => ({
				email: `new${apart === 1 ? Math.floor(row / 2) : row % apart}@mail.example`,
				job: `Job ${row}`,
			}));
			const { items } = await run(rows, { options: { previewOnly: true } });
			expect(items).toHaveLength(60);
			expect(reads().length).toBeLessThanOrEqual(6);
		},
	);

	it('Create or Update keeps the tags of two items that find one person', async () => {
		const two = ['first@mail.example', 'second@mail.example'];
		scene.change('people', id, { emailAddresses: two.map((own) => ({ email: own })), tags: [] });
		const rows = [...two, ...EMAILS.slice(5, 13)].map((row, index) => ({
			...{ email: row, tag: TAGS[index === 1 ? 1 : 0] },
		}));
		const additionalFields = { tags: '={{ [$json.tag] }}' };
		const { error } = await run(rows, { familyName: '', additionalFields });
		expect(error).toBeUndefined();
		const { people } = scene.service.store;
		expect(people.get(id)!.tags).toEqual([`/tags/${TAGS[0]}`, `/tags/${TAGS[1]}`]);
		expect(count()).toBe(PEOPLE.length);
	});
	it('With Look for People: One by One, each row sends its own lookup', async () => {
		await run(file(10), { options: { lookUp: 'each' } });
		expect(reads()).toHaveLength(10);
		expect(count()).toBe(PEOPLE.length + 5);
	});

	it('Create or Update recreates a person deleted between lookup and write', async () => {
		const rows = EMAILS.slice(0, 6).map((row) => ({ email: row, job: 'Chef' }));
		scene.onRequest(2, () => scene.service.store.people.delete(PEOPLE[5].id));
		const { error } = await run(rows);
		expect(error).toBeUndefined();
		expect(count()).toBe(PEOPLE.length);
	});

	it('Create or Update needs a family name only to create somebody', async () => {
		const rows = [...EMAILS.slice(0, 5), 'nobody@mail.example'].map((row) => ({ email: row }));
		const { items: given, error } = await run(rows.slice(0, 5), { familyName: '' });
		expect(error).toBeUndefined();
		expect(given).toHaveLength(5);
		const refused = await run(rows, { familyName: '={{ $json.nothing }}' });
		expect(refused.error?.message).toMatch(
			/^Family Name is empty, and nobody has the e-mail address "nobody@mail\.example"/,
		);
	});
});

describe('people addressed by e-mail', () => {
	const scene = useScene();
	const by = (value: string) => ({ ...locator(value), mode: 'email' });

	it('Add Tags looks forty addresses up with three requests, and writes only new tags', async () => {
		const tag = `/tags/${TAGS[0]}`;
		const chosen = PEOPLE.slice(0, 40);
		const input = itemsOf(40, (index) => ({ email: `person${index}@mail.example` }));
		for (const [index, person] of chosen.entries()) {
			scene.change('people', person.id, {
				emailAddresses: [input[index]],
				tags: index % 2 === 0 ? [tag] : [],
			});
		}
		const personId = by('={{ $json.email }}');
		const { items, error } = await scene.person(
			'addTags',
			{ personId, tags: [TAGS[0]] },
			{ input },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.result)).toEqual(
			chosen.map((_, index) => (index % 2 === 0 ? 'unchanged' : 'updated')),
		);
		const { people } = scene.service.store;
		expect(chosen.filter((person) => !people.get(person.id)!.tags.includes(tag))).toEqual([]);
		const [lookups, others] = partition(scene.requests(), ({ path }) => path === '/people');
		// People looked up more than fifteen seconds before are looked up again, several in a request.
		expect(lookups).toHaveLength(3);
		expect(others).toHaveLength(20);
	});

	itInCi('Add Tags keeps a tag that a colleague added after the lookup', async () => {
		const [own, other] = TAGS.map((tag) => `/tags/${tag}`);
		const chosen = PEOPLE.slice(0, 30);
		const input = itemsOf(30, (index) => ({ email: `person${index}@mail.example` }));
		for (const [index, person] of chosen.entries()) {
			scene.change('people', person.id, { emailAddresses: [input[index]], tags: [] });
		}
		const last = chosen.at(-1)!.id;
		scene.onRequest(10, () => scene.change('people', last, { tags: [other] }));
		const personId = by('={{ $json.email }}');
		await scene.person('addTags', { personId, tags: [TAGS[0]] }, { input });
		expect(scene.service.store.people.get(last)!.tags).toEqual([other, own]);
	});

	it.each(['get', 'update', 'archive'])(
		'The node finds a person by e-mail address for the operation %s',
		async (operation) => {
			const { items, error } = await scene.person(operation, {
				...{ personId: by(EMAILS[3]), updateFields: { jobTitle: 'Chef' } },
				...(operation === 'get' ? { output: 'raw' } : {}),
			});
			expect(error).toBeUndefined();
			const [found] = items[0].json.emailAddresses as Array<{ email: string }>;
			expect(found.email).toBe(EMAILS[3]);
		},
	);
});
