import type { IDataObject } from 'n8n-workflow';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';

/* The names of people in rows of an import: one column for the whole name, a name beside a given name, a title. */

const [, eva] = PEOPLE;
const EVA = 'eva@vos.example';
const NEW = 'new@x.example';
const scene = useScene();

const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] };
const run = async (operation: string, row: IDataObject, more: object = {}) => {
	const parameters = { inputMode: 'columns', columns, ...more };
	const { items, error } = await scene.person(operation, parameters, {
		input: [row],
		onError: 'continueRegularOutput',
	});
	expect(error?.message).toBeUndefined();
	return items[0]!.json;
};
const upsert = async (row: IDataObject) => await run('upsert', row);
const lastBody = () => scene.writes().at(-1)?.body;
const emailAddresses = [{ email: NEW }];

beforeEach(() => {
	scene.change('people', eva.id, {
		...{ givenName: 'Eva', additionalName: null, familyName: 'de Vos', jobTitle: 'Chef' },
		...{ initials: null, honorificPrefix: null, archivedAt: null },
		emailAddresses: [{ email: EVA }],
	});
});

describe('one column for a name', () => {
	it.each<[string, string, IDataObject]>([
		['Name', 'Kees Visser', { givenName: 'Kees', familyName: 'Visser' }],
		['Naam', 'Visser, Kees', { givenName: 'Kees', familyName: 'Visser' }],
		['Full name', 'Jan de Vries', { givenName: 'Jan', familyName: 'de Vries' }],
		[
			'Nom complet',
			'M. Paul Petit',
			{ honorificPrefix: 'M.', givenName: 'Paul', familyName: 'Petit' },
		],
		[
			'Vollständiger Name',
			'Frau Lea Groß',
			{ honorificPrefix: 'Frau', givenName: 'Lea', familyName: 'Groß' },
		],
		['Name', 'John Q. Public', { givenName: 'John Q.', familyName: 'Public' }],
		['Name', 'Jan J.P. de Vries', { givenName: 'Jan J.P.', familyName: 'de Vries' }],
		['Naam', 'Vries, J. de (Jan)', { givenName: 'Jan', initials: 'J.', familyName: 'de Vries' }],
		['Naam', 'Bos, C.D. (Anne-Bo)', { givenName: 'Anne-Bo', initials: 'C.D.', familyName: 'Bos' }],
		['Nom et prénom', 'Petit Claire', { givenName: 'Claire', familyName: 'Petit' }],
		['Person - Name', 'Kees Visser', { givenName: 'Kees', familyName: 'Visser' }],
		[
			'Contactpersoon',
			'dhr. J. Visser',
			{ honorificPrefix: 'dhr.', initials: 'J.', familyName: 'Visser' },
		],
	])(
		'For new people, an import splits the name in column %j into parts: %j',
		async (heading, name, sent) => {
			const { note, error } = await upsert({ [heading]: name, Email: NEW });
			expect(error).toBeUndefined();
			expect(lastBody()).toEqual({ ...sent, emailAddresses });
			expect(note).toBeUndefined();
		},
	);

	it.each([
		'Anna Maria Visser',
		'Jan en Anna',
		'Fam. Visser',
		'Visser B.V.',
		'Visser',
		'Customer Service',
		'Praxis Visser',
		'Plan B Advies',
		'Visser, Kees (Delft)',
		'山田 太郎',
	])('An import writes the ambiguous name %j whole as family name, with a note', async (name) => {
		const note = `Family Name (from "Naam") takes "${name}" whole`;
		expect((await upsert({ Naam: name, Email: NEW })).note).toBe(note);
		expect(lastBody()).toEqual({ familyName: name, emailAddresses });
		expect((await run('create', { Naam: name })).note).toBe(note);
		expect(lastBody()).toEqual({ familyName: name });
	});

	it.each([
		['Mevrouw Jansen', { honorificPrefix: 'Mevrouw', familyName: 'Jansen' }],
		['Dr. Eva Maria Vos', { honorificPrefix: 'Dr.', familyName: 'Eva Maria Vos' }],
	])('A note tells which part of the name %j becomes the family name', async (Naam, sent) => {
		const { note } = await upsert({ Naam, Email: NEW });
		expect(lastBody()).toEqual({ ...sent, emailAddresses });
		expect(note).toBe(`Family Name (from "Naam") takes "${sent.familyName}" whole`);
	});

	it.each([
		{ 'First Name': 'Eva', Name: 'Eva' },
		{ 'First Name': 'Eva', 'Last Name': '', 'Display Name': 'eva' },
		{ 'First Name': 'Eva Maria', 'Full Name': 'Eva Maria' },
		{ Voornaam: 'Eva', Naam: 'Eva' },
		{ Voornaam: 'Eva', Achternaam: '', Naam: 'Éva' },
	])('An import ignores a full name that only repeats the given name: %j', async (row) => {
		await upsert({ ...row, Email: EVA, 'Job Title': 'Cook' });
		expect(lastBody()).not.toHaveProperty('familyName');
		const heading = Object.keys(row).at(-1);
		expect((await upsert({ ...row, Email: NEW })).error).toMatch(
			`Family Name is empty ("${heading}" is not taken)`,
		);
	});

	it.each<[IDataObject, IDataObject]>([
		[
			{ Voornaam: 'Jan', Tussenvoegsel: 'van der', Achternaam: 'van der Berg' },
			{ givenName: 'Jan', additionalName: 'van der', familyName: 'Berg' },
		],
		[
			{ 'First Name': 'Jan', 'Last Name': 'Jan de Vries' },
			{ givenName: 'Jan', familyName: 'de Vries' },
		],
		[
			{ Voornaam: 'Jan', Tussenvoegsel: 'de', Achternaam: 'Jan de Vries' },
			{ givenName: 'Jan', additionalName: 'de', familyName: 'Vries' },
		],
	])('An import writes no part of a name twice: %j', async (row, name) => {
		const { note } = await upsert({ ...row, Email: NEW });
		expect(lastBody()).toEqual({ ...name, emailAddresses });
		expect(note).toMatch(`" is taken as "${String(name.familyName)}"`);
	});

	it.each<[string, string, IDataObject]>([
		['Jan BOS', 'Bos', { givenName: 'Jan' }],
		['Dhr. Jan de Bos', 'de Bos', { honorificPrefix: 'Dhr.', givenName: 'Jan' }],
		['Jan Bosch', 'Bos', { givenName: 'Jan Bosch' }],
		['Jan-Bos', 'Bos', { givenName: 'Jan-Bos' }],
		['Bos', 'Bos', { givenName: 'Bos' }],
	])('An import writes the family name once: given name %s, family name %s', async (...row) => {
		const [given, familyName, sent] = row;
		await upsert({ 'First Name': given, 'Last Name': familyName, Email: NEW });
		expect(lastBody()).toEqual({ ...sent, familyName, emailAddresses });
	});

	it.each(['Smith, MD', 'Smit, RA', 'Bos, M.D.'])(
		'An import takes no given name from a title behind a name: %s',
		async (Name) => {
			await upsert({ Name, Email: NEW });
			expect(lastBody()).toEqual({ familyName: Name, emailAddresses });
		},
	);

	it('An import turns HTML entities into their signs, with a note', async () => {
		const names = { 'Last Name': 'O&#39;Brien' };
		const { note } = await upsert({ ...names, 'Job Title': 'R&amp;D Manager', Email: NEW });
		expect(lastBody()).toMatchObject({ familyName: "O'Brien", jobTitle: 'R&D Manager' });
		expect(note).toContain(`"O&#39;Brien" is taken as "O'Brien"`);
	});

	it.each([
		['Zo&euml;', 'Zoë'],
		['Ko&ccedil;', 'Koç'],
		['&Ouml;zt&uuml;rk', 'Öztürk'],
		['Nu&ntilde;ez &Aring;l', 'Nuñez Ål'],
		['Gro&szlig;', 'Groß'],
		['S&oslash;rby', 'Sørby'],
		['Na&#x10D;', 'Nač'],
		['Vos &co; Bos', 'Vos &co; Bos'],
	])('An import reads HTML entities of accents in the family name %s', async (text, name) => {
		await upsert({ 'Last Name': text, Email: NEW });
		expect(lastBody()).toEqual({ familyName: name, emailAddresses });
	});

	it.each(['Thomas', 'Thomasson', 'Van Thomas'])(
		'An import keeps the family name %s beside the given name Thomas',
		async (familyName) => {
			const row = { 'First Name': 'Thomas', 'Last Name': familyName, Email: NEW };
			expect(await upsert(row)).not.toHaveProperty('note');
			expect(lastBody()).toMatchObject({ givenName: 'Thomas', familyName });
		},
	);

	it.each([
		{ 'Display Name': 'Acme, Olga Doo', Name: 'Olga Doo' },
		{ 'Display Name': 'olga_d', Naam: 'Olga Doo' },
	])('An import prefers the name under Name or Naam to a display name: %j', async (row) => {
		await upsert({ ...row, Email: NEW });
		expect(lastBody()).toMatchObject({ givenName: 'Olga', familyName: 'Doo' });
	});

	it('An import adds no note if it takes a family name unchanged', async () => {
		const row = { Naam: 'Bakker, Slager', Voornaam: 'Jan', Email: NEW };
		expect(await upsert(row)).not.toHaveProperty('note');
		expect(lastBody()).toEqual({
			...{ givenName: 'Jan', familyName: 'Bakker, Slager' },
			emailAddresses,
		});
	});

	it.each([
		{ Name: 'Kees Visser', 'Last Name': 'Bos', 'First Name': 'Jan' },
		{ Name: 'Acme', 'Last Name': 'Bos', 'First Name': 'Jan' },
	])('An import prefers the column of the family name to a full name: %j', async (row) => {
		await upsert({ ...row, Email: NEW });
		expect(lastBody()).toEqual({ givenName: 'Jan', familyName: 'Bos', emailAddresses });
	});

	it.each(['Eva de Vos', 'De Vos, Eva', 'EVA DE VOS', 'Vos, Eva de', 'Éva de Vos'])(
		'An import writes no name to a person who has the full name %j',
		async (Name) => {
			expect(await upsert({ Name, Email: EVA, 'Job Title': 'Cook' })).not.toHaveProperty('note');
			expect(lastBody()).toEqual({ jobTitle: 'Cook' });
		},
	);

	it.each(['Eva Vos', 'Eva Smit', 'E. de Vos', 'de Vos', 'Mrs Eva de Vos'])(
		'From the full name %j, an import renames no existing person, with a note',
		async (Name) => {
			const { note } = await upsert({ Name, Email: EVA, 'Job Title': 'Cook' });
			expect(note).toBe(
				`Name "${Name}" is left out, because only a new person takes a name from one column`,
			);
			expect(lastBody()).toEqual({ jobTitle: 'Cook' });
		},
	);

	it.each(['Kees Visser', 'Anna Maria Visser'])(
		"An import refuses a row with full name %j and somebody else's address",
		async (Name) => {
			const { error } = await upsert({ Name, Email: EVA });
			expect(error).toMatch(`${EVA} belongs to Eva de Vos; the row names ${Name}`);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('An update by ID ignores a full name in one column, with a note', async () => {
		const personId = { __rl: true, mode: 'id', value: eva.id };
		const row = { Name: 'Kees Visser', 'Job Title': 'Cook' };
		expect((await run('update', row, { personId })).note).toMatch(
			/^Name "Kees Visser" is left out/,
		);
		expect(lastBody()).toEqual({ jobTitle: 'Cook' });
	});
});

describe('a text that is no name of a person', () => {
	const ANN = { 'First Name': 'Ann', 'Last Name': 'Lee', Email: NEW };

	it.each([
		...['unknown', 'N/A', 'n.v.t.', 'Onbekend', 'unbekannt', 'keine Angabe', 'inconnu', 'TBD'],
		...['Info Requested', 'idem', 'zie boven'],
	])('The text %s is no name, town or country, and a note says so', async (text) => {
		const { note } = await run('create', {
			...{ ...ANN, 'First Name': text, 'Middle Name': text },
			...{ Street: 'Kade 1', City: text, Country: text },
		});
		expect(lastBody()).toEqual({
			...{ familyName: 'Lee', address: { street: 'Kade 1' } },
			emailAddresses,
		});
		for (const label of ['Given Name', 'Additional Name', 'City', 'Country']) {
			expect(note).toMatch(new RegExp(`${label}[^.]*"${text}" counts as blank`));
		}
		expect((await run('create', { ...ANN, 'Last Name': text })).error).toContain('Family Name is');
	});

	it.each([
		{ 'First Name': 'Na', City: 'Leer', Country: 'NA' },
		{ 'First Name': 'N.V.T.', City: 'None', Country: 'LA' },
		{ 'First Name': 'Todo', City: 'Vide', Country: 'Kenia' },
	])('An import keeps the names %j that look like "none"', async (row) => {
		const { note } = await run('create', { ...ANN, ...row });
		expect(lastBody()).toMatchObject({ givenName: row['First Name'], address: { city: row.City } });
		expect(note).toBeUndefined();
	});

	it.each(['customer', 'Subscriber', 'Attendee', 'Organizer', 'info@lee.example', '06-12345678'])(
		'The text %s under Role is no job title, and a note says so',
		async (Role) => {
			const { note } = await run('create', { ...ANN, Role });
			expect(lastBody()).not.toHaveProperty('jobTitle');
			expect(note).toBe(`Job Title (from "Role") "${Role}" counts as blank`);
		},
	);

	it.each(['#1001', '+31 6 12345678', '06-12345678', '0', EVA, 'eva.vos@other.example'])(
		'Under First and Last Name, an import counts %s as blank, with a note',
		async (text) => {
			const row = { 'First Name': text, 'Last Name': text, Initials: text };
			const { note } = await upsert({ ...row, Email: EVA, 'Job Title': 'Cook' });
			expect(lastBody()).toEqual({ jobTitle: 'Cook' });
			expect(note).toContain(`"${text}" counts as blank`);
			const { error } = await upsert({ Name: text, Email: NEW });
			expect(error).toMatch(/^Family Name/);
		},
	);

	it.each(['Ann Lee <ann@x.example>', 'Ann Lee (ann@x.example)', 'Lee, Ann [ann@x.example]'])(
		'A new person gets the name in "%s" without its e-mail address',
		async (Name) => {
			const { note } = await upsert({ Name, Email: NEW });
			expect(lastBody()).toEqual({ givenName: 'Ann', familyName: 'Lee', emailAddresses });
			expect(note).toContain(`"${Name}" is taken as`);
		},
	);

	it.each(['J\uFFFDrgen', 'JÃ¼rgen', 'RenÃ©', 'Ã‰va', 'GroÃŸ', 'J?rgen', '?zdemir', 'D?j? Vu'])(
		'An import ignores the wrongly encoded text %s as name, town and street',
		async (text) => {
			const row = { 'First Name': text, 'Last Name': text, City: text, Street: text };
			const { result, note } = await upsert({ Email: EVA, ...row, 'Job Title': text });
			expect(result).toBe('unchanged');
			expect(String(note).match(/counts as blank/g)).toHaveLength(5);
			expect((await upsert({ ...row, Email: NEW })).error).toContain(`Family Name is "${text}"`);
		},
	);

	it.each(['JOÃO', 'São', 'Ângela', 'Ãngela'])('An import keeps the accent in %s', async (text) => {
		await upsert({ 'First Name': text, 'Last Name': 'Lee', Email: NEW });
		expect(lastBody()).toMatchObject({ givenName: text });
	});

	it.each(['R2-D2', '3M', '2.0', '山田', 'Lee (née Fox)'])(
		'An import keeps the unusual name %s as it is',
		async (familyName) => {
			await upsert({ 'Last Name': familyName, Email: NEW });
			expect(lastBody()).toEqual({ familyName, emailAddresses });
		},
	);
});

describe('a text around a name', () => {
	it.each(['*|LNAME|*', '{{last_name}}', '${name}', '%LASTNAME%', '[Last Name]', '<test lead: x>'])(
		'An import ignores the unfilled template field %s as name, town or salutation',
		async (text) => {
			const row = { 'First Name': text, City: text, Salutation: text, 'Job Title': text };
			await upsert({ ...row, 'Postal Code': text, 'Last Name': 'Lee', Email: NEW });
			expect(lastBody()).toEqual({ familyName: 'Lee', emailAddresses });
			const { error } = await upsert({ 'Last Name': text, Email: 'other@x.example' });
			expect(error).toContain('Family Name');
		},
	);

	it.each(['FNAME', 'First Name', 'Untitled', 'Naamloos'])(
		'An import ignores %s, a word of a template or empty page, as name',
		async (text) => {
			await upsert({ 'First Name': text, 'Last Name': 'Lee', Email: NEW });
			expect(lastBody()).toEqual({ familyName: 'Lee', emailAddresses });
		},
	);

	it.each<[string, IDataObject]>([
		['Eva Bos (Guest)', { givenName: 'Eva', familyName: 'Bos' }],
		['Bos, Eva de (External)', { givenName: 'Eva', familyName: 'de Bos' }],
		['Eva Bos (sample)', { givenName: 'Eva', familyName: 'Bos' }],
		['Eva Bos (née Dam)', { familyName: 'Eva Bos (née Dam)' }],
	])('From the full name %s, an import takes only the name', async (Name, sent) => {
		await upsert({ Name, Email: NEW });
		expect(lastBody()).toEqual({ ...sent, emailAddresses });
	});

	it.each([
		['\u200BEva\uFEFF', 'Eva'],
		['Eva\u00A0Maria', 'Eva Maria'],
		['Zoe\u0308', 'Zoë'],
		['\u202AEva\u202C', 'Eva'],
		['می\u200Cلاد', 'می\u200Cلاد'],
	])('An import removes invisible signs from the name %j', async (text, name) => {
		await upsert({ 'First Name': text, 'Last Name': text, City: text, Email: NEW });
		expect(lastBody()).toMatchObject({
			givenName: name,
			familyName: name,
			address: { city: name },
		});
	});
});

describe('a name or town in a worse spelling than in the CRM', () => {
	const address = { street: 'Oude Kade 1', city: 'Den Haag' };
	beforeEach(() => scene.change('people', eva.id, { address: { ...address, country: 'NL' } }));

	it.each<[string, string, string]>([
		['First Name', 'EVA', 'Given Name (from "First Name") "EVA"'],
		['First Name', 'eva', 'Given Name (from "First Name") "eva"'],
		['First Name', 'E.', 'Given Name (from "First Name") "E."'],
		['Last Name', 'DE VOS', 'Family Name (from "Last Name") "DE VOS"'],
		['Street', 'oude kade 1', 'Street "oude kade 1"'],
		['City', 'DEN HAAG', 'City "DEN HAAG"'],
	])('Under %s, an update omits the poor spelling %s, with a note', async (heading, text, left) => {
		const { result, note } = await upsert({ Email: EVA, [heading]: text });
		expect(result).toBe('unchanged');
		expect(note).toMatch(`${left} is left out, because the CRM has "`);
		await upsert({ Email: NEW, 'Last Name': 'Lee', [heading]: text });
		expect(JSON.stringify(lastBody())).toContain(text);
	});

	it.each<[IDataObject, IDataObject]>([
		[{ 'First Name': 'Éva' }, { givenName: 'Éva' }],
		[{ 'First Name': 'Evy' }, { givenName: 'Evy' }],
		[{ 'Last Name': 'de Vos-Smit' }, { familyName: 'de Vos-Smit' }],
		[{ 'Job Title': 'CHEF' }, { jobTitle: 'CHEF' }],
		[{ City: 'GOES', Street: 'OUDE KADE 1' }, { address: { city: 'GOES' } }],
	])('An update takes another name, or a better spelling: %j', async (row, sent) => {
		await upsert({ Email: EVA, ...row });
		expect(lastBody()).toEqual(sent);
	});

	it.each([
		['2611AA', '2611 AA', 'unchanged'],
		['2611 aa', '2611 AA', 'unchanged'],
		['2611 AA', '2611 aa', 'updated'],
		['2611 AB', '2611 AA', 'updated'],
	])('If a row gives postal code %s, %s in the CRM is %s', async (Postcode, shown, result) => {
		scene.change('people', eva.id, { address: { ...address, postalCode: shown, country: 'NL' } });
		expect(await upsert({ Email: EVA, Postcode })).toMatchObject({ result });
	});

	it.each([
		['Søren', 'Kjær', 'Soren', 'Kjaer'],
		['Jürgen', 'Müller', 'Juergen', 'Mueller'],
		['Zoë', 'de Groß', 'ZOE', 'De Gross'],
		['José', 'Álvarez Núñez', 'Jose', 'Alvarez Nunez'],
		['Siobhán', 'Ó Connor', 'Siobhan', 'O Connor'],
	])('In the CRM, the name %s %s stays despite %s %s', async (givenName, familyName, ...weak) => {
		scene.change('people', eva.id, { givenName, familyName });
		const { result } = await upsert({ Email: EVA, 'First Name': weak[0], 'Last Name': weak[1] });
		expect(result).toBe('unchanged');
		scene.change('people', eva.id, { givenName: weak[0]!, familyName: weak[1]! });
		await upsert({ Email: EVA, 'First Name': givenName, 'Last Name': familyName });
		expect(lastBody()).toEqual({ givenName, familyName });
	});

	it('An import replaces capitals and initials in the CRM by the whole name', async () => {
		scene.change('people', eva.id, { givenName: 'E.', familyName: 'DE VOS' });
		await upsert({ Email: EVA, 'First Name': 'Eva', 'Last Name': 'de Vos' });
		expect(lastBody()).toEqual({ givenName: 'Eva', familyName: 'de Vos' });
	});
});

describe('several name columns of a row', () => {
	it.each([
		[{ Anrede: 'Herr', Titel: 'Dr.' }, 'Herr Dr.'],
		[{ Titel: 'Prof. Dr.', Anrede: 'Frau' }, 'Frau Prof. Dr.'],
		[{ Anrede: 'Herr', 'Akad. Titel': 'Dipl.-Ing.' }, 'Herr Dipl.-Ing.'],
		[{ Aanhef: 'De heer', Titel: 'drs.' }, 'De heer drs.'],
		[{ Anrede: 'Frau Dr.', Titel: 'Dr.' }, 'Frau Dr.'],
		[{ Salutation: 'Mr', Title: 'Mr.' }, 'Mr'],
		[{ Salutation: 'Ms', Title: 'Director' }, 'Ms'],
	])('An import makes one salutation of the two columns %j', async (row, title) => {
		await upsert({ ...row, 'Last Name': 'Bos', Email: NEW });
		expect(lastBody()).toMatchObject({ familyName: 'Bos', honorificPrefix: title });
	});

	it.each([
		[{ Anrede: 'Frau', Name: 'Dr. Sabine Bos' }, 'Frau Dr.'],
		[{ Anrede: 'Herr', 'Name, Vorname': 'Bos, Prof. Jan' }, 'Herr Prof.'],
		[{ Anrede: 'Frau Dr.', Name: 'Dr. Sabine Bos' }, 'Frau Dr.'],
		[{ Aanhef: 'Mevrouw', Naam: 'mw. Anna Bos' }, 'Mevrouw'],
		[{ Anrede: 'Frau', Vorname: 'Dr. Sabine', Nachname: 'Bos' }, 'Frau Dr.'],
	])('An import puts the title of the name behind the salutation: %j', async (row, title) => {
		await upsert({ ...row, Email: NEW });
		expect(lastBody()).toMatchObject({ familyName: 'Bos', honorificPrefix: title });
	});

	it.each([
		['Berg, van den', 'van den Berg'],
		['Wit, de', 'de Wit'],
		['Berg (van den)', 'van den Berg'],
	])('An import puts the infix of the name %j in front', async (Achternaam, familyName) => {
		const { note } = await upsert({ Voornaam: 'Jan', Achternaam, Email: NEW });
		expect(lastBody()).toEqual({ givenName: 'Jan', familyName, emailAddresses });
		expect(note).toBe(
			`Family Name (from "Achternaam") "${Achternaam}" is taken as "${familyName}"`,
		);
	});

	it.each(['Vos, MSc', 'Bos (overleden)', 'Bos / Dam', 'Berg (van den) Bos'])(
		'An import leaves the family name %j, which has no infix behind it',
		async (Achternaam) => {
			await upsert({ Voornaam: 'Jan', Achternaam, Email: NEW });
			expect(lastBody()).toEqual({ givenName: 'Jan', familyName: Achternaam, emailAddresses });
		},
	);

	it.each([
		['mw. Ans', 'mw.', 'Ans', 'Mevrouw'],
		['Dr. Jan', 'Dr.', 'Jan', 'Mevrouw Dr.'],
		['Mrs Ann Mary', 'Mrs', 'Ann Mary', 'Mevrouw'],
	])(
		'An import moves the salutation in the given name %j to its field',
		async (Voornaam, title, givenName, joined) => {
			const row = { Voornaam, Achternaam: 'Bos', Email: NEW };
			const { note } = await upsert(row);
			const names = { givenName, familyName: 'Bos', emailAddresses };
			expect(lastBody()).toEqual({ ...names, honorificPrefix: title });
			expect(note).toBe(`Given Name (from "Voornaam") "${Voornaam}" is taken as "${givenName}"`);
			await run('create', { ...row, Aanhef: 'Mevrouw' });
			expect(lastBody()).toMatchObject({ givenName, honorificPrefix: joined });
		},
	);

	it.each<[IDataObject, IDataObject]>([
		[
			{ Voornaam: 'Jan', Naam: 'Jan de Vries' },
			{ givenName: 'Jan', familyName: 'de Vries' },
		],
		[
			{ Voornaam: 'Jan', Naam: 'de Vries' },
			{ givenName: 'Jan', familyName: 'de Vries' },
		],
		[
			{ Vorname: 'Lea', Name: 'Groß' },
			{ givenName: 'Lea', familyName: 'Groß' },
		],
		[
			{ Prénom: 'Luc', Nom: 'Luc Petit' },
			{ givenName: 'Luc', familyName: 'Petit' },
		],
		[
			{ 'First Name': 'Jan', Name: 'Jan de Vries' },
			{ givenName: 'Jan', familyName: 'de Vries' },
		],
		[
			{ 'First Name': 'Jan', Name: 'Smit' },
			{ givenName: 'Jan', familyName: 'Smit' },
		],
		[
			{ Voornaam: 'Jan', Tussenvoegsel: 'de', Naam: 'Jan de Vries' },
			{ givenName: 'Jan', additionalName: 'de', familyName: 'Vries' },
		],
		[
			{ Tussenvoegsel: 'de', Naam: 'Jan de Vries' },
			{ givenName: 'Jan', additionalName: 'de', familyName: 'Vries' },
		],
		[
			{ Voornaam: 'Jan', Prefix: 'van der', Achternaam: 'Berg' },
			{ givenName: 'Jan', additionalName: 'van der', familyName: 'Berg' },
		],
	])('An import combines the name columns of a row into name parts: %j', async (row, sent) => {
		const { error } = await upsert({ ...row, Email: NEW });
		expect(error).toBeUndefined();
		expect(lastBody()).toEqual({ ...sent, emailAddresses });
	});

	it('The error for a missing family name names the unused column "Name"', async () => {
		const row = { 'First Name': 'Jan', Name: 'Acme Bakery', Email: NEW };
		const upserted = await upsert(row);
		expect(upserted.error).toBe(
			`Family Name is empty ("Name" is not taken), and nobody has the e-mail address "${NEW}"`,
		);
		const created = await run('create', row);
		expect(created.error).toBe('Family Name is empty ("Name" is not taken)');
	});
});

it.each<[string, IDataObject]>([
	['Mrs', { honorificPrefix: 'Mrs' }],
	['Prof. dr.', { honorificPrefix: 'Prof. dr.' }],
	['CEO', { jobTitle: 'CEO' }],
	['Head of Sales', { jobTitle: 'Head of Sales' }],
])('An import reads the text %j under "Title" as %j', async (Title, sent) => {
	await upsert({ Title, 'Last Name': 'Bos', Email: NEW });
	expect(lastBody()).toEqual({ familyName: 'Bos', ...sent, emailAddresses });
});
