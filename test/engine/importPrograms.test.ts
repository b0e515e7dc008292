import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { useScene } from './support/scene';

/*
 * What programs of other offices write into cells and headings: marks for "none", companies among people, letters of
 * countries, months, and the customer of an order.
 */

const scene = useScene();
const NAME = { 'First Name': 'Ann', 'Last Name': 'Lee', Email: 'ann@lee.example' };

/** Creates a record from a row, by the columns of the input. Returns its body, its error and its note. */
async function created(row: IDataObject, resource: 'person' | 'task' = 'person') {
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const setup = { input: [row], onError: 'continueRegularOutput' as const };
	const { items } = await scene[resource]('create', { inputMode: 'columns', columns }, setup);
	const { error = '', note = '' } = items[0]!.json;
	const body = scene.writes().at(-1)?.body as IDataObject | undefined;
	return { body, error: String(error), note: String(note) };
}

describe.each([
	...['[not provided]', '-None-', '--None--', '(none)', '<unknown>', '*leeg*', '{empty}', '_n/a_'],
	...['- Select -', '[keine Angabe]', '(onbekend)', '(non renseigné)', '[Info Requested]'],
])('the text %s for no value', (mark) => {
	it.each(
		sampled(
			['Salutation', 'Middle Name', 'Job Title', 'Lead Source', 'City', 'Initials', 'Country'],
			8,
		),
	)(`An import counts the text ${mark} under %s as blank, with a note`, async (heading) => {
		const { body, note } = await created({ ...NAME, Street: 'Kade 1', [heading]: mark });
		expect(body).toEqual({
			...{ givenName: 'Ann', familyName: 'Lee', address: { street: 'Kade 1' } },
			emailAddresses: [{ email: 'ann@lee.example' }],
		});
		expect(note).toContain(`"${mark}" counts as blank`);
	});

	it.each(['Last Name', 'Name'])(
		`An import refuses a row whose only name, under %s, is ${mark}`,
		async (heading) => {
			const { body, error } = await created({ Email: 'ann@lee.example', [heading]: mark });
			expect(body).toBeUndefined();
			expect(error).toContain('Family Name');
		},
	);
});

it.each(['None', 'Geen', 'Null', '(Ann) Lee', '-Lee', "'t Hart", 'Lee (unknown)', 'K.A.'])(
	'An import keeps the family name %s, because a person may have it',
	async (name) => {
		const { body } = await created({ ...NAME, 'Last Name': name });
		expect(body?.familyName).toBe(name);
	},
);

it.each(['#1001', '#12-34'])(
	'An import refuses a row with %s as the name of a person',
	async (Name) => {
		const { body, error } = await created({ Name, Email: 'ann@lee.example' });
		expect(body).toBeUndefined();
		expect(error).toContain('Family Name');
	},
);

it.each([
	['Anrede', 'Firma'],
	['Anrede', 'An die Firma'],
	['Civilité', 'Société'],
	['Aanhef', 'Bedrijf'],
	['Salutation', 'Company'],
	['Anrede', 'Firma/Company'],
	['Salutation', 'Unknown'],
	['Aanhef', 'onbekend'],
])('Under the heading %s, an import counts the word %s as blank', async (heading, word) => {
	const { body, note } = await created({ ...NAME, [heading]: word });
	expect(body).not.toHaveProperty('honorificPrefix');
	expect(note).toContain(`"${word}" counts as blank`);
});

it('A text under "Title" that is no salutation becomes the job title, without note', async () => {
	const { body, note } = await created({ ...NAME, Title: 'Company' });
	expect(body).toMatchObject({ jobTitle: 'Company' });
	expect(note).toBe('');
});

