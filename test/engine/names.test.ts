import { answer } from './support/faults';
import { locator } from './support/fields';
import { Polls } from './support/runPoll';
import { useScene } from './support/scene';
import { PEOPLE, TAGS, TASKS, USERS } from './support/seeded';
import { lapse } from './support/timeLapse';

const scene = useScene();

const tagged = PEOPLE.find(({ owner, tags }) => owner && tags.length > 0)!;
const [tag] = tagged.tags;
const owner = tagged.owner!;
const other = `/tags/${TAGS.find((id) => !tagged.tags.includes(`/tags/${id}`))!}`;
const assigned = TASKS.find(({ assignees }) => assignees.length > 0)!;
const [assignee] = assigned.assignees;

const names = [
	'# Colleagues',
	`${owner} = Eva de Vries`,
	...(assignee === owner ? [] : [`${assignee} = Ada Bos`]),
	'',
	'# Tags',
	`${tag.slice('/tags/'.length)} = VIP`,
	`${other} = 2026`,
].join('\n');
const assigneeName = assignee === owner ? 'Eva de Vries' : 'Ada Bos';
const credentials = { names };
const personId = locator(tagged.id);
const tagsOf = (id: string) => scene.service.store.people.get(id)!.tags;

describe('a name that the credential gives a user or tag', () => {
	it('If the service gives no names, the output shows names from the credential', async () => {
		const { items } = await scene.person('get', { personId }, { credentials });
		expect(items[0].json.owner).toBe('Eva de Vries');
		expect(String(items[0].json.tags).split(', ')[0]).toBe('VIP');
		const tasks = await scene.task('get', { taskId: locator(assigned.id) }, { credentials });
		expect(String(tasks.items[0].json.assignees).split(', ')[0]).toBe(assigneeName);
	});

	it('A run uses no names of another credential, even with the same key', async () => {
		await scene.person('get', { personId }, { credentials });
		const { items } = await scene.person('get', { personId });
		expect(items[0].json.owner).toBe(owner.slice('/users/'.length));
	});

	it("The output prefers a name from the list of users to the credential's", async () => {
		Object.assign(scene.service.switches, { users: 200 });
		const { items } = await scene.person('get', { personId }, { credentials });
		const listed = scene.service.store.users.get(owner.slice('/users/'.length))!;
		expect(items[0].json.owner).toContain(listed.familyName ?? listed.title);
		expect(String(items[0].json.tags).split(', ')[0]).toBe('VIP');
	});

	it('Add Tags finds names in the credential, and requests the absent tag list once', async () => {
		const parameters = { personId, tags: '={{ $json.tag }}' };
		const input = [{ tag: 'vip' }, { tag: '2026' }];
		const { error } = await scene.person('addTags', parameters, { credentials, input });
		expect(error?.message).toBeUndefined();
		expect(tagsOf(tagged.id)).toEqual([...tagged.tags, other]);
		expect(scene.requests().filter(({ path }) => path === '/tags')).toHaveLength(1);
	});

	it.each(['VIP', 'Nobody knows 1'])(
		'Add Tags takes the path in brackets behind the title "%s"',
		async (title) => {
			const tags = `${title} (${other})`;
			const { error } = await scene.person('addTags', { personId, tags }, { credentials });
			expect(error?.message).toBeUndefined();
			expect(tagsOf(tagged.id)).toEqual([...tagged.tags, other]);
			expect(scene.requests().map(({ path }) => path)).not.toContain('/tags');
		},
	);

	it('Get Many finds a credential name although the filter has extra blanks', async () => {
		const filters = { ownerId: ['Eva  de \u00A0 Vries'] };
		const { error } = await scene.person('getAll', { filters }, { credentials });
		expect(error?.message).toBeUndefined();
		const id = owner.slice('/users/'.length);
		expect(scene.requests().some(({ query }) => query['owner.id'] === id)).toBe(true);
	});

	it('Get Many filters people and tasks by names from the credential', async () => {
		const filters = { tagsId: ['VIP'], ownerId: ['Eva de Vries'] };
		const parameters = { returnAll: true, filters, output: 'raw' };
		const people = await scene.person('getAll', parameters, { credentials });
		const expected = PEOPLE.filter((one) => one.owner === owner && one.tags.includes(tag));
		expect(people.items).toHaveLength(expected.length);
		const byAssignee = { returnAll: true, filters: { assignees: [assigneeName] }, output: 'raw' };
		const tasks = await scene.task('getAll', byAssignee, { credentials });
		expect(tasks.items.map(({ json }) => json.id)).toEqual(
			TASKS.filter(({ assignees }) => assignees.includes(assignee)).map(({ id }) => id),
		);
	});

	it('Editor lists offer names from the credential, even of a user without records', async () => {
		const more = { ...credentials, names: `${names}\n/users/new-1 = Zoë Blom\nnew-2 = Nobody` };
		const owners = await scene.editor.options('getOwners', { credentials: more });
		expect(owners).toContainEqual({ name: 'Eva de Vries', value: owner });
		expect(owners).toContainEqual({ name: 'Zoë Blom (not seen yet)', value: '/users/new-1' });
		expect(owners.map(({ name }) => name)).not.toContain('Nobody');
		const { results } = await scene.editor.list('searchUsers', 'eva', undefined, { credentials });
		expect(results[0]).toEqual({ name: 'Eva de Vries', value: owner.slice('/users/'.length) });
		const tags = await scene.editor.options('getTags', { credentials });
		expect(tags).toContainEqual({ name: 'VIP', value: tag });
	});

	it('Add Tags refuses a name of two tags in the credential, and lists both', async () => {
		const twice = { names: `${tag} = VIP\n${other} = vip` };
		const { error } = await scene.person(
			'addTags',
			{ personId, tags: 'VIP' },
			{ credentials: twice },
		);
		expect(error?.message).toContain(`"VIP" is the title of 2 tags: VIP (${tag}), vip (${other})`);
		expect(scene.writes()).toEqual([]);
	});

	it("If service and credential name different tags alike, a filter takes the service's tag", async () => {
		scene.service.switches.tags = 200;
		const [, elsewhere] = [...scene.service.store.tags.values()].filter(
			({ id }) => !tag.endsWith(id),
		);
		const mine = { names: `${tag} = ${elsewhere.title}` };
		const parameters = { returnAll: true, filters: { tagsId: [elsewhere.title] }, output: 'raw' };
		await scene.person('getAll', parameters, { credentials: mine });
		const asked = scene.requests().find(({ path }) => path === '/people');
		expect(asked?.query).toMatchObject({ 'tags.id': elsewhere.id });
	});

	it('If the service lists tags, Add Tags takes credential names only for listed tags', async () => {
		scene.service.switches.tags = 200;
		const mine = { names: `${tag} = Best of All\n/tags/gone-1 = Gone` };
		const add = async (tags: string) =>
			await scene.person(
				'addTags',
				{ personId: locator(PEOPLE[0].id), tags },
				{ credentials: mine },
			);
		expect((await add('Best of All')).error).toBeUndefined();
		expect((await add('Gone')).error?.message).toContain('no tag has the title "Gone"');
	});

	const bare = (iri: string) => iri.slice(iri.lastIndexOf('/') + 1);

	it('In the credential, a name for a bare user ID names no tag', async () => {
		const mine = { names: `${bare(owner)} = Eva de Vries\n${other} = 2026` };
		await scene.person('get', { personId }, { credentials: mine });
		const add = async (tags: string) =>
			(await scene.person('addTags', { personId, tags }, { credentials: mine })).error?.message;
		for (const text of ['VIP', 'Eva de Vries']) {
			expect(await add(text)).toContain(`no tag has the title "${text}"; there are 2026. `);
		}
		const filters = { ownerId: ['Eva de Vries'] };
		const parameters = { returnAll: true, filters, output: 'raw' };
		const { items } = await scene.person('getAll', parameters, { credentials: mine });
		expect(items.length).toBeGreaterThan(0);
		const tags = await scene.editor.options('getTags', { credentials: mine });
		expect(tags.map(({ name }) => name)).not.toContain('Eva de Vries');
	});

	it('Add Tags refuses a credential name if no record shows its ID as tag', async () => {
		const mine = { names: `${bare(owner)} = Eva de Vries` };
		const parameters = { personId, tags: 'Eva de Vries' };
		const { error } = await scene.person('addTags', parameters, { credentials: mine });
		expect(error?.message).toBe(
			`Tags: the CRM has shown no tag with the ID of "Eva de Vries" in the credential. If it is a tag, write /tags/${bare(owner)} = Eva de Vries there, under Names of Users and Tags`,
		);
		expect(scene.writes()).toEqual([]);
	});

	it('Add Tags checks a tag ID without /tags/ in the credential by one request', async () => {
		const mine = { names: `${bare(other)} = 2026` };
		const [holder] = PEOPLE.filter(({ tags }) => tags.includes(other));
		expect(holder).toBeDefined();
		const { error } = await scene.person(
			'addTags',
			{ personId, tags: '2026' },
			{ credentials: mine },
		);
		expect(error?.message).toBeUndefined();
		expect(tagsOf(tagged.id)).toEqual([...tagged.tags, other]);
		const asked = scene.requests().filter(({ path }) => path === '/people');
		expect(asked.map(({ query }) => query)).toEqual([
			{ 'tags.id': bare(other), itemsPerPage: '1' },
		]);
	});

	it.each([
		['/users/7', '/users/7 = Zoë Blom\n/users/8 = Ada Bos', '"Zoë Blom"'],
		['/users/7 or /users/8', '/users/7 = Zoë Blom\n/users/8 = Ada Bos', '"Zoë Blom", "Ada Bos"'],
	])(
		'If the service refuses %s, the advice gives the names in the credential',
		async (refused, given, quotation) => {
			const detail = `Item not found for ${refused}.`;
			scene.faults({ ...answer({ title: 'An error occurred', detail }), status: 400 } as never);
			const parameters = { familyName: 'Bos', additionalFields: { owner: locator('Zoë Blom') } };
			const mine = { names: given };
			const { error } = await scene.person('create', parameters, { credentials: mine });
			expect(error?.message).toContain(`Item not found for ${refused}`);
			expect(error?.description).toMatch(
				new RegExp(
					`^The credential gives the ID for ${quotation}\\. Check it under Names of Users and Tags\\. Check`,
				),
			);
			const { error: other } = await scene.person('create', { familyName: 'Bos' });
			expect(other?.description).toMatch(/^Check the values/);
		},
	);

	it('The refusal of an unknown tag advises to enter its name in the credential', async () => {
		const { error } = await scene.person('addTags', { personId, tags: 'VIP' });
		expect(error?.message).toContain('no tag has the title "VIP"');
		expect(error?.message).toContain('in the credential, under Names of Users and Tags');
	});

	it('The refusal of an unknown assignee lists the names of the credential', async () => {
		const filters = { assignees: 'Nobody' };
		const { error } = await scene.task('getAll', { filters }, { credentials });
		expect(error?.message).toContain('no user has the name "Nobody"; there are ');
		expect(error?.message).toContain('Eva de Vries');
	});
});

