import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';

/* The address of people in rows of an import: the parts of a street, and countries. */

const [person] = PEOPLE;
const EVA = 'eva@vos.example';
const scene = useScene();

const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] };
const upsert = async (row: IDataObject) => {
	const { items, error } = await scene.person(
		'upsert',
		{ inputMode: 'columns', columns },
		{ input: [row] },
	);
	expect(error?.message).toBeUndefined();
	return items[0]!.json;
};
const create = async (row: IDataObject) => {
	const { items, error } = await scene.person(
		'create',
		{ inputMode: 'columns', columns },
		{ input: [{ familyName: 'Dam', ...row }] },
	);
	expect(error?.message).toBeUndefined();
	return { sent: (scene.writes().at(-1)?.body as IDataObject).address, note: items[0]!.json.note };
};

describe('a street in several columns', () => {
	it.each<[IDataObject, string]>(
		sampled(
			[
				[{ Straat: 'Damrak', Nummer: '16', Bus: '3', Gemeente: 'x' }, 'Damrak 16 3'],
				[{ Straat: 'Damrak 16', Huisnummer: '16', Plaats: 'x' }, 'Damrak 16'],
				[{ Nr: '17', Straat: 'Damrak 16 B', Plaats: 'x' }, 'Damrak 16 B'],
				[{ 'No.': '17', Address: 'Main 1', City: 'x' }, 'Main 1'],
				[{ Straat: 'Plein 1944', Nr: '17', Plaats: 'x' }, 'Plein 1944 17'],
				[{ Straat: 'Damrak 16 B', Huisnummer: 16, Toevoeging: 'B' }, 'Damrak 16 B'],
				[{ Straat: 'Damrak 1', Huisnummer: '11' }, 'Damrak 1 11'],
				[{ Numéro: '12', Rue: 'rue de la Paix', Ville: 'x' }, '12 rue de la Paix'],
				[{ Address: 'Main 1', 'Address 2': 'Apt 4', City: 'x' }, 'Main 1 Apt 4'],
				[{ Straße: 'Ring', Hausnummer: '5.0', Adresszusatz: 'Hof', Ort: 'x' }, 'Ring 5 Hof'],
				[
					{ 'Street Address': 'Main 1', 'Street Address Line 2': 'Apt 4', City: 'x' },
					'Main 1 Apt 4',
				],
				[{ Straat: 'Damrak', Huisnummer: '16', 'Toevoeging huisnummer': 'bis' }, 'Damrak 16 bis'],
				[{ 'Straße/Hausnr.': 'Ring 5', 'Stadt/Ort': 'x' }, 'Ring 5'],
				[{ 'Adres en huisnummer': 'Kade 9', 'Postcode/ZIP': '1012 AB' }, 'Kade 9'],
				[{ 'House number and street': '9 Kade', Eircode: 'D01 AB12' }, '9 Kade'],
				[{ 'N° et rue': '9 rue Haute', Ville: 'x' }, '9 rue Haute'],
			],
			4,
		),
	)('An import joins the columns %j into one street', async (row, street) => {
		expect((await create(row)).sent).toMatchObject({ street });
	});
});

it.each([
	...[
		'Klantnummer',
		'Customer Number',
		'Lidnummer',
		'Member No',
		'Patiëntnummer',
		'Student Number',
	],
	...['Contact nr', 'Spender-Nr.'],
])('Beside a street, an import takes no house number from %s', async (heading) => {
	const { sent } = await create({ [heading]: '4711', Straat: 'Damrak 1', Plaats: 'x' });
	expect(sent).toEqual({ street: 'Damrak 1', city: 'x' });
});

