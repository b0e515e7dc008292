import type { IDataObject } from 'n8n-workflow';
import { itInCi, sampled } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, DISCUSSED, PEOPLE, SEGMENTS, TAGS, TASKS } from './support/seeded';
import { post } from './support/wire';

const [person] = PEOPLE;
const [{ email = '' }] = person.emailAddresses as Array<{ email: string }>;
const PHONE = 'expected a phone number such as +31 6 12345678';
/** Texts that stand in phone columns of tables, but are no valid phone number. */
const NO_NUMBERS = [
	...['call only', '06-1234567x', 'none of them', '1234', '.....12345', '/020 1234567'],
	...['0318-612345 06-12345678', '123456789012345678'],
];

const scene = useScene();

const columns = (operation: string, more: object = {}) => ({
	...{ resource: 'person', operation, inputMode: 'columns' },
	columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'], schema: [] },
	...more,
});
const preview = async (input: IDataObject[], operation = 'create', options: object = {}) => {
	const parameters = columns(operation, {
		options: { previewOnly: true, output: 'raw', ...options },
	});
	const { items, error } = await scene.run({ parameters, input });
	expect(error).toBeUndefined();
	return items.map(({ json }) => json);
};

/** Returns the headings that the first item of a preview names as not used, each with its number of rows. */
const notUsedIn = ({ columns: told }: IDataObject) =>
	(told as { notUsed: Array<{ heading: string; rows: number }> }).notUsed.map(
		({ heading, rows }) => `${heading} (${rows})`,
	);

