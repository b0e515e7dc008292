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

interface Case {
	parameters: PollSetup['parameters'];
	act: () => Promise<unknown>;
	item: IDataObject;
}

const person = PEOPLE[3];
const task = TASKS[4];
const unfinished = TASKS.find(({ completedAt }) => !completedAt)!;
const elsewhere = COLUMNS.find((column) => column !== task.status)!;
const outsider = PEOPLE.find(({ segments }) => !segments.includes(`/segments/${SEGMENTS[0]}`))!;

const cases: Record<string, Case> = {
	personCreated: {
		parameters: { event: 'personCreated' },
		act: async () => await write('POST', '/people', { familyName: 'Visser', givenName: 'Noor' }),
		item: { name: 'Noor Visser' },
	},
	personUpdated: {
		parameters: { event: 'personUpdated' },
		act: async () => await write('PATCH', `/people/${person.id}`, { jobTitle: 'Chief' }),
		item: { id: person.id, jobTitle: 'Chief', previousUpdatedAt: expect.stringMatching(/Z$/) },
	},
	personAddedToSegment: {
		parameters: { event: 'personAddedToSegment', segmentId: locator(SEGMENTS[0]) },
		act: async () =>
			await write('PATCH', `/people/${outsider.id}`, {
				segments: [...outsider.segments, `/segments/${SEGMENTS[0]}`],
			}),
		item: { id: outsider.id },
	},
	taskCreated: {
		parameters: { event: 'taskCreated' },
		act: async () => await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] }),
		item: { title: 'Call back', status: COLUMNS[0] },
	},
	taskUpdated: {
		parameters: { event: 'taskUpdated' },
		act: async () => await write('PATCH', `/tasks/${task.id}`, { title: 'Call again' }),
		item: { id: task.id, title: 'Call again', previousUpdatedAt: expect.stringMatching(/Z$/) },
	},
	taskMoved: {
		parameters: { event: 'taskMoved' },
		act: async () => await write('PATCH', `/tasks/${task.id}`, { status: elsewhere }),
		item: { id: task.id, status: elsewhere, previousStatus: task.status },
	},
	taskCompleted: {
		parameters: { event: 'taskCompleted' },
		act: async () =>
			await write('PATCH', `/tasks/${unfinished.id}`, { completedAt: '2026-02-03T10:00:00Z' }),
		item: {
			id: unfinished.id,
			completedAt: '2026-02-03T10:00:00+00:00',
			previousCompletedAt: null,
		},
	},
	commentAdded: {
		parameters: { event: 'commentAdded', taskId: locator(DISCUSSED.id) },
		act: async () =>
			await write('POST', `/tasks/${DISCUSSED.id}/comments`, { description: 'Looks good' }),
		item: { description: 'Looks good', taskId: DISCUSSED.id },
	},
	historyAdded: {
		parameters: { event: 'historyAdded', taskId: locator(DISCUSSED.id) },
		act: async () => await write('PATCH', `/tasks/${DISCUSSED.id}`, { isFlagged: true }),
		item: { changes: expect.stringContaining('isFlagged') },
	},
};

