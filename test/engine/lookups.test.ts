import { sleep } from 'n8n-workflow';
import { Lookups } from './support/lookup';
import { items, useScene } from './support/scene';
import { lapse } from './support/timeLapse';

describe('the lists of the editor', () => {
	const scene = useScene();
	let lookups: Lookups;
	const names = (result: { results: Array<{ name: string }> }) =>
		result.results.map(({ name }) => name);

	beforeEach(() => {
		lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
	});

	it('offer the columns of all workspaces as "Workspace / Column" with one request', async () => {
		const result = await lapse(lookups.list('searchColumns'));
		expect(names(result)).toEqual(expect.arrayContaining(['Sales / Won', 'Support / To do']));
		expect(result.results[0].value).toMatch(/^\/workspaces\/[\w-]+\/columns\/[\w-]+$/);
		expect(scene.request().query).toEqual({ itemsPerPage: '30' });
	});

	it('find a column by the name of its workspace or its own', async () => {
		const result = await lapse(lookups.list('searchColumns', 'sales / w'));
		expect(names(result)).toEqual(['Sales / Won']);
	});

	it('offer columns that come as bare IRIs, numbered', async () => {
		scene.service.switches.columns = 'iris';
		const result = await lapse(lookups.list('searchColumns'));
		expect(names(result)).toEqual(expect.arrayContaining(['Sales / Column 1']));
		expect(result.results[0].value).toMatch(/^\/workspaces\/[\w-]+\/columns\/[\w-]+$/);
	});

	it('search people on the service, and label them by name and e-mail', async () => {
		const [person] = [...scene.service.store.people.values()].filter(
			({ givenName, emailAddresses }) => givenName && emailAddresses.length > 0,
		);
		const result = await lapse(lookups.list('searchPeople', person.familyName!));
		expect(scene.request().query).toEqual({ q: person.familyName, itemsPerPage: '30' });
		expect(result.results).toContainEqual({
			name: `${[person.givenName, person.additionalName, person.familyName].filter(Boolean).join(' ')} (${person.emailAddresses[0].email})`,
			value: person.id,
		});
	});

	it('go on page by page, with a token that is a text', async () => {
		const first = await lapse(lookups.list('searchPeople'));
		expect(first.paginationToken).toBe('2');
		const second = await lapse(lookups.list('searchPeople', undefined, '2'));
		const values = [...first.results, ...second.results].map(({ value }) => value);
		expect(new Set(values).size).toBe(values.length);
		expect(second.results.length).toBeGreaterThan(0);
	});

	it('read on where the service cannot search and the first pages hold nothing', async () => {
		const tasks = [...scene.service.store.tasks.values()];
		const last = tasks.at(-1)!;
		const result = await lapse(lookups.list('searchTasks', `${last.title as string} #`));
		expect(names(result)).toContain(`${last.title as string} #${last.indexNumber as number}`);
	});

	it('cut names of 300 characters, and keep Arabic and emoji whole', async () => {
		const [one, two, three] = [...scene.service.store.people.values()];
		scene.service.store.people.set(one.id, {
			...one,
			givenName: null,
			additionalName: null,
			familyName: 'x'.repeat(300),
			emailAddresses: [],
		});
		scene.service.store.people.set(two.id, {
			...two,
			givenName: 'محمد',
			additionalName: null,
			familyName: 'الأحمد',
			emailAddresses: [],
		});
		scene.service.store.people.set(three.id, {
			...three,
			givenName: null,
			additionalName: null,
			familyName: '👩‍🚀'.repeat(60),
			emailAddresses: [],
		});
		const labels = new Map(
			(await lapse(lookups.list('searchPeople'))).results.map(({ name, value }) => [value, name]),
		);
		expect(labels.get(one.id)).toBe(`${'x'.repeat(79)}…`);
		expect(labels.get(two.id)).toBe('محمد الأحمد');
		expect(labels.get(three.id)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
	});

	it('offer comments and history of the chosen task, and ask for one where none is chosen', async () => {
		const [comment] = [...scene.service.store.comments.values()].flat();
		const chosen = { parameters: { taskId: { __rl: true, mode: 'list', value: comment.taskId! } } };
		const comments = await lapse(lookups.list('searchComments', undefined, undefined, chosen));
		expect(comments.results.map(({ value }) => value)).toContain(comment.id);
		const none = { parameters: { taskId: { __rl: true, mode: 'list', value: '' } } };
		await expect(
			lapse(lookups.list('searchHistory', undefined, undefined, none)),
		).rejects.toMatchObject({
			message: 'No task is chosen yet',
			description: 'Choose a task first, then open this list again',
		});
	});

	it('cost at most five requests for all of "create task", and none within a minute', async () => {
		const openAll = async () => {
			await lookups.list('searchColumns');
			await lookups.options('getOwners');
			await lookups.options('getOwners');
			await lookups.list('searchTasks');
			await lookups.list('searchTasks');
		};
		await lapse(openAll());
		expect(scene.requests().length).toBeLessThanOrEqual(5);
		scene.clear();
		await lapse(openAll());
		expect(scene.requests()).toEqual([]);
		jest.advanceTimersByTime(61_000);
		await lapse(openAll());
		expect(scene.requests().length).toBeGreaterThan(0);
		expect(scene.requests().map(({ path }) => path)).not.toContain('/users');
	});

	it('name users by what is known of them, and by their names where the service gives them', async () => {
		const known = await lapse(lookups.options('getOwners'));
		expect(known.length).toBeGreaterThan(1);
		for (const { name, value } of known.slice(0, -1)) {
			expect(value).toMatch(/^\/users\//);
			expect(name).toMatch(/^(Owner|Member|Observer|Author) of |^Assigned to /);
		}
		scene.service.switches.users = 200;
		const named = new Lookups({ url: scene.service.url, apiKey: 'demo-key' });
		const options = await lapse(named.options('getOwners'));
		const [user] = scene.service.store.users.values();
		expect(options.find(({ value }) => value === `/users/${user.id}`)?.name).not.toMatch(
			/^(Owner|Member)/,
		);
	});

	it.each([403, 404, 405] as const)(
		'do without the undocumented endpoints where they answer %d',
		async (status) => {
			scene.service.switches.tags = status;
			const tags = await lapse(lookups.options('getTags'));
			expect(tags.length).toBeGreaterThan(0);
		},
	);

	it('say in how many seconds to try again where the budget is used up', async () => {
		const { apiKey } = scene;
		await Promise.all(
			items(20, () => ({})).map(
				async () =>
					await fetch(`${scene.service.url}/segments`, { headers: { 'X-API-KEY': apiKey } }),
			),
		);
		const others = new Lookups({ url: scene.service.url, apiKey });
		const startedAt = Date.now();
		await expect(lapse(others.list('searchSegments'))).rejects.toMatchObject({
			message: expect.stringMatching(
				/^The requests of this minute are used up. Open this list again in \d+ seconds$/,
			),
		});
		expect(Date.now() - startedAt).toBeLessThan(5_000);
	});

	it('lead to the credential where the key is wrong', async () => {
		await expect(
			lapse(lookups.list('searchPeople', '', undefined, { credentials: { apiKey: 'wrong' } })),
		).rejects.toMatchObject({ message: 'The service did not accept the API key', httpCode: '401' });
	});

	it.each([
		['is down', { kind: 'status', status: 503 }],
		['cannot be reached', { kind: 'reset' }],
		['is slow', { kind: 'slow', afterMs: 5_000 }],
	] as const)(
		'show what was read before where the service %s, within two seconds',
		async (_, fault) => {
			const before = await lapse(lookups.list('searchSegments'));
			jest.advanceTimersByTime(61_000);
			scene.service.switches.faults = [{ ...fault }];
			const startedAt = Date.now();
			expect(await lapse(lookups.list('searchSegments'))).toEqual(before);
			expect(Date.now() - startedAt).toBeLessThanOrEqual(2_000);
			// What is read anew comes to its end after the list was shown.
			await lapse(sleep(20_000));
		},
	);

	it('show nothing that was read before once the key may not read it any more', async () => {
		await lapse(lookups.list('searchSegments'));
		jest.advanceTimersByTime(61_000);
		scene.service.switches.faults = [{ kind: 'status', status: 401 }];
		await expect(lapse(lookups.list('searchSegments'))).rejects.toMatchObject({
			message: 'The service did not accept the API key',
		});
	});

	it('say so within seconds where the service is down', async () => {
		const startedAt = Date.now();
		await expect(
			lapse(
				lookups.list('searchPeople', '', undefined, {
					credentials: { baseUrl: 'http://127.0.0.1:9' },
				}),
			),
		).rejects.toMatchObject({
			message: 'The service at http://127.0.0.1:9 cannot be reached',
		});
		expect(Date.now() - startedAt).toBeLessThan(10_000);
	});
});

describe('an empty CRM', () => {
	const scene = useScene({ seed: false });

	it.each([
		['searchPeople', 'The CRM has no people yet'],
		['searchSegments', 'The CRM has no segments yet'],
		['searchTasks', 'The CRM has no tasks yet'],
	])('is told of by %s', async (method, message) => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		await expect(lapse(lookups.list(method))).rejects.toMatchObject({ message });
	});
});

describe('ten thousand people', () => {
	const scene = useScene({ seed: { people: 10_000, tasks: 0 } });

	it('are listed thirty at a time', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const result = await lapse(lookups.list('searchPeople'));
		expect(result.results).toHaveLength(30);
		expect(scene.requests()).toHaveLength(1);
	});
});