describe('an import', () => {
	it('An import joins street, house number and addition in the street', async () => {
		const row = { Achternaam: 'Dam', Straat: 'Oudegracht', Huisnummer: 12, Toevoeging: 'bis' };
		const { error } = await scene.run({ parameters: columns('create'), input: [row] });
		expect(error).toBeUndefined();
		const address = { street: 'Oudegracht 12 bis' };
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Dam', address })]);
	});

	it.each<[string, IDataObject, string]>([
		['if its cell is blank', { 'E-mailadres': ' ' }, 'Email (from "E-mailadres")'],
		['if the row lacks it', { 'E-mailadres;Achternaam': 'eva@new.example;Dam' }, 'Email'],
	])('The error of an import names the column to match on %s', async (_, cells, label) => {
		const input = [{ Achternaam: 'Dam', ...cells }];
		const { error } = await scene.run({ parameters: columns('upsert'), input });
		expect([error?.message, error?.description]).toEqual([
			`${label} is empty`,
			'Fill in the column, or choose another one under Column to Find People By. Preview Only lists the columns that are not taken',
		]);
	});

	it('An import finds a person by the first of several e-mail columns', async () => {
		const row = { 'Person - Email - Work': email, 'Person - Email - Home': 'home@new.example' };
		const { items } = await scene.run({ parameters: columns('upsert'), input: [row] });
		expect(items[0].json).toMatchObject({ result: 'updated', id: person.id });
		expect(items[0].json.changes).toEqual({
			emailAddresses: { added: [{ email: 'home@new.example' }], removed: [] },
		});
	});

	it('An import takes the numbers in "Telefoon" and "Telefoon 1", each number once', async () => {
		const row = { Achternaam: 'Dam', Telefoon: '020 1234567', 'Telefoon 2': '020 1234567' };
		const rows = [
			{ ...row, 'Telefoon 1': '030 7654321' },
			{ ...row, 'Telefoon 1': '020 1234567' },
		];
		const { error } = await scene.run({ parameters: columns('create'), input: rows });
		expect(error).toBeUndefined();
		const phone = (phoneNumber: string) => ({ phoneNumber, phoneType: null });
		expect(scene.sent().map(({ body }) => (body as IDataObject).phoneNumbers)).toEqual([
			[phone('020 1234567'), phone('030 7654321')],
			[phone('020 1234567')],
		]);
	});

	it.each([
		['a@new.example ; B@new.example', ['a@new.example', 'B@new.example']],
		['a@new.example, b@new.example', ['a@new.example', 'b@new.example']],
		['a@new.example ::: b@new.example', ['a@new.example', 'b@new.example']],
		['a@new.example / b@new.example', ['a@new.example', 'b@new.example']],
		['a@new.example\nb@new.example', ['a@new.example', 'b@new.example']],
		['a@new.example; A@new.example;', ['a@new.example']],
		['"Dam, Eva" <a@new.example>', ['a@new.example']],
	])('An import takes each e-mail address of the cell %j', async (Email, emails) => {
		const input = [{ Achternaam: 'Dam', Email }];
		const { error } = await scene.run({ parameters: columns('create'), input });
		expect(error).toBeUndefined();
		const emailAddresses = emails.map((one) => ({ email: one }));
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Dam', emailAddresses })]);
	});

	it.each([
		['020-1234567 / 06-12345678', ['020-1234567', '06-12345678']],
		['+31 20 1234567 / +31 6 12345678', ['+31 20 1234567', '+31 6 12345678']],
		['555-123-4567, 555-987-6543', ['555-123-4567', '555-987-6543']],
		['020-1234567; 06-12345678', ['020-1234567', '06-12345678']],
		['020-1234567 ::: 06-12345678', ['020-1234567', '06-12345678']],
		['020-1234567\n(020) 7654321', ['020-1234567', '(020) 7654321']],
		['020-1234567, 020 1234567', ['020-1234567']],
		['03381 / 612345', ['03381 / 612345']],
	])('An import takes each phone number of the cell %j', async (Mobiel, numbers) => {
		const input = [{ Achternaam: 'Dam', Mobiel }];
		const { error } = await scene.run({ parameters: columns('create'), input });
		expect(error).toBeUndefined();
		const phoneNumbers = numbers.map((phoneNumber) => ({ phoneNumber, phoneType: 'mobile' }));
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Dam', phoneNumbers })]);
	});

	it('An import finds a person by the first of several addresses in a cell', async () => {
		const input = [{ 'E-mail': `${email}; home@new.example` }];
		const { items } = await scene.run({ parameters: columns('upsert'), input });
		expect(items[0].json).toMatchObject({ result: 'updated', id: person.id });
		expect(items[0].json.changes).toEqual({
			emailAddresses: { added: [{ email: 'home@new.example' }], removed: [] },
		});
	});

	it.each([
		[{ Mail: 'a@new.example; eva' }, 'Email (from "Mail")', 'eva'],
		[{ Mail: 'a@new,example' }, 'Email (from "Mail")', 'a@new,example'],
		[{ Handy: '020-1234567, call' }, 'Mobile (from "Handy")', '020-1234567, call'],
	])('An import refuses a cell that contains an unusable value: %j', async (row, label, got) => {
		const input = [{ Achternaam: 'Dam', ...row }];
		const { error } = await scene.run({ parameters: columns('create'), input });
		expect(error?.message).toMatch(`${label}: expected a`);
		expect(error?.message).toMatch(`got "${got}"`);
		expect(scene.requests()).toEqual([]);
	});

	it('An import reads a cell of quoted tags, as Mailchimp exports them', async () => {
		const row = {
			'Last Name': 'Dam',
			TAGS: TAGS.slice(0, 2)
				.map((id) => `"${id}"`)
				.join(),
		};
		const { error } = await scene.run({ parameters: columns('create'), input: [row] });
		expect(error).toBeUndefined();
		const tags = TAGS.slice(0, 2).map((id) => `/tags/${id}`);
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Dam', tags })]);
	});

	it('If no column gives a required field, an import advises to rename a column', async () => {
		const row = { 'Person - Nick': 'Eva Dam', 'Person - Email - Work': 'eva@new.example' };
		const { error } = await scene.run({ parameters: columns('create'), input: [row] });
		expect([error?.message, error?.description]).toEqual([
			'Family Name is empty',
			'Rename the column that holds it to Family Name. Preview Only lists the columns that are not taken',
		]);
	});

	it('An import of deals maps the columns of a Pipedrive export to fields', async () => {
		const row = {
			...{ 'Deal - Title': 'Acme', 'Deal - Value': 2500, 'Deal - Stage': 'Sales / Won' },
			...{ 'Deal - Status': 'Open' },
			...{ 'Deal - Expected close date': '2026-12-31', 'Person - Email': email },
		};
		const { items, error } = await scene.run({
			parameters: columns('create', { resource: 'task' }),
			input: [row],
		});
		expect(error).toBeUndefined();
		expect(items[0].json.note).toBe(
			'Column is taken from "Deal - Stage", and not from "Deal - Status"',
		);
		expect(scene.sent().at(-1)?.body).toMatchObject({
			...{ title: 'Acme', dealSizeEstimation: 2500, status: COLUMNS[3] },
			...{ dueDate: '2026-12-31', people: [{ id: person.id }] },
		});
	});

	it('Of two matching columns, an import takes the closer match, and names both', async () => {
		const row = { familyName: 'Dam', 'Job Title': 'Chef', Role: 'Buyer' };
		const note = 'Job Title is taken from "Job Title", and not from "Role"';
		const same = { ...row, Role: 'Chef' };
		const [first, second, refused] = await preview([row, same, { ...row, familyName: '' }]);
		expect([first.note, notUsedIn(first)]).toEqual([note, ['Role (2)']]);
		expect([refused.preview, refused.note]).toEqual(['refused', note]);
		expect(second).not.toHaveProperty('note');
		const { items } = await scene.run({ parameters: columns('create'), input: [row] });
		expect(items[0].json.note).toBe(note);
		expect(scene.sent().at(-1)?.body).toMatchObject({ jobTitle: 'Chef' });
	});
});

