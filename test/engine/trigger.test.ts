import type { IDataObject, INodePropertyOptions, NodeApiError } from 'n8n-workflow';
import { connect } from '../service/client';
import { itInCi, sampled } from '../support/drawn';
import { locator as fieldLocator } from './support/fields';
import { LoadedNodeTypes, PACKAGE } from './support/nodeTypes';
import type { PollSetup } from './support/runPoll';
import { Polls } from './support/runPoll';
import type { Fault } from '../service';
import { answer, refusal } from './support/faults';
import { excuse } from './support/recordExchanges';
import { useScene } from './support/scene';
import {
	COLUMNS,
	DISCUSSED,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	USERS,
	WORKSPACES,
} from './support/seeded';
import { lapse } from './support/timeLapse';

const MINUTE_MS = 60_000;
const locator = (...given: Parameters<typeof fieldLocator>) => fieldLocator(...given) as never;

/** Each poll has its own budget, so no poll waits for another. */
const scene = useScene();

const open = async (parameters: PollSetup['parameters'], setup: Partial<PollSetup> = {}) =>
	await Polls.open({ url: scene.service.url, apiKey: scene.apiKey }, { parameters, ...setup });

/** Polls once, two minutes after the step before. */
async function poll(polls: Polls) {
	jest.advanceTimersByTime(2 * MINUTE_MS);
	return await lapse(polls.poll());
}

/** Changes something through the interface, as another program would. */
async function write(method: string, path: string, body: IDataObject): Promise<IDataObject> {
	const seen = scene.service.requests.length;
	const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/ld+json';
	const response = await connect(scene.service)(method, path, { body, type });
	scene.service.requests.length = seen;
	expect(response.status).toBeLessThan(300);
	return response.body as IDataObject;
}

/** The requests of one poll, as paths and queries. */
async function requestsOf(polls: Polls) {
	scene.clear();
	const items = await poll(polls);
	return { items, requests: scene.requests().map(({ path, rawUrl }) => rawUrl.slice(path.length)) };
}

const failureOf = async (polls: Polls) =>
	await poll(polls).then(
		() => undefined,
		(error: NodeApiError) => error,
	);

/** Option that lets one poll read a whole seeded list. */
const AT_ONCE = { maxRequestsPerPoll: 10 };

const titleOf = (iri: string) =>
	WORKSPACES.flatMap(({ columns }) => columns).find(({ id }) => iri.endsWith(`/${id}`))?.title;

interface Case {
	watch: string;
	/** Parameters for this event only. */
	more?: PollSetup['parameters'];
	act: () => Promise<unknown>;
	item: IDataObject;
}

const person = PEOPLE[3];
const task = TASKS[4];
const unfinished = TASKS.find(({ completedAt }) => !completedAt)!;
const elsewhere = COLUMNS.find((column) => column !== task.status)!;
const insider = PEOPLE.find(({ segments }) => segments.includes(`/segments/${SEGMENTS[0]}`))!;
const outsider = PEOPLE.find(({ segments }) => !segments.includes(`/segments/${SEGMENTS[0]}`))!;
const ofSegment = { segmentId: locator(SEGMENTS[0]) };
const ofTask = { taskId: locator(DISCUSSED.id) };
const CHANGED = { previousUpdatedAt: expect.stringMatching(/Z$/) as string };

