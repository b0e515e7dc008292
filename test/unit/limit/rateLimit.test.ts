import type { RateLimitState } from '../../../nodes/ContactTaskCrm/limit/rateLimit';
import {
	accepted,
	decide,
	idle,
	learnedPerMinute,
	sent,
} from '../../../nodes/ContactTaskCrm/limit/rateLimit';
import { throttled } from '../../../nodes/ContactTaskCrm/limit/throttling';

const LIMIT = 20;

/** Returns the state after a request that was refused 10 ms later. */
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

describe('a refusal while no slot is held', () => {
	it.each([
		['30 seconds', 30_000, 30_250],
		['an hour', 3_600_000, 180_000],
	])('A 429 stops the limiter for %s plus jitter, three minutes at most', (_, asked, wait) => {
		expect(afterRefused(idle, 0, asked).throttling?.until).toBe(10 + wait);
		const until = afterRefused(idle, 0, asked, 0.999).throttling!.until;
		expect(until).toBeGreaterThanOrEqual(10 + wait);
		expect(until).toBeLessThanOrEqual(10 + wait + 250);
	});

	it.each([
		[30_000, 3_000],
		[60_000, 3_000],
		[63_000, 63_250],
		[170_000, 170_250],
	])(
		'After a request was accepted, Retry-After %d ms makes the limiter wait %d ms',
		(asked, wait) => {
			const first = sent(idle, LIMIT, 0);
			const answered = accepted(first.state, first.slot, 10);
			// The slot of the accepted request comes free in a second. So it does not explain any of these waits.
			expect(afterRefused(answered, 59_000, asked).throttling?.until).toBe(59_010 + wait);
		},
	);

	it('Several 429 answers to one burst count as one, and never shorten the wait', () => {
		const one = sent(idle, LIMIT, 0);
		const two = sent(one.state, LIMIT, 0);
		const refusal = (slot: number, now: number, retryAfter: number) => ({
			...{ slot, limit: LIMIT, now, retryAfter, random: 0.9 },
		});
		const closed = throttled(two.state, refusal(one.slot, 100, 30_000));
		const again = throttled(closed, refusal(two.slot, 150, 5_000));
		expect(again.throttling).toEqual(closed.throttling);
	});

	it('After a 429, the limiter sends one request, and no other before its answer', () => {
		const closed = afterRefused({ ...idle, roundTripMs: 5_000 }, 0, 30_000);
		const { until } = closed.throttling!;
		expect(decide(closed, { limit: LIMIT }, until - 1)).toMatchObject({ kind: 'wait', until });
		expect(decide(closed, { limit: LIMIT }, until)).toEqual({ kind: 'send' });
		const probing = sent(closed, LIMIT, until);
		expect(decide(probing.state, { limit: LIMIT }, until)).toEqual({ kind: 'waitForResponse' });
	});

	it.each([0, 1])(
		'Repeated 429 answers without Retry-After double the wait up to a minute (jitter %d)',
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

const MINUTE_MS = 60_000;

/** Returns a state in which slots are held until `MINUTE_MS`. */
function holding(count: number, limit = LIMIT): RateLimitState {
	const slot = { id: 0, sentAt: 0, limit, isPoll: false, freeAt: MINUTE_MS };
	return { ...idle, used: Array.from({ length: count }, (_, id) => ({ ...slot, id })) };
}

describe('slots that stay free while many requests wait', () => {
	const freeOf = (limit: number, perMinute = Infinity) => {
		const learned = { perMinute, refusedAt: 0, growsAt: MINUTE_MS };
		const full = Math.min(limit, perMinute);
		const isSent = (held: number, isPaced: boolean) =>
			decide({ ...holding(held, limit), learned }, { limit, isPaced }, 1_000).kind === 'send';
		expect(isSent(full, false)).toBe(false);
		const free = [3, 2, 1].find(
			(count) => isSent(full - count, false) && !isSent(full - count, true),
		);
		return free ?? 0;
	};

	it.each([
		[20, 2],
		[1_000, 2],
		[19, 1],
		[10, 1],
		[9, 0],
		[1, 0],
	])(
		'With a limit of %d requests, the limiter leaves %d slots for other processes',
		(limit, free) => {
			expect(freeOf(limit)).toBe(free);
		},
	);

	it.each([
		[12, 2],
		[9, 0],
	])(
		'If only %d of 20 requests get through, the limiter keeps %d slots free',
		(perMinute, free) => {
			expect(freeOf(20, perMinute)).toBe(free);
		},
	);

	it('The limiter spaces the requests of a long run at 18 a minute', () => {
		const state = { ...holding(5), lastSentAt: 0 };
		const decision = decide(state, { limit: LIMIT, isPaced: true }, 1_000);
		expect(decision).toEqual({ kind: 'wait', until: 60_050 / 18, reason: 'limit' });
		expect(decide(state, { limit: LIMIT }, 1_000)).toEqual({ kind: 'send' });
	});
});

describe('what a refusal taught', () => {
	const refusedBeside = (held: number) => afterRefused(holding(held), 0, 50_000);

	it('After a 429 despite free slots, the limiter temporarily assumes a lower limit', () => {
		const state = refusedBeside(4);
		expect(learnedPerMinute(state.learned, MINUTE_MS)).toBe(4);
		expect(sent(state, LIMIT, 200_000).state.learned).toBeUndefined();
	});

	it('A lower limit learned from a 429 grows, and ends after half an hour', () => {
		const { learned } = refusedBeside(1);
		const after = (minutes: number) => learnedPerMinute(learned, 10 + minutes * MINUTE_MS);
		expect(after(1)).toBe(1);
		expect(after(3)).toBeGreaterThan(1);
		expect(after(5)).toBeGreaterThan(after(3));
		expect(after(29.9)).toBeLessThan(Infinity);
		expect(after(30)).toBe(Infinity);
	});
});
