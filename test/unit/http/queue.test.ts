import fc from 'fast-check';
import { FairQueue } from '../../../nodes/ContactTaskCrm/http/queue';

interface Job {
	lane: string;
	item: number;
	order: number;
	isUrgent: boolean;
}

type Lanes = Array<{ lane: string; jobs: Job[] }>;

const comesBefore = (one: Job, other: Job) => one.item - other.item || one.order - other.order;

/** What a fair queue is: lanes in the order of their turns, each with its jobs in order. */
class Model {
	readonly lanes = new Map<boolean, Lanes>([
		[true, []],
		[false, []],
	]);

	add(job: Job, place: 'push' | 'unshift' = 'push'): void {
		const lanes = this.lanes.get(job.isUrgent)!;
		const known = lanes.findIndex(({ lane }) => lane === job.lane);
		const own = known === -1 ? { lane: job.lane, jobs: [] } : lanes[known];
		own.jobs.push(job);
		own.jobs.sort(comesBefore);
		if (place === 'unshift' && known !== -1) lanes.splice(known, 1);
		if (place === 'unshift' || known === -1) lanes[place](own);
	}

	take(isReady: (job: Job) => boolean): Job | undefined {
		for (const lanes of this.lanes.values()) {
			const next = lanes.findIndex(({ jobs }) => jobs.some(isReady));
			if (next === -1) continue;
			const [own] = lanes.splice(next, 1);
			const job = own.jobs.splice(own.jobs.findIndex(isReady), 1)[0];
			if (own.jobs.length > 0) lanes.push(own);
			return job;
		}
		return undefined;
	}

	remove(leaves: (job: Job) => boolean): Job[] {
		const gone: Job[] = [];
		for (const [isUrgent, lanes] of this.lanes) {
			for (const own of lanes) {
				gone.push(...own.jobs.filter(leaves));
				own.jobs = own.jobs.filter((job) => !leaves(job));
			}
			const left = lanes.filter(({ jobs }) => jobs.length > 0);
			this.lanes.set(isUrgent, left);
		}
		return gone;
	}
}

const someStep = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ kind: fc.constant('add'), drawn: fc.nat(999) }) },
	{ weight: 3, arbitrary: fc.record({ kind: fc.constant('take'), drawn: fc.nat(999) }) },
	fc.record({ kind: fc.constantFrom('putBack', 'remove'), drawn: fc.nat(999) }),
);

const byOrder = (jobs: Job[]) => [...jobs].sort((one, other) => one.order - other.order);

it('urgent jobs go first, lanes take turns, items go in order, what is not ready waits, and nothing is lost', () => {
	fc.assert(
		fc.property(fc.array(someStep, { maxLength: 80 }), (steps) => {
			const queue = new FairQueue<string, Job>();
			const model = new Model();
			const taken: Job[] = [];
			let size = 0;
			const take = (isReady: (job: Job) => boolean) => {
				const job = queue.peek(isReady, () => true);
				if (job) queue.take(job);
				expect(job).toBe(model.take(isReady));
				return job;
			};
			for (const [order, { kind, drawn }] of steps.entries()) {
				const isOfRest = (job: Job) => (job.order + drawn) % 5 > 0;
				if (kind === 'add') {
					const job = {
						lane: 'abcd'[drawn % 4],
						item: drawn % 6,
						order,
						isUrgent: drawn % 7 === 0,
					};
					queue.add(job);
					model.add(job);
					size++;
				} else if (kind === 'take') {
					const job = take(isOfRest);
					if (job) size--;
					if (job) taken.push(job);
				} else if (kind === 'remove') {
					const gone = queue.remove((job) => !isOfRest(job));
					expect(byOrder(gone)).toEqual(byOrder(model.remove((job) => !isOfRest(job))));
					size -= gone.length;
				} else if (taken.length > 0) {
					const [job] = taken.splice(drawn % taken.length, 1);
					queue.putBack(job);
					model.add(job, 'unshift');
					size++;
				}
				expect(queue.size).toBe(size);
			}
			while (take(() => true)) size--;
			expect(size).toBe(0);
		}),
		{ numRuns: 500 },
	);
});