describe.each(Object.entries(cases))('%s', (_, { parameters, act, item }) => {
	it('hands over nothing old, and then what happens once, across a restart', async () => {
		const first = await open(parameters);
		expect(await poll(first)).toBeNull();
		expect(await poll(first)).toBeNull();
		await act();
		expect(await poll(first)).toEqual([expect.objectContaining(item)]);
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
		const before = Object.entries(item).filter(([name]) => name.startsWith('previous'));
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
			['id', ...before.map(([name]) => name)].sort(),
		);
	});

	it('shows one record in a test run, with three requests at most, and remembers nothing', async () => {
		const polls = await open(parameters, { mode: 'manual' });
		const { items, requests } = await requestsOf(polls);
		expect(items).toHaveLength(1);
		const previous = Object.keys(item).filter((name) => name.startsWith('previous'));
		expect(items![0]).toMatchObject(Object.fromEntries(previous.map((name) => [name, null])));
		expect(requests.length).toBeLessThanOrEqual(3);
		expect(polls.staticData).toEqual({});
	});

	it('remembers nothing of a poll that fails, and says in words what is wrong', async () => {
		const polls = await open(parameters);
		await poll(polls);
		const { staticData } = polls;
		await act();
		scene.service.switches.faults = [{ kind: 'status', status: 403 }];
		const error = await failureOf(polls);
		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: '403' });
		expect(error?.message).toMatch(/^The API key has no permission to read this /);
		expect(polls.staticData).toEqual(staticData);
		scene.service.switches.faults = [];
		expect(await poll(polls)).toEqual([expect.objectContaining(item)]);
	});

	it.each([
		['text', 'what?'],
		['of a later version', { v: 2, watch: 'x' }],
		['broken', { v: 1, memory: 7 }],
	])('begins anew with a memory that is %s', async (__, state) => {
		const polls = await open(parameters, { staticData: { 'node:Trigger': { state } as never } });
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
			await poll(polls);
			const { requests } = await requestsOf(polls);
			expect(requests).toHaveLength(1);
		},
	);

	it('taskCreated takes two: a look at the end of the list, and a page of what is before', async () => {
		const polls = await open({ event: 'taskCreated' });
		await poll(polls);
		const { requests } = await requestsOf(polls);
		expect(requests).toEqual(['?itemsPerPage=30&page=3', '?itemsPerPage=30']);
		await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] });
		const next = await requestsOf(polls);
		expect(next.items).toEqual([expect.objectContaining({ title: 'Call back' })]);
		expect(next.requests).toEqual(['?itemsPerPage=30&page=3', '?itemsPerPage=30&page=2']);
	});

	it('are no more than Max Requests per Poll, and go on where they stopped', async () => {
		const polls = await open({ event: 'taskMoved', options: { maxRequestsPerPoll: 1 } });
		const pages = [];
		for (let count = 0; count < 5; count++) pages.push(...(await requestsOf(polls)).requests);
		expect(pages).toEqual([
			'?itemsPerPage=30',
			'?itemsPerPage=30&page=2',
			'?itemsPerPage=30&page=3',
			'?itemsPerPage=30',
			'?itemsPerPage=30&page=2',
		]);
	});

	it('ask for people by time, with the zone as Z', async () => {
		const polls = await open({ event: 'personCreated' });
		await poll(polls);
		const { requests } = await requestsOf(polls);
		expect(decodeURIComponent(requests[0])).toMatch(
			/^\?createdAt\[after\]=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ&order\[createdAt\]=asc&itemsPerPage=30$/,
		);
	});
});

describe('a first read that takes several polls', () => {
	const parameters = { event: 'taskMoved', options: { maxRequestsPerPoll: 1 } };

	it('is saved by handing over nothing, once it is complete', async () => {
		const polls = await open(parameters);
		const handedOver = [];
		for (let count = 0; count < 9; count++) handedOver.push(await poll(polls));
		expect(handedOver).toEqual([null, null, [], null, null, [], null, null, null]);
	});

	it('is not, where the node would put out an empty item', async () => {
		const polls = await open(parameters, { alwaysOutputData: true });
		for (let count = 0; count < 9; count++) expect(await poll(polls)).toBeNull();
	});
});

describe('a host that loads anew for every poll what it last saved', () => {
	const parameters = { event: 'taskMoved', options: { maxRequestsPerPoll: 1 } };

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
		const setup = { id: 'durable' };
		expect(await poll(await open({ event: 'personCreated' }, setup))).toBeNull();
		await write('POST', '/people', { familyName: 'Visser' });
		const items = await poll(await open({ event: 'personCreated' }, setup));
		expect(items).toEqual([expect.objectContaining({ familyName: 'Visser' })]);
	});

	it('gets on with a list that takes several polls, and does not begin it again and again', async () => {
		const polls = pollsOf('scheduled', { alwaysOutputData: true });
		for (let count = 0; count < 6; count++) expect((await polls.next()).value).toBeNull();
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		const items = [];
		for (let count = 0; count < 6; count++) items.push(...((await polls.next()).value ?? []));
		expect(items.map(({ id }) => id)).toEqual([task.id]);
	});
});

describe('what a memory belongs to', () => {
	const setup = { event: 'taskCreated' };
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
		const filters = { status: locator(elsewhere) };
		const polls = await open({ event: 'taskMoved', filters });
		await poll(polls);
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		expect(await poll(polls)).toHaveLength(1);
		await write('PATCH', `/tasks/${task.id}`, { status: task.status });
		// An execution without items is what has n8n save that it has left.
		expect(await poll(polls)).toEqual([]);
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		const restarted = await open({ event: 'taskMoved', filters }, { staticData: polls.staticData });
		expect(await poll(restarted)).toEqual([
			expect.objectContaining({ id: task.id, previousStatus: task.status }),
		]);
	});
});