describe('an export of Google Contacts', () => {
	const row = (cells: IDataObject): IDataObject => ({
		...{ 'First Name': 'Amir', 'Middle Name': '', 'Last Name': 'Öztürk', 'Name Prefix': 'Dr.' },
		...{ 'File As': '', 'Organization Name': 'Öztürk & Co', 'Organization Title': 'CEO' },
		...{ 'E-mail 1 - Label': '* Work', 'E-mail 1 - Value': 'amir@ozturk.example' },
		...{ 'E-mail 2 - Label': 'Home', 'E-mail 2 - Value': '' },
		...{ 'Phone 1 - Label': 'Mobile', 'Phone 1 - Value': '+49 170 1234567 ::: +49 171 7654321' },
		...{ 'Phone 2 - Label': 'Work Fax', 'Phone 2 - Value': '+49 30/1234567' },
		...{ 'Address 1 - Label': 'Work', 'Address 1 - Street': 'Hauptstraße 5' },
		...{ 'Address 1 - City': 'Berlin', 'Address 1 - Postal Code': '10115' },
		...{ 'Address 1 - Country': 'DE', Labels: '* myContacts ::: * starred', Notes: 'met at\nfair' },
		...cells,
	});

	it('An import from Google Contacts writes every value that has a CRM field', async () => {
		const { error } = await scene.run({ parameters: columns('create'), input: [row({})] });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([
			post('/people', {
				...{ honorificPrefix: 'Dr.', givenName: 'Amir', familyName: 'Öztürk', jobTitle: 'CEO' },
				emailAddresses: [{ email: 'amir@ozturk.example' }],
				phoneNumbers: [
					{ phoneNumber: '+49 170 1234567', phoneType: 'mobile' },
					{ phoneNumber: '+49 171 7654321', phoneType: 'mobile' },
					{ phoneNumber: '+49 30/1234567', phoneType: 'fax' },
				],
				address: {
					...{ street: 'Hauptstraße 5', postalCode: '10115' },
					...{ city: 'Berlin', country: 'DE' },
				},
			}),
		]);
	});

	it('A preview of Google Contacts names unused headings and the headings of refused values', async () => {
		const said = await preview(
			[
				row({}),
				row({ 'E-mail 2 - Value': 'amir at mail.example' }),
				row({ 'Phone 2 - Label': 'Home', 'Phone 2 - Value': '.....1234567' }),
				row({ 'E-mail 1 - Value': '' }),
				row({ 'Address 1 - Country': '+49' }),
			],
			'upsert',
		);
		expect(notUsedIn(said[0]!)).toEqual([
			...['Organization Name (5)', 'E-mail 1 - Label (5)', 'E-mail 2 - Label (5)'],
			...['Address 1 - Label (5)', 'Labels (5)', 'Notes (5)', 'Address 1 - Country (1)'],
		]);
		expect(said.map(({ reason }) => reason)).toEqual([
			undefined,
			expect.stringMatching(/^Email \(from "E-mail 2 - Value"\): .*, got "amir at mail.example"$/),
			expect.stringMatching(/^Home Phone \(from "Phone 2 - Value"\): .*, got "\.{5}1234567"$/),
			'Email (from "E-mail 1 - Value") is empty',
			undefined,
		]);
	});
});

