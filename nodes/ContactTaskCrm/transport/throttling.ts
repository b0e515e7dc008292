/** A limiter that is closed because the service refused. */
export interface Throttling {
	/** The first slot given out after the refusal arrived: what was sent before knew nothing of it. */
	firstSlot: number;
	/** Until then nothing is sent; from then on one request at a time, until one is accepted. */
	until: number;
	/** Refusals in a row, each of a request that was sent after the one before had arrived. */
	rounds: number;
	/** When the service began to refuse. */
	since: number;
}

/** After this time at the latest one request probes, whatever wait the service asked for. */
export const LONGEST_CLOSED_MS = 180_000;
/** A wait that long, asked for a window of 60 s, was given in ms and read as seconds. */
const MISREAD_FROM_MS = 10_000_000;
/** Where the service does not say how long to wait. */
const FIRST_WAIT_MS = 1_000;
/** For the second try, where the wait that the service asked for was rounded down. */
const SECOND_WAIT_MS = 700;
/**
 * For those after it: somebody who is told no wait cannot know when a slot is offered. Tries that are
 * the golden section of a window apart (10.38 to the window) fall on ever new moments of it.
 */
const SEARCH_WAIT_MS = 5_730;
/** After about eight minutes of that the service refuses for another reason, and is tried ever later. */
const SEARCH_ROUNDS = 80;
/** Added to the wait asked for, since some services round it down: a try that is too early counts, too. */
const WAIT_PAD_MS = 250;
const FIRST_JITTER_MS = 250;
const LONGEST_JITTER_MS = 60_000;

interface Answer {
	slot: number;
	now: number;
	retryAfter?: number;
	random: number;
}

/**
 * The limiter after a request was refused while no slot is held.
 *
 * @param before what it was before, and the number of the next slot
 * @param paceMs time between two requests where the service counts in two windows: its wait is known
 *   to be up to a minute too long, so it is believed only after two tries at the even pace
 */
export function closedAfter(
	{ throttling: previous, nextId }: { throttling?: Throttling; nextId: number },
	answer: Answer,
	paceMs?: number,
): Throttling {
	const { slot, now } = answer;
	// The rest of a burst that was under way is refused with it, and says nothing new.
	const isSameBurst = previous !== undefined && slot < previous.firstSlot;
	const rounds = isSameBurst ? previous.rounds : (previous?.rounds ?? 0) + 1;
	const full = waitOf(answer, rounds, isSameBurst);
	const wait = paceMs !== undefined && rounds < 3 ? Math.min(full, paceMs) : full;
	return {
		firstSlot: isSameBurst ? previous.firstSlot : nextId,
		until: Math.max(previous?.until ?? -Infinity, now + Math.min(wait, LONGEST_CLOSED_MS)),
		rounds,
		since: previous?.since ?? now,
	};
}

function waitOf(
	{ retryAfter: asked, random }: Answer,
	rounds: number,
	isSameBurst: boolean,
): number {
	if (asked === undefined && rounds === 2) return SECOND_WAIT_MS;
	if (asked === undefined && rounds > 2 && rounds <= SEARCH_ROUNDS) return SEARCH_WAIT_MS;
	const longestJitter = Math.min(LONGEST_JITTER_MS, FIRST_JITTER_MS * 2 ** (rounds - 1));
	const jitter = isSameBurst ? 0 : random * longestJitter;
	if (asked === undefined) return FIRST_WAIT_MS + jitter;
	return (asked >= MISREAD_FROM_MS ? asked / 1000 : asked) + WAIT_PAD_MS + jitter;
}