const cases: Record<string, Case> = {
	personCreated: {
		watch: 'people',
		act: async () => await write('POST', '/people', { familyName: 'Visser', givenName: 'Noor' }),
		item: { name: 'Noor Visser' },
	},
	personUpdated: {
		watch: 'people',
		act: async () => await write('PATCH', `/people/${person.id}`, { givenName: 'Chief' }),
		item: { id: person.id, givenName: 'Chief', ...CHANGED },
	},
	personAddedToSegment: {
		...{ watch: 'segment', more: ofSegment },
		act: async () =>
			await write('PATCH', `/people/${outsider.id}`, {
				segments: [...outsider.segments, `/segments/${SEGMENTS[0]}`],
			}),
		item: { id: outsider.id },
	},
	personRemovedFromSegment: {
		...{ watch: 'segment', more: ofSegment },
		act: async () => await write('PATCH', `/people/${insider.id}`, { segments: [] }),
		item: { id: insider.id },
	},
	taskCreated: {
		watch: 'tasks',
		act: async () => await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] }),
		item: { title: 'Call back', status: COLUMNS[0] },
	},
	taskUpdated: {
		watch: 'tasks',
		act: async () => await write('PATCH', `/tasks/${task.id}`, { title: 'Call again' }),
		item: { id: task.id, title: 'Call again', ...CHANGED },
	},
	taskMoved: {
		watch: 'tasks',
		act: async () => await write('PATCH', `/tasks/${task.id}`, { status: elsewhere }),
		item: {
			id: task.id,
			status: elsewhere,
			statusTitle: titleOf(elsewhere),
			workspaceTitle: WORKSPACES[0].title,
			previousStatus: task.status,
			previousStatusTitle: titleOf(task.status),
		},
	},
	taskCompleted: {
		watch: 'tasks',
		act: async () =>
			await write('PATCH', `/tasks/${unfinished.id}`, { completedAt: '2026-02-03T10:00:00Z' }),
		item: {
			id: unfinished.id,
			completedAt: '2026-02-03T10:00:00+00:00',
			previousCompletedAt: null,
		},
	},
	taskDue: {
		...{ watch: 'tasks', more: { timeBeforeDue: 2, timeBeforeDueUnit: 'hours' } },
		act: async () => {
			const dueDate = new Date(Date.now() + 2 * 60 * MINUTE_MS + 30_000).toISOString();
			await write('PATCH', `/tasks/${unfinished.id}`, { dueDate });
		},
		item: { id: unfinished.id },
	},
	commentAdded: {
		...{ watch: 'comments', more: ofTask },
		act: async () =>
			await write('POST', `/tasks/${DISCUSSED.id}/comments`, { description: 'Looks good' }),
		item: { description: 'Looks good', taskId: DISCUSSED.id },
	},
	historyAdded: {
		...{ watch: 'history', more: ofTask },
		act: async () => await write('PATCH', `/tasks/${DISCUSSED.id}`, { isFlagged: true }),
		item: { changes: expect.stringContaining('isFlagged') },
	},
};

const EVENTS = Object.entries(cases);

it('By default, Selected Fields of a moved task includes people and deal size', async () => {
	const { id, people, status, title } = TASKS.find((task) => task.people.length > 0)!;
	const column = COLUMNS.find((iri) => iri !== status);
	const parameters = { watch: 'tasks', events: ['taskMoved'], output: 'selectedFields' };
	const polls = await open({ ...parameters, options: AT_ONCE });
	expect(await poll(polls)).toBeNull();
	await write('PATCH', `/tasks/${id}`, { status: column, dealSizeEstimation: 2500 });
	const ids = people.map((iri) => iri.slice('/people/'.length)).join(', ');
	const expected = { event: 'taskMoved', title, people: ids, dealSizeEstimation: 2500 };
	expect((await poll(polls))![0]).toMatchObject(expected);
});

it('The cases of this test file cover every event of the trigger', async () => {
	const { properties } = (await LoadedNodeTypes.load()).getByNameAndVersion(
		`${PACKAGE}.contactTaskCrmTrigger`,
	).description;
	const offered = properties.filter(({ name }) => name === 'event');
	const values = offered.flatMap(({ options }) => options as INodePropertyOptions[]);
	expect(Object.keys(cases).sort()).toEqual(values.map(({ value }) => value).sort());
});

const whole = (parameters: PollSetup['parameters']) => ({ options: AT_ONCE, ...parameters });

