import { refusal } from './support/faults';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, ORGANIZATIONS, PEOPLE, SEGMENTS, TAGS, TASKS } from './support/seeded';

/*
 * A text such as B2B or 2026 may be a title or an ID. In a collection with titles, the title goes first. In any other
 * collection, a text without the form of the other IDs is refused before a write.
 */
const TITLES = ['B2B', '2026', 'Q4'];
const [eva] = PEOPLE;
const personId = locator(eva.id);
const columns = { inputMode: 'columns', columns: { mappingMode: 'autoMapInputData' } };
const byColumns = { ...columns, columns: { ...columns.columns, matchingColumns: ['email'] } };

describe('a title with a digit', () => {
	const scene = useScene();
	const segmentIri = `/segments/${SEGMENTS[1]}`;
	const tagIri = `/tags/${TAGS[1]}`;

	/** Gives a segment and a tag this title. The person Eva has neither. */
	function entitle(title: string) {
		const { segments, tags } = scene.service.store;
		segments.set(SEGMENTS[1], { ...segments.get(SEGMENTS[1])!, title });
		tags.set(TAGS[1], { ...tags.get(TAGS[1])!, title });
		scene.service.switches.tags = 200;
		scene.change('people', eva.id, { segments: [], tags: [] });
	}
	const eachOf = async (changes: object) => {
		scene.change('people', eva.id, changes);
		const { id, emailAddresses } = eva;
		return { id, email: emailAddresses[0].email };
	};
	const stored = () => {
		const { segments, tags } = scene.service.store.people.get(eva.id)!;
		return { segments, tags };
	};

	it.each(TITLES)(
		'The title %s in an input column finds its segment and its tag',
		async (title) => {
			entitle(title);
			const { email } = await eachOf({});
			// A spreadsheet gives 2026 as a number.
			const cell = Number(title) || title;
			const input = [{ email, Segments: cell, Tags: cell }];
			const { error } = await scene.person('upsert', byColumns, { input });
			expect(error?.message).toBeUndefined();
			expect(stored()).toEqual({ segments: [segmentIri], tags: [tagIri] });
		},
	);

	it.each(TITLES)(
		'In Add to Segments and Add Tags, the title %s finds segment and tag',
		async (title) => {
			entitle(title);
			await scene.person('addToSegments', { personId, segments: [title] });
			await scene.person('addTags', { personId, tags: [title] });
			expect(stored()).toEqual({ segments: [segmentIri], tags: [tagIri] });
		},
	);

	it.each(TITLES)(
		'In Remove from Segments and Remove Tags, the title %s finds segment and tag',
		async (title) => {
			entitle(title);
			await eachOf({ segments: [segmentIri], tags: [tagIri] });
			await scene.person('removeFromSegments', { personId, segments: [title] });
			await scene.person('removeTags', { personId, tags: [title] });
			expect(stored()).toEqual({ segments: [], tags: [] });
		},
	);

	it.each(TITLES)('The title %s finds its segment and its tag in filters', async (title) => {
		entitle(title);
		await eachOf({ segments: [segmentIri], tags: [tagIri] });
		const filters = { segmentsUuid: title, tagsId: title };
		const { items, error } = await scene.person('getAll', { filters, returnAll: true });
		expect(error?.message).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toContain(eva.id);
		const [{ query }] = scene.requests().filter(({ path }) => path === '/people');
		expect(query).toMatchObject({ 'segments.uuid': SEGMENTS[1], 'tags.id': TAGS[1] });
	});

	it('Add to Segments refuses a title that no segment has, and lists the titles', async () => {
		const { error } = await scene.person('addToSegments', { personId, segments: ['B2C'] });
		expect(error?.message).toMatch(/^Segments: no segment has the title "B2C"; there are /);
		expect(scene.writes()).toEqual([]);
	});

	it('Add to Segments refuses the title of two segments', async () => {
		for (const id of SEGMENTS.slice(0, 2)) entitleSegment(id, 'B2B');
		const { error } = await scene.person('addToSegments', { personId, segments: ['B2B'] });
		expect(error?.message).toMatch(/^Segments: "B2B" is the title of 2 segments: /);
		expect(scene.writes()).toEqual([]);
	});

	function entitleSegment(id: string, title: string) {
		const { segments } = scene.service.store;
		segments.set(id, { ...segments.get(id)!, title });
	}

	it('Without a tag list, the node refuses a tag that cannot be an ID', async () => {
		const { error } = await scene.person('update', { personId, updateFields: { tags: 'B2B' } });
		expect(error?.message).toMatch(/^Tags: no tag has the title "B2B"/);
		expect(error?.message).toContain('Names of Users and Tags');
		expect(scene.writes()).toEqual([]);
	});

	it('Update looks up no title for an ID in the form of a UUID', async () => {
		await scene.person('update', { personId, updateFields: { segments: SEGMENTS[1] } });
		expect(scene.requests().map(({ method }) => method)).toEqual(['PATCH']);
	});

	it('If the key may not list segments, Update sends the text as an ID', async () => {
		scene.faults(
			refusal(403, { path: '/segments' }),
			refusal(403, { path: '/people', method: 'GET' }),
		);
		await scene.person('update', { personId, updateFields: { segments: 's-1' } });
		const [write] = scene.writes();
		expect(write.body).toEqual({ segments: ['/segments/s-1'] });
	});
});

