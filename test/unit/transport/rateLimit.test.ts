import fc from 'fast-check';
import type { RateLimitState } from '../../../nodes/ContactTaskCrm/transport/rateLimit';
import {
	accepted,
	decide,
	idle,
	sent,
	unanswered,
	unsent,
} from '../../../nodes/ContactTaskCrm/transport/rateLimit';
import { throttled } from '../../../nodes/ContactTaskCrm/transport/refusal';
import { OFFER_MS, offered } from '../../../nodes/ContactTaskCrm/transport/offer';
import { WINDOW_MARGIN_MS, WINDOW_MS } from '../../../nodes/ContactTaskCrm/transport/slots';
import { LONGEST_CLOSED_MS } from '../../../nodes/ContactTaskCrm/transport/throttling';

const LIMIT = 20;
const HELD_MS = WINDOW_MS + WINDOW_MARGIN_MS;

/** Requests that were each sent at a time and accepted 10 ms later. */
function afterRequests(times: number[], start: RateLimitState = idle): RateLimitState {
	return times.reduce((state, at) => {
		const next = sent(state, LIMIT, at);
		return accepted(next.state, next.slot, LIMIT, at + 10);
	}, start);
}

/** A request that is sent at a time and refused 10 ms later. */
function afterRefused(
	state: RateLimitState,
	at: number,
	retryAfter: number | undefined,
	random = 0,
): RateLimitState {
	const next = sent(state, LIMIT, at);
	const answer = { slot: next.slot, limit: LIMIT, now: at + 10, retryAfter, random };
	return throttled(next.state, answer);
}

const everySecond = (count: number) => Array.from({ length: count }, (_, index) => index * 1_000);

describe('a slot', () => {
	it('is held from the sending until a window and a margin after the response', () => {
		const { state, slot } = sent(idle, 1, 0);
		const done = accepted(state, slot, 1, 500);
		const until = 500 + HELD_MS;
		expect(decide(done, 1, until - 1)).toEqual({ kind: 'wait', until, reason: 'limit' });
		expect(decide(done, 1, until)).toEqual({ kind: 'send' });
	});

	it('is held for as long as no response has come, however long that is', () => {
		const { state } = sent(idle, 1, 0);
		expect(decide(state, 1, 10 * HELD_MS)).toEqual({ kind: 'waitForResponse' });
	});

	it('is held as long where no answer came, since the request may have been counted', () => {
		const { state, slot } = sent(idle, 1, 0);
		const done = unanswered(state, slot, 9_000);
		expect(decide(done, 1, 9_000)).toMatchObject({ kind: 'wait', until: 9_000 + HELD_MS });
	});

	it('comes free at once where n8n itself did not send the request', () => {
		const { state, slot } = sent(idle, 1, 0);
		expect(decide(unsent(state, slot), 1, 10)).toEqual({ kind: 'send' });
	});

	it('that comes free first is waited for, in whatever order the responses came', () => {
		const one = sent(idle, 2, 0);
		const two = sent(one.state, 2, 0);
		const done = accepted(accepted(two.state, two.slot, 2, 200), one.slot, 2, 900);
		expect(decide(done, 2, 1_000)).toMatchObject({ until: 200 + HELD_MS });
	});

	it('is forgotten once it is free, so that the state does not grow', () => {
		expect(afterRequests(everySecond(500)).slots.length).toBeLessThanOrEqual(62);
	});

	it('counts against the limit of whoever asks', () => {
		const state = afterRequests(everySecond(5));
		expect(decide(state, 5, 5_000).kind).toBe('wait');
		expect(decide(state, 6, 5_000).kind).toBe('send');
	});
});

it('no function changes the state it is given', () => {
	const state = Object.freeze({ ...idle, slots: Object.freeze([]) });
	const next = sent(state, LIMIT, 0);
	const frozen = Object.freeze({ ...next.state, slots: Object.freeze([...next.state.slots]) });
	const answer = { slot: next.slot, limit: LIMIT, now: 1, random: 0 };
	expect(() => accepted(frozen, next.slot, LIMIT, 1)).not.toThrow();
	expect(() => throttled(frozen, answer)).not.toThrow();
	expect(() => offered(frozen, LIMIT, 1)).not.toThrow();
	expect(state).toEqual(idle);
});

describe('requests in flight', () => {
	const inFlight = (start: RateLimitState) => {
		let state = start;
		let count = 0;
		while (decide(state, LIMIT, 100_000).kind === 'send') {
			({ state } = sent(state, LIMIT, 100_000));
			count++;
		}
		return count;
	};

	it('are two, so that the first refusal stops the rest of a burst', () => {
		expect(inFlight(idle)).toBe(2);
	});

	it('are four where answers take long, since two could not use the budget up', () => {
		const { state, slot } = sent(idle, LIMIT, 90_000);
		expect(inFlight(accepted(state, slot, LIMIT, 99_000))).toBe(4);
	});

	it('are one beside others', () => {
		const state = afterRefused(afterRequests([80_000, 81_000]), 82_000, 30_000);
		expect(inFlight({ ...state, slots: [] })).toBe(1);
	});
});

