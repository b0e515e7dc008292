import { Lookups } from './support/lookup';
import { useScene } from './support/scene';
import { SEGMENTS, TAGS } from './support/seeded';
import { lapse } from './support/timeLapse';

const MORE = { name: 'More exist: search, or give an ID as an expression', value: ' ' };

const namesOf = (entries: ReadonlyArray<{ name: string }>) => entries.map(({ name }) => name);

describe('45 segments', () => {
	const scene = useScene({ seed: { segments: 45 } });

	it('are all offered by the drop-down, for two requests', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const options = await lapse(lookups.options('getSegments'));
		const titles = [...scene.service.store.segments.values()].map(({ title }) => title);
		expect(namesOf(options).sort()).toEqual(titles.sort());
		expect(scene.requests()).toHaveLength(2);
	});

	it.each([{ viewNext: false }, { view: false }])(
		'are all offered where no page names the next one: %j',
		async (form) => {
			Object.assign(scene.service.switches, form);
			const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
			expect(await lapse(lookups.options('getSegments'))).toHaveLength(45);
			expect(scene.requests()).toHaveLength(2);
		},
	);

	it('can each be found in the locator, for two requests in all', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		for (const { id, title } of scene.service.store.segments.values()) {
			const { results } = await lapse(lookups.list('searchSegments', title!));
			expect(results).toContainEqual({ name: title, value: id });
		}
		expect(scene.requests()).toHaveLength(2);
	});
});

describe('more segments than are read', () => {
	const scene = useScene({ seed: { segments: 320 } });

	it('are said to be more', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const options = await lapse(lookups.options('getSegments'));
		expect(options).toHaveLength(301);
		expect(options.at(-1)).toEqual(MORE);
		const { results } = await lapse(lookups.list('searchSegments', 'nothing is called so'));
		expect(namesOf(results)).toEqual(['Only the first 300 were read. More exist: choose By ID']);
		expect(scene.requests()).toHaveLength(10);
	});
});

describe('tags and owners', () => {
	const scene = useScene();
	let lookups: Lookups;

	beforeEach(() => {
		lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
	});

	it('are labelled with who carries them, and with no number that reads like a total', async () => {
		const tags = await lapse(lookups.options('getTags'));
		const carrier = [...scene.service.store.people.values()].find(
			({ tags: all }) => all.length > 0,
		)!;
		const [tag] = carrier.tags;
		const { name } = tags.find(({ value }) => value === tag)!;
		expect(name).toContain(carrier.familyName!);
		for (const { name: label } of tags.slice(0, -1)) {
			expect(label).toMatch(/^On .+ \([\da-f]{6}\)$/);
			expect(label).not.toMatch(/\d (people|tasks)/);
		}
	});

	it('say last that there may be more, until all records were read', async () => {
		expect((await lapse(lookups.options('getTags'))).at(-1)).toEqual(MORE);
		expect((await lapse(lookups.options('getOwners'))).at(-1)).toEqual(MORE);
		const { people, tasks } = scene.service.store;
		for (const id of [...people.keys()].slice(20)) people.delete(id);
		for (const id of [...tasks.keys()].slice(20)) tasks.delete(id);
		jest.advanceTimersByTime(61_000);
		expect(await lapse(lookups.options('getTags'))).not.toContainEqual(MORE);
	});

	it('are complete where the service lists them, and ask nothing else then', async () => {
		scene.service.switches.tags = 200;
		const tags = await lapse(lookups.options('getTags'));
		expect(tags.map(({ value }) => value).sort()).toEqual(TAGS.map((id) => `/tags/${id}`).sort());
		expect(scene.requests().map(({ path }) => path)).toEqual(['/tags']);
	});

	it('grow with every page that is read for any list', async () => {
		const { people, tasks } = scene.service.store;
		tasks.clear();
		for (const person of people.values()) people.set(person.id, { ...person, tags: [] });
		const last = [...people.values()].at(-1)!;
		people.set(last.id, { ...last, tags: [`/tags/${TAGS[0]}`] });
		expect(await lapse(lookups.options('getTags'))).toEqual([MORE]);
		await lapse(lookups.list('searchPeople', undefined, '2'));
		const [tag] = await lapse(lookups.options('getTags'));
		expect(tag).toMatchObject({ value: `/tags/${TAGS[0]}` });
	});

	it('show what runs have come upon, also where no list can be read', async () => {
		const tagged = [...scene.service.store.people.values()].find(({ tags }) => tags.length > 0)!;
		const parameters = { resource: 'person', operation: 'get', personId: tagged.id };
		await scene.run({ parameters });
		scene.service.switches.faults = [
			{ kind: 'status', status: 403, match: { path: '^/(people|tasks|tags)$' } },
		];
		const tags = await lapse(lookups.options('getTags'));
		expect(tags.map(({ value }) => value).sort()).toEqual([' ', ...tagged.tags].sort());
		expect(tags.at(-1)).toEqual(MORE);
	});

	it('keep what was chosen before, though nothing that was read shows it', async () => {
		const parameters = { tags: ['/tags/gone-7f3a21'], filters: { owners: ['/users/left-1'] } };
		const tags = await lapse(lookups.options('getTags', { parameters }));
		expect(tags).toContainEqual({ name: 'Chosen before (gone-7)', value: '/tags/gone-7f3a21' });
		expect(tags).not.toContainEqual(expect.objectContaining({ value: '/users/left-1' }));
		const owners = await lapse(lookups.options('getOwners', { parameters }));
		expect(owners).toContainEqual({ name: 'Chosen before (left-1)', value: '/users/left-1' });
	});

	it('keep what was chosen before where they cannot be read, and say why', async () => {
		const parameters = { segments: [`/segments/${SEGMENTS[0]}`] };
		const credentials = { apiKey: 'wrong' };
		const options = await lapse(lookups.options('getSegments', { parameters, credentials }));
		expect(options).toEqual([
			{
				name: expect.stringMatching(/^Chosen before/),
				value: `/segments/${SEGMENTS[0]}`,
			},
			{
				name: expect.stringMatching(
					/^The service did not accept the API key\. Open the credential/,
				),
				value: ' ',
			},
		]);
		await expect(lapse(lookups.options('getSegments', { credentials }))).rejects.toMatchObject({
			message: expect.stringMatching(/^The service did not accept the API key/),
		});
	});

	it('give an owner to a person who is created, and none where the last entry is picked', async () => {
		const { results } = await lapse(lookups.list('searchUsers'));
		const [user] = results;
		scene.clear();
		for (const value of [user.value, results.at(-1)!.value]) {
			const owner = { __rl: true, mode: 'list', value };
			const parameters = { resource: 'person', operation: 'create', familyName: 'Owned' };
			await scene.run({ parameters: { ...parameters, additionalFields: { owner } } });
		}
		expect(scene.sent().map(({ body }) => body)).toEqual([
			{ familyName: 'Owned', owner: `/users/${user.value}` },
			{ familyName: 'Owned' },
		]);
	});

	it('are found by who shows them', async () => {
		const [workspace] = scene.service.store.workspaces.values();
		const { results } = await lapse(lookups.list('searchUsers', `owner of ${workspace.title}`));
		expect(results.map(({ value }) => `/users/${value}`)).toContain(workspace.owner);
		expect(results.at(-1)).toEqual({ name: 'More may exist: choose By ID', value: ' ' });
	});

	it('are offered with a key that may not read people', async () => {
		scene.service.switches.faults = [{ kind: 'status', status: 403, match: { path: '^/people$' } }];
		const owners = await lapse(lookups.options('getOwners'));
		expect(owners.length).toBeGreaterThan(1);
		expect(owners.at(-1)).toEqual(MORE);
	});
});

