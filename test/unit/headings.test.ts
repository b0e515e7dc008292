import { contracts } from '../../nodes/ContactTaskCrm/schema';
import * as aliases from '../../nodes/ContactTaskCrm/tables/aliases';
import { Headings } from '../../nodes/ContactTaskCrm/tables/headings';
import { plainName, plainNames } from '../../nodes/ContactTaskCrm/tables/plainName';
import { fieldsOf } from '../../nodes/ContactTaskCrm/schema/record';
import { EXPORTS } from '../support/exports';

const people = new Headings(fieldsOf(contracts.person, 'create'));
const tasks = new Headings(fieldsOf(contracts.task, 'create'));

/** Returns for each column the headings that give it values: first the best ones, then the further ones. */
function taken(headings: Headings, row: Record<string, string>): Record<string, string> {
	const all = headings.take(Object.keys(row), (heading) => row[heading] ?? '');
	const named = all.map(({ column, best, further }) => [
		column.name,
		[...best, ...further].join(' + '),
	]);
	return Object.fromEntries(named) as Record<string, string>;
}

/** Returns a row with a value under each of these headings: "x", or the text after "=". */
const row = (...names: string[]) =>
	Object.fromEntries(
		names.map((text): [string, string] => {
			const [name = '', value = 'x'] = text.split('=');
			return [name, value];
		}),
	);

describe.each(Object.entries(EXPORTS))(
	'an export of %s',
	(_, { taken: expected, left, values }) => {
		it("The node reads each heading of another program's export as test/support/exports.ts lists it", () => {
			const names = Object.values(expected).flatMap((headings) => headings.split(' + '));
			const whole = { ...row(...names, ...left), ...values };
			expect(taken(people, whole)).toEqual(expected);
			const used = people
				.take(Object.keys(whole), (heading) => whole[heading] ?? '')
				.flatMap(({ best, further, deciding }) => [...best, ...further, ...deciding]);
			expect(
				Object.keys(whole)
					.filter((heading) => !used.includes(heading))
					.sort(),
			).toEqual([...left].sort());
		});
	},
);

it.each([
	'Nombre; Apellidos; Correo electrónico; Móvil; Dirección; Código postal; Ciudad; País; Cargo; Etiquetas',
	'Nome; Cognome; Posta elettronica; Cellulare; Indirizzo; CAP; Città; Nazione; Ruolo; Etichette',
	'Nome; Sobrenome; E-mail; Celular; Endereço; CEP; Cidade; País; Cargo',
	'Nome próprio; Apelido; Correio eletrónico; Telemóvel; Morada; CP; Localidade; País; Cargo',
	'Imię; Nazwisko; Adres e-mail; Telefon komórkowy; Ulica; Kod pocztowy; Miasto; Kraj; Stanowisko; Etykiety',
	'Ad; Soyad; E-posta; Cep Telefonu; Adres; Posta Kodu; Şehir; Ülke; Unvan',
	'Förnamn; Efternamn; E-postadress; Mobil; Gatuadress; Postnummer; Ort; Land; Befattning',
	'Fornavn; Etternavn; E-post; Mobil; Adresse; Postnr; Poststed; Land; Stilling',
	'First; Last; From Email Address; Phone (iPhone); Address; Zip; City; Country; Position',
])('The node reads the headings of a person in another language or program: %s', (text) => {
	const headings = text.split('; ');
	const [givenName, familyName, email, mobile, street, postalCode, city, country, jobTitle, tags] =
		headings;
	expect(taken(people, row(...headings))).toEqual({
		...{ givenName, familyName, email, mobile, street, postalCode, city, country, jobTitle },
		...(tags !== undefined && { tags }),
	});
});

it.each([
	'Nombre y apellidos',
	'Nombre',
	'Nome e cognome',
	'Imię i nazwisko',
	'Adı Soyadı',
	'Namn',
])('The heading %s means a full name', (heading) => {
	expect(taken(people, row(heading))).toEqual({ fullName: heading });
});

it.each(['Direct telefoonnummer', 'Rückrufnummer', 'Contact Phone Number', 'Text Reminder Number'])(
	'The heading %s means a phone number',
	(heading) => {
		expect(Object.keys(taken(people, row(heading)))[0]).toMatch(/^(?:workPhone|phone|mobile)$/);
	},
);

