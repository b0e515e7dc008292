import type { IDataObject } from 'n8n-workflow';
import { itInCi, sampled } from '../support/drawn';
import { useScene } from './support/scene';
import { excuse } from './support/recordExchanges';
import {
	COLUMNS,
	ORGANIZATIONS,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	WORKSPACES,
} from './support/seeded';

/*
 * Cells and headings that exports hold in place of a plain value. Each table has a cell of the file that showed the fault,
 * and other cells of its kind.
 */

const [jan, eva] = PEOPLE;
const EVA = 'eva@vos.example';
const KADE = { street: 'Kade 1', postalCode: '2611 AA', city: 'Delft', country: 'NL' };

const scene = useScene();

/** Imports rows by Create or Update of a person, by the columns of the input. */
const upsert = async (input: IDataObject[], more: object = {}, setup: object = {}) =>
	await scene.person(
		'upsert',
		{
			inputMode: 'columns',
			columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] },
			...more,
		},
		{ input, ...setup },
	);
const IN_COLUMNS = {
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null },
};
const create = async (resource: 'person' | 'task', input: IDataObject[], setup: object = {}) =>
	await scene[resource]('create', IN_COLUMNS, { input, ...setup });
const continues = { onError: 'continueErrorOutput' };
const stored = () => scene.service.store.people.get(eva.id)!;
const lastBody = () => scene.writes().at(-1)?.body as IDataObject;
const noteOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
	String(items[0]?.json.note ?? '');

beforeEach(() => {
	scene.change('people', jan.id, {
		...{ givenName: 'Jan', familyName: 'Smit', archivedAt: null },
		emailAddresses: [{ email: 'info@acme.example' }],
	});
	scene.change('people', eva.id, {
		...{
			givenName: 'Eva',
			familyName: 'Vos',
			jobTitle: 'Chef',
			customerId: 'C1',
			archivedAt: null,
		},
		...{ emailAddresses: [{ email: EVA }], phoneNumbers: [], address: KADE },
		...{ tags: [], segments: [], organizations: [] },
	});
});

