import fc from 'fast-check';
import { ListRead, pageOf } from '../../../nodes/ContactTaskCrm/transport/paging';
import type { PageForm } from '../../support/changingCollection';
import { answerOf, numbered, readThrough } from '../../support/changingCollection';

const FORMS: PageForm[] = ['envelope', 'hydra', 'bare', 'withoutView', 'withoutTotal'];

describe('a page', () => {
	const records = numbered(3);

	it('is read from the envelope of the interface', () => {
		const view = {
			'@id': '/people?page=1',
			'@type': 'PartialCollectionView',
			next: '/people?page=2',
		};
		expect(pageOf({ member: records, totalItems: 40, view })).toEqual({
			members: records,
			totalItems: 40,
			hasNext: true,
		});
	});

	it('is read from an envelope whose names carry the hydra: prefix', () => {
		const view = { '@id': '/people?page=1', 'hydra:next': '/people?page=2' };
		expect(pageOf({ 'hydra:member': records, 'hydra:totalItems': 40, 'hydra:view': view })).toEqual(
			{ members: records, totalItems: 40, hasNext: true },
		);
	});

	it('is the last one where the view has no next link', () => {
		for (const view of [{}, { '@id': '/people' }, { next: null }, { next: '' }]) {
			expect(pageOf({ member: records, view })?.hasNext).toBe(false);
		}
	});

	it('does not say whether another follows where it has no view', () => {
		expect(pageOf({ member: records, totalItems: 3 })?.hasNext).toBeUndefined();
		expect(pageOf({ member: records, view: '/people?page=1' })?.hasNext).toBeUndefined();
		expect(pageOf(records)).toEqual({ members: records });
	});

	it('has a total that is a number or the text of one, and no other', () => {
		const totalOf = (totalItems: unknown) => pageOf({ member: records, totalItems })?.totalItems;
		expect([40, '40', '', 'many', null, {}].map(totalOf)).toEqual([40, 40, ...Array(4)]);
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['text', '<html></html>'],
		['a record', { '@id': '/people/1', id: '1' }],
		['members that are no list', { member: { a: 'x' } }],
	])('is not made of %s', (_, body) => {
		expect(pageOf(body)).toBeUndefined();
	});
});

describe('the requests of a read', () => {
	it('ask for pages of 30 at most, or of the limit where that is less', () => {
		expect([1, 29, 30, 31, Infinity].map((limit) => new ListRead(limit).pageSize)).toEqual([
			1, 29, 30, 30, 30,
		]);
	});

	it('name no page for the first one', () => {
		expect(new ListRead(50).nextPageQuery()).toEqual([['itemsPerPage', '30']]);
	});

	it('are none for no records', () => {
		expect(new ListRead(0).isDone).toBe(true);
	});

	it.each(FORMS)('are as many as needed and no more for a still collection as %s', (form) => {
		fc.assert(
			fc.property(
				fc.nat(200),
				fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 250 })),
				(total, limit) => {
					const all = numbered(total);
					const { records, requests } = readThrough(limit, (request) =>
						answerOf(all, request, form),
					);
					expect(records).toEqual(all.slice(0, limit));
					const size = Math.min(30, limit);
					const wanted = Math.min(total, limit);
					// A bare array that is full does not say that it is the last one.
					const unsaid = form === 'bare' && total < limit && total % size === 0 ? 1 : 0;
					expect(requests).toHaveLength(Math.max(1, Math.ceil(wanted / size) + (total && unsaid)));
					requests.forEach(({ page, itemsPerPage }, index) => {
						expect([page, itemsPerPage]).toEqual([index + 1, size]);
					});
				},
			),
		);
	});

	it.each([
		[1_000, Infinity, 34],
		[1_000, 50, 2],
		[1_000, 30, 1],
		[1_000, 31, 2],
		[0, Infinity, 1],
		[30, Infinity, 1],
	])('for %d records and a limit of %d are %d', (total, limit, count) => {
		const all = numbered(total);
		expect(readThrough(limit, (request) => answerOf(all, request)).requests).toHaveLength(count);
	});

	it('for a limit of 1 are one, for one item', () => {
		const { records, requests } = readThrough(1, (request) => answerOf(numbered(9), request));
		expect(requests).toEqual([{ itemsPerPage: 1, page: 1 }]);
		expect(records).toEqual(numbered(1));
	});
});

describe('the end of a read', () => {
	it.each([
		['an empty page', { member: [] }, 1],
		['an empty page behind the last record, though it names the next', { totalItems: 0 }, 1],
		['two empty pages in a row, though they name the next', {}, 2],
	])('is %s', (_, form, count) => {
		const { records, requests } = readThrough(Infinity, () => ({
			member: [],
			...('member' in form ? {} : { view: { next: '/x' } }),
			...form,
		}));
		expect(records).toEqual([]);
		expect(requests).toHaveLength(count);
	});

	it('is not one empty page that names the next', () => {
		const { records } = readThrough(Infinity, ({ page }) => ({
			member: page === 2 ? [] : numbered(30, `page ${page}`),
			view: page < 3 ? { next: `/people?page=${page + 1}` } : {},
		}));
		expect(records).toHaveLength(60);
	});

	it('is a page that repeats the one before, for a service that does not know of pages', () => {
		const { records, requests } = readThrough(Infinity, () => ({
			member: numbered(30),
			view: { next: '/people?page=2' },
		}));
		expect(records).toEqual(numbered(30));
		expect(requests).toHaveLength(2);
	});

	it('is told by ids: the same records with other values repeat themselves', () => {
		let version = 0;
		const { records, requests } = readThrough(Infinity, () => {
			version++;
			return numbered(30).map((record) => ({ ...record, version }));
		});
		expect(records).toHaveLength(30);
		expect(requests).toHaveLength(2);
	});

	it('comes although two pages take turns for ever', () => {
		const { records, requests } = readThrough(Infinity, ({ page }) => ({
			member: numbered(30, page % 2 === 0 ? 'even' : 'odd'),
			view: { next: '/people?page=2' },
		}));
		expect(records).toHaveLength(60);
		expect(requests).toHaveLength(5);
	});

	it('comes by the total where the service cuts the page size down and has no view', () => {
		const all = numbered(100);
		const { records } = readThrough(Infinity, ({ page }) =>
			answerOf(all, { page, itemsPerPage: 15 }, 'withoutView'),
		);
		expect(records).toEqual(all);
	});
});

describe('records', () => {
	it('that are mere identifiers are read as they are, and once', () => {
		const { records } = readThrough(Infinity, ({ page }) => ({
			member: page === 1 ? ['/people/1', 2, '3'] : ['3', '/people/4'],
			totalItems: 5,
		}));
		expect(records).toEqual(['/people/1', 2, '3', '/people/4']);
	});

	it('without an id cannot be told apart, and are all given', () => {
		const { records } = readThrough(Infinity, () => [{ name: 'x' }, { name: 'x' }, null]);
		expect(records).toEqual([{ name: 'x' }, { name: 'x' }, null]);
	});

	it('are known by their IRI where they show no id', () => {
		const { records } = readThrough(Infinity, ({ page }) => ({
			member: [{ '@id': '/people/1', id: null }, { '@id': `/people/${page}0` }],
			totalItems: 4,
		}));
		expect(records).toHaveLength(3);
	});
});
