import fc from 'fast-check';
import { Cancelled } from '../../../nodes/ContactTaskCrm/http/errors';
import { KeyedQueue } from '../../../nodes/ContactTaskCrm/tenant/keyedQueue';
import { VirtualClock } from '../../support/virtualClock';

interface Work {
	key: string;
	at: number;
	takes: number;
	fails: boolean;
	abortsAt?: number;
}

const someWork: fc.Arbitrary<Work> = fc.record(
	{
		key: fc.constantFrom('a', 'b'),
		at: fc.nat(1_000),
		takes: fc.oneof(fc.constant(0), fc.nat(500)),
		fails: fc.boolean(),
		abortsAt: fc.nat(2_000),
	},
	{ requiredKeys: ['key', 'at', 'takes', 'fails'] },
);

it('work of one key runs one at a time and in order, whatever fails or gives up; no key is left behind', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(someWork, { maxLength: 20 }), async (all) => {
			const clock = new VirtualClock();
			const queue = new KeyedQueue(clock);
			const running = new Set<string>();
			const came: Work[] = [];
			const begun: Work[] = [];
			const run = async (work: Work) => {
				const { key, at, takes, fails, abortsAt } = work;
				await clock.sleep(at);
				const stop = new AbortController();
				if (abortsAt !== undefined) {
					const ms = abortsAt - at;
					if (ms <= 0) stop.abort();
					else void clock.sleep(ms).then(() => stop.abort());
				}
				came.push(work);
				const doWork = () => {
					expect(running.has(key)).toBe(false);
					expect(stop.signal.aborted).toBe(false);
					running.add(key);
					begun.push(work);
					// At once, before it has waited for anything, or in the end.
					if (takes === 0 && fails) {
						running.delete(key);
						throw new Error('no');
					}
					return clock.sleep(takes).then(() => {
						running.delete(key);
						if (fails) throw new Error('no');
						return work;
					});
				};
				const waiting = { what: 'It', maxWaitMs: Infinity, signal: stop.signal };
				const end: unknown = await queue.run(key, doWork, waiting).catch((e: unknown) => e);
				if (begun.includes(work)) expect(end).toEqual(fails ? new Error('no') : work);
				else {
					expect(end).toBeInstanceOf(Cancelled);
					expect(clock.now()).toBe(Math.max(at, abortsAt!));
				}
			};
			await clock.run(Promise.all(all.map(run)));
			for (const key of ['a', 'b']) {
				const own = (list: Work[]) => list.filter((work) => work.key === key);
				expect(own(begun)).toEqual(own(came).filter((work) => begun.includes(work)));
			}
			await clock.pass(1);
			expect((queue as unknown as { last: Map<string, unknown> }).last.size).toBe(0);
		}),
	);
});

it('work of different keys runs at the same time', async () => {
	const clock = new VirtualClock();
	const queue = new KeyedQueue(clock);
	const wait = async () => await clock.sleep(1_000);
	const waiting = { what: 'It', maxWaitMs: Infinity };
	const all = ['a', 'b', 'c'].map(async (key) => await queue.run(key, wait, waiting));
	await clock.run(Promise.all(all));
	expect(clock.now()).toBe(1_000);
});

it('work that may not wait so long says what is under way and since when, and lets the next go on', async () => {
	const clock = new VirtualClock();
	const queue = new KeyedQueue(clock);
	const waiting = (maxWaitMs: number) => ({ what: 'The person 1f0c', maxWaitMs });
	const long = queue.run('a', async () => await clock.sleep(60_000), waiting(Infinity));
	await clock.pass(5_000);
	const impatient = queue.run('a', async () => await clock.sleep(1), waiting(3_000));
	const patient = queue.run('a', async () => await clock.sleep(1_000), waiting(Infinity));
	await expect(clock.run(impatient)).rejects.toThrow(
		'The person 1f0c is being changed by another run for 8 seconds, so that this item was not begun',
	);
	await clock.run(Promise.all([long, patient]));
	expect(clock.now()).toBe(61_000);
});
