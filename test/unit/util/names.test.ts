import fc from 'fast-check';
import { NameTable } from '../../../nodes/ContactTaskCrm/http/names';

const id = '3f2a7c1e-0000-4000-8000-00000000abcd';
const namesIn = (table: NameTable, collection: string) =>
	table.entries(collection).map(({ name }) => name);

it.each([
	[id, id.toUpperCase()],
	[id.toUpperCase(), id],
])('The credential check reports two names for one user, with IDs %s and %s', (first, second) => {
	const names = new NameTable(`/users/${first} = Eva\n/users/${second} = Ada`);
	expect(names.problems).toEqual([
		`line 2: "${second}" has the name "Ada" here, and "Eva" on line 1`,
	]);
	expect(namesIn(names, '/users')).toEqual(['Eva']);
});

it('The credential check reports two names for one tag, as "12" and "/tags/12"', () => {
	const { problems } = new NameTable('/tags/12 = VIP\n\n12 = Eva');
	expect(problems).toEqual(['line 3: "12" has the name "Eva" here, and "VIP" on line 1']);
	expect(new NameTable('/tags/12 = VIP\n/users/12 = Eva').problems).toEqual([]);
	expect(new NameTable('12 = VIP\n/tags/12 = VIP').problems).toEqual([]);
});

it.each([
	['Ada Bos', 'expected an ID, "=" and a name, such as /users/3f2a = Eva de Vries, got "Ada Bos"'],
	[
		'/people/1 = Bo',
		'expected the ID of a user or tag, such as /users/3f2a or /tags/7c1e, got "/people/1"',
	],
	['/users/3f2a =', 'there is no name behind "/users/3f2a ="'],
	['/users/3f2a = \u200b', 'there is no name behind "/users/3f2a ="'],
])('The credential check reports what is wrong with the line %j', (line, problem) => {
	const { problems, lines } = new NameTable(`# Colleagues\n${line}`);
	expect(problems).toEqual([`line 2: ${problem}`]);
	expect(lines).toEqual([]);
});

it('The node ignores white space around a name in the credential', () => {
	const names = new NameTable(`  /users/${id}  =   Eva de Vries \u00a0\t\n/tags/7c1e=VIP `);
	expect(names.nameOf(id, '/users')).toBe('Eva de Vries');
	expect(names.nameOf('7c1e', '/tags')).toBe('VIP');
});

it("The node finds a user's name by UUID, in small or capital letters", () => {
	const names = new NameTable(`/users/${id.toUpperCase()} = Eva`);
	expect(names.nameOf(id, '/users')).toBe('Eva');
	expect(names.nameOf(id.toUpperCase(), '/users')).toBe('Eva');
});

it('A shortened ID in the credential gives no user or tag a name', () => {
	const names = new NameTable('/users/3f2a7c… = Eva\n7c1e… = VIP\n/users/91ce... = Jan');
	expect(names.problems).toEqual([]);
	expect([...names.entries('/users'), ...names.unplaced('/tags')]).toEqual([]);
	expect(names.lines.map((line) => [line.id, line.isCut])).toEqual([
		['3f2a7c', true],
		['7c1e', true],
		['91ce', true],
	]);
});

it('In the credential, an ID without path names only users or tags already seen', () => {
	const place = fc.subarray(['/tags', '/users']);
	fc.assert(
		fc.property(fc.array(place, { maxLength: 6 }), (places) => {
			const isShown = (iri: string) =>
				places.some((shown, index) =>
					shown.some((collection) => `${collection}/id${index}` === iri),
				);
			const table = new NameTable(
				places.map((_, index) => `id${index} = Name ${index}`).join('\n'),
				isShown,
			);
			for (const collection of ['/tags', '/users']) {
				const inPlace = (shown: readonly string[]) => shown.includes(collection);
				const expected = places.flatMap((shown, index) =>
					inPlace(shown) ? [`Name ${index}`] : [],
				);
				expect(namesIn(table, collection)).toEqual(expected);
				expect(table.unplaced(collection).map(({ name }) => name)).toEqual(
					places.flatMap((shown, index) => (shown.length === 0 ? [`Name ${index}`] : [])),
				);
				places.forEach((shown, index) => {
					const name = inPlace(shown) ? `Name ${index}` : undefined;
					expect(table.nameOf(`${collection}/id${index}`, collection)).toBe(name);
				});
			}
		}),
	);
});