describe('archived workspaces', () => {
	const scene = useScene();

	it('come last, and are marked', async () => {
		const all = [...scene.service.store.workspaces.values()];
		const archived = all.filter(({ archivedAt }) => archivedAt);
		expect(archived.length).toBeGreaterThan(0);
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const columns = namesOf((await lapse(lookups.list('searchColumns'))).results);
		const marked = columns.filter((name) => name.endsWith(' (archived)'));
		expect(marked).toHaveLength(archived.flatMap((workspace) => workspace.columns).length);
		expect(columns.slice(-marked.length)).toEqual(marked);
		const { results } = await lapse(lookups.list('searchWorkspaces'));
		expect(namesOf(results).slice(-archived.length)).toEqual(
			archived.map(({ title }) => `${title} (archived)`),
		);
	});
});

describe('400 tasks', () => {
	const scene = useScene({ seed: { tasks: 400 } });

	it('are searched as far as the tenth page, and no further without saying so', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const tasks = [...scene.service.store.tasks.values()];
		const [near, far] = [tasks[280], tasks[390]];
		scene.service.store.tasks.set(near.id, { ...near, title: 'Just near enough' });
		scene.service.store.tasks.set(far.id, { ...far, title: 'Much too far' });
		const found = await lapse(lookups.list('searchTasks', 'near ENOUGH'));
		expect(found.results).toContainEqual(expect.objectContaining({ value: near.id }));
		const cut = await lapse(lookups.list('searchTasks', 'too far'));
		expect(namesOf(cut.results)).toEqual([
			'Only the first 300 were read. More exist: choose By ID',
		]);
		expect(scene.requests()).toHaveLength(10);
	});

	it('are listed for two pages, of which the second says that more exist', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const first = await lapse(lookups.list('searchTasks'));
		expect(first.results).toHaveLength(30);
		const second = await lapse(lookups.list('searchTasks', undefined, first.paginationToken));
		expect(second.paginationToken).toBeUndefined();
		expect(second.results.at(-1)).toEqual({
			name: 'More exist: search, or choose By ID',
			value: ' ',
		});
	});
});

describe('a person', () => {
	const scene = useScene();

	it('seen lately is found by a part of the e-mail address, though the service finds nobody', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const { results } = await lapse(lookups.list('searchPeople'));
		const [person] = [...scene.service.store.people.values()].filter(
			({ emailAddresses }) => emailAddresses.length > 0,
		);
		expect(results.map(({ value }) => value)).toContain(person.id);
		scene.service.switches.faults = [{ kind: 'status', status: 200, body: { member: [] } }];
		const part = person.emailAddresses[0].email!.slice(1, -3);
		const found = await lapse(lookups.list('searchPeople', part));
		expect(found.results.map(({ value }) => value)).toEqual([person.id]);
	});

	it('whose name a run has come upon is shown as the service finds it, with the e-mail address', async () => {
		const lookups = new Lookups({ url: scene.service.url, apiKey: scene.apiKey });
		const [person] = [...scene.service.store.people.values()].filter(
			({ emailAddresses }) => emailAddresses.length > 0,
		);
		await scene.run({
			parameters: { resource: 'person', operation: 'get', personId: person.id },
		});
		const { results } = await lapse(lookups.list('searchPeople', person.familyName!));
		expect(results.find(({ value }) => value === person.id)?.name).toContain(
			`(${person.emailAddresses[0].email})`,
		);
	});
});
