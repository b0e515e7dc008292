import { systemClock } from '../util/clock';
import type { ServedPage } from '../http/paging';

/*
 * Triggers that watch the same list share its pages. If one trigger reads a page, all triggers apply it, in the order
 * of the reads. The pages live only in this process. If they are lost, each trigger reads the list by itself.
 */

/** Time to live of a page, in ms. A trigger counts as a reader of the list for the same time after its last poll. */
const KEPT_MS = 3 * 60_000;
/** Maximum number of pages of one list. The oldest is removed first. */
const MOST_PAGES = 100;
/**
 * If trigger A got its last answer this many ms before trigger B, A does not wait for a page that B requests. The
 * limiter prefers the trigger without an answer for the longest time, so it may serve A sooner.
 */
const MUCH_LONGER_MS = 10 * 60_000;

/** A page of the list that one trigger has read. */
interface SharedPage {
	/** Request that read the page. Equal JSON means the same request. */
	request: unknown;
	page: ServedPage;
	/** Time when the page was read, by the clock's `now`. */
	readAt: number;
}

/** The pages of one list that triggers of this process read lately. */
export class SharedPages {
	private pages: SharedPage[] = [];

	/** Number of pages dropped from the front of `pages`. A page's number is `dropped` plus its index in `pages`. */
	private dropped = 0;

	/** Triggers that read the list, with the time of their last poll. */
	private readonly readers = new Map<object, number>();

	/**
	 * The latest request of any trigger. `settled` resolves when the answer to this request comes. Other triggers wait
	 * for `settled`, because they want the same page. `servedAt` is the time of the sending trigger's previous answer.
	 */
	private inFlight: { settled: Promise<unknown>; servedAt: number } | undefined;

	/** Number for the next page to be added. The first page that was ever added has the number 0. */
	get end(): number {
		return this.dropped + this.pages.length;
	}

	/** Notes that a trigger polls the list. */
	join(reader: object): void {
		this.readers.set(reader, systemClock.now());
	}

	/** Returns the number of other triggers that read the list lately. */
	readersBeside(reader: object | undefined): number {
		const since = systemClock.now() - KEPT_MS;
		return [...this.readers].filter(([other, at]) => other !== reader && at >= since).length;
	}

	/** Removes old readers and pages. Returns whether any reader remains. */
	prune(): boolean {
		const now = systemClock.now();
		for (const [other, at] of this.readers) if (now - at > KEPT_MS) this.readers.delete(other);
		const fresh = this.pages.filter(({ readAt }) => now - readAt <= KEPT_MS).slice(-MOST_PAGES);
		this.dropped += this.pages.length - fresh.length;
		this.pages = fresh;
		return this.readers.size > 0;
	}

	/** Returns the kept pages from `number` on. A page that was added later has a higher number. */
	since(number: number): SharedPage[] {
		return this.pages.slice(Math.max(0, number - this.dropped));
	}

	/** Keeps a page for the other triggers. Does nothing if only one trigger reads the list. */
	add(request: unknown, page: ServedPage): void {
		if (this.readers.size < 2) return;
		this.pages.push({ request, page, readAt: systemClock.now() });
	}

	/**
	 * Sends a request by `send`. If another trigger has a request under way, waits for that answer instead, because both
	 * triggers want the same page. A caller does not wait if its last answer is much older than that of the other trigger
	 * (`MUCH_LONGER_MS`). Times are in ms of the clock's `now`.
	 *
	 * @param trigger.servedAt time of the caller's last answer
	 * @param trigger.until end of the wait
	 * @returns the result of `send`; undefined after a wait. The method `since` may then return new pages
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