describe('a trigger whose credential names users and tags', () => {
	const open = async (parameters: object) =>
		await Polls.open(
			{ url: scene.service.url, apiKey: scene.apiKey },
			{ parameters: parameters as never, credentials, mode: 'manual' },
		);
	const created = { watch: 'people', events: ['personCreated'] };

	it('A trigger shows names from the credential in items, and takes them in filters', async () => {
		const filters = { tagsId: ['VIP'], ownerId: ['Eva de Vries'] };
		const [item] = (await lapse((await open({ ...created, filters })).poll()))!;
		expect(item.owner).toBe('Eva de Vries');
		expect(String(item.tags).split(', ')).toContain('VIP');
		const asked = scene.requests().find(({ path }) => path === '/people');
		expect(asked?.query).toMatchObject({
			'tags.id': tag.slice('/tags/'.length),
			'owner.id': owner.slice('/users/'.length),
		});
	});

	it('A trigger outputs a task in the same form as the operation Get', async () => {
		const parameters = { watch: 'tasks', events: ['taskUpdated'], options: {} };
		const [item] = (await lapse((await open(parameters)).poll()))!;
		const { items } = await scene.task(
			'get',
			{ taskId: locator(String(item.id)) },
			{ credentials },
		);
		expect(item).toMatchObject(items[0].json);
	});
});

