import type { RateLimitState } from '../../../nodes/ContactTaskCrm/http/rateLimit';
import { accepted, decide, idle, sent } from '../../../nodes/ContactTaskCrm/http/rateLimit';
import { throttled } from '../../../nodes/ContactTaskCrm/http/throttling';

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
	])(
		'A 429 that asks for %s stops the limiter for that time plus jitter, for three minutes at most',
		(_, asked, wait) => {
			expect(afterRefused(idle, 0, asked).throttling?.until).toBe(10 + wait);
			const until = afterRefused(idle, 0, asked, 0.999).throttling!.until;
			expect(until).toBeGreaterThanOrEqual(10 + wait);
			expect(until).toBeLessThanOrEqual(10 + wait + 250);
		},
	);

	it('Several 429 answers to one burst count as one, and a later one does not shorten the wait', () => {
		const one = sent(idle, LIMIT, 0);
		const two = sent(one.state, LIMIT, 0);
		const refusal = (slot: number, now: number, retryAfter: number) => ({
			...{ slot, limit: LIMIT, now, retryAfter, random: 0.9 },
		});
		const closed = throttled(two.state, refusal(one.slot, 100, 30_000));
		const again = throttled(closed, refusal(two.slot, 150, 5_000));
		expect(again.throttling).toEqual(closed.throttling);
	});

	it('After the wait for a 429, the limiter sends one request, and no other before its answer', () => {
		const closed = afterRefused({ ...idle, roundTripMs: 5_000 }, 0, 30_000);
		const { until } = closed.throttling!;
		expect(decide(closed, LIMIT, until - 1)).toMatchObject({ kind: 'wait', until });
		expect(decide(closed, LIMIT, until)).toEqual({ kind: 'send' });
		const probing = sent(closed, LIMIT, until);
		expect(decide(probing.state, LIMIT, until)).toEqual({ kind: 'waitForResponse' });
	});

	it.each([0, 1])(
		'Repeated 429 answers without Retry-After double the wait up to a minute, with jitter %d',
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

it.each([
	[LIMIT - 1, { kind: 'send' }],
	[LIMIT, { kind: 'wait', until: 50_000, reason: 'limit' }],
])(
	'An extra request that tests the budget share goes out only below the rate limit, with %d held slots',
	(held, decision) => {
		const slot = { id: 0, sentAt: 0, isExtra: false, isPoll: false, freeAt: 50_000 };
		const used = Array.from({ length: held }, (_, id) => ({ ...slot, id }));
		const share = { slots: 5, growsAt: 30_000, acceptedExtras: 0, reducedAt: 0 };
		expect(decide({ ...idle, used, share }, LIMIT, 40_000)).toEqual(decision);
	},
);

it('If a 429 comes although slots are free, the limiter uses fewer slots for some minutes', () => {
	const one = sent(idle, LIMIT, 0);
	const held = accepted(one.state, one.slot, LIMIT, 10);
	const state = afterRefused(held, 6_000, 50_000);
	expect(state.share?.slots).toBe(1);
	expect(sent(state, LIMIT, 200_000).state.share).toBeUndefined();
});
