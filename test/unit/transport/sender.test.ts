import type { Sender } from '../../../nodes/ContactTaskCrm/transport/sender';
import { hasTimeFor, timeoutOf } from '../../../nodes/ContactTaskCrm/transport/sender';

const sender = (parts: Partial<Sender>): Sender => ({
	queueKey: {},
	item: 0,
	urgent: false,
	waitLimits: { slotMs: Infinity, throttledMs: Infinity },
	connection: {},
	...parts,
});

describe('how long a request may take', () => {
	it.each([
		['a minute, where nothing else is said', {}, 60_000],
		['what the user said', { connection: { timeout: 5_000 } }, 5_000],
		['what its sender has left', { endsAt: 107_000 }, 7_000],
		[
			'no longer than the user said, whatever its sender has left',
			{
				connection: { timeout: 5_000 },
				endsAt: 107_000,
			},
			5_000,
		],
		['a second at least, near the end of its sender', { endsAt: 100_010 }, 1_000],
		['a second at least, behind the end of its sender', { endsAt: 50_000 }, 1_000],
	])('is %s', (_, parts, ms) => {
		expect(timeoutOf(sender(parts), 100_000)).toBe(ms);
	});
});

describe('another try', () => {
	it('is made up to the end of its sender, and not behind it', () => {
		expect(hasTimeFor(sender({ endsAt: 100 }), 100)).toBe(true);
		expect(hasTimeFor(sender({ endsAt: 100 }), 101)).toBe(false);
		expect(hasTimeFor(sender({}), 1e12)).toBe(true);
	});
});