describe('an offer', () => {
	const full = afterRequests(everySecond(LIMIT));

	it('holds the two slots that come free next a moment longer, for whoever else waits', () => {
		const state = offered(full, LIMIT, 20_000);
		expect(decide(full, LIMIT, 20_000)).toMatchObject({ until: 10 + HELD_MS });
		expect(decide(state, LIMIT, 20_000)).toMatchObject({ until: 10 + HELD_MS + OFFER_MS });
		expect(state.slots.map(({ offeredMs }) => offeredMs).slice(0, 3)).toEqual([
			OFFER_MS,
			OFFER_MS,
			0,
		]);
	});

	it('is made once in each window', () => {
		const once = offered(full, LIMIT, 20_000);
		expect(offered(once, LIMIT, 21_000)).toBe(once);
		const later = afterRequests(
			everySecond(LIMIT).map((at) => at + 100_000),
			once,
		);
		expect(offered(later, LIMIT, 120_000)).not.toBe(later);
	});

	it('is not made while slots are free', () => {
		const state = afterRequests(everySecond(LIMIT - 1));
		expect(offered(state, LIMIT, 19_500)).toBe(state);
	});
});

describe('a refusal while no slot is held', () => {
	it('closes the limiter for Retry-After and a quarter to half of a second', () => {
		expect(afterRefused(idle, 0, 30_000).throttling?.until).toBe(10 + 30_250);
		expect(afterRefused(idle, 0, 30_000, 0.999).throttling?.until).toBeCloseTo(10 + 30_499.75);
	});

	it.each([
		['in milliseconds', 60_000 * 1_000, 60_250],
		['of another clock, or an hour', 3_600_000, LONGEST_CLOSED_MS],
		['of two hours', 7_200_000, LONGEST_CLOSED_MS],
	])('that asks for a wait %s closes the limiter for minutes at most', (_, asked, wait) => {
		expect(afterRefused(idle, 0, asked).throttling?.until).toBe(10 + wait);
		expect(afterRefused(idle, 0, asked, 0.999).throttling?.until).toBeLessThanOrEqual(
			10 + wait + 1_000,
		);
	});

	it('lets one request alone probe, and the next when the probe is accepted', () => {
		const closed = afterRefused(idle, 0, 30_000);
		const until = closed.throttling?.until ?? 0;
		expect(decide(closed, LIMIT, until - 1)).toEqual({ kind: 'wait', until, reason: 'throttled' });
		expect(decide(closed, LIMIT, until)).toEqual({ kind: 'send' });
		const probe = sent(closed, LIMIT, until);
		expect(decide(probe.state, LIMIT, until)).toEqual({ kind: 'waitForResponse' });
		expect(accepted(probe.state, probe.slot, LIMIT, until + 50).throttling).toBeUndefined();
	});

	it('stays when a probe gets no answer, and lets the next one go', () => {
		const closed = afterRefused(idle, 0, 30_000);
		const until = closed.throttling?.until ?? 0;
		const probe = sent({ ...closed, share: undefined }, LIMIT, until);
		const silent = unanswered(probe.state, probe.slot, until + 60_000);
		expect(silent.throttling).toEqual(closed.throttling);
		expect(decide(silent, LIMIT, until + 60_000)).toEqual({ kind: 'send' });
	});

	it('of the rest of a burst counts as the same one, and never opens the limiter earlier', () => {
		const one = sent(idle, LIMIT, 0);
		const two = sent(one.state, LIMIT, 0);
		const refusal = (slot: number, now: number, retryAfter: number) => ({
			...{ slot, limit: LIMIT, now, retryAfter, random: 0.9 },
		});
		const closed = throttled(two.state, refusal(one.slot, 100, 30_000));
		const again = throttled(closed, refusal(two.slot, 150, 5_000));
		expect(again.throttling).toEqual(closed.throttling);
	});

	it('is tried again soon where the wait was rounded down, and then ever later', () => {
		let state = afterRefused(idle, 0, 1_000);
		const waits: number[] = [];
		for (let round = 0; round < 9; round++) {
			const now = state.throttling?.until ?? 0;
			state = afterRefused(state, now, undefined, 1);
			waits.push((state.throttling?.until ?? now) - now - 10);
		}
		expect(waits[0]).toBe(700);
		expect(waits.slice(1).every((wait, index) => index === 0 || wait >= waits[index])).toBe(true);
		expect(waits.at(-1)).toBeLessThanOrEqual(61_000);
		expect(state.throttling?.since).toBe(10);
	});
});

