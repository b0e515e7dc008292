import { pull, sumBy } from 'lodash';

/** Where a job stands in a queue. */
export interface Queued {
	/** What it is queued by: an object that stands for one run, say. */
	lane: unknown;
	/** An item that was begun is finished before the next is begun. */
	item: number;
	/** When it was submitted: among those of one item, the earlier one goes first. */
	order: number;
	/** Urgent jobs go before all others. */
	isUrgent: boolean;
}

/** Waiting jobs by lane, in the order of the lanes' turns: each lane in the order in which its jobs go, none empty. */
type Lanes<Job> = Map<unknown, Job[]>;

/**
 * A fair queue: waiting jobs by lane (an execution, say), the lanes served round robin, so that a
 * thousand jobs of one do not hold up the single job of another.
 */
export class FairQueue<Job extends Queued> {
	private readonly urgent: Lanes<Job> = new Map();

	private readonly ordinary: Lanes<Job> = new Map();

	/** How many jobs wait. */
	get size(): number {
		return sumBy(this.inTurn(), 'length');
	}

	/** Number of lanes in which jobs wait. */
	get lanes(): number {
		return this.urgent.size + this.ordinary.size;
	}

	/** Adds a job; a lane that had none becomes the last in turn. */
	add(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane) ?? [];
		insert(jobs, job);
		lanes.set(job.lane, jobs);
	}

	/** Puts a job back that was taken or gave up, and makes its lane the first in turn. */
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
	 * The next job: the first that is ready, of the first lane that may go.
	 *
	 * @param mayGo whether a lane may, by the first of its jobs
	 */
	peek(
		isReady: (job: Job) => boolean = () => true,
		mayGo: (first: Job) => boolean = () => true,
	): Job | undefined {
		for (const jobs of this.inTurn()) {
			const job = mayGo(jobs[0]) ? jobs.find(isReady) : undefined;
			if (job) return job;
		}
		return undefined;
	}

	/** Takes out a job that `peek` gave; its lane becomes the last in turn. */
	take(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane)!;
		pull(jobs, job);
		lanes.delete(job.lane);
		if (jobs.length > 0) lanes.set(job.lane, jobs);
	}

	/** Takes all jobs out for which `leaves` holds, and returns them. */
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
		return removed;
	}

	/** The jobs of each lane, in the order of their turns. */
	private inTurn(): Job[][] {
		return [...this.urgent.values(), ...this.ordinary.values()];
	}

	private lanesOf({ isUrgent }: Job): Lanes<Job> {
		return isUrgent ? this.urgent : this.ordinary;
	}
}

/** Most jobs come last, and of the others most are of the first item. */
function insert<Job extends Queued>(jobs: Job[], job: Job): void {
	const goesBefore = (other: Job) =>
		job.item < other.item || (job.item === other.item && job.order < other.order);
	const last = jobs.at(-1);
	if (!last || !goesBefore(last)) jobs.push(job);
	else jobs.splice(jobs.findIndex(goesBefore), 0, job);
}
