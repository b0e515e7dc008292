import { systemClock } from '../http/clock';
import type { ServedPage } from '../http/paging';

/*
 * Triggers that watch the same list share its pages. If one trigger reads a page, all triggers apply it, in the order of
 * the reads. The pages live only in this process. Without them, a trigger reads the list by itself.
 */

/** Lifetime of a page. A trigger counts as a reader for the same time after its last poll. */
const KEPT_MS = 3 * 60_000;
/** Pages of one list; the oldest goes first. */
const MOST_PAGES = 100;

/** An answer to one of the triggers. */
interface SharedPage {
	/** What was asked for: anything that is the same as JSON if two triggers ask for the same. */
	asked: unknown;
	page: ServedPage;
	/** Time at which it was read, by the clock's `now`. */
	readAt: number;
}

/** The pages of one list that triggers of this process read lately. */
export class SharedPages {
	private pages: SharedPage[] = [];

	/** Number of pages that were dropped from the front. */
	private dropped = 0;

	/** Triggers that read the list, with the time of their last poll. */
	private readonly readers = new Map<object, number>();

	/** Ends when the trigger that asks now has its answer. The others wait for it, since they would ask for the same. */
	private asking: Promise<unknown> | undefined;

	/** Number of the page that is read next, counted since the list was first read. */
	get end(): number {
		return this.dropped + this.pages.length;
	}

	/** Notes that a trigger polls the list, and forgets what is old. */
	join(reader: object): void {
		const now = systemClock.now();
		this.readers.set(reader, now);
		for (const [other, at] of this.readers) if (now - at > KEPT_MS) this.readers.delete(other);
		const fresh = this.pages.filter(({ readAt }) => now - readAt <= KEPT_MS).slice(-MOST_PAGES);
		this.dropped += this.pages.length - fresh.length;
		this.pages = fresh;
	}

	/** Returns the pages from a number on. */
	since(number: number): SharedPage[] {
		return this.pages.slice(Math.max(0, number - this.dropped));
	}

	/** Adds a page. A list with a single reader keeps none. */
	add(asked: unknown, page: ServedPage): void {
		if (this.readers.size < 2) return;
		this.pages.push({ asked, page, readAt: systemClock.now() });
	}

	/**
	 * Lets one trigger ask at a time.
	 *
	 * @param until time of the clock's `now` at which a trigger stops waiting for another one
	 * @returns undefined if another trigger was asking; then there may be new pages
	 */
	async alone<T>(until: number, ask: () => Promise<T>): Promise<T | undefined> {
		if (this.asking) {
			const ended = new AbortController();
			const ms = Math.max(0, Math.ceil(until - systemClock.now()));
			const waited = systemClock.sleep(ms, ended.signal);
			await Promise.race([this.asking, waited]);
			ended.abort();
			return undefined;
		}
		const asked = ask();
		const asking = asked.catch(() => undefined);
		this.asking = asking;
		return await asked.finally(() => (this.asking = undefined));
	}
}