it.each(['First', 'Last', 'Last contact', 'First seen', 'Ad', 'Via', 'By'])(
	'The heading %s alone means no column',
	(heading) => {
		expect(taken(people, row(heading))).toEqual({});
	},
);

describe('a name that could mean two columns', () => {
	it.each<[string, string[], Record<string, string>]>([
		['Title of a job', ['Title=CEO'], { jobTitle: 'Title' }],
		['Title of a person', ['Title=Mrs', 'Name'], { honorificPrefix: 'Title', fullName: 'Name' }],
		['Title beside a job title', ['Title=CEO', 'Job Title'], { jobTitle: 'Job Title' }],
		[
			'Title beside both',
			['Title=Prof. dr.', 'Salutation', 'Position'],
			{ honorificPrefix: 'Salutation', jobTitle: 'Position' },
		],
		['Titel of a person', ['Titel=drs.'], { honorificPrefix: 'Titel' }],
		['Titel beside Anrede', ['Titel=Dr.', 'Anrede'], { honorificPrefix: 'Anrede' }],
		['Titel with a degree', ['Titel=Prof. Dr. med.'], { honorificPrefix: 'Titel' }],
		['Titel beside Anrede', ['Titel=Dipl.-Kfm.', 'Anrede'], { honorificPrefix: 'Anrede' }],
		['Titre of a job', ['Titre=Directrice'], { jobTitle: 'Titre' }],
		['Prefix of a person', ['Prefix=Dr.'], { honorificPrefix: 'Prefix' }],
		['Name Prefix as infix', ['Name Prefix=van der'], { additionalName: 'Name Prefix' }],
		['Name alone', ['Name'], { fullName: 'Name' }],
		[
			'Name beside First Name',
			['Name', 'First Name'],
			{ givenName: 'First Name', fullName: 'Name' },
		],
		[
			'Name beside Last Name, which has the family name',
			['Name', 'Last Name'],
			{ familyName: 'Last Name' },
		],
		['Name beside a blank Last Name', ['Name', 'Last Name='], { fullName: 'Name' }],
		['Name beside Vorname', ['Name', 'Vorname'], { familyName: 'Name', givenName: 'Vorname' }],
		[
			'Naam beside Voornaam and Achternaam',
			['Naam', 'Voornaam', 'Achternaam'],
			{ familyName: 'Achternaam', givenName: 'Voornaam' },
		],
		['URL alone', ['URL'], {}],
		['Voorvoegsel of another kind', ['Voorvoegsel'], {}],
		['Voorvoegsel as title', ['Voorvoegsel=dr.'], { honorificPrefix: 'Voorvoegsel' }],
		['Voorvoegsel as infix', ['Voorvoegsel=van der'], { additionalName: 'Voorvoegsel' }],
		[
			'Voorvoegsel beside Tussenvoegsel',
			['Voorvoegsel=van', 'Tussenvoegsel'],
			{ additionalName: 'Tussenvoegsel' },
		],
	])(
		'The value and other headings decide how the node reads an ambiguous heading: %s',
		(_, names, expected) => {
			expect(taken(people, row(...names))).toEqual(expected);
		},
	);

	it('In a table of tasks, "Title" beside "Name" means the title of the task', () => {
		expect(taken(tasks, row('Title', 'Name'))).toEqual({ title: 'Title' });
	});
});