describe('a whole address in one cell', () => {
	const KADE = { street: 'Kade 1', postalCode: '2611 AA', city: 'Delft' };

	it.each<[string, IDataObject]>(
		sampled(
			[
				['Kade 1, 2611 AA Delft', KADE],
				['Kade 1\n2611 AA Delft\nNederland', { ...KADE, country: 'NL' }],
				['Kade 1 2611 AA Delft', KADE],
				['Kade 1, 2611 aa Delft', { ...KADE, postalCode: '2611 aa' }],
				['Kade 1  Delft  ZH  2611 AA  NL', { ...KADE, country: 'NL' }],
				['Kade 1, 2611 AA, Delft, NL', { ...KADE, country: 'NL' }],
				[
					'Hof 5, Haus B, D-10115 Berlin',
					{ street: 'Hof 5, Haus B', postalCode: '10115', city: 'Berlin' },
				],
				[
					'Weg 2, 50667 Köln, Deutschland',
					{ street: 'Weg 2', postalCode: '50667', city: 'Köln', country: 'DE' },
				],
				['Weg 2, 8001 Zürich', { street: 'Weg 2', postalCode: '8001', city: 'Zürich' }],
				[
					'2 rue X 75002 Paris Cedex 08',
					{ street: '2 rue X', postalCode: '75002', city: 'Paris Cedex 08' },
				],
				[
					'1 High St, London W1A 1AA, UK',
					{ street: '1 High St', postalCode: 'W1A 1AA', city: 'London', country: 'GB' },
				],
			],
			3,
		),
	)('An import splits the address %j into its parts', async (text, sent) => {
		for (const heading of ['Address', 'Adres (straat, plaats)', 'Home Address', 'Straat']) {
			const { sent: address, note } = await create({ [heading]: text });
			expect(address).toEqual(sent);
			expect(note).toContain('Street');
			expect(note).toContain(' is taken as ');
		}
	});

	it.each([
		...['Kade 1', '1234 Main Street', 'Apt 4, 1200 Broadway', '12345 Ventura Blvd', 'Delft'],
		...['Kade 1, Delft', '1 Elm Rd, Reno, NV 89501', 'see above', 'Plein 1944 Delft'],
		...['2611 AA Delft', 'Kade 1, 2611 AA'],
	])('An import does not split or write the text %s under Address', async (Address) => {
		expect((await create({ Address })).sent).toBeUndefined();
	});

	it('An import takes the country from Country if the whole address has none', async () => {
		const { sent } = await create({ Address: 'Kade 1, 2611 AA Delft', Country: 'Netherlands' });
		expect(sent).toEqual({ ...KADE, country: 'NL' });
	});

	it('Beside a column City, an import takes the whole address as street', async () => {
		const { sent } = await create({ Address: 'Kade 1, Hof', City: 'Goes' });
		expect(sent).toEqual({ street: 'Kade 1, Hof', city: 'Goes' });
	});

	it.each([
		['Postcode en plaats', '2611 AA Delft', '2611 AA', 'Delft'],
		['Postcode/Plaats', '2611AA  Den Haag', '2611AA', 'Den Haag'],
		['PLZ Ort', 'D-72070 Tübingen', '72070', 'Tübingen'],
		['PLZ/Ort', '8001 Zürich', '8001', 'Zürich'],
		['Code postal et ville', '75002 Paris', '75002', 'Paris'],
		['Postcode + gemeente', 'B-9000 Gent', '9000', 'Gent'],
		['CAP e Città', '20121 Milano', '20121', 'Milano'],
	])('An import splits the cell under %s: %s', async (heading, text, postalCode, city) => {
		const { sent } = await create({ Adres: 'Kade 1', [heading]: text });
		expect(sent).toEqual({ street: 'Kade 1', postalCode, city });
	});

	it.each<[IDataObject]>([
		[{ Plaats: '2611 AA Delft' }],
		[{ Postcode: '2611 AA Delft' }],
		[{ Postcode: '2611 AA', Plaats: '2611 AA Delft' }],
		[{ Postcode: '2611 AA Delft', Plaats: 'Delft' }],
	])('An import splits a postal code from its town in one cell of %j', async (row) => {
		expect((await create({ Straat: 'Kade 1', ...row })).sent).toEqual(KADE);
	});

	it.each([
		['D-72070', '72070'],
		['NL-2611 AA', '2611 AA'],
		['2611 aa', '2611 aa'],
		['A-1010', '1010'],
		['LV-1010', 'LV-1010'],
		['SW1A 1AA', 'SW1A 1AA'],
		['AD500', 'AD500'],
	])('An import takes the postal code %s as %s', async (text, postalCode) => {
		expect((await create({ PLZ: text })).sent).toEqual({ postalCode });
	});

	it('An import takes no phone number as postal code', async () => {
		const { sent, note } = await create({ Cep: '0532 123 45 67', City: 'Ankara' });
		expect(sent).toEqual({ city: 'Ankara' });
		expect(note).toContain('"0532 123 45 67" counts as blank');
	});

	it('An import removes "z:" in front of a postal code', async () => {
		const { sent } = await create({ 'Postal Code': 'z:2611 AA', City: 'Delft' });
		expect(sent).toEqual({ postalCode: '2611 AA', city: 'Delft' });
	});
});

describe('a country', () => {
	it.each([
		['Netherlands', 'NL'],
		['nl', 'NL'],
		['Duitsland', 'DE'],
		['Royaume-Uni', 'GB'],
		['USA', 'US'],
		['CZE', 'CZ'],
		['NL - Nederland', 'NL'],
		['Schweiz / Suisse', 'CH'],
	])('A new person gets the two-letter code of the country %s', async (Country, country) => {
		expect(await create({ Country })).toEqual({ sent: { country }, note: undefined });
	});

	it('An import writes an unknown country as it is, with a note', async () => {
		expect(await create({ Land: 'Atlantis' })).toEqual({
			sent: { country: 'Atlantis' },
			note: 'Country (from "Land") "Atlantis" is no known country, and stays as it is',
		});
	});

	it.each([
		['Netherlands', 'NL', 'Pays-Bas'],
		['NL', 'Netherlands', 'Nederland'],
	])('The country %s in the CRM equals %s and %s in a file', async (shown, ...given) => {
		const address = { street: 'Kade 1', postalCode: '1', city: 'Delft', country: shown };
		const emailAddresses = [{ email: EVA }];
		scene.change('people', person.id, { archivedAt: null, emailAddresses, address });
		for (const Country of given) {
			expect(await upsert({ Email: EVA, Country })).toMatchObject({ result: 'unchanged' });
		}
		expect(await upsert({ Email: EVA, Country: 'Belgium' })).toMatchObject({ result: 'updated' });
		expect(scene.writes().map(({ body }) => body)).toEqual([{ address: { country: 'BE' } }]);
	});

	it('An import prefers a country code to a country name, noting a difference', async () => {
		expect(await create({ Country: 'Netherlands', 'Country Code': 'NL' })).toEqual({
			sent: { country: 'NL' },
			note: undefined,
		});
		expect(await create({ Country: 'Belgium', 'Country Code': 'NL' })).toEqual({
			sent: { country: 'NL' },
			note: 'Country is taken from "Country Code", and not from "Country"',
		});
	});
});
