import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { connect } from '../service/client';
import { locator as fieldLocator } from './support/fields';
import type { PollSetup } from './support/runPoll';
import { Polls } from './support/runPoll';
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

/** The budget is that of the poll: none of these polls has to wait for another. */
const scene = useScene();

const open = async (parameters: PollSetup['parameters'], setup: Partial<PollSetup> = {}) =>
	await Polls.open({ url: scene.service.url, apiKey: scene.apiKey }, { parameters, ...setup });

/** One poll, a minute after what came before. */
async function poll(polls: Polls) {
	jest.advanceTimersByTime(2 * MINUTE_MS);
	return await lapse(polls.poll());
}

/** Somebody else changes something through the interface. */
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

/** Reads each of the seeded lists in one poll. */
const AT_ONCE = { maxRequestsPerPoll: 10 };

const titleOf = (iri: string) =>
	WORKSPACES.flatMap(({ columns }) => columns).find(({ id }) => iri.endsWith(`/${id}`))?.title;

interface Case {
	parameters: PollSetup['parameters'];
	act: () => Promise<unknown>;
	item: IDataObject;
}

const person = PEOPLE[3];
const task = TASKS[4];
const unfinished = TASKS.find(({ completedAt }) => !completedAt)!;
const elsewhere = COLUMNS.find((column) => column !== task.status)!;
const insider = PEOPLE.find(({ segments }) => segments.includes(`/segments/${SEGMENTS[0]}`))!;
const outsider = PEOPLE.find(({ segments }) => !segments.includes(`/segments/${SEGMENTS[0]}`))!;

const cases: Record<string, Case> = {
	personCreated: {
		parameters: { watch: 'people', events: ['personCreated'] },
		act: async () => await write('POST', '/people', { familyName: 'Visser', givenName: 'Noor' }),
		item: { name: 'Noor Visser' },
	},
	personUpdated: {
		parameters: { watch: 'people', events: ['personUpdated'] },
		act: async () => await write('PATCH', `/people/${person.id}`, { givenName: 'Chief' }),
		item: { id: person.id, givenName: 'Chief', previousUpdatedAt: expect.stringMatching(/Z$/) },
	},
	personAddedToSegment: {
		parameters: {
			watch: 'segment',
			events: ['personAddedToSegment'],
			segmentId: locator(SEGMENTS[0]),
		},
		act: async () =>
			await write('PATCH', `/people/${outsider.id}`, {
				segments: [...outsider.segments, `/segments/${SEGMENTS[0]}`],
			}),
		item: { id: outsider.id },
	},
	personRemovedFromSegment: {
		parameters: {
			watch: 'segment',
			events: ['personRemovedFromSegment'],
			segmentId: locator(SEGMENTS[0]),
		},
		act: async () => await write('PATCH', `/people/${insider.id}`, { segments: [] }),
		item: { id: insider.id },
	},
	taskCreated: {
		parameters: { watch: 'tasks', events: ['taskCreated'] },
		act: async () => await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] }),
		item: { title: 'Call back', status: COLUMNS[0] },
	},
	taskUpdated: {
		parameters: { watch: 'tasks', events: ['taskUpdated'] },
		act: async () => await write('PATCH', `/tasks/${task.id}`, { title: 'Call again' }),
		item: { id: task.id, title: 'Call again', previousUpdatedAt: expect.stringMatching(/Z$/) },
	},
	taskMoved: {
		parameters: { watch: 'tasks', events: ['taskMoved'] },
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
		parameters: { watch: 'tasks', events: ['taskCompleted'] },
		act: async () =>
			await write('PATCH', `/tasks/${unfinished.id}`, { completedAt: '2026-02-03T10:00:00Z' }),
		item: {
			id: unfinished.id,
			completedAt: '2026-02-03T10:00:00+00:00',
			previousCompletedAt: null,
		},
	},
	commentAdded: {
		parameters: { watch: 'comments', events: ['commentAdded'], taskId: locator(DISCUSSED.id) },
		act: async () =>
			await write('POST', `/tasks/${DISCUSSED.id}/comments`, { description: 'Looks good' }),
		item: { description: 'Looks good', taskId: DISCUSSED.id },
	},
	historyAdded: {
		parameters: { watch: 'history', events: ['historyAdded'], taskId: locator(DISCUSSED.id) },
		act: async () => await write('PATCH', `/tasks/${DISCUSSED.id}`, { isFlagged: true }),
		item: { changes: expect.stringContaining('isFlagged') },
	},
};

