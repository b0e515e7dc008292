import {
	advanceMark,
	giveUpMark,
	initMark,
	LOOK_BACK_MS,
	nextScan,
	noteNewest,
	noteUndated,
	setNextMark,
} from '../../../nodes/ContactTaskCrm/trigger/mark';
import { endRound, memberStep, noteLeavers } from '../../../nodes/ContactTaskCrm/trigger/members';
import {
	type Reading,
	recall,
	remember,
	roundsSince,
} from '../../../nodes/ContactTaskCrm/trigger/reading';
import type { Snapshot } from '../../../nodes/ContactTaskCrm/trigger/remembered';
import { PAGE_SKIPPED, startScan, startState } from '../../../nodes/ContactTaskCrm/trigger/state';

const NOW = Date.parse('2026-07-01T10:00:00Z');
const timeText = (ms: number) => new Date(ms).toISOString();
const page = (...times: Array<number | undefined>) => ({
	members: times.map((time) => (time === undefined ? {} : { createdAt: timeText(time) })),
	servedAt: NOW,
});
const stateOf = (more: object = {}) => ({
	...startState({ key: 'key', settings: 'settings' }, NOW - 60_000),
	...more,
});

describe('the high-water mark of a trigger on new people', () => {
	it.each([
		['before the newest person', [NOW - 90_000, NOW - 80_000], NOW - 80_000 - LOOK_BACK_MS],
		['before the beginning', [NOW - 1_000], NOW - 60_000 - LOOK_BACK_MS],
		['nowhere without a person', [], undefined],
	])('The first mark lies %s', (_, times, from) => {
		const state = stateOf();
		initMark(state, page(...times));
		expect([state.from, state.scan.after]).toEqual([from, from]);
	});

	it('A later page does not move the first mark', () => {
		const state = stateOf({ from: 7 });
		initMark(state, page(NOW));
		expect([state.from, state.newest]).toEqual([7, NOW]);
	});

	it.each([
		['a later person', NOW - 5_300, NOW - 9_000, NOW - 6_000],
		['no older person', NOW - 9_000, NOW - 5_000, NOW - 5_000],
		['no person of the future, but the time of the answer', NOW + 9_000, NOW - 5_000, NOW],
		['nobody without a time', undefined, NOW - 5_000, NOW - 5_000],
	])('The newest creation time is that of %s', (_, time, before, newest) => {
		const state = stateOf({ newest: before, newestSeenAt: 1 });
		noteNewest(state, page(time));
		expect([state.newest, state.newestSeenAt]).toEqual([newest, newest === before ? 1 : NOW]);
	});

	it.each([
		[
			'two minutes before a person just seen',
			{ newest: 5, newestSeenAt: NOW - LOOK_BACK_MS },
			5 - LOOK_BACK_MS,
		],
		[
			'a second after a person long seen',
			{ newest: 5, newestSeenAt: NOW - LOOK_BACK_MS - 1 },
			1_005,
		],
		['a second after a person seen at an unknown time', { newest: 5 }, 1_005],
		['nowhere without a person', {}, undefined],
	])('The next mark lies %s', (_, known, next) => {
		const state = stateOf(known);
		setNextMark(state, NOW);
		expect(state.scan.next).toBe(next);
	});

	it.each([
		[2, 7],
		[10, undefined],
		[12, 7],
		[120, 7],
		[130, undefined],
	])('Scan %d begins at the mark 7, or with the first page: %p', (number, after) => {
		expect(nextScan(stateOf({ from: 7 }), number).after).toBe(after);
	});

	it.each([
		['an undated person', [NOW, undefined], true],
		['dated people', [NOW, NOW], false],
		['no person', [], false],
	])('The trigger gives up the mark for a page with %s: %p', (_, times, isGivenUp) => {
		const state = stateOf({ from: NOW - 1 });
		expect(noteUndated(state, page(...times))).toBe(isGivenUp);
		expect(state.readsAll).toBe(isGivenUp || undefined);
	});

	it.each([
		['the mark', NOW, NOW],
		['its beginning before an older mark', NOW - 90_000, NOW - 60_000],
		['its beginning without a mark', undefined, NOW - 60_000],
	])('A trigger that gives up its mark begins at %s', (_, from, began) => {
		const state = stateOf({
			from,
			isListRead: true,
			quiet: 3,
			scan: { ...startScan(8, from), page: 4 },
		});
		giveUpMark(state);
		expect(state).toMatchObject({
			readsAll: true,
			began,
			isListRead: false,
			quiet: 0,
			scan: startScan(8),
		});
		expect(state.from).toBeUndefined();
	});
});