describe.each(sampled(EVENTS, 6))('%s', (name, { watch, more, act, item }) => {
	const parameters = whole({ watch, events: [name], ...more });

	it('A trigger reports no record from before publishing, and each later change once', async () => {
		const first = await open(parameters);
		expect(await poll(first)).toBeNull();
		expect(await poll(first)).toBeNull();
		await act();
		const [changed, ...others] = (await poll(first))!;
		expect(others).toEqual([]);
		expect(changed).toMatchObject({ event: name, ...item });
		expect(Object.keys(changed)[0]).toBe('event');
		expect(first.isChanged).toBe(true);
		const second = await open(parameters, { staticData: first.staticData });
		expect(await poll(second)).toBeNull();
		expect(await poll(second)).toBeNull();
	});

	it('A trigger gives raw output and selected fields, both with the previous values', async () => {
		const before = Object.entries(item).filter(([field]) => field.startsWith('previous'));
		const raw = await open({ ...parameters, output: 'raw' });
		const selected = await open({ ...parameters, output: 'selectedFields', fields: ['id'] });
		await poll(raw);
		await poll(selected);
		await act();
		const [rawItem] = (await poll(raw))!;
		expect(rawItem['@id']).toMatch(/^\//);
		expect(rawItem).toMatchObject(Object.fromEntries(before));
		const [selectedItem] = (await poll(selected))!;
		expect(Object.keys(selectedItem).sort()).toEqual(
			['event', 'id', ...before.map(([field]) => field)].sort(),
		);
	});

	it('A test run shows one record with at most six requests, and saves nothing', async () => {
		const polls = await open(parameters, { mode: 'manual' });
		const { items, requests } = await requestsOf(polls);
		expect(items).toEqual([expect.objectContaining({ event: name })]);
		const previous = Object.keys(item).filter((field) => field.startsWith('previous'));
		expect(items![0]).toMatchObject(Object.fromEntries(previous.map((field) => [field, null])));
		expect(requests.length).toBeLessThanOrEqual(6);
		expect(polls.staticData).toEqual({});
	});
});

it.each([
	['taskCompleted', 'completedAt'],
	['taskDue', 'dueDate'],
])('A test run of %s shows the task with the latest %s', async (event, field) => {
	const [, other, latest] = TASKS;
	await write('PATCH', `/tasks/${latest.id}`, { [field]: '2027-03-01T10:00:00Z' });
	await write('PATCH', `/tasks/${other.id}`, { [field]: '2026-01-01T10:00:00Z' });
	const polls = await open({ watch: 'tasks', events: [event] }, { mode: 'manual' });
	expect(await poll(polls)).toEqual([expect.objectContaining({ event, id: latest.id })]);
});

it('A trigger on people requests the order of creation, then of names', async () => {
	const polls = await open(whole({ watch: 'people', events: ['personUpdated'] }));
	const { requests } = await requestsOf(polls);
	const orders = requests.map((query) =>
		[...new URLSearchParams(query).entries()].filter(([name]) => name.startsWith('order[')),
	);
	const inOrder = [
		['order[createdAt]', 'asc'],
		['order[familyName]', 'asc'],
	];
	expect(orders).toContainEqual(inOrder);
	for (const order of orders.filter(({ length }) => length > 0)) expect(order).toEqual(inOrder);
});

it('If a list has only one page, a test run reads only this page', async () => {
	for (const { id } of TASKS.slice(5)) scene.service.store.tasks.delete(id);
	scene.clear();
	await poll(await open({ watch: 'tasks', events: ['taskUpdated'] }, { mode: 'manual' }));
	const ofTasks = scene.requests().filter(({ path }) => path.endsWith('/tasks'));
	expect(ofTasks.map(({ rawUrl }) => rawUrl.split('?')[1])).toEqual(['itemsPerPage=30']);
});

it('If a task moves, a trigger gives items for Task Updated and Task Moved', async () => {
	const events = ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted'];
	const polls = await open(whole({ watch: 'tasks', events }));
	await poll(polls);
	await cases.taskMoved.act();
	const items = (await poll(polls))!;
	const told = ['taskUpdated', 'taskMoved'].map((event) => [task.id, event]);
	expect(items.map(({ id, event }) => [id, event])).toEqual(told);
	expect(Object.keys(items[0]).sort()).toEqual(Object.keys(items[1]).sort());
});

describe('a saved state that the trigger cannot read', () => {
	it.each([
		['text', 'what?'],
		['of a later version', { v: 7, key: 'x' }],
		['of an earlier version', { v: 5, key: 'x', records: [] }],
		['broken', { v: 6, records: 7 }],
	])(
		'With an unreadable state, a trigger starts anew, and its second poll fails: %s',
		async (_, state) => {
			const { act, item } = cases.personCreated;
			const parameters = { watch: 'people', events: ['personCreated'] };
			const polls = await open(parameters, { staticData: { 'node:Trigger': { state } as never } });
			// n8n shows no failed execution for the poll that activates a workflow.
			expect(await poll(polls)).toBeNull();
			await act();
			expect((await failureOf(polls))?.message).toBe(
				'The saved state of this trigger cannot be read: it is damaged, or of another version of this package. The trigger has begun anew',
			);
			expect(await poll(polls)).toEqual([expect.objectContaining(item)]);
		},
	);

	it('With an unreadable state, the first answered poll succeeds, and the next poll fails', async () => {
		const parameters = { watch: 'people', events: ['personCreated'] };
		const staticData = { 'node:Trigger': { state: 'what?' } as never };
		const polls = await open(parameters, { staticData });
		scene.service.switches.faults = [refusal(503)];
		expect((await failureOf(polls))?.message).toMatch(/503/);
		scene.service.switches.faults = [];
		expect(await poll(polls)).toBeNull();
		expect((await failureOf(polls))?.message).toMatch(/cannot be read/);
	});
});

describe('a first read that takes several polls', () => {
	const parameters = {
		watch: 'tasks',
		events: ['taskMoved'],
		options: { maxRequestsPerPoll: 1 },
	};

	itInCi(
		'With Always Output Data, a first read over several polls gives no empty item',
		async () => {
			const polls = await open(parameters, { alwaysOutputData: true });
			for (let count = 0; count < 24; count++) expect(await poll(polls)).toBeNull();
		},
	);
});

describe('two polls of one trigger', () => {
	it('Two polls of one trigger at the same time report a new task once', async () => {
		const created = { watch: 'tasks', events: ['taskCreated'], options: AT_ONCE };
		const first = await open(created, { id: 'overlapping' });
		await poll(first);
		const { staticData } = first;
		await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] });
		jest.advanceTimersByTime(2 * MINUTE_MS);
		const setup = { id: 'overlapping', staticData };
		const [one, other] = [await open(created, setup), await open(created, setup)];
		const both = await lapse(Promise.all([one.poll(), other.poll()]));
		expect(both.filter(Boolean)).toHaveLength(1);
	});
});

