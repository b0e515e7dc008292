import { sleep } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { lapse } from './support/timeLapse';

/* A value is the same wherever the user gives it: as identifier, in a field, in a column or in JSON. */

const scene = useScene();
const [{ id }] = PEOPLE;
const people = () => [...scene.service.store.people.values()];
const created = () => people().slice(PEOPLE.length);
const BY_IDENTIFIER = { options: { matchBy: 'identifier' } };

const byIdentifier = async (matchValue: string, setup: object = {}) =>
	await scene.person('upsert', { matchValue, familyName: 'Jansen', ...BY_IDENTIFIER }, setup);

const byColumn = async (column: string, value: string) =>
	await scene.person(
		'upsert',
		{
			inputMode: 'columns',
			columns: {
				mappingMode: 'autoMapInputData',
				value: null,
				matchingColumns: [column],
				schema: [],
			},
		},
		{ input: [{ [column]: value, familyName: 'Jansen' }] },
	);

const numberOf = (phoneNumber: string) => ({ phoneNumber, phoneType: null });

/** Spellings of one number. A person writes any of these signs between the digits. */
const SPELLINGS = [
	'06·12345678',
	'06•12345678',
	'06∙12345678',
	'06‧12345678',
	'06・12345678',
	'06.12345678',
	'06-12345678',
	'06–12345678',
	'06—12345678',
	'06−12345678',
	'06/12345678',
	"06'123'456'78",
	'06’123’456’78',
	'06\u00A012345678',
	'06\u200912345678',
	'06\u202F12345678',
	'(06)12345678',
	'0612345678',
	'+31·6·12345678',
	'+31(0)6·12345678',
	'0031·6·12345678',
	'０６・１２３４５６７８',
	'tel:06·12345678',
];

describe('a phone number as identifier', () => {
	it.each(sampled(SPELLINGS, 4))(
		'After Create or Update stores the phone number %s, other spellings find the person',
		async (one) => {
			for (const spelling of [one, '06 12345678', '+31612345678']) {
				const { error } = await byIdentifier(spelling);
				expect(error?.message).toBeUndefined();
			}
			expect(created()).toHaveLength(1);
			const [{ networkId, phoneNumbers }] = created();
			expect(networkId).toBeNull();
			expect(phoneNumbers).toHaveLength(1);
			expect(phoneNumbers[0]!.phoneNumber!.normalize('NFKC').replace(/\D/g, '')).toMatch(
				/12345678$/,
			);
		},
	);

	it.each(sampled(['06·12345678', '06•12345678', "06'12345678"], 3))(
		'An hour later, the number "06 12345678" finds the person created with %s',
		async (rare) => {
			await byIdentifier(rare);
			await lapse(sleep(60 * 60_000));
			await byIdentifier('06 12345678');
			expect(created().map(({ phoneNumbers }) => phoneNumbers)).toEqual([
				[numberOf('06 12345678')],
			]);
		},
	);

	it.each(['12345', '123456', '1234567'])(
		'Create or Update stores the identifier %s, up to seven digits, as Network ID',
		async (digits) => {
			for (const value of [digits, ` ${digits} `]) await byIdentifier(value);
			expect(created()).toMatchObject([{ networkId: digits, phoneNumbers: [] }]);
		},
	);

	it.each(['12345678', '+12345', '12 345'])(
		'Create or Update stores the identifier %s as phone number, not as Network ID',
		async (value) => {
			await byIdentifier(value);
			expect(created()).toMatchObject([
				{ networkId: null, phoneNumbers: [{ phoneNumber: value }] },
			]);
		},
	);
});

/** Spellings of one number with an extension. */
const EXTENDED = [
	'020 1234567 x12',
	'0201234567x12',
	'020 1234567 X 12',
	'020-1234567 ext. 12',
	'020 1234567 ext 12',
	'0201234567 EXT.12',
	'020 1234567 extension 12',
	'020/1234567 toestel 12',
	'020 1234567 Toestel 12',
	'020 1234567 tst. 12',
	'+31 20 1234567 x12',
	'+31 (0)20 1234567 ext. 12',
	'+31 20 1234567 Durchwahl 12',
	'0201234567 poste 12',
];