describe('columns of another person', () => {
	const row = { 'First Name': 'Eva', 'Last Name': 'Vos', Email: EVA };

	it.each(
		sampled(
			[
				['First Name', 'Last Name', 'Email', 'Phone'].map((name) => `Contact 2 ${name}`),
				['Person 2 - Email', 'Person 2 - Phone', 'Person 3 - Email'],
				['Klant 2 voornaam', 'Klant 2 e-mail', 'Klant2 telefoon'],
				['Kontakt 2 Vorname', 'Kontakt 2 E-Mail', 'Kontakt 2 Telefon'],
				['Personne 2 prénom', 'Personne 2 e-mail', 'Personne 2 téléphone'],
				['E-mail contactpersoon 2', 'Second Contact Email', 'Deuxième contact e-mail'],
				['First Name 2', 'Last Name 2', 'Email 2', 'Phone 2'],
				['Spouse', 'Spouse Email', "Spouse's Phone", 'Email (Spouse)', 'Contact Spouse Email'],
				['Partner', 'Partner e-mail', 'Telefoon partner', 'E-mail van partner'],
				['Assistant', "Assistant's Phone", 'Assistant Email', 'Assistent telefoon', 'Assistentin'],
				['Manager', 'Manager Email', 'Manager - Phone', 'Leidinggevende e-mail'],
				['Vorgesetzter E-Mail', 'Supérieur e-mail', 'Téléphone du conjoint'],
				['Emergency Contact', 'Emergency Contact Phone', 'Noodcontact telefoon', 'Notfall Telefon'],
				['Billing Contact Email', 'Factuurcontact e-mail', 'Contact de facturation e-mail'],
			],
			4,
		),
	)(
		'An import ignores columns about another person, such as a spouse: %s, %s, …',
		async (...headings) => {
			const others = Object.fromEntries(
				headings.map((name) => [
					name,
					/mail|spouse$/i.test(name) ? 'bob@bos.example' : '06-22222222',
				]),
			);
			const before = { ...stored() };
			const { items, error } = await upsert([{ ...row, ...others }]);
			expect(error?.message).toBeUndefined();
			expect(items[0].json.result).toBe('unchanged');
			expect(stored()).toEqual(before);
			const seen = await upsert([{ ...row, ...others }], {
				options: { previewOnly: true, output: 'raw' },
			});
			const notUsed = headings.map((heading) => ({ heading, rows: 1 }));
			expect(seen.items[0].json.columns).toMatchObject({ notUsed });
		},
	);

	it('An import takes Contact Email, Email 2, Contact 1 Phone and Phone 2', async () => {
		await create('person', [
			{
				...{ 'Last Name': 'Dam', 'Contact Email': 'ann@x.example', 'Email 2': 'ann2@x.example' },
				...{ 'Contact 1 Phone': '020-1111111', 'Phone 2': '020-2222222', 'Address Line 2': '' },
			},
		]);
		expect(lastBody()).toMatchObject({
			emailAddresses: [{ email: 'ann@x.example' }, { email: 'ann2@x.example' }],
			phoneNumbers: [{ phoneNumber: '020-1111111' }, { phoneNumber: '020-2222222' }],
		});
	});

	it.each<IDataObject>([
		{ 'Contact First Name': 'Bob', 'Contact Last Name': 'Bos', 'Contact Email': 'bob@bos.example' },
		{
			'Contact 1 First Name': 'Bob',
			'Contact 1 Last Name': 'Bos',
			'Contact 1 Phone': '0612345678',
		},
		{ Person1FirstName: 'Bob', Person1LastName: 'Bos', Person1Email: 'bob@bos.example' },
		{ Contactpersoon: 'dhr. B. Bos', 'E-mail contactpersoon': 'bob@bos.example' },
		{ Ansprechpartner: 'Bos, Bob', 'Telefon Ansprechpartner': '0612345678' },
		{ 'Customer Name': 'Bob Peter Bos', 'Customer Email': 'bob@bos.example' },
	])('Beside a person, an import ignores a contact with another name: %j', async (second) => {
		const before = { ...stored() };
		const { items, error } = await upsert([{ ...row, ...second }]);
		expect(error?.message).toBeUndefined();
		expect(items[0].json.result).toBe('unchanged');
		expect(stored()).toEqual(before);
	});

	it.each<IDataObject>([
		{ 'Contact Name': 'Eva Vos' },
		{ 'Contact Name': 'Vos, Eva' },
		{ 'Contact Name': 'E. Vos' },
		{ 'Customer Name': 'Acme BV', 'Customer ID': 'C7' },
		{ 'Contact Name': '' },
	])("An import takes a contact's phone number if no other person is named: %j", async (second) => {
		const [noun] = Object.keys(second)[0]!.split(' ');
		await upsert([{ ...row, ...second, [`${noun} Phone`]: '0612345678' }]);
		expect(stored().phoneNumbers).toMatchObject([{ phoneNumber: '0612345678' }]);
		if ('Customer ID' in second) expect(stored().customerId).toBe('C7');
	});

	it('Of a lead and a contact, an import takes the contact with its address', async () => {
		const lead = { 'Lead Name': 'Tim Fox', 'Lead Email': 'tim@fox.example' };
		const contact = { 'Contact Name': 'Bob Bos', 'Contact Email': 'bob@bos.example' };
		await create('person', [{ ...lead, ...contact }]);
		const emailAddresses = [{ email: 'bob@bos.example' }];
		expect(lastBody()).toEqual({ givenName: 'Bob', familyName: 'Bos', emailAddresses });
	});

	it('An import ignores columns about nine further contacts of a row', async () => {
		const others = Object.fromEntries(
			Array.from({ length: 9 }, (_, index) => [
				[`Contact ${index + 2} Email`, `p${index}@x.example`],
				[`Contact ${index + 2} Last Name`, `Other ${index}`],
			]).flat(),
		);
		const { items } = await upsert([{ 'Last Name': 'Vos', Email: EVA, ...others }]);
		expect(items[0].json.result).toBe('unchanged');
	});
});