describe('a preview of an import', () => {
	it('The first item of a preview names each unused column and counts its values', async () => {
		const hidden = `\u200BRe\u00ADgio`;
		const long = 'x'.repeat(10_000);
		const rows = [
			{ Achternaam: '', Bedrijf: 'Acme', Nickname: 'E', [hidden]: 'Oost', [long]: 1 },
			{ Achternaam: 'Dam', Bedrijf: ' ', Nickname: 'D', [hidden]: null },
			{ Achternaam: 'Vos', Bedrijf: 'Vos BV', Notitie: false },
		];
		const [first, ...others] = await preview(rows);
		expect(first.preview).toBe('refused');
		expect(notUsedIn(first)).toEqual([
			...['Bedrijf (2)', 'Nickname (2)', 'Regio (1)', `${'x'.repeat(40)}… (1)`, 'Notitie (1)'],
		]);
		for (const other of others) expect(other).not.toHaveProperty('columns');
	});

	it.each<[string, object]>([
		['all columns are taken', {}],
		['the user maps each column', { mappingMode: 'defineBelow', value: { familyName: 'Dam' } }],
	])('A preview of an import names no unused column if %s', async (_, mapper) => {
		const more = { options: { previewOnly: true }, columns: { mappingMode: 'auto', ...mapper } };
		const input = [{ familyName: 'Dam', ...('value' in mapper ? { Bedrijf: 'x' } : {}) }];
		const { items } = await scene.run({ parameters: columns('create', more), input });
		expect(items[0].json).toMatchObject({ preview: 'create' });
		expect(items[0].json.summary).not.toMatch(/not used/i);
	});

	it.each<[string, IDataObject, string | null]>([
		[
			'the name in its columns',
			{ Voornaam: 'Eva', Achternaam: 'Dam', 'E-mail': 'no address' },
			'Eva Dam',
		],
		['the name in an unused column', { 'File As': 'Eva Dam', Functie: 'Inkoper' }, 'Eva Dam'],
		[
			'its e-mail address',
			{ Voornaam: '', 'E-mail': 'eva@new.example', Titel: 'drs.' },
			'eva@new.example',
		],
		['nothing if it has no name and no address', { Functie: 'Inkoper' }, null],
	])('A preview of an import identifies a refused row by %s', async (_, row, name) => {
		const [said] = await preview([row]);
		expect(said).toMatchObject({ preview: 'refused', name });
		expect(Object.keys(said).slice(0, 3)).toEqual(['preview', 'name', 'summary']);
		expect(said.summary).toMatch(new RegExp(`^Not written: ${String(said.parameter)}`));
		expect(said.summary).toContain(`Not written: ${String(said.reason)}`);
	});

	it.each<[string, object, string]>([
		['ID', { personId: locator('gone') }, 'Eva Dam'],
		['e-mail address', { personId: locator('nobody@new.example', 'id') }, 'Eva Dam'],
	])("If nobody has the %s, a preview of Update shows the row's name", async (_, more, name) => {
		const { items } = await scene.person(
			'update',
			{ updateFields: { jobTitle: 'Buyer' }, options: { previewOnly: true }, ...more },
			{ input: [{ 'First Name': 'Eva', 'Last Name': 'Dam' }] },
		);
		expect(items[0].json).toMatchObject({ preview: 'refused', name });
	});

	it('A preview names a refused task by the title in the input row', async () => {
		const { items } = await scene.task(
			'move',
			{ taskId: locator('gone'), status: locator('Sales / Won'), options: { previewOnly: true } },
			{ input: [{ title: 'Call Eva' }] },
		);
		expect(items[0].json).toMatchObject({ preview: 'refused', name: 'Call Eva' });
	});

	it('A preview of Move shows which tasks would move, and which are there already', async () => {
		scene.change('tasks', TASKS[1].id, { status: COLUMNS[3] });
		const { items } = await scene.task(
			'move',
			{
				...{ taskId: locator('={{ $json.id }}'), status: locator('Sales / Won') },
				options: { previewOnly: true, output: 'selectedFields' },
			},
			{ input: TASKS.slice(0, 2).map(({ id }) => ({ id })) },
		);
		expect(items.map(({ json }) => json)).toEqual([
			{ preview: 'update', name: TASKS[0].title, summary: 'Column: Sales / Lead → Sales / Won' },
			{ preview: 'unchanged', name: TASKS[1].title, summary: 'Nothing changes' },
		]);
	});
});

