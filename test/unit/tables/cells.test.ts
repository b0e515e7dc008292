import { contracts } from '../../../nodes/ContactTaskCrm/schema';
import { fieldsOf } from '../../../nodes/ContactTaskCrm/schema/record';
import { tableColumnsOf } from '../../../nodes/ContactTaskCrm/schema/tableColumns';
import { cleaned } from '../../../nodes/ContactTaskCrm/tables/cellRules';
import { withNameParts } from '../../../nodes/ContactTaskCrm/tables/nameCells';
import { withoutEntities } from '../../../nodes/ContactTaskCrm/tables/noNames';
import { addressIn } from '../../../nodes/ContactTaskCrm/tables/wholeAddress';

const columns = tableColumnsOf(fieldsOf(contracts.person, 'create'));
const columnOf = (wanted: string) => columns.find(({ name }) => name === wanted)!;
const [EVA, JAN] = ['eva@crm.example', 'jan@crm.example'];

it.each<[string, string, unknown, unknown, string[]]>([
	['a formula for a blank', 'tags', '=""', undefined, ['"=""" counts as blank']],
	['a formula', 'tags', '="VIP"', 'VIP', ['"="VIP"" is taken as "VIP"']],
	['a list', 'tags', ['VIP', 'NULL'], ['VIP'], ['"NULL" counts as blank']],
	['blank entries', 'tags', ['NULL', '-'], undefined, ['"NULL", "-" count as blank']],
	['the same blank twice', 'tags', ['NULL', ' NULL '], undefined, ['"NULL" counts as blank']],
	[
		'many blanks',
		'emailAddresses',
		'NULL; -; n/a; none',
		undefined,
		['"NULL", "-", "n/a", and 1 more count as blank'],
	],
	['an entry', 'emailAddresses', [{ '@id': '/a', email: EVA }], [{ email: EVA }], []],
	[
		'an entry to clean',
		'emailAddresses',
		[{ email: `E-mail: ${EVA}`, note: 'x' }],
		[{ email: EVA, note: 'x' }],
		[`"E-mail: ${EVA}" is taken as "${EVA}"`],
	],
	['an entry without an address', 'emailAddresses', [{ '@id': '/a' }], [{ '@id': '/a' }], []],
	['an entry for one part', 'email', [{ email: EVA, note: 'x' }], [EVA], []],
	['two addresses', 'emailAddresses', `${EVA};${JAN}`, [EVA, JAN], []],
	['the number 0', 'familyName', 0, undefined, ['"0" counts as blank']],
	['another number', 'familyName', 7, 7, []],
	['a country', 'country', 'Nederland', 'NL', []],
	[
		'an unknown country',
		'country',
		'Atlantis',
		'Atlantis',
		['"Atlantis" is no known country, and stays as it is'],
	],
])('The node cleans a cell, and notes each change: %s', (_, name, given, value, notes) => {
	const clean = cleaned(given, columnOf(name));
	expect(clean).toMatchObject({ notes });
	expect(clean.value).toEqual(value);
});

it.each([
	['Zo&euml;', 'Zoë'],
	['ZO&EUML;', 'ZOË'],
	['Fran&ccedil;ois', 'François'],
	['O&#39;Brien', "O'Brien"],
	['O&#x27;Brien', "O'Brien"],
	['Vos &amp; Bos', 'Vos & Bos'],
	['Vos &unknown; Bos', 'Vos &unknown; Bos'],
])('The node reads the entities of HTML in %s', (text, plain) => {
	expect(withoutEntities(text)).toBe(plain);
});

const PLACE = { postalCode: '2611 AA', city: 'Delft' };
it.each([
	['Kade 1, 2611 AA Delft', { street: 'Kade 1', ...PLACE }],
	['Kade 1 2611 AA Delft', { street: 'Kade 1', ...PLACE }],
	['Kade 1\n2611 AA\nDelft\nNederland', { street: 'Kade 1', ...PLACE, country: 'NL' }],
	['Kade 1, Delft, ZH, 2611 AA', { street: 'Kade 1', ...PLACE }],
	[
		'1 High Street, London SW1A 2AA',
		{ street: '1 High Street', postalCode: 'SW1A 2AA', city: 'London' },
	],
	['2611 AA Delft', { street: '', ...PLACE }],
	['Apt 4, 2611 AA Delft', undefined],
	['Apt 4, 1200 Main Street', undefined],
	['Kade 1, Delft', undefined],
	[`${'Kade '.repeat(60)}1, 2611 AA Delft`, undefined],
])('The node splits the address %j, or leaves it whole', (text, address) => {
	expect(addressIn(text)).toEqual(address);
});

describe('the cell of a given name', () => {
	const named = (cells: Record<string, string>) => {
		const given = Object.entries(cells).map(([name, value]) => ({
			column: columnOf(name),
			header: name,
			value,
		}));
		const row = withNameParts(given as Parameters<typeof withNameParts>[0], columns);
		return Object.fromEntries(row.cells.map(({ column, value }) => [column.name, value]));
	};

	it.each<[string, Record<string, string>, object]>([
		[
			'a salutation in front',
			{ givenName: 'Mw. Ans' },
			{ givenName: 'Ans', honorificPrefix: 'Mw.' },
		],
		[
			'a salutation of its own',
			{ givenName: 'Mw. Ans', honorificPrefix: 'Dr.' },
			{ givenName: 'Ans', honorificPrefix: 'Dr.' },
		],
		['a salutation behind a comma', { givenName: 'Bos, Mw. Ans' }, { givenName: 'Bos, Mw. Ans' }],
		[
			'the family name behind',
			{ givenName: 'Ans Bos', familyName: 'Bos' },
			{ givenName: 'Ans', familyName: 'Bos' },
		],
		['only a given name', { givenName: 'Ans' }, { givenName: 'Ans' }],
	])('From the cell of a given name, the node takes %s', (_, cells, row) => {
		expect(named(cells)).toEqual(row);
	});
});
