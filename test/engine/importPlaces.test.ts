import type { IDataObject } from 'n8n-workflow';
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
	it.each<[IDataObject, string]>([
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
		[{ 'Street Address': 'Main 1', 'Street Address Line 2': 'Apt 4', City: 'x' }, 'Main 1 Apt 4'],
		[{ Straat: 'Damrak', Huisnummer: '16', 'Toevoeging huisnummer': 'bis' }, 'Damrak 16 bis'],
		[{ 'Straße/Hausnr.': 'Ring 5', 'Stadt/Ort': 'x' }, 'Ring 5'],
		[{ 'Adres en huisnummer': 'Kade 9', 'Postcode/ZIP': '1012 AB' }, 'Kade 9'],
		[{ 'House number and street': '9 Kade', Eircode: 'D01 AB12' }, '9 Kade'],
		[{ 'N° et rue': '9 rue Haute', Ville: 'x' }, '9 rue Haute'],
	])('An import joins the columns %j into one street', async (row, street) => {
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
])('The number under %s beside a street is no house number', async (heading) => {
	const { sent } = await create({ [heading]: '4711', Straat: 'Damrak 1', Plaats: 'x' });
	expect(sent).toEqual({ street: 'Damrak 1', city: 'x' });
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
