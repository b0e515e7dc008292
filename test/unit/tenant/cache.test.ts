import fc from 'fast-check';
import { AsyncCache } from '../../../nodes/ContactTaskCrm/tenant/cache';
import { VirtualClock } from '../../support/virtualClock';

const MAX_AGE_MS = 1_000;

it('a value is read once at a time, given young enough, and never where its reading failed', async () => {
	const ask = fc.record({
		at: fc.nat(6_000),
		name: fc.constantFrom('a', 'b', 'c'),
		takes: fc.nat(1_500),
		fails: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(ask, { maxLength: 30 }), async (asks) => {
			const clock = new VirtualClock();
			const cache = new AsyncCache(clock, 3);
			const underWay = new Set<string>();
			const begun: number[] = [];
			const asking = asks.map(async ({ at, name, takes, fails }) => {
				await clock.sleep(at);
				const wasUnderWay = underWay.has(name);
				let isOwn = false;
				const read = async () => {
					isOwn = true;
					expect(underWay.has(name)).toBe(false);
					underWay.add(name);
					const nth = begun.push(clock.now()) - 1;
					await clock.sleep(takes);
					underWay.delete(name);
					return fails ? await Promise.reject(new Error(name)) : { name, nth };
				};
				const answer = await cache
					.get(name, { maxAgeMs: MAX_AGE_MS, read })
					.catch((reason: Error) => reason.message);
				if (typeof answer === 'string') {
					expect(answer).toBe(name);
					expect(isOwn || wasUnderWay).toBe(true);
					return;
				}
				expect(answer.name).toBe(name);
				if (!wasUnderWay) expect(at - begun[answer.nth]).toBeLessThan(MAX_AGE_MS);
			});
			await clock.run(Promise.all(asking));
		}),
	);
});

const read = (value: unknown) => async () => await Promise.resolve(value);

it('age counts from the beginning of the reading', async () => {
	const clock = new VirtualClock();
	const cache = new AsyncCache(clock, 1);
	const slowly = async () => await clock.sleep(900).then(() => 'old');
	await clock.run(cache.get('a', { maxAgeMs: MAX_AGE_MS, read: slowly }));
	await clock.pass(99);
	expect(cache.isFresh('a', MAX_AGE_MS)).toBe(true);
	await clock.pass(1);
	expect(await cache.get('a', { maxAgeMs: MAX_AGE_MS, read: read('new') })).toBe('new');
});

it('a read under way that began too long ago is not shared where that is said, and does not replace what is newer', async () => {
	const clock = new VirtualClock();
	const cache = new AsyncCache(clock, 1);
	const slowly = async () => await clock.sleep(5_000).then(() => 'old');
	const old = cache.get('a', { maxAgeMs: MAX_AGE_MS, read: slowly });
	await clock.pass(MAX_AGE_MS);
	const asked = { maxAgeMs: MAX_AGE_MS, read: read('new') };
	expect(await cache.get('a', { ...asked, isStrict: true })).toBe('new');
	expect(await clock.run(old)).toBe('old');
	expect(cache.peek('a')).toBe('new');
});

it('as many are kept as there is room for; the one that was read longest ago gives way', async () => {
	const cache = new AsyncCache(new VirtualClock(), 2);
	for (const name of ['a', 'b', 'a', 'c']) {
		await cache.get(name, { maxAgeMs: 0, read: read(name) });
	}
	expect(['a', 'b', 'c'].map((name) => cache.peek(name))).toEqual(['a', undefined, 'c']);
});

it('what is set is given, what is deleted is not, and what is read shows', async () => {
	const clock = new VirtualClock();
	const cache = new AsyncCache(clock, 2);
	cache.set('a', 1);
	expect(await cache.get('a', { maxAgeMs: 1, read: read(2) })).toBe(1);
	cache.delete('a');
	const reading = cache.get('a', { maxAgeMs: 1, read: read(2) });
	expect(cache.isReading('a')).toBe(true);
	expect(await reading).toBe(2);
	expect(cache.isReading('a')).toBe(false);
});