const EVENTS = Object.entries(cases);
const whole = (parameters: PollSetup['parameters']) => ({ options: AT_ONCE, ...parameters });

describe.each(EVENTS)('%s', (name, { parameters: chosen, act, item }) => {
	const parameters = whole(chosen);

	it('hands over nothing old, and then what happens once, across a restart', async () => {
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

	it('finds what happened while the workflow was inactive', async () => {
		const first = await open(parameters);
		await poll(first);
		await act();
		const second = await open(parameters, { staticData: first.staticData });
		expect(await poll(second)).toEqual([expect.objectContaining(item)]);
	});

	it('gives each form of output, with what the record was before', async () => {
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

	it('shows one record in a test run, with four requests at most, and remembers nothing', async () => {
		const polls = await open(parameters, { mode: 'manual' });
		const { items, requests } = await requestsOf(polls);
		expect(items).toEqual([expect.objectContaining({ event: name })]);
		const previous = Object.keys(item).filter((field) => field.startsWith('previous'));
		expect(items![0]).toMatchObject(Object.fromEntries(previous.map((field) => [field, null])));
		expect(requests.length).toBeLessThanOrEqual(4);
		expect(polls.staticData).toEqual({});
	});

	it('finds after a poll that failed what it did not read, and says in words what was wrong', async () => {
		const polls = await open(parameters);
		await poll(polls);
		await act();
		scene.service.switches.faults = [{ kind: 'status', status: 403 }];
		const error = await failureOf(polls);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '403' });
		expect(error?.message).toMatch(/^The API key has no permission to read this /);
		scene.service.switches.faults = [];
		expect(await poll(polls)).toEqual([expect.objectContaining(item)]);
	});
});

describe('all events of a list at once', () => {
	it('are read by one scan, and each item says its event', async () => {
		const tasksCost = async (events: string[]) => {
			const polls = await open(whole({ watch: 'tasks', events }));
			await poll(polls);
			await poll(polls);
			return { polls, requests: (await requestsOf(polls)).requests };
		};
		const one = await tasksCost(['taskCreated']);
		const all = await tasksCost(['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted']);
		expect(all.requests.length).toBe(one.requests.length);
		await cases.taskMoved.act();
		const items = (await poll(all.polls))!;
		expect(items.map(({ id, event }) => [id, event])).toEqual([
			[task.id, 'taskUpdated'],
			[task.id, 'taskMoved'],
		]);
		expect(Object.keys(items[0]).sort()).toEqual(Object.keys(items[1]).sort());
	});
});

describe('a state that cannot be read', () => {
	it.each([
		['text', 'what?', 'it is damaged, or was written by another program'],
		['of a later version', { v: 2, key: 'x' }, 'it was written by a later version of this package'],
		['broken', { v: 1, memory: 7 }, 'it is damaged, or was written by another program'],
	])('%s: is told once, and then the trigger begins anew', async (_, state, cause) => {
		const { parameters, act, item } = cases.personCreated;
		const polls = await open(parameters, { staticData: { 'node:Trigger': { state } as never } });
		expect((await failureOf(polls))?.message).toBe(
			`What this trigger remembered cannot be read: ${cause}`,
		);
		expect(await poll(polls)).toBeNull();
		await act();
		expect(await poll(polls)).toEqual([expect.objectContaining(item)]);
	});
});

describe('the requests of a poll', () => {
	it.each(['personCreated', 'commentAdded', 'historyAdded'])(
		'%s takes one where nothing is new',
		async (event) => {
			const polls = await open(cases[event].parameters);
			for (let count = 0; count < 3; count++) await poll(polls);
			const { requests } = await requestsOf(polls);
			expect(requests).toHaveLength(1);
		},
	);

	it('are two unless the user says otherwise, and go on where they stopped', async () => {
		const polls = await open({ watch: 'tasks', events: ['taskMoved'] });
		const pages = [];
		for (let count = 0; count < 5; count++) pages.push((await requestsOf(polls)).requests);
		expect(pages).toEqual([
			['?itemsPerPage=30', '?itemsPerPage=30&page=2'],
			// The titles of columns and workspaces, once an hour.
			['?itemsPerPage=30', '?itemsPerPage=30&page=3'],
			['?itemsPerPage=30', '?itemsPerPage=30&page=2'],
			['?itemsPerPage=30&page=3'],
			['?itemsPerPage=30', '?itemsPerPage=30&page=2'],
		]);
	});

	it('ask for people by time, with the zone as Z', async () => {
		const polls = await open({ watch: 'people', events: ['personCreated'] });
		await poll(polls);
		const { requests } = await requestsOf(polls);
		expect(decodeURIComponent(requests[0])).toMatch(
			/^\?createdAt\[after\]=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ&order\[createdAt\]=asc&order\[familyName\]=asc&itemsPerPage=30$/,
		);
	});

	it('are shared by triggers on the same list', async () => {
		const parameters = {
			watch: 'tasks',
			events: ['taskMoved'],
			options: { maxRequestsPerPoll: 5 },
		};
		const [one, other] = [await open(parameters), await open(parameters)];
		for (const polls of [one, other, one, other]) await poll(polls);
		jest.advanceTimersByTime(60_000);
		scene.clear();
		await lapse(one.poll());
		const alone = scene.requests().length;
		await lapse(other.poll());
		expect(alone).toBeGreaterThan(0);
		expect(scene.requests()).toHaveLength(alone);
	});

	it('of many triggers take no more than half of the budget in a minute', async () => {
		const watched = await Promise.all(
			Array.from(
				{ length: 6 },
				async (_, index) =>
					await open({
						watch: 'tasks',
						events: ['taskMoved'],
						filters: { workspaceId: locator(WORKSPACES[index % 3].id) },
						options: { maxRequestsPerPoll: 20 },
					}),
			),
		);
		for (const polls of watched) await poll(polls);
		jest.advanceTimersByTime(60_000);
		for (let minute = 0; minute < 3; minute++) {
			scene.clear();
			for (const polls of watched) await lapse(polls.poll());
			expect(scene.requests().length).toBeLessThanOrEqual(10);
			jest.advanceTimersByTime(60_000);
		}
	});
});

describe('a first read that takes several polls', () => {
	const parameters = {
		watch: 'tasks',
		events: ['taskMoved'],
		options: { maxRequestsPerPoll: 1 },
	};

	it('is saved by handing over nothing, after ten minutes in which nothing was handed over', async () => {
		const polls = await open(parameters);
		const handedOver = [];
		for (let count = 0; count < 24; count++) handedOver.push(await poll(polls));
		expect(handedOver.filter((items) => items !== null)).toEqual([[]]);
	});

	it('is not, where the node would put out an empty item', async () => {
		const polls = await open(parameters, { alwaysOutputData: true });
		for (let count = 0; count < 24; count++) expect(await poll(polls)).toBeNull();
	});

	it('is not, where n8n saves each poll by itself', async () => {
		let staticData: IDataObject | undefined;
		for (let count = 0; count < 24; count++) {
			const polls = await open(parameters, { id: 'durable', staticData });
			expect(await poll(polls)).toBeNull();
			({ staticData } = polls);
		}
	});
});

describe('a host that loads anew for every poll what it last saved', () => {
	const parameters = { watch: 'tasks', events: ['taskMoved'], options: { maxRequestsPerPoll: 1 } };

	/** Polls as n8n does when its scheduler keeps the polls: saved is what was activated or handed over. */
	async function* pollsOf(id: string, setup: Partial<PollSetup> = {}) {
		let staticData: IDataObject | undefined;
		for (;;) {
			const polls = await open(parameters, { id, staticData, ...setup });
			const items = await poll(polls);
			if (!staticData || items) staticData = polls.staticData;
			yield items;
		}
	}

	it('finds what happened after the first poll, though that was not saved', async () => {
		const created = { watch: 'people', events: ['personCreated'] };
		const setup = { id: 'unsaved' };
		expect(await poll(await open(created, setup))).toBeNull();
		await write('POST', '/people', { familyName: 'Visser' });
		const items = await poll(await open(created, setup));
		expect(items).toEqual([expect.objectContaining({ familyName: 'Visser' })]);
	});

	it('gets on with a list that takes several polls, and does not begin it again and again', async () => {
		const polls = pollsOf('scheduled', { alwaysOutputData: true });
		for (let count = 0; count < 8; count++) expect((await polls.next()).value).toBeNull();
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		const items = [];
		for (let count = 0; count < 8; count++) items.push(...((await polls.next()).value ?? []));
		expect(items.map(({ id }) => id)).toEqual([task.id]);
	});

	it('tells nothing twice when two polls are under way at once', async () => {
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

describe('what a state belongs to', () => {
	const setup = whole({ watch: 'tasks', events: ['taskCreated'] });
	const create = async () =>
		await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] });

	it('is the credential, whose key may be changed', async () => {
		const first = await open(setup);
		await poll(first);
		await create();
		const staticData = first.staticData;
		const another = await open(setup, { staticData, credential: '2' });
		expect(await poll(another)).toBeNull();
		expect(await poll(await open(setup, { staticData }))).toHaveLength(1);
	});
});

describe('what leaves and comes back', () => {
	it('is told of again, though n8n was killed in between', async () => {
		const parameters = whole({
			watch: 'tasks',
			events: ['taskMoved'],
			filters: { status: locator(elsewhere) },
		});
		const polls = await open(parameters);
		await poll(polls);
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		expect(await poll(polls)).toHaveLength(1);
		await write('PATCH', `/tasks/${task.id}`, { status: task.status });
		// After ten quiet minutes, an execution without items has n8n save that it has left.
		const handedOver = [];
		for (let count = 0; count < 8; count++) handedOver.push(await poll(polls));
		expect(handedOver.filter((items) => items !== null)).toEqual([[]]);
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		const restarted = await open(parameters, { staticData: polls.staticData });
		expect(await poll(restarted)).toEqual([
			expect.objectContaining({ id: task.id, previousStatus: task.status }),
		]);
	});
});

describe('a member of a segment', () => {
	const parameters = whole({
		watch: 'segment',
		events: ['personAddedToSegment', 'personRemovedFromSegment'],
		segmentId: locator(SEGMENTS[0]),
	});
	const patch = async (fields: IDataObject) =>
		await write('PATCH', `/people/${insider.id}`, fields);

	it('who leaves and comes back is told of both times', async () => {
		const polls = await open(parameters);
		await poll(polls);
		await patch({ segments: [] });
		expect(await poll(polls)).toEqual([
			expect.objectContaining({ event: 'personRemovedFromSegment', id: insider.id }),
		]);
		await patch({ segments: insider.segments });
		expect(await poll(polls)).toEqual([
			expect.objectContaining({ event: 'personAddedToSegment', id: insider.id }),
		]);
	});

	it('who is out of sight for a while has neither left nor joined', async () => {
		const polls = await open(parameters);
		await poll(polls);
		const { store } = scene.service;
		const { get } = Map.prototype;
		const hidden = store.people;
		const list = hidden.values.bind(hidden);
		hidden.values = () => [...list()].filter(({ id }) => id !== insider.id).values() as never;
		expect(await poll(polls)).toBeNull();
		expect(await poll(polls)).toBeNull();
		Reflect.deleteProperty(hidden, 'values');
		expect(get.call(hidden, insider.id)).toBeDefined();
		expect(await poll(polls)).toBeNull();
	});

	it('who is deleted has left', async () => {
		const polls = await open(parameters);
		await poll(polls);
		scene.service.store.people.delete(insider.id);
		expect(await poll(polls)).toEqual([
			expect.objectContaining({ event: 'personRemovedFromSegment', id: insider.id }),
		]);
	});
});

describe('filters', () => {
	it('keep people of other owners, tags and segments away, even where the service ignores them', async () => {
		const filters = { ownerId: [USERS[0]], tagsId: [TAGS[0]], segmentsUuid: [SEGMENTS[0]] };
		const asked = { owner: `/users/${USERS[0]}`, tags: [`/tags/${TAGS[0]}`] };
		const fitting = { ...asked, segments: [`/segments/${SEGMENTS[0]}`] };
		for (const ignoreFilters of [false, true]) {
			scene.service.switches.ignoreFilters = ignoreFilters;
			const polls = await open(whole({ watch: 'people', events: ['personCreated'], filters }));
			await poll(polls);
			await poll(polls);
			await write('POST', '/people', { familyName: 'Outside', ...asked });
			await write('POST', '/people', { familyName: 'Inside', ...fitting });
			const items = [...((await poll(polls)) ?? []), ...((await poll(polls)) ?? [])];
			expect(items.map(({ familyName }) => familyName)).toEqual(['Inside']);
		}
	});

	it('tell only tasks that come into the column', async () => {
		const polls = await open(
			whole({
				watch: 'tasks',
				events: ['taskMoved'],
				filters: { status: locator(elsewhere), workspaceId: locator(WORKSPACES[0].id) },
			}),
		);
		await poll(polls);
		const [one, other] = TASKS.filter(({ status }) => !COLUMNS.slice(0, 2).includes(status));
		const target = COLUMNS.find((column) => column !== elsewhere)!;
		await write('PATCH', `/tasks/${one.id}`, { status: elsewhere });
		await write('PATCH', `/tasks/${other.id}`, { status: target });
		expect((await poll(polls))?.map(({ id }) => id)).toEqual([one.id]);
	});

	it('begin anew when they are changed, without anything old', async () => {
		const moved = whole({ watch: 'tasks', events: ['taskMoved'] });
		const first = await open(moved);
		await poll(first);
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		const filters = { workspaceId: locator(WORKSPACES[0].id) };
		const second = await open({ ...moved, filters }, { staticData: first.staticData });
		expect(await poll(second)).toBeNull();
		expect(await poll(second)).toBeNull();
	});

	it('stay the same when only the name shown in the editor changes', async () => {
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

describe('what is not there', () => {
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
	])('a %s is named at once', async (noun, parameters) => {
		const error = await failureOf(await open(parameters as never));
		expect(error).toMatchObject({
			message: `The ${noun} "${gone}" does not exist`,
			httpCode: '404',
		});
	});

	it.each([
		[
			'watched',
			{ watch: 'segment', events: ['personAddedToSegment'], segmentId: locator(SEGMENTS[0]) },
		],
		[
			'of a filter',
			{ watch: 'people', events: ['personCreated'], filters: { segmentsUuid: [SEGMENTS[0]] } },
		],
	])('is named, too, when it goes later: a segment that is %s', async (_, parameters) => {
		const [segment] = SEGMENTS;
		const polls = await open(parameters as never);
		for (let count = 0; count < 4; count++) await poll(polls);
		const { store } = scene.service;
		store.segments.delete(segment);
		for (const [id, person] of store.people) store.people.set(id, { ...person, segments: [] });
		let message: string | undefined;
		// Within an hour.
		for (let count = 0; count < 35 && message === undefined; count++) {
			message = (await failureOf(polls))?.message;
		}
		expect(message).toBe(`The segment "${segment}" does not exist`);
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
		['Trigger On: expected one of the list, got "deal"', { watch: 'deal', events: ['dealWon'] }],
		['Events: expected some of the list, got "dealWon"', { watch: 'tasks', events: ['dealWon'] }],
		['Events is empty', { watch: 'tasks', events: [] }],
	])('"%s" is said before anything is sent', async (message, parameters) => {
		expect((await failureOf(await open(parameters as never)))?.message).toBe(message);
		expect(scene.requests()).toEqual([]);
	});
});

describe('a test run with nothing to show', () => {
	it('says so', async () => {
		const id = String((await write('POST', '/segments', { title: 'New', icon: 'star' })).id);
		const parameters = {
			watch: 'segment',
			events: ['personAddedToSegment'],
			segmentId: locator(id),
		};
		expect((await failureOf(await open(parameters, { mode: 'manual' })))?.message).toBe(
			'There is nothing to show yet: the list of people is empty',
		);
	});
});

describe('a segment that the service does not know', () => {
	it('is named in a test run, though the service drops the filter and shows anybody', async () => {
		scene.service.switches.ignoreFilters = true;
		const parameters = {
			watch: 'segment',
			events: ['personAddedToSegment'],
			segmentId: locator('newsletter'),
		};
		const error = await failureOf(await open(parameters, { mode: 'manual' }));
		expect(error?.message).toBe('The segment "newsletter" does not exist');
	});
});

describe('a column that the workspace does not have', () => {
	it('is named at once, whether columns come as IRIs or as objects', async () => {
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

describe('a service that stumbles', () => {
	const parameters = { watch: 'tasks', events: ['taskUpdated'] };
	const fault = (more: object = {}) => ({ kind: 'status' as const, status: 503, ...more });

	it('is asked again within what the poll may spend', async () => {
		const polls = await open({ ...parameters, options: { maxRequestsPerPoll: 2 } });
		scene.service.switches.faults = [fault()];
		expect((await failureOf(polls))?.message).toMatch(/^The service could not read the list/);
		expect(scene.requests()).toHaveLength(2);
	});

	it('is not waited for longer than the poll may take', async () => {
		const polls = await open({ ...parameters, options: { maxWaitMinutes: 0.1 } });
		scene.service.switches.faults = [fault({ headers: { 'retry-after': '200' } })];
		expect((await failureOf(polls))?.httpCode).toBe('503');
		expect(scene.requests()).toHaveLength(1);
	});

	it('is told once an hour while it goes on, and once more ten minutes after its end', async () => {
		const polls = await open(parameters);
		await poll(polls);
		scene.service.switches.faults = [fault()];
		const messages: Array<string | undefined> = [];
		for (let minutes = 0; minutes < 150; minutes += 2) {
			messages.push((await failureOf(polls))?.message);
		}
		expect(messages.filter(Boolean)).toHaveLength(3);
		scene.service.switches.faults = [];
		const after: Array<string | undefined> = [];
		for (let minutes = 0; minutes < 30; minutes += 2) {
			after.push((await failureOf(polls))?.message);
		}
		expect(after.slice(0, 5).filter(Boolean)).toEqual([]);
		expect(after.filter(Boolean)).toEqual([
			expect.stringMatching(/^The trigger reads again, after \d+ polls/),
		]);
	});
});

describe('the rate limit', () => {
	const moved = { watch: 'tasks', events: ['taskMoved'] };

	it('is no reason to stop while there are slots, though the poll may not wait', async () => {
		const polls = await open({ ...moved, options: { ...AT_ONCE, maxWaitMinutes: 0 } });
		expect((await requestsOf(polls)).requests.length).toBeGreaterThan(1);
	});

	it('is told in a test run, instead of an empty result', async () => {
		const polls = await open(
			{ watch: 'people', events: ['personCreated'] },
			{ mode: 'manual', credentials: { requestsPerMinute: 1 } },
		);
		expect(await poll(polls)).toHaveLength(1);
		await expect(lapse(polls.poll())).rejects.toThrow(/^The requests of this minute are used up/);
	});

	it('is told when it keeps a trigger from beginning, and nothing is remembered', async () => {
		const setup = { credentials: { requestsPerMinute: 1 } };
		const options = { maxWaitMinutes: 0 };
		const people = { watch: 'people', events: ['personCreated'], options };
		const [one, other] = [await open(people, setup), await open({ ...moved, options }, setup)];
		await poll(one);
		const error = await lapse(other.poll()).catch((reason: NodeApiError) => reason);
		expect((error as NodeApiError).message).toMatch(/^The requests of this minute are used up/);
		expect(other.staticData).toEqual({ 'node:Trigger': {} });
	});

	it('does not hide what happens after an activation that the service refused to answer', async () => {
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
