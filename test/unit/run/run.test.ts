import type { IExecutePaginationFunctions } from 'n8n-workflow';
import { systemClock } from '../../../nodes/ContactTaskCrm/http/clock';
import { Cancelled } from '../../../nodes/ContactTaskCrm/http/errors';
import { Run, runOf } from '../../../nodes/ContactTaskCrm/run/run';
import { itemContext, NODE } from '../../support/itemContext';

function started(total: number | undefined, joining: number, mustBeWhole = true) {
	const execution = new AbortController();
	const options = { total, mustBeWhole, mayBeRetried: false, cancelled: execution.signal };
	const run = new Run(options);
	for (let item = 0; item < joining; item++) run.join(item);
	return { run, execution };
}

const caught = (reason: unknown) => reason;

async function begin(run: Run): Promise<void> {
	run.prepared();
	await run.allPrepared();
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('the items of a run begin', () => {
	it.each<[string, number | undefined, boolean, boolean]>([
		['not where the engine gave up while it built them', 5, true, false],
		['where failures leave the run going on', 5, false, true],
		['where their number is not known', undefined, true, true],
		['where every one was built', 4, true, true],
	])('%s', async (_, total, mustBeWhole, begins) => {
		const { run } = started(total, 4, mustBeWhole);
		const all = Promise.all([1, 2, 3, 4].map(async () => await begin(run).catch(caught)));
		await jest.advanceTimersByTimeAsync(100);
		const ends = (await all).map((end) => end instanceof Cancelled);
		expect(ends).toEqual(Array(4).fill(!begins));
		expect(run.isBroken).toBe(!begins);
	});

	it('500 at a stretch, so that others have their turn between', async () => {
		const { run } = started(1_200, 1_200);
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

it.each([true, false])(
	'a run that is stopped begins nothing more; by the user: %p',
	async (isByUser) => {
		const { run, execution } = started(1, 1);
		if (isByUser) execution.abort();
		else run.stop();
		const end = begin(run).catch(caught);
		await jest.advanceTimersByTimeAsync(100);
		expect(await end).toBeInstanceOf(Cancelled);
		expect([run.signal.aborted, run.isCancelled]).toEqual([true, isByUser]);
	},
);

it('the summary comes once every item has ended, those counted that were never built', async () => {
	const { run } = started(10, 5);
	for (const end of ['done', 'failed', 'uncertain', 'notSent'] as const) run.end(end);
	let summary: string | undefined;
	const asked = run.withSummary(new Error('No'), true).then(({ message }) => (summary = message));
	await Promise.resolve();
	expect(summary).toBeUndefined();
	run.end('done');
	expect(await asked).toBe('No (2 of 10 items done, 6 not sent, 1 may have taken effect)');
});

it('the summary counts all that failed where there are several, and says how to go on past them', async () => {
	const summaryOf = async (isRefusal: boolean) => {
		const { run } = started(10, 4);
		for (const end of ['done', 'failed', 'failed', 'notSent'] as const) run.end(end);
		const error = Object.assign(new Error('No'), { description: 'Correct it' });
		return await run.withSummary(error, isRefusal);
	};
	expect(await summaryOf(true)).toMatchObject({
		message: 'No (1 of 10 items done, 2 failed, 7 not sent)',
		description:
			'Correct it. To do the other items all the same, set On Error to Continue under Settings',
	});
	// No item would do better than the one that was told that the service is down.
	expect((await summaryOf(false)).description).toBe('Correct it');
});

it('what items read is read once a minute for the same question, and everybody has a copy', async () => {
	const { run } = started(3, 3);
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
	])('keeps what its items gave, on a node with %j: %p', (node, isKept) => {
		const context = contextOf(node, { data: { main: [[{ json: {} }]] } });
		const first = runOf(context);
		first.join(0);
		first.keep(0, [{ json: { id: '1' } }]);
		first.keep(1, 'unknown');
		const second = runOf(context);
		expect(second).not.toBe(first);
		expect(second.outcomeBefore(0)).toEqual(isKept ? [{ json: { id: '1' } }] : undefined);
		if (isKept) expect(() => second.outcomeBefore(1)).toThrow(/^This item is not sent again/);
		expect(second.outcomeBefore(2)).toBeUndefined();
	});

	it('is told by items that begin anew, and one item alone is expected with Execute Once', () => {
		const executeData = { data: { main: [[{ json: {} }, { json: {} }]] } };
		const context = contextOf({}, executeData);
		const run = runOf(context);
		run.join(0);
		context.getItemIndex = () => 1;
		expect(runOf(context)).toBe(run);
		expect(run.size).toBe(2);
		expect(runOf(contextOf({ executeOnce: true }, { ...executeData })).size).toBe(1);
	});
});
