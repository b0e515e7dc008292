/** Where a job stands in its lane. */
export interface Queued {
	/** The item it belongs to: an item that was begun is finished before the next is begun. */
	item: number;
	/** When it was submitted: among those of one item, the earlier one goes first. */
	order: number;
}

/**
 * Waiting jobs in lanes that are served in turn, so that one lane of thousands does not hold up a
 * lane of one. Urgent lanes go before all others.
 */
export class Lanes<Lane, Job extends Queued> {
	private readonly urgent = new Map<Lane, Job[]>();

	private readonly ordinary = new Map<Lane, Job[]>();

	/** Adds a job to its lane; a lane that was empty becomes the last in turn. */
	add(lane: Lane, job: Job, urgent: boolean): void {
		const lanes = urgent ? this.urgent : this.ordinary;
		const queue = lanes.get(lane);
		if (queue) insert(queue, job);
		else lanes.set(lane, [job]);
	}

	/** Puts a job back that was taken, and makes its lane the first in turn. */
	putBack(lane: Lane, job: Job, urgent: boolean): void {
		const lanes = urgent ? this.urgent : this.ordinary;
		const queue = lanes.get(lane) ?? [];
		insert(queue, job);
		const rest = [...lanes].filter(([other]) => other !== lane);
		lanes.clear();
		lanes.set(lane, queue);
		for (const [other, jobs] of rest) lanes.set(other, jobs);
	}

	/** The job that `take` would give. */
	peek(): Job | undefined {
		const [queue] = (this.urgent.size > 0 ? this.urgent : this.ordinary).values();
		return queue?.[0];
	}

	/** Takes the next job: the first of the lane whose turn it is. */
	take(): Job | undefined {
		const lanes = this.urgent.size > 0 ? this.urgent : this.ordinary;
		for (const [lane, queue] of lanes) {
			const job = queue.shift();
			lanes.delete(lane);
			if (queue.length > 0) lanes.set(lane, queue);
			return job;
		}
		return undefined;
	}

	/** Takes all jobs out for which `leaves` holds, and returns them. */
	remove(leaves: (job: Job) => boolean): Job[] {
		const removed: Job[] = [];
		for (const lanes of [this.urgent, this.ordinary]) {
			for (const [lane, queue] of lanes) {
				const staying: Job[] = [];
				for (const job of queue) (leaves(job) ? removed : staying).push(job);
				if (staying.length === 0) lanes.delete(lane);
				else if (staying.length < queue.length) lanes.set(lane, staying);
			}
		}
		return removed;
	}

	/** Takes a whole lane out, and returns its jobs. */
	removeLane(lane: Lane): Job[] {
		const jobs = [...(this.urgent.get(lane) ?? []), ...(this.ordinary.get(lane) ?? [])];
		this.urgent.delete(lane);
		this.ordinary.delete(lane);
		return jobs;
	}

	get isEmpty(): boolean {
		return this.urgent.size === 0 && this.ordinary.size === 0;
	}
}

/** Most jobs come last, so the place is looked for from the end. */
function insert<Job extends Queued>(queue: Job[], job: Job): void {
	let place = queue.length;
	while (place > 0 && goesBefore(job, queue[place - 1])) place--;
	queue.splice(place, 0, job);
}

function goesBefore(one: Queued, other: Queued): boolean {
	return one.item < other.item || (one.item === other.item && one.order < other.order);
}
