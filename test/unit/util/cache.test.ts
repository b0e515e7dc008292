import { AsyncCache } from '../../../nodes/ContactTaskCrm/util/keyed';
import { VirtualClock } from '../../support/virtualClock';

const MAX_AGE_MS = 1_000;

const read = (value: unknown) => async () => await Promise.resolve(value);

it('The cache counts the age of an entry from the beginning of its read', async () => {
	const clock = new VirtualClock();
	const cache = new AsyncCache(clock, 1);
	const slowly = async () => await clock.sleep(900).then(() => 'old');
	await clock.run(cache.get('a', { maxAgeMs: MAX_AGE_MS, read: slowly }));
	await clock.pass(99);
	expect(cache.isFresh('a', MAX_AGE_MS)).toBe(true);
	await clock.pass(1);
	expect(await cache.get('a', { maxAgeMs: MAX_AGE_MS, read: read('new') })).toBe('new');
});

it('With isStrict, the cache reads anew instead of waiting for an older read', async () => {
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

it('A full cache drops the entry that it fetched longest ago', async () => {
	const cache = new AsyncCache(new VirtualClock(), 2);
	for (const name of ['a', 'b', 'a', 'c']) {
		await cache.get(name, { maxAgeMs: 0, read: read(name) });
	}
	expect(['a', 'b', 'c'].map((name) => cache.peek(name))).toEqual(['a', undefined, 'c']);
});
