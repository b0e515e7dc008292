import { quoted } from '../../../nodes/ContactTaskCrm/util/values';

it.each<[unknown, string]>([
	['nope', '"nope"'],
	[undefined, 'nothing'],
	[null, 'null'],
	[1.5, '1.5'],
	[NaN, 'NaN'],
	[true, 'true'],
	[['a'], '["a"]'],
	[() => 1, 'function'],
	['x'.repeat(100), `"${'x'.repeat(100)}"`],
	['x'.repeat(101), `"${'x'.repeat(100)}…"`],
	[['x'.repeat(200)], `["${'x'.repeat(98)}…`],
	[`${'x'.repeat(99)}😀`, `"${'x'.repeat(99)}…"`],
])('A message shows %p as %s', (value, shown) => {
	expect(quoted(value)).toBe(shown);
});
