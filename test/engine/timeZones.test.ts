import type { IDataObject } from 'n8n-workflow';
import { addPerson } from '../service/resources/people';
import { changeSwitches } from '../service/switches';
import { formatTimestamp } from '../service/timestamps';
import { itInCi, sampled } from '../support/drawn';
import { locator } from './support/fields';
import { LoadedNodeTypes } from './support/nodeTypes';
import { Polls } from './support/runPoll';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TASKS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * A service may run in its own zone, and drop the offset of every time that it reads. Each test begins in a process
 * without knowledge of the service.
 */
const MINUTE_MS = 60_000;
const WINTER = '2027-01-15T09:00:00Z';
const SUMMER = '2027-07-15T09:00:00Z';

const scene = useScene();
const store = () => scene.service.store;
const instant = (time: unknown) => new Date(String(time)).toISOString().replace('.000Z', 'Z');
const onlyTask = () => [...store().tasks.values()].at(-1)!;

const SETTINGS = [
	...['Europe/Amsterdam', 'America/New_York', 'Asia/Kolkata', 'UTC'].flatMap((timezone) =>
		(['dropped', 'heeded'] as const).map((offsets) => ({ timezone, offsets })),
	),
];

describe.each(sampled(SETTINGS, 6))(
	'a service in $timezone, where offsets are $offsets',
	(setting) => {
		beforeEach(() => {
			changeSwitches(scene.service.switches, setting);
		});
		/** The workflow runs in the zone of the service. */
		const own = { timezone: setting.timezone };

		it.each([
			['in winter', WINTER],
			['in summer', SUMMER],
		])('In any service zone, Create keeps the instant of a due date %s', async (_, dueDate) => {
			const task = { title: 'Call', status: COLUMNS[0], dueDate };
			const { title, status, ...more } = task;
			const byFields = {
				...{ title, status: locator(status) },
				additionalFields: { dueDate: '={{ $json.dueDate }}' },
			};
			const columns = { inputMode: 'columns', columns: { mappingMode: 'autoMapInputData' } };
			const json = { inputMode: 'json', jsonBody: JSON.stringify(task) };
			for (const parameters of [byFields, columns, json]) {
				const { items, error } = await scene.task('create', parameters, { ...own, input: [task] });
				expect(error?.message).toBeUndefined();
				expect(instant(onlyTask().dueDate)).toBe(more.dueDate);
				expect(items[0].json.note).toBeUndefined();
				expect(items[0].json).toMatchObject({ changes: { dueDate: { to: dueDate } } });
			}
			expect(scene.requests().filter(({ method }) => method === 'GET')).toHaveLength(1);
		});

		it('In any service zone, a second Create or Update with a time reports "unchanged"', async () => {
			const given = {
				...{ email: 'new@crm.example', familyName: 'Bos' },
				additionalFields: { archivedAt: SUMMER },
			};
			const results: unknown[] = [];
			for (let run = 0; run < 2; run++) {
				const { items } = await scene.person('upsert', given, own);
				expect(instant(items[0].json.archivedAt)).toBe(SUMMER);
				results.push(items[0].json.result);
			}
			expect(results).toEqual(['created', 'unchanged']);
			expect(scene.writes()).toHaveLength(1);
		});

		it('In any service zone, filters by creation time give exactly the matching people', async () => {
			const [after, before] = [PEOPLE[10], PEOPLE[50]].map(({ createdAt }) => instant(createdAt));
			const filters = { createdAtAfter: after, createdAtStrictlyBefore: before };
			const { items, error } = await scene.person('getAll', { returnAll: true, filters }, own);
			expect(error?.message).toBeUndefined();
			const expected = PEOPLE.filter(({ createdAt }) => {
				const at = instant(createdAt);
				return at >= after && at < before;
			});
			expect(items.map(({ json }) => json.id)).toEqual(expected.map(({ id }) => id));
			expect(expected.length).toBeGreaterThan(30);
		});
	},
);

