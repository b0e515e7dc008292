import type { IDataObject } from 'n8n-workflow';
import { useScene } from './support/scene';

/*
 * What programs of other offices write into headings: plurals in brackets, two lines, and the customer of an order.
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

it.each([
	['Telefoonnummer(s)', 'phoneNumbers'],
	['E-mailadres(sen)', 'emailAddresses'],
	['Phone Number(s)', 'phoneNumbers'],
	['Voorna(a)m(en)', undefined],
])('The plural in brackets of the heading %s does not count', async (heading, field) => {
	const value = field === 'emailAddresses' ? 'ann@lee.example' : '+31 20 5550101';
	const { body } = await created({ 'Last Name': 'Lee', [heading]: value });
	expect(Object.keys(body ?? {})).toEqual(['familyName', ...(field ? [field] : [])]);
});

it.each(['Toev.', 'Huisnr. toev.', 'Huisnummer toev.'])(
	'The heading %s is an addition to the house number',
	async (heading) => {
		const street = { Straat: 'Dorpsstraat', 'Huisnr.': '12', [heading]: 'A', Plaats: 'Delft' };
		const { body } = await created({ ...NAME, ...street });
		expect(body?.address).toMatchObject({ street: 'Dorpsstraat 12 A' });
	},
);

it.each(['Address 1&2 (Billing)', 'Adres 1 + 2', 'Address 1 & 2'])(
	'The heading %s is the street with both lines',
	async (heading) => {
		const place = heading.includes('Billing') ? 'City (Billing)' : 'City';
		const { body } = await created({ ...NAME, [heading]: '8 Mill Lane, Flat 2', [place]: 'York' });
		expect(body?.address).toEqual({ street: '8 Mill Lane, Flat 2', city: 'York' });
	},
);

describe('the customer of an order', () => {
	const billed = {
		...{ 'First Name (Billing)': 'Fatima', 'Last Name (Billing)': 'El Amrani' },
		...{ 'Email (Billing)': 'fatima@amrani.example', 'Phone (Billing)': '0655501440' },
	};
	const shipped = { 'First Name (Shipping)': 'Omar', 'Last Name (Shipping)': 'Smit' };

	it('The person of an order is the customer who gets the invoice', async () => {
		const { body } = await created({ ...shipped, ...billed });
		expect(body).toEqual({
			...{ givenName: 'Fatima', familyName: 'El Amrani' },
			emailAddresses: [{ email: 'fatima@amrani.example' }],
			phoneNumbers: [{ phoneNumber: '0655501440', phoneType: null }],
		});
	});

	it('Beside columns of a person, the customer of the invoice is another person', async () => {
		const { body } = await created({ ...NAME, ...billed });
		expect(body).toEqual({
			...{ givenName: 'Ann', familyName: 'Lee' },
			emailAddresses: [{ email: 'ann@lee.example' }],
		});
	});
});

it('A debtor of DATEV is the person, with the infix and the academic title', async () => {
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

it('A task of Jira keeps its due date and its story points', async () => {
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