describe('filters', () => {
	it('keep people of other owners, tags and segments away, even where the service ignores them', async () => {
		const filters = { ownerId: [USERS[0]], tagsId: [TAGS[0]], segmentsUuid: [SEGMENTS[0]] };
		const asked = { owner: `/users/${USERS[0]}`, tags: [`/tags/${TAGS[0]}`] };
		const whole = { ...asked, segments: [`/segments/${SEGMENTS[0]}`] };
		for (const ignoreFilters of [false, true]) {
			scene.service.switches.ignoreFilters = ignoreFilters;
			const polls = await open({ event: 'personCreated', filters });
			await poll(polls);
			await poll(polls);
			await write('POST', '/people', { familyName: 'Outside', ...asked });
			await write('POST', '/people', { familyName: 'Inside', ...whole });
			const items = [...((await poll(polls)) ?? []), ...((await poll(polls)) ?? [])];
			expect(items.map(({ familyName }) => familyName)).toEqual(['Inside']);
		}
	});

	it('tell only tasks that come into the column', async () => {
		const polls = await open({
			event: 'taskMoved',
			filters: { status: locator(elsewhere), workspaceId: locator(WORKSPACES[0].id) },
		});
		await poll(polls);
		const [one, other] = TASKS.filter(({ status }) => !COLUMNS.slice(0, 2).includes(status));
		const target = COLUMNS.find((column) => column !== elsewhere)!;
		await write('PATCH', `/tasks/${one.id}`, { status: elsewhere });
		await write('PATCH', `/tasks/${other.id}`, { status: target });
		expect((await poll(polls))?.map(({ id }) => id)).toEqual([one.id]);
	});

	it('begin anew when they are changed, without anything old', async () => {
		const first = await open({ event: 'taskMoved' });
		await poll(first);
		await write('PATCH', `/tasks/${task.id}`, { status: elsewhere });
		const filters = { workspaceId: locator(WORKSPACES[0].id) };
		const second = await open({ event: 'taskMoved', filters }, { staticData: first.staticData });
		expect(await poll(second)).toBeNull();
		expect(await poll(second)).toBeNull();
	});

	it('stay the same when only the name shown in the editor changes', async () => {
		const named = (cachedResultName: string) => ({
			workspaceId: { ...fieldLocator(WORKSPACES[0].id, 'list'), cachedResultName } as never,
		});
		const first = await open({ event: 'taskMoved', filters: named('Sales') });
		await poll(first);
		const inSales = TASKS.find(({ status }) => COLUMNS.includes(status))!;
		const target = COLUMNS.find((column) => column !== inSales.status)!;
		await write('PATCH', `/tasks/${inSales.id}`, { status: target });
		const second = await open(
			{ event: 'taskMoved', filters: named('Sales and more') },
			{ staticData: first.staticData },
		);
		expect(await poll(second)).toHaveLength(1);
	});
});

describe('what is not there', () => {
	const gone = '0b5f1c62-0000-4000-8000-000000000000';

	it.each([
		['task', { event: 'commentAdded', taskId: locator(gone) }],
		['task', { event: 'historyAdded', taskId: locator(gone) }],
		['segment', { event: 'personAddedToSegment', segmentId: locator(gone) }],
		['workspace', { event: 'taskCreated', filters: { workspaceId: locator(gone) } }],
	])('a %s is named at once', async (noun, parameters) => {
		const error = await failureOf(await open(parameters as never));
		expect(error).toMatchObject({
			message: `The ${noun} "${gone}" does not exist`,
			httpCode: '404',
		});
	});

	it.each([10, 1])('is named, too, when it goes later, with %d requests a poll', async (most) => {
		const [segment] = SEGMENTS;
		const polls = await open({
			event: 'personAddedToSegment',
			segmentId: locator(segment),
			options: { maxRequestsPerPoll: most },
		});
		for (let count = 0; count < 4; count++) await poll(polls);
		const { store } = scene.service;
		store.segments.delete(segment);
		for (const [id, person] of store.people) store.people.set(id, { ...person, segments: [] });
		// With one request, the poll before finds nobody, and there is none left to ask why.
		if (most === 1) await poll(polls);
		expect((await failureOf(polls))?.message).toBe(`The segment "${segment}" does not exist`);
	});

	it.each([
		['Task is empty', { event: 'commentAdded', taskId: locator('') }],
		[
			'Task: expected an ID, or /tasks/{id}, got "a/b"',
			{ event: 'commentAdded', taskId: locator('a/b') },
		],
		[
			'Workspace: expected one, got 2',
			{ event: 'taskCreated', filters: { workspaceId: locator('5c1f, 77aa') } },
		],
		[
			'Column is one of another workspace than Workspace',
			{
				event: 'taskMoved',
				filters: { status: locator(COLUMNS[0]), workspaceId: locator(WORKSPACES[1].id) },
			},
		],
		['Trigger On: expected one of the events of the list, got "deal"', { event: 'deal' }],
	])('"%s" is said before anything is sent', async (message, parameters) => {
		expect((await failureOf(await open(parameters as never)))?.message).toBe(message);
		expect(scene.requests()).toEqual([]);
	});
});

