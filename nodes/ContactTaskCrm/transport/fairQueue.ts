/** Where a job stands among those of its key. */
export interface Queued {
	/** The item it belongs to: an item that was begun is finished before the next is begun. */
	item: number;
	/** When it was submitted: among those of one item, the earlier one goes first. */
	order: number;
}

/**
 * Fair queueing: waiting jobs by key (an execution, say), the keys served round robin, so that a
 * thousand jobs of one key do not hold up the single job of another. Urgent jobs go before all others.
 */
export class FairQueue<Key, Job extends Queued> {
	private readonly urgent = new Map<Key, Job[]>();

	private readonly ordinary = new Map<Key, Job[]>();

	/** Adds a job under its key; a key that had none becomes the last in turn. */
	add(key: Key, job: Job, urgent: boolean): void {
		const jobsByKey = urgent ? this.urgent : this.ordinary;
		const jobs = jobsByKey.get(key);
		if (jobs) insert(jobs, job);
		else jobsByKey.set(key, [job]);
	}

	/** Puts a job back that was taken, and makes its key the first in turn. */
	putBack(key: Key, job: Job, urgent: boolean): void {
		const jobsByKey = urgent ? this.urgent : this.ordinary;
		const jobs = jobsByKey.get(key) ?? [];
		insert(jobs, job);
		const rest = [...jobsByKey].filter(([other]) => other !== key);
		jobsByKey.clear();
		jobsByKey.set(key, jobs);
		for (const [other, waiting] of rest) jobsByKey.set(other, waiting);
	}

	/** The job that `take` would give. */
	peek(): Job | undefined {
		const [jobs] = (this.urgent.size > 0 ? this.urgent : this.ordinary).values();
		return jobs?.[0];
	}

	/** Takes the next job: the first of the key whose turn it is. */
	take(): Job | undefined {
		const jobsByKey = this.urgent.size > 0 ? this.urgent : this.ordinary;
		for (const [key, jobs] of jobsByKey) {
			const job = jobs.shift();
			jobsByKey.delete(key);
			if (jobs.length > 0) jobsByKey.set(key, jobs);
			return job;
		}
		return undefined;
	}

	/** Takes all jobs out for which `leaves` holds, and returns them. */
	remove(leaves: (job: Job) => boolean): Job[] {
		const removed: Job[] = [];
		for (const jobsByKey of [this.urgent, this.ordinary]) {
			for (const [key, jobs] of jobsByKey) {
				const staying: Job[] = [];
				for (const job of jobs) (leaves(job) ? removed : staying).push(job);
				if (staying.length === 0) jobsByKey.delete(key);
				else if (staying.length < jobs.length) jobsByKey.set(key, staying);
			}
		}
		return removed;
	}

	/** Takes all jobs of a key out, and returns them. */
	removeKey(key: Key): Job[] {
		const jobs = [...(this.urgent.get(key) ?? []), ...(this.ordinary.get(key) ?? [])];
		this.urgent.delete(key);
		this.ordinary.delete(key);
		return jobs;
	}

	/** How many jobs wait. */
	get size(): number {
		let size = 0;
		for (const jobsByKey of [this.urgent, this.ordinary]) {
			for (const jobs of jobsByKey.values()) size += jobs.length;
		}
		return size;
	}

	get isEmpty(): boolean {
		return this.urgent.size === 0 && this.ordinary.size === 0;
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
