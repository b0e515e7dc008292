import type { INodeListSearchItems, INodeProperties, NodeApiError } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { ContactTaskCrm } from '../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';
import { answer, refusal } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COMMENTS, PEOPLE, SEGMENTS, TAGS, TASKS, USERS, WORKSPACES } from './support/seeded';
import { lapse } from './support/timeLapse';

const NO_CHOICE = '<not a choice>';
const NAMES = 'Give names in the credential, under Names of Users and Tags';
/** Returns an entry that only tells something. A drop-down of the editor does not let a user pick it. */
const note = (name: unknown) => ({ name, value: NO_CHOICE, disabled: true });
const MORE_TEXT = 'More exist: give an ID or a title as an expression';
const MORE = note(MORE_TEXT);
const MORE_TAGS = note(`${MORE_TEXT}. ${NAMES}`);
const MORE_USERS = note(`${MORE_TEXT.replace('title', 'name')}. ${NAMES}`);
const COLUMN_IRI = /^\/workspaces\/[\w-]+\/columns\/[\w-]+$/;
const WRONG_KEY = 'The service did not accept the API key';

const named = PEOPLE.find(
	({ givenName, emailAddresses }) => givenName && emailAddresses.length > 0,
)!;
const [{ email: hisEmail = '' }] = named.emailAddresses as Array<{ email: string }>;

const namesOf = (entries: ReadonlyArray<{ name: string }>) => entries.map(({ name }) => name);
const valuesOf = (entries: ReadonlyArray<Pick<INodeListSearchItems, 'value'>>) =>
	entries.map(({ value }) => value);