describe('unknown names in columns, and unused headings', () => {
	const OR_LEAVE_OUT =
		'or leave the column out: remove or rename it, or choose Map Each Column Manually';
	const NAMED = `Enter the name in the credential, under Names of Users and Tags, ${OR_LEAVE_OUT}`;
	const byHand = (value: object) => ({ columns: { mappingMode: 'defineBelow', value } });

	it.each<[string, IDataObject, object, string, string]>([
		['person', { 'Contact owner': 'Nobody' }, {}, 'Owner (from "Contact owner")', NAMED],
		['person', { TAGS: 'VIP of ours' }, {}, 'Tags', NAMED],
		[
			...(['person', { 'Mailing list': 'Nowhere' }, {}, 'Segments (from "Mailing list")'] as const),
			`Give the full title of one that is there, or its ID, ${OR_LEAVE_OUT}`,
		],
		['task', { 'Deal - Owner': 'Nobody' }, {}, 'Assignees (from "Deal - Owner")', NAMED],
		[
			...(['task', { 'Deal - Stage': 'Nowhere' }, {}, 'Column (from "Deal - Stage")'] as const),
			'Give the full title of one that is there, or its ID',
		],
		[
			...(['person', {}, byHand({ familyName: 'Dam', owner: 'Nobody' }), 'Owner'] as const),
			'Enter the name in the credential, under Names of Users and Tags, or leave it empty',
		],
	])(
		'An import refuses an unknown name with advice: resource %s, row %j, parameters %j',
		async (...given) => {
			const [resource, cells, more, label, advice] = given;
			const row = { familyName: 'Dam', title: 'Acme', ...cells };
			const stage = 'Deal - Stage' in cells ? {} : { Stage: 'Sales / Won' };
			const { error } = await scene.run({
				parameters: columns('create', { resource, ...more }),
				input: [resource === 'task' ? { ...row, ...stage } : row],
			});
			expect(error?.message).toMatch(`${label}: no `);
			expect(error?.description).toBe(advice);
			expect(scene.sent().filter(({ method }) => method !== 'GET')).toEqual([]);
		},
	);

	it.each(['simplified', 'selectedFields'])(
		'In the output %s, a refused row has only preview, name and summary',
		async (output) => {
			const [said] = await preview([{ Achternaam: 'Dam', 'Contact owner': 'Nobody' }], 'create', {
				output,
			});
			expect(Object.keys(said)).toEqual(['preview', 'name', 'summary']);
			expect(said.summary).toMatch(
				/^Not written: Owner \(from "Contact owner"\): no user has the name/,
			);
		},
	);

	it.each<[string, IDataObject, string]>([
		['phone number', { Telefoon: 'call only' }, 'the phone number'],
		['e-mail address', { 'E-mail': 'no address' }, 'the e-mail address'],
		[
			'e-mail address and phone number',
			{ 'E-mail': 'no address', Telefoon: 'call only' },
			'the e-mail address and phone number',
		],
	])('A preview tells the effect of On Error on an unusable %s', async (_, cells, without) => {
		const input = [{ Achternaam: 'Dam', ...cells }];
		const parameters = columns('create', { options: { previewOnly: true, output: 'simplified' } });
		const seen = async (onError: 'stopWorkflow' | 'continueRegularOutput') =>
			(await scene.run({ parameters, input, onError })).items[0]!.json;
		const stops = await seen('stopWorkflow');
		expect(stops.preview).toBe('refused');
		expect(stops.summary).toContain(`; with On Error: Continue, written without ${without}`);
		const goesOn = await seen('continueRegularOutput');
		expect(goesOn.preview).toBe('create');
		expect(goesOn.summary).toMatch(/^Family Name: Dam; with On Error: Stop it is refused/);
	});

	it('A preview does not mention On Error for a row refused under every setting', async () => {
		const input = [{ Achternaam: 'Dam', Telefoon: 'call only', Eigenaar: 'Nobody' }];
		const parameters = columns('create', { options: { previewOnly: true, output: 'simplified' } });
		const { items } = await scene.run({ parameters, input });
		expect(items[0].json.preview).toBe('refused');
		expect(items[0].json.summary).not.toContain('On Error');
	});

	it.each(['preview', 'run'])(
		'The first item of a %s says which headings were used, and which not',
		async (kind) => {
			const input = [
				{ 'First name': 'Eva', Achternaam: 'Dam', 'Job Title': 'Chef', Bedrijf: 'Acme' },
				{ 'First name': 'Bob', Achternaam: 'Bos', 'Job Title': '', Notes: 'met' },
			];
			const parameters = columns('create', { options: { previewOnly: kind === 'preview' } });
			const { items } = await scene.run({ parameters, input });
			const told =
				'Not used: Bedrijf, Notes. Used: First name → Given Name, Achternaam → Family Name, Job Title';
			const [first, second] = items.map(({ json }) => json);
			expect(first.summary).toBe(`Job Title: Chef; Family Name: Dam; Given Name: Eva. ${told}`);
			expect(second.summary).toBe('Family Name: Bos; Given Name: Bob');
			const order = ['name', 'summary'];
			expect(Object.keys(first).slice(1, 3)).toEqual(order);
		},
	);

	it('If an update cannot know its changes, the output still names the used headings', async () => {
		const input = [{ id: person.id, 'Job Title': 'Chef', Bedrijf: 'Acme' }];
		const { items, error } = await scene.run({
			parameters: columns('update', { personId: locator('={{ $json.id }}') }),
			input,
		});
		expect(error?.message).toBeUndefined();
		expect(Object.keys(items[0].json).slice(0, 3)).toEqual(['result', 'name', 'summary']);
		expect(items[0].json.summary).toBe('Not used: id, Bedrijf. Used: Job Title');
	});
});

