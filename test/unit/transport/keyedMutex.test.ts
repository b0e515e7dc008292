import { withLock } from '../../../nodes/ContactTaskCrm/transport/keyedMutex';
import { NodeRun } from '../../../nodes/ContactTaskCrm/transport/nodeRun';
import { Cancelled } from '../../../nodes/ContactTaskCrm/transport/requestErrors';
import { VirtualClock } from '../../support/virtualClock';

describe('taking turns', () => {
	it('runs work on one subject one after the other, in the order it came', async () => {
		const clock = new VirtualClock();
		const events: string[] = [];
		const work = async (name: string, ms: number) =>
			await withLock('person 1', async () => {
				events.push(`${name} begins`);
				await clock.sleep(ms);
				events.push(`${name} ends`);
				return name;
			});
		const all = Promise.all([work('slow', 500), work('quick', 1), work('third', 10)]);
		expect(await clock.run(all)).toEqual(['slow', 'quick', 'third']);
		expect(events).toEqual([
			'slow begins',
			'slow ends',
			'quick begins',
			'quick ends',
			'third begins',
			'third ends',
		]);
	});

	it('lets work on different subjects run at the same time', async () => {
		const clock = new VirtualClock();
		const wait = async () => await clock.sleep(1_000);
		await clock.run(Promise.all([withLock('person 1', wait), withLock('person 2', wait)]));
		expect(clock.now()).toBe(1_000);
	});

	it('goes on after work that fails, which fails for its own caller alone', async () => {
		const outcomes = await Promise.allSettled([
			withLock('person 1', async () => await Promise.reject(new Error('no'))),
			withLock('person 1', async () => await Promise.resolve('yes')),
		]);
		expect(outcomes).toMatchObject([
			{ status: 'rejected', reason: { message: 'no' } },
			{ status: 'fulfilled', value: 'yes' },
		]);
	});

	it('goes on after work that throws before it waits for anything', async () => {
		const thrower = withLock('person 1', () => {
			throw new Error('at once');
		});
		const next = withLock('person 1', async () => await Promise.resolve('yes'));
		await expect(thrower).rejects.toThrow('at once');
		await expect(next).resolves.toBe('yes');
	});

	it('lets go whoever waits when its run stops, and none of the others', async () => {
		const clock = new VirtualClock();
		const run = new NodeRun({ clock, mustBeWhole: false });
		const slow = withLock('person 1', async () => await clock.sleep(10_000), run);
		const work = jest.fn(async () => await Promise.resolve('mine'));
		const waiting = withLock('person 1', work, run);
		const other = withLock('person 1', async () => await Promise.resolve('other'));
		await clock.pass(100);
		run.stop();
		await expect(waiting).rejects.toBeInstanceOf(Cancelled);
		expect(clock.now()).toBe(100);
		await expect(clock.run(slow)).resolves.toBeUndefined();
		await expect(clock.run(other)).resolves.toBe('other');
		expect(work).not.toHaveBeenCalled();
	});

	it('waits for whoever came in while the one before was at work', async () => {
		const clock = new VirtualClock();
		const order: number[] = [];
		const work = async (name: number) =>
			await withLock('person 1', async () => {
				await clock.sleep(100);
				order.push(name);
			});
		const first = work(1);
		await clock.pass(50);
		const second = work(2);
		await clock.run(first);
		const third = work(3);
		await clock.run(Promise.all([second, third]));
		expect(order).toEqual([1, 2, 3]);
		expect(clock.now()).toBe(300);
	});
});
