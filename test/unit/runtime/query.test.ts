import { contracts } from '../../../nodes/ContactTaskCrm/contract';
import type { RecordContract } from '../../../nodes/ContactTaskCrm/contract/record';
import { namesIn } from '../../../nodes/ContactTaskCrm/runtime/output';
import { References } from '../../../nodes/ContactTaskCrm/runtime/references';
import { filterQuery, filtersOf, orderQuery } from '../../../nodes/ContactTaskCrm/runtime/query';
import { itemContext, itemRequest, NODE } from '../../support/itemContext';

function query(
	filters: Record<string, unknown>,
	{
		contract = contracts.person as RecordContract,
		raw = {},
		type = NODE.type,
		...parameters
	}: {
		contract?: RecordContract;
		/** As the editor keeps the filters, expressions and all. */
		raw?: Record<string, unknown>;
		type?: string;
		sort?: object;
		options?: object;
	} = {},
) {
	const { context } = itemContext({ parameters: { filters, ...parameters } });
	context.getNode = () => ({ ...NODE, type, parameters: { filters: raw as never } });
	const item = { context, request: itemRequest(), references: new References() };
	return [...filterQuery(filtersOf(item, contract.filters)), ...orderQuery(item, contract)];
}

describe('a filter', () => {
	it('of one value goes out in the plain form, of several in the array form', () => {
		expect(query({ tagsId: ['1'] })).toEqual([['tags.id', '1']]);
		expect(query({ tagsId: '1, /tags/2' })).toEqual([
			['tags.id[]', '1'],
			['tags.id[]', '2'],
		]);
	});

	it('takes records where it takes ids, instead of giving the unfiltered list', () => {
		expect(query({ ownerId: { '@id': '/users/5' } })).toEqual([['owner.id', '5']]);
		expect(query({ ownerId: [{ id: 5 }, 6] })).toEqual([
			['owner.id[]', '5'],
			['owner.id[]', '6'],
		]);
		expect(query({ owner: 5 }, { contract: contracts.workspace })).toEqual([['owner', '/users/5']]);
	});

	it('that was left empty in the editor is left out', () => {
		expect(query({ q: '', ownerId: '', tagsId: [], segmentsUuid: undefined })).toEqual([]);
	});

	const BLANKS: unknown[] = ['', '  ', null, undefined, [], ['', ' '], [null]];

	it.each(BLANKS)('is refused where its expression gave %j', (blank) => {
		for (const [name, { label }] of Object.entries(contracts.person.filters)) {
			expect(() => query({ [name]: blank }, { raw: { [name]: '={{ $json.x }}' } })).toThrow(
				`${label} is empty: its expression gave nothing for this item`,
			);
		}
	});

	it.each(BLANKS)(
		'is left out where its expression gave %j and the user asks for that',
		(blank) => {
			const raw = { tagsId: ['={{ $json.x }}'], q: '={{ $json.y }}' };
			const filters = { tagsId: blank, q: blank };
			expect(query(filters, { raw, options: { whenFilterEmpty: 'ignore' } })).toEqual([]);
			expect(query(filters, { raw, type: `${NODE.type}Tool` })).toEqual([]);
		},
	);

	it('of one value is refused where several are given, and takes a list of one', () => {
		expect(query({ q: ['jansen'] })).toEqual([['q', 'jansen']]);
		expect(() => query({ q: ['jansen', 'smit'] })).toThrow('Search: expected one value, got 2');
	});

	it('takes times in the zone of the workflow, and sends them in UTC with a Z', () => {
		expect(query({ createdAtAfter: '2026-07-01T10:00:00' })).toEqual([
			['createdAt[after]', '2026-07-01T08:00:00Z'],
		]);
	});

	it('keeps commas in text', () => {
		expect(query({ q: 'Jansen, Jan' })).toEqual([['q', 'Jansen, Jan']]);
	});

	it.each(['TRUE', 'True', true])('takes %p as true', (value) => {
		expect(query({ existsArchivedAt: value })).toEqual([['exists[archivedAt]', 'true']]);
	});

	it.each<[Record<string, unknown>, string]>([
		[{ ownerId: 'a/b' }, 'Owner: expected an ID, got "a/b"'],
		[{ ownerId: { name: 'x' } }, 'Owner: expected an ID, got {"name":"x"}'],
		[{ ownerId: true }, 'Owner: expected an ID, got true'],
		[
			{ createdAtStrictlyAfter: 'soon' },
			'Created After (Exclusive): expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z, got "soon"',
		],
		[{ existsArchivedAt: 'maybe' }, 'Archived: expected true or false, got "maybe"'],
		[{ q: { x: 1 } }, 'Search: expected text, got {"x":1}'],
	])(
		'that cannot be read is refused, since the service would ignore it: %p',
		(filters, message) => {
			expect(() => query(filters)).toThrow(message);
		},
	);
});

describe('the order', () => {
	it('goes by family name first, so that both rules have an effect', () => {
		expect(query({}, { sort: { createdAt: 'desc', familyName: 'ASC' } })).toEqual([
			['order[familyName]', 'asc'],
			['order[createdAt]', 'desc'],
		]);
	});

	it('is refused where it is neither ascending nor descending', () => {
		expect(() => query({}, { sort: { createdAt: 'up' } })).toThrow(
			'Sort: Created At: expected asc or desc, got "up"',
		);
	});
});

describe('a list', () => {
	it.each<[unknown, string[]]>([
		['a, b ,,c', ['a', 'b', 'c']],
		[
			['a', 7, ' '],
			['a', '7'],
		],
		[7, ['7']],
		['', []],
		[undefined, []],
		[{}, []],
	])('is read from %p', (value, entries) => {
		expect(namesIn(value)).toEqual(entries);
	});
});
