import type { RateLimitState } from '../../../nodes/ContactTaskCrm/transport/rateLimit';
import {
	decide,
	idle,
	LONGEST_CLOSED_MS,
	accepted,
	MAX_IN_FLIGHT,
	throttled,
	sent,
	SPACING_PERIOD_MS,
	unanswered,
	WINDOW_MARGIN_MS,
	WINDOW_MS,
} from '../../../nodes/ContactTaskCrm/transport/rateLimit';

const HELD_MS = WINDOW_MS + WINDOW_MARGIN_MS;

/** Requests that were each sent at a time and let through 10 ms later. */
function afterRequests(times: number[], start: RateLimitState = idle): RateLimitState {
	return times.reduce((state, at) => {
		const next = sent(state, at);
		return accepted(next.state, next.slot, at + 10);
	}, start);
}

const everySecond = (count: number) => Array.from({ length: count }, (_, index) => index * 1_000);

describe('a slot', () => {
	it('is held from the sending until a window and a margin after the response', () => {
		const { state, slot } = sent(idle, 0);
		const done = accepted(state, slot, 500);
		expect(decide(done, 1, 500 + HELD_MS - 1)).toEqual({
			kind: 'wait',
			until: 500 + HELD_MS,
			reason: 'limit',
		});
		expect(decide(done, 1, 500 + HELD_MS)).toEqual({ kind: 'send' });
	});

	it('is held for as long as no response has come, however long that is', () => {
		const { state } = sent(idle, 0);
		expect(decide(state, 1, 10 * HELD_MS)).toEqual({ kind: 'waitForResponse' });
	});

	it('is held as long where no answer came, since the request may have been counted', () => {
		const { state, slot } = sent(idle, 0);
		const done = unanswered(state, slot, 9_000);
		expect(decide(done, 1, 9_000)).toMatchObject({ kind: 'wait', until: 9_000 + HELD_MS });
	});

	it('that comes free first is waited for, in whatever order the responses came', () => {
		const one = sent(idle, 0);
		const two = sent(one.state, 0);
		const done = accepted(accepted(two.state, two.slot, 200), one.slot, 900);
		expect(decide(done, 2, 1_000)).toMatchObject({ until: 200 + HELD_MS });
	});

	it('is forgotten once it is free, so that the state does not grow', () => {
		const state = afterRequests(everySecond(500));
		expect(state.slots.length).toBeLessThanOrEqual(62);
		expect(state.acceptedAt.length).toBeLessThanOrEqual(121);
	});

	it('counts against the limit of whoever asks', () => {
		const state = afterRequests(everySecond(5));
		expect(decide(state, 5, 5_000).kind).toBe('wait');
		expect(decide(state, 6, 5_000).kind).toBe('send');
	});
});

it('no function changes the state it is given', () => {
	const state = Object.freeze({ ...idle, slots: Object.freeze([]) });
	const next = sent(state, 0);
	const frozen = Object.freeze({ ...next.state, slots: Object.freeze([...next.state.slots]) });
	expect(() => accepted(frozen, next.slot, 1)).not.toThrow();
	expect(() =>
		throttled(frozen, { slot: next.slot, limit: 20, now: 1, retryAfter: undefined, random: 0 }),
	).not.toThrow();
	expect(state).toEqual(idle);
});

it('a fifth request waits for a response while four are in flight', () => {
	let state: RateLimitState = idle;
	for (let count = 0; count < MAX_IN_FLIGHT; count++) {
		expect(decide(state, 20, 0)).toEqual({ kind: 'send' });
		({ state } = sent(state, 0));
	}
	expect(decide(state, 20, 0)).toEqual({ kind: 'waitForResponse' });
});

/** The first request of all is refused at 100 ms. */
function firstRefused(retryAfter: number | undefined, random = 0): RateLimitState {
	const { state, slot } = sent(idle, 0);
	return throttled(state, { slot, limit: 20, now: 100, retryAfter, random });
}

