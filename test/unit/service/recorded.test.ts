import { DIFFERENCES } from './recorded/differences';
import { differing, isRefusal, replay, type Replayed } from './recorded/replay';

/*
 * Compares the stand-in with the recorded answers of a real application of the framework:
 * test/service/recorded/README.md. Every known difference is in a list, with its reason. A new difference fails the
 * test, and so does one that no longer exists.
 */

/** Interface 7, rule 1: the stand-in sends this message in every refusal, the framework in none. */
const MESSAGE = 'body.message';

const all = replay();

const withoutMessage = (one: Replayed) =>
	differing(one).filter((place) => !(place === MESSAGE && isRefusal(one)));

it('The stand-in answers like the recorded API Platform application, except for what differences.ts lists', () => {
	const expected = DIFFERENCES.flatMap(({ what, of }) =>
		Object.entries(of).flatMap(([file, names]) => names.map((name) => [`${file}: ${name}`, what])),
	);
	const found = all.map((one) => [one.name, withoutMessage(one)]);
	const others = found.filter(([, places]) => places.length > 0);
	expect(Object.fromEntries(others)).toEqual(Object.fromEntries(expected));
});

it('The stand-in service gives a message with every refusal, as its interface requires', () => {
	const silent = all.filter((one) => isRefusal(one) && !differing(one).includes(MESSAGE));
	const listed = silent.filter((one) => withoutMessage(one).length === 0);
	expect(listed.map(({ name }) => name)).toEqual([]);
});

it('The stand-in service differs from the recorded answers as often as test/service/README.md says', () => {
	const same = all.filter((one) => differing(one).length === 0);
	const different = all.filter((one) => withoutMessage(one).length > 0);
	expect({
		asked: all.length,
		same: same.length,
		sameButForMessage: all.length - same.length - different.length,
		different: different.length,
	}).toEqual({ asked: 358, same: 213, sameButForMessage: 110, different: 35 });
});