describe('what a trigger forgets after a scan', () => {
	const aspects = ['membership', 'createdAt', 'values'] as const;
	const watch = { aspects, watchedFields: ['tags'], filteredFields: ['tags'] };
	const reading = (
		own: object,
		known: Record<string, [line: string, snapshot: Snapshot]>,
		more = {},
	) => {
		const made = {
			watch: { ...watch, ...more },
			state: stateOf(own),
			mustOutlast: false,
		} as unknown as Reading;
		for (const [key, [letter, snapshot]] of Object.entries(known))
			remember(made, key, snapshot, letter);
		return made;
	};
	const keys = ({ state }: Reading) => [...state.records.keys()];

	it('The mark moves only forward, and the trigger forgets people before it but thirty', () => {
		const people = Object.fromEntries(
			Array.from({ length: 33 }, (_, nth) => [
				`p${nth}`,
				['2', nth === 32 ? {} : { createdAt: nth }],
			]),
		) as Record<string, [string, Snapshot]>;
		const scan = { ...startScan(2), next: 20 };
		const some = reading({ from: 30, scan, quiet: 2 }, people);
		advanceMark(some);
		expect([some.state.from, some.state.quiet]).toEqual([30, 0]);
		// The undated person counts among the newest thirty.
		expect(keys(some)).toEqual(Object.keys(people).slice(3));
		const early = reading({ from: 1, scan: startScan(2) }, people);
		advanceMark(early);
		expect([early.state.from, keys(early)]).toEqual([1, Object.keys(people).slice(1)]);
		const few = reading({ from: 10, scan, quiet: 2 }, { a: ['2', { createdAt: 1 }] });
		advanceMark(few);
		expect([few.state.from, keys(few)]).toEqual([20, ['a']]);
	});

	it.each([
		['a person outside whom two rounds did not show', 'out', '4', ['in']],
		['nobody whom the last round showed', 'out', '6', ['one', 'in']],
		['no member', 'inUnmet', '4', ['one', 'in']],
		['a deleted person', 'gone', '4', ['in']],
	] as const)('At the end of a round, the trigger forgets %s', (_, membership, letter, left) => {
		const known = { one: [letter, { membership }], in: ['4', { membership: 'in' }] } as const;
		const ended = reading({ scan: startScan(8) }, known as never);
		endRound(ended);
		expect(keys(ended)).toEqual(left);
		const skipped = reading(
			{ scan: { ...startScan(8), consistency: PAGE_SKIPPED } },
			known as never,
		);
		endRound(skipped);
		expect(keys(skipped)).toEqual(['one', 'in']);
	});

	it.each([
		['a record that five scans did not show', '2', {}, '[{"#":""}]'],
		['no record that the fourth scan before showed', '4', {}, '["/tags/a"]'],
		['no record of an unfiltered list', '2', { filteredFields: [] }, '["/tags/a"]'],
	])(
		'A trigger with a filtered, watched field forgets the value of %s',
		(_, letter, more, values) => {
			const known: Record<string, [string, Snapshot]> = {
				a: [letter, { values: '["/tags/a"]' }],
				b: [letter, {}],
			};
			const after = reading({ scan: startScan(12) }, known, more);
			noteLeavers(after);
			expect(recall(after, 'a')?.values).toBe(values);
			expect(roundsSince(after.state.records.get('a')!, after.state.scan)).toBe(
				letter === '2' ? 5 : 4,
			);
			expect(after.mustOutlast).toBe(values === '[{"#":""}]');
			after.mustOutlast = false;
			noteLeavers(after);
			expect(after.mustOutlast).toBe(false);
		},
	);

	it('A missing member that the service cannot show waits until the next round', () => {
		const segment = { path: '/segments/a', subject: { noun: 'segment', id: 'a' } };
		const isMember = () => true;
		const member: [string, Snapshot] = ['2', { membership: 'in' }];
		const round = reading(
			{ scan: startScan(8) },
			{ a: member, b: ['4', { membership: 'in' }], c: ['8', { membership: 'in' }] },
			{ anchors: [segment], isMember },
		);
		Object.assign(round, { memory: { membersUntilCheck: 0 }, spending: {} });
		const check = memberStep(round)!;
		expect([check.request, check.onFailure()]).toEqual([segment, false]);
		check.onPage({ members: [], servedAt: NOW });
		const [first, second] = [memberStep(round)!, 'b'];
		expect(first.request).toBe('a');
		expect(first.onFailure()).toBe(true);
		expect(round.state.records.get('a')).toBe('6in');
		expect(memberStep(round)?.request).toBe(second);
		round.state.records.delete(second);
		expect(memberStep(round)).toBeUndefined();
	});
});
