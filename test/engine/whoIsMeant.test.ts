import type { IDataObject } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { newPerson } from './support/newPerson';
import { useScene } from './support/scene';

/*
 * A row is one person with all its addresses. Everybody who has one of them may be meant, unless the name contradicts the
 * row. An address of another active person is never added.
 */
const scene = useScene();

/** Adds a person to the CRM, and returns the ID. */
const add = (fields: Parameters<typeof newPerson>[1]) => newPerson(scene, fields);
const stored = (id: string) => scene.service.store.people.get(id)!;
const emailsOf = (id: string) => stored(id).emailAddresses.map(({ email }) => email);
const byColumns = {
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'], schema: [] },
};
const upsert = async (
	input: IDataObject[],
	options: object = {},
	{
		columns = byColumns.columns,
		...setup
	}: { columns?: object; onError?: 'continueRegularOutput' } = {},
) => await scene.person('upsert', { ...byColumns, columns, options }, { input, ...setup });
const people = () => scene.service.store.people.size;

describe('whom a row of Create or Update means', () => {
	it('Create or Update finds a person by any e-mail address of the row', async () => {
		const eva = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
		const before = people();
		const row = {
			...{ 'First Name': 'Eva', 'Last Name': 'Vos', Email: 'eva@new.example' },
			'Additional email addresses': 'eva@vos.example',
		};
		const { items, error } = await upsert([row]);
		expect(error?.message).toBeUndefined();
		expect(items[0].json).toMatchObject({ result: 'updated', id: eva });
		expect(people()).toBe(before);
		expect(emailsOf(eva)).toEqual(['eva@vos.example', 'eva@new.example']);
	});

	it('Create or Update leaves out an address of another person, with a note', async () => {
		const jan = add({ givenName: 'Jan', familyName: 'Smit', emails: ['info@acme.example'] });
		const eva = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
		const row = { 'Last Name': 'Smit', Email: 'info@acme.example', 'Email 2': 'eva@vos.example' };
		const { items } = await upsert([{ ...row, 'Job Title': 'Buyer' }]);
		expect(items[0].json).toMatchObject({ result: 'updated', id: jan });
		expect(items[0].json.note).toMatch('eva@vos.example belongs to Eva Vos and is left out');
		expect(emailsOf(jan)).toEqual(['info@acme.example']);
		expect(emailsOf(eva)).toEqual(['eva@vos.example']);
	});

	it('Unless When the Name Differs says Update, a row with quite another name fails', async () => {
		const jan = add({ givenName: 'Jan', familyName: 'de Vries', emails: ['fam@x.example'] });
		const row = { 'First Name': 'Sanne', 'Last Name': 'Jansen', Email: 'fam@x.example' };
		const { error } = await upsert([row]);
		expect(error?.message).toBe(
			'fam@x.example belongs to Jan de Vries; the row names Sanne Jansen',
		);
		expect(scene.writes()).toEqual([]);
		const { items } = await upsert([row], { whenNameDiffers: 'update' });
		expect(items[0].json).toMatchObject({ result: 'updated', id: jan });
		expect(stored(jan)).toMatchObject({ givenName: 'Sanne', familyName: 'Jansen' });
	});

	it.each([
		['phone', 'Phone', '015-1234567', 'phone number'],
		['mobile', 'Mobile', '015-1234567', 'phone number'],
		['networkId', 'Network ID', 'eva-vos', 'network ID'],
	])(
		'Create or Update by %s renames no person with quite another name',
		async (column, heading, value, noun) => {
			const phoneNumbers = [{ phoneNumber: '015-1234567', phoneType: null }];
			const eva = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
			scene.change('people', eva, { phoneNumbers, networkId: 'eva-vos' });
			const columns = { ...byColumns.columns, matchingColumns: [column] };
			const row = { 'First Name': 'Piet', 'Last Name': 'Kort', [heading]: value };
			const refused = await upsert([{ ...row, City: 'Goes' }], {}, { columns });
			expect(refused.error?.message).toBe(`${value} belongs to Eva Vos; the row names Piet Kort`);
			expect(refused.error?.description).toMatch(`Correct the name or the ${noun}. If`);
			expect(scene.writes()).toEqual([]);
			const { items } = await upsert([row], { whenNameDiffers: 'update' }, { columns });
			expect(items[0].json).toMatchObject({ result: 'updated', id: eva });
		},
	);

	it('With Find By: Identifier, Create or Update refuses a row with another name', async () => {
		const phoneNumbers = [{ phoneNumber: '015-1234567', phoneType: null }];
		const eva = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
		scene.change('people', eva, { phoneNumbers });
		const names = { familyName: 'Kort', additionalFields: { givenName: 'Piet' } };
		const options = { matchBy: 'identifier' };
		const { error } = await scene.person('upsert', {
			...{ matchValue: '015-1234567', ...names, options },
		});
		expect(error?.message).toMatch(/belongs to Eva Vos; the row names Piet Kort/);
		expect(scene.writes()).toEqual([]);
	});

	it('Create or Update refuses a second person with the same address in a file', async () => {
		const rows = [
			{ 'First Name': 'Jan', 'Last Name': 'de Vries', Email: 'fam@x.example' },
			{ 'First Name': 'Sanne', 'Last Name': 'Jansen', Email: 'fam@x.example' },
		];
		const { items } = await upsert(rows, {}, { onError: 'continueRegularOutput' });
		expect(items[0].json).toMatchObject({ result: 'created', familyName: 'de Vries' });
		expect(items[1].json.error).toMatch(/belongs to Jan de Vries; the row names Sanne Jansen/);
	});

	it.each<[string, IDataObject, boolean]>([
		['Piet', { 'First Name': 'Anna' }, true],
		['Robert', { 'First Name': 'Bob' }, true],
		['Piet', { Name: 'Anna Bos', 'Last Name': '' }, true],
		['Piet', { 'First Name': 'Pieter' }, false],
		['Piet', { 'First Name': 'P.' }, false],
		['Piet', { 'Last Name': 'Bos-Vos' }, false],
	])('A note says that %s Bos and %j may be two people: %p', async (givenName, row, isNoted) => {
		const rows = [{ 'First Name': givenName, 'Last Name': 'Bos', Email: 'fam@bos.example' }];
		await upsert(rows);
		const again = { ...rows[0], 'First Name': '', ...row, 'Job Title': 'Cook' };
		const note = String((await upsert([again])).items[0].json.note);
		expect(note.includes(`${givenName} Bos may be another person than `)).toBe(isNoted);
		const options = { whenNameDiffers: 'update' };
		const sure = await upsert([{ ...again, 'First Name': 'Kim' }], options);
		expect(String(sure.items[0].json.note)).not.toContain('another person');
	});

	it('Rows that share a company address create or update separate people', async () => {
		const jan = add({ givenName: 'Jan', familyName: 'Smit', emails: ['info@acme.example'] });
		const names = ['Eva Vos', 'Tim Bos', 'Lea Kok', 'Jan Smit', 'Piet Smit'];
		const rows = names.map((name) => {
			const [givenName, familyName] = name.split(' ');
			const email = `${name.toLowerCase().replace(' ', '.')}@acme.example`;
			return { givenName, familyName, Email: email, 'Email 2': 'info@acme.example' };
		});
		const before = people();
		const { items, error } = await upsert(rows);
		expect(error?.message).toBeUndefined();
		expect(items.map(({ json }) => json.result)).toEqual([
			...['created', 'created', 'created', 'updated', 'created'],
		]);
		expect(people()).toBe(before + 4);
		expect(items[0].json.note).toMatch('info@acme.example belongs to Jan Smit and is left out');
		expect(emailsOf(jan)).toEqual(['info@acme.example', 'jan.smit@acme.example']);
		const again = await upsert(rows);
		expect(again.items.map(({ json }) => json.result)).toEqual(Array(5).fill('unchanged'));
	});

	it('If the addresses of a row belong to several people, the first address decides', async () => {
		const first = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@one.example'] });
		add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@two.example'] });
		const row = { familyName: 'Vos', Email: 'eva@one.example', 'Email 2': 'eva@two.example' };
		const { items } = await upsert([{ ...row, jobTitle: 'Chef' }]);
		expect(items[0].json).toMatchObject({ result: 'updated', id: first });
		expect(items[0].json.note).toMatch('eva@two.example belongs to Eva Vos and is left out');
		expect(emailsOf(first)).toEqual(['eva@one.example']);
	});

	it('Create or Update refuses a row whose further addresses belong to several people', async () => {
		add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@one.example'] });
		add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@two.example'] });
		const further = { 'Email 2': 'eva@one.example', 'Email 3': 'eva@two.example' };
		const { error } = await upsert([{ familyName: 'Vos', Email: 'eva@new.example', ...further }]);
		expect(error?.message).toMatch(/^The addresses of this row belong to 2 people: Eva Vos \(/);
		expect(scene.writes()).toEqual([]);
	});

	it('A row updates the active person rather than an archived one', async () => {
		const archivedAt = '2026-01-01T00:00:00Z';
		add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@one.example'], archivedAt });
		const active = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@two.example'] });
		const row = { familyName: 'Vos', Email: 'eva@one.example', 'Email 2': 'eva@two.example' };
		const { items } = await upsert([row]);
		expect(items[0].json).toMatchObject({ result: 'updated', id: active });
		expect(emailsOf(active)).toEqual(['eva@two.example', 'eva@one.example']);
	});

	it('A row updates an archived person if no active one has its addresses', async () => {
		const archivedAt = '2026-01-01T00:00:00Z';
		const eva = add({
			givenName: 'Eva',
			familyName: 'Vos',
			emails: ['eva@one.example'],
			archivedAt,
		});
		const { items } = await upsert([
			{ familyName: 'Vos', Email: 'eva@one.example', jobTitle: 'A' },
		]);
		expect(items[0].json).toMatchObject({ result: 'updated', id: eva });
		expect(items[0].json.note).toBe('Eva Vos is archived');
	});

	it('A row updates an archived person who has only its second address', async () => {
		const archivedAt = '2026-01-01T00:00:00Z';
		const emails = ['eva@old.example'];
		const eva = add({ givenName: 'Eva', familyName: 'Vos', emails, archivedAt });
		const row = { familyName: 'Vos', Email: 'eva@new.example', 'Email 2': 'eva@old.example' };
		const { items } = await upsert([row]);
		expect(items[0].json).toMatchObject({ result: 'updated', id: eva });
		expect(items[0].json.note).toBe('Eva Vos is archived');
	});

	it.each<[unknown]>([
		['eva@vos.example, vos@new.example'],
		[['eva@vos.example', 'vos@new.example']],
		[[{ email: 'eva@vos.example' }, { email: 'vos@new.example' }]],
		['[{"email":"eva@vos.example"},{"email":"vos@new.example"}]'],
		['eva@vos.example'],
		[{ email: 'eva@vos.example' }],
	])('Without a column Email, the Email Addresses %j find the person', async (emailAddresses) => {
		const eva = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
		const value = { familyName: 'Vos', emailAddresses: '={{ $json.given }}' };
		const columns = { mappingMode: 'defineBelow', value, matchingColumns: ['email'], schema: [] };
		const { items, error } = await upsert([{ given: emailAddresses as never }], {}, { columns });
		expect(error?.message).toBeUndefined();
		expect(items[0].json).toMatchObject({ id: eva });
		const isTwo = JSON.stringify(emailAddresses).includes('vos@new.example');
		const further = isTwo ? ['vos@new.example'] : [];
		expect(emailsOf(eva)).toEqual(['eva@vos.example', ...further]);
	});

	it('Messages name a person without a name by the ID', async () => {
		const nameless = { givenName: null, familyName: null };
		const one = add({ ...nameless, emails: ['info@acme.example'] });
		const row = { familyName: 'Vos', Email: 'vos@acme.example', 'Email 2': 'info@acme.example' };
		const personId = { __rl: true, mode: 'id', value: add({ familyName: 'Smit' }) };
		const added = { personId, email: 'info@acme.example' };
		const { items } = await scene.person('addEmailAddress', added);
		expect(items[0].json.note).toBe(`info@acme.example belongs to person (${one}) and is left out`);
		const two = add({ ...nameless, emails: ['info@acme.example'] });
		const { error } = await upsert([{ ...row, Email: 'info@acme.example' }]);
		expect(error?.message).toBe(
			`2 people have the e-mail address "info@acme.example": person (${one}), person (${two})`,
		);
	});

	it('A row creates a new person if only a differently named archived person matches', async () => {
		const archivedAt = '2026-01-01T00:00:00Z';
		add({ givenName: 'Jan', familyName: 'Smit', emails: ['sales@acme.example'], archivedAt });
		const row = { givenName: 'Eva', familyName: 'Vos', Email: 'sales@acme.example' };
		const { items } = await upsert([row]);
		expect(items[0].json).toMatchObject({ result: 'created' });
	});

	it('Three rows about one person write one person, and the later value wins', async () => {
		const before = people();
		const { items } = await upsert([
			{ familyName: 'Vos', Email: 'a@vos.example', 'Email 2': 'b@vos.example', jobTitle: 'Old' },
			{ familyName: 'Vos', Email: 'c@vos.example', 'Email 2': 'b@vos.example', jobTitle: 'New' },
			{ familyName: 'Vos', Email: 'b@vos.example', 'Email 2': 'd@vos.example' },
		]);
		expect(people()).toBe(before + 1);
		const [id] = items.map(({ json }) => String(json.id));
		expect(items.map(({ json }) => json.result)).toEqual(['created', 'updated', 'updated']);
		expect(stored(id).jobTitle).toBe('New');
		expect(emailsOf(id).sort()).toEqual(
			['a', 'b', 'c', 'd'].map((letter) => `${letter}@vos.example`),
		);
	});

	it('A row matched on phone number also finds a person by e-mail address', async () => {
		const eva = add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
		const columns = { ...byColumns.columns, matchingColumns: ['phone'] };
		const input = [{ familyName: 'Vos', Phone: '+31 6 12345678', Email: 'eva@vos.example' }];
		const { items } = await scene.person('upsert', { ...byColumns, columns }, { input });
		expect(items[0].json).toMatchObject({ result: 'updated', id: eva });
	});
});

describe('an address of another active person', () => {
	const owner = () => add({ givenName: 'Eva', familyName: 'Vos', emails: ['eva@vos.example'] });
	const other = () => add({ givenName: 'Jan', familyName: 'Smit', emails: ['jan@smit.example'] });
	const note = 'eva@vos.example belongs to Eva Vos and is left out';

	it('Add Email Address does not add an address of another active person', async () => {
		owner();
		const jan = other();
		const personId = { __rl: true, mode: 'id', value: jan };
		const added = { personId, email: 'Eva@vos.example' };
		const { items } = await scene.person('addEmailAddress', added);
		expect(items[0].json).toMatchObject({ result: 'unchanged' });
		expect(items[0].json.note).toMatch(/Eva@vos.example belongs to Eva Vos and is left out/);
		expect(emailsOf(jan)).toEqual(['jan@smit.example']);
	});

	it.each([
		['fields', { updateFields: { emailAddresses: [{ email: 'eva@vos.example' }] } }],
		['JSON', { inputMode: 'json', jsonBody: { emailAddresses: [{ email: 'eva@vos.example' }] } }],
	])(
		'Update from %s leaves out an address of another person, and keeps the list',
		async (_, parameters) => {
			owner();
			const jan = other();
			const personId = { __rl: true, mode: 'id', value: jan };
			const { items } = await scene.person('update', { personId, ...parameters });
			expect(items[0].json.note).toMatch(note);
			expect(emailsOf(jan)).toEqual(['jan@smit.example']);
		},
	);

	it('Update from columns omits an address of another person, and adds a new one', async () => {
		owner();
		const jan = other();
		const personId = { __rl: true, mode: 'id', value: jan };
		const input = [{ Email: 'eva@vos.example', 'Email 2': 'jan@new.example' }];
		const { items } = await scene.person('update', { personId, ...byColumns }, { input });
		expect(items[0].json.note).toMatch(note);
		expect(emailsOf(jan)).toEqual(['jan@smit.example', 'jan@new.example']);
	});

	it('Add Email Address adds an address that only archived people have', async () => {
		const eva = owner();
		scene.change('people', eva, { archivedAt: '2026-01-01T00:00:00Z' });
		const jan = other();
		const personId = { __rl: true, mode: 'id', value: jan };
		await scene.person('addEmailAddress', { personId, email: 'eva@vos.example' });
		expect(emailsOf(jan)).toEqual(['jan@smit.example', 'eva@vos.example']);
	});

	it('A preview of Add Email Address shows that a taken address is omitted', async () => {
		owner();
		const jan = other();
		const personId = { __rl: true, mode: 'id', value: jan };
		const added = { personId, email: 'eva@vos.example', options: { previewOnly: true } };
		const { items } = await scene.person('addEmailAddress', added);
		expect(items[0].json).toMatchObject({ preview: 'unchanged' });
		expect(String(items[0].json.note)).toMatch(note);
	});
});

describe('the e-mail addresses of an update', () => {
	const EMAIL = 'info@acme.example';
	const update = async (emails: string[]) => {
		const personId = locator(add({ familyName: 'Vos', emails: ['eva@vos.example'] }));
		scene.clear();
		const updateFields = { emailAddresses: emails.map((email) => ({ email })) };
		const { items, error } = await scene.person('update', { personId, updateFields });
		expect(error).toBeUndefined();
		return { personId, json: items[0]!.json };
	};

	it('Update with only an address of another person changes nobody, with a note', async () => {
		add({ familyName: 'Smit', emails: [EMAIL] });
		const { json, personId } = await update([EMAIL]);
		expect(json).toMatchObject({ result: 'unchanged', id: personId.value });
		expect(json.note).toMatch(`${EMAIL} belongs to Smit and is left out`);
		expect(scene.writes()).toEqual([]);
	});

	itInCi('Update looks up only the first 100 e-mail addresses, with a note', async () => {
		const emails = Array.from({ length: 101 }, (_, index) => `nr${index}@x.example`);
		const { json } = await update(emails);
		expect(json.note).toBe('Only the first 100 of 101 addresses were looked up');
		expect(scene.writes()).toHaveLength(1);
		expect(JSON.stringify(scene.requests().map(({ query }) => query))).not.toContain(emails[100]);
	});
});
