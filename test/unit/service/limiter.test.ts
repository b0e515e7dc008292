import fc from 'fast-check';
import {
	decide,
	EMPTY_STATE,
	retryAfter,
	type LimiterState,
	type RateLimitRule,
} from '../../service/limiter';
import { startService, type Service } from '../../service';
import { connect } from '../../service/client';

const rule = (changes: Partial<RateLimitRule> = {}): RateLimitRule => ({
	mode: 'log',
	limit: 20,
	windowMs: 60_000,
	countRejected: false,
	...changes,
});

/** Which of these requests, stamped in ms, are admitted, and when each rejected one may come. */
function replay(stamps: number[], limit: RateLimitRule) {
	let state: LimiterState = EMPTY_STATE;
	return stamps.map((stamp) => {
		const decision = decide(state, stamp, limit);
		state = decision.state;
		return decision;
	});
}

const burst = (count: number, at = 0) => Array.from({ length: count }, () => at);
const admittedOf = (stamps: number[], limit: RateLimitRule) =>
	replay(stamps, limit).filter(({ admitted }) => admitted).length;

describe('the sliding log', () => {
	it('admits the limit and rejects the next', () => {
		expect(replay(burst(21), rule()).map(({ admitted }) => admitted)).toEqual([
			...Array.from({ length: 20 }, () => true),
			false,
		]);
	});

	it('admits again exactly when the oldest leaves the window', () => {
		expect(admittedOf([...burst(20), 59_999], rule())).toBe(20);
		expect(admittedOf([...burst(20), 60_000], rule())).toBe(21);
	});

	it('says when the next request would be admitted', () => {
		const [last] = replay([0, ...burst(19, 500), 1000], rule()).slice(-1);
		expect(last).toMatchObject({ admitted: false, retryAt: 60_000 });
	});

	it('lets rejected requests take a place only where the rule says so', () => {
		const stamps = [...burst(20), ...burst(20, 30_000), 60_000];
		expect(admittedOf(stamps, rule())).toBe(21);
		expect(admittedOf(stamps, rule({ countRejected: true }))).toBe(20);
	});

	it('waits for as many to leave as rejected requests have taken places', () => {
		const everySecond = Array.from({ length: 21 }, (_, second) => second * 1000);
		expect(replay(everySecond, rule()).at(-1)?.retryAt).toBe(60_000);
		expect(replay(everySecond, rule({ countRejected: true })).at(-1)?.retryAt).toBe(61_000);
	});

	it('never admits more than the limit in any window, and always what it promised', () => {
		const gaps = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
		fc.assert(
			fc.property(gaps, fc.integer({ min: 1, max: 6 }), (steps, limit) => {
				const one = rule({ limit, windowMs: 1000 });
				let now = 0;
				let state = EMPTY_STATE;
				const admitted: number[] = [];
				for (const step of steps) {
					now += step;
					const decision = decide(state, now, one);
					if (decision.admitted) admitted.push(now);
					else expect(decide(state, decision.retryAt ?? 0, one).admitted).toBe(true);
					state = decision.state;
				}
				for (const start of admitted) {
					const inWindow = admitted.filter((at) => at >= start && at < start + 1000);
					expect(inWindow.length).toBeLessThanOrEqual(limit);
				}
			}),
		);
	});
});

describe('the two windows', () => {
	const two = rule({ mode: 'two-windows' });

	it('admits the 21st after 60 s and then one every 3 s', () => {
		const everySecond = Array.from({ length: 90 }, (_, second) => second * 1000 + 1);
		const decisions = replay([...burst(20), ...everySecond], two).slice(20);
		const seconds = decisions.flatMap(({ admitted }, second) => (admitted ? [second] : []));
		expect(seconds.slice(0, 5)).toEqual([60, 63, 66, 69, 72]);
	});

	it('forgets the last window when a whole one passed without requests', () => {
		expect(admittedOf([...burst(20), ...burst(20, 120_001)], two)).toBe(40);
	});

	it('promises a time up to 57 s too late, as the original does', () => {
		const stamps = [...burst(20), ...burst(2, 60_001)];
		expect(replay(stamps, two).at(-1)).toMatchObject({ admitted: false, retryAt: 120_000 });
		expect(replay([...stamps, 63_001], two).at(-1)?.admitted).toBe(true);
	});

	it('promises a time too early when the window is full of its own requests', () => {
		const stamps = [0, ...burst(20, 59_000)];
		const { retryAt = 0 } = replay(stamps, two).at(-1) ?? {};
		expect(retryAt).toBeLessThan(60_000);
		expect(replay([...stamps, retryAt], two).at(-1)?.admitted).toBe(false);
	});
});

