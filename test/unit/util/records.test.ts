import { nameIn, personName } from '../../../nodes/ContactTaskCrm/values/person';
import { cellOf, firstIn, listIn, withoutBlanks } from '../../../nodes/ContactTaskCrm/values/json';
import { idIn, referenceIn } from '../../../nodes/ContactTaskCrm/values/reference';

it('The node leaves out blank parts of an object, whatever their names', () => {
	const parts = { constructor: 'x', 'a.b': 1, length: 2, empty: ' ', none: [null] };
	expect(withoutBlanks(parts)).toEqual({ constructor: 'x', 'a.b': 1, length: 2 });
});

describe('the id of a record', () => {
	it.each([
		[{ id: '1f0c', '@id': '/people/other' }, '1f0c'],
		[{ id: 7 }, 7],
		[{ id: null, '@id': '/people/1f0c' }, '1f0c'],
		[{ id: ' ', '@id': '/api/people/1f0c' }, '1f0c'],
		[{ id: 2 ** 60, '@id': '/people/1152921504606846975' }, '1152921504606846975'],
		[{ uuid: '1f0c' }, '1f0c'],
		[{ '@id': '/.well-known/genid/7', uuid: '1f0c' }, '1f0c'],
		[{}, null],
	])('The node reads the ID of the record %j as %j', (record, id) => {
		expect(idIn(record)).toBe(id);
	});
});

describe('a reference', () => {
	it.each([
		['/users/3f2a', '/users/3f2a'],
		[{ '@id': '/users/3f2a', id: 'other' }, '/users/3f2a'],
		[{ '@id': '/.well-known/genid/7', id: '3f2a' }, '3f2a'],
		[{ '@id': '_:b0' }, '_:b0'],
		[{ name: 'Eva' }, null],
		[null, null],
		[undefined, null],
	])('The node reads the reference %j as the text %j', (value, text) => {
		expect(referenceIn(value)).toBe(text);
	});
});

describe('a list', () => {
	const same = (entry: unknown) => entry as string;

	it('The node joins a list or numbered map to one text with commas', () => {
		expect(listIn(['a', null, 'b'], same)).toBe('a, b');
		expect(listIn({ 1: 'a', 4: 'b' }, same)).toBe('a, b');
		expect([listIn([], same), listIn(null, same), listIn('a', same)]).toEqual(['', null, null]);
	});

	it('The node takes the first entry of a list that holds a value', () => {
		const entries = [null, {}, { email: ' ' }, { email: 'a@x.nl' }, { email: 'b@x.nl' }];
		expect(firstIn(entries as never, 'email')).toBe('a@x.nl');
		expect(firstIn({ 3: { email: 'a@x.nl' } }, 'email')).toBe('a@x.nl');
		expect([firstIn([], 'email'), firstIn(null, 'email'), firstIn('a', 'email')]).toEqual([
			null,
			null,
			null,
		]);
	});
});

describe('the cell of a table', () => {
	it.each([
		[['a', null, ' ', 7, '', 'b'], 'a, 7, b'],
		[{ 1: 'a', 4: 'b' }, 'a, b'],
		[[], ''],
		[[{ email: 'a@x.nl' }], '[{"email":"a@x.nl"}]'],
		[{ city: 'Delft' }, '{"city":"Delft"}'],
		['a', 'a'],
		[undefined, null],
	])('The node writes the value %j into one cell as %j', (value, cell) => {
		expect(cellOf(value as never)).toBe(cell);
	});
});

describe('the name of a record', () => {
	it.each([
		[
			{ givenName: 'Eva', additionalName: ' van ', familyName: 'Dijk', title: 'Dr' },
			'Eva van Dijk',
		],
		[{ name: 'Sales' }, 'Sales'],
		[{ fullName: ' Eva ', title: 'Dr' }, 'Eva'],
		[{ title: 7 }, '7'],
		[{ email: 'e@x.nl' }, 'e@x.nl'],
		[{ title: { en: 'Sales' } }, ''],
		[{}, ''],
	])('The node reads the name of the record %j as "%s"', (record, name) => {
		expect(nameIn(record)).toBe(name);
	});

	it('The name of a person leaves out blank parts', () => {
		expect(personName({ givenName: ' ', familyName: null })).toBe('');
	});
});
