/* eslint-disable @n8n/community-nodes/no-restricted-globals -- longer schedules on demand */
import type { TenantHabits } from './support/crmTenant';
import { USUAL } from './support/crmTenant';
import { findings } from './support/judge';
import type { Beginning, Schedule, Watch } from './support/schedule';
import { DAMAGES, life, schedule, steadily } from './support/schedule';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

/** Length of the large schedules in minutes, and of the quiet ones in hours. */
const MINUTES = Number(process.env.MINUTES ?? 3);
const HOURS = Number(process.env.HOURS ?? 1);

const OF_TASKS = ['move', 'complete', 'change'];
const SOME_NEW = [...Array<string>(24).fill('create'), 'move'];
const AT_FIRST = steadily(10, 20, OF_TASKS);
const downFor = (minutes: number, as: number | 'reset' | 'silence', page?: number) => ({
	outages: [{ from: 0, to: minutes * 60_000, share: 1, as, page }],
});
const listed = (order: TenantHabits['order'], others: Partial<TenantHabits> = {}) => ({
	habits: { ...USUAL, ...others, order },
});

type Named = [name: string, given: Partial<Schedule>, rounds: Parameters<typeof life>[0]];

const TASKS = { watch: 'tasks', maxRequests: 10, apart: 60 } as const;
const CREATED = { watch: 'people', events: ['personCreated'] } as const;
const JOINED = { watch: 'segment', events: ['personAddedToSegment'] } as const;

/** Watched records on a quiet day, and the changes to these and to other records. */
const QUIET: Array<[what: string, given: Partial<Schedule>, kinds: string[]]> = [
	['who joins or leaves', { watch: 'segment' }, ['join', 'leave']],
	['who joins', JOINED, ['join', 'leave', 'leave']],
	['tasks into a column', { watch: 'tasks', events: ['taskMoved'], filter: 'column' }, ['move']],
	['people with a tag', { watch: 'people', filter: 'tag' }, ['fit', 'unfit']],
];

const FILTERS: Array<[Watch, Schedule['filter'], kinds: string[]]> = [
	['tasks', 'workspace', OF_TASKS],
	['tasks', 'column', OF_TASKS],
	['tasks', 'assignee', ['create', 'change', 'fit', 'unfit']],
	['tasks', 'tag', ['create', 'change', 'fit', 'unfit']],
	['tasks', 'open', ['create', 'change', 'complete', 'reopen']],
	['people', 'owner', ['create', 'change', 'fit', 'unfit']],
	['people', 'tag', ['create', 'change', 'fit', 'unfit']],
	['people', 'segment', ['create', 'change', 'fit', 'unfit']],
	['segment', 'tag', ['join', 'leave', 'remove']],
];
const WATCHED_FIELDS: Array<[Watch, field: string]> = [
	['people', 'owner'],
	['people', 'tags'],
	['tasks', 'assignees'],
	['tasks', 'description'],
];
const BEGINNINGS: Beginning[] = [
	{ as: 'lost' },
	{ as: 'elsewhere' },
	...DAMAGES.map((_, damage) => ({ as: 'damaged' as const, damage })),
];