describe('a cell of e-mail addresses', () => {
	it.each<[string, string[], string]>(
		sampled(
			[
				[`${EVA};n/a`, [], 'Email "n/a" counts as blank'],
				[`n/a; ${EVA}`, [], 'Email "n/a" counts as blank'],
				[`${EVA}, -`, [], 'Email "-" counts as blank'],
				[`${EVA} / geen`, [], 'Email "geen" counts as blank'],
				[`${EVA}\nonbekend`, [], 'Email "onbekend" counts as blank'],
				[`${EVA} ::: #N/A`, [], 'Email "#N/A" counts as blank'],
				[`["${EVA}","e2@vos.example"]`, ['e2@vos.example'], ''],
				[`['${EVA}', 'e2@vos.example']`, ['e2@vos.example'], 'taken as'],
				[`{${EVA},e2@vos.example}`, ['e2@vos.example'], ''],
				[`[{"email":"${EVA}"},{"email":"n/a"}]`, [], 'Email "n/a" counts as blank'],
				[`'${EVA}'`, [], `Email "'${EVA}'" is taken as "${EVA}"`],
				[`"${EVA}"`, [], 'is taken as'],
				[`'${EVA}`, [], `Email "'${EVA}" is taken as "${EVA}"`],
				[`'${EVA}; 'e2@vos.example`, ['e2@vos.example'], 'is taken as'],
				[`“${EVA}”; 'e2@vos.example'`, ['e2@vos.example'], 'is taken as'],
				[`="${EVA}"`, [], 'is taken as'],
				[`"Vos; Eva" <${EVA}>`, [], ''],
			],
			4,
		),
	)('An import finds a person by an address in the cell %j', async (Email, further, note) => {
		const said = await upsert([{ 'Last Name': 'Vos', Email }]);
		expect(said.error?.message).toBeUndefined();
		expect(said.items[0].json.id).toBe(eva.id);
		expect(stored().emailAddresses.map(({ email }) => email)).toEqual([EVA, ...further]);
		expect(noteOf(said)).toContain(note);
	});

	it.each<[string, string[]]>([
		['email: a@x.example', ['a@x.example']],
		['E-Mail: a@x.example', ['a@x.example']],
		['SMTP:a@x.example', ['a@x.example']],
		['E-mailadres: a@x.example', ['a@x.example']],
		['work: a@x.example; home: b@x.example', ['a@x.example', 'b@x.example']],
		['a@x.example*', ['a@x.example']],
		['a@x.example!', ['a@x.example']],
		['a@x.example (privé)', ['a@x.example']],
		['a@x.example.', ['a@x.example']],
		['a@x.example,; b@x.example.', ['a@x.example', 'b@x.example']],
		['mailto:a@x.example?subject=Hi', ['a@x.example']],
		['[a@x.example](mailto:a@x.example)', ['a@x.example']],
		['a@x.example - a@x.example', ['a@x.example']],
		...[' - ', ' + ', ' or ', ' of ', ' und ', ' | ', ' & ', '\t', ' ', '  '].map(
			(sign): [string, string[]] => [
				`a@x.example${sign}b@x.example`,
				['a@x.example', 'b@x.example'],
			],
		),
	])('An import finds each address in the cell %j', async (Email, emails) => {
		const { error } = await create('person', [{ familyName: 'Dam', Email }]);
		expect(error?.message).toBeUndefined();
		expect(lastBody().emailAddresses).toEqual(emails.map((email) => ({ email })));
	});

	it('An import refuses the cell "a@x.example (wife)", the address of another person', async () => {
		const { error } = await create('person', [{ familyName: 'Dam', Email: 'a@x.example (wife)' }]);
		expect(error?.message).toMatch(/^Email: expected an e-mail address/);
	});

	it.each<[string, string[]]>([
		['06-12345678 of 020-1234567', ['06-12345678', '020-1234567']],
		['0170 1234567 oder 030 1234567', ['0170 1234567', '030 1234567']],
		['06 12 34 56 78 ou 01 23 45 67 89', ['06 12 34 56 78', '01 23 45 67 89']],
		['+31 6 12345678 (WhatsApp)', ['+31 6 12345678']],
		['020-1234567, toestel 12', ['020-1234567, toestel 12']],
		['+39 02 1234567 int. 12', ['+39 02 1234567 int. 12']],
		['020-1234567 (w) / 06-12345678 (m)', ['020-1234567', '06-12345678']],
	])('An import finds each phone number in the cell %j', async (Phone, numbers) => {
		const { error } = await create('person', [{ familyName: 'Dam', Phone }]);
		expect(error?.message).toBeUndefined();
		expect(lastBody()).toMatchObject({
			phoneNumbers: numbers.map((phoneNumber) => ({ phoneNumber })),
		});
	});

	it.each<[IDataObject, string]>([
		[{ Email: `bad; ${EVA}` }, 'bad'],
		[{ Email: 'anonymous', 'Your email address': EVA }, 'anonymous'],
		[{ Email: 'bad', 'Additional email addresses': `worse; ${EVA}` }, 'bad'],
		[{ 'E-mail Address': '/o=ExchangeLabs/cn=eva', 'E-mail 2 Address': EVA }, '/o=ExchangeLabs'],
	])('If On Error continues, the first usable address of %j finds the person', async (row, bad) => {
		const input = [{ 'Last Name': 'Vos', ...row, 'Job Title': 'Cook' }];
		const previewOnly = { options: { previewOnly: true } };
		const { items } = await upsert(input, previewOnly, { onError: 'stopWorkflow' });
		expect(items[0].json.summary).toMatch(/with On Error: Continue, written without the e-mail/);
		const ahead = await upsert(input, previewOnly, continues);
		expect(ahead.items[0].json.summary).toMatch(/; with On Error: Stop it is refused\./);
		const said = await upsert(input, {}, continues);
		expect(said.items[0].json).toMatchObject({ id: eva.id, result: 'updated' });
		expect(noteOf(said)).toContain(`"${bad}`);
		expect(stored().emailAddresses).toEqual([{ email: EVA }]);
	});

	const NO_ADDRESSES = [
		...[
			'a@x,example',
			'a@x.co,uk',
			'a@x.example?',
			'=HYPERLINK("mailto:a@x.example","a")',
			'a@x;example',
			'eva;vos@x.example',
		],
		...[
			'a b@x.example',
			'a@x .example',
			'a@@x.example',
			'a@x@y.example',
			'a@x..example',
			'.a@x.example',
		],
		...[
			'a.@x.example',
			'a..b@x.example',
			'a@x.example..b',
			'@x.example',
			'a@',
			'a@x_y.example',
			'a@(x.example)',
		],
		...[
			'a@x.example/b',
			'a/b@x.example',
			'a\\b@x.example',
			'a@[127.0.0.1]',
			'"a b"@x.example',
			'a>@x.example',
		],
		...['a at x.example', 'www.x.example', 'a@x.example#!?', `${'a'.repeat(1_000_000)}@x.example`],
	];

	it.each(
		sampled(
			NO_ADDRESSES.map((text) => [text.slice(0, 60), text]),
			6,
		),
	)('The node refuses %j as e-mail address, or omits it if On Error continues', async (_, text) => {
		const refused = await create('person', [{ familyName: 'Dam', Email: text }]);
		expect(refused.error?.message).toMatch(/^Email: expected an e-mail address such as/);
		const inField = await scene.person('create', { familyName: 'Dam', email: text });
		expect(inField.error?.message).toMatch(/^Email: expected an e-mail address such as/);
		expect(scene.requests()).toEqual([]);
		const rows = [
			{ familyName: 'Dam', Email: text },
			{ familyName: 'Bos', Email: 'b@x.example' },
		];
		const said = await create('person', rows, continues);
		expect(said.errorItems).toEqual([]);
		expect(noteOf(said)).toMatch(/ no e-mail address(es)? and (is|are) left out/);
		expect(noteOf(said).length).toBeLessThan(300);
		expect(scene.writes().map(({ body }) => body)).toEqual([
			{ familyName: 'Dam' },
			{ familyName: 'Bos', emailAddresses: [{ email: 'b@x.example' }] },
		]);
	});

	it.each([
		"o'brien@x.example",
		'a=b@x.example',
		'{a}|b~c@x.example',
		'zoë@bücher.example',
		'a@x-y.example',
	])('The node accepts the unusual e-mail address %s in a row and a field', async (email) => {
		if (/[^\x20-\x7e]/.test(email))
			excuse('requests', 'an address of RFC 6531, which Prism refuses');
		scene.service.switches.faults = [];
		const { error } = await create('person', [{ familyName: 'Dam', email }]);
		expect(scene.writes().at(-1)?.body).toMatchObject({ emailAddresses: [{ email }] });
		expect(error?.message ?? '').not.toMatch(/expected an e-mail/);
		await scene.person('create', { familyName: 'Dam', email });
		expect(scene.writes().at(-1)?.body).toMatchObject({ emailAddresses: [{ email }] });
	});

	it('The node accepts an e-mail address whose domain has no dot, with a note', async () => {
		excuse('requests', 'a domain without a dot, which Prism refuses');
		const rows = [{ familyName: 'Dam', Email: 'ann@intranet' }];
		await create('person', rows);
		expect(lastBody()).toMatchObject({ emailAddresses: [{ email: 'ann@intranet' }] });
		// The stand-in refuses the address, so a preview shows the note.
		const options = { previewOnly: true };
		const said = await scene.person('create', { ...IN_COLUMNS, options }, { input: rows });
		expect(noteOf(said)).toBe('The domain of "ann@intranet" has no dot');
	});

	itInCi(
		'An import writes no cell of 1 MB, and goes on with other rows',
		async () => {
			const cells = ['x;', 'n/a,', 'a@x.example;', '1;', "'", '="', ' ::: ', '[', '-,', '\n'];
			const rows = cells.flatMap((part) => [
				{ familyName: 'Dam', Email: part.repeat(1_000_000 / part.length) },
				{ familyName: 'Dam', Phone: part.repeat(1_000_000 / part.length) },
			]);
			const good = { familyName: 'Bos', Email: 'b@x.example' };
			const said = await create('person', [...rows, good], continues);
			expect(said.errorItems).toEqual([]);
			for (const { json } of said.items) expect(String(json.note ?? '').length).toBeLessThan(1_000);
			expect(scene.writes().at(-1)?.body).toMatchObject({ familyName: 'Bos' });
			for (const { body } of scene.writes()) expect(JSON.stringify(body).length).toBeLessThan(200);
		},
		120_000,
	);
});