describe('a phone number', () => {
	it.each(sampled(NO_NUMBERS))(
		'The node refuses %j as a phone number in every parameter, and sends nothing',
		async (value) => {
			const json = JSON.stringify({
				familyName: 'Dam',
				phoneNumbers: [{ phoneNumber: value, phoneType: null }],
			});
			const cases: Array<[string, object, IDataObject, string]> = [
				['create', { familyName: 'Dam', phone: value }, {}, 'Phone'],
				['create', columns('create'), { Achternaam: 'Dam', Handy: value }, 'Mobile (from "Handy")'],
				[
					'create',
					{ inputMode: 'json', jsonBody: json },
					{},
					'Phone Numbers (entry 1): Phone Number',
				],
				[
					'addPhoneNumber',
					{ personId: locator(person.id), phoneNumber: value },
					{},
					'Phone Number',
				],
			];
			for (const [operation, parameters, row, label] of cases) {
				const { error } = await scene.person(operation, parameters, { input: [row] });
				expect(error?.message).toBe(`${label}: ${PHONE}, got "${value}"`);
			}
			expect(scene.requests()).toEqual([]);
		},
	);

	it.each([
		...['06 12345678', '+31 (0)20 123 45 67', '020-1234567 x12', '020 1234567 ext. 12', '12345'],
		...['020 1234567 toestel 12', '（020）1234567', '+49 30/123456', '33.1.23.45.67.89'],
		...['(+31) 20 1234567', '+(31)20 1234567', '00 31 (0)20 1234567', '03381 / 612345'],
		'123456789012345',
	])('Create accepts %j as a phone number', async (phone) => {
		const { error } = await scene.person('create', { familyName: 'Dam', phone });
		expect(error).toBeUndefined();
		expect(scene.writes()).toMatchObject([
			{ body: { phoneNumbers: [{ phoneNumber: phone.normalize('NFKC') }] } },
		]);
	});

	it('If On Error continues, an import omits an invalid phone number, with a note', async () => {
		const input = [{ Achternaam: 'Dam', Telefoon: 'call only', Mobiel: '06 12345678' }];
		const note = '"call only" is no phone number and is left out';
		for (const options of [{ previewOnly: true }, {}]) {
			const { items, errorItems } = await scene.run({
				...{ parameters: columns('create', { options }), input },
				onError: 'continueErrorOutput',
			});
			expect(errorItems).toEqual([]);
			expect(items[0].json.note).toBe(note);
		}
		expect(scene.sent().at(-1)?.body).toEqual({
			familyName: 'Dam',
			phoneNumbers: [{ phoneNumber: '06 12345678', phoneType: 'mobile' }],
		});
	});

	it('Create or Update refuses to match on an invalid phone number, and sends nothing', async () => {
		const value = { mobile: '06-1234567x', familyName: 'Dam' };
		const mapper = { mappingMode: 'defineBelow', value, matchingColumns: ['mobile'], schema: [] };
		const parameters = columns('upsert', { columns: mapper });
		const { errorItems } = await scene.run({ parameters, onError: 'continueErrorOutput' });
		expect(errorItems[0].json.error).toBe(
			'Mobile: expected a phone number, an e-mail address or an identifier without spaces, got "06-1234567x"',
		);
		expect(scene.requests()).toEqual([]);
	});
});

