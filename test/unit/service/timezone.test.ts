import { startService, type Service, type SwitchChanges } from '../../service';
import { connect } from '../../service/client';
import { blankPerson } from '../../service/resources/people';
import { changeSwitches } from '../../service/switches';

const NOW = Date.parse('2026-01-15T23:30:00.750Z');
const NEW_YORK: SwitchChanges = { timezone: 'America/New_York' };
const AMSTERDAM: SwitchChanges = { timezone: 'Europe/Amsterdam' };
const HEEDED: SwitchChanges = { ...AMSTERDAM, offsets: 'heeded' };
const CREATED = '2026-11-22T11:09:47+00:00';

let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	const switches = { rateLimit: { mode: 'off' } } as const;
	service = await startService({ switches, clock: () => NOW, seed: { people: 0, tasks: 1 } });
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => {
	service.reset();
	service.store.people.set('a', blankPerson('a', CREATED));
});

const set = (changes: SwitchChanges) => changeSwitches(service.switches, changes);
const task = () => [...service.store.tasks.values()][0];
const patch = async (path: string, body: object) => (await send('PATCH', path, { body })).body;
const found = async (query: string) => (await send('GET', `/people?${query}`)).body.totalItems;

/*
 * The New York forms are recorded, and so is the Amsterdam form with a time in its own offset. No recording shows a
 * service that respects an offset, because SQLite has no type for it.
 */
it.each([
	['2026-03-01T10:00:00+02:00', '2026-03-01T10:00:00+00:00', {}],
	['2026-03-01T10:00:59.999Z', '2026-03-01T10:00:59+00:00', {}],
	['2026-03-01T10:00:00.789+02:00', '2026-03-01T10:00:00-05:00', NEW_YORK],
	['2026-12-24T10:00:00+01:00', '2026-12-24T10:00:00-05:00', NEW_YORK],
	['2026-01-05T09:00:00Z', '2026-01-05T09:00:00+01:00', AMSTERDAM],
	['2026-07-05T09:00:00Z', '2026-07-05T09:00:00+02:00', AMSTERDAM],
	['2026-07-05', '2026-07-05T00:00:00+02:00', AMSTERDAM],
	['2026-12-24T10:00:00+01:00', '2026-12-24T10:00:00+01:00', HEEDED],
	['2026-01-05T09:00:00Z', '2026-01-05T10:00:00+01:00', HEEDED],
	['2026-07-05T09:00:00.999Z', '2026-07-05T11:00:00+02:00', HEEDED],
	['2026-07-05T09:00', '2026-07-05T09:00:00+02:00', HEEDED],
	['2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00', AMSTERDAM],
	['2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00', AMSTERDAM],
] as Array<[string, string, SwitchChanges]>)(
	'The stand-in service shows a written time %s as %s in all answers, with the switches %j',
	async (sent, seen, switches) => {
		set(switches);
		const { id } = task();
		const answers = [
			await patch('/people/a', { archivedAt: sent }),
			(await send('GET', '/people/a')).body,
			(await send('GET', '/people')).body.member[0],
			await patch(`/tasks/${id}`, { archivedAt: sent }),
		];
		expect(answers.map(({ archivedAt }) => archivedAt)).toEqual(Array(4).fill(seen));
		const stored = new Date(seen).toISOString().replace('.000Z', '+00:00');
		expect([service.store.people.get('a')?.archivedAt, task().archivedAt]).toEqual([
			stored,
			stored,
		]);
	},
);

it('The stand-in shows times of tasks, comments, history and workspaces in its zone, and other text unchanged', async () => {
	set(AMSTERDAM);
	const [{ id }, now] = [task(), '2026-01-16T00:30:00+01:00'];
	const [due, recurs] = ['2026-07-05T00:00:00+02:00', '2026-01-05T00:00:00+01:00'];
	const recurringSettings = { recurUntil: '2026-01-05' };
	const changed = await patch(`/tasks/${id}`, { dueDate: '2026-07-05', recurringSettings });
	expect(changed).toMatchObject({ updatedAt: now, recurringSettings: { recurUntil: recurs } });
	expect(await patch(`/tasks/${id}`, { plannedWeek: '2026-W05', title: CREATED })).toMatchObject({
		...{ plannedWeek: '2026-W05', title: CREATED, dueDate: due },
	});
	const [entry] = (await send('GET', `/tasks/${id}/history`)).body.member.slice(-2);
	const change = { field: 'dueDate', newValue: due };
	expect(entry).toMatchObject({
		createdAt: now,
		changes: expect.arrayContaining([expect.objectContaining(change)]) as unknown,
	});
	const body = { description: CREATED, createdAt: '2026-07-05T09:00:00Z' };
	expect((await send('POST', `/tasks/${id}/comments`, { body })).body).toMatchObject({
		...{ description: CREATED, createdAt: '2026-07-05T09:00:00+02:00' },
	});
	const { member } = (await send('GET', '/workspaces')).body;
	for (const { createdAt } of member) expect(createdAt).toMatch(/\+0[12]:00$/);
});

/** The first four are recorded. The person is created at 06:09:47 in New York; that is 12:09:47 in Amsterdam. */
it.each([
	['after', '2026-11-22T06:09:47-05:00', 1, NEW_YORK],
	['after', '2026-11-22T11:09:47Z', 0, NEW_YORK],
	['after', '2026-11-22T12:09:47+01:00', 1, HEEDED],
	['after', '2026-11-22T11:09:47Z', 1, HEEDED],
	['strictly_after', '2026-11-22T11:09:47Z', 0, HEEDED],
	['strictly_after', '2026-11-22T11:09:47Z', 1, AMSTERDAM],
	['before', '2026-11-22T12:09:47', 1, HEEDED],
	['strictly_before', '2026-11-22T12:09:47', 0, HEEDED],
	['after', '2026-11-22T12:09:47+02:00', 0, {}],
	['after', '2026-11-22T12:09:47+02:00', 1, { offsets: 'heeded' }],
] as Array<[string, string, number, SwitchChanges]>)(
	'In the stand-in service, the filter createdAt[%s]=%s finds %i people with the switches %j',
	async (name, value, count, switches) => {
		set(switches);
		expect(await found(`createdAt[${name}]=${encodeURIComponent(value)}`)).toBe(count);
	},
);

it.each([
	[{}, '2026-01-16T00:00:00+00:00'],
	[AMSTERDAM, '2026-01-16T23:00:00+00:00'],
])(
	'The stand-in service reads "tomorrow" in a filter as midnight in its zone, with the switches %j',
	async (switches, midnight) => {
		set(switches);
		service.store.people.set('a', blankPerson('a', midnight));
		expect(await found('createdAt[after]=tomorrow')).toBe(1);
		expect(await found('createdAt[strictly_after]=tomorrow')).toBe(0);
	},
);

it('The stand-in service sorts people by instant, also in the hour when clocks go back', async () => {
	set(AMSTERDAM);
	const [first, second] = ['2026-10-25T00:45:00+00:00', '2026-10-25T01:15:00+00:00'];
	service.store.people.set('a', blankPerson('a', second));
	service.store.people.set('b', blankPerson('b', first));
	const { member } = (await send('GET', '/people?order[createdAt]=asc')).body;
	expect(member.map(({ createdAt }) => createdAt)).toEqual([
		'2026-10-25T02:45:00+02:00',
		'2026-10-25T02:15:00+01:00',
	]);
});

it('The stand-in service refuses to start with an unknown time zone', async () => {
	const switches = { timezone: 'Europe/Nowhere' };
	await expect(startService({ switches })).rejects.toThrow('Switches/timezone');
});