describe('a cell with quotes, decimals or separators of a program', () => {
	const first = { 'First name': 'Ann', 'Last name': 'Lee', Email: 'ann@x.example' };

	it.each<[IDataObject, IDataObject]>([
		[
			{ Phone: '31612345678.0', 'Postal Code': '1012.0', 'Customer ID': '1001.0' },
			{ phone: '31612345678', address: { postalCode: '1012' }, customerId: '1001.0' },
		],
		[
			{ Mobiel: '+31612345678.0', Straat: 'Kade', Huisnummer: '12.0', Functie: '2.0' },
			{ phone: '+31612345678', address: { street: 'Kade 12' }, jobTitle: '2.0' },
		],
		[
			{
				Phone: "'+31612345678",
				'Postal Code': "'01012",
				'Customer ID': "'000123",
				'Job Title': '="CEO"',
			},
			{
				phone: '+31612345678',
				address: { postalCode: '01012' },
				customerId: '000123',
				jobTitle: 'CEO',
			},
		],
		[
			{ 'Postal Code': "'SW1A 1AA", 'Customer ID': "'KL-1001", City: "'s-Gravenzande" },
			{ address: { city: "'s-Gravenzande", postalCode: 'SW1A 1AA' }, customerId: 'KL-1001' },
		],
		[
			{ Phone: '="0612345678"', City: '="Delft"', Postcode: `'="01012"`, 'Customer ID': '="007"' },
			{
				phone: '0612345678',
				address: { city: 'Delft', postalCode: '01012' },
				customerId: '007',
			},
		],
		[
			{ 'Job Title': "'90s DJ", Phone: '0612345678', City: "'s-Hertogenbosch" },
			{ jobTitle: "'90s DJ", phone: '0612345678', address: { city: "'s-Hertogenbosch" } },
		],
		[
			{
				'Job Title': 'Chef ::: Cook',
				City: 'Delft ::: Goes',
				Mobile: '06-11111111 ::: 06-22222222',
			},
			{ jobTitle: 'Chef', address: { city: 'Delft' }, phone: ['06-11111111', '06-22222222'] },
		],
	])(
		'An import removes what a program puts around a value, such as quotes: %j',
		async (row, expected) => {
			const said = await create('person', [{ ...first, ...row }]);
			expect(said.error?.message).toBeUndefined();
			const { phone, ...others } = expected;
			expect(lastBody()).toMatchObject({
				...others,
				...(phone === undefined
					? {}
					: { phoneNumbers: [phone].flat().map((phoneNumber) => ({ phoneNumber })) }),
			});
		},
	);

	it.each(["'t Hart", "D'Arcy", "'s-Gravesande", 'Geen', 'None', 'Null', 'K.A.', 'NaN Li'])(
		'An import writes the unusual name or town %s unchanged',
		async (name) => {
			await create('person', [
				{ 'Last name': name, City: name, 'First name': name, Initials: name },
			]);
			expect(lastBody()).toEqual({
				...{ familyName: name, givenName: name, initials: name },
				address: { city: name },
			});
		},
	);

	it('A note reports each change of a cell, with its column and text', async () => {
		const said = await create('person', [{ ...first, Telefoon: "'020-1234567", Functie: 'NULL' }]);
		expect(noteOf(said).split('. ')).toEqual([
			'Phone (from "Telefoon") "\'020-1234567" is taken as "020-1234567"',
			'Job Title (from "Functie") "NULL" counts as blank',
		]);
	});
});

