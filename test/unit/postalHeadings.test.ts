import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { Headings } from '../../nodes/ContactTaskCrm/tables/headings';
import { fieldsOf } from '../../nodes/ContactTaskCrm/schema/record';

const people = new Headings(fieldsOf(contracts.person, 'create'));
const PARTS = ['street', 'postalCode', 'city', 'country'];

/**
 * Returns the headings that give the parts of the address: street, postal code, city and country, with "|" between them. A
 * heading has the value "x", or the text after "=".
 */
function address(text: string): string {
	const row = Object.fromEntries(
		text.split('; ').map((cell): [string, string] => {
			const [heading = '', value = 'x'] = cell.split('=');
			return [heading, value];
		}),
	);
	const taken = people.take(Object.keys(row), (heading) => row[heading] ?? '');
	const shown = PARTS.map((part) => {
		const {
			best = [],
			inFront = [],
			further = [],
		} = taken.find(({ column }) => column.name === part) ?? {};
		return [...inFront, ...best.slice(0, 1), ...further].join(' + ');
	});
	return shown.join(' | ').trim();
}

describe('the street of an address', () => {
	it.each([
		['Address; Address 2; City', 'Address + Address 2 |  | City |'],
		['Address1; Address2; Zip', 'Address1 + Address2 | Zip |  |'],
		[
			'Home Address 1; Home Address 2; Home City',
			'Home Address 1 + Home Address 2 |  | Home City |',
		],
		['Work Address; City; Zip', 'Work Address | Zip | City |'],
		['Address Line 1; Address Line 2; City', 'Address Line 1 + Address Line 2 |  | City |'],
		['Adresse; Adresse 2; Ville', 'Adresse + Adresse 2 |  | Ville |'],
		['Adres; Adresregel 2; Plaats', 'Adres + Adresregel 2 |  | Plaats |'],
		[
			'Business Street; Business Street 2; Business City',
			'Business Street + Business Street 2 |  | Business City |',
		],
		['Straat; Nummer; Bus; Gemeente', 'Straat + Nummer + Bus |  | Gemeente |'],
		['Straat; Nr; Plaats', 'Straat + Nr |  | Plaats |'],
		['Straat; Huisnr; Huisletter; Toevoeging', 'Straat + Huisnr + Huisletter + Toevoeging |  |  |'],
		['Straat; Toevoeging; Huisnummer', 'Straat + Huisnummer + Toevoeging |  |  |'],
		['Huisnummer; Straat', 'Straat + Huisnummer |  |  |'],
		['Street number; Street name; City', 'Street number + Street name |  | City |'],
		['Street name; House number; City', 'Street name + House number |  | City |'],
		['Numéro; Rue; Boîte; Ville', 'Numéro + Rue + Boîte |  | Ville |'],
		['N°; Rue', 'N° + Rue |  |  |'],
		['Straße; Hausnummer; Adresszusatz', 'Straße + Hausnummer + Adresszusatz |  |  |'],
		['Nr; Voornaam; Straat; Plaats', 'Straat |  | Plaats |'],
		['Nr; Straat; Huisnummer', 'Straat + Huisnummer |  |  |'],
		['Bus; Telefoon; Straat', 'Straat |  |  |'],
		['Postbus; Straat', 'Straat |  |  |'],
		['Huisnummer; Plaats', '|  | Plaats |'],
		['Straat; Adresregel 1; Adres; Plaats', 'Straat |  | Plaats |'],
		['Address', '|  |  |'],
		['Postnummer; Mailing Country', '| Postnummer |  | Mailing Country'],
	])(
		'From the headings %s, an import takes street, postal code, city, country: %s',
		(row, expected) => {
			expect(address(row)).toBe(expected.trim());
		},
	);
});

describe('one of several addresses', () => {
	it.each([
		['Street; City; Street 2; City 2', 'Street |  | City |'],
		['Straat; Straat 2; Postcode 2', 'Straat |  |  |'],
		[
			'Address 1 - Street; Address 1 - City; Address 2 - Street; Address 2 - City',
			'Address 1 - Street |  | Address 1 - City |',
		],
		[
			'Address 1 - Street=; Address 1 - City=; Address 2 - Street; Address 2 - City',
			'Address 2 - Street |  | Address 2 - City |',
		],
		[
			'Address 1: Street 1; Address 1: Street 2; Address 1: City; Address 2: Street 1; Address 2: City',
			'Address 1: Street 1 + Address 1: Street 2 |  | Address 1: City |',
		],
		[
			'Alternate Address Street; Alternate Address City; Primary Address Street',
			'Primary Address Street |  |  |',
		],
		[
			'Shipping Street; Shipping City; Billing Street; Billing City',
			'Billing Street |  | Billing City |',
		],
		['Factuuradres straat; Factuuradres plaats; Straat; Plaats', 'Straat |  | Plaats |'],
		[
			'Lieferadresse Ort; Rechnungsadresse Straße; Rechnungsadresse Ort',
			'Rechnungsadresse Straße |  | Rechnungsadresse Ort |',
		],
		[
			'Adresse de livraison; Adresse de facturation; Ville de facturation',
			'Adresse de facturation |  | Ville de facturation |',
		],
		['Home Street; Home City; Business Street; Business City', 'Home Street |  | Home City |'],
		[
			'Other Street; Other City; Mailing Street; Mailing City',
			'Mailing Street |  | Mailing City |',
		],
		['Home Street; Home City=; Business Street; Business City', 'Home Street |  |  |'],
		['Home Street; Business Street; City', '|  | City |'],
		['Home Street; Home City; Country', 'Home Street |  | Home City | Country'],
		['Home Street; Home Country; Country', 'Home Street |  |  | Home Country'],
		['City; Street=; Billing Street; Billing City=', '|  | City |'],
		['Mailing Country', '|  |  | Mailing Country'],
		['Home Country; Business Country', '|  |  | Home Country'],
	])('Of several addresses in the columns %s, an import takes %s', (row, expected) => {
		expect(address(row)).toBe(expected.trim());
	});
});

it.each([
	['Country; Country Code', 'Country Code'],
	['Country; Country Code=', 'Country'],
	['Country; Country Code=+31', 'Country'],
	['Land; Landcode', 'Landcode'],
	['Country/Region', 'Country/Region'],
])('From the headings (and cells) %s, an import takes the country under %s', (row, expected) => {
	expect(address(row)).toBe(`|  |  | ${expected}`);
});

it('An import finds one address among 500 address headings within a second', () => {
	const names = Array.from({ length: 100 }, (_, index) => [
		...[`Address ${index} - Street`, `City ${index}`, 'Nr'.padEnd(index, ' ')],
		...[`Straat ${index}`, `Home Address ${index}`],
	]).flat();
	const startedAt = Date.now();
	expect(address(names.join('; '))).not.toBe('');
	expect(Date.now() - startedAt).toBeLessThan(1_000);
});
