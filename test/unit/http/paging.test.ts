import fc from 'fast-check';
import { ListRead } from '../../../nodes/ContactTaskCrm/http/listRead';
import { byCreation, pageOf } from '../../../nodes/ContactTaskCrm/http/paging';
import { runsOf } from '../../support/drawn';

const NEXT = { next: '/people?page=2' };

interface Whole {
	member: readonly unknown[];
	totalItems: number;
	view: { next?: string };
}

/** Forms of a page: the envelope of the interface, with a prefix, without one of its parts, or a bare array. */
const FORMS = {
	envelope: (page: Whole): unknown => page,
	hydra: ({ member, totalItems, view: { next } }: Whole): unknown => ({
		...{ 'hydra:member': member, 'hydra:totalItems': totalItems },
		'hydra:view': next ? { 'hydra:next': next } : {},
	}),
	bare: ({ member }: Whole): unknown => member,
	withoutView: ({ member, totalItems }: Whole): unknown => ({ member, totalItems }),
	withoutTotal: ({ member, view }: Whole): unknown => ({ member, view }),
};
const someForm = fc.constantFrom(...Object.values(FORMS));

interface PageRequest {
	itemsPerPage: number;
	page: number;
}

/** Answers a request for a page from the current records. */
function answerOf(
	records: readonly unknown[],
	{ itemsPerPage, page }: PageRequest,
	form: (page: Whole) => unknown,
): unknown {
	const member = records.slice((page - 1) * itemsPerPage, page * itemsPerPage);
	const totalItems = records.length;
	return form({ member, totalItems, view: page * itemsPerPage < totalItems ? NEXT : {} });
}

/** A number of requests that no read here needs. */
const FAR_TOO_MANY = 500;

/** Reads up to the limit with the given answers, and keeps the requests. */
function readThrough(limit: number, answer: (request: PageRequest) => unknown) {
	const requests: PageRequest[] = [];
	const read = new ListRead(limit);
	while (!read.isDone && requests.length < FAR_TOO_MANY) {
		const { itemsPerPage, page = '1' } = Object.fromEntries(read.query());
		const request = { itemsPerPage: Number(itemsPerPage), page: Number(page) };
		requests.push(request);
		read.add(pageOf(answer(request))!);
	}
	expect(read.isDone).toBe(true);
	return { records: read.records, requests };
}

/** Returns this number of records with IDs. */
const numbered = (count: number, prefix = 'person') =>
	Array.from({ length: count }, (_, index) => {
		const id = `${prefix}-${index}`;
		return { '@id': `/people/${id}`, id };
	});

const someLimit = fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 250 }));
const idsOf = (records: readonly unknown[]) =>
	records.map((record) => (record as { id: string }).id);

describe('a page', () => {
	const member = numbered(3);

	it.each<[unknown, object]>([
		[
			{ member, totalItems: 40, view: NEXT },
			{ totalItems: 40, hasNext: true },
		],
		[
			{ 'hydra:member': member, 'hydra:totalItems': 40, 'hydra:view': { 'hydra:next': '/x' } },
			{ totalItems: 40, hasNext: true },
		],
		[{ member, view: {} }, { hasNext: false }],
		[{ member, view: { next: null } }, { hasNext: false }],
		[{ member, view: { next: '' } }, { hasNext: false }],
		[{ member, view: '/people?page=1' }, {}],
		[{ member, totalItems: '40' }, { totalItems: 40 }],
		[{ member, totalItems: 'many' }, {}],
		[member, {}],
	])('From the page %j, the node reads records, total and whether a page follows', (body, said) => {
		expect(pageOf(body)).toEqual({ members: member, ...said });
	});

	it.each([{ member: {} }, { 'hydra:member': {} }])(
		'The node takes %j, an empty list as PHP writes it, as page',
		(body) => {
			expect(pageOf(body)).toEqual({ members: [] });
		},
	);

	it.each<[unknown]>([
		[undefined],
		[null],
		['<html></html>'],
		[{ id: '1' }],
		[{ member: 'x' }],
		[{ member: { a: 'x' } }],
	])('The node does not take the answer %j for a page of a list', (body) => {
		expect(pageOf(body)).toBeUndefined();
	});
});

