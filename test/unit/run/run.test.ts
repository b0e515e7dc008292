import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { systemClock } from '../../../nodes/ContactTaskCrm/util/clock';
import { Run } from '../../../nodes/ContactTaskCrm/run/run';
import { RunStopped } from '../../../nodes/ContactTaskCrm/util/failures';
import { itemContext, NODE } from '../../support/itemContext';
import { runOf } from '../../../nodes/ContactTaskCrm/run/paginator';

function started(total: number, joining: number): Run {
	const run = new Run({ total, mustBeWhole: true, isTool: false, mayBeRetried: false });
	for (let item = 0; item < joining; item++) run.join(item);
	return run;
}

async function begin(run: Run): Promise<void> {
	run.notePrepared();
	await run.untilAllPrepared();
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the items of a run', () => {
	it('After at most 500 begun items, a run lets n8n do other work', async () => {
		const run = started(1_200, 1_200);
		let begun = 0;
		for (let item = 0; item < 1_200; item++) void begin(run).then(() => begun++);
		const stretches: number[] = [];
		const watched = (async () => {
			for (let before = 0; begun < 1_200; before = begun) {
				await systemClock.sleep(0);
				stretches.push(begun - before);
			}
		})();
		await jest.advanceTimersByTimeAsync(100);
		await watched;
		expect(Math.max(...stretches)).toBeLessThanOrEqual(500);
	});
});

it("A run's error counts done, failed and unsent items; a refusal advises On Error", async () => {
	const summaryOf = async (isRefusal: boolean) => {
		const run = started(10, 4);
		for (const end of ['done', 'failed', 'failed', 'notSent'] as const) run.noteEnd(end);
		const error = Object.assign(new Error('No'), { description: 'Correct it' });
		return await run.withSummary(error, isRefusal);
	};
	expect(await summaryOf(true)).toMatchObject({
		message: 'No (1 of 10 items done, 2 failed, 7 not sent)',
		description:
			'Correct it. To run the other items despite a failure, set On Error to Continue under Settings',
	});
	// If the service is down, further items cannot succeed either.
	expect((await summaryOf(false)).description).toBe('Correct it');
});

it('A run reuses a read for a minute, and gives each item a copy', async () => {
	const run = started(3, 3);
	const read = jest.fn(async () => await Promise.resolve({ tags: ['a'] }));
	const [one, other] = await Promise.all([run.readOnce('q', read), run.readOnce('q', read)]);
	expect(other).toEqual(one);
	expect(other.tags).not.toBe(one.tags);
	await jest.advanceTimersByTimeAsync(59_000);
	await run.readOnce('q', read);
	expect(read).toHaveBeenCalledTimes(1);
	await jest.advanceTimersByTimeAsync(1_000);
	await run.readOnce('q', read);
	expect(read).toHaveBeenCalledTimes(2);
});

describe('a run that ends early', () => {
	it('An item of a stopped run ends before it reads ahead or begins', async () => {
		const run = started(2, 2);
		run.stop();
		const ends = Promise.allSettled([run.untilAllJoined(), begin(run), begin(run)]);
		await jest.advanceTimersByTimeAsync(1);
		for (const end of await ends) {
			expect(end).toMatchObject({ status: 'rejected', reason: expect.any(RunStopped) });
		}
		expect(run.isCancelled).toBe(false);
	});

	it('A run that the user cancels is cancelled, and sends nothing more', () => {
		const cancel = new AbortController();
		const options = { total: 1, mustBeWhole: true, isTool: false, mayBeRetried: false };
		const run = new Run({ ...options, cancelled: cancel.signal });
		expect([run.isCancelled, run.signal.aborted]).toEqual([false, false]);
		cancel.abort();
		expect([run.isCancelled, run.signal.aborted]).toEqual([true, true]);
	});
});

describe('a run that n8n tries again', () => {
	function contextOf(parts: object, executeData: object): IExecutePaginationFunctions {
		const { context } = itemContext();
		context.getExecuteData = () => executeData as never;
		context.getNode = () => ({ ...NODE, ...parts });
		return context;
	}

	it.each<[object, boolean]>([
		[{ retryOnFail: true }, true],
		[{}, false],
		[{ retryOnFail: true, type: `${NODE.type}Tool` }, false],
	])('When n8n retries a node with %j, the run keeps earlier results: %p', (node, isKept) => {
		const context = contextOf(node, { data: { main: [[{ json: {} }]] } });
		const first = runOf(context);
		first.join(0);
		first.keepOutcome(0, [{ json: { id: '1' } }]);
		first.keepOutcome(1, 'unknown');
		const second = runOf(context);
		expect(second).not.toBe(first);
		expect(second.outcomeBefore(0)).toEqual(isKept ? [{ json: { id: '1' } }] : undefined);
		if (isKept) expect(() => second.outcomeBefore(1)).toThrow(/^This item is not sent again/);
		expect(second.outcomeBefore(2)).toBeUndefined();
	});

	it('All items of an execution share one run, and Execute Once has one item', () => {
		const executeData = { data: { main: [[{ json: {} }, { json: {} }]] } };
		const context = contextOf({}, executeData);
		const run = runOf(context);
		run.join(0);
		context.getItemIndex = () => 1;
		expect(runOf(context)).toBe(run);
		expect(run.size).toBe(2);
		expect(runOf(contextOf({ executeOnce: true }, { ...executeData })).size).toBe(1);
	});

	it.each([
		['items of a tool', { ai_tool: [[{ json: {} }, { json: {} }]] }, {}, 2],
		['no items to count', {}, {}, 1],
		['no items to count, with Execute Once', {}, { executeOnce: true }, 1],
		['no item, with Execute Once', { main: [[]] }, { executeOnce: true }, 0],
	])('After one item has joined, a run knows its size from %s', (_, data, node, size) => {
		const run = runOf(contextOf(node, { data }));
		run.join(0);
		expect(run.size).toBe(size);
	});
});
