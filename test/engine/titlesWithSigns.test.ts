import { sampled } from '../support/drawn';
import { locator } from './support/fields';
import { Polls } from './support/runPoll';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, TAGS, TASKS, USERS, WORKSPACES } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * Titles with signs that also stand in IRIs or between the entries of a list. Users give such titles as text: in a
 * cell, by an expression or in a locator.
 */
const scene = useScene();
const [eva] = PEOPLE;
const personId = locator(eva.id);
const taskId = locator(TASKS[0].id);
const byColumns = {
	inputMode: 'columns',
	columns: { mappingMode: 'autoMapInputData', matchingColumns: ['email'] },
};
const email = eva.emailAddresses[0].email;

/** Gives records of a collection new titles, in the order of the service. */
function entitle(collection: 'segments' | 'tags' | 'workspaces', ...titles: string[]) {
	const records = scene.service.store[collection] as Map<string, { title: string | null }>;
	for (const [nth, id] of [...records.keys()].slice(0, titles.length).entries()) {
		records.set(id, { ...records.get(id)!, title: titles[nth] });
	}
}

/** Gives the columns of a workspace new titles. */
function entitleColumns(nth: number, ...titles: string[]) {
	const { columns } = [...scene.service.store.workspaces.values()][nth];
	for (const [position, title] of titles.entries()) columns[position].title = title;
}

const stored = () => {
	const { segments, tags } = scene.service.store.people.get(eva.id)!;
	return { segments, tags };
};
const reads = (path: string) => scene.requests().filter((request) => request.path === path);

beforeEach(() => {
	scene.service.switches.tags = 200;
	scene.change('people', eva.id, { segments: [], tags: [] });
});

describe('a title with a sign of IRIs, such as "/" or "#"', () => {
	it.each(
		sampled(
			['C#', 'R&D/Sales', '#vip', '100%', 'Q1/2026', 'A/B', 'n/a', 'Why?', '<b>', 'tasks/deals'],
			4,
		),
	)('The title %s finds its tag, segment and workspace', async (title) => {
		entitle('tags', title);
		entitle('segments', title);
		entitle('workspaces', title);
		const input = [{ email, Tags: title, Segments: title }];
		const { error } = await scene.person('upsert', byColumns, { input });
		expect(error?.message).toBeUndefined();
		expect(stored()).toEqual({
			tags: [`/tags/${TAGS[0]}`],
			segments: [`/segments/${SEGMENTS[0]}`],
		});
		const segment = await scene.segment('get', { segmentId: locator(title) });
		expect(segment.items[0].json.id).toBe(SEGMENTS[0]);
		const filters = { workspaceId: locator(title) };
		const { items } = await scene.task('getAll', { filters, output: 'raw', limit: 1 });
		expect(items[0].json.workspace).toBe(`/workspaces/${WORKSPACES[0].id}`);
	});

	it.each(['C#', 'A/B', '100%'])(
		'The error for the unknown title %s lists the known titles',
		async (tags) => {
			const { error } = await scene.person('addTags', { personId, tags });
			expect(error?.message).toContain(`Tags: no tag has the title "${tags}"; there are `);
			expect(scene.writes()).toEqual([]);
		},
	);

	it.each([
		'/people/xyz',
		'../tags/1',
		'..',
		'tags/7c1e',
		'people/0d5c?page=2',
		'crm.example/api/tags/7c1e',
		'https://crm.example/people/0d5c',
		`/tags/${TAGS[0]}/1`,
	])('Add Tags refuses the malformed reference %s before any request', async (reference) => {
		for (const tags of [reference, `VIP, ${reference}`, [reference]]) {
			const { error } = await scene.person('addTags', { personId, tags });
			expect(error?.message).toBe(`Tags: expected an ID, or /tags/{id}, got "${reference}"`);
		}
		expect(scene.requests()).toEqual([]);
	});

	it.each([`/tags/${TAGS[0]}`, `/api/tags/${TAGS[0]}`, `HTTPS://crm.example/tags/${TAGS[0]}`])(
		'Update takes the reference %s without a lookup of titles',
		async (tags) => {
			await scene.person('update', { personId, updateFields: { tags } });
			expect(stored().tags).toEqual([`/tags/${TAGS[0]}`]);
			expect(reads('/tags')).toEqual([]);
		},
	);
});