describe('a refusal', () => {
	it('closes the limiter for Retry-After and one second more', () => {
		expect(firstRefused(30_000).throttling?.until).toBe(100 + 30_000 + 1_000);
	});

	it.each([
		['in milliseconds', 60_000 * 1_000, 61_000],
		['of another clock, or an hour', 3_600_000, LONGEST_CLOSED_MS],
		['of two hours', 7_200_000, LONGEST_CLOSED_MS],
	])('that asks for a wait %s closes the limiter for minutes at most', (_, asked, wait) => {
		expect(firstRefused(asked, 0.999).throttling?.until).toBeLessThanOrEqual(100 + wait + 1_000);
		expect(firstRefused(asked).throttling?.until).toBe(100 + wait);
	});

	it('lengthens the wait by jitter of up to a second, and never shortens it', () => {
		expect(firstRefused(30_000, 0.999).throttling?.until).toBeCloseTo(100 + 31_000 + 999);
	});

	it('without Retry-After waits a second and one more where the own log knows nothing', () => {
		expect(firstRefused(undefined).throttling?.until).toBe(100 + 2_000);
	});

	it('without Retry-After waits until the own log has a slot free', () => {
		const { state, slot } = sent(afterRequests([0]), 1_000);
		const { throttling } = throttled(state, {
			slot,
			limit: 20,
			now: 1_100,
			retryAfter: undefined,
			random: 0,
		});
		expect(throttling?.until).toBe(10 + HELD_MS + 1_000);
	});

	it('of a budget that was ours alone is probed at the even pace, since two windows are counted', () => {
		const { state, slot } = sent(afterRequests(everySecond(20)), 60_100);
		expect(
			throttled(state, { slot, limit: 20, now: 60_200, retryAfter: 57_000, random: 0 }).throttling
				?.until,
		).toBe(60_200 + 3_000 + 1_000);
		expect(
			throttled(state, { slot, limit: 20, now: 60_200, retryAfter: 61_000, random: 0 }).throttling
				?.until,
		).toBe(60_200 + 62_000);
	});

	it('keeps to the wait in full once such a probe was refused too', () => {
		const { state, slot } = sent(afterRequests(everySecond(20)), 60_100);
		const closed = throttled(state, {
			slot,
			limit: 20,
			now: 60_200,
			retryAfter: 50_000,
			random: 0,
		});
		const probe = sent(closed, 64_200);
		const again = throttled(probe.state, {
			slot: probe.slot,
			limit: 20,
			now: 64_300,
			retryAfter: 46_000,
			random: 0,
		});
		expect(again.throttling?.until).toBe(64_300 + 46_000 + 1_000);
	});

	it('without Retry-After looks at slots that are still held when it arrives', () => {
		const { state, slot } = sent(afterRequests([0, 5_000]), 60_000);
		const { throttling } = throttled(state, {
			slot,
			limit: 20,
			now: 61_000,
			retryAfter: undefined,
			random: 0,
		});
		expect(throttling?.until).toBe(5_010 + HELD_MS + 1_000);
	});

	it('lets one request alone probe, and the next when the probe is let through', () => {
		const closed = firstRefused(30_000);
		const until = closed.throttling?.until ?? 0;
		expect(decide(closed, 20, until - 1)).toEqual({ kind: 'wait', until, reason: 'throttled' });
		expect(decide(closed, 20, until)).toEqual({ kind: 'send' });
		const probe = sent(closed, until);
		expect(decide(probe.state, 20, until)).toEqual({ kind: 'waitForResponse' });
		const open = accepted(probe.state, probe.slot, until + 50);
		expect(open.throttling).toBeUndefined();
		expect(decide(open, 20, until + 3_000)).toEqual({ kind: 'send' });
	});

	it('stays when a request that was on its way before is let through, or a probe gets no answer', () => {
		const one = sent(idle, 0);
		const two = sent(one.state, 0);
		const closed = throttled(two.state, {
			slot: two.slot,
			limit: 20,
			now: 100,
			retryAfter: 30_000,
			random: 0,
		});
		expect(accepted(closed, one.slot, 200).throttling).toEqual(closed.throttling);
		const probe = sent(closed, 31_100);
		const silent = unanswered(probe.state, probe.slot, 40_000);
		expect(silent.throttling).toEqual(closed.throttling);
		expect(decide(silent, 20, 40_000)).toEqual({ kind: 'send' });
	});

	it('of the rest of a burst counts as the same one, and never opens the limiter earlier', () => {
		const one = sent(idle, 0);
		const two = sent(one.state, 0);
		const closed = throttled(two.state, {
			slot: one.slot,
			limit: 20,
			now: 100,
			retryAfter: 30_000,
			random: 0,
		});
		const again = throttled(closed, {
			slot: two.slot,
			limit: 20,
			now: 150,
			retryAfter: 5_000,
			random: 0.9,
		});
		expect(again.throttling).toEqual(closed.throttling);
	});

	it('of one probe after another grows the jitter up to a minute, and remembers when it began', () => {
		let state = firstRefused(10_000, 1);
		const jitters: number[] = [];
		for (let round = 0; round < 8; round++) {
			const now = state.throttling?.until ?? 0;
			const probe = sent(state, now);
			state = throttled(probe.state, {
				slot: probe.slot,
				limit: 20,
				now,
				retryAfter: 10_000,
				random: 1,
			});
			jitters.push((state.throttling?.until ?? 0) - now - 11_000);
		}
		expect(jitters).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
		expect(state.throttling?.since).toBe(100);
	});
});

describe('even spacing', () => {
	it('holds for two minutes after the limiter has opened, then bursts come back', () => {
		const closed = firstRefused(30_000);
		const until = closed.throttling?.until ?? 0;
		const probe = sent(closed, until);
		const open = accepted(probe.state, probe.slot, until + 50);
		expect(decide(open, 20, until + 2_999)).toEqual({
			kind: 'wait',
			until: until + 3_000,
			reason: 'limit',
		});
		const end = until + SPACING_PERIOD_MS;
		const late = sent(open, end - 1);
		expect(decide(late.state, 20, end - 1).kind).toBe('wait');
		expect(decide(late.state, 20, end)).toEqual({ kind: 'send' });
	});

	it('follows the limit: 60 requests a minute are a second apart', () => {
		const closed = firstRefused(30_000);
		const until = closed.throttling?.until ?? 0;
		const probe = sent(closed, until);
		const open = accepted(probe.state, probe.slot, until + 50);
		expect(decide(open, 60, until + 60)).toMatchObject({ until: until + 1_000 });
	});
});