it.each(
	sampled(
		[
			['053-5550129 (werk), 0655501300 (privé)', ['053-5550129', '0655501300']],
			['Tel. 020 555 01 01', ['020 555 01 01']],
			['mobile: +31 6 55501300', ['+31 6 55501300']],
			['T: (020) 555 01 01', ['(020) 555 01 01']],
			['https://wa.me/31655501300', ['+31655501300']],
			['tel +31 (0)20 555 01 01 (receptie)', ['+31 (0)20 555 01 01']],
			['m 06 555 01 300', ['06 555 01 300']],
			['0170-5550130 WhatsApp', ['0170-5550130']],
			['020 555 01 01.', ['020 555 01 01']],
			['M: +31655501300 | W: +31205550101', ['+31655501300', '+31205550101']],
			['+31655501300 / mobiel: +31655501301', ['+31655501300', '+31655501301']],
		],
		4,
	),
)('An import takes the numbers in the phone cell "%s", with a note', async (cell, numbers) => {
	const { body, note } = await created({ ...NAME, Phone: cell });
	expect(body?.phoneNumbers).toEqual(
		numbers.map((phoneNumber) => ({ phoneNumber, phoneType: null })),
	);
	expect(note).toContain('is taken as');
});

it('The note on a phone number with words shows the cell and the number', async () => {
	const { note } = await created({ ...NAME, Phone: '0655501300 (privé)' });
	expect(note).toContain('"0655501300 (privé)" is taken as "0655501300"');
});

it.each([
	['Telefoonnummer(s)', 'phoneNumbers'],
	['E-mailadres(sen)', 'emailAddresses'],
	['Phone Number(s)', 'phoneNumbers'],
])(
	'An import finds the field of a heading with a plural in brackets: %s',
	async (heading, field) => {
		const value = field === 'emailAddresses' ? 'ann@lee.example' : '+31 20 5550101';
		const { body } = await created({ 'Last Name': 'Lee', [heading]: value });
		expect(Object.keys(body ?? {})).toEqual(['familyName', field]);
	},
);

it.each([
	['Uw naam', 'Uw e-mailadres', 'Uw telefoonnummer'],
	['Your name', 'Your e-mail', 'Your phone number'],
	['Ihr Name', 'Ihre E-Mail-Adresse', 'Ihre Telefonnummer'],
	['Votre nom', 'Votre adresse e-mail', 'Votre téléphone'],
	['What is your name?', "What's your email?", 'Please enter your phone number'],
	['Wat is je naam?', 'Wat is uw e-mailadres?', 'Wat is jouw telefoonnummer?'],
	['Wie ist Ihr Name?', 'Wie lautet Ihre E-Mail-Adresse?', 'Wie lautet Ihre Telefonnummer?'],
	['Quel est votre nom ?', 'Quelle est votre adresse e-mail ?', 'Quel est votre téléphone ?'],
	['Full name (as on your passport)', 'Best email', 'Best phone number to reach you'],
	['Hi! What’s your *name*?', 'Nice, {{field:a1}}. And your email?', 'And your phone number?'],
	[
		'Wat is je voor- en achternaam?',
		'Op welk e-mailadres kunnen we je bereiken?',
		'Op welk telefoonnummer kunnen we je bereiken?',
	],
])(
	'An import reads the questions of a form as headings: %s, %s, %s',
	async (name, email, phone) => {
		const answers = { [name]: 'Paul Reed', [email]: 'paul@reed.example', [phone]: '020-5550101' };
		expect((await created(answers)).body).toEqual({
			...{
				givenName: 'Paul',
				familyName: 'Reed',
				emailAddresses: [{ email: 'paul@reed.example' }],
			},
			phoneNumbers: [{ phoneNumber: '020-5550101', phoneType: null }],
		});
	},
);