it('A trigger continues from its saved state with another credential of the same company', async () => {
	const setup = whole({ watch: 'tasks', events: ['taskCreated'] });
	const first = await open(setup);
	await poll(first);
	await cases.taskCreated.act();
	const { staticData } = first;
	expect(await poll(await open(setup, { staticData, credential: '2' }))).toHaveLength(1);
});

describe('filters of a trigger', () => {
	it('A trigger keeps its state if only the displayed name of a workspace changes', async () => {
		const named = (cachedResultName: string) =>
			whole({
				watch: 'tasks',
				events: ['taskMoved'],
				filters: {
					workspaceId: { ...fieldLocator(WORKSPACES[0].id, 'list'), cachedResultName } as never,
				},
			});
		const first = await open(named('Sales'));
		await poll(first);
		const inSales = TASKS.find(({ status }) => COLUMNS.includes(status))!;
		const target = COLUMNS.find((column) => column !== inSales.status)!;
		await write('PATCH', `/tasks/${inSales.id}`, { status: target });
		const second = await open(named('Sales and more'), { staticData: first.staticData });
		expect(await poll(second)).toHaveLength(1);
	});
});

describe('records and values that do not exist', () => {
	const gone = '0b5f1c62-0000-4000-8000-000000000000';

	it.each([
		['task', { watch: 'comments', events: ['commentAdded'], taskId: locator(gone) }],
		['task', { watch: 'history', events: ['historyAdded'], taskId: locator(gone) }],
		['segment', { watch: 'segment', events: ['personAddedToSegment'], segmentId: locator(gone) }],
		['segment', { watch: 'people', events: ['personCreated'], filters: { segmentsUuid: [gone] } }],
		[
			'workspace',
			{ watch: 'tasks', events: ['taskCreated'], filters: { workspaceId: locator(gone) } },
		],
	])('The first poll of a trigger fails if its %s does not exist', async (noun, parameters) => {
		const error = await failureOf(await open(parameters as never));
		expect(error).toMatchObject({
			message: `The ${noun} "${gone}" does not exist`,
			httpCode: '404',
		});
	});

	it.each([
		['Task is empty', { watch: 'comments', events: ['commentAdded'], taskId: locator('') }],
		[
			'Task: expected an ID, or /tasks/{id}, got "a/b"',
			{ watch: 'comments', events: ['commentAdded'], taskId: locator('a/b') },
		],
		[
			'Workspace: expected one, got 2',
			{ watch: 'tasks', events: ['taskCreated'], filters: { workspaceId: locator('5c1f, 77aa') } },
		],
		[
			'Column is one of another workspace than Workspace',
			{
				watch: 'tasks',
				events: ['taskMoved'],
				filters: { status: locator(COLUMNS[0]), workspaceId: locator(WORKSPACES[1].id) },
			},
		],
		[
			'Tag: expected an ID, got "VIP"',
			{ watch: 'people', events: ['personCreated'], filters: { tagsId: ['VIP'] } },
		],
		[
			'Assignee: expected an ID, got "Eva"',
			{ watch: 'tasks', events: ['taskCreated'], filters: { assignees: ['Eva'] } },
		],
		['Trigger On: expected one of the list, got "deal"', { watch: 'deal', events: ['dealWon'] }],
		['Events: expected events of the list, got "dealWon"', { watch: 'tasks', events: ['dealWon'] }],
		['Events is empty', { watch: 'tasks', events: [] }],
	])(
		'If a parameter is invalid, a trigger fails with "%s" and sends no request',
		async (message, parameters) => {
			expect((await failureOf(await open(parameters as never)))?.message).toBe(message);
			expect(scene.requests()).toEqual([]);
		},
	);
});

