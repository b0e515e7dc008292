import type { Outcome } from '../../../nodes/ContactTaskCrm/transport/http';
import { RateLimited } from '../../../nodes/ContactTaskCrm/transport/requestErrors';
import { TenantLimiter } from '../../../nodes/ContactTaskCrm/transport/tenantLimiter';
import { VirtualClock } from '../../support/virtualClock';

/** A service that refuses every request, the first after 10 ms, each later one 10 ms after that. */
function throttledBurst(patienceMs: number, retryAfter: string | undefined, urgent = false) {
	const clock = new VirtualClock();
	const limiter = new TenantLimiter(clock, () => 0.9);
	let sent = 0;
	const send = async (): Promise<Outcome> => {
		await clock.sleep(10 * ++sent);
		const headers: Record<string, string> = retryAfter ? { 'retry-after': retryAfter } : {};
		return { kind: 'response', status: 429, headers, body: {} };
	};
	const waitLimits = { slotMs: patienceMs, throttledMs: patienceMs };
	const all = Array.from({ length: 6 }, async (_, item) => {
		const submission = { queueKey: {}, item, urgent, waitLimits, limit: 20, send };
		return await limiter.submit(submission).catch((reason: unknown) => reason);
	});
	return { clock, outcomes: clock.run(Promise.all(all)), sentCount: () => sent };
}

describe('a burst that is refused', () => {
	it.each([undefined, '30', '55'])(
		'fails at once as a whole where nobody is to wait, with Retry-After %p',
		async (retryAfter) => {
			const { clock, outcomes, sentCount } = throttledBurst(0, retryAfter);
			for (const outcome of await outcomes) expect(outcome).toBeInstanceOf(RateLimited);
			expect(clock.now()).toBeLessThan(100);
			expect(sentCount()).toBe(2);
		},
	);

	it('lets go what a person waits for in the editor within moments', async () => {
		const { clock, outcomes } = throttledBurst(5_000, '30', true);
		for (const outcome of await outcomes) {
			expect(outcome).toMatchObject({ reason: 'throttled', waitMs: expect.any(Number) as number });
		}
		expect(clock.now()).toBeLessThan(100);
	});
});
