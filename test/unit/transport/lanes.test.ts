import fc from 'fast-check';
import type { Queued } from '../../../nodes/ContactTaskCrm/transport/lanes';
import { Lanes } from '../../../nodes/ContactTaskCrm/transport/lanes';

interface Job extends Queued {
	lane: string;
	urgent: boolean;
}

const laneNames = ['a', 'b', 'c', 'd'];
const someJobs = fc
	.array(
		fc.record({
			lane: fc.constantFrom(...laneNames),
			urgent: fc.boolean(),
			item: fc.nat(5),
		}),
		{ maxLength: 60 },
	)
	.map((jobs) => jobs.map((job, order): Job => ({ ...job, order })));

function filled(jobs: Job[]): Lanes<string, Job> {
	const lanes = new Lanes<string, Job>();
	for (const job of jobs) lanes.add(job.lane, job, job.urgent);
	return lanes;
}

function drained(lanes: Lanes<string, Job>): Job[] {
	const taken: Job[] = [];
	for (let job = lanes.take(); job; job = lanes.take()) taken.push(job);
	return taken;
}

const inOrder = (jobs: Job[]) =>
	[...jobs].sort((one, other) => one.item - other.item || one.order - other.order);
const byOrder = (jobs: Job[]) => [...jobs].sort((one, other) => one.order - other.order);
const job = (lane: string, order: number, item = order): Job => ({
	lane,
	order,
	item,
	urgent: false,
});

describe('taking jobs from lanes', () => {
	it('gives every job exactly once, whatever comes in and whenever it is taken', () => {
		fc.assert(
			fc.property(someJobs, fc.array(fc.boolean()), (jobs, takesAfter) => {
				const lanes = new Lanes<string, Job>();
				const taken: Job[] = [];
				jobs.forEach((each, index) => {
					lanes.add(each.lane, each, each.urgent);
					const one = takesAfter[index] ? lanes.take() : undefined;
					if (one) taken.push(one);
				});
				taken.push(...drained(lanes));
				expect(byOrder(taken)).toEqual(jobs);
				expect(lanes.isEmpty).toBe(true);
			}),
		);
	});

	it('keeps the order within a lane: by item, then by when it was submitted', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const taken = drained(filled(jobs));
				for (const lane of laneNames) {
					for (const urgent of [true, false]) {
						const ofLane = (all: Job[]) =>
							all.filter((each) => each.lane === lane && each.urgent === urgent);
						expect(ofLane(taken)).toEqual(inOrder(ofLane(jobs)));
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

	it('serves lanes in turn: none is passed over twice while it waits', () => {
		fc.assert(
			fc.property(someJobs, (mixed) => {
				const jobs = mixed.map((each) => ({ ...each, urgent: false }));
				const taken = drained(filled(jobs)).map(({ lane }) => lane);
				taken.forEach((lane, index) => {
					const next = taken.indexOf(lane, index + 1);
					const between = taken.slice(index + 1, next === -1 ? taken.length : next);
					if (next !== -1) expect(new Set(between).size).toBe(between.length);
				});
			}),
		);
	});

	it('gives a lane that comes in last its turn after one job of each other lane', () => {
		const lanes = filled([job('a', 0), job('a', 1), job('a', 2), job('b', 3), job('b', 4)]);
		expect(lanes.take()).toMatchObject({ lane: 'a' });
		lanes.add('late', job('late', 5), false);
		expect(drained(lanes).map(({ lane }) => lane)).toEqual(['b', 'a', 'late', 'b', 'a']);
	});

	it('shows beforehand what it will give', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const lanes = filled(jobs);
				for (let next = lanes.peek(); next; next = lanes.peek()) expect(lanes.take()).toBe(next);
				expect(lanes.take()).toBeUndefined();
			}),
		);
	});
});

describe('putting a job back', () => {
	it('makes it the next one again, if nothing urgent came in', () => {
		fc.assert(
			fc.property(someJobs, (jobs) => {
				const lanes = filled(jobs);
				const first = lanes.take();
				if (!first) return;
				lanes.putBack(first.lane, first, first.urgent);
				expect(lanes.peek()).toBe(first);
			}),
		);
	});

	it('restores the order of its lane, in whatever order jobs are put back', () => {
		fc.assert(
			fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4]), (returning) => {
				const jobs = [0, 1, 2, 3, 4, 5].map((order) => job('a', order));
				const lanes = filled(jobs);
				const taken = [0, 1, 2, 3, 4].map(() => lanes.take());
				expect(taken).toHaveLength(5);
				for (const order of returning) lanes.putBack('a', jobs[order], false);
				expect(drained(lanes).map(({ order }) => order)).toEqual([...returning.sort(), 5]);
			}),
		);
	});

	it('leaves the turns of the other lanes as they were', () => {
		const lanes = filled([job('a', 0), job('b', 1), job('c', 2), job('a', 3)]);
		const first = lanes.take();
		if (first) lanes.putBack('a', first, false);
		expect(drained(lanes).map(({ lane }) => lane)).toEqual(['a', 'b', 'c', 'a']);
	});
});

describe('removing jobs', () => {
	it('takes out those that match and leaves the others in order', () => {
		fc.assert(
			fc.property(someJobs, fc.func(fc.boolean()), (jobs, leaves) => {
				const lanes = filled(jobs);
				const gone = lanes.remove(leaves);
				expect(byOrder(gone)).toEqual(jobs.filter((each) => leaves(each)));
				expect(byOrder(drained(lanes))).toEqual(jobs.filter((each) => !leaves(each)));
			}),
		);
	});

	it('takes out a whole lane, urgent or not, and nothing of the others', () => {
		fc.assert(
			fc.property(someJobs, fc.constantFrom(...laneNames), (jobs, lane) => {
				const lanes = filled(jobs);
				const gone = lanes.removeLane(lane);
				expect(byOrder(gone)).toEqual(jobs.filter((each) => each.lane === lane));
				expect(byOrder(drained(lanes))).toEqual(jobs.filter((each) => each.lane !== lane));
			}),
		);
	});
});