describe('a phone number with an extension', () => {
	const PLACES: Record<
		string,
		(value: string) => Promise<{ error?: { message: string } | undefined }>
	> = {
		'as Identifier': byIdentifier,
		'in a column Phone to match on': async (value) => await byColumn('phone', value),
		'in the field Phone of Create': async (phone) =>
			await scene.person('create', { familyName: 'Jansen', phone }),
		'in Phone Numbers of Create': async (value) =>
			await scene.person('create', {
				familyName: 'Jansen',
				additionalFields: { phoneNumbers: value },
			}),
		'in a column Phone of Create': async (phone) =>
			await scene.person(
				'create',
				{ inputMode: 'columns' },
				{ input: [{ phone, familyName: 'Jansen' }] },
			),
		'in JSON of Create': async (value) =>
			await scene.person('create', {
				inputMode: 'json',
				jsonBody: JSON.stringify({ familyName: 'Jansen', phoneNumbers: [numberOf(value)] }),
			}),
	};

	it.each(Object.entries(PLACES))(
		'The node stores a number with an extension, given %s, as a phone number',
		async (_, write) => {
			for (const spelling of sampled(EXTENDED, 7)) {
				for (const person of created()) scene.service.store.people.delete(person.id);
				const { error } = await write(spelling);
				expect(error?.message).toBeUndefined();
				expect(created()).toMatchObject([
					{ networkId: null, phoneNumbers: [{ phoneNumber: spelling }] },
				]);
			}
		},
	);

	it.each(sampled(EXTENDED, 20))(
		'Add Phone Number adds %s once, and another extension as a second number',
		async (one) => {
			scene.change('people', id, { phoneNumbers: [] });
			const add = async (phoneNumber: string) =>
				await scene.person('addPhoneNumber', {
					...{ personId: locator(id), phoneNumber, phoneType: 'work' },
				});
			for (const spelling of [one, ...sampled(EXTENDED, 7)]) {
				const { error } = await add(spelling);
				expect(error?.message).toBeUndefined();
			}
			const held = () => scene.service.store.people.get(id)!.phoneNumbers;
			expect(held()).toEqual([{ phoneNumber: one, phoneType: 'work' }]);
			await add(one.replace(/12$/, '13'));
			expect(held()).toHaveLength(2);
		},
	);

	it.each(sampled(EXTENDED, 20))(
		'The spelling %s finds a person with "0201234567x12", as Identifier and in a column',
		async (one) => {
			await byIdentifier('0201234567x12');
			await byColumn('phone', one);
			await byIdentifier(one);
			expect(created().map(({ phoneNumbers }) => phoneNumbers)).toEqual([
				[numberOf('0201234567x12')],
			]);
			await byIdentifier(one.replace(/12$/, '13'));
			await byColumn('phone', '0201234567');
			expect(created()).toHaveLength(3);
		},
	);

	it.each(sampled(['0201234567 x12', '0201234567x12', '+31201234567 x12', '+31201234567x12'], 4))(
		'If the service compares exactly, each spelling finds the person with %s',
		async (phoneNumber) => {
			scene.service.switches.comparison = 'exact';
			scene.change('people', id, { phoneNumbers: [{ phoneNumber, phoneType: 'work' }] });
			for (const spelling of sampled(EXTENDED, 7)) {
				const { items, error } = await byIdentifier(spelling);
				expect(error).toBeUndefined();
				expect(items).toMatchObject([{ json: { id } }]);
			}
			expect(created()).toEqual([]);
		},
	);
});

/** Texts that tables hold in place of a value. */
const PLACEHOLDERS = [
	...['k.A.', 'keine Angabe', '#REF!', '0000000000', 'tbd', '(blank)', 'geen.', 'onbekend.'],
	...['[object Object]', 'https://www.linkedin.com/in/', 'n/a', '-', '.', 'NULL', 'NaN', '\\N'],
	...['K.A', 'KEINE ANGABE', '#N/A', '+00 000 000', 'T.B.D.', '<blank>', 'Geen', '"onbekend"'],
	...['linkedin.com/in', 'N.V.T.', '—', '...', 'null', '<null>', '1111111111'],
	...['n/a@n/a', 'geen@geen.nl', '?', '#WERT!', 'http://linkedin.com', 'none', 'Nil'],
];

describe('a placeholder', () => {
	it.each(sampled(PLACEHOLDERS, 40))(
		'Create or Update refuses three rows matched by the placeholder %s, and sends nothing',
		async (one) => {
			const rows = ['Alpha', 'Beta', 'Gamma'].map((familyName) => ({ one, familyName }));
			const value = '={{ $json.one }}';
			const given = { email: value, matchValue: value, familyName: '={{ $json.familyName }}' };
			const columnsOf = (column: string) => ({
				inputMode: 'columns',
				columns: {
					mappingMode: 'defineBelow',
					value: { [column]: value, familyName: '={{ $json.familyName }}' },
					matchingColumns: [column],
					schema: [],
				},
			});
			const ways: Array<[string, object]> = [
				['Identifier', { ...given, ...BY_IDENTIFIER }],
				['Email', given],
				['Email', columnsOf('email')],
				['Phone', columnsOf('phone')],
				['Network ID', columnsOf('networkId')],
			];
			for (const [label, parameters] of ways) {
				const setup = { input: rows, onError: 'continueErrorOutput' as const };
				const { errorItems } = await scene.person('upsert', parameters, setup);
				expect(errorItems.map(({ json }) => json.error)).toEqual(
					// A cell with a placeholder counts as blank.
					rows.map(() => expect.stringMatching(new RegExp(`^${label}(: expected an? | is ")`))),
				);
				const { error } = await scene.person('upsert', parameters, { input: rows });
				expect(error?.description).toMatch(/Correct the (value|address)|Give the .* to look for/);
			}
			expect(scene.requests()).toEqual([]);
		},
	);
});

describe('a text that programs write with different Unicode characters', () => {
	it.each(['NFC', 'NFD'] as const)(
		'Create or Update changes no name that differs only in Unicode form (record: %s)',
		async (form) => {
			const [{ id, emailAddresses }] = PEOPLE;
			const address = { city: 'Köln'.normalize(form) };
			scene.change('people', id, { givenName: 'Zoë'.normalize(form), address });
			for (const other of ['NFC', 'NFD']) {
				const additionalFields = {
					givenName: 'Zoë'.normalize(other),
					address: { city: 'Köln'.normalize(other) },
				};
				const { items } = await scene.person('upsert', {
					email: emailAddresses[0].email,
					additionalFields,
				});
				expect(items[0].json).toMatchObject({ result: 'unchanged', changes: {} });
			}
			expect(scene.writes()).toEqual([]);
		},
	);
});
