import { quoted } from '../../../nodes/ContactTaskCrm/values/text';

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
])('An error message quotes the value %p as %s, cut after 100 characters', (value, shown) => {
	expect(quoted(value)).toBe(shown);
});