describe('a test run', () => {
	const joined = (id: string) => ({
		watch: 'segment',
		events: ['personAddedToSegment'],
		segmentId: locator(id),
	});

	it('A test run says that there is nothing to show for an empty list', async () => {
		const id = String((await write('POST', '/segments', { title: 'New', icon: 'star' })).id);
		const error = await failureOf(await open(joined(id), { mode: 'manual' }));
		expect(error?.message).toBe('There is nothing to show yet: the list of people is empty');
	});

	it('A test run reports a missing segment, even if the service ignores the filter', async () => {
		scene.service.switches.ignoreFilters = true;
		const error = await failureOf(await open(joined('newsletter'), { mode: 'manual' }));
		expect(error?.message).toBe('The segment "newsletter" does not exist');
	});
});

describe('a column that the workspace does not have', () => {
	it('The first poll of a trigger fails if its Column does not exist', async () => {
		for (const columns of ['iris', 'objects'] as const) {
			scene.service.switches.columns = columns;
			const moved = { watch: 'tasks', events: ['taskMoved'] };
			const status = locator(`/workspaces/${WORKSPACES[0].id}/columns/gone`);
			const error = await failureOf(await open({ ...moved, filters: { status } }));
			expect(error?.message).toBe('Column: the workspace has no column "gone"');
			const polls = await open({ ...moved, filters: { status: locator(elsewhere) } });
			expect(await poll(polls)).toBeNull();
		}
	});
});

