import { namesIn } from '../../../nodes/ContactTaskCrm/runtime/output';
import { queryOf } from '../../../nodes/ContactTaskCrm/runtime/query';
import { personQuery } from '../../../nodes/ContactTaskCrm/resources/person/specification';
import { workspaceQuery } from '../../../nodes/ContactTaskCrm/resources/workspace/specification';
import { itemContext, itemRequest } from '../../support/itemContext';

const query = (qs: Record<string, unknown>, specification = personQuery) =>
	queryOf(
		{ context: itemContext().context, request: itemRequest({ qs: qs as Record<string, string> }) },
		specification,
	);

describe('a filter', () => {
	it('of one value goes out in the plain form, of several in the array form', () => {
		expect(query({ 'tags.id': ['1'] })).toEqual([['tags.id', '1']]);
		expect(query({ 'tags.id': '1, /tags/2' })).toEqual([
			['tags.id[]', '1'],
			['tags.id[]', '2'],
		]);
	});

	it('takes records where it takes ids, instead of giving the unfiltered list', () => {
		expect(query({ 'owner.id': { '@id': '/users/5' } })).toEqual([['owner.id', '5']]);
		expect(query({ 'owner.id': [{ id: 5 }, 6] })).toEqual([
			['owner.id[]', '5'],
			['owner.id[]', '6'],
		]);
		expect(query({ owner: 5 }, workspaceQuery)).toEqual([['owner', '/users/5']]);
	});

	it('that was left empty is left out', () => {
		expect(query({ q: '', 'owner.id': '', 'tags.id': [], 'segments.uuid': undefined })).toEqual([]);
	});

	it('takes times in the zone of the workflow, and sends them in UTC with a Z', () => {
		expect(query({ 'createdAt[after]': '2026-07-01T10:00:00' })).toEqual([
			['createdAt[after]', '2026-07-01T08:00:00Z'],
		]);
	});

	it('keeps commas in text', () => {
		expect(query({ q: 'Jansen, Jan' })).toEqual([['q', 'Jansen, Jan']]);
	});

	it.each<[Record<string, unknown>, string]>([
		[{ 'owner.id': 'a/b' }, ': expected an ID, got "a/b"'],
		[{ 'owner.id': { name: 'x' } }, ': expected an ID, got {"name":"x"}'],
		[{ 'owner.id': true }, ': expected an ID, got true'],
		[
			{ 'createdAt[strictly_after]': 'soon' },
			': expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z, got "soon"',
		],
		[{ 'exists[archivedAt]': 'maybe' }, ': expected true or false, got "maybe"'],
		[{ 'order[createdAt]': 'up' }, ': expected asc or desc, got "up"'],
		[{ q: { x: 1 } }, ': expected text, got {"x":1}'],
	])('that cannot be read is refused, since the service would ignore it: %p', (qs, message) => {
		expect(() => query(qs)).toThrow(message);
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