describe('several headings of one column', () => {
	it('The e-mail, phone and street columns each take the values of several headings', () => {
		const names = ['E-mail Address', 'E-mail 2 Address', 'Business Phone', 'Business Phone 2'];
		expect(taken(people, row(...names, 'Straat', 'Huisnummer', 'Toevoeging'))).toEqual({
			email: 'E-mail Address + E-mail 2 Address',
			workPhone: 'Business Phone + Business Phone 2',
			street: 'Straat + Huisnummer + Toevoeging',
		});
	});

	it.each([
		['Telefoon', 'Telefoon 1', 'Telefoon 2'],
		['E-mail', 'Email 1', 'E-mail 2'],
		['Phone', 'Phone 1 - Value', 'Phone 2 - Value'],
	])('The value under %j becomes the first list entry, that under %j another', (...headings) => {
		const [{ best, further, beaten }] = people.take(headings, () => 'x');
		expect([best, further, beaten]).toEqual([headings.slice(0, 1), headings.slice(1), []]);
	});

	it.each([
		['E-Mail privat', 'E-Mail geschäftl.'],
		['E-mail perso', 'E-mail pro'],
		['Home Email', 'Work Email'],
	])(
		'Of the headings %j and %j, the work address becomes the first e-mail address',
		(home, work) => {
			expect(taken(people, row(home, work))).toEqual({ email: `${work} + ${home}` });
		},
	);

	it.each(['Country Code', 'Ländercode', 'Land'])(
		'The heading %j means the country, unless its value is a dialling code',
		(heading) => {
			expect(taken(people, { [heading]: '+31' })).toEqual({});
			expect(taken(people, { [heading]: 'NL' })).toEqual({ country: heading });
		},
	);

	it('The node prefers the heading "Job Title" to "Role", unless "Job Title" is blank', () => {
		const [{ best, beaten }] = people.take(['Role', 'Job Title'], () => 'x');
		expect([best, beaten]).toEqual([['Job Title'], ['Role']]);
		expect(taken(people, { 'Job Title': '', Role: 'x' })).toEqual({ jobTitle: 'Role' });
	});

	it.each([
		['Deal - Status', 'Deal - Stage'],
		['status', 'stage'],
		['Deal - Status', 'Deal - Fase'],
		['Status', 'Phase'],
		['Status', 'Étape'],
		['Status', 'Column'],
	])('The heading %j means the stage of a task, unless %j stands beside it', (status, stage) => {
		const [{ best, beaten }] = tasks.take([status, stage], () => 'x');
		expect([best, beaten]).toEqual([[stage], [status]]);
		expect(taken(tasks, row(status))).toEqual({ status });
	});

	it('The value under "Label" or "Type" decides the type of a phone number', () => {
		const cell = { 'Phone 1 - Label': 'Work', 'Phone 1 - Value': 'x' };
		const other = { 'Phone 2 - Type': 'Mobile', 'Phone 2 - Value': 'y' };
		const faxes = {
			...{ 'Phone 3 - Label': 'Work Fax', 'Phone 3 - Value': 'y' },
			...{ 'Phone 4 - Label': 'Home Fax', 'Phone 4 - Value': 'y' },
		};
		expect(taken(people, { ...cell, ...other, ...faxes })).toEqual({
			workPhone: 'Phone 1 - Value',
			mobile: 'Phone 2 - Value',
			fax: 'Phone 3 - Value + Phone 4 - Value',
		});
	});
});

