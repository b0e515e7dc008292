import { NodeRun } from '../../../nodes/ContactTaskCrm/transport/nodeRun';
import { Cancelled } from '../../../nodes/ContactTaskCrm/transport/requestErrors';
import { TenantLimiter } from '../../../nodes/ContactTaskCrm/transport/tenantLimiter';
import { VirtualClock } from '../../support/virtualClock';

const rejection = (reason: unknown) => reason;

function runOf(total: number | undefined, joining: number, mustBeWhole = true) {
	const clock = new VirtualClock();
	const execution = new AbortController();
	const { signal } = execution;
	const run = new NodeRun({ clock, total, mustBeWhole, signal });
	for (let item = 0; item < joining; item++) run.join(item);
	return { clock, run, execution };
}

describe('the beginning of a run', () => {
	it('waits for a macrotask, so that the engine can build all items first', async () => {
		const { clock, run } = runOf(2, 1);
		let hasBegun = false;
		const begun = run.begin().then(() => {
			hasBegun = true;
		});
		for (let microtasks = 0; microtasks < 20; microtasks++) await Promise.resolve();
		expect(hasBegun).toBe(false);
		run.join(1);
		await clock.run(begun);
		expect(hasBegun).toBe(true);
	});

	it('does not come where the engine gave up while it built the items', async () => {
		const { clock, run } = runOf(5, 4);
		await expect(clock.run(run.begin())).rejects.toBeInstanceOf(Cancelled);
		expect(run.isBroken).toBe(true);
	});

	it.each([
		['failures leave the run going on', 5, 4, false],
		['the number of items is not known', undefined, 4, true],
		['every item was built', 4, 4, true],
	])('comes where %s', async (_, total, joining, mustBeWhole) => {
		const { clock, run } = runOf(total, joining, mustBeWhole);
		await expect(clock.run(run.begin())).resolves.toBeUndefined();
		expect(run.isBroken).toBe(false);
	});

	it('comes for 500 items at a stretch, so that others have their turn between', async () => {
		const items = 1_200;
		const { clock, run } = runOf(items, items);
		let begun = 0;
		const counts: number[] = [];
		const watch = async (): Promise<void> => {
			await clock.sleep(0);
			if (begun > (counts.at(-1) ?? 0)) counts.push(begun);
			if (begun < items) await watch();
		};
		const all = Array.from({ length: items }, async () => {
			await run.begin();
			begun++;
		});
		await clock.run(Promise.all([...all, watch()]));
		const stretches = counts.map((count, index) => count - (counts[index - 1] ?? 0));
		expect(Math.max(...stretches)).toBeLessThanOrEqual(500);
		expect(begun).toBe(items);
	});

	it('does not come once the run was stopped', async () => {
		const { clock, run } = runOf(2, 2);
		run.stop();
		await expect(clock.run(run.begin())).rejects.toBeInstanceOf(Cancelled);
	});
});

describe('an item', () => {
	it('belongs to the run while items come in order, and to another one when they begin anew', () => {
		const { run } = runOf(3, 2);
		expect([0, 1, 2, 5].map((item) => run.continuesWith(item))).toEqual([false, false, true, true]);
	});

	it('may go on until the run is stopped', () => {
		const { run } = runOf(1, 1);
		expect(() => run.throwIfStopped()).not.toThrow();
		run.stop();
		expect(() => run.throwIfStopped()).toThrow(Cancelled);
	});
});

describe('stopping a run', () => {
	it('takes its waiting requests out of every limiter it uses, and leaves those of others', async () => {
		const { clock, run } = runOf(3, 3);
		const limiter = new TenantLimiter(clock, () => 0);
		const submit = async (queueKey: object) =>
			await limiter.submit({
				queueKey,
				item: 0,
				urgent: false,
				waitLimits: { slotMs: Infinity, throttledMs: Infinity },
				limit: 1,
				send: async () => {
					await clock.sleep(10);
					return { kind: 'response', status: 200, headers: {}, body: {} };
				},
			});
		run.uses(limiter);
		const onItsWay = submit(run);
		const waiting = submit(run).catch(rejection);
		const ofAnother = submit({});
		run.stop();
		expect(await waiting).toBeInstanceOf(Cancelled);
		await expect(clock.run(onItsWay)).resolves.toMatchObject({ status: 200 });
		await expect(clock.run(ofAnother)).resolves.toMatchObject({ status: 200 });
	});

	it('is announced once, to those who wait and to those who come later, but not to those who left', () => {
		const { run } = runOf(1, 1);
		const [waiting, leaving, late] = [jest.fn(), jest.fn(), jest.fn()];
		run.onStop(waiting);
		run.onStop(leaving)();
		run.stop();
		run.stop();
		run.onStop(late);
		expect([waiting, leaving, late].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 1]);
	});

	it('by a failure is no cancelling, but cancelling is a stop', () => {
		const failed = runOf(1, 1);
		const onCancel = jest.fn();
		failed.run.onCancel(onCancel);
		failed.run.stop();
		expect(onCancel).not.toHaveBeenCalled();
		const cancelled = runOf(1, 1);
		const onStop = jest.fn();
		cancelled.run.onStop(onStop);
		cancelled.run.onCancel(onCancel);
		cancelled.execution.abort();
		expect(onStop).toHaveBeenCalledTimes(1);
		expect(onCancel).toHaveBeenCalledTimes(1);
		expect(cancelled.run.isCancelled).toBe(true);
	});

	it('that is over listens no longer to the execution', () => {
		const { run, execution } = runOf(1, 1);
		const onCancel = jest.fn();
		run.onCancel(onCancel);
		run.end('done');
		execution.abort();
		expect(onCancel).not.toHaveBeenCalled();
	});
});

describe('the tally', () => {
	it('comes when every item has ended, and counts what was done and what was not sent', async () => {
		const { run } = runOf(4, 4);
		run.end('done');
		run.end('failed');
		let tally: unknown;
		const counted = run.tally().then((result) => (tally = result));
		run.end('notSent');
		await Promise.resolve();
		expect(tally).toBeUndefined();
		run.end('done');
		await counted;
		expect(tally).toEqual({ total: 4, done: 2, notSent: 1, uncertain: 0 });
	});

	it('counts items that were never built as not sent', async () => {
		const { run } = runOf(10, 1);
		run.end('failed');
		expect(await run.tally()).toEqual({ total: 10, done: 0, notSent: 9, uncertain: 0 });
	});

	it('counts those that joined where the number of items is not known', async () => {
		const { run } = runOf(undefined, 2);
		run.end('failed');
		run.end('notSent');
		expect(await run.tally()).toEqual({ total: 2, done: 0, notSent: 1, uncertain: 0 });
	});

	it('comes to everybody who asked', async () => {
		const { run } = runOf(1, 1);
		const both = Promise.all([run.tally(), run.tally()]);
		run.end('failed');
		expect(await both).toHaveLength(2);
	});
});
