import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, TAGS, WORKSPACES } from './support/seeded';

/*
 * Titles with signs that also stand in IRIs. Users give such titles as text: in a cell, by an expression or in a locator.
 */
const scene = useScene();
const [eva] = PEOPLE;
const personId = locator(eva.id);
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

const stored = () => {
	const { segments, tags } = scene.service.store.people.get(eva.id)!;
	return { segments, tags };
};
const reads = (path: string) => scene.requests().filter((request) => request.path === path);

beforeEach(() => {
	scene.service.switches.tags = 200;
	scene.change('people', eva.id, { segments: [], tags: [] });
});

describe('a title with a sign of an IRI', () => {
	it.each([
		'C#',
		'R&D/Sales',
		'#vip',
		'100%',
		'Q1/2026',
		'A/B',
		'n/a',
		'Why?',
		'<b>',
		'tasks/deals',
	])('The title %s finds its tag, segment and workspace', async (title) => {
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
		'The refusal of the unknown title %s lists titles',
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
	])('The malformed reference %s is refused before any request', async (reference) => {
		for (const tags of [reference, `VIP, ${reference}`, [reference]]) {
			const { error } = await scene.person('addTags', { personId, tags });
			expect(error?.message).toBe(`Tags: expected an ID, or /tags/{id}, got "${reference}"`);
		}
		expect(scene.requests()).toEqual([]);
	});

	it.each([`/tags/${TAGS[0]}`, `/api/tags/${TAGS[0]}`, `HTTPS://crm.example/tags/${TAGS[0]}`])(
		'The reference %s needs no lookup of titles',
		async (tags) => {
			await scene.person('update', { personId, updateFields: { tags } });
			expect(stored().tags).toEqual([`/tags/${TAGS[0]}`]);
			expect(reads('/tags')).toEqual([]);
		},
	);
});