describe('a test run with nothing to show', () => {
	it('says so', async () => {
		const id = String((await write('POST', '/segments', { title: 'New', icon: 'star' })).id);
		const parameters = { event: 'personAddedToSegment', segmentId: locator(id) };
		expect((await failureOf(await open(parameters, { mode: 'manual' })))?.message).toBe(
			'There is nothing to show yet: the list of people is empty',
		);
	});
});

describe('a segment that the service does not know', () => {
	it('is named in a test run, though the service drops the filter and shows anybody', async () => {
		scene.service.switches.ignoreFilters = true;
		const parameters = { event: 'personAddedToSegment', segmentId: locator('newsletter') };
		const error = await failureOf(await open(parameters, { mode: 'manual' }));
		expect(error?.message).toBe('The segment "newsletter" does not exist');
	});
});

describe('a column that the workspace does not have', () => {
	it('is named at once, whether columns come as IRIs or as objects', async () => {
		for (const columns of ['iris', 'objects'] as const) {
			scene.service.switches.columns = columns;
			const status = locator(`/workspaces/${WORKSPACES[0].id}/columns/gone`);
			const error = await failureOf(await open({ event: 'taskMoved', filters: { status } }));
			expect(error?.message).toBe('Column: the workspace has no column "gone"');
			const polls = await open({ event: 'taskMoved', filters: { status: locator(elsewhere) } });
			expect(await poll(polls)).toBeNull();
		}
	});
});

describe('a service that stumbles', () => {
	it('is asked again within what the poll may spend', async () => {
		const polls = await open({ event: 'taskUpdated', options: { maxRequestsPerPoll: 2 } });
		scene.service.switches.faults = [{ kind: 'status', status: 503 }];
		expect((await failureOf(polls))?.message).toMatch(/^The service could not read the list/);
		expect(scene.requests()).toHaveLength(2);
	});

	it('is not waited for longer than the poll may take', async () => {
		const polls = await open({ event: 'taskUpdated', options: { maxWaitMinutes: 0.1 } });
		scene.service.switches.faults = [
			{ kind: 'status', status: 503, headers: { 'retry-after': '200' } },
		];
		expect((await failureOf(polls))?.httpCode).toBe('503');
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('the rate limit', () => {
	it('is no reason to stop while there are slots, though the poll may not wait', async () => {
		const polls = await open({ event: 'taskMoved', options: { maxWaitMinutes: 0 } });
		expect((await requestsOf(polls)).requests.length).toBeGreaterThan(1);
	});

	it('is told in a test run, instead of an empty result', async () => {
		const polls = await open(
			{ event: 'personCreated' },
			{ mode: 'manual', credentials: { requestsPerMinute: 1 } },
		);
		expect(await poll(polls)).toHaveLength(1);
		await expect(lapse(polls.poll())).rejects.toThrow(/^The requests of this minute are used up/);
	});

	it('leaves the rest to the next poll', async () => {
		const polls = await open(
			{ event: 'taskMoved', options: { maxWaitMinutes: 0.1 } },
			{ credentials: { requestsPerMinute: 1 } },
		);
		expect((await requestsOf(polls)).requests).toHaveLength(1);
		expect((await requestsOf(polls)).requests).toEqual(['?itemsPerPage=30&page=2']);
	});

	it('is reported at once where the user wants that, and nothing is remembered', async () => {
		const polls = await open(
			{ event: 'taskMoved', options: { whenRateLimited: 'fail' } },
			{ credentials: { requestsPerMinute: 1 } },
		);
		expect((await failureOf(polls))?.message).toMatch(/^The requests of this minute are used up/);
		expect(polls.staticData).toEqual({ 'node:Trigger': {} });
	});
});

describe('two polls at once', () => {
	it('do not tell the same thing twice', async () => {
		const polls = await open({ event: 'taskCreated' });
		await poll(polls);
		await write('POST', '/tasks', { title: 'Call back', status: COLUMNS[0] });
		jest.advanceTimersByTime(2 * MINUTE_MS);
		const both = await lapse(Promise.all([polls.poll(), polls.poll()]));
		expect(both.filter(Boolean)).toHaveLength(1);
	});
});