describe('options', () => {
	it.each([
		['maxRequestsPerPoll', 0, 'Max Requests per Check: expected a number from 1, got 0'],
		['maxRequestsPerPoll', 'two', 'Max Requests per Check: expected a number from 1, got "two"'],
		['maxWaitMinutes', -1, 'Max Wait (Minutes): expected a number from 0, got -1'],
		['maxWaitMinutes', true, 'Max Wait (Minutes): expected a number from 0, got true'],
		['whenRateLimited', 'stop', 'When Rate Limited: expected fail or wait, got "stop"'],
	])('A trigger refuses the option %s = %j before any request', async (name, value, message) => {
		const options = { [name]: value };
		const error = await failureOf(
			await open({ watch: 'people', events: ['personCreated'], options }),
		);
		expect(error?.message).toBe(message);
		expect(scene.requests()).toEqual([]);
	});
});

describe('the filter Completed', () => {
	const watched = async (existsCompletedAt: unknown) =>
		await open({
			watch: 'tasks',
			events: ['taskUpdated'],
			filters: { existsCompletedAt } as never,
		});

	itInCi.each([
		[' TRUE ', 1],
		['0', 0],
	])('The filter Completed takes %j as yes or no', async (value, expected) => {
		const polls = await watched(value);
		for (let times = 0; times < 3; times++) await poll(polls);
		const done = TASKS.find(({ completedAt }) => completedAt !== null)!;
		scene.change('tasks', done.id, { title: 'New', updatedAt: new Date().toISOString() });
		expect((await poll(polls)) ?? []).toHaveLength(expected);
	});

	it('The filter Completed refuses another word than yes or no before any request', async () => {
		const error = await failureOf(await watched('maybe'));
		expect(error?.message).toBe('Completed (Off: Open): expected true or false, got "maybe"');
		expect(scene.requests()).toEqual([]);
	});
});

