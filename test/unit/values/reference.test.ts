import fc from 'fast-check';
import {
	filledPath,
	idOf,
	iriOf,
	isCutIri,
	valueOf,
} from '../../../nodes/ContactTaskCrm/values/reference';

const BASE = 'https://crm.example.com';
const COLUMNS = '/workspaces/{workspaceId}/columns';

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

/** Returns the path segments that a URL actually has. */
const segmentsOf = (iri: string) => new URL(iri, BASE).pathname.split('/').slice(1);

describe('whatever text is given', () => {
	it('The node refuses a text as ID, or makes an IRI below the collection', () => {
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

	it('The node refuses a text as ID, or makes it exactly one path segment', () => {
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

	it('The node refuses a column IRI, unless it names one column of one workspace', () => {
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

it.each([
	['tags/7c1e', true],
	['crm.example/tags/7c1e', true],
	['workspaces/5c1f/columns/12ab', true],
	['tasks/deals', false],
	['tags/Q1 2026', false],
	['2026/tags', false],
	['sales/q1', false],
])('The node takes the text %j for an IRI without its beginning: %p', (text, isCut) => {
	expect(isCutIri(text)).toBe(isCut);
});

it.each<[unknown, ReturnType<typeof idOf>]>([
	[7, { value: '7' }],
	[{ id: 7 }, { value: '7' }],
	[' 7 ', { value: '7' }],
	[{ uuid: '7c1e' }, { value: '7c1e' }],
	[2 ** 60, { expected: 'expected an ID, or /tags/{id}, got a number' }],
	[true, { expected: 'expected an ID, or /tags/{id}, got a boolean' }],
	[['7'], { expected: 'expected an ID, or /tags/{id}, got a list' }],
	[{ name: 'VIP' }, { expected: 'expected an ID, or /tags/{id}, got a record without an ID' }],
	['', { expected: 'expected an ID, or /tags/{id}, got nothing' }],
	[null, { expected: 'expected an ID, or /tags/{id}, got nothing' }],
])('From the value %j, the node reads a tag ID or explains the mistake', (given, resolved) => {
	expect(idOf(given, '/tags')).toEqual(resolved);
});

it('A path keeps a placeholder without an ID', () => {
	expect(filledPath('/tasks/{taskId}/comments/{commentId}', { taskId: '91ce' })).toBe(
		'/tasks/91ce/comments/{commentId}',
	);
});
