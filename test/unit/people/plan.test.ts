import { noActions, planText } from '../../../nodes/ContactTaskCrm/people/plan';
import { progressText } from '../../../nodes/ContactTaskCrm/util/durations';

it('the plan of a run reckons the items that follow by those before', () => {
	const actions = { ...noActions(), create: 12, change: 9, leave: 9 };
	// 970 × (21 writes + 1 lookup) / 30 + 21 = 732 requests at 20 a minute.
	expect(planText({ actions, following: 970, lookups: 1, writesLeft: 21, limit: 20 })).toBe(
		'Plan for 30 of 1000 items: 12 to create, 9 to change, 9 to leave as they are; 970 more follow; the rest takes about 37 minutes',
	);
});

it.each([
	[0, 300, 60_000, "0 of 300 items done; waiting for the service's rate limit"],
	[20, 300, 60_000, '20 of 300 items done; the rest takes about 14 minutes'],
	[280, 300, 840_000, '280 of 300 items done; the rest takes about 60 seconds'],
	[20, 10_000, 60_000, '20 of 10000 items done; the rest takes about 8.3 hours'],
])(
	'the progress of a run says the rest at the same pace: %d of %d',
	(ended, total, elapsed, text) => {
		expect(progressText(ended, total, elapsed)).toBe(text);
	},
);
