import fc from 'fast-check';
import { putLast } from '../../../nodes/ContactTaskCrm/common/boundedMap';

const puts = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 300 });
const most = fc.integer({ min: 1, max: 60 });

describe('a map that holds so many entries at most', () => {
	test('has those that were put last, the latest of each key at its end', () => {
		fc.assert(
			fc.property(puts, most, (keys, size) => {
				const map = new Map<number, number>();
				keys.forEach((key, turn) => putLast(map, key, turn, size));
				const latest = [...new Map(keys.map((key, turn) => [key, turn]))];
				const expected = latest.sort(([, one], [, other]) => one - other).slice(-size);
				expect([...map]).toEqual(expected);
			}),
		);
	});
});
