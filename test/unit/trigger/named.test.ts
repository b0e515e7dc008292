/* eslint-disable @n8n/community-nodes/no-restricted-globals -- longer schedules on demand */
import { sampled } from '../../support/drawn';
import type { TenantHabits } from './support/habits';
import { USUAL } from './support/habits';
import { findings } from './support/judge';
import type { Schedule, Watch } from './support/schedule';
import { life, schedule, steadily } from './support/schedule';

/** Simulates hours of many runs or triggers. */
jest.setTimeout(600_000);

/** Length of the large schedules in minutes, and of the quiet ones in hours. */
const MINUTES = Number(process.env.MINUTES ?? 2);
const HOURS = Number(process.env.HOURS ?? 1);

const OF_TASKS = ['move', 'complete', 'change'];
const SOME_NEW = [...Array<string>(24).fill('create'), 'move'];
const AT_FIRST = steadily(10, 20, OF_TASKS);
const downFor = (minutes: number, as: number | 'silence', page?: number) => ({
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
	['people who join or leave a segment', { watch: 'segment' }, ['join', 'leave']],
	['people who join a segment', JOINED, ['join', 'leave', 'leave']],
	[
		'tasks moved into a column',
		{ watch: 'tasks', events: ['taskMoved'], filter: 'column' },
		['move'],
	],
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

/** Schedules that failed in earlier versions of the trigger, and some that random schedules seldom produce. */
const NAMED: Named[] = [
	[
		'two imports of 100 tasks a minute, lists newest first',
		{ ...TASKS, ...listed('newestFirst'), events: ['taskCreated'], records: 300 },
		[steadily(MINUTES, 100, ['create']), steadily(MINUTES, 100, ['create'])],
	],
	[
		'moves and completions of tasks during an import of 100 tasks a minute, lists newest first',
		{ ...TASKS, ...listed('newestFirst'), records: 600 },
		[steadily(MINUTES, 100, SOME_NEW), steadily(10, 5, OF_TASKS)],
	],
	[
		'a bulk edit of 100 tasks a minute, lists last changed first',
		{ ...TASKS, ...listed('changedFirst'), records: 600 },
		[steadily(MINUTES, 100, OF_TASKS)],
	],
	[
		'a large segment in which one member leaves and one person joins in turn',
		{ watch: 'segment', records: 500, maxRequests: 10 },
		[steadily(30, 2, ['leave', 'join'])],
	],
	[
		'some new people are stored a minute after their creation time',
		{ ...CREATED, records: 20 },
		[steadily(20, 20, ['create', 'late'])],
	],
	...(['America/New_York', 'Asia/Kolkata'] as const).map(
		(timezone): Named => [
			`new people for an hour, a service in ${timezone} that drops offsets, n8n killed twice`,
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
		'an import of 200 people in one second, listed in another order on each page',
		{ ...CREATED, ...listed('oldestFirst', { shufflesTies: true }), records: 100, apart: 60 },
		[steadily(1, 200, ['create'], true)],
	],
	...([TASKS.watch, 'people', 'segment'] as const).map(
		(watch): Named => [
			`one request a poll for ${watch}, lists newest first`,
			{ watch, ...listed('newestFirst'), records: 70, maxRequests: 1 },
			[steadily(20, 1, [...OF_TASKS, 'join', 'leave', 'create'].slice(watch === 'tasks' ? 0 : 2))],
		],
	),
	[
		'lists of people that are sometimes 90 seconds old',
		{ watch: 'people', ...listed('changedFirst', { lagMs: 90_000 }), records: 40 },
		[steadily(30, 2, ['change', 'create'])],
	],
	...(['tasks', 'people', 'segment'] as const).map(
		(watch): Named => [
			`lists of ${watch} whose answers have another form each time`,
			{ watch, ...listed('byTitle', { rewrites: true }), records: 20 },
			[steadily(30, 1, watch === 'tasks' ? OF_TASKS : ['change', 'join', 'leave'])],
		],
	),
	...WATCHED_FIELDS.map(
		([watch, watchedField]): Named => [
			`the watched field ${watchedField} of ${watch}, with answers in another form each time`,
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
			`Task Due ${beforeDue} minutes before the date, polled hourly for two days`,
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
		'tasks that change during the first read of the list',
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
			`${watch} that begin or cease to meet the filter by ${filter}`,
			{ watch, filter, ...listed('byTitle', { ignoresFilters: watch === 'people' }), records: 20 },
			[steadily(20, 2, kinds)],
		],
	),
	...(['lost', 'elsewhere'] as const).map(
		(as): Named => [
			`a trigger that starts again after it ${as === 'lost' ? 'lost its state' : 'watched another list'}`,
			{ watch: 'tasks', records: 10, lives: [life([]), life([steadily(5, 4, OF_TASKS)], { as })] },
			[],
		],
	),
	[
		'tasks that change their place in the list just after a change of another field',
		{ watch: 'tasks', events: ['taskUpdated'], records: 3 },
		[steadily(20, 3, ['change', 'place', 'place'])],
	],
	[
		'one of ten pages of tasks fails for half an hour, lists last changed first',
		{ ...TASKS, ...listed('changedFirst'), events: ['taskUpdated'], records: 300 },
		[{ ...steadily(30, 3, ['change']), ...downFor(30, 500, 4) }],
	],
	[
		'tasks change while lists have no fixed order',
		{ ...TASKS, ...listed('none'), records: 100 },
		[steadily(MINUTES, 10, ['create', ...OF_TASKS])],
	],
	[
		'new people, if the service ignores the order by time, on more pages than the trigger reads in an hour',
		{
			...CREATED,
			...listed('oldestFirst', { ignoresTime: true, mostPerPage: 3 }),
			records: 210,
			maxRequests: 1,
		},
		[steadily(10, 1, ['create'])],
	],
	...([500, 'silence'] as const).map(
		(as): Named => [
			`the service fails for an hour while members join and leave: ${as}`,
			{ watch: 'segment', records: 60 },
			[{ ...steadily(60, 1, ['join', 'leave', 'create']), ...downFor(60, as) }],
		],
	),
	...(['scheduler', 'durableCursors'] as const).map((host): Named => {
		const restarts = [2, 9, 17, 30].map((afterPoll) => ({ afterPoll, how: 'kill' as const }));
		return [
			`n8n is killed four times, and saves state by ${host}`,
			{ watch: 'tasks', host, records: 50 },
			[{ ...steadily(40, 2, ['create', ...OF_TASKS]), restarts }],
		];
	}),
	...(['inMemory', 'durableCursors'] as const).flatMap((host) =>
		QUIET.map(
			([what, given, kinds]): Named => [
				`twenty changes an hour cause few executions without items: ${what}, n8n saves by ${host}`,
				{ ...listed('changedFirst'), ...given, host, records: 60 },
				[steadily((host === 'inMemory' ? 60 : 15) * HOURS, 1 / 3, kinds)],
			],
		),
	),
	[
		'no empty execution follows an execution with items or a failure, if n8n saves by itself',
		{ ...JOINED, host: 'durableCursors', intervalMinutes: 5, records: 20 },
		[
			steadily(15, 1, ['create', 'create', 'leave']),
			{ ...steadily(20, 1, ['leave']), ...downFor(5, 500) },
		],
	],
];

describe('named schedules', () => {
	it.each(sampled(NAMED, 24))(
		'In the schedule "%s", a trigger reports each event once and in time',
		async (_, given, rounds) => {
			const whole = schedule({ watch: 'tasks', lives: [life(rounds)], ...given });
			expect(await findings(whole)).toEqual([]);
		},
	);
});