/** Schedules that failed in earlier versions of the trigger, and some that random schedules seldom produce. */
const NAMED: Named[] = [
	[
		'two imports of 100 tasks a minute, newest first',
		{ ...TASKS, ...listed('newestFirst'), events: ['taskCreated'], records: 300 },
		[steadily(MINUTES, 100, ['create']), steadily(MINUTES, 100, ['create'])],
	],
	[
		'moves and completions while 100 tasks a minute are imported, newest first',
		{ ...TASKS, ...listed('newestFirst'), records: 600 },
		[steadily(MINUTES, 100, SOME_NEW), steadily(10, 5, OF_TASKS)],
	],
	[
		'a bulk edit of 100 tasks a minute, last changed first',
		{ ...TASKS, ...listed('changedFirst'), records: 600 },
		[steadily(MINUTES, 100, OF_TASKS)],
	],
	[
		'a segment of 400 among others, one leaves and one joins in turn',
		{ watch: 'segment', records: 500, maxRequests: 10 },
		[steadily(30, 2, ['leave', 'join'])],
	],
	[
		'people who are stored a minute after their creation time, among others',
		{ ...CREATED, records: 20 },
		[steadily(20, 20, ['create', 'late'])],
	],
	...(['America/New_York', 'Asia/Kolkata'] as const).map(
		(timezone): Named => [
			`an hour of people in ${timezone}, whose service drops offsets, with n8n killed twice`,
			{ ...CREATED, ...listed('oldestFirst', { timezone }), records: 20 },
			[
				{
					...steadily(60, 1, ['create']),
					restarts: [20, 40].map((afterPoll) => ({ afterPoll, how: 'kill' as const })),
				},
			],
		],
	),
	[
		'an import of 200 people in one second, whose order differs from page to page',
		{ ...CREATED, ...listed('oldestFirst', { shufflesTies: true }), records: 100, apart: 60 },
		[steadily(1, 200, ['create'], true)],
	],
	...([TASKS.watch, 'people', 'segment'] as const).map(
		(watch): Named => [
			`one request a poll, and ${watch} of which the newest come first`,
			{ watch, ...listed('newestFirst'), records: 70, maxRequests: 1 },
			[steadily(20, 1, [...OF_TASKS, 'join', 'leave', 'create'].slice(watch === 'tasks' ? 0 : 2))],
		],
	),
	...(['tasks', 'people'] as const).map(
		(watch): Named => [
			`answers that are a minute and a half old now and then: ${watch}`,
			{ watch, ...listed('changedFirst', { lagMs: 90_000 }), records: 40 },
			[steadily(30, 2, watch === 'tasks' ? OF_TASKS : ['change', 'create'])],
		],
	),
	...(['tasks', 'people', 'segment'] as const).map(
		(watch): Named => [
			`answers that are written in another way each time: ${watch}`,
			{ watch, ...listed('byTitle', { rewrites: true }), records: 20 },
			[steadily(30, 1, watch === 'tasks' ? OF_TASKS : ['change', 'join', 'leave'])],
		],
	),
	...WATCHED_FIELDS.map(
		([watch, watchedField]): Named => [
			`${watch} of which ${watchedField} is watched, answered in another way each time`,
			{
				watch,
				watchedField,
				...listed('byTitle', { rewrites: true, latencyMs: 900 }),
				records: 20,
			},
			[steadily(30, 2, ['change', 'fit', 'create', 'unfit', 'fit'])],
		],
	),
	...[0, 20, 24 * 60].map(
		(beforeDue): Named => [
			`due dates that come in two days, told ${beforeDue} minutes before`,
			{ watch: 'tasks', events: ['taskDue'], beforeDue, intervalMinutes: 60, records: 20 },
			[
				steadily(48 * 60, 1 / 20, [
					'date',
					'date',
					'date',
					'complete',
					'reopen',
					'archive',
					'restore',
				]),
			],
		],
	),
	[
		'tasks that change while the list is read for the first time',
		{
			...TASKS,
			maxRequests: 1,
			records: 300,
			lives: [{ begins: { as: 'published' }, rounds: [{ ...life([]).rounds[0], ...AT_FIRST }] }],
		},
		[],
	],
	...FILTERS.map(
		([watch, filter, kinds]): Named => [
			`a service that drops all filters, and the filter of ${watch}: ${filter}`,
			{ watch, filter, ...listed('byTitle', { ignoresFilters: watch === 'people' }), records: 20 },
			[steadily(20, 2, kinds)],
		],
	),
	...BEGINNINGS.map(
		(begins): Named => [
			`a trigger that begins anew: ${JSON.stringify(begins)}`,
			{ watch: 'tasks', records: 10, lives: [life([]), life([steadily(5, 4, OF_TASKS)], begins)] },
			[],
		],
	),
	[
		'tasks that get another place in the list just after they were changed',
		{ watch: 'tasks', events: ['taskUpdated'], records: 3 },
		[steadily(20, 3, ['change', 'place', 'place'])],
	],
	...(['byTitle', 'changedFirst'] as const).map(
		(order): Named => [
			`one page of ten that fails for half an hour, ${order}`,
			{ ...TASKS, ...listed(order), events: ['taskUpdated'], records: 300 },
			[{ ...steadily(30, 3, ['change']), ...downFor(30, 500, 4) }],
		],
	),
	[
		'pages that come in any order while all of a page changes',
		{ ...TASKS, ...listed('none'), records: 100 },
		[steadily(MINUTES, 10, ['create', ...OF_TASKS])],
	],
	[
		'people in no order of time, on more pages than an hour reads',
		{
			...CREATED,
			...listed('oldestFirst', { ignoresTime: true, mostPerPage: 3 }),
			records: 210,
			maxRequests: 1,
		},
		[steadily(10, 1, ['create'])],
	],
	...([500, 429, 'reset', 'silence'] as const).map(
		(as): Named => [
			`no service for an hour while people come and go: ${as}`,
			{ watch: 'segment', records: 60 },
			[{ ...steadily(60, 1, ['join', 'leave', 'create']), ...downFor(60, as) }],
		],
	),
	...(['scheduler', 'durableCursors'] as const).map((host): Named => {
		const restarts = [2, 9, 17, 30].map((afterPoll) => ({ afterPoll, how: 'kill' as const }));
		return [
			`n8n killed again and again, its memory kept by ${host}`,
			{ watch: 'tasks', host, records: 50 },
			[{ ...steadily(40, 2, ['create', ...OF_TASKS]), restarts }],
		];
	}),
	...(['inMemory', 'durableCursors'] as const).flatMap((host) =>
		QUIET.map(
			([what, given, kinds]): Named => [
				`twenty changes an hour, and few executions without items: ${what}, ${host}`,
				{ ...listed('changedFirst'), ...given, host, records: 60 },
				[steadily((host === 'inMemory' ? 60 : 15) * HOURS, 1 / 3, kinds)],
			],
		),
	),
	[
		'where n8n saves by itself, no execution without items after one with items, or one that failed',
		{ ...JOINED, host: 'durableCursors', intervalMinutes: 5, records: 20 },
		[
			steadily(15, 1, ['create', 'create', 'leave']),
			{ ...steadily(20, 1, ['leave']), ...downFor(5, 500) },
		],
	],
];

describe('what was found once', () => {
	it.each(NAMED)(
		'The judge accepts a schedule that once found a fault: %s',
		async (_, given, rounds) => {
			const whole = schedule({ watch: 'tasks', lives: [life(rounds)], ...given });
			expect(await findings(whole)).toEqual([]);
		},
	);
});
