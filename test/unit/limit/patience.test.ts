import { patienceOf } from '../../../nodes/ContactTaskCrm/limit/patience';
import { RateLimited } from '../../../nodes/ContactTaskCrm/util/failures';

type Patience = Parameters<typeof patienceOf>[0];
type Situation = Parameters<typeof patienceOf>[1];
type Expected = { givesUpAt: number } | { reason: RateLimited['reason']; waitMs: number };

const NOW = 100_000;
const poller = { servedAt: -Infinity, polledAt: 0, apartMs: 60_000 };
const until = (ms: number, reason: 'limit' | 'throttled' | 'polls') =>
	({ kind: 'wait', until: ms, reason }) as const;
const SEND = { kind: 'send' } as const;
const RESPONSE = { kind: 'waitForResponse' } as const;

/** A job that has waited for 20 s, and may wait for 10 s. Nothing was sent for long, and a slot is free. */
const patient = { waitsSince: 80_000, slotWaitMs: 10_000, throttledWaitMs: 10_000, limit: 20 };
const calm = { decision: SEND, polls: undefined, slotFreeAt: () => NOW, throttledSince: undefined };
const silent = { isInFlight: false, answeredAt: -Infinity, lastSentAt: -Infinity };

it.each<[string, Partial<Patience>, Partial<Situation>, Expected]>([
	[
		'without a time limit never gives up for a slot',
		{ slotWaitMs: Infinity },
		{ decision: until(NOW + 90_000, 'limit'), slotFreeAt: () => NOW + 90_000 },
		{ givesUpAt: Infinity },
	],
	[
		'without a time limit for slots gives up if the service refuses everything',
		{ slotWaitMs: Infinity },
		{ decision: until(NOW + 30_000, 'throttled'), throttledSince: 90_000 },
		{ reason: 'throttled', waitMs: 30_000 },
	],
	[
		'goes on if a refusal ends in time',
		{},
		{ decision: until(NOW, 'throttled'), throttledSince: 90_000 },
		{ givesUpAt: Infinity },
	],
	[
		'counts the wait for a refusal from its own beginning, if that is later',
		{ waitsSince: 95_000 },
		{ decision: until(105_000, 'throttled'), throttledSince: 90_000 },
		{ givesUpAt: Infinity },
	],
	[
		'gives up if no slot comes free in time',
		{},
		{ slotFreeAt: () => NOW + 1 },
		{ reason: 'limit', waitMs: 1 },
	],
	['goes on if a slot is free', {}, { slotFreeAt: () => NOW }, { givesUpAt: Infinity }],
	[
		'goes on if only an answer can free a slot',
		{ waitsSince: 99_000 },
		{ slotFreeAt: () => Infinity, isInFlight: true },
		{ givesUpAt: 109_000 },
	],
	[
		'goes on if a slot comes free in time',
		{ waitsSince: 95_000 },
		{ slotFreeAt: () => 105_000 },
		{ givesUpAt: Infinity },
	],
	[
		'waits three seconds for an answer, even if it may wait for no slot',
		{ waitsSince: 98_000, slotWaitMs: 0 },
		{ isInFlight: true },
		{ givesUpAt: 101_000 },
	],
	[
		'goes on while the service answers',
		{},
		{ isInFlight: true, answeredAt: 99_000 },
		{ givesUpAt: 102_000 },
	],
	[
		'gives up if the service has not answered for three seconds',
		{},
		{ isInFlight: true, answeredAt: 97_000 },
		{ reason: 'unanswered', waitMs: 3_000 },
	],
	[
		'blames the missing answers, even after refusals',
		{},
		{ isInFlight: true, answeredAt: 97_000, throttledSince: 90_000 },
		{ reason: 'unanswered', waitMs: 3_000 },
	],
	[
		'of a poll gives up if its share comes free too late',
		{ poller },
		{ polls: until(NOW + 5_000, 'polls') },
		{ reason: 'polls', waitMs: 5_000 },
	],
	[
		'of a poll is held up only by polls',
		{ waitsSince: 95_000 },
		{ polls: until(NOW + 5_000, 'polls'), isInFlight: true },
		{ givesUpAt: 105_000 },
	],
	[
		'of a poll gives up at the end of its wait although the service answers',
		{ poller },
		{ polls: SEND, isInFlight: true, answeredAt: 99_000 },
		{ reason: 'polls', waitMs: 3_000 },
	],
	[
		'of a poll gives up at the end of its wait although a request just left',
		{ poller },
		{ polls: SEND, isInFlight: true, lastSentAt: 99_000 },
		{ reason: 'polls', waitMs: 3_000 },
	],
	[
		'of a poll gives up at the end of its wait although no answer is due',
		{ poller },
		{ polls: SEND },
		{ reason: 'polls', waitMs: 3_000 },
	],
	[
		'of a poll blames the other polls if these hold it up',
		{ poller },
		{ polls: RESPONSE, isInFlight: true },
		{ reason: 'polls', waitMs: 3_000 },
	],
	[
		'of a poll blames the service if no answer comes',
		{ poller },
		{ polls: SEND, isInFlight: true },
		{ reason: 'unanswered', waitMs: 3_000 },
	],
	[
		'of a poll blames the refusals, if there were any',
		{ poller },
		{ polls: RESPONSE, isInFlight: true, throttledSince: 90_000 },
		{ reason: 'throttled', waitMs: 3_000 },
	],
	[
		'of a poll waits for its time',
		{ poller, waitsSince: 95_000 },
		{ polls: SEND, throttledSince: 90_000 },
		{ givesUpAt: 105_000 },
	],
])('A waiting job %s', (_, patience, situation, expected) => {
	const given = { poller: undefined, ...patient, ...patience } as Patience;
	const { givesUpAt, error } = patienceOf(given, { ...calm, ...silent, ...situation }, NOW);
	if ('givesUpAt' in expected) {
		expect([givesUpAt, error]).toEqual([expected.givesUpAt, undefined]);
	} else {
		expect(error).toBeInstanceOf(RateLimited);
		expect(error).toMatchObject(expected);
	}
});
