import { noIntents, planText } from '../../../nodes/ContactTaskCrm/lookups/people/plan';

describe('the plan of a run in words', () => {
	it('reckons the items that follow by those before', () => {
		const intents = { ...noIntents(), create: 12, change: 9, leave: 9 };
		// 970 × (21 writes + 1 lookup) / 30 + 21 = 732 requests at 20 a minute.
		expect(planText({ intents, following: 970, lookups: 1, writesLeft: 21, limit: 20 })).toBe(
			'Plan for 30 of 1000 items: 12 to create, 9 to change, 9 to leave as they are; 970 more follow; the rest takes about 37 minutes',
		);
	});

	it('counts only what is still to be written, once all are looked up', () => {
		const intents = { ...noIntents(), create: 400, refuse: 3 };
		expect(planText({ intents, following: 0, lookups: 30, writesLeft: 20, limit: 20 })).toBe(
			'Plan for 403 of 403 items: 400 to create, 3 to refuse; the rest takes about 60 seconds',
		);
	});
});