describe('a service that stumbles', () => {
	it.each<[string, Fault, string]>([
		[
			'an answer that is no list',
			answer({ error: 'none' }),
			'The answer of the service cannot be read (HTTP 200)',
		],
		['a list that does not exist', refusal(404), 'The service has no such list of tasks'],
	])('The first poll of a trigger fails with the reason for %s', async (_, fault, message) => {
		excuse('answers', 'a proxy or another service answers');
		const polls = await open({ watch: 'tasks', events: ['taskUpdated'] });
		scene.faults(fault);
		expect((await failureOf(polls))?.message).toBe(message);
		expect(polls.staticData).toEqual({ 'node:Trigger': {} });
	});

	it('A poll fails without retry if Retry-After exceeds the maximum wait', async () => {
		const polls = await open({
			watch: 'tasks',
			events: ['taskUpdated'],
			options: { maxWaitMinutes: 0.1 },
		});
		scene.service.switches.faults = [
			{ kind: 'status', status: 503, headers: { 'retry-after': '200' } },
		];
		expect((await failureOf(polls))?.httpCode).toBe('503');
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('the rate limit', () => {
	const moved = { watch: 'tasks', events: ['taskMoved'] };

	it('With a maximum wait of zero, a poll sends requests while slots are free', async () => {
		const polls = await open({ ...moved, options: { ...AT_ONCE, maxWaitMinutes: 0 } });
		expect((await requestsOf(polls)).requests.length).toBeGreaterThan(1);
	});

	it('If the rate limit is used up, a test run fails with that reason', async () => {
		const polls = await open(
			{ watch: 'people', events: ['personCreated'] },
			{ mode: 'manual', credentials: { requestsPerMinute: 1 } },
		);
		expect(await poll(polls)).toHaveLength(1);
		await expect(lapse(polls.poll())).rejects.toThrow(/^The requests of this minute are used up/);
	});

	it('A trigger whose first poll gets no slot fails, and saves no state', async () => {
		const setup = { credentials: { requestsPerMinute: 1 } };
		const options = { maxWaitMinutes: 0 };
		const people = { watch: 'people', events: ['personCreated'], options };
		const [one, other] = [await open(people, setup), await open({ ...moved, options }, setup)];
		await poll(one);
		const error = await lapse(other.poll()).catch((reason: NodeApiError) => reason);
		expect((error as NodeApiError).message).toMatch(/^The requests of this minute are used up/);
		expect(other.staticData).toEqual({ 'node:Trigger': {} });
	});

	it('A trigger whose first poll got only 429 still starts, and reports later changes', async () => {
		const options = { maxWaitMinutes: 0.1 };
		const polls = await open({ watch: 'people', events: ['personCreated'], options });
		scene.service.switches.faults = [
			{ kind: 'status', status: 429, headers: { 'retry-after': '30' } },
		];
		expect(await poll(polls)).toBeNull();
		scene.service.switches.faults = [];
		jest.advanceTimersByTime(1_000);
		await write('POST', '/people', { familyName: 'Visser' });
		expect(await poll(polls)).toEqual([expect.objectContaining({ familyName: 'Visser' })]);
	});
});

describe('a filter of people by a field that the service may leave out', () => {
	const created = { watch: 'people', events: ['personCreated'], options: AT_ONCE };
	const ofUser = { ownerId: [USERS[0]] };
	const mine = { owner: `/users/${USERS[0]}` };

	it.each([
		['ownerId', USERS[0], 'owner.id', mine],
		['tagsId', TAGS[0], 'tags.id', { tags: [`/tags/${TAGS[0]}`] }],
		['segmentsUuid', SEGMENTS[0], 'segments.uuid', { segments: [`/segments/${SEGMENTS[0]}`] }],
	])(
		'If the service ignores the filter %s, a trigger reports only who meets it',
		async (name, id, query, met) => {
			const polls = await open({ ...created, filters: { [name]: [id] } });
			await poll(polls);
			scene.service.switches.dropFilters = [query];
			await write('POST', '/people', { familyName: 'Visser' });
			expect(await poll(polls)).toBeNull();
			const { id: fitting } = await write('POST', '/people', { familyName: 'Bakker', ...met });
			expect(await poll(polls)).toEqual([expect.objectContaining({ id: fitting })]);
		},
	);

	it('If the service ignores the owner filter, a trigger reports nobody losing this owner', async () => {
		const watchedFields = ['owner'];
		const updated = { watch: 'people', events: ['personUpdated'], options: AT_ONCE, watchedFields };
		const polls = await open({ ...updated, filters: ofUser });
		await poll(polls);
		scene.service.switches.dropFilters = ['owner.id'];
		const { id } = PEOPLE.find(({ owner }) => owner === mine.owner)!;
		await write('PATCH', `/people/${id}`, { owner: null });
		for (let count = 0; count < 3; count++) expect(await poll(polls)).toBeNull();
	});

	it('If the list shows no owner, a trigger trusts the service to filter', async () => {
		scene.service.switches.omitFields = ['owner'];
		const polls = await open({ ...created, filters: ofUser });
		await poll(polls);
		await write('POST', '/people', { familyName: 'Visser' });
		const { id } = await write('POST', '/people', { familyName: 'Bakker', ...mine });
		expect(await poll(polls)).toEqual([expect.objectContaining({ id })]);
	});
});