describe('the list entry "More exist"', () => {
	const CHOSEN = '<not a choice>';

	it.each([
		['Owner', 'person', 'getAll', { filters: { ownerId: [CHOSEN] } }],
		['Tag', 'person', 'getAll', { filters: { tagsId: [`/tags/${TAGS[0]}`, CHOSEN] } }],
		['Assignee', 'task', 'getAll', { filters: { assignees: [CHOSEN] } }],
		['Column', 'task', 'getAll', { filters: { status: locator(CHOSEN, 'list') } }],
		['Workspace', 'task', 'getAll', { filters: { workspaceId: locator(CHOSEN, 'list') } }],
		['Tags', 'person', 'addTags', { personId: locator(tagged.id), tags: [CHOSEN] }],
		[
			'Owner',
			'person',
			'create',
			{ familyName: 'Bos', additionalFields: { owner: locator(CHOSEN, 'list') } },
		],
	] as const)(
		'The node refuses the list entry "More exist" as %s of %s %s',
		async (label, resource, operation, parameters) => {
			const { error } = await scene[resource](operation, parameters);
			expect(error?.message).toMatch(
				new RegExp(
					`^${label}: the entry chosen from the list is a note and no record.*Choose another one, or give an ID, name or title`,
				),
			);
			expect(scene.requests()).toEqual([]);
		},
	);

	it('n8n runs no node whose required locator holds the list entry "More exist"', async () => {
		const run = scene.person('get', { personId: locator(CHOSEN, 'list') });
		await expect(run).rejects.toThrow('Person: this entry of the list is a note');
		expect(scene.requests()).toEqual([]);
	});

	it('A trigger refuses "More exist" as a choice for a filter', async () => {
		const owners = await scene.editor.options('getOwners');
		expect(owners.at(-1)?.value).toBe(CHOSEN);
		scene.clear();
		const parameters = {
			watch: 'people',
			events: ['personCreated'],
			filters: { ownerId: [CHOSEN] },
		};
		const polls = await Polls.open(
			{ url: scene.service.url, apiKey: scene.apiKey },
			{ parameters },
		);
		await expect(lapse(polls.poll())).rejects.toThrow(/^Owner: the entry chosen from the list/);
		expect(scene.requests()).toEqual([]);
	});
});

it("The output prefers a user's name in the record to the credential's", async () => {
	const owned = { ...PEOPLE[0], owner: { '@id': `/users/${USERS[0]}`, name: 'Eva' } };
	scene.faults(answer({ ...owned, '@id': `/people/${PEOPLE[0].id}` }));
	const mine = { names: `/users/${USERS[0]} = Someone Else` };
	const parameters = { personId: locator(PEOPLE[0].id) };
	const { items } = await scene.person('get', parameters, { credentials: mine });
	expect(items[0].json.owner).toBe('Eva');
});
