/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the files to import */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, WORKSPACES } from './support/seeded';

/*
 * Each file of `imports/` goes through the built node. The files are modelled on real exports, and each stands for a kind
 * of fault. Only `npm start -- --run` can show the faults of four files: `host/embedded.test.mjs` tests them.
 */

const FOLDER = path.join(__dirname, 'imports');
const OF_THE_COMMAND = ['23', '24', '25', '26'];
const [jan, eva] = PEOPLE;
const EVA = 'eva@vos.example';
const KADE = { street: 'Kade 1', postalCode: '2611 AA', city: 'Delft', country: 'NL' };
const DAMRAK = { street: 'Damrak 1', postalCode: '1012 LG', city: 'Amsterdam' };
const emails = (...all: string[]) => ({ emailAddresses: all.map((email) => ({ email })) });

/** What becomes of a row. */
interface Outcome {
	/** Who is updated; absent for a new record. */
	who?: 'Jan' | 'Eva';
	/** Body of the write; absent if the row writes nothing. */
	sent?: IDataObject;
	note?: RegExp;
	refused?: RegExp;
	notTaken?: string[];
}

const phone = (phoneNumber: string, phoneType: string | null = null) => ({
	phoneNumber,
	phoneType,
});

/** Outcomes of the rows of each file, by its number. */
const OUTCOMES: Record<string, Outcome[]> = {
	'01': [
		{
			who: 'Eva',
			notTaken: ['First Name', 'Last Name', 'Email', 'Phone'].map((name) => `Contact 2 ${name}`),
		},
	],
	'02': [
		{
			sent: {
				...{ givenName: 'Jan', familyName: 'de Vries', address: DAMRAK },
				...emails('jan@work.example'),
			},
			notTaken: ['1 - Label', '2 - Label', '2 - Street', '2 - City', '2 - Postal Code'].map(
				(name) => `Address ${name}`,
			),
		},
	],
	'02b': [{ who: 'Eva', notTaken: ['Straat 2', 'Postcode 2', 'Plaats 2'] }],
	'03': [
		{
			sent: {
				...{ givenName: 'Sue', familyName: 'Suite', ...emails('sue@s.example') },
				address: { street: 'Kade 1', postalCode: '2611 AA', city: 'Delft' },
			},
			notTaken: ['Street', 'City', 'Postal Code'].map((name) => `Alternate Address ${name}`),
		},
	],
	'04': [
		{
			sent: {
				...{ givenName: 'Jan', familyName: 'de Vries', ...emails('jan@work.example') },
				address: { ...DAMRAK, country: 'NL' },
			},
		},
	],
	'05': [{ who: 'Eva', sent: emails(EVA, 'eva@new.example') }],
	'06': [{ who: 'Jan', note: /eva@vos\.example belongs to Eva Vos and is left out/ }],
	'07': [
		{ sent: { givenName: 'Jan', familyName: 'de Vries', ...emails('fam@x.example') } },
		{ refused: /belongs to Jan de Vries; the row names Sanne Jansen/ },
	],
	'08': [{ who: 'Eva', note: /"n\/a" counts as blank/ }],
	'09': [{ who: 'Eva', sent: emails(EVA, 'e2@vos.example') }],
	'10': [{ who: 'Eva', note: /is taken as "eva@vos\.example"/ }],
	'11': [
		{
			sent: {
				...{ givenName: 'Bob', familyName: 'Fox', ...emails('bob@x.example') },
				...{ phoneNumbers: [phone('31612345678')], address: { postalCode: '1012' } },
				customerId: '1001.0',
			},
		},
	],
	'12': [
		{
			sent: {
				...{ givenName: 'Ann', familyName: 'Lee', ...emails('ann@x.example') },
				...{ phoneNumbers: [phone('+31612345678')], address: { postalCode: '01012' } },
				...{ customerId: '000123', jobTitle: 'CEO' },
			},
		},
	],
	'13': [{ who: 'Eva', note: /"NULL" counts as blank/ }],
	'14': [{ refused: /^Organizations: expected .* got "Acme"$/ }],
	'15': [{ refused: /^Parent Task .* got "WEB-1"$/ }],
	'16': [
		{ refused: /expected an amount .* because it may mean decimals, got "1\.500"$/ },
		{ sent: { title: 'Small deal', status: COLUMNS[0], dealSizeEstimation: 1500 } },
		{ refused: /expected an amount such as .*, got "high"$/ },
	],
	'17': [
		{ sent: { givenName: 'Jan', familyName: 'de Vries', ...emails('jan@x.example') } },
		{
			sent: { givenName: 'Piet', familyName: 'Bos', ...emails('piet@x.example') },
			note: /"Bos, P\." is taken as "Bos"/,
		},
	],
	'18': [
		{
			sent: {
				...{ givenName: 'Jan', initials: 'J.', additionalName: 'van der', familyName: 'Berg' },
				...emails('jan@x.example'),
			},
		},
	],
	'20': [
		{
			sent: {
				...{ familyName: 'Smit', ...emails('jan@x.example') },
				address: { street: 'Main 1 Apt 4', city: 'Delft', postalCode: '2611 AA' },
			},
		},
	],
	'21': [
		{
			sent: {
				...{ givenName: 'Jan', familyName: 'Janssens', ...emails('jan@t.example') },
				address: { street: 'Wetstraat 16 3', postalCode: '1000', city: 'Brussel' },
			},
		},
	],
	'22': [
		{
			who: 'Eva',
			sent: {
				phoneNumbers: [
					...['06-11111111', '06-22222222', '06-33333333'].map((one) => phone(one, 'mobile')),
					...['020-1111111', '020-2222222'].map((one) => phone(one, 'work')),
				],
			},
		},
	],
	'27': [
		{
			sent: {
				...{ givenName: 'Ann', familyName: 'Lee' },
				...emails('ann@x.example', 'ann2@x.example'),
			},
		},
	],
	'28': [{ who: 'Eva', sent: { segments: [`/segments/${SEGMENTS[0]}`] } }],
};