it.each([
	['Invitee Name', 'Invitee Email'],
	['Donor Name', 'Donor Email'],
	['Student Name', 'Student Email'],
	['Naam aanvrager', 'E-mail aanvrager'],
	['Naam deelnemer', 'E-mailadres deelnemer'],
])('An import takes the person under %s and %s, not others', async (name, email) => {
	const host = { 'User Name': 'Bob Bos', 'User Email': 'bob@bos.example' };
	const other = { 'Parent Name': 'Kim Fox', 'Parent Email': 'kim@fox.example' };
	const row = { ...host, [name]: 'Paul Reed', [email]: 'paul@reed.example', ...other };
	const emailAddresses = [{ email: 'paul@reed.example' }];
	expect((await created(row)).body).toEqual({
		...{ givenName: 'Paul', familyName: 'Reed', emailAddresses },
	});
});

it('An import ignores an attendee beside a person with name and address', async () => {
	const { body } = await created({
		...{ ...NAME, 'Attendee Name': 'Paul Reed', 'Attendee Email': 'paul@reed.example' },
	});
	expect(body).toEqual({
		...{ givenName: 'Ann', familyName: 'Lee', emailAddresses: [{ email: 'ann@lee.example' }] },
	});
});

it('An import takes no name from the headings "First contact" and "Last contact"', async () => {
	const { body } = await created({
		...{ Name: 'Paul Reed', Email: 'paul@reed.example' },
		...{ 'First contact': 'March 3', 'Last contact': 'May 4' },
	});
	expect(body).toMatchObject({ givenName: 'Paul', familyName: 'Reed' });
});

it('An import takes no hash of a form as Network ID', async () => {
	const { body, note } = await created({ ...NAME, 'Network ID': 'd41d8cd98f' });
	expect(body).not.toHaveProperty('networkId');
	expect(note).toContain('"d41d8cd98f" counts as blank');
	expect((await created({ ...NAME, 'Network ID': '1234567890' })).body?.networkId).toBe(
		'1234567890',
	);
});

it.each([
	['Name - First Name', 'Name - Last Name'],
	['Name (First)', 'Name (Last)'],
	['Name_First', 'Name_Last'],
])(
	'An import takes given and family name from the headings "%s" and "%s"',
	async (given, family) => {
		const { body } = await created({
			[given]: 'Paul',
			[family]: 'Reed',
			Email: 'paul@reed.example',
		});
		expect(body).toMatchObject({ givenName: 'Paul', familyName: 'Reed' });
	},
);

it.each<IDataObject>([
	{ user_login: 'preed', user_email: 'paul@reed.example', first_name: 'Paul', last_name: 'Reed' },
	{ 'Name (Original Name)': 'Paul Reed', 'User Email': 'paul@reed.example' },
])('An import takes the user of WordPress or Zoom as the person: %j', async (row) => {
	const emailAddresses = [{ email: 'paul@reed.example' }];
	const { body } = await created(row);
	expect(body).toEqual({ givenName: 'Paul', familyName: 'Reed', emailAddresses });
});

it('An import ignores the meeting host under User Name and User Email', async () => {
	const { body } = await created({ ...NAME, 'User Name': 'Bob', 'User Email': 'bob@bos.example' });
	expect(body?.emailAddresses).toEqual([{ email: 'ann@lee.example' }]);
});

it.each([
	['Phone', 'Phone Type', 'Mobile', 'mobile'],
	['Phone 1', 'Phone 1 Type', 'Work', 'work'],
	['primary_phone', 'primary_phone_type', 'home', 'home'],
	['Phone Number', 'Phone Number Type', 'Fax', 'fax'],
	['Phone', 'Phone Type', 'Landline', null],
])(
	'An import takes the type of the number under %s from %s: %s',
	async (heading, label, kind, phoneType) => {
		const { body } = await created({ ...NAME, [heading]: '020-5550101', [label]: kind });
		expect(body?.phoneNumbers).toEqual([{ phoneNumber: '020-5550101', phoneType }]);
	},
);

