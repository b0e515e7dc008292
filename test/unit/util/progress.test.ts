import { progressText } from '../../../nodes/ContactTaskCrm/util/dateTime';

it.each([
	[0, 300, 60_000, "0 of 300 items done; waiting for the service's rate limit"],
	[20, 300, 60_000, '20 of 300 items done; the rest takes about 14 minutes'],
	[280, 300, 840_000, '280 of 300 items done; the rest takes about 60 seconds'],
	[20, 10_000, 60_000, '20 of 10000 items done; the rest takes about 8.3 hours'],
])(
	'The progress of a run estimates the rest at the same pace: %d of %d',
	(ended, total, elapsed, text) => {
		expect(progressText(ended, total, elapsed)).toBe(text);
	},
);
