import { NameTable } from '../../../nodes/ContactTaskCrm/tenant/nameTable';

/** What a text names, as "IRI = name". */
const namedBy = (text: string) => {
	const table = new NameTable(text);
	const entries = [...table.entries('/users'), ...table.entries('/tags')];
	return { named: entries.map(({ iri, name }) => `${iri} = ${name}`), problems: table.problems };
};

describe('a line', () => {
	it.each([
		['/users/3f2a = Eva de Vries', ['/users/3f2a = Eva de Vries']],
		['/tags/7c1e=VIP', ['/tags/7c1e = VIP']],
		['  /tags/7c1e\t=\tVIP  ', ['/tags/7c1e = VIP']],
		['https://crm.example.com/api/tags/7c1e = VIP', ['/tags/7c1e = VIP']],
		['/tags/7c1e = A = B, or C', ['/tags/7c1e = A = B, or C']],
		['/tags/YWJj== = VIP', ['/tags/YWJj== = VIP']],
		['/users/3f2a = 👩‍🚀 محمد', ['/users/3f2a = 👩‍🚀 محمد']],
		['3f2a = Eva', ['/users/3f2a = Eva', '/tags/3f2a = Eva']],
	])('"%s" names %j', (line, named) => {
		expect(namedBy(line)).toEqual({ named, problems: [] });
	});

	it.each(['', '  ', '\u200B', '# Sales', '#/users/3f2a = Eva'])(
		'"%s" says nothing, and is no mistake',
		(line) => {
			expect(namedBy(line)).toEqual({ named: [], problems: [] });
		},
	);

	it.each([
		['Eva de Vries', /^line 1: expected an ID, "=" and a name, .* got "Eva de Vries"$/],
		['3f2a =  ', /^line 1: there is no name behind "3f2a ="$/],
		['= Eva', /^line 1: expected the ID of a user or tag, .* got ""$/],
		['Eva de Vries = 3f2a', /^line 1: expected the ID of a user or tag, .* "Eva de Vries"$/],
		['/people/0d5c = Eva', /^line 1: expected the ID of a user or tag, .* "\/people\/0d5c"$/],
		['<not a choice> = Eva', /^line 1: expected the ID of a user or tag/],
		['x'.repeat(500), /got "x{60}…"$/],
	])('"%s" is a mistake that is told', (line, said) => {
		const { named, problems } = namedBy(line);
		expect(named).toEqual([]);
		expect(problems).toEqual([expect.stringMatching(said)]);
	});
});

describe('a table of names', () => {
	it('counts every line, however they end', () => {
		const { problems } = namedBy('/users/1 = Eva\r\n\r\n# tags\rwrong\n/tags/2 = VIP');
		expect(problems).toEqual([expect.stringMatching(/^line 4: .*"wrong"$/)]);
	});

	it.each([
		['/users/1 = Eva\n\n/users/1 = Ada', '/users/1 = Eva'],
		['1 = Eva\n\n/users/1 = Eva', '/users/1 = Eva'],
		['/users/1 = Eva\n\n1 = VIP', '/users/1 = Eva'],
	])('takes the first of two lines for an ID, and tells the second: %j', (text, kept) => {
		const { named, problems } = namedBy(text);
		expect(named).toContain(kept);
		expect(problems).toEqual(['line 3: "1" is named on line 1, too']);
	});

	it('tells a user from a tag of the same ID', () => {
		const table = new NameTable('/users/1 = Eva\n/tags/1 = VIP');
		expect(table.problems).toEqual([]);
		expect([table.nameOf('1', '/users'), table.nameOf('/tags/1', '/tags')]).toEqual(['Eva', 'VIP']);
		expect(table.nameOf('/segments/1', '/segments')).toBeUndefined();
	});

	it('knows a UUID in capital letters, and a name in any', () => {
		const uuid = '0b5f1c62-aaaa-4000-8000-000000000000';
		const table = new NameTable(`/users/${uuid} = Eva de Vries`);
		expect(table.nameOf({ '@id': `/api/users/${uuid.toUpperCase()}` }, '/users')).toBe(
			'Eva de Vries',
		);
		expect(table.holds(' eva DE vries', '/users')).toBe(true);
		expect(table.holds('Eva', '/users')).toBe(false);
	});

	it.each([undefined, null, 7, ''])('that is %j names nobody', (text) => {
		const table = new NameTable(text);
		expect([table.entries('/users'), table.problems]).toEqual([[], []]);
	});
});
