import fc from 'fast-check';
import { pageOf } from '../../../nodes/ContactTaskCrm/http/paging';
import type { Client } from '../../../nodes/ContactTaskCrm/crm/client';
import { readPages } from '../../../nodes/ContactTaskCrm/crm/readList';
import { runsOf } from '../../support/drawn';

/*
 * Return All of a list that changes between two pages. Each test has its own kind of change, because the node cannot
 * notice all of them: without a total, nothing shows that a record was deleted.
 */

const NEXT = { next: '/tasks?page=2' };
const client = { logInfo: () => undefined } as unknown as Client;
const numbered = (count: number) => Array.from({ length: count }, (_, nth) => ({ id: `t-${nth}` }));

type Task = { id: string };
type Change = { kind: 'swap' | 'insert' | 'delete'; at: number; to: number };

/** What the service says beside the records: a total, whether a page follows, both, or nothing. */
const FORMS = ['both', 'total', 'next', 'nothing'] as const;
type Form = (typeof FORMS)[number];

let inserted = 0;

/** Returns the list after a change at places that are parts of its length. */
function changed(list: readonly Task[], { kind, at, to }: Change): Task[] {
	const after = [...list];
	const [one, other] = [at, to].map((part) => Math.floor(part * Math.max(0, list.length - 1)));
	if (kind === 'insert') after.splice(one, 0, { id: `new-${inserted++}` });
	else if (kind === 'delete') after.splice(one, 1);
	else if (list.length > 0) [after[one], after[other]] = [list[other], list[one]];
	return after;
}

/** Reads a list that changes after each request. Returns IDs, or the error, and the number of requests. */
async function readAll({
	total,
	pageSize,
	form,
	changes,
}: {
	total: number;
	pageSize: number;
	form: Form;
	changes: Change[][];
}) {
	const first = numbered(total);
	let list = first;
	let requests = 0;
	let most = total;
	const deleted = new Set<string>();
	const readPage = async (query: ReadonlyArray<readonly [string, string]>) => {
		const page = Number(Object.fromEntries(query).page ?? 1);
		const member = list.slice((page - 1) * pageSize, page * pageSize);
		const body = {
			member,
			...(['both', 'total'].includes(form) && { totalItems: list.length }),
			...(['both', 'next'].includes(form) && {
				view: page * pageSize < list.length ? NEXT : {},
			}),
		};
		for (const change of changes[requests] ?? []) {
			const before = list;
			list = changed(list, change);
			for (const { id } of before) if (!list.some((task) => task.id === id)) deleted.add(id);
		}
		requests++;
		most = Math.max(most, list.length);
		return await Promise.resolve(pageOf(body)!);
	};
	const read = { plural: 'tasks', limit: Infinity, readPage };
	const { records, error } = await readPages(client, read).then(
		(part) => ({ records: part.records as Task[], error: undefined }),
		(thrown: Error) => ({ records: undefined, error: thrown.message }),
	);
	// Two reads, each with a page after the last, and each page once more.
	expect(requests).toBeLessThanOrEqual(4 * (Math.ceil(most / pageSize) + 1));
	const stayed = first.map(({ id }) => id).filter((id) => !deleted.has(id));
	return { ids: records?.map(({ id }) => id), error, requests, stayed };
}

const REFUSALS =
	/^(The list of tasks changed while it was read|The service says that there are \d+ tasks|The service repeats its pages after)/;

const part = fc.double({ min: 0, max: 1, noNaN: true });

/** Draws a list, and at most two changes after each request. A page of few records could change as a whole. */
const drawn = (kinds: ReadonlyArray<Change['kind']>, forms: readonly Form[]) =>
	fc.record({
		total: fc.nat(200),
		pageSize: fc.integer({ min: 5, max: 30 }),
		form: fc.constantFrom(...forms),
		changes: fc.array(
			fc.array(
				fc
					.record({
						kind: fc.constantFrom(...kinds),
						at: part,
						by: fc.integer({ min: -2, max: 2 }),
					})
					.chain(({ kind, at, by }) =>
						// Equal records are often neighbours, so most swaps are short.
						fc
							.oneof(part, fc.constant(Math.min(1, Math.max(0, at + by / 200))))
							.map((to) => ({ kind, at, to })),
					),
				{ maxLength: 2 },
			),
			{ maxLength: 20 },
		),
	});

describe('Return All of a list that changes between two pages', () => {
	it.each<[string, Array<Change['kind']>, readonly Form[]]>([
		['swaps', ['swap'], FORMS],
		['insertions', ['insert'], FORMS],
		['swaps and insertions, with a total', ['swap', 'insert'], ['both', 'total']],
		['deletions, with a total', ['delete'], ['both', 'total']],
	])(
		'While a list changes, Return All gives every record that stays, or fails: %s',
		async (_, kinds, forms) => {
			await fc.assert(
				fc.asyncProperty(drawn(kinds, forms), async (list) => {
					const { ids, error, stayed } = await readAll(list);
					if (ids === undefined) {
						expect(error).toMatch(REFUSALS);
					} else {
						expect(new Set(ids).size).toBe(ids.length);
						expect(ids).toEqual(expect.arrayContaining(stayed));
					}
				}),
				{ numRuns: runsOf(2_000) },
			);
		},
	);

	const SWAP: Change = { kind: 'swap', at: 29.5 / 59, to: 30.5 / 59 };
	const once = { total: 60, pageSize: 30, changes: [[SWAP]] };

	it.each(FORMS)(
		'After a repeated record, Return All rereads the previous page (total/next shown: %s)',
		async (form) => {
			const { ids, requests } = await readAll({ ...once, form });
			const order = numbered(60).map(({ id }) => id);
			// The found record comes between the two pages.
			expect(ids).toEqual(order);
			expect(requests).toBe(form === 'nothing' ? 4 : 3);
		},
	);

	it('Return All fails if two reads of a list find pages that overlap', async () => {
		const { error, requests } = await readAll({
			...{ ...once, form: 'next' },
			changes: Array.from({ length: 6 }, () => [SWAP]),
		});
		expect(error).toBe('The list of tasks changed while it was read');
		expect(requests).toBe(6);
	});

	it('If a record is deleted during the read, Return All still gives all others', async () => {
		const deletion: Change = { kind: 'delete', at: 0, to: 0 };
		const changes = [[], [], [], [], [deletion]];
		const { ids, stayed } = await readAll({ total: 200, pageSize: 30, form: 'both', changes });
		expect(ids).toEqual(expect.arrayContaining(stayed));
	});
});