describe('a text that does not look like an ID', () => {
	const scene = useScene();
	const task = { title: 'Call', status: locator(COLUMNS[0]) };

	it.each(['WEB-1', '1001', 'Acme', 1001])(
		'Create refuses %j as parent of a task, since it cannot be an ID',
		async (parent) => {
			const { error } = await scene.task('create', { ...task, additionalFields: { parent } });
			expect(error?.message).toBe(
				`Parent Task: expected an ID such as ${TASKS[0].id}, or /tasks/{id}, got "${parent}"`,
			);
			expect(scene.writes()).toEqual([]);
		},
	);

	it.each(['Acme', 'Acme Inc.', '9d0c'])(
		'Create or Update refuses a column Organizations with %j, which is no ID',
		async (organizations) => {
			const input = [{ email: 'new@crm.example', familyName: 'Bos', organizations }];
			const { error } = await scene.person('upsert', byColumns, { input });
			expect(error?.message).toMatch(
				/^Organizations: expected an ID.*, or \/organizations\/\{id\}, got /,
			);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('The node learns the form of IDs by one request for all runs', async () => {
		const parameters = { personId, updateFields: { organizations: '={{ $json.id }}' } };
		const input = ['Acme', 'Beta', 'Acme'].map((id) => ({ id }));
		for (let run = 0; run < 2; run++) {
			await scene.person('update', parameters, { input, onError: 'continueErrorOutput' });
		}
		expect(scene.sent().map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /people']);
	});

	it.each([ORGANIZATIONS[0], ORGANIZATIONS[0].toUpperCase(), `/organizations/${ORGANIZATIONS[0]}`])(
		'The node sends the organization %s without a further request',
		async (organizations) => {
			await scene.person('update', { personId, updateFields: { organizations } });
			expect(scene.requests().map(({ method }) => method)).toEqual(['PATCH']);
		},
	);

	it('Create sends an IRI even if its ID differs in form from other IDs', async () => {
		await scene.task('getAll', { limit: 1, output: 'raw' });
		scene.clear();
		const parent = '/tasks/WEB-1';
		await scene.task('create', { ...task, additionalFields: { parent } });
		expect(scene.writes()[0].body).toMatchObject({ parent });
	});

	it('Get requests a task even if the given ID looks unlike other IDs', async () => {
		await scene.task('get', { taskId: locator(TASKS[0].id), output: 'raw' });
		scene.clear();
		const { error } = await scene.task('get', { taskId: locator('WEB-1') });
		expect(error?.message).toMatch(/^The task "WEB-1" does not exist/);
		expect(scene.requests()).toHaveLength(1);
	});

	it('Get Many refuses an organization name as filter of tasks, before it reads tasks', async () => {
		const filters = { organizations: 'Acme' };
		const { error } = await scene.task('getAll', { filters });
		expect(error?.message).toMatch(/^Organization: expected an ID/);
		expect(scene.requests().map(({ path }) => path)).not.toContain('/tasks');
	});
});
