import type { ServedPage } from '../../../nodes/ContactTaskCrm/http/paging';
import { systemClock } from '../../../nodes/ContactTaskCrm/util/clock';
import { SharedPages } from '../../../nodes/ContactTaskCrm/crm/sharedPages';
import { VirtualClock } from '../../support/virtualClock';

const MINUTE_MS = 60_000;
const page = (id: number): ServedPage => ({ members: [{ id }], servedAt: 0 });

/** Returns the pages of a list with two triggers, and the clock that they follow. */
function shared() {
	const clock = new VirtualClock();
	jest.spyOn(systemClock, 'now').mockImplementation(clock.now);
	jest.spyOn(systemClock, 'sleep').mockImplementation(clock.sleep.bind(clock));
	const pages = new SharedPages();
	const readers = [{}, {}];
	const joinAll = () => readers.forEach((reader) => pages.join(reader));
	joinAll();
	return { clock, pages, joinAll };
}

afterEach(() => jest.restoreAllMocks());

it('For three minutes, the node keeps a list page that several triggers share', async () => {
	const { clock, pages, joinAll } = shared();
	pages.add('first', page(1));
	await clock.pass(3 * MINUTE_MS);
	joinAll();
	pages.add('second', page(2));
	expect(pages.prune()).toBe(true);
	expect(pages.since(0).map(({ request }) => request)).toEqual(['first', 'second']);
	await clock.pass(1);
	joinAll();
	expect(pages.prune()).toBe(true);
	expect(pages.since(0).map(({ request }) => request)).toEqual(['second']);
	// A trigger that has applied the first page continues with the second.
	expect(pages.since(1).map(({ request }) => request)).toEqual(['second']);
	expect(pages.end).toBe(2);
});

it('A list that triggers share counts as unused after three minutes without a poll', async () => {
	const { clock, pages } = shared();
	await clock.pass(3 * MINUTE_MS);
	expect(pages.prune()).toBe(true);
	await clock.pass(1);
	expect(pages.prune()).toBe(false);
});

it('Of a list that triggers share, the node keeps the hundred pages read last', () => {
	const { pages } = shared();
	for (let number = 0; number < 105; number++) pages.add(number, page(number));
	pages.prune();
	expect(pages.since(0).map(({ request }) => request)).toEqual(
		Array.from({ length: 100 }, (_, index) => index + 5),
	);
});

it('The node keeps no page of a list that only one trigger reads', () => {
	const pages = new SharedPages();
	pages.join({});
	pages.add('only', page(1));
	expect(pages.since(0)).toEqual([]);
});

it('A trigger waits while another trigger reads the same list, and sends nothing meanwhile', async () => {
	const { clock, pages } = shared();
	const send = jest.fn(async () => await clock.sleep(2_000).then(() => 'answer'));
	const first = pages.alone({ servedAt: 0, until: 10_000 }, send);
	const second = pages
		.alone({ servedAt: 0, until: 10_000 }, send)
		.then((answer) => [answer, clock.now()]);
	expect(await clock.run(Promise.all([first, second]))).toEqual(['answer', [undefined, 2_000]]);
	expect(send).toHaveBeenCalledTimes(1);
	expect(await clock.run(pages.alone({ servedAt: 0, until: 10_000 }, send))).toBe('answer');
});

it("A trigger waits for another trigger's request no longer than its own maximum wait", async () => {
	const { clock, pages } = shared();
	const first = pages.alone({ servedAt: 0, until: 10_000 }, async () => await clock.sleep(8_000));
	const second = pages.alone({ servedAt: 0, until: 3_000 }, jest.fn()).then(() => clock.now());
	expect(await clock.run(second)).toBe(3_000);
	await clock.run(first);
});

it('A trigger unanswered for ten minutes longer does not wait for another trigger', async () => {
	const { clock, pages } = shared();
	await clock.pass(20 * MINUTE_MS);
	const send = jest.fn(async () => await clock.sleep(2_000));
	const until = clock.now() + 10_000;
	const sending = [15, 5, 4].map((minute) =>
		pages.alone({ servedAt: minute * MINUTE_MS, until }, send),
	);
	await clock.run(Promise.all(sending));
	expect(send).toHaveBeenCalledTimes(2);
});

it('If a request for a shared list fails, the next trigger sends its own', async () => {
	const { clock, pages } = shared();
	const failing = pages.alone(
		{ servedAt: 0, until: 10_000 },
		async () => await Promise.reject(new Error('refused')),
	);
	await expect(clock.run(failing)).rejects.toThrow('refused');
	expect(
		await clock.run(
			pages.alone({ servedAt: 0, until: 10_000 }, async () => await Promise.resolve('answer')),
		),
	).toBe('answer');
});