describe('a cell that stands for no value', () => {
	it('Placeholders such as "#N/A" change nothing of a person, and a note names each', async () => {
		const before = { ...stored() };
		const said = await upsert([
			{
				...{ 'First Name': '#N/A', 'Last Name': 'Vos', Email: EVA, 'Job Title': 'NULL', City: '-' },
				...{ 'Postal Code': 'nan', 'Customer ID': 'None' },
			},
		]);
		expect(said.items[0].json.result).toBe('unchanged');
		expect(stored()).toEqual(before);
		expect(noteOf(said).split('. ').sort()).toEqual([
			'City "-" counts as blank',
			'Customer ID "None" counts as blank',
			'Given Name (from "First Name") "#N/A" counts as blank',
			'Job Title "NULL" counts as blank',
			'Postal Code "nan" counts as blank',
		]);
	});

	it.each([
		['Job Title', 'n/a'],
		['Functie', 'geen'],
		['Straat', 'Onbekend'],
		['Telefon', 'k.A.'],
		['LinkedIn', 'https://www.linkedin.com/in/'],
		['Phone', '0000000000'],
		['Country', '#WERT!'],
		['Source', '?'],
		['Owner', 'n/a'],
		['Tags', '-'],
		['Deal Size', '#DIV/0!'],
		['Segments', 'None'],
		['Organizations', 'none'],
		['Deal Size', 'TBD'],
		['Customer ID', '1,23457E+15'],
		['Postal Code', '1.2E+05'],
		['LinkedIn', 'https://www.linkedin.com/company/acme'],
		['City', '0'],
		['Street', 'eva@vos.example'],
	])('Under the heading %s, an import counts the text %j as blank', async (heading, text) => {
		const before = { ...stored() };
		const said = await upsert([{ Email: EVA, [heading]: text }]);
		expect(said.error?.message).toBeUndefined();
		expect(said.items[0].json.result).toBe('unchanged');
		expect(stored()).toEqual(before);
		expect(noteOf(said)).toMatch(`"${text}" counts as blank`);
	});

	it('The cells 0 and false change nothing of a person', async () => {
		const before = { ...stored() };
		const said = await upsert([
			{ Email: EVA, City: 0, 'Postal Code': 0, Phone: 0, Functie: false },
		]);
		expect(said.error?.message).toBeUndefined();
		expect(stored()).toEqual(before);
		expect(noteOf(said)).toContain('City "0" counts as blank');
		expect(noteOf(said)).toContain('Job Title (from "Functie") "false" counts as blank');
	});

	it.each(['n/a', 'TBD', 'geen'])(
		'An import leaves out the amount of a task if its cell says %s',
		async (Amount) => {
			const row = { Title: 'Deal', Status: 'Sales / Lead', Amount, 'Story Points': '0' };
			const { error } = await create('task', [row]);
			expect(error?.message).toBeUndefined();
			expect(lastBody()).toEqual({ title: 'Deal', status: COLUMNS[0], storyPointEstimation: 0 });
		},
	);

	it('An import reads "€ 1.500,00" as the deal size 1500 of a person', async () => {
		await upsert([{ Email: EVA, 'Deal Size': '€ 1.500,00' }]);
		expect(lastBody()).toEqual({ dealSize: 1500 });
		const { error } = await upsert([{ Email: EVA, 'Deal Size': '€ 1.500,50' }]);
		expect(error?.message).toMatch(/^Deal Size: expected a whole number/);
	});

	it('An import ignores the family name "-", but refuses it for a new person', async () => {
		const said = await upsert([{ 'Last Name': '-', Email: EVA }]);
		expect(said.items[0].json).toMatchObject({ result: 'unchanged', id: eva.id });
		const { error } = await upsert([{ 'Last Name': '-', Email: 'new@x.example' }]);
		expect(error?.message).toMatch(/^Family Name is "-", and nobody has/);
		const refused = await create('person', [{ Achternaam: 'NULL', Email: 'new@x.example' }]);
		expect(refused.error?.message).toBe('Family Name is "NULL"');
	});

	it('If the column to match on holds a placeholder, the error names the text', async () => {
		const { error } = await upsert([{ Achternaam: 'Dam', 'E-mailadres': 'n/a' }]);
		expect(error?.message).toBe('Email (from "E-mailadres") is "n/a"');
	});

	it.each(['Todo', 'Unknown', 'True'])(
		'The text %s is no placeholder if a column or segment has this title',
		async (title) => {
			const { workspaces } = scene.service.store;
			const [{ id }] = WORKSPACES;
			const workspace = workspaces.get(id)!;
			const [lead, ...others] = workspace.columns;
			workspaces.set(id, { ...workspace, columns: [{ ...lead, title }, ...others] });
			scene.change('segments', SEGMENTS[0], { title });
			const { error } = await create('task', [{ Title: title, Status: title }]);
			expect(error?.message).toBeUndefined();
			expect(lastBody()).toMatchObject({ title, status: COLUMNS[0] });
			await upsert([{ Email: EVA, Segments: `${title}, n/a` }]);
			expect(stored().segments).toEqual([`/segments/${SEGMENTS[0]}`]);
		},
	);

	it('The node removes placeholders and stray quotation marks from columns mapped by hand', async () => {
		const value = { email: `'${EVA}'`, jobTitle: 'NULL', city: '-', phone: '0612345678.0' };
		const said = await upsert([{}], {
			columns: { mappingMode: 'defineBelow', value, matchingColumns: ['email'] },
		});
		expect(said.error?.message).toBeUndefined();
		expect(stored()).toMatchObject({ jobTitle: 'Chef', address: KADE });
		expect(stored().phoneNumbers).toMatchObject([{ phoneNumber: '0612345678' }]);
	});
});

