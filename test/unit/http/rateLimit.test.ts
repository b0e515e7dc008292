import fc from 'fast-check';
import type { RateLimitState } from '../../../nodes/ContactTaskCrm/http/rateLimit';
import {
	accepted,
	decide,
	idle,
	offered,
	sent,
	unanswered,
	unsent,
	WINDOW_MARGIN_MS,
	WINDOW_MS,
} from '../../../nodes/ContactTaskCrm/http/rateLimit';
import { LONGEST_CLOSED_MS, throttled } from '../../../nodes/ContactTaskCrm/http/throttling';

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

it('a slot is held from the sending until a window and a margin after the answer, or the lack of one', () => {
	const { state, slot } = sent(idle, 1, 0);
	expect(decide(state, 1, 10 * HELD_MS)).toEqual({ kind: 'waitForResponse' });
	const until = 500 + HELD_MS;
	for (const done of [accepted(state, slot, 1, 500), unanswered(state, slot, 500)]) {
		expect(decide(done, 1, until - 1)).toEqual({ kind: 'wait', until, reason: 'limit' });
		expect(decide(done, 1, until)).toEqual({ kind: 'send' });
	}
	// What n8n itself did not send took no place.
	expect(decide(unsent(state, slot), 1, 10)).toEqual({ kind: 'send' });
});

it('the slot that comes free first is waited for, in whatever order the answers came', () => {
	const one = sent(idle, 2, 0);
	const two = sent(one.state, 2, 0);
	const done = accepted(accepted(two.state, two.slot, 2, 200), one.slot, 2, 900);
	expect(decide(done, 2, 1_000)).toMatchObject({ until: 200 + HELD_MS });
});

describe('a refusal while no slot is held', () => {
	it.each([
		['a wait', 30_000, 30_250],
		['a wait in milliseconds, read as seconds', 60_000 * 1_000, 60_250],
		['an hour, perhaps of another clock', 3_600_000, LONGEST_CLOSED_MS],
	])(
		'that asks for %s closes the limiter for it, with jitter upward, for minutes at most',
		(_, asked, wait) => {
			expect(afterRefused(idle, 0, asked).throttling?.until).toBe(10 + wait);
			const until = afterRefused(idle, 0, asked, 0.999).throttling!.until;
			expect(until).toBeGreaterThanOrEqual(10 + wait);
			expect(until).toBeLessThanOrEqual(10 + wait + 250);
		},
	);

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

	it.each([0, 1])(
		'without Retry-After is followed by growing waits, with jitter upward: %d',
		(random) => {
			let state = idle;
			const waits = Array.from({ length: 9 }, () => {
				const now = state.throttling?.until ?? 0;
				state = afterRefused(state, now, undefined, random);
				return state.throttling!.until - now - 10;
			});
			const growing = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000];
			const jitter = [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000];
			expect(waits).toEqual(growing.map((wait, index) => wait + random * jitter[index]));
			expect(state.throttling?.since).toBe(10);
		},
	);
});

describe('a refusal while slots are held', () => {
	it('does not close the limiter: what was won is used again as it comes free', () => {
		const state = afterRefused(afterRequests(everySecond(6)), 6_000, 50_000);
		expect(state.throttling).toBeUndefined();
		expect(state.share?.slots).toBe(6);
		expect(decide(state, LIMIT, 6_100)).toMatchObject({ kind: 'wait', until: 10 + HELD_MS });
		expect(decide(state, LIMIT, 10 + HELD_MS)).toEqual({ kind: 'send' });
	});

	it('is no matter any more after some quiet minutes', () => {
		const state = afterRefused(afterRequests(everySecond(6)), 6_000, 50_000);
		expect(sent(state, LIMIT, 200_000).state.share).toBeUndefined();
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
				state = offered(state, { limit, spreads: limit % 2 === 0 }, now);
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
