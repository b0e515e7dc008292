import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE } from './support/seeded';

const scene = useScene();

/** For each field of a row: a wrong value, a right one, and the beginning of the message. */
const FIELDS = {
	email: ['nope', 'eva@new.example', 'Email: expected an e-mail address'],
	phone: ['abc', '+31612345678', 'Phone: expected a phone number'],
	dealSize: ['many', '12', 'Deal Size: expected'],
	owner: ['../b', `/users/${PEOPLE[0].id}`, 'Owner: expected an ID'],
	archivedAt: ['tomorrow', '2026-12-31T17:00:00Z', 'Archived At: expected'],
} as const;
type Name = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Name[];

/** Rows with each choice of wrong fields. */
const ROWS = Array.from({ length: 2 ** NAMES.length }, (_, bits) => {
	const wrong = NAMES.filter((_name, index) => bits & (1 << index));
	const cells = NAMES.map((name) => [name, FIELDS[name][wrong.includes(name) ? 0 : 1]]);
	return { wrong, row: { familyName: 'Jansen', ...Object.fromEntries(cells) } };
});

const body =
	'={{ { familyName: "x", emailAddresses: [{ email: $json.email }], phoneNumbers: [{ phoneNumber: $json.phone, phoneType: "mobile" }], dealSize: $json.dealSize === "12" ? 12 : $json.dealSize, owner: $json.owner, archivedAt: $json.archivedAt } }}';
const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: [], schema: [] };
const given = (name: string) => `={{ $json.${name} }}`;
const parameters = {
	email: given('email'),
	familyName: 'Jansen',
	phone: given('phone'),
	additionalFields: {
		dealSize: given('dealSize'),
		owner: locator(given('owner')),
		archivedAt: given('archivedAt'),
	},
};

itInCi.each([
	['create', 'parameters', { inputMode: 'fields', ...parameters }],
	['create', 'columns', { inputMode: 'columns', columns }],
	['create', 'JSON', { inputMode: 'json', jsonBody: body }],
	['upsert', 'parameters', { inputMode: 'fields', ...parameters }],
	['upsert', 'columns', { inputMode: 'columns', columns }],
] as const)(
	'The operation %s reports all mistakes of a row together (values in %s)',
	async (operation, _, own) => {
		const { items } = await scene.person(
			operation,
			{ ...own, options: { previewOnly: true } },
			{ input: ROWS.map(({ row }) => row) },
		);
		for (const [index, { wrong }] of ROWS.entries()) {
			const { preview, reason, parameter } = items[index].json;
			const told = (reason ?? '') as string;
			expect([index, preview]).toEqual([index, wrong.length > 0 ? 'refused' : 'create']);
			for (const name of NAMES) {
				const [value, , message] = FIELDS[name];
				const [label = '', expected = ''] = message.split(': ');
				const isTold = told
					.split('; ')
					.some(
						(one) => one.includes(expected) && one.includes(label) && one.includes(`"${value}"`),
					);
				expect([index, name, isTold]).toEqual([index, name, wrong.includes(name)]);
			}
			if (wrong.length > 0) {
				expect(parameter).toEqual(expect.stringMatching(/./));
				expect(told.startsWith(String(parameter))).toBe(true);
			}
			expect(told.split('; ')).toHaveLength(Math.max(1, wrong.length));
		}
		expect(scene.writes()).toEqual([]);
	},
);

it('One error names both a wrong e-mail address and a missing family name', async () => {
	const { errorItems } = await scene.person(
		'create',
		{ email: 'nope', familyName: given('none') },
		{ onError: 'continueErrorOutput' },
	);
	expect(errorItems[0].json).toMatchObject({
		error: expect.stringMatching(
			/^Email: expected .*, got "nope"; Family Name is empty$/,
		) as string,
		details: { parameter: 'Email', howToGoOn: expect.stringMatching(/\. Enter a value/) as string },
	});
});

it('Update reports a wrong person and a wrong value in one error', async () => {
	const { error } = await scene.person('update', {
		personId: locator('a/b'),
		updateFields: { dealSize: 'many' },
	});
	expect(error?.message).toMatch(/^Deal Size: expected .*; Person: expected an ID/);
	expect(scene.requests()).toEqual([]);
});

describe('the row in the message of a run that stops', () => {
	const people = ['Eva Jansen', 'Jan Smit', '', 'Zoë Blom'].map((name, index) => ({
		'First Name': name.split(' ')[0],
		Surname: name === '' ? 'x' : name.split(' ')[1],
		'E-mail': `p${index}@new.example`,
	}));
	const byParameter = {
		inputMode: 'fields',
		email: '={{ $json["E-mail"] }}',
		familyName: '={{ $json.Surname }}',
		additionalFields: { givenName: '={{ $json["First Name"] }}' },
	};

	it.each([
		['columns', { inputMode: 'columns', columns }],
		['parameters', byParameter],
	])('With a bad value in %s, the error names row number and person', async (_, own) => {
		for (const [index, { 'First Name': given = '', Surname }] of people.entries()) {
			const input = people.map((row, at) => (at === index ? { ...row, 'E-mail': 'nope' } : row));
			const { error } = await scene.person('create', own, { input });
			expect(error?.message).toContain(
				`got "nope" [row ${index + 1}: ${`${given} ${Surname}`.trim()}] (0 of 4 items done`,
			);
			// n8n's editor adds "[item 0]" if it finds the index, which it counts from 0.
			expect(JSON.stringify(error?.context)).not.toContain('itemIndex');
		}
	});

	it('The error message for a single item names no row', async () => {
		const { error } = await scene.person('create', { email: 'nope', familyName: 'x' });
		expect(error?.message).toMatch(/got "nope"$/);
	});
});
