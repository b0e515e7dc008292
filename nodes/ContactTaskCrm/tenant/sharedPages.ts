import { systemClock } from '../http/clock';
import type { ServedPage } from '../http/paging';

/*
 * Triggers that watch the same list share its pages. If one trigger reads a page, all triggers apply it, in the order of
 * the reads. The pages live only in this process. Without them, a trigger reads the list by itself.
 */

/** Lifetime of a page. A trigger counts as a reader for the same time after its last poll. */
const KEPT_MS = 3 * 60_000;
/** Maximum number of pages of one list. The oldest is removed first. */
const MOST_PAGES = 100;
/** Time in ms by which a trigger must have waited longer than another one to send beside it. */
const MUCH_LONGER_MS = 10 * 60_000;

/** An answer to one of the triggers. */
interface SharedPage {
	/** Description of the request. It gives the same JSON if two triggers make the same request. */
	request: unknown;
	page: ServedPage;
	/** Time when the page was read, by the clock's `now`. */
	readAt: number;
}

/** The pages of one list that triggers of this process read lately. */
export class SharedPages {
	private pages: SharedPage[] = [];

	/** Number of pages that were dropped from the front. */
	private dropped = 0;

	/** Triggers that read the list, with the time of their last poll. */
	private readonly readers = new Map<object, number>();

	/** The latest request of a trigger: it settles with the answer. Other triggers wait, because they want the same page. */
	private inFlight: { settled: Promise<unknown>; servedAt: number } | undefined;

	/** Number of the page that is read next, counted since the list was first read. */
	get end(): number {
		return this.dropped + this.pages.length;
	}

	/** Notes that a trigger polls the list. */
	join(reader: object): void {
		this.readers.set(reader, systemClock.now());
	}

	/** Removes old readers and pages. Returns whether a reader is left. */
	prune(): boolean {
		const now = systemClock.now();
		for (const [other, at] of this.readers) if (now - at > KEPT_MS) this.readers.delete(other);
		const fresh = this.pages.filter(({ readAt }) => now - readAt <= KEPT_MS).slice(-MOST_PAGES);
		this.dropped += this.pages.length - fresh.length;
		this.pages = fresh;
		return this.readers.size > 0;
	}

	/** Returns the pages from a number on. */
	since(number: number): SharedPage[] {
		return this.pages.slice(Math.max(0, number - this.dropped));
	}

	/** Adds a page. A list with a single reader keeps none. */
	add(request: unknown, page: ServedPage): void {
		if (this.readers.size < 2) return;
		this.pages.push({ request, page, readAt: systemClock.now() });
	}

	/**
	 * Runs `send` for one trigger at a time. Other triggers wait until it is over. A trigger that got its last answer much
	 * earlier does not wait: the limiter may send its request sooner, because it has waited longer.
	 *
	 * @param trigger.servedAt time of the trigger's last answer, by the clock's `now`
	 * @param trigger.until time of the clock's `now` at which the trigger stops waiting for another one
	 * @returns undefined if another trigger was asking; then there may be new pages
	 */
	async alone<T>(
		{ servedAt, until }: { servedAt: number; until: number },
		send: () => Promise<T>,
	): Promise<T | undefined> {
		if (this.inFlight && servedAt > this.inFlight.servedAt - MUCH_LONGER_MS) {
			const ended = new AbortController();
			const ms = Math.max(0, Math.ceil(until - systemClock.now()));
			const waited = systemClock.sleep(ms, ended.signal);
			await Promise.race([this.inFlight.settled, waited]);
			ended.abort();
			return undefined;
		}
		const answer = send();
		const inFlight = { settled: answer.catch(() => undefined), servedAt };
		this.inFlight = inFlight;
		return await answer.finally(() => {
			if (this.inFlight === inFlight) this.inFlight = undefined;
		});
	}
}