describe('a reference in a cell', () => {
	it('An import refuses an organization by name, even if the CRM shows no organization', async () => {
		for (const person of scene.service.store.people.keys()) {
			scene.change('people', person, { organizations: [] });
		}
		const row = { 'Last Name': 'Vos', Email: EVA, Organizations: 'Acme, Bakery' };
		const { error } = await upsert([row]);
		expect(error?.message).toMatch(/^Organizations: expected .*, got "Acme"$/);
		expect(scene.writes()).toEqual([]);
	});

	it.each(['WEB-1', '1001', 1001])(
		'An import refuses the parent task %j, also if the CRM has no task',
		async (Parent) => {
			scene.service.store.tasks.clear();
			const { error } = await create('task', [
				{ Title: 'Card form', Status: 'Sales / Lead', Parent },
			]);
			expect(error?.message).toMatch(/^Parent Task \(from "Parent"\): expected .*, got /);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('An import accepts the ID and the IRI of a task under Parent', async () => {
		const rows = [TASKS[0].id, `/tasks/${TASKS[0].id}`].map((Parent) => ({
			...{ Title: 'Card form', Status: 'Sales / Lead', Parent },
		}));
		const { error } = await create('task', rows);
		expect(error?.message).toBeUndefined();
		for (const { body } of scene.writes())
			expect(body).toMatchObject({ parent: `/tasks/${TASKS[0].id}` });
	});
});

describe('an amount in a cell', () => {
	const row = (Amount: unknown) =>
		({ Title: 'Deal', Status: 'Sales / Lead', Amount }) as IDataObject;

	it.each<[unknown, number]>([
		['€ 1.500,00', 1500],
		['$1,500.50', 1500.5],
		['1 500,5 EUR', 1500.5],
		["CHF 1'500", 1500],
		['1.500,-', 1500],
		['1.500.000', 1_500_000],
		['1500', 1500],
		['2,5', 2.5],
		[1.5, 1.5],
	])('An import reads the amount %j as %d', async (amount, expected) => {
		const { error } = await create('task', [row(amount)]);
		expect(error?.message).toBeUndefined();
		expect(lastBody()).toMatchObject({ dealSizeEstimation: expected });
	});

	it.each(['1.500', '€ 1,500', 'high', '1.5k', '10%', '1.50.00', '2 x 500'])(
		'In rows and fields, the node refuses the ambiguous or unreadable amount %j',
		async (amount) => {
			const inRow = await create('task', [row(amount)]);
			expect(inRow.error?.message).toMatch(
				/^Estimated Deal Size \(from "Amount"\): expected an amount/,
			);
			const additionalFields = { dealSizeEstimation: `={{ ${JSON.stringify(amount)} }}` };
			const task = { title: 'Deal', status: { __rl: true, mode: 'id', value: COLUMNS[0] } };
			const inField = await scene.task('create', { ...task, additionalFields });
			expect(inField.error?.message).toMatch(/^Estimated Deal Size: expected an amount/);
			expect(scene.writes()).toEqual([]);
		},
	);
});

describe('several columns of one list', () => {
	it('The columns "Email" and "email" of one row give two e-mail addresses', async () => {
		await create('person', [
			{ 'Last name': 'Lee', Email: 'ann@x.example', email: 'ann2@x.example' },
		]);
		expect(lastBody()).toMatchObject({
			emailAddresses: [{ email: 'ann@x.example' }, { email: 'ann2@x.example' }],
		});
	});

	it('Five phone columns give five phone numbers, each with the type of its heading', async () => {
		await create('person', [
			{
				...{ 'Last Name': 'Vos', Mobiel: '06-11111111', GSM: '06-22222222' },
				...{ WhatsApp: '06-33333333', 'Business Phone': '020-1111111' },
				...{ 'Direct Line': '020-2222222', Mail: 'a@x.example', Courriel: 'b@x.example' },
			},
		]);
		const { phoneNumbers, emailAddresses } = lastBody() as Record<string, IDataObject[]>;
		expect(phoneNumbers.map(({ phoneNumber, phoneType }) => `${phoneNumber} ${phoneType}`)).toEqual(
			[
				...['06-11111111 mobile', '06-22222222 mobile', '06-33333333 mobile'],
				...['020-1111111 work', '020-2222222 work'],
			],
		);
		expect(emailAddresses.map(({ email }) => email)).toEqual(['a@x.example', 'b@x.example']);
	});
});

describe('a whole record as input of an import', () => {
	const person = { personId: { __rl: true, mode: 'id', value: eva.id } };
	const full = {
		...{ givenName: 'Eva', additionalName: 'de', initials: 'E.', honorificPrefix: 'Dr.' },
		...{ networkId: 'eva-vos-1', externalSource: 'fair', isTracked: true, dealSize: 7 },
		...{ totalDeals: 3, totalLostDeals: 1, totalWonDeals: 2, customerId: 'C1' },
		emailAddresses: [{ email: EVA }, { email: 'e2@vos.example' }],
		phoneNumbers: [
			{ phoneNumber: '+31 6 11111111', phoneType: 'mobile' },
			{ phoneNumber: '020-1111111', phoneType: null },
		],
		...{
			segments: [`/segments/${SEGMENTS[0]}`],
			organizations: [`/organizations/${ORGANIZATIONS[0]}`],
			tags: [`/tags/${TAGS[0]}`],
		},
	};
	const read = async () => {
		scene.change('people', eva.id, full);
		const { items } = await scene.person('get', { ...person, output: 'raw' });
		return items[0].json;
	};

	it('If the input is a raw item of Get, an import changes nothing', async () => {
		const item = await read();
		const before = { ...stored() };
		const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] };
		const updated = await scene.person(
			'update',
			{ ...person, inputMode: 'columns', columns },
			{ input: [item] },
		);
		expect(updated.error?.message).toBeUndefined();
		expect(stored()).toEqual(before);
		const said = await upsert([item]);
		expect(said.error?.message).toBeUndefined();
		expect(said.items[0].json.result).toBe('unchanged');
	});

	it('From a raw item of Get, Create or Update creates a complete person', async () => {
		const item = await read();
		scene.service.store.people.delete(eva.id);
		const said = await upsert([item]);
		expect(said.error?.message).toBeUndefined();
		expect(said.items[0].json.result).toBe('created');
		expect(lastBody()).toEqual({
			...full,
			...{ familyName: 'Vos', jobTitle: 'Chef', address: KADE },
			...(item.owner === null ? {} : { owner: item.owner }),
		});
	});

	it('Of an address given as JSON text, an import takes each part except placeholders', async () => {
		await create('person', [
			{ familyName: 'Dam', address: JSON.stringify({ ...KADE, street: '-' }) },
		]);
		const { street, ...others } = KADE;
		expect(street).toBe('Kade 1');
		expect(lastBody()).toMatchObject({ address: others });
	});
});