describe('the name of a column in a table', () => {
	it.each([
		['E-Mail', 'email'],
		['LAST_NAME', 'familyName'],
		['phone-number', 'phone'],
		['Mailing list', 'segments'],
		['Prénom', 'givenName'],
		['Pre\u0301nom', 'givenName'],
		['\u200BE\u00ADmail\uFEFF', 'email'],
		['STRASSE', 'street'],
		['Contact owner', 'owner'],
	])('The node reads the heading %j as the column %s', (heading, name) => {
		expect(taken(people, row(heading))).toEqual({ [name]: heading });
	});

	const SELDOM = {
		mobile:
			'Mob.; Mob. nr.; Mobiel nr.; Mobile No.; Handy-Nr.; WhatsApp Phone Number; Tél. port.; Numéro de mobile',
		workPhone:
			'Doorkiesnummer; Tel. direct; Zakelijke telefoon; Tel. gesch.; Tel. dienstl.; Durchwahl; Direct Phone; Tél. pro',
		phone:
			'Tel. vast; Vaste telefoon; Telefonnr.; Telefon-Nr.; Phone No.; Tel No; N° tél.; N° de téléphone',
		fax: 'Fax-Nr.; Work Fax',
		email: 'E-mail contactpersoon; E-Mail geschäftl.; Alternate Email; E-mail perso',
		street: 'Straat en nr.; Straat + huisnr; Adresregel 1; Str.; Straße / Hausnummer',
		owner: 'Accountmgr; Kundenbetreuer; Commercial',
		jobTitle: 'Rol; Rolle; Contact Role',
		customerId: 'Debiteurnr; Klantcode; Kd.-Nr.',
		honorificPrefix: 'Aanspreking',
		initials: 'Voorl.',
		city: 'Gemeente',
		country: 'Landcode',
		tags: 'Trefwoorden',
		externalSource: 'Original Traffic Source',
		additionalName: 'Tussenv.',
	};
	/** Headings that testers of real files missed, and others of their kind. */
	const MISSED = {
		mobile: 'SMS; Mobil-Nr.; Natel; Tel. mob.',
		phone:
			'Haupttelefon; Hoofdtelefoon; Main Phone; Address Phone; Default Address Phone; Contact No.',
		workPhone: 'Work Direct Phone; Direct Phone Number; Corporate Phone',
		jobTitle: 'Job Position; Current Job Title; Functieomschrijving; Métier',
		email: 'Primäre E-Mail-Adresse; Primary Email Address',
		postalCode: 'Postnummer; Postcode/ZIP; Eircode',
		city: 'Stadt/Ort; Ort/Stadt',
		country: 'Country of residence; Woonland',
		fullName:
			'Vorname/Name; Name und Vorname; Vor-/Nachname; First/Last Name; Last, First; Voornaam/Achternaam; Apellidos, Nombre; Nome Cognome; Imię/Nazwisko; För- och efternamn',
		givenName: 'Voornamen; First Names; Vornamen; Prénoms; Christian name; Voornaam leerling',
		familyName: 'Familiename; Achternaam lid',
		honorificPrefix: 'salutationName',
		emailAddresses: 'Other Emails; other_email_addresses',
		phoneNumbers: 'Other phone numbers',
		networkId: 'LinkedIn Contact Profile URL',
	};
	it.each(
		[...Object.entries(SELDOM), ...Object.entries(MISSED)].flatMap(([name, headings]) =>
			headings.split('; ').map((heading) => [heading, name]),
		),
	)('The node reads the abbreviated or rare heading %j as the column %s', (heading, name) => {
		expect(taken(people, row(heading))).toEqual({ [name]: heading });
	});

	it.each(['', 'Address 2', 'id', '@id', 'createdAt', 'Work Title', 'Company Phone'])(
		'The node reads the heading %j as no column of a person',
		(heading) => {
			expect(taken(people, row(heading))).toEqual({});
		},
	);

	it.each([
		'Mobile',
		'Cell',
		'Home',
		'Work',
		'Office',
		'Other',
		'Personal',
		'Overig',
		'Deal - Other',
	])('The heading %j, a kind of phone number, means no column of a task', (heading) => {
		expect(taken(tasks, row(heading, 'Title'))).toEqual({ title: 'Title' });
		expect(tasks.isKnown(heading)).toBe(false);
		expect(new RegExp(tasks.certainPattern()).test(plainName(heading))).toBe(false);
	});

	it('The node rejects five unknown headings of 10,000 characters or more within two seconds', () => {
		const startedAt = Date.now();
		for (const sign of ['x', 'work', '1', '\u200B', 'e-mail ']) {
			expect(people.isKnown(sign.repeat(10_000))).toBe(false);
		}
		expect(Date.now() - startedAt).toBeLessThan(2_000);
	});
});

it.each([
	['person', people],
	['task', tasks],
] as const)(
	"No alias belongs to two %s columns, or repeats the column's name or label",
	(_, headings) => {
		const owners = new Map<string, string>();
		for (const { name, label } of headings.columns) {
			const own = new Set([name, label].map(plainName));
			for (const plain of new Set(plainNames(aliases.ALSO_CALLED[name]))) {
				const isNeeded = !own.has(plain) || plain === 'status';
				expect([plain, owners.get(plain), isNeeded]).toEqual([plain, undefined, true]);
				owners.set(plain, name);
			}
		}
	},
);

it('Every list of aliases belongs to a column of people or tasks', () => {
	const names = [...people.columns, ...tasks.columns].map(({ name }) => name);
	expect(Object.keys(aliases.ALSO_CALLED).filter((name) => !names.includes(name))).toEqual([]);
});