describe('the lists of the editor', () => {
	const scene = useScene();
	const list = async (method: string, filter?: string) =>
		(await scene.editor.list(method, filter)).results;
	const passAMinute = () => jest.advanceTimersByTime(61_000);

	it('The list of columns shows "Workspace / Column" for all workspaces after one request', async () => {
		const columns = await list('searchColumns');
		expect(namesOf(columns)).toEqual(expect.arrayContaining(['Sales / Won', 'Support / To do']));
		expect(columns[0].value).toMatch(COLUMN_IRI);
		expect(scene.request().query).toEqual({ itemsPerPage: '30' });
	});

	it('The search text "sales / w" finds the column "Sales / Won"', async () => {
		expect(namesOf(await list('searchColumns', 'sales / w'))).toEqual(['Sales / Won']);
	});

	it('The node itself filters the list of workspaces by search text, after one read', async () => {
		expect(namesOf(await list('searchWorkspaces', 'supp'))).toEqual(['Support']);
		expect(scene.request()).toMatchObject({ path: '/workspaces', query: { itemsPerPage: '30' } });
	});

	it('If the service shows no column titles, the list of columns shows numbers', async () => {
		scene.service.switches.columns = 'iris';
		const columns = await list('searchColumns');
		expect(namesOf(columns)).toEqual(expect.arrayContaining(['Sales / Column 1']));
		expect(columns[0].value).toMatch(COLUMN_IRI);
		const read = () => scene.requests().filter(({ path }) => path.includes('/columns/')).length;
		expect(read()).toBe(1);
		expect(await list('searchColumns')).toEqual(columns);
		expect(read()).toBe(1);
	});

	it('If only single workspaces show columns, the list of columns reads eight workspaces', async () => {
		scene.service.switches.columnsIn = 'single';
		expect(namesOf(await list('searchColumns'))).toEqual(expect.arrayContaining(['Sales / Won']));
		const paths = scene.requests().map(({ path }) => path);
		const active = WORKSPACES.filter(({ archivedAt }) => !archivedAt);
		const archived = WORKSPACES.filter(({ archivedAt }) => archivedAt);
		const read = [...active, ...archived].slice(0, 8).map(({ id }) => `/workspaces/${id}`);
		expect(paths).toEqual(['/workspaces', ...read]);
	});

	it('An editor list leaves out records without an ID', async () => {
		scene.faults(answer({ member: [{ familyName: 'Bos' }, { id: 'x1', familyName: 'Vos' }] }));
		expect(await list('searchPeople')).toEqual([{ name: 'Vos', value: 'x1' }]);
	});

	it.each([
		['searchComments', 'The chosen task has no comments yet'],
		['searchHistory', 'The chosen task has no history yet'],
	])('If the chosen task has no entries, the list method %s says so', async (method, message) => {
		scene.faults(answer({ member: [], totalItems: 0 }));
		const chosen = { parameters: { taskId: locator(TASKS[0].id, 'list') } as never };
		const opened = scene.editor.list(method, undefined, undefined, chosen);
		await expect(opened).rejects.toMatchObject({
			message,
			description: expect.stringMatching(/^Choose another task/) as string,
		});
	});

	it('If the service shows columns only as IRIs, their list requests each title', async () => {
		Object.assign(scene.service.switches, { columns: 'iris', columnRecords: 200 });
		const read = () => scene.requests().filter(({ path }) => path.includes('/columns/')).length;
		expect(namesOf(await list('searchColumns'))).toContain('Sales / Won');
		expect(read()).toBe(8);
		// When opened again, the list reads the titles of the remaining columns.
		expect(namesOf(await list('searchColumns'))).toContain('Onboarding / Done');
		const all = read();
		await list('searchColumns');
		expect(read()).toBe(all);
	});

	it('The lists of the editor put archived records last, and mark them', async () => {
		const archived = WORKSPACES.filter(({ archivedAt }) => archivedAt);
		expect(archived.length).toBeGreaterThan(0);
		const columns = namesOf(await list('searchColumns'));
		const marked = columns.filter((name) => name.endsWith(' (archived)'));
		expect(marked).toHaveLength(archived.flatMap((workspace) => workspace.columns).length);
		expect(columns.slice(-marked.length)).toEqual(marked);
		expect(namesOf(await list('searchWorkspaces')).slice(-archived.length)).toEqual(
			archived.map(({ title }) => `${title} (archived)`),
		);
	});

	it('The list of people lets the service search, and shows name and e-mail address', async () => {
		const { id, givenName, additionalName, familyName } = named;
		const results = await list('searchPeople', familyName!);
		expect(scene.request().query).toEqual({ q: familyName, itemsPerPage: '30' });
		const name = [givenName, additionalName, familyName].filter(Boolean).join(' ');
		expect(results).toContainEqual({ name: `${name} (${hisEmail})`, value: id });
	});

	it('After Get of a person, the list of people still shows the e-mail address', async () => {
		await scene.person('get', { personId: named.id });
		const results = await list('searchPeople', named.familyName!);
		expect(results.find(({ value }) => value === named.id)?.name).toContain(`(${hisEmail})`);
	});

	it('The second page of an editor list repeats no entry of the first', async () => {
		const first = await scene.editor.list('searchPeople');
		expect(first.paginationToken).toEqual(expect.any(String));
		const second = await scene.editor.list('searchPeople', undefined, first.paginationToken);
		const values = valuesOf([...first.results, ...second.results]);
		expect(new Set(values).size).toBe(values.length);
		expect(second.results.length).toBeGreaterThan(0);
	});

	it('If the service cannot search, an editor list reads pages until something matches', async () => {
		const { title, indexNumber } = TASKS.at(-1)!;
		const results = await list('searchTasks', `${String(title)} #`);
		expect(namesOf(results)).toContain(`${String(title)} #${String(indexNumber)}`);
	});

	it('Editor lists shorten long names, split no surrogate pair, and keep Arabic names', async () => {
		const [one, two, three] = PEOPLE.map(({ id }) => id);
		const bare = { givenName: null, additionalName: null, emailAddresses: [] };
		scene.change('people', one, { ...bare, familyName: 'x'.repeat(300) });
		scene.change('people', two, { ...bare, givenName: 'محمد', familyName: 'الأحمد' });
		scene.change('people', three, { ...bare, familyName: '👩‍🚀'.repeat(60) });
		const labels = new Map(
			(await list('searchPeople')).map(({ name, value }) => [value, name] as const),
		);
		expect(labels.get(one)).toBe(`${'x'.repeat(80)}…`);
		expect(labels.get(two)).toBe('محمد الأحمد');
		expect(labels.get(three)).not.toMatch(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
	});

	it('The lists of comments and history depend on the chosen task', async () => {
		const of = (task: string) => ({ parameters: { taskId: locator(task, 'list') } as never });
		const chosen = of(COMMENTS[0].taskId!);
		const comments = await scene.editor.list('searchComments', undefined, undefined, chosen);
		expect(valuesOf(comments.results)).toContain(COMMENTS[0].id);
		await expect(
			scene.editor.list('searchHistory', undefined, undefined, of('')),
		).rejects.toMatchObject({
			message: 'No task is chosen yet',
			description: 'Choose a task first, then open this list again',
		});
	});

	it('The list of history entries shows the change and its time', async () => {
		const [[task, [entry]]] = scene.service.store.history;
		const chosen = { parameters: { taskId: locator(task, 'list') } as never };
		const { results } = await scene.editor.list('searchHistory', undefined, undefined, chosen);
		const { name } = results.find(({ value }) => value === entry.id)!;
		const [at, said] = name.split(' · ');
		expect(at).toBe(entry.createdAt.slice(0, 16).replace('T', ' '));
		expect(said).toBeTruthy();
		expect(said).not.toContain(entry.id);
	});

	it('The editor lists for a new task need at most five requests a minute', async () => {
		const openAll = async () => {
			await list('searchColumns');
			for (let times = 0; times < 2; times++) await scene.editor.options('getOwners');
			for (let times = 0; times < 2; times++) await list('searchTasks');
		};
		await openAll();
		expect(scene.requests().length).toBeLessThanOrEqual(5);
		scene.clear();
		await openAll();
		expect(scene.requests()).toEqual([]);
		passAMinute();
		await openAll();
		expect(scene.requests().length).toBeGreaterThan(0);
		expect(scene.requests().map(({ path }) => path)).not.toContain('/users');
	});

	it('With a wrong key or no service, editor lists give the reason within seconds', async () => {
		const search = async (credentials: Record<string, string>) =>
			await scene.editor.list('searchPeople', '', undefined, { credentials });
		await expect(search({ apiKey: 'wrong' })).rejects.toMatchObject({
			message: WRONG_KEY,
			httpCode: '401',
		});
		const startedAt = Date.now();
		await expect(search({ baseUrl: 'http://127.0.0.1:9' })).rejects.toMatchObject({
			message: 'The service at http://127.0.0.1:9 cannot be reached',
		});
		expect(Date.now() - startedAt).toBeLessThan(10_000);
	});

	it.each([
		['is down', { kind: 'status', status: 503 }],
		['cannot be reached', { kind: 'reset' }],
		['is slow', { kind: 'slow', afterMs: 5_000 }],
	] as const)(
		'An editor list shows its cached entries within two seconds if the service %s',
		async (_, fault) => {
			const before = await list('searchSegments');
			passAMinute();
			scene.faults({ ...fault });
			const startedAt = Date.now();
			expect(await list('searchSegments')).toEqual(before);
			expect(Date.now() - startedAt).toBeLessThanOrEqual(2_000);
			// Lets the refresh in the background end before the next test.
			await lapse(sleep(20_000));
		},
	);

	it('An editor list shows no cached entries after the service refused the key', async () => {
		await list('searchSegments');
		passAMinute();
		scene.faults({ kind: 'status', status: 401 });
		await expect(list('searchSegments')).rejects.toMatchObject({ message: WRONG_KEY });
	});
});

describe('the lists of tags and owners', () => {
	const scene = useScene();
	const tagged = PEOPLE.find(({ tags }) => tags.length > 0)!;

	it('The label of a tag names records with the tag, and shows no count', async () => {
		const tags = await scene.editor.options('getTags');
		const { name } = tags.find(({ value }) => value === tagged.tags[0])!;
		expect(name).toContain(tagged.familyName!);
		for (const { name: label } of tags.slice(0, -1)) {
			expect(label).toMatch(/^Tag [\da-f-]{36} \(on .+\)$/);
			expect(label).not.toMatch(/\d (people|tasks)/);
		}
	});

	it('The list of owners labels users with their name, or else with their records', async () => {
		const known = await scene.editor.options('getOwners');
		expect(known.length).toBeGreaterThan(1);
		for (const { name, value } of known.slice(0, -1)) {
			expect(value).toMatch(/^\/users\//);
			expect(name).toMatch(/^Colleague [\da-f-]{36} \((owns|member of|follows|wrote|assigned to) /);
		}
		scene.service.switches.users = 200;
		const credentials = { apiKey: scene.service.apiKey };
		const options = await scene.editor.options('getOwners', { credentials });
		expect(options.find(({ value }) => value === `/users/${USERS[0]}`)?.name).not.toMatch(
			/^Colleague/,
		);
	});

	it('Tag and owner lists note that more may exist until all records are read', async () => {
		expect((await scene.editor.options('getTags')).at(-1)).toEqual(MORE_TAGS);
		expect((await scene.editor.options('getOwners')).at(-1)).toEqual(MORE_USERS);
		const { people, tasks } = scene.service.store;
		for (const id of [...people.keys()].slice(20)) people.delete(id);
		for (const id of [...tasks.keys()].slice(20)) tasks.delete(id);
		jest.advanceTimersByTime(61_000);
		expect((await scene.editor.options('getTags')).at(-1)).toEqual({ ...MORE, name: NAMES });
	});

	it('The editor shows all tags after one request if the service lists tags', async () => {
		scene.service.switches.tags = 200;
		const tags = await scene.editor.options('getTags');
		expect(valuesOf(tags).sort()).toEqual(TAGS.map((id) => `/tags/${id}`).sort());
		expect(scene.requests().map(({ path }) => path)).toEqual(['/tags']);
	});

	it('Opened again within an hour, the list of all tags sends no request', async () => {
		scene.service.switches.tags = 200;
		const tags = await scene.editor.options('getTags');
		jest.advanceTimersByTime(59 * 60_000);
		expect(await scene.editor.options('getTags')).toEqual(tags);
		expect(scene.requests().map(({ path }) => path)).toEqual(['/tags']);
	});

	it.each([403, 404, 405] as const)(
		'After HTTP %d for /tags in the editor, runs skip /tags for an hour',
		async (status) => {
			scene.service.switches.tags = status;
			await scene.editor.options('getTags');
			const asked = async () => {
				scene.clear();
				await scene.person('get', { personId: tagged.id });
				return scene.requests().some(({ path }) => path === '/tags');
			};
			jest.advanceTimersByTime(58 * 60_000);
			expect(await asked()).toBe(false);
			jest.advanceTimersByTime(3 * 60_000);
			expect(await asked()).toBe(true);
		},
	);

	it.each([403, 404, 405] as const)(
		'The list of tags still offers tags if the endpoint /tags answers HTTP %d',
		async (status) => {
			scene.service.switches.tags = status;
			const tags = await scene.editor.options('getTags');
			expect(tags.filter(({ name }) => !name.startsWith('More exist')).length).toBeGreaterThan(0);
		},
	);

	it('The list of tags includes tags from pages that other lists have read', async () => {
		scene.service.store.tasks.clear();
		for (const { id } of PEOPLE) scene.change('people', id, { tags: [] });
		scene.change('people', PEOPLE.at(-1)!.id, { tags: [`/tags/${TAGS[0]}`] });
		expect(await scene.editor.options('getTags')).toEqual([MORE]);
		const { paginationToken } = await scene.editor.list('searchPeople');
		await scene.editor.list('searchPeople', undefined, paginationToken);
		const [tag] = await scene.editor.options('getTags');
		expect(tag).toMatchObject({ value: `/tags/${TAGS[0]}` });
	});

	it('If the key may read no list, the editor offers tags from earlier runs', async () => {
		await scene.person('get', { personId: tagged.id });
		scene.faults({ kind: 'status', status: 403, match: { path: '^/(people|tasks|tags)$' } });
		const tags = await scene.editor.options('getTags');
		expect(valuesOf(tags).sort()).toEqual([NO_CHOICE, ...tagged.tags].sort());
		expect(tags.at(-1)).toEqual(MORE_TAGS);
	});

	it.each([
		['Choose the person first', { personId: { __rl: true as const, mode: 'list', value: '' } }],
		['Choose a credential first', {}],
	])('Without a credential, a drop-down says what to do: "%s"', async (message, parameters) => {
		const setup = { parameters, credentials: null };
		for (const method of ['getTags', 'getSegments', 'getOwners']) {
			expect(await scene.editor.options(method, setup)).toEqual([note(message)]);
		}
		expect(scene.requests()).toEqual([]);
	});

	it('Tag and owner lists offer a chosen value even if no record shows it', async () => {
		const others = { limit: 5, returnAll: false, note: null };
		const chosen = { tags: ['/tags/gone-7f3a21'], filters: { owners: ['/users/left-1'] } };
		const parameters = { ...others, ...chosen };
		const tags = await scene.editor.options('getTags', { parameters });
		expect(tags).toContainEqual({
			name: 'Chosen before (gone-7f3a21)',
			value: '/tags/gone-7f3a21',
		});
		expect(valuesOf(tags)).not.toContain('/users/left-1');
		const owners = await scene.editor.options('getOwners', { parameters });
		expect(owners).toContainEqual({ name: 'Chosen before (left-1)', value: '/users/left-1' });
	});

	it('An unreadable list of segments offers the chosen segment, and gives the reason', async () => {
		const parameters = { segments: [`/segments/${SEGMENTS[0]}`] };
		const credentials = { apiKey: 'wrong' };
		const options = await scene.editor.options('getSegments', { parameters, credentials });
		const refused = `${WRONG_KEY}. Open the credential`;
		expect(options).toEqual([
			{ name: expect.stringMatching(/^Chosen before/), value: `/segments/${SEGMENTS[0]}` },
			note(expect.stringMatching(new RegExp(`^${refused}`))),
		]);
		await expect(scene.editor.options('getSegments', { credentials })).rejects.toMatchObject({
			message: expect.stringMatching(new RegExp(`^${WRONG_KEY}`)),
		});
	});

	it('The label of a nameless colleague shows the whole ID and owned records', async () => {
		const owner = '/users/f8ab49c2';
		scene.change('workspaces', WORKSPACES[0].id, { title: 'Onboarding', owner });
		const rick = { givenName: 'Rick', additionalName: 'van der', familyName: 'Ven', owner };
		scene.change('people', PEOPLE[0].id, rick);
		const name = 'Colleague f8ab49c2 (owns Onboarding, owns Rick van der Ven)';
		expect(await scene.editor.options('getOwners')).toContainEqual({ name, value: owner });
	});

	it('The list of users finds a colleague by the workspace that this colleague owns', async () => {
		const [{ title, owner }] = WORKSPACES;
		const { results } = await scene.editor.list('searchUsers', `owns ${String(title)}`);
		expect(results.map(({ value }) => `/users/${value}`)).toContain(owner);
		expect(results.at(-1)).toEqual(note(`More may exist: choose By Name or ID. ${NAMES}`));
	});
});

describe('an editor list of more than one page', () => {
	const scene = useScene({ seed: { segments: 45, tasks: 60 } });

	it('The locator finds each of 45 segments by title, with two requests in all', async () => {
		for (const { id, title } of scene.service.store.segments.values()) {
			const { results } = await scene.editor.list('searchSegments', title!);
			expect(results).toContainEqual({ name: title, value: id });
		}
		expect(scene.requests()).toHaveLength(2);
	});

	it.each([
		['searchSegments', undefined, 30, 'By Title or ID'],
		['searchTasks', 'no such task', 0, 'By ID'],
	])(
		'Without a free request for its second page, %s shows one page',
		async (method, filter, shown, mode) => {
			const credentials = { requestsPerMinute: 1 };
			const { results } = await scene.editor.list(method, filter, undefined, { credentials });
			expect(results).toHaveLength(shown + 1);
			expect(results.at(-1)).toEqual(
				note(`Only the first 30 were read. More exist: choose ${mode}`),
			);
			expect(scene.requests()).toHaveLength(1);
		},
	);
});

describe('editor lists of more records than the node reads', () => {
	const scene = useScene({ seed: { segments: 320, tasks: 400, people: 1_000 } });
	const cut = (mode: string) => [`Only the first 300 were read. More exist: choose ${mode}`];

	it('A list of segments longer than ten pages says that more exist', async () => {
		const options = await scene.editor.options('getSegments');
		expect(options).toHaveLength(301);
		expect(options.at(-1)).toEqual(MORE);
		const { results } = await scene.editor.list('searchSegments', 'nothing is called so');
		expect(namesOf(results)).toEqual(cut('By Title or ID'));
		expect(scene.requests()).toHaveLength(10);
	});

	it('A search in an editor list stops after ten pages, with a note', async () => {
		const ids = [...scene.service.store.tasks.keys()];
		scene.change('tasks', ids[280], { title: 'Just near enough' });
		scene.change('tasks', ids[390], { title: 'Much too far' });
		const found = await scene.editor.list('searchTasks', 'near ENOUGH');
		expect(valuesOf(found.results)).toContain(ids[280]);
		expect(namesOf((await scene.editor.list('searchTasks', 'too far')).results)).toEqual(
			cut('By ID'),
		);
		expect(scene.requests()).toHaveLength(10);
	});

	it('Of more than 300 workspaces, the service searches those not yet read', async () => {
		for (let number = 1; number <= 320; number++) {
			const workspace = { ...WORKSPACES[0], id: `w${number}`, title: `Region ${number}` };
			scene.change('workspaces', workspace.id, workspace);
		}
		const { results } = await scene.editor.list('searchWorkspaces', 'Region 320');
		expect(namesOf(results)).toEqual([
			'Region 320',
			'More exist: search, or choose By Title or ID',
		]);
		expect(scene.requests()).toHaveLength(11);
		expect(scene.requests().at(-1)?.query).toEqual({ title: 'Region 320', itemsPerPage: '30' });
		const read = await scene.editor.list('searchWorkspaces');
		expect(read.results).toHaveLength(301);
		expect(scene.requests()).toHaveLength(11);
	});

	it('Without search text, the list of tasks ends after two pages with a note', async () => {
		const first = await scene.editor.list('searchTasks');
		expect(first.results).toHaveLength(30);
		const second = await scene.editor.list('searchTasks', undefined, first.paginationToken);
		expect(second.paginationToken).toBeUndefined();
		expect(second.results.at(-1)).toEqual(note('More exist: search, or choose By ID'));
	});

	it('The editor list of a thousand people shows the first thirty, after one request', async () => {
		expect((await scene.editor.list('searchPeople')).results).toHaveLength(30);
		expect(scene.requests()).toHaveLength(1);
	});
});

describe('an editor list that the node cannot read', () => {
	const scene = useScene();
	const locators = [ContactTaskCrm, ContactTaskCrmTrigger].flatMap((Type) => {
		const { name, properties } = new Type().description;
		const options = properties.flatMap((one) => (one.options ?? []) as INodeProperties[]);
		return [...properties, ...options].flatMap(({ displayName: label, modes = [] }) =>
			modes.length === 0 ? [] : [{ ...{ node: name, label }, modes }],
		);
	});

	it('If the list of a locator is unreadable, the error suggests its second mode', async () => {
		const taskId = { __rl: true as const, mode: 'id', value: TASKS[0].id };
		scene.faults(refusal(429));
		for (const { node, label, modes } of locators) {
			const [{ typeOptions }, { displayName }] = modes;
			const setup = { parameters: { taskId }, node };
			const opened = scene.editor.list(typeOptions!.searchListMethod!, '', undefined, setup);
			const { description } = (await opened.catch((error: unknown) => error)) as NodeApiError;
			const expected = expect.stringMatching(new RegExp(`You can also choose ${displayName}$`));
			expect([node, label, description]).toEqual([node, label, expected]);
		}
		expect(new Set(locators.map(({ modes }) => modes[1].displayName))).toEqual(
			new Set(['By ID', 'By Name or ID', 'By Title or ID']),
		);
	});
});

describe('an empty CRM', () => {
	const scene = useScene({ seed: false });
	beforeEach(() => scene.service.store.workspaces.clear());

	it.each([
		['searchPeople', 'The CRM has no people yet'],
		['searchSegments', 'The CRM has no segments yet'],
		['searchTasks', 'The CRM has no tasks yet'],
		['searchWorkspaces', 'This key sees no workspace'],
		['searchColumns', 'No workspace has columns yet'],
		['searchUsers', 'No record shows a user yet'],
	])('If the CRM has no records, the list method %s says so', async (method, message) => {
		await expect(scene.editor.list(method)).rejects.toMatchObject({
			message,
			description: expect.stringMatching(/^\w/) as string,
		});
	});

	it('If no record shows a user, the editor offers the users of the credential', async () => {
		const credentials = { names: '/users/3f2a = Eva de Vries\n/tags/7c1e = VIP' };
		expect(await scene.editor.options('getOwners', { credentials })).toEqual([
			{ name: 'Eva de Vries', value: '/users/3f2a' },
		]);
		const { results } = await scene.editor.list('searchUsers', '', undefined, { credentials });
		expect(results).toEqual([{ name: 'Eva de Vries', value: '3f2a' }]);
	});
});