describe('a refusal while slots are held', () => {
	it('does not close the limiter: what was won is used again as it comes free', () => {
		const state = afterRefused(afterRequests(everySecond(6)), 6_000, 50_000);
		expect(state.throttling).toBeUndefined();
		expect(state.share?.slots).toBe(6);
		expect(decide(state, LIMIT, 6_100)).toMatchObject({ kind: 'wait', until: 10 + HELD_MS });
		expect(decide(state, LIMIT, 10 + HELD_MS)).toEqual({ kind: 'send' });
	});

	it('takes less than half of the limit where nearly all of it was won', () => {
		const state = afterRefused(afterRequests(everySecond(19)), 19_000, 41_000);
		expect(state.share?.slots).toBe(9);
	});

	it('makes the share smaller, at most once a window by the rule, and never larger than what was won', () => {
		const first = afterRefused(afterRequests(everySecond(6)), 6_000, 50_000);
		const soon = afterRefused(first, 61_000, 1_000);
		expect(soon.share?.slots).toBeLessThanOrEqual(6);
		expect(soon.share?.slots).toBeGreaterThanOrEqual(1);
	});

	it('lets the share grow by extra requests, once three of them were accepted', () => {
		let state = afterRefused(afterRequests(everySecond(6)), 6_000, 50_000);
		const shares: number[] = [];
		for (let now = 130_000; shares.length < 8; ) {
			const held = { ...state, slots: afterRequests([now - 20, now - 15]).slots };
			const full = { ...held, share: { ...held.share!, slots: 2 + shares.length } };
			const extra = sent({ ...full, share: { ...full.share, slots: 2 } }, LIMIT, now);
			state = accepted(extra.state, extra.slot, LIMIT, now + 10);
			shares.push((state.share?.slots ?? 0) - 2);
			now += 10_000;
		}
		expect(shares.slice(0, 4)).toEqual([0, 0, 1, 1]);
	});

	it('is no matter any more after some quiet minutes', () => {
		const state = afterRefused(afterRequests(everySecond(6)), 6_000, 50_000);
		expect(sent(state, LIMIT, 200_000).state.share).toBeUndefined();
	});
});

describe('a service that counts in two windows', () => {
	it('is told by a wait that a sliding log would not name, and asked at an even pace', () => {
		const state = afterRefused(afterRequests(everySecond(LIMIT)), 60_100, 57_000);
		expect(state.pace?.perMinute).toBe(LIMIT);
		expect(decide(state, LIMIT, 63_050)).toMatchObject({ kind: 'wait' });
		expect(decide(state, LIMIT, 63_200)).toEqual({ kind: 'send' });
	});

	it('is asked ever more slowly while it refuses, and faster again while it does not', () => {
		let state = afterRefused(afterRequests(everySecond(LIMIT)), 60_100, 57_000);
		state = afterRefused(state, 63_200, 50_000);
		expect(state.pace?.perMinute).toBe(16);
		const next = sent(state, LIMIT, 120_000);
		const later = accepted(next.state, next.slot, LIMIT, 120_010);
		expect(later.pace?.perMinute).toBeGreaterThan(17);
	});
});

it('never lets more requests through than the limit in any window, whatever is answered and when', () => {
	const steps = fc.array(
		fc.record({
			pause: fc.oneof(fc.nat(100), fc.nat(5_000), fc.nat(90_000)),
			answer: fc.constantFrom('accepted', 'refused', 'unanswered', 'unsent'),
			retryAfter: fc.option(fc.nat(90_000), { nil: undefined }),
		}),
		{ maxLength: 150 },
	);
	fc.assert(
		fc.property(steps, fc.integer({ min: 1, max: 30 }), (all, limit) => {
			let state = idle;
			let now = 0;
			const counted: number[] = [];
			for (const { pause, answer, retryAfter } of all) {
				now += pause;
				state = offered(state, limit, now);
				if (decide(state, limit, now).kind !== 'send') continue;
				const next = sent(state, limit, now);
				now += 10;
				const { slot } = next;
				if (answer !== 'refused' && answer !== 'unsent') counted.push(now);
				if (answer === 'accepted') state = accepted(next.state, slot, limit, now);
				if (answer === 'unanswered') state = unanswered(next.state, slot, now);
				if (answer === 'unsent') state = unsent(next.state, slot);
				if (answer === 'refused') {
					state = throttled(next.state, { slot, limit, now, retryAfter, random: 0.5 });
				}
				const inWindow = counted.filter((at) => at > now - WINDOW_MS);
				expect(inWindow.length).toBeLessThanOrEqual(limit);
			}
		}),
	);
});