describe('no rate limit', () => {
	it('admits everything', () => {
		expect(admittedOf(burst(1000), rule({ mode: 'off' }))).toBe(1000);
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 0, 1, 12, 0, 0, 250);
	const retryAt = now + 41_500;

	it.each([
		['seconds', '42'],
		['date', 'Thu, 01 Jan 2026 12:00:42 GMT'],
		['epoch-seconds', String(Date.UTC(2026, 0, 1, 12, 0, 42) / 1000)],
		['epoch-milliseconds', String(retryAt)],
	] as const)('of the log as %s is never too early', (form, expected) => {
		expect(retryAfter(form, 'log', now, retryAt)).toBe(expected);
	});

	it('is missing where the switch says so', () => {
		expect(retryAfter('missing', 'log', now, retryAt)).toBeUndefined();
	});

	it('of two windows is rounded down, and not sent when nothing is left', () => {
		expect(retryAfter('seconds', 'two-windows', now, retryAt)).toBe('41');
		expect(retryAfter('seconds', 'two-windows', now, now + 400)).toBeUndefined();
	});
});

describe('the rate limit of a service', () => {
	let now = Date.UTC(2026, 0, 1);
	let service: Service;
	let send: ReturnType<typeof connect>;

	beforeAll(async () => {
		service = await startService({
			seed: false,
			keys: { second: 'main', other: 'other' },
			clock: () => now,
		});
		send = connect(service);
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.reset());

	const burstOf = async (count: number, key?: string) =>
		await Promise.all(
			Array.from({ length: count }, async () => await send('GET', '/segments', { key })),
		);

	it('rejects the 21st request with 429, a message and Retry-After', async () => {
		const replies = await burstOf(21);
		const [rejected, ...more] = replies.filter(({ status }) => status === 429);
		expect(more).toEqual([]);
		expect(rejected.headers.get('retry-after')).toBe('60');
		expect(rejected.mediaType).toBe('application/problem+json');
		expect(rejected.body.message).toBe('Too Many Requests');
		expect(service.limiterStats()).toMatchObject({ admitted: 20, rejected: 1 });
	});

	it('is shared by the keys of a tenant, and not by tenants', async () => {
		await burstOf(20);
		expect((await send('GET', '/segments', { key: 'second' })).status).toBe(429);
		expect((await send('GET', '/segments', { key: 'other' })).status).toBe(200);
		expect(service.limiterStats().byTenant).toEqual({
			main: { admitted: 20, rejected: 1 },
			other: { admitted: 1, rejected: 0 },
		});
	});

	it('admits again when the window has passed', async () => {
		await burstOf(20);
		now += 59_999;
		expect((await send('GET', '/segments')).status).toBe(429);
		now += 1;
		expect((await send('GET', '/segments')).status).toBe(200);
	});

	it('counts what is refused later, but no request without a valid key', async () => {
		await send('GET', '/segments', { key: 'wrong' });
		await send('GET', '/segments', { key: null });
		await send('GET', '/nowhere');
		await send('GET', '/people/unknown');
		expect(service.limiterStats()).toMatchObject({ admitted: 2, rejected: 0 });
	});

	it('changes at run time', async () => {
		service.switches.rateLimit.limit = 1;
		service.switches.retryAfter = 'date';
		const replies = await burstOf(2);
		const rejected = replies.find(({ status }) => status === 429);
		expect(rejected?.headers.get('retry-after')).toBe(new Date(now + 60_000).toUTCString());
		expect(rejected?.headers.get('date')).toBe(new Date(now).toUTCString());
	});

	it('stores nothing of a request it rejects', async () => {
		await burstOf(20);
		const reply = await send('POST', '/people', { body: { familyName: 'Vos' } });
		expect(reply.status).toBe(429);
		expect(service.store.people.size).toBe(0);
		expect(service.requests.at(-1)).toMatchObject({ status: 429, stored: false });
	});
});
