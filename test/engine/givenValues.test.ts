import { pick } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import type { NodeSetup } from './support/runNode';
import { useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';

const scene = useScene();
const [{ id }] = PEOPLE;
const personId = locator(id);
const email = 'eva@bos.example';
const HELD = {
	emailAddresses: [{ email }],
	phoneNumbers: [{ phoneNumber: '020 1234567', phoneType: 'work' }],
};

/** Operations that take JSON, with parameters beside it. */
const JSON_WAYS: Array<[string, object]> = [
	['create', {}],
	['update', { personId }],
	['replace', { personId }],
	['upsert', { email }],
	['upsert', { email, options: { replaceLists: Object.keys(HELD) } }],
];

describe('an entry without its address or number', () => {
	const BLANKS = [
		'{ emailAddresses: [{ email: $json.none }] }',
		'{ emailAddresses: [{ email: null }], phoneNumbers: [{ phoneNumber: " ", phoneType: "home" }] }',
		'{ emailAddresses: [{ email: "" }, null, {}] }',
		'{ emailAddresses: [{}], phoneNumbers: [{}] }',
		'{ emailAddresses: [null], phoneNumbers: [null] }',
		'{ phoneNumbers: [{ phoneNumber: $json.none, phoneType: $json.none }] }',
	];
	it.each(
		sampled(
			BLANKS.flatMap((body) => JSON_WAYS.map(([one, more]) => [one, body, more] as const)),
			5,
		),
	)(
		'The operation %s ignores a list of blank entries in JSON: %s',
		async (operation, body, more) => {
			scene.change('people', id, structuredClone(HELD));
			const jsonBody = `={{ Object.assign({ familyName: "Bos" }, ${body}) }}`;
			const parameters = { ...more, inputMode: 'json', jsonBody };
			const { error } = await scene.person(operation, parameters, { input: [{ a: 1 }] });
			expect(error?.message).toBeUndefined();
			expect(scene.writes()).toMatchObject([{ body: { familyName: 'Bos' } }]);
			expect(Object.keys(scene.writes()[0].body as object)).toEqual(['familyName']);
		},
	);

	it('Update leaves out blank entries in JSON, but an empty list empties the field', async () => {
		const jsonBody =
			'={{ { emailAddresses: [{ email: $json.none }, { email: "b@bos.example" }] } }}';
		const input = [{ a: 1 }];
		await scene.person('update', { personId, inputMode: 'json', jsonBody }, { input });
		expect(scene.writes()[0].body).toEqual({ emailAddresses: [{ email: 'b@bos.example' }] });
		scene.clear();
		const empty = '{ "emailAddresses": [] }';
		await scene.person('update', { personId, inputMode: 'json', jsonBody: empty });
		expect(scene.writes()[0].body).toEqual({ emailAddresses: [] });
	});

	it('Update refuses an e-mail entry in JSON with "mail" instead of "email"', async () => {
		const jsonBody = '{ "emailAddresses": [{ "mail": "b@bos.example" }] }';
		const { error } = await scene.person('update', { personId, inputMode: 'json', jsonBody });
		expect(error?.message).toBe(
			'Email Addresses: expected entries with "email", got {"mail":"b@bos.example"}',
		);
		expect(scene.requests()).toEqual([]);
	});
});

describe('a value that is undefined', () => {
	const input = [{ a: 1 }];
	it.each([
		['{ jobTitle: $json.none }'],
		['{ address: { city: $json.none } }'],
		['{ owner: $json.none, tags: [$json.none], dealSize: undefined }'],
	])('An update leaves out a member of JSON Body that is undefined: %s', async (body) => {
		scene.change('people', id, { jobTitle: 'CFO', address: { city: 'Ede' } });
		for (const options of [{ previewOnly: true }, { tellChanges: true }]) {
			const parameters = { personId, inputMode: 'json', jsonBody: `={{ ${body} }}`, options };
			const { items, error } = await scene.person('update', parameters, { input });
			expect(error?.message).toBeUndefined();
			expect(items[0].json).toMatchObject({ changes: {} });
			expect(items[0].json.preview ?? items[0].json.result).toBe('unchanged');
			expect(items[0].json).not.toHaveProperty('note');
		}
		expect(scene.writes()).toEqual([]);
	});

	it.each(['create', 'replace'])(
		'The operation %s refuses a required member of JSON Body that is undefined',
		async (operation) => {
			const jsonBody = '={{ { familyName: $json.none, jobTitle: "CFO" } }}';
			const parameters = { personId, inputMode: 'json', jsonBody };
			const { error } = await scene.person(operation, parameters, { input });
			expect(error?.message).toBe('Family Name is empty');
			expect(scene.requests()).toEqual([]);
		},
	);
});

describe('a field whose expression gives nothing', () => {
	const NAMES = 'phoneNumbers emailAddresses tags segments organizations address owner jobTitle';
	it.each(NAMES.split(' ').flatMap((name) => ['null', '$json.none'].map((is) => [name, is])))(
		'An update leaves out a field whose expression gives nothing: %s as %s',
		async (name, value) => {
			const updateFields = { [name]: `={{ ${value} }}`, givenName: 'Eva' };
			const setup = { input: [{ a: 1 }] };
			const { error } = await scene.person('update', { personId, updateFields }, setup);
			expect(error?.message).toBeUndefined();
			expect(scene.writes()).toMatchObject([{ body: { givenName: 'Eva' } }]);
			expect(Object.keys(scene.writes()[0].body as object)).toEqual(['givenName']);
		},
	);
});

describe('a list of entries as text', () => {
	it.each<[string, unknown]>([
		['{"email":"b@bos.example"}', [{ email: 'b@bos.example' }]],
		['[{"email":"b@bos.example"}]', [{ email: 'b@bos.example' }]],
		['["b@bos.example"]', [{ email: 'b@bos.example' }]],
		['b@bos.example; c@bos.example', [{ email: 'b@bos.example' }, { email: 'c@bos.example' }]],
	])('Create reads the list of e-mail addresses in the text %s', async (text, emailAddresses) => {
		const additionalFields = { emailAddresses: '={{ $json.text }}' };
		const parameters = { familyName: 'Bos', additionalFields };
		const { error } = await scene.person('create', parameters, { input: [{ text }] });
		expect(error?.message).toBeUndefined();
		expect(scene.writes()).toMatchObject([{ body: { emailAddresses } }]);
	});
});

describe('a table without a usable column', () => {
	const many = Object.fromEntries(Array.from({ length: 13 }, (_, nth) => [`Zz${nth}`, 'x']));
	const list = (count: number) => Object.keys(many).slice(0, count).join(', ');

	it.each<[string, IDataObject, string]>([
		['no column', {}, 'the item is empty'],
		['one column', { Zz0: 'x' }, 'the item has Zz0'],
		['twelve columns', pick(many, Object.keys(many).slice(0, 12)), `the item has ${list(12)}`],
		['thirteen columns', many, `the item has ${list(12)} …`],
	])('For a table with %s, the refusal names the columns', async (_, row, got) => {
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const parameters = { inputMode: 'columns', columns };
		const { error } = await scene.person('create', parameters, { input: [row] });
		expect(error?.message).toBe(`Columns: none of the item has a name of the CRM; ${got}`);
		expect(error?.description).toMatch(/^Name its columns as here: .*familyName/);
		expect(scene.requests()).toEqual([]);
	});

	it.each([null, undefined, {}])(
		'If a mapping by hand is saved as %j, Create asks for the name',
		async (value) => {
			const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] };
			const { error } = await scene.person('create', { inputMode: 'columns', columns });
			expect(error?.message).toBe('Family Name is empty');
			expect(scene.requests()).toEqual([]);
		},
	);
});