it('An import prefers the postal address under MailAddress to the one under OtherAddress', async () => {
	const { body } = await created({
		...{ ...NAME, OtherAddressStreet: 'Laan 2', OtherAddressCity: 'Goes' },
		...{ MailAddressStreet: 'Kade 1', MailAddressCity: 'Delft', MailAddressCountry: 'NL' },
	});
	expect(body?.address).toEqual({ street: 'Kade 1', city: 'Delft', country: 'NL' });
});

it.each(['Mailing Country (text only)', 'Country/Region Code', 'Country/Region Name'])(
	'An import takes the country under %s',
	async (heading) => {
		const { body } = await created({ ...NAME, [heading]: 'NL' });
		expect(body?.address).toEqual({ country: 'NL' });
	},
);

it('From a French file, an import takes the usage name, not the birth name', async () => {
	const row = { "Nom d'usage": 'Morel', 'Nom de naissance': 'Petit', 'Tél travail': '0455500003' };
	expect((await created(row)).body).toEqual({
		familyName: 'Morel',
		phoneNumbers: [{ phoneNumber: '0455500003', phoneType: 'work' }],
	});
});

it.each(['Toev.', 'Huisnr. toev.', 'Huisnummer toev.'])(
	'An import appends the column %s to the house number',
	async (heading) => {
		const street = { Straat: 'Dorpsstraat', 'Huisnr.': '12', [heading]: 'A', Plaats: 'Delft' };
		const { body } = await created({ ...NAME, ...street });
		expect(body?.address).toMatchObject({ street: 'Dorpsstraat 12 A' });
	},
);

it.each(['Address 1&2 (Billing)', 'Adres 1 + 2', 'Address 1 & 2'])(
	'An import takes the whole street from the column "%s"',
	async (heading) => {
		const place = heading.includes('Billing') ? 'City (Billing)' : 'City';
		const { body } = await created({ ...NAME, [heading]: '8 Mill Lane, Flat 2', [place]: 'York' });
		expect(body?.address).toEqual({ street: '8 Mill Lane, Flat 2', city: 'York' });
	},
);

it.each<IDataObject>([
	{ Naam: 'Acme BV', 'Voornaam contactpersoon': 'Ann', 'Achternaam contactpersoon': 'Lee' },
	{ Bedrijf: 'Acme', 'Contactpersoon - voornaam': 'Ann', 'Contactpersoon - achternaam': 'Lee' },
	{ Company: 'Acme', 'Contact first name': 'Ann', 'Contact last name': 'Lee' },
	{ Firma: 'Acme', 'Vorname Ansprechpartner': 'Ann', 'Nachname (Ansprechpartner)': 'Lee' },
	{ Société: 'Acme', 'Prénom du contact': 'Ann', 'Nom de famille contact': 'Lee' },
])('An import takes the contact person beside a company as the person: %j', async (row) => {
	const email = {
		'E-mail contactpersoon': 'ann@lee.example',
		'Telefoon contactpersoon': '0151234567',
	};
	const { body } = await created({ ...row, ...email });
	expect(body).toEqual({
		...{ givenName: 'Ann', familyName: 'Lee' },
		emailAddresses: [{ email: 'ann@lee.example' }],
		phoneNumbers: [{ phoneNumber: '0151234567', phoneType: null }],
	});
});