/** Returns the rows of a file as n8n reads them: a value for each heading. */
function rowsOf(file: string): IDataObject[] {
	const text = readFileSync(path.join(FOLDER, file), 'utf8');
	const delimiter = /^[^\n]*;/.test(text) ? ';' : ',';
	return parse(text, { columns: true, delimiter, skip_empty_lines: true }) as IDataObject[];
}

const scene = useScene();

beforeEach(() => {
	scene.change('people', jan.id, {
		...{ givenName: 'Jan', familyName: 'Smit', archivedAt: null, ...emails('info@acme.example') },
	});
	scene.change('people', eva.id, {
		...{ givenName: 'Eva', familyName: 'Vos', jobTitle: 'Chef', customerId: 'C1' },
		...{ archivedAt: null, ...emails(EVA), phoneNumbers: [], address: KADE },
		...{ tags: [], segments: [], organizations: [] },
	});
	scene.change('segments', SEGMENTS[0], { title: 'B2B' });
	const [workspace] = WORKSPACES;
	const [todo, ...others] = workspace.columns;
	const columns = [{ ...todo, title: 'Todo' }, ...others];
	scene.change('workspaces', workspace.id, { title: 'Workspace 0', columns });
});

const importOf = async (file: string, options: object = {}) => {
	const isTask = file.includes('task');
	const parameters = {
		inputMode: 'columns',
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] },
		options,
	};
	return await scene[isTask ? 'task' : 'person'](isTask ? 'create' : 'upsert', parameters, {
		input: rowsOf(file),
		onError: 'continueRegularOutput',
	});
};

const files = readdirSync(FOLDER).map((file): [string, string] => [
	file.slice(0, file.indexOf('-')),
	file,
]);

it('Each file of imports/ has a test of its rows', () => {
	const tested = [...Object.keys(OUTCOMES), ...OF_THE_COMMAND].sort();
	expect(files.map(([number]) => number).sort()).toEqual(tested);
});

describe.each(
	sampled(
		files.filter(([number]) => !OF_THE_COMMAND.includes(number)),
		3,
	),
)('the file %s', (number, file) => {
	it(`The import of ${file} writes, refuses and notes the expected rows`, async () => {
		const { items, error } = await importOf(file);
		expect(error?.message).toBeUndefined();
		const outcomes = OUTCOMES[number]!;
		expect(items).toHaveLength(outcomes.length);
		const written = outcomes.flatMap(({ who, sent }) => {
			const path = who && `/people/${(who === 'Jan' ? jan : eva).id}`;
			return sent
				? [
						{
							path: path ?? (number < '17' && file.includes('task') ? '/tasks' : '/people'),
							body: sent,
						},
					]
				: [];
		});
		expect(scene.writes().map(({ path, body }) => ({ path, body }))).toEqual(written);
		outcomes.forEach(({ who, note, refused }, index) => {
			const { json } = items[index]!;
			if (refused) expect(String(json.error)).toMatch(refused);
			else expect(json.error).toBeUndefined();
			if (who) expect(json.id).toBe((who === 'Jan' ? jan : eva).id);
			if (note) expect(String(json.note)).toMatch(note);
		});
	});

	const left = OUTCOMES[number]?.[0]?.notTaken ?? [];
	if (left.length === 0) return;
	it(`The preview of ${file} names the headings that the import ignores`, async () => {
		const { items } = await importOf(file, { previewOnly: true, output: 'raw' });
		const notUsed = left.map((heading) => ({ heading, rows: 1 }));
		expect(items[0]!.json.columns).toMatchObject({ notUsed });
	});
});

it('A preview names each of 498 unused columns, even one with a long heading', async () => {
	const long = 'Straat 2 '.repeat(1_100);
	const unknown = Array.from({ length: 497 }, (_, index) => [`Column ${index}x`, 'y'] as const);
	const row = { Achternaam: 'Dam', Email: 'ann@x.example', [long]: 'z' };
	const input = [{ ...row, ...Object.fromEntries(unknown) }];
	const parameters = {
		inputMode: 'columns',
		columns: { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] },
	};
	const preview = await scene.person(
		'upsert',
		{ ...parameters, options: { previewOnly: true, output: 'raw' } },
		{ input },
	);
	const told = JSON.stringify(preview.items[0]!.json.columns);
	expect(told).toContain(`"${long.slice(0, 40)}…"`);
	for (const [heading] of unknown) expect(told).toContain(`"${heading}"`);
	const { error } = await scene.person('upsert', parameters, { input });
	expect(error?.message).toBeUndefined();
	expect(scene.writes().map(({ body }) => body)).toEqual([
		{ familyName: 'Dam', ...emails('ann@x.example') },
	]);
});