describe('a service in Europe/Amsterdam that drops offsets', () => {
	beforeEach(() => {
		changeSwitches(scene.service.switches, { timezone: 'Europe/Amsterdam', offsets: 'dropped' });
	});
	const create = async (dueDate: string, timezone: string) => {
		const parameters = {
			...{ title: 'Call', status: locator(COLUMNS[0]) },
			additionalFields: { dueDate },
		};
		const { items } = await scene.task('create', parameters, { timezone });
		return items[0].json;
	};
	/** Sets the times of all tasks to the given ones, in turn. */
	const showOnly = (...shown: string[]) => {
		for (const [index, { id }] of TASKS.entries()) {
			const createdAt = shown[index % shown.length];
			const times = { createdAt, updatedAt: createdAt, dueDate: null };
			scene.change('tasks', id, { ...times, completedAt: null, archivedAt: null });
		}
	};

	it('Create writes the right instant although workflow and service have different zones', async () => {
		for (const time of [WINTER, SUMMER]) {
			const { note } = await create(time, 'America/New_York');
			expect([instant(onlyTask().dueDate), note]).toEqual([time, undefined]);
		}
	});

	it("From times of April and November, Create derives the service's offset of 1 March", async () => {
		showOnly('2026-04-10T10:00:00+00:00', '2026-11-10T10:00:00+00:00');
		const dueDate = '2027-03-01T09:00:00Z';
		const { note } = await create(dueDate, 'America/New_York');
		expect([instant(onlyTask().dueDate), note]).toEqual([dueDate, undefined]);
	});

	it('After a wrongly stored time, Create adds a note and learns the right offset', async () => {
		// Most zones with +01:00 in January have summer time, but Lagos has none.
		changeSwitches(scene.service.switches, { timezone: 'Africa/Lagos' });
		showOnly('2026-01-10T10:00:00+00:00');
		const summer = await create(SUMMER, 'America/New_York');
		expect(summer.note).toBe(
			'The service shows other values than were sent: Due Date ("2027-07-15T11:00:00+01:00" instead of "2027-07-15T09:00:00Z")',
		);
		expect(await create(SUMMER, 'America/New_York')).not.toHaveProperty('note');
	});

	it("If the service has shown only winter times, Create takes the workflow's summer offset", async () => {
		showOnly('2026-01-10T10:00:00+00:00');
		expect((await create(SUMMER, 'Europe/Amsterdam')).note).toBeUndefined();
		expect(instant(onlyTask().dueDate)).toBe(SUMMER);
	});

	it('A preview shows the change of a time exactly as the run reports it', async () => {
		const personId = locator(PEOPLE[0].id);
		const parameters = { personId, updateFields: { archivedAt: SUMMER } };
		const options = { previewOnly: true, tellChanges: true };
		const previewed = await scene.person('update', { ...parameters, options });
		expect(scene.writes()).toEqual([]);
		const { items } = await scene.person('update', {
			...parameters,
			options: { tellChanges: true },
		});
		expect(items[0].json.archivedAt).toBe('2027-07-15T11:00:00+02:00');
		expect(previewed.items[0].json).toMatchObject({ changes: items[0].json.changes });
	});

	it("If the service drops offsets, an embedded person's time keeps the given instant", async () => {
		const people = [{ familyName: 'Nieuw', archivedAt: SUMMER }];
		const task = { title: 'Call', status: COLUMNS[0], people };
		const parameters = { inputMode: 'json', jsonBody: JSON.stringify(task) };
		const { error } = await scene.task('create', parameters);
		expect(error?.message).toBeUndefined();
		expect(instant([...store().people.values()].at(-1)!.archivedAt)).toBe(SUMMER);
	});

	it('Create of a person without a time sends no read for the time zone', async () => {
		await scene.person('create', { familyName: 'Bos' });
		expect(scene.request().method).toBe('POST');
	});

	it('API Request sends a time exactly as the user wrote it', async () => {
		const body = { familyName: 'Bos', archivedAt: SUMMER };
		const parameters = { method: 'POST', path: '/people', jsonBody: JSON.stringify(body) };
		const { error } = await scene.apiRequest('send', parameters);
		expect(error?.message).toBeUndefined();
		expect(scene.request().body).toEqual(body);
	});

	it('If the key may read no list for the time zone, Create still writes', async () => {
		scene.faults({ kind: 'status', status: 403, match: { method: 'GET' } });
		for (let count = 0; count < 2; count++) {
			const body = { title: 'Call', status: COLUMNS[0], snoozeUntil: WINTER };
			const parameters = { inputMode: 'json', jsonBody: JSON.stringify(body) };
			const { items } = await scene.task('create', parameters);
			expect(items[0].json.id).toBeDefined();
		}
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
	});
});

itInCi(
	'Person Created reports every person across restarts of n8n, with a service in America/New_York',
	async () => {
		changeSwitches(scene.service.switches, { timezone: 'America/New_York', offsets: 'dropped' });
		const parameters = { watch: 'people', events: ['personCreated'] };
		const open = async (staticData?: IDataObject) =>
			await Polls.open(
				{ url: scene.service.url, apiKey: scene.apiKey },
				{ parameters, staticData, types: await LoadedNodeTypes.loadInOtherProcess() },
			);
		let polls = await open();
		await lapse(polls.poll());
		const created: string[] = [];
		const told: unknown[] = [];
		for (let minute = 1; minute <= 60; minute++) {
			jest.advanceTimersByTime(MINUTE_MS);
			const now = formatTimestamp(Date.now());
			created.push(addPerson(store(), { familyName: `Bos ${minute}` }, now).id);
			told.push(...((await lapse(polls.poll())) ?? []).map((item) => item.id));
			if (minute % 20 === 0) polls = await open(polls.staticData);
		}
		expect(told.sort()).toEqual(created.sort());
	},
);