it.each<[boolean, object[], unknown]>([
	[true, [{}, { createdAt: null }], { page: 2, position: 2 }],
	[true, [{ createdAt: '2026-01-01T00:00:00Z' }, {}], { from: Date.UTC(2026, 0, 1) }],
	[false, [{ createdAt: '2026-01-01T00:00:00Z' }, {}], 'unordered'],
	[true, [{ createdAt: '2026-01-02' }, { createdAt: '2026-01-01' }], 'unordered'],
])(
	'After a page, a read by creation time continues rightly (skips undated records: %s)',
	(skipsUndated, members, cursor) => {
		const order = byCreation(String, { skipsUndated });
		const after = order.after({ page: 1, position: 0 }, { members, hasNext: true });
		if (typeof cursor === 'string') expect(after).toBe(cursor);
		else expect(after).toMatchObject(cursor as object);
	},
);

describe('a read', () => {
	it('A read asks for at most 30 records a page, none with limit 0', () => {
		const queryOf = (limit: number) => new ListRead(limit).query();
		for (const [limit, size] of [
			...[[1, '1'] as const, [29, '29'] as const, [30, '30'] as const],
			...[[31, '30'] as const, [Infinity, '30'] as const],
		]) {
			expect(queryOf(limit)).toEqual([['itemsPerPage', size]]);
		}
		expect(new ListRead(0).isDone).toBe(true);
	});

	it('A read of an unchanging list gives all records without a needless request', () => {
		fc.assert(
			fc.property(fc.nat(200), someLimit, someForm, (total, limit, form) => {
				const all = numbered(total);
				const { records, requests } = readThrough(limit, (asked) => answerOf(all, asked, form));
				expect(records).toEqual(all.slice(0, limit));
				const size = Math.min(30, limit);
				const pages = Math.ceil(Math.min(total, limit) / size);
				// A bare array does not show that it is the last page.
				const isUnsaid = form === FORMS.bare && total > 0 && total < limit;
				expect(requests).toEqual(
					Array.from({ length: Math.max(1, pages + Number(isUnsaid)) }, (_, index) => ({
						itemsPerPage: size,
						page: index + 1,
					})),
				);
			}),
			{ numRuns: runsOf(500) },
		);
	});

	it('A read of a changing list ends, without doubles or more records than requested', () => {
		const somePlaces = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 });
		const someChange = fc.record({ inFront: fc.nat(8), removed: somePlaces, moved: somePlaces });
		fc.assert(
			fc.property(
				fc.nat(150),
				someLimit,
				someForm,
				fc.array(someChange),
				(total, limit, form, all) => {
					const initial = numbered(total);
					let now = initial;
					const { records } = readThrough(limit, (asked) => {
						const answer = answerOf(now, asked, form);
						const { inFront, removed, moved } = all[asked.page - 1] ?? { inFront: 0 };
						const placeOf = (part: number) => Math.floor(part * Math.max(0, now.length - 1));
						for (const part of moved ?? []) now = [...now.splice(placeOf(part), 1), ...now];
						for (const part of removed ?? []) now.splice(placeOf(part), 1);
						now = [...numbered(inFront, `new-${asked.page}`), ...now];
						return answer;
					});
					const ids = idsOf(records);
					expect(new Set(ids).size).toBe(ids.length);
					expect(ids.length).toBeLessThanOrEqual(limit);
					const onlyGrew = all.every(({ removed, moved }) => removed.length + moved.length === 0);
					if (onlyGrew && limit === Infinity)
						expect(ids).toEqual(expect.arrayContaining(idsOf(initial)));
				},
			),
		);
	});

	it('A read of a list shuffled for every page ends without doubles', () => {
		const someDraws = fc.infiniteStream(fc.nat());
		fc.assert(
			fc.property(fc.integer({ min: 31, max: 120 }), someDraws, (total, draws) => {
				const { records } = readThrough(Infinity, ({ itemsPerPage }) => {
					const drawn = numbered(total).map((record) => ({ record, draw: draws.next().value! }));
					drawn.sort((one, other) => one.draw - other.draw);
					return { member: drawn.map(({ record }) => record).slice(0, itemsPerPage), view: NEXT };
				});
				expect(new Set(idsOf(records)).size).toBe(records.length);
			}),
			{ numRuns: 30 },
		);
	});

	const all = numbered(90);
	const [first, second, third] = [all.slice(0, 30), all.slice(30, 60), all.slice(60)];
	let version = 0;

	const pages =
		(...members: unknown[][]) =>
		(page: number) => ({
			member: members[page - 1],
			view: page < members.length ? NEXT : {},
		});
	const always =
		(member: unknown[], said = {}) =>
		() => ({ member, view: NEXT, ...said });
	const changing = () => first.map((one) => ({ ...one, version: version++ }));
	const cutDown = (page: number) => answerOf(all, { page, itemsPerPage: 15 }, FORMS.withoutView);
	const known = [{ '@id': '/people/1', id: null }, { '@id': '/people/2' }];

	it.each<[string, (page: number) => unknown, number, number]>([
		['an empty page', () => [], 0, 1],
		[
			'an empty page with a total of 0, although it names a next page',
			always([], { totalItems: 0 }),
			0,
			1,
		],
		['two empty pages that name a next page', always([]), 0, 2],
		['the last page, although an earlier page was empty', pages(first, [], third), 60, 3],
		[
			'the last page, although an earlier page only repeated records',
			pages(first, [...first].reverse(), third),
			60,
			4,
		],
		['a page that repeats the page before', always(first), 30, 2],
		['a page with the IDs of the page before, but other values', changing, 30, 2],
		[
			'three pages in a row without a new record',
			(page) => always(page % 2 ? first : second)(),
			60,
			6,
		],
		['the total number of records, although pages are short', cutDown, 90, 6],
		[
			'the last page of identifiers, each once',
			pages(['/people/1', 2, '3'], ['3', '/people/4']),
			4,
			3,
		],
		[
			'the only page of records without an ID, with none left out',
			pages([{ name: 'x' }, { name: 'x' }, null]),
			3,
			1,
		],
		[
			'the last page of records that have only an IRI, each once',
			pages(known, [known[0], { '@id': '/people/3' }]),
			3,
			3,
		],
	])('A read of a list ends after %s', (_, answer, count, pages) => {
		const { records, requests } = readThrough(Infinity, ({ page }) => answer(page));
		expect(records).toHaveLength(count);
		expect(requests).toHaveLength(pages);
	});
});

