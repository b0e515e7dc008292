import { startService } from '../../service';
import { connect } from '../../service/client';
import {
	decide,
	EMPTY_STATE,
	retryAfter,
	type LimiterState,
	type RateLimitRule,
} from '../../service/limiter';

const LOG: RateLimitRule = { mode: 'log', limit: 20, windowMs: 60_000, countRejected: false };
const TWO: RateLimitRule = { ...LOG, mode: 'two-windows' };
const COUNTING: RateLimitRule = { ...LOG, countRejected: true };

/** Returns the decision on each of these requests, stamped in ms. */
function replay(stamps: number[], rule: RateLimitRule) {
	let state: LimiterState = EMPTY_STATE;
	return stamps.map((stamp) => {
		const decision = decide(state, stamp, rule);
		state = decision.state;
		return decision;
	});
}

const burst = (count: number, at = 0) => Array.from({ length: count }, () => at);
const everySecond = (count: number) => Array.from({ length: count }, (_, second) => second * 1000);

it.each([
	['a sliding log admits no more than the limit', LOG, burst(21), 20],
	['a sliding log has no place before the oldest request leaves', LOG, [...burst(20), 59_999], 20],
	[
		'a sliding log has a place as soon as the oldest request leaves',
		LOG,
		[...burst(20), 60_000],
		21,
	],
	['rejected requests take no place', LOG, [...burst(40), 60_000], 21],
	['rejected requests take a place', COUNTING, [...burst(20), ...burst(20, 3e4), 60_000], 20],
	[
		'a rule of two windows forgets requests after a whole window',
		TWO,
		[...burst(20), ...burst(20, 120_001)],
		40,
	],
	[
		'a rule of two windows admits by its estimate',
		TWO,
		[...burst(20), ...burst(2, 60_001), 63_001],
		22,
	],
	['the mode off admits all requests', { ...LOG, mode: 'off' }, burst(100), 100],
] as Array<[string, RateLimitRule, number[], number]>)(
	'The stand-in service admits as many requests as its rule allows: %s',
	(_, rule, stamps, admitted) => {
		expect(replay(stamps, rule).filter((decision) => decision.admitted)).toHaveLength(admitted);
	},
);

it.each([
	['when the oldest request leaves (sliding log)', LOG, [0, ...burst(20, 500)], 60_000],
	['when enough requests have left (rejected requests count)', COUNTING, everySecond(21), 61_000],
	['up to 57 s too late (two windows)', TWO, [...burst(20), ...burst(2, 60_001)], 120_000],
	['too early (two windows, the current one full)', TWO, [0, ...burst(20, 59_000)], 59_050],
] as Array<[string, RateLimitRule, number[], number]>)(
	'The stand-in service says in Retry-After when the next request may come: %s',
	(_, rule, stamps, retryAt) => {
		expect(replay(stamps, rule).at(-1)).toMatchObject({ admitted: false, retryAt });
	},
);

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 250);

it.each([
	['log', 'seconds', '42', 41_500],
	['log', 'date', 'Thu, 01 Jan 2026 12:00:42 GMT', 41_500],
	['log', 'missing', 'nothing', 41_500],
	['two-windows', 'seconds', '41', 41_500],
	['two-windows', 'seconds', 'nothing', 400],
] as const)(
	'With limit "%s" and Retry-After form "%s", the stand-in sends %s for %i ms',
	(mode, form, expected, wait) => {
		expect(retryAfter(form, mode, NOW, NOW + wait) ?? 'nothing').toBe(expected);
	},
);

it("Two keys of a company share the stand-in's rate limit per minute", async () => {
	let now = NOW;
	const keys = { second: 'main', other: 'other' };
	const service = await startService({ seed: false, keys, clock: () => now });
	const ask = async (key?: string) => await connect(service)('GET', '/segments', { key });
	for (let count = 0; count < 20; count++) expect((await ask()).status).toBe(200);
	const rejected = await ask('second');
	expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([429, '60']);
	expect((await ask('other')).status).toBe(200);
	expect((await ask('wrong')).status).toBe(401);
	now += 60_000;
	expect((await ask()).status).toBe(200);
	await service.close();
});
