import fc from 'fast-check';
import { filledPath, idOf, iriOf, valueOf } from '../../../nodes/ContactTaskCrm/values/reference';

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