describe('a read by creation time', () => {
	const someSeconds = fc.array(fc.nat(12), { maxLength: 120 });

	/** Reads a list in the order of creation time. The service loses records between two pages. */
	function readByTime(
		seconds: number[],
		form: (page: Whole) => unknown,
		{ pageSize = 30, gone = [] as number[] } = {},
	) {
		let records = [...seconds]
			.sort((one, other) => one - other)
			.map((second, nth) => ({
				...{ id: `person-${nth}`, nth },
				createdAt: new Date(second * 1000).toISOString(),
			}));
		const read = new ListRead(
			Infinity,
			byCreation((time) => new Date(time).toISOString()),
		);
		let requests = 0;
		while (!read.isDone && requests++ < FAR_TOO_MANY) {
			const query = Object.fromEntries(read.query());
			const { 'createdAt[after]': from = '', page = '1' } = query;
			const asked = records.filter(({ createdAt }) => createdAt >= from);
			const request = { page: Number(page), itemsPerPage: Math.min(30, pageSize) };
			read.add(pageOf(answerOf(asked, request, form))!);
			const leaves = gone[requests - 1];
			records = records.filter(({ nth }) => nth !== leaves);
		}
		expect(read.isDone).toBe(true);
		return { read, left: records };
	}

	it('A read by creation time gives each record once, or counts as incomplete', () => {
		fc.assert(
			fc.property(
				someSeconds,
				someForm,
				fc.integer({ min: 2, max: 30 }),
				(seconds, form, pageSize) => {
					const { read, left } = readByTime(seconds, form, { pageSize });
					if (read.isWhole) expect(idsOf(read.records)).toEqual(idsOf(left));
					else
						expect(Math.max(0, ...Object.values(countsOf(seconds)))).toBeGreaterThanOrEqual(
							pageSize,
						);
				},
			),
			{ numRuns: runsOf(500) },
		);
	});

	it('A read by creation time misses no record that stays while others disappear', () => {
		const someGone = fc.array(fc.nat(120), { maxLength: 5 });
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 200 }), someGone, someForm, (total, gone, form) => {
				const seconds = Array.from({ length: total }, (_, nth) => Math.floor(nth / 3));
				const { read, left } = readByTime(seconds, form, { gone });
				expect(idsOf(read.records)).toEqual(expect.arrayContaining(idsOf(left)));
			}),
			{ numRuns: runsOf(300) },
		);
	});

	it('A read by creation time ends after two empty pages naming a next page', () => {
		const read = new ListRead(
			Infinity,
			byCreation((time) => new Date(time).toISOString()),
		);
		let requests = 0;
		for (; !read.isDone && requests < FAR_TOO_MANY; requests++) {
			read.add({ members: [], hasNext: true });
		}
		expect(requests).toBe(2);
	});

	const countsOf = (seconds: number[]) => {
		const counts: Record<number, number> = {};
		for (const second of seconds) counts[second] = (counts[second] ?? 0) + 1;
		return counts;
	};
});
