import type { IDataObject } from 'n8n-workflow';
import { useScene } from './support/scene';

/** An export of another program. The CRM does not know its owners and tags. */
interface WholeExport {
	rows: IDataObject[];
	/** Unused headings in the preview, with their number of values. */
	left: string;
	/** Begin of the reason of each refused row, by its position. */
	refused: Record<number, RegExp>;
}

const hubSpot = (cells: IDataObject): IDataObject => ({
	...{ 'Record ID': 51, 'First Name': 'Eva', 'Last Name': 'Dam', Email: 'eva@dam.example' },
	...{ 'Phone Number': '', 'Mobile Phone Number': '', 'WhatsApp Phone Number': '' },
	...{ 'Contact owner': '', 'Job Title': ' Inkoper ', 'Lead Status': 'Open', City: 'Utrecht' },
	...{ 'Postal Code': '3511 AB', 'Country/Region': 'Netherlands', 'State/Region': 'Utrecht' },
	...{ 'Original Traffic Source': 'Offline Sources', 'Create Date': '2024-03-01 09:12' },
	...{ 'Number of Associated Deals': '2', 'Additional email addresses': '' },
	...{ 'Street Address': 'Oudegracht 12\u00A0bis', 'Company Name': 'Dam BV' },
	...cells,
});

const google = (cells: IDataObject): IDataObject => ({
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

const dutch = (cells: IDataObject): IDataObject => ({
	...{ Debiteurnr: 10_023, Aanhef: 'Dhr.', 'Voorl.': 'J.P.', Voorvoegsel: 'van der' },
	...{ Achternaam: 'Meer', 'E-mail contactpersoon': 'jp@meer.example; info@meer.example' },
	...{ 'Tel. vast': '0318-612345 / 06-12345678', 'Mob.': '', Doorkiesnummer: '' },
	...{ 'Straat en nr.': "'s-Gravenweg 1", Postcode: '2901 LA', Plaats: 'Capelle a/d IJssel' },
	...{ Landcode: 'NL', Accountmgr: '', Rol: 'Directeur', Trefwoorden: '' },
	...{ Bedrijf: 'Meer & Zn.', Opmerkingen: 'belt liever', IBAN: '' },
	...cells,
});

const EXPORTS: Record<string, WholeExport> = {
	HubSpot: {
		rows: [
			hubSpot({ 'Phone Number': '+31 (0)30 123 45 67', 'WhatsApp Phone Number': '0612345678' }),
			hubSpot({ 'Additional email addresses': 'e.dam@old.example;dam@old.example' }),
			hubSpot({ 'Contact owner': 'Jolanda Peeters' }),
			hubSpot({ Email: 'no e-mail' }),
			hubSpot({ 'Phone Number': 'call only' }),
			hubSpot({ 'Mobile Phone Number': '030-1234567 06-12345678' }),
			hubSpot({ 'Last Name': '', Email: 'info@other.example' }),
		],
		left: 'Record ID (7), Lead Status (7), State/Region (7), Create Date (7), Company Name (7)',
		refused: {
			2: /^Owner \(from "Contact owner"\): no user has the name "Jolanda Peeters"/,
			3: /^Email: expected an e-mail address, got "no e-mail"$/,
			4: /^Phone \(from "Phone Number"\): expected a phone number .*, got "call only"$/,
			5: /^Mobile \(from "Mobile Phone Number"\): .*, got "030-1234567 06-12345678"$/,
			6: /^Family Name is empty, and nobody has the e-mail address "info@other.example"$/,
		},
	},
	'Google Contacts': {
		rows: [
			google({}),
			google({ 'E-mail 1 - Value': 'amir@ozturk.example ::: a.o@mail.example' }),
			google({ 'E-mail 2 - Value': 'amir at mail.example' }),
			google({ 'Phone 2 - Label': 'Home', 'Phone 2 - Value': '.....1234567' }),
			google({ 'E-mail 1 - Value': '' }),
		],
		left: 'Organization Name (5), E-mail 1 - Label (5), E-mail 2 - Label (5), Address 1 - Label (5), Labels (5), Notes (5)',
		refused: {
			2: /^Email \(from "E-mail 2 - Value"\): .*, got "amir at mail.example"$/,
			3: /^Home Phone \(from "Phone 2 - Value"\): .*, got "\.{5}1234567"$/,
			4: /^Email \(from "E-mail 1 - Value"\) is empty$/,
		},
	},
	'a Dutch list': {
		rows: [
			dutch({}),
			dutch({ 'Mob.': '06 - 12 34 56 78', Doorkiesnummer: '010-4567890' }),
			dutch({ Accountmgr: 'Piet (uit dienst)' }),
			dutch({ Trefwoorden: 'relatiegeschenk, beurs' }),
			dutch({ 'Mob.': 'geen' }),
			dutch({ Landcode: '+31', IBAN: 'NL00BANK0123456789' }),
		],
		left: 'Bedrijf (6), Opmerkingen (6), Landcode (1), IBAN (1)',
		refused: {
			2: /^Owner \(from "Accountmgr"\): no user has the name "Piet \(uit dienst\)"/,
			3: /^Tags \(from "Trefwoorden"\): no tag has the title "relatiegeschenk"/,
			4: /^Mobile \(from "Mob\."\): .*, got "geen"$/,
		},
	},
};

const scene = useScene();

it.each(Object.entries(EXPORTS))(
	'The preview of an import from %s names the unused headings, and gives the reason for each refused row',
	async (_, { rows, left, refused }) => {
		const { items, error } = await scene.person(
			'upsert',
			{
				...{ inputMode: 'columns', options: { previewOnly: true } },
				columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] },
			},
			{ input: rows },
		);
		expect(error).toBeUndefined();
		const said = items.map(({ json }) => json);
		expect(said[0].notTaken).toBe(left);
		const reasons = said.flatMap(({ preview, reason }, index) =>
			preview === 'refused' ? [[index, reason]] : [],
		);
		expect(Object.fromEntries(reasons)).toEqual(
			Object.fromEntries(
				Object.entries(refused).map(([index, reason]) => [index, expect.stringMatching(reason)]),
			),
		);
	},
);

it.each(Object.entries(EXPORTS))(
	'An import from %s writes each value, except under headings that the preview names as unused',
	async (_, { rows, left, refused }) => {
		const input = rows.filter((__, index) => !(index in refused));
		const { error } = await scene.person('create', { inputMode: 'columns' }, { input });
		expect(error).toBeUndefined();
		const named = left.split(', ').map((name) => name.replace(/ \(\d+\)$/, ''));
		for (const [index, { body }] of scene.sent().entries()) {
			const written = JSON.stringify(body).toLowerCase();
			for (const [heading, value] of Object.entries(input[index])) {
				if (named.includes(heading)) continue;
				// A label gives only its last word: "Work Fax" is the type "fax".
				const whole = String(value).replace(heading.endsWith('Label') ? /^.* / : '', '');
				const values = whole.split(/ \/ |;|:::/);
				for (const one of values) expect(written).toContain(one.trim().toLowerCase());
			}
		}
	},
);
