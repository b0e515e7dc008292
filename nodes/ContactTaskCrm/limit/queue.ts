import { pull, sumBy } from 'lodash';

/** Properties of a job that decide its place in the queue. */
interface Queued {
	/** Lane of the job: any object, such as the run. Jobs with the same object share a lane. */
	lane: unknown;
	/** Index of the item; for a poll, the time of the trigger's last answer. In a lane, lower numbers go first. */
	item: number;
	/** Number in the order of submission. Among jobs of one item, the lower number goes first. */
	order: number;
	/** Whether the job goes before all jobs that are not urgent. */
	isUrgent: boolean;
	/** Function that sends a request. Absent for an item that waits for the write lock. */
	send?: unknown;
}

/** Waiting jobs by lane, in the order of service: the first lane is next. The map has no lane without jobs. */
type Lanes<Job> = Map<unknown, Job[]>;

/** Serves lanes round robin. So a thousand jobs of one run do not delay the only job of another run. */
export class FairQueue<Job extends Queued> {
	private readonly urgent: Lanes<Job> = new Map();

	private readonly ordinary: Lanes<Job> = new Map();

	/** Number of jobs that send a request. While an item has the write lock, only these jobs can be ready. */
	private requests = 0;

	get size(): number {
		return sumBy(this.inTurn(), 'length');
	}

	hasLaneBeside(lane: unknown): boolean {
		return [...this.urgent.keys(), ...this.ordinary.keys()].some((other) => other !== lane);
	}

	/** Adds a job. If the job's lane is new, the queue serves this lane after all others. */
	add(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane) ?? [];
		insert(jobs, job);
		lanes.set(job.lane, jobs);
		if (job.send) this.requests += 1;
	}

	/** Adds a job, and moves the job's lane to the front, so that the queue serves this lane next. */
	putBack(job: Job): void {
		this.add(job);
		const lanes = this.lanesOf(job);
		const others = [...lanes].filter(([lane]) => lane !== job.lane);
		for (const [lane, jobs] of others) {
			lanes.delete(lane);
			lanes.set(lane, jobs);
		}
	}

	/**
	 * Returns the next job to serve: the first ready job of the first lane that may send. Returns undefined if there is
	 * none. A job that sends a request is always ready.
	 *
	 * @param lockIsFree whether no item has the write lock. If so, jobs that wait for the lock are ready, too
	 * @param mayGo returns whether a lane may send now, by the first job of the lane
	 */
	peek(lockIsFree = true, mayGo: (first: Job) => boolean = () => true): Job | undefined {
		if (!lockIsFree && this.requests === 0) return undefined;
		const isReady = ({ send }: Job) => lockIsFree || send !== undefined;
		for (const jobs of this.inTurn()) {
			const [first] = jobs;
			const job = first && mayGo(first) ? jobs.find(isReady) : undefined;
			if (job) return job;
		}
		return undefined;
	}

	/** Returns the first job of an item that sends a request; undefined if no such job waits. */
	requestOf(lane: unknown, item: number): Job | undefined {
		const jobs = this.urgent.get(lane) ?? this.ordinary.get(lane) ?? [];
		return jobs.find((job) => job.item === item && job.send !== undefined);
	}

	/** Takes out a job that `peek` returned. The job's lane then becomes the last to serve. */
	take(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane)!;
		pull(jobs, job);
		if (job.send) this.requests -= 1;
		lanes.delete(job.lane);
		if (jobs.length > 0) lanes.set(job.lane, jobs);
	}

	remove(leaves: (job: Job) => boolean): Job[] {
		const removed: Job[] = [];
		for (const lanes of [this.urgent, this.ordinary]) {
			for (const [lane, jobs] of lanes) {
				const gone = new Set(jobs.filter(leaves));
				if (gone.size === 0) continue;
				removed.push(...gone);
				const left = jobs.filter((job) => !gone.has(job));
				if (left.length > 0) lanes.set(lane, left);
				else lanes.delete(lane);
			}
		}
		this.requests -= removed.filter(({ send }) => send).length;
		return removed;
	}

	/** Returns the jobs of each lane. The lane to serve next comes first. */
	private inTurn(): Job[][] {
		return [...this.urgent.values(), ...this.ordinary.values()];
	}

	private lanesOf({ isUrgent }: Job): Lanes<Job> {
		return isUrgent ? this.urgent : this.ordinary;
	}
}

/**
 * Inserts a job by item and order. Most new jobs belong at the end, so the function first tries the end. Most other
 * jobs belong near the front, so the search begins at the front.
 */
function insert<Job extends Queued>(jobs: Job[], job: Job): void {
	const goesBefore = (other: Job) =>
		job.item < other.item || (job.item === other.item && job.order < other.order);
	const last = jobs.at(-1);
	if (!last || !goesBefore(last)) jobs.push(job);
	else jobs.splice(jobs.findIndex(goesBefore), 0, job);
}
