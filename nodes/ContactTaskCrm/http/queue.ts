/** Where a job stands among those of its lane. */
export interface Queued {
	/** An item that was begun is finished before the next is begun. */
	item: number;
	/** When it was submitted: among those of one item, the earlier one goes first. */
	order: number;
	/** Urgent jobs go before all others. */
	isUrgent: boolean;
}

/**
 * A fair queue: waiting jobs by lane (an execution, say), the lanes served round robin, so that a
 * thousand jobs of one do not hold up the single job of another.
 */
export class FairQueue<Lane, Job extends Queued & { lane: Lane }> {
	private readonly urgent = new Map<Lane, Job[]>();

	private readonly ordinary = new Map<Lane, Job[]>();

	/** Adds a job; a lane that had none becomes the last in turn. */
	add(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane);
		if (jobs) insert(jobs, job);
		else lanes.set(job.lane, [job]);
	}

	/** Puts a job back that was taken, and makes its lane the first in turn. */
	putBack(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane) ?? [];
		insert(jobs, job);
		lanes.delete(job.lane);
		const rest = [...lanes];
		lanes.clear();
		lanes.set(job.lane, jobs);
		for (const [other, waiting] of rest) lanes.set(other, waiting);
	}

	/**
	 * The next job: the first that is ready, of the first lane that may go.
	 *
	 * @param mayGo whether a lane may, by the first of its jobs
	 */
	peek(isReady: (job: Job) => boolean, mayGo: (first: Job) => boolean): Job | undefined {
		for (const lanes of [this.urgent, this.ordinary]) {
			for (const jobs of lanes.values()) {
				const job = mayGo(jobs[0]) ? jobs.find(isReady) : undefined;
				if (job) return job;
			}
		}
		return undefined;
	}

	/** Takes out a job that `peek` gave; its lane becomes the last in turn. */
	take(job: Job): void {
		const lanes = this.lanesOf(job);
		const jobs = lanes.get(job.lane) ?? [];
		jobs.splice(jobs.indexOf(job), 1);
		lanes.delete(job.lane);
		if (jobs.length > 0) lanes.set(job.lane, jobs);
	}

	/** Takes all jobs out for which `leaves` holds, and returns them. */
	remove(leaves: (job: Job) => boolean): Job[] {
		const removed: Job[] = [];
		for (const lanes of [this.urgent, this.ordinary]) {
			for (const [lane, jobs] of lanes) {
				const staying: Job[] = [];
				for (const job of jobs) (leaves(job) ? removed : staying).push(job);
				if (staying.length === 0) lanes.delete(lane);
				else if (staying.length < jobs.length) lanes.set(lane, staying);
			}
		}
		return removed;
	}

	/** How many jobs wait. */
	get size(): number {
		return [this.urgent, this.ordinary]
			.flatMap((lanes) => [...lanes.values()])
			.reduce((sum, { length }) => sum + length, 0);
	}

	private lanesOf({ isUrgent }: Job): Map<Lane, Job[]> {
		return isUrgent ? this.urgent : this.ordinary;
	}
}

/** Most jobs come last; for the others the place is halved in on, since tens of thousands may wait. */
function insert<Job extends Queued>(jobs: Job[], job: Job): void {
	const last = jobs.at(-1);
	if (!last || !goesBefore(job, last)) {
		jobs.push(job);
		return;
	}
	let from = 0;
	let to = jobs.length - 1;
	while (from < to) {
		const middle = Math.floor((from + to) / 2);
		if (goesBefore(job, jobs[middle])) to = middle;
		else from = middle + 1;
	}
	jobs.splice(from, 0, job);
}

function goesBefore(one: Queued, other: Queued): boolean {
	return one.item < other.item || (one.item === other.item && one.order < other.order);
}
