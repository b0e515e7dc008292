/* eslint-disable @n8n/community-nodes/no-restricted-globals -- lets promises settle between two steps of virtual time */
import type { Clock } from '../../nodes/ContactTaskCrm/util/clock';

interface Sleeper {
	at: number;
	order: number;
	wake: () => void;
}

const settled = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** A clock with time that passes only when all work sleeps. Hours of waiting then take milliseconds. */
export class VirtualClock implements Clock {
	private time = 0;

	private order = 0;

	private sleepers: Sleeper[] = [];

	constructor(private epoch = Date.UTC(2026, 0, 1)) {}

	now = () => this.time;

	wallTime = () => this.epoch + this.time;

	async sleep(ms: number, signal?: AbortSignal): Promise<void> {
		if (signal?.aborted) return;
		await new Promise<void>((wake) => {
			const sleeper = { at: this.time + ms, order: this.order++, wake };
			this.sleepers.push(sleeper);
			const wakeEarly = () => {
				this.sleepers = this.sleepers.filter((other) => other !== sleeper);
				wake();
			};
			signal?.addEventListener('abort', wakeEarly, { once: true });
		});
	}

	/** Changes only `wallTime`, like a user who sets the clock of the machine. `now` does not jump. */
	setTimeOfDay(by: number): void {
		this.epoch += by;
	}

	/** Lets time pass without timers, like a machine that sleeps. Timers that are due fire afterwards. */
	leap(ms: number): void {
		this.time += ms;
	}

	/** Fires all timers too early, like timers that continued while the clock stood still. */
	ringAll(): void {
		for (const { wake } of this.sleepers.splice(0)) wake();
	}

	/** Number of timers that are set. */
	get waiting(): number {
		return this.sleepers.length;
	}

	/**
	 * Lets time pass until the work is done.
	 *
	 * @throws Error if the work waits, and no timer is set that could end the wait
	 */
	async run<T>(work: Promise<T>): Promise<T> {
		let isDone = false;
		const end = () => {
			isDone = true;
		};
		work.then(end, end);
		for (;;) {
			await settled();
			if (isDone) return await work;
			this.sleepers.sort((one, other) => one.at - other.at || one.order - other.order);
			const next = this.sleepers.shift();
			if (!next) throw new Error('Everybody waits, and nobody for a time that will come');
			this.time = Math.max(this.time, next.at);
			next.wake();
		}
	}

	/** Lets this much time pass, in ms. */
	async pass(ms: number): Promise<void> {
		await this.run(this.sleep(ms));
	}
}
