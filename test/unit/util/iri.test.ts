import fc from 'fast-check';
import {
	filledPath,
	idOf,
	iriOf,
	pathParameters,
	valueOf,
} from '../../../nodes/ContactTaskCrm/util/iri';

const BASE = 'https://crm.example.com';
const COLUMNS = '/workspaces/{workspaceId}/columns';
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const PARTS = ['\t', '\n', ' ', '\u0000'].concat(
	'.. . / %2e %2E %2f %5c \\ ? # // people tags columns workspaces a 1 ; : @ & = + ·'.split(' '),
);

/** Text that tries to leave its segment. */
const mischief = fc.oneof(
	fc.string({ unit: 'binary' }),
	fc.webPath(),
	fc.webUrl(),
	fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }).map((parts) => parts.join('')),
);

/** The segments of the path that a URL really goes to. */
const segmentsOf = (iri: string) => new URL(iri, BASE).pathname.split('/').slice(1);

describe('whatever text is given', () => {
	it('is refused, or an IRI that stays in its segment of the path', () => {
		fc.assert(
			fc.property(mischief, fc.constantFrom('/people', '/media_objects'), (text, collection) => {
				const iri = valueOf(iriOf(text, collection));
				if (iri === undefined) return;
				const url = new URL(iri, BASE);
				expect([url.origin, url.pathname, url.search, url.hash]).toEqual([BASE, iri, '', '']);
				expect(segmentsOf(iri)).toHaveLength(2);
				expect(iri.startsWith(`${collection}/`)).toBe(true);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('is refused, or an id that stays in its segment of the path', () => {
		fc.assert(
			fc.property(mischief, (text) => {
				const id = valueOf(idOf(text, '/tasks/{taskId}/comments'));
				if (id === undefined) return;
				const path = filledPath('/tasks/{taskId}/comments/{commentId}', {
					taskId: id,
					commentId: id,
				});
				expect(segmentsOf(path)).toEqual(['tasks', id, 'comments', id]);
			}),
			{ numRuns: 2_000 },
		);
	});

	it('is refused, or a column below one workspace', () => {
		fc.assert(
			fc.property(mischief, mischief, (workspace, column) => {
				const iri = valueOf(iriOf(`/workspaces/${workspace}/columns/${column}`, COLUMNS));
				if (iri === undefined) return;
				const segments = segmentsOf(iri);
				expect(segments).toHaveLength(4);
				expect([segments[0], segments[2]]).toEqual(['workspaces', 'columns']);
			}),
			{ numRuns: 2_000 },
		);
	});
});

describe('the IRI of a record', () => {
	it.each<[string, unknown, string]>([
		['an id', UUID, `/people/${UUID}`],
		['an id with space around it', ' 1f0c\n', '/people/1f0c'],
		['an id of digits', '42', '/people/42'],
		['a number', 42, '/people/42'],
		['an IRI', '/people/1f0c', '/people/1f0c'],
		['a record', { '@id': '/people/1f0c', id: 'other' }, '/people/1f0c'],
		['an IRI below the path of the service', '/api/people/1f0c', '/people/1f0c'],
		['an absolute IRI', 'https://crm.example.com/api/v2/people/1f0c', '/people/1f0c'],
		[
			'a record with an IRI that was made up',
			{ '@id': '/.well-known/genid/ab12', id: '1f0c' },
			'/people/1f0c',
		],
		['an identifier of a list', { uuid: '1f0c' }, '/people/1f0c'],
		['a record without an IRI', { id: '1f0c' }, '/people/1f0c'],
		['a record with a number as its id', { id: 7 }, '/people/7'],
		['a record whose IRI is no path', { '@id': '_:b0', id: '1f0c' }, '/people/1f0c'],
		['an id that is an e-mail address', 'jan+crm@example.com', '/people/jan+crm@example.com'],
	])('is made of %s', (_, reference, iri) => {
		expect(iriOf(reference, '/people')).toEqual({ value: iri });
		expect(idOf(reference, '/people')).toEqual({ value: iri.slice('/people/'.length) });
	});

	it.each<[unknown, string]>([
		['', 'nothing'],
		['  ', 'nothing'],
		[undefined, 'nothing'],
		[null, 'nothing'],
		['.', '"."'],
		['..', '".."'],
		['%2e%2e', '"%2e%2e"'],
		['a/b', '"a/b"'],
		['/people/', '"/people/"'],
		['/people/..', '"/people/.."'],
		['/people/1/notes', '"/people/1/notes"'],
		['/tags/1', '"/tags/1"'],
		['//people/1', '"//people/1"'],
		['people/1', '"people/1"'],
		['/people/1?view=idx', '"/people/1?view=idx"'],
		['1?x=1', '"1?x=1"'],
		['1#x', '"1#x"'],
		['a b', '"a b"'],
		['a\\b', '"a\\b"'],
		['https://crm.example.com/people/1?x=1', '"https://crm.example.com/people/1?x=1"'],
		['ftp://crm.example.com/people/1', '"ftp://crm.example.com/people/1"'],
		['/tags/7/people/1', '"/tags/7/people/1"'],
		['/../people/1', '"/../people/1"'],
		['x'.repeat(201), `"${'x'.repeat(100)}…"`],
		[{ '@id': '/tags/1', id: '1' }, '"/tags/1"'],
		[{ name: 'Jansen' }, 'a record without an ID'],
		[['1'], 'a list'],
		[true, 'a boolean'],
		[1.5, 'a number'],
		[NaN, 'a number'],
	])('is not made of %p, and the message says what came', (reference, shown) => {
		const expected = `expected an ID, or /people/{id}, got ${shown}`;
		expect(iriOf(reference, '/people')).toEqual({ expected });
		expect(idOf(reference, '/people')).toEqual({ expected });
	});
});

describe('a record below another one', () => {
	it('is named by its IRI alone, since its id does not say where it is', () => {
		expect(iriOf('/workspaces/5c1f/columns/12ab', COLUMNS)).toEqual({
			value: '/workspaces/5c1f/columns/12ab',
		});
		expect(iriOf({ '@id': '/workspaces/5c1f/columns/12ab' }, COLUMNS)).toEqual({
			value: '/workspaces/5c1f/columns/12ab',
		});
		for (const reference of ['12ab', 12, { id: '12ab' }]) {
			expect(iriOf(reference, COLUMNS)).toMatchObject({
				expected: expect.stringContaining(
					'expected /workspaces/{id}/columns/{id}, got "12',
				) as string,
			});
		}
	});

	it.each([
		'/workspaces/../columns/1',
		'/workspaces//columns/1',
		'/workspaces/1/rows/1',
		'/columns/1',
	])('is not found at %s', (iri) => {
		expect(valueOf(iriOf(iri, COLUMNS))).toBeUndefined();
	});

	it('has an id, which stands at the end of its IRI', () => {
		const collection = '/tasks/{taskId}/comments';
		expect(idOf('c1', collection)).toEqual({ value: 'c1' });
		expect(idOf('/tasks/t1/comments/c1', collection)).toEqual({ value: 'c1' });
	});
});

describe('a path template', () => {
	it('names its parameters in order', () => {
		expect(pathParameters('/tasks/{taskId}/comments/{commentId}')).toEqual(['taskId', 'commentId']);
		expect(pathParameters('/people')).toEqual([]);
	});

	it('is filled in with ids as they are', () => {
		expect(filledPath('/people/{personId}', { personId: '$1f$&' })).toBe('/people/$1f$&');
	});
});
