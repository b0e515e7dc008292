import fc from 'fast-check';
import type { Queued } from '../../../nodes/ContactTaskCrm/transport/fairQueue';
import { FairQueue } from '../../../nodes/ContactTaskCrm/transport/fairQueue';

interface Job extends Queued {
	queueKey: string;
	urgent: boolean;
}

const queueKeys = ['a', 'b', 'c', 'd'];
const someJobs = fc
	.array(
		fc.record({
			queueKey: fc.constantFrom(...queueKeys),
			urgent: fc.boolean(),
			item: fc.nat(5),
		}),
		{ maxLength: 60 },
	)
	.map((jobs) => jobs.map((job, order): Job => ({ ...job, order })));

function filled(jobs: Job[]): FairQueue<string, Job> {
	const queue = new FairQueue<string, Job>();
	for (const job of jobs) queue.add(job.queueKey, job, job.urgent);
	return queue;
}

function drained(queue: FairQueue<string, Job>): Job[] {
	const taken: Job[] = [];
	for (let job = queue.take(); job; job = queue.take()) taken.push(job);
	return taken;
}

const inOrder = (jobs: Job[]) =>
	[...jobs].sort((one, other) => one.item - other.item || one.order - other.order);
const byOrder = (jobs: Job[]) => [...jobs].sort((one, other) => one.order - other.order);
const job = (queueKey: string, order: number, item = order): Job => ({
	queueKey,
	order,
	item,
	urgent: false,
});

describe('putting jobs into a queue of 20,000', () => {
	it.each([
		['in order', (index: number) => index],
		['backwards', (index: number) => 20_000 - index],
		['in any order', (index: number) => (index * 7_919) % 20_000],
	])('costs a few looks at others for each of them: %s', (_, itemOf) => {
		let looks = 0;
		const queue = new FairQueue<string, Queued>();
		for (let order = 0; order < 20_000; order++) {
			const item = itemOf(order);
			const looked = {
				get item() {
					looks++;
					return item;
				},
				order,
			};
			queue.add('a', looked, false);
		}
		// Twice for each comparison, and 15 halvings lead to one of 20,000 places.
		expect(looks).toBeLessThanOrEqual(20_000 * 2 * 2 * 17);
		expect(queue.size).toBe(20_000);
	});
});

describe('taking jobs from queue', () => {
	it('gives every job exactly once, whatever comes in and whenever it is taken', () => {
		fc.assert(
			fc.property(someJobs, fc.array(fc.boolean()), (jobs, takesAfter) => {
				const queue = new FairQueue<string, Job>();
				const taken: Job[] = [];
				jobs.forEach((each, index) => {
					queue.add(each.queueKey, each, each.urgent);
					const one = takesAfter[index] ? queue.take() : undefined;
					if (one) taken.push(one);
				});
				taken.push(...drained(queue));
				expect(byOrder(taken)).toEqual(jobs);
				expect(queue.isEmpty).toBe(true);
			}),
		);
	});

	it('keeps the order within a queueKey: by item, then by when it was submitted', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const taken = drained(filled(jobs));
				for (const queueKey of queueKeys) {
					for (const urgent of [true, false]) {
						const ofKey = (all: Job[]) =>
							all.filter((each) => each.queueKey === queueKey && each.urgent === urgent);
						expect(ofKey(taken)).toEqual(inOrder(ofKey(jobs)));
					}
				}
			}),
		);
	});

	it('gives all that is urgent before anything else', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const urgency = drained(filled(jobs)).map(({ urgent }) => urgent);
				expect(urgency).toEqual([...urgency].sort((one, other) => Number(other) - Number(one)));
			}),
		);
	});

	it('serves queue in turn: none is passed over twice while it waits', () => {
		fc.assert(
			fc.property(someJobs, (mixed) => {
				const jobs = mixed.map((each) => ({ ...each, urgent: false }));
				const taken = drained(filled(jobs)).map(({ queueKey }) => queueKey);
				taken.forEach((queueKey, index) => {
					const next = taken.indexOf(queueKey, index + 1);
					const between = taken.slice(index + 1, next === -1 ? taken.length : next);
					if (next !== -1) expect(new Set(between).size).toBe(between.length);
				});
			}),
		);
	});

	it('gives a queueKey that comes in last its turn after one job of each other queueKey', () => {
		const queue = filled([job('a', 0), job('a', 1), job('a', 2), job('b', 3), job('b', 4)]);
		expect(queue.take()).toMatchObject({ queueKey: 'a' });
		queue.add('late', job('late', 5), false);
		expect(drained(queue).map(({ queueKey }) => queueKey)).toEqual(['b', 'a', 'late', 'b', 'a']);
	});

	it('shows beforehand what it will give', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const queue = filled(jobs);
				for (let next = queue.peek(); next; next = queue.peek()) expect(queue.take()).toBe(next);
				expect(queue.take()).toBeUndefined();
			}),
		);
	});
});

describe('putting a job back', () => {
	it('makes it the next one again, if nothing urgent came in', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const queue = filled(jobs);
				const first = queue.take();
				if (!first) return;
				queue.putBack(first.queueKey, first, first.urgent);
				expect(queue.peek()).toBe(first);
			}),
		);
	});

	it('restores the order of its queueKey, in whatever order jobs are put back', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4]), (returning) => {
				const jobs = [0, 1, 2, 3, 4, 5].map((order) => job('a', order));
				const queue = filled(jobs);
				const taken = [0, 1, 2, 3, 4].map(() => queue.take());
				expect(taken).toHaveLength(5);
				for (const order of returning) queue.putBack('a', jobs[order], false);
				expect(drained(queue).map(({ order }) => order)).toEqual([...returning.sort(), 5]);
			}),
		);
	});

	it('leaves the turns of the other queue as they were', () => {
		const queue = filled([job('a', 0), job('b', 1), job('c', 2), job('a', 3)]);
		const first = queue.take();
		if (first) queue.putBack('a', first, false);
		expect(drained(queue).map(({ queueKey }) => queueKey)).toEqual(['a', 'b', 'c', 'a']);
	});
});

describe('removing jobs', () => {
	it('takes out those that match and leaves the others in order', () => {
		fc.assert(
			fc.property(someJobs, fc.func(fc.boolean()), (jobs, leaves) => {
				const queue = filled(jobs);
				const gone = queue.remove(leaves);
				expect(byOrder(gone)).toEqual(jobs.filter((each) => leaves(each)));
				expect(byOrder(drained(queue))).toEqual(jobs.filter((each) => !leaves(each)));
			}),
		);
	});

	it('takes out a whole queueKey, urgent or not, and nothing of the others', () => {
		fc.assert(
			fc.property(someJobs, fc.constantFrom(...queueKeys), (jobs, queueKey) => {
				const queue = filled(jobs);
				const gone = queue.removeKey(queueKey);
				expect(byOrder(gone)).toEqual(jobs.filter((each) => each.queueKey === queueKey));
				expect(byOrder(drained(queue))).toEqual(jobs.filter((each) => each.queueKey !== queueKey));
			}),
		);
	});
});