it.each<[string, string, object, object]>([
	['person', 'create', { familyName: 'Dam' }, { familyName: { from: null, to: 'Dam' } }],
	[
		'person',
		'upsert',
		{ email: 'new@new.example', familyName: 'Dam' },
		{ familyName: { from: null, to: 'Dam' } },
	],
	['segment', 'create', { title: 'New', icon: 'star' }, { title: { from: null, to: 'New' } }],
	[
		'task',
		'create',
		{ title: 'Call', status: locator(COLUMNS[0]) },
		{ status: { from: null, fromTitle: null, to: COLUMNS[0], toTitle: 'Sales / Lead' } },
	],
	['task', 'duplicate', { taskId: locator(TASKS[0].id) }, {}],
	[
		'comment',
		'create',
		{ taskId: locator(DISCUSSED.id), description: 'Called' },
		{ description: { from: null, to: 'Called' } },
	],
])(
	'The output for a created record lists fields as changes from null: %s %s',
	async (resource, operation, parameters, changes) => {
		const options = { output: 'selectedFields' };
		const { items } = await scene.run({
			parameters: { resource, operation, ...parameters, options },
		});
		expect(items[0].json).toMatchObject({ result: 'created', changes });
	},
);

describe('rows whose values an import once lost or doubled', () => {
	const [tag, other] = TAGS;
	const tagged = () => {
		scene.change('people', person.id, { tags: [`/tags/${tag}`, `/tags/${other}`] });
		return () => scene.service.store.people.get(person.id)!.tags;
	};

	it.each([', ', ' ; ', '""'])(
		'If a text of tags holds only separators, a write keeps all tags: "%s"',
		async (cell) => {
			const tags = tagged();
			const byId = { personId: locator(person.id) };
			const mapped = columns('update', byId);
			await scene.run({ parameters: mapped, input: [{ tags: cell, jobTitle: 'Chef' }] });
			await scene.person('update', { ...byId, updateFields: { tags: cell, jobTitle: 'Cook' } });
			expect(tags()).toHaveLength(2);
			const replacing = { options: { replaceLists: ['tags'] }, additionalFields: { tags: cell } };
			await scene.person('upsert', { email, familyName: 'Bos', ...replacing });
			expect(tags()).toHaveLength(2);
		},
	);

	itInCi.each([
		['email', 'Eva.Jansen@X.example', 'eva.jansen@x.example'],
		['phone', '+31 6 12345678', '06-12345678'],
		['phone', '020-1234567 x12', '020-1234567 x12'],
	])(
		'For two distant rows with equal %s (%s, %s), an import creates one person',
		async (column, first, later) => {
			const others = Array.from({ length: 60 }, (_, index) => ({
				...{ familyName: `Other ${index}`, email: `other${index}@new.example` },
				phone: `+3188000${1000 + index}`,
			}));
			const rows = [
				{ familyName: 'Jansen', [column]: first },
				...others,
				{ familyName: 'Jansen', jobTitle: 'Buyer', [column]: later },
			];
			const parameters = columns('upsert', {
				columns: {
					...{ mappingMode: 'autoMapInputData', value: null, schema: [] },
					matchingColumns: [column],
				},
			});
			const { items, error } = await scene.run({ parameters, input: rows });
			expect(error).toBeUndefined();
			const results = items.map(({ json }) => json.result);
			expect([results[0], results.at(-1)]).toEqual(['created', 'updated']);
			const people = [...scene.service.store.people.values()];
			expect(people.filter(({ familyName }) => familyName === 'Jansen')).toHaveLength(1);
			expect(people.filter(({ networkId }) => networkId !== null)).toEqual(
				people.filter(({ id }) => PEOPLE.some((seeded) => seeded.id === id && seeded.networkId)),
			);
		},
	);

	it.each(['Häufig', 'R&D', 'Coöperatie', '顧客', 'Hot!', '.NET developers'])(
		'An import finds a segment by a title with accents, symbols or Chinese: %s',
		async (title) => {
			const [segmentId] = SEGMENTS;
			scene.change('segments', segmentId, { title });
			const row = { familyName: 'Bos', segments: title };
			const { error } = await scene.run({ parameters: columns('create'), input: [row] });
			expect(error?.message).toBeUndefined();
			const written = scene.sent().filter(({ method }) => method === 'POST');
			expect(written).toMatchObject([{ body: { segments: [`/segments/${segmentId}`] } }]);
		},
	);

	it('An import keeps two phone numbers of a cell that end in equal digits', async () => {
		const row = { familyName: 'Bos', phone: '020-1234567 / 030-1234567' };
		await scene.run({ parameters: columns('create'), input: [row] });
		const [{ body }] = scene.sent() as Array<{ body: { phoneNumbers: object[] } }>;
		expect(body.phoneNumbers).toMatchObject([
			{ phoneNumber: '020-1234567' },
			{ phoneNumber: '030-1234567' },
		]);
	});

	it('From its own Selected Fields output, Create or Update changes nothing', async () => {
		const { items } = await scene.person('getAll', { limit: 5, output: 'selectedFields' });
		const input = items.map(({ json }) => json);
		const { items: again, error } = await scene.run({ parameters: columns('upsert'), input });
		expect(error?.message).toBeUndefined();
		expect(again.map(({ json }) => json.result)).toEqual(Array(5).fill('unchanged'));
	});

	it('A preview counts unused columns separately, although their long names begin alike', async () => {
		const question = 'How satisfied are you with our service in';
		const rows = [1, 2].map((row) => ({
			...{ familyName: `Bos ${row}`, [`${question} 2023?`]: 'very', [`${question} 2024?`]: 'less' },
		}));
		const [first] = await preview(rows);
		expect(notUsedIn(first)).toEqual(
			Array(2).fill('How satisfied are you with our service i… (2)'),
		);
	});
});
