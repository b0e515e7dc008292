import fc from 'fast-check';
import { answerOf, numbered, readThrough } from '../../support/changingCollection';

/** What others do to a collection between the reading of two pages. */
interface Change {
	insertedInFront: number;
	/** Where records are removed, from 0 at the front to 1 at the end. */
	removedAt: number[];
	/** A record that moves to the front, as one that was changed does in a list by date of change. */
	movedToFront: number[];
}

const someChange: fc.Arbitrary<Change> = fc.record({
	insertedInFront: fc.nat(8),
	removedAt: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
	movedToFront: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
});

type Entry = ReturnType<typeof numbered>[number];

function changed(records: Entry[], change: Change, round: number): Entry[] {
	let result = [...numbered(change.insertedInFront, `new-${round}`), ...records];
	for (const place of change.movedToFront) {
		const [moved] = result.splice(Math.floor(place * (result.length - 1)), 1);
		if (moved) result = [moved, ...result];
	}
	for (const place of change.removedAt) {
		result.splice(Math.floor(place * (result.length - 1)), 1);
	}
	return result;
}

const someLimit = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 200 }));
const someForm = fc.constantFrom(
	'envelope' as const,
	'hydra' as const,
	'bare' as const,
	'withoutView' as const,
	'withoutTotal' as const,
);

const idsOf = (records: readonly unknown[]) => records.map((record) => (record as Entry).id);

describe('a collection that changes while it is read', () => {
	it('gives each record once at most, within the limit, and comes to an end', () => {
		fc.assert(
			fc.property(
				fc.nat(150),
				someLimit,
				someForm,
				fc.array(someChange, { minLength: 1, maxLength: 20 }),
				(total, limit, form, changes) => {
					let now = numbered(total);
					const { records } = readThrough(limit, (request) => {
						const answer = answerOf(now, request, form);
						// Changes come to rest, else a collection that grows as fast as it is read has no end.
						const change = changes[request.page - 1];
						if (change) now = changed(now, change, request.page);
						return answer;
					});
					const ids = idsOf(records);
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.length).toBeLessThanOrEqual(limit);
				},
			),
		);
	});

	it('loses nothing that was there from the start where records only come in at the front', () => {
		fc.assert(
			fc.property(
				fc.nat(150),
				someForm,
				fc.array(fc.nat(8), { maxLength: 10 }),
				(total, form, inserts) => {
					const initial = numbered(total);
					let now = initial;
					const { records } = readThrough(Infinity, (request) => {
						const answer = answerOf(now, request, form);
						now = [...numbered(inserts[request.page - 1] ?? 0, `new-${request.page}`), ...now];
						return answer;
					});
					expect(idsOf(records)).toEqual(expect.arrayContaining(idsOf(initial)));
					expect(records).toHaveLength(total);
				},
			),
		);
	});

	it('goes on to the next page where records came twice and the limit is not reached', () => {
		const initial = numbered(100);
		let now = initial;
		const { records, requests } = readThrough(60, (request) => {
			const answer = answerOf(now, request);
			if (request.page === 1) now = [...numbered(5, 'new'), ...now];
			return answer;
		});
		expect(requests).toHaveLength(3);
		expect(records).toEqual(initial.slice(0, 60));
	});

	it('is read to its end although a whole page of it was seen before', () => {
		const all = numbered(90);
		const pages = [all.slice(0, 30), all.slice(0, 30).reverse(), all.slice(60)];
		const { records, requests } = readThrough(Infinity, ({ page }) => ({
			member: pages[page - 1],
			view: page < 3 ? { next: '/people' } : {},
		}));
		expect(requests).toHaveLength(3);
		expect(records).toEqual([...all.slice(0, 30), ...all.slice(60)]);
	});

	it('comes to an end although it is shuffled anew for every page', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 31, max: 120 }),
				fc.infiniteStream(fc.nat()),
				(total, draws) => {
					const { records } = readThrough(Infinity, ({ itemsPerPage }) => ({
						member: numbered(total)
							.map((record) => ({ record, draw: draws.next().value ?? 0 }))
							.sort((one, other) => one.draw - other.draw)
							.map(({ record }) => record)
							.slice(0, itemsPerPage),
						view: { next: '/people?page=2' },
					}));
					expect(new Set(idsOf(records)).size).toBe(records.length);
				},
			),
			{ numRuns: 30 },
		);
	});
});