describe('a title with a separator', () => {
	const TITLES = ['Beurs, 2026', 'Sales; EMEA', 'A/B, C#'];
	const tag = [`/tags/${TAGS[0]}`];
	const segment = [`/segments/${SEGMENTS[0]}`];
	const whole = (title: string) => {
		const parts = title.split(/[,;]/).map((part) => part.trim());
		entitle('tags', title, ...parts);
		entitle('segments', title, ...parts);
	};

	it.each([...TITLES, '="Beurs, 2026"'])(
		'An import takes the cell "%s" as one tag and one segment',
		async (cell) => {
			whole(cell.replace(/^="|"$/g, ''));
			const input = [{ email, Tags: cell, Segments: cell }];
			const { error } = await scene.person('upsert', byColumns, { input });
			expect(error?.message).toBeUndefined();
			expect(stored()).toEqual({ tags: tag, segments: segment });
		},
	);

	it.each(TITLES)('The node takes "%s" from an expression as one tag or segment', async (title) => {
		whole(title);
		const input = [{ title }];
		const given = '={{ $json.title }}';
		await scene.person('addTags', { personId, tags: given }, { input });
		await scene.person('addToSegments', { personId, segments: given }, { input });
		expect(stored()).toEqual({ tags: tag, segments: segment });
		await scene.person('removeTags', { personId, tags: given }, { input });
		expect(stored()).toEqual({ tags: [], segments: segment });
		const jsonBody = JSON.stringify({ tags: title });
		await scene.person('update', { personId, inputMode: 'json', jsonBody });
		expect(stored()).toEqual({ tags: tag, segments: segment });
		const task = { title: 'Call', status: locator(COLUMNS[0]) };
		await scene.task('create', { ...task, additionalFields: { tags: given } }, { input });
		expect([...scene.service.store.tasks.values()].at(-1)?.tags).toEqual(tag);
	});

	it.each(TITLES)('A preview takes "%s" as one tag', async (title) => {
		whole(title);
		const options = { previewOnly: true };
		const { items } = await scene.person('addTags', { personId, tags: title, options });
		expect(items[0].json.changes).toEqual({ tags: { added: tag, removed: [] } });
	});

	it('A filter takes a title with a comma whole, although its parts are titles', async () => {
		entitle('workspaces', 'Sales, EMEA', 'Sales', 'EMEA');
		entitleColumns(0, 'Lead', 'Won', 'paid', 'Won, paid');
		whole('Beurs, 2026');
		const columnsOf = async (status: string) => {
			const filters = { status: locator(status) };
			const { items, error } = await scene.task('getAll', {
				...{ returnAll: true, output: 'raw', filters },
			});
			expect(error?.message).toBeUndefined();
			return [...new Set(items.map(({ json }) => json.status))].sort();
		};
		expect(await columnsOf('Won, paid')).toEqual([COLUMNS[3]]);
		expect(await columnsOf('Sales, EMEA / Won, paid')).toEqual([COLUMNS[3]]);
		expect(await columnsOf('paid, Won')).toEqual([COLUMNS[1], COLUMNS[2]].sort());
		const tasks = await scene.task('getAll', {
			...{ limit: 1, output: 'raw', filters: { workspaceId: locator('Sales, EMEA') } },
		});
		expect(tasks.items[0].json.workspace).toBe(`/workspaces/${WORKSPACES[0].id}`);
		scene.clear();
		await scene.person('getAll', { limit: 1, filters: { segmentsUuid: 'Beurs, 2026' } });
		expect(reads('/people')[0].query).toMatchObject({ 'segments.uuid': SEGMENTS[0] });
	});

	it('Add Tags reads "Fair, Guest" as two tags beside a tag "Fair Guest"', async () => {
		entitle('tags', 'Fair Guest', 'Fair', 'Guest');
		await scene.person('addTags', { personId, tags: 'Fair, Guest' });
		expect(stored().tags).toEqual([`/tags/${TAGS[1]}`, `/tags/${TAGS[2]}`]);
	});

	it('A title without its comma, as Simplified shows it, still finds its tag', async () => {
		entitle('tags', 'Beurs, 2026');
		await scene.person('addTags', { personId, tags: 'beurs 2026' });
		expect(stored().tags).toEqual(tag);
	});

	it('Add Tags refuses "VIP, NL" as the title of two tags', async () => {
		entitle('tags', 'VIP, NL', 'vip; nl', 'VIP', 'NL');
		const { error } = await scene.person('addTags', { personId, tags: 'VIP, NL' });
		expect(error?.message).toContain('Tags: "VIP, NL" is the title of 2 tags: ');
	});

	it('Add Tags looks two titles up with one request, and IDs with none', async () => {
		const requests = async (tags: string) => {
			scene.clear();
			await scene.person('addTags', { personId, tags });
			return scene.requests().map(({ method, path }) => `${method} ${path}`);
		};
		entitle('tags', 'VIP', 'Partner');
		const two = await requests('VIP, Partner');
		expect(two.filter((request) => request === 'GET /tags')).toHaveLength(1);
		scene.change('people', eva.id, { tags: [] });
		expect(await requests(`${TAGS[0]}, ${TAGS[1]}`)).not.toContain('GET /tags');
	});

	it('A trigger takes a credential name with a comma as one name', async () => {
		const names = `/users/${USERS[0]} = de Vries, Eva\n/users/${USERS[1]} = Eva`;
		const polls = await Polls.open(
			{ url: scene.service.url, apiKey: scene.apiKey },
			{
				parameters: {
					...{ watch: 'people', events: ['personCreated'] },
					filters: { ownerId: '={{ "de Vries, Eva" }}' },
				} as never,
				...{ credentials: { names }, mode: 'manual' },
			},
		);
		await lapse(polls.poll());
		expect(reads('/people')[0].query).toMatchObject({ 'owner.id': USERS[0] });
	});
});

