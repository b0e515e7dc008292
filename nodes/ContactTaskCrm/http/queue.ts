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

/** The waiting jobs of a lane, in the order in which they go; those that are urgent have a lane of their own. */
interface Lane<Job> {
	lane: unknown;
	isUrgent: boolean;
	jobs: Job[];
}

/**
 * A fair queue: waiting jobs by lane (an execution, say), the lanes served round robin, so that a
 * thousand jobs of one do not hold up the single job of another.
 */
export class FairQueue<Job extends Queued> {
	/** In the order of their turns, none of them empty. */
	private lanes: Array<Lane<Job>> = [];

	/** How many jobs wait. */
	get size(): number {
		return this.lanes.reduce((sum, { jobs }) => sum + jobs.length, 0);
	}

	/** Adds a job; a lane that had none becomes the last in turn. */
	add(job: Job): void {
		const { own, others } = this.laneOf(job);
		if (own.jobs.length === 0) this.lanes = [...others, own];
		insert(own.jobs, job);
	}

	/** Puts a job back that was taken, and makes its lane the first in turn. */
	putBack(job: Job): void {
		const { own, others } = this.laneOf(job);
		this.lanes = [own, ...others];
		insert(own.jobs, job);
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
		const urgent = this.lanes.filter(({ isUrgent }) => isUrgent);
		const ordinary = this.lanes.filter(({ isUrgent }) => !isUrgent);
		for (const { jobs } of [...urgent, ...ordinary]) {
			const job = mayGo(jobs[0]) ? jobs.find(isReady) : undefined;
			if (job) return job;
		}
		return undefined;
	}

	/** Takes out a job that `peek` gave; its lane becomes the last in turn. */
	take(job: Job): void {
		const { own, others } = this.laneOf(job);
		own.jobs.splice(own.jobs.indexOf(job), 1);
		this.lanes = own.jobs.length > 0 ? [...others, own] : others;
	}

	/** Takes all jobs out for which `leaves` holds, and returns them. */
	remove(leaves: (job: Job) => boolean): Job[] {
		const removed: Job[] = [];
		for (const lane of this.lanes) {
			const staying: Job[] = [];
			for (const job of lane.jobs) (leaves(job) ? removed : staying).push(job);
			lane.jobs = staying;
		}
		this.lanes = this.lanes.filter(({ jobs }) => jobs.length > 0);
		return removed;
	}

	/** The lane of a job, which may be a new one, and all others. */
	private laneOf({ lane, isUrgent }: Job): { own: Lane<Job>; others: Array<Lane<Job>> } {
		const known = this.lanes.find((each) => each.lane === lane && each.isUrgent === isUrgent);
		const own = known ?? { lane, isUrgent, jobs: [] };
		return { own, others: this.lanes.filter((each) => each !== own) };
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