describe('the customer of an order', () => {
	const billed = {
		...{ 'First Name (Billing)': 'Fatima', 'Last Name (Billing)': 'El Amrani' },
		...{ 'Email (Billing)': 'fatima@amrani.example', 'Phone (Billing)': '0655501440' },
	};
	const names = { 'Billing First Name': 'Sho', 'Billing Last Name': 'Pify' };
	const shipped = { 'First Name (Shipping)': 'Omar', 'Last Name (Shipping)': 'Smit' };

	it('From an order, an import takes the invoiced customer, not the recipient', async () => {
		const { body } = await created({ ...shipped, ...billed });
		expect(body).toEqual({
			...{ givenName: 'Fatima', familyName: 'El Amrani' },
			emailAddresses: [{ email: 'fatima@amrani.example' }],
			phoneNumbers: [{ phoneNumber: '0655501440', phoneType: null }],
		});
	});

	it.each<[string, IDataObject]>([
		['Shopify', { Name: '#1001', Email: 's@x.example', 'Billing Name': 'Sho Pify' }],
		['Squarespace', { 'Order ID': '1', Email: 's@x.example', 'Billing Name': 'Sho Pify' }],
		['WooCommerce', { Name: '', 'Billing Email': 's@x.example', 'Billing Name': 'Sho Pify' }],
		['a file with a blank address', { ...names, Email: '', 'Billing Email': 's@x.example' }],
		['a file with a blank name', { ...names, 'Billing Email': 's@x.example', 'Last Name': '' }],
		[
			'a file with the order number as name',
			{ ...names, 'Email (Billing)': 's@x.example', Name: '#1' },
		],
	])('From an order of %s, an import takes the invoiced customer', async (_, row) => {
		const { body } = await created({ ...row, 'Shipping Name': 'Al Bo' });
		expect(body).toEqual({
			...{ givenName: 'Sho', familyName: 'Pify' },
			emailAddresses: [{ email: 's@x.example' }],
		});
	});

	it('If a row names a person, an import ignores the invoiced customer', async () => {
		const { body } = await created({ ...NAME, ...billed, 'Billing Name': 'Fatima El Amrani' });
		expect(body).toEqual({
			...{ givenName: 'Ann', familyName: 'Lee' },
			emailAddresses: [{ email: 'ann@lee.example' }],
		});
	});
});

it.each<IDataObject>([
	{ 'Contact Name': 'Kim Fox', 'Contact Email': 'kim@fox.example', 'Contact Phone': '020-5550101' },
	{ 'Customer Name': 'Kim Fox', 'Customer Email': 'kim@fox.example' },
])("Beside first and last name, an import takes nobody else's address: %j", async (other) => {
	const { body } = await created({ 'First Name': 'Ann', 'Last Name': 'Lee', Email: '', ...other });
	expect(body).toEqual({ givenName: 'Ann', familyName: 'Lee' });
});

it('Beside a member, an import ignores the customer of the invoice', async () => {
	const { body } = await created({
		...{ 'Member Name': 'Ann Lee', 'Member Email': 'ann@lee.example' },
		...{
			'Billing First Name': 'Kim',
			'Billing Last Name': 'Fox',
			'Billing Email': 'kim@fox.example',
		},
	});
	expect(body).toEqual({
		...{ givenName: 'Ann', familyName: 'Lee', emailAddresses: [{ email: 'ann@lee.example' }] },
	});
});

it('An import takes a DATEV debtor as person, with name infix and academic title', async () => {
	const { body } = await created({
		...{ 'Name (Adressattyp Unternehmen)': '', 'Name (Adressattyp natürl. Person)': 'Hagen' },
		...{ 'Vorname (Adressattyp natürl. Person)': 'Ulrike', Namensvorsatz: 'von' },
		...{ 'Titel/Akad. Grad': 'Dr.', Land: 'D', Ort: 'Leipzig' },
	});
	expect(body).toEqual({
		...{ givenName: 'Ulrike', additionalName: 'von', familyName: 'Hagen', honorificPrefix: 'Dr.' },
		address: { city: 'Leipzig', country: 'DE' },
	});
});

it('An import takes due date and story points of a Jira task', async () => {
	const { body } = await created(
		{
			...{ Summary: 'Login', Status: 'Sales / Won', 'Due date': '20/Mar/26 12:00 AM' },
			'Custom field (Story Points)': '5.0',
		},
		'task',
	);
	expect(body).toMatchObject({ title: 'Login', storyPointEstimation: 5 });
	expect(String(body?.dueDate)).toMatch(/^2026-03-(?:20T00:00|19T2)/);
});