describe('a column whose title begins with that of another workspace', () => {
	it('Beside a workspace "EU", Move finds the column "EU / Won" of another workspace', async () => {
		entitle('workspaces', 'EU');
		entitleColumns(1, 'EU / Won');
		const { columns, id } = [...scene.service.store.workspaces.values()][1];
		entitleColumns(0, 'Lead', 'Open', 'Closed', 'Lost', 'Old');
		const { error } = await scene.task('move', { taskId, status: locator('EU / Won') });
		expect(error?.message).toBeUndefined();
		const status = `/workspaces/${id}/columns/${columns[0].id}`;
		expect((await scene.record(`/tasks/${TASKS[0].id}`)).status).toBe(status);
		expect(reads('/workspaces')).toHaveLength(1);
	});

	it('Move prefers column "Done" of workspace "EU" to a column titled "EU / Done"', async () => {
		entitle('workspaces', 'EU');
		entitleColumns(0, 'Lead', 'Done');
		entitleColumns(1, 'EU / Done');
		await scene.task('move', { taskId, status: locator('EU / Done') });
		expect((await scene.record(`/tasks/${TASKS[0].id}`)).status).toBe(COLUMNS[1]);
	});

	it('Move refuses the title of two columns of another workspace, and lists both', async () => {
		entitle('workspaces', 'EU');
		entitleColumns(1, 'EU / Gone', 'EU/Gone');
		const { error } = await scene.task('move', { taskId, status: locator('EU / Gone') });
		expect(error?.message).toContain('"EU / Gone" is the title of 2 columns: ');
		const [, { columns }] = [...scene.service.store.workspaces.values()];
		for (const { id } of columns.slice(0, 2)) expect(error?.message).toContain(id);
	});
});