describe('columns that the editor would not offer', () => {
	const columnsOf = (value: object, matchingColumns: string[] = []) => ({
		inputMode: 'columns',
		columns: { mappingMode: 'defineBelow', value, matchingColumns, schema: [] },
	});
	const run = async (operation: string, parameters: object, setup: Partial<NodeSetup> = {}) =>
		await scene.person(operation, { personId, ...parameters }, setup);

	it.each(['customerId', 'familyName', 'tags', 'constructor', 'nope'])(
		'Create or Update refuses the column %s as Column to Find People By',
		async (column) => {
			const value = { familyName: 'Bos', customerId: 'C-1', tags: TAGS[0], [column]: 'C-1' };
			const { error } = await run('upsert', columnsOf(value, [column]));
			expect(error?.message).toBe(
				`Column to Find People By: expected one of email, phone, mobile, networkId, got "${column}"`,
			);
			expect(scene.requests()).toEqual([]);
		},
	);

	it.each(['create', 'update'])(
		'The operation %s notes hand-mapped columns that the CRM does not have',
		async (operation) => {
			const value = { familyName: 'Bos', 'Last name': 'Dam', klantnr: 'x', blank: ' ' };
			const note =
				'"Last name" is no column of the CRM and is left out. "klantnr" is no column of the CRM and is left out';
			for (const options of [{ previewOnly: true }, {}]) {
				const { items, error } = await run(operation, { ...columnsOf(value), options });
				expect(error?.message).toBeUndefined();
				expect(items[0].json.note).toBe(note);
			}
			expect(scene.writes()).toMatchObject([{ body: { familyName: 'Bos' } }]);
		},
	);
});
