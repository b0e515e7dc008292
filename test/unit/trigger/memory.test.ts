import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import {
	isErrorDue,
	keepState,
	memoryOf,
	noteSaved,
	resumeState,
	type StaticData,
	starvationError,
	type TriggerMemory,
} from '../../../nodes/ContactTaskCrm/trigger/memory';
import { limitsOf } from '../../../nodes/ContactTaskCrm/trigger/pollLimits';
import { AnchorDeleted } from '../../../nodes/ContactTaskCrm/trigger/requests';
import { startState, toSaved } from '../../../nodes/ContactTaskCrm/trigger/state';

const MINUTE = 60_000;
const [HOUR, DAY] = [60 * MINUTE, 24 * 60 * MINUTE];
const keys = { key: 'key', settings: 'settings' };
const logger = { warn: jest.fn() };
let triggers = 0;
const newMemory = () => memoryOf(`trigger ${triggers++}`, 0);
const stateOf = (polledAt?: number) => ({
	...startState(keys, 1),
	...(polledAt !== undefined && { polledAt }),
});
const savedOf = (polledAt?: number) => toSaved(stateOf(polledAt)) as unknown as IDataObject;

describe('an error that a poll has to throw', () => {
	const isDue = (memory: TriggerMemory, polledAt: number, error: unknown) => {
		memory.polledAt = polledAt;
		return isErrorDue(memory, error);
	};

	it.each<[string, unknown, unknown, number]>([
		['an error', new Error('No'), new Error('No'), HOUR],
		['a thrown text', 'No', 'No', HOUR],
		['an error with another number', new Error('In 5 s'), new Error('In 17 s'), HOUR],
		['a deleted record', new AnchorDeleted('No', ''), new AnchorDeleted('No', ''), DAY],
	])('A trigger throws %s again only after the time for it', (_, error, same, apartMs) => {
		const memory = newMemory();
		expect(isDue(memory, 0, error)).toBe(true);
		expect(isDue(memory, apartMs - 1, same)).toBe(false);
		expect(isDue(memory, apartMs - 1, new Error('Other'))).toBe(true);
		expect(isDue(memory, apartMs, same)).toBe(true);
	});

	it('A trigger forgets an error that it last threw a day ago', () => {
		const memory = newMemory();
		isDue(memory, 0, 'old');
		isDue(memory, 1, 'older than an hour');
		isDue(memory, DAY, 'new');
		expect([...memory.thrownAt.keys()]).toEqual(['older than an hour', 'new']);
	});

	it('After an hour without an answer, a trigger names the time and the limit', () => {
		const memory = newMemory();
		const starved = (polledAt: number, hasResult: boolean) => {
			memory.polledAt = polledAt;
			return starvationError(memory, hasResult, 20)?.message;
		};
		expect(starved(0, false)).toBeUndefined();
		expect(starved(HOUR - 1, false)).toBeUndefined();
		expect(starved(90 * MINUTE, false)).toMatch(
			/^The trigger has read nothing for 90 minutes: .* the rate limit of 20 a minute$/,
		);
		expect(starved(91 * MINUTE, true)).toBeUndefined();
		expect(starved(92 * MINUTE, false)).toBeUndefined();
	});
});

describe('the state that a poll continues from', () => {
	const resumed = (latest: number | undefined, saved: StaticData) => {
		const memory = newMemory();
		memory.state = stateOf(latest);
		return { memory, state: resumeState(memory, keys, saved, logger) };
	};

	it.each<[number | undefined, number | undefined, 'latest' | 'saved']>([
		[5, 4, 'latest'],
		[5, 5, 'latest'],
		[5, 6, 'saved'],
		[5, undefined, 'latest'],
		[undefined, undefined, 'latest'],
		[undefined, 6, 'saved'],
	])('Of a state polled at %p and one saved at %p, the %s counts', (latest, saved, which) => {
		const { memory, state } = resumed(latest, { state: savedOf(saved) });
		expect(state?.polledAt).toBe(which === 'latest' ? latest : saved);
		expect(memory.unsavedSince).toBe(which === 'latest' ? 0 : undefined);
	});

	it('Without a saved state, or with one of other settings, a trigger begins anew', () => {
		expect(resumed(5, {}).state).toBeUndefined();
		const other = toSaved(startState({ key: 'a', settings: 'b' }, 1)) as unknown as IDataObject;
		expect(resumed(undefined, { state: { ...other, polledAt: 9 } }).state).toBeUndefined();
	});
});

it('An unsaved state gets an execution after ten minutes, once a day', () => {
	const memory = newMemory();
	const keeps = (polledAt: number, mustOutlast: boolean) => {
		memory.polledAt = polledAt;
		return keepState(memory, {}, stateOf(polledAt), mustOutlast);
	};
	expect(keeps(0, true)).toBe(false);
	expect(keeps(10 * MINUTE, false)).toBe(false);
	expect(keeps(11 * MINUTE, true)).toBe(false);
	expect(keeps(21 * MINUTE - 1, false)).toBe(false);
	expect(keeps(21 * MINUTE, false)).toBe(true);
	noteSaved(memory);
	memory.savedEmptyAt = 21 * MINUTE;
	expect(keeps(22 * MINUTE, true)).toBe(false);
	expect(keeps(60 * MINUTE, true)).toBe(false);
	expect(keeps(DAY + 21 * MINUTE, true)).toBe(true);
});

describe('the limits of a poll', () => {
	const limits = (more: object, options = {}, apartMs = MINUTE) => {
		const context = { getNodeParameter: () => options, getMode: () => 'trigger', ...more };
		return limitsOf(context as unknown as IPollFunctions, {
			...{ now: 1_000, apartMs, pace: 1, share: 5 },
		});
	};

	it.each<[string, object, number]>([
		['an n8n that tells the time for a poll', { getPollBudgetMs: () => 60_000 }, 59_000],
		['an n8n that allows only a second', { getPollBudgetMs: () => 1_000 }, 3_000],
		['an n8n that has no such time', { getPollBudgetMs: () => undefined }, 299_000],
		['an older n8n', {}, 299_000],
	])('A poll leaves two seconds of its time to %s', (_, more, endsAt) => {
		expect(limits(more).endsAt).toBe(endsAt);
	});

	it.each([
		[{ maxRequestsPerPoll: 7 }, MINUTE, 7, 7, 7],
		[{ maxRequestsPerPoll: 7.9 }, MINUTE, 7, 7, 7],
		[{}, MINUTE, 2, 2, 5],
		[{}, 10 * MINUTE, 20, 20, 50],
		[{}, 0, 2, 2, 5],
	])(
		'The options %j and %d ms between polls set three limits: %d, %d, %d',
		(options, apartMs, requests, atPace, whenBehind) => {
			const { requestsAtPace, requestsWhenBehind, ...others } = limits({}, options, apartMs);
			expect([others.requests, requestsAtPace, requestsWhenBehind]).toEqual([
				...[requests, atPace, whenBehind],
			]);
		},
	);
});
