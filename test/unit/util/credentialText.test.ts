/* eslint-disable @n8n/community-nodes/no-restricted-globals -- measures processor time */
import { checkedBaseUrl, liesAt } from '../../../nodes/ContactTaskCrm/http/credential';
import { NameTable } from '../../../nodes/ContactTaskCrm/http/names';
import { sampled } from '../../support/drawn';

const SHORT = 30_000;
const TIMES = 8;
/** Maximum growth of the processor time if the text grows eightfold. Quadratic code takes 64 times as long. */
const MOST = 3 * TIMES;
/** Tolerance of a measurement, such as for a garbage collection. Quadratic code takes many seconds. */
const NOISE_MS = 300;

/** Returns the least processor time of three runs. Other programs of a busy machine do not lengthen it. */
function leastMs(work: () => unknown): number {
	const runs = Array.from({ length: 3 }, () => {
		const before = process.cpuUsage();
		work();
		return process.cpuUsage(before).user / 1000;
	});
	return Math.min(...runs);
}

const url = (length: number) => `https://crm.example.com/${'/'.repeat(length)}x`;
const filled = (length: number, text: string) => text.repeat(Math.ceil(length / text.length));

describe('the text of a credential takes time in proportion to its length', () => {
	it.each<[string, (length: number) => unknown]>(
		sampled(
			[
				...[' = ', '\t=\t', 'a = ', '=', ' ', '/a', '(/', '\u2028', '\r', 'http://', '\u200b '].map(
					(text): [string, (length: number) => unknown] => [
						`names with ${JSON.stringify(text)} again and again`,
						(length) => new NameTable(`a${filled(length, text)}\u2028y = z`),
					],
				),
				['a base URL with many slashes', (length) => checkedBaseUrl(url(length))],
				[
					'an address compared with a base URL of many slashes',
					(length) => liesAt(url(length), url(length)),
				],
			],
			4,
		),
	)('Reading the text of a credential takes time in proportion to its length: %s', (_, read) => {
		read(SHORT);
		const short = leastMs(() => read(SHORT));
		const long = leastMs(() => read(SHORT * TIMES));
		expect(long).toBeLessThan(MOST * short + NOISE_MS);
	});
});

it.each(['\n', '\r\n', '\r', '\u2028', '\u2029'])(
	'The node reads names in a credential from lines that end with %j',
	(end) => {
		const table = new NameTable(['/users/1 = Eva', '', 'x', '/users/2 = Jan'].join(end));
		expect(table.lines.map(({ name, line }) => [name, line])).toEqual([
			['Eva', 1],
			['Jan', 4],
		]);
		expect(table.problems).toEqual([expect.stringMatching(/^line 3: /)]);
	},
);

it('The node ignores slashes at the end of a base URL', () => {
	expect(checkedBaseUrl('https://crm.example.com/api//')).toBe('https://crm.example.com/api');
	expect(liesAt('https://crm.example.com/api//', 'https://crm.example.com/api/people')).toBe(true);
});
