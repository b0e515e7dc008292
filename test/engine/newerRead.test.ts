import { sleep } from 'n8n-workflow';
import { changeSwitches } from '../service/switches';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { PEOPLE, SEGMENTS, TAGS } from './support/seeded';
import { lapse } from './support/timeLapse';

const scene = useScene();
const [{ id, emailAddresses }] = PEOPLE;
const [{ email = '' }] = emailAddresses as Array<{ email: string }>;
const personId = locator(id);
const [A, B, C, D] = TAGS.map((tag) => `/tags/${tag}`);
const held = () => scene.service.store.people.get(id)!;
const pass = async (ms: number) => await lapse(sleep(ms));

describe('what a colleague changed after a write of the node', () => {
	it('Add to Segments keeps a segment that a colleague added just after the create', async () => {
		const { items } = await scene.person('create', {
			familyName: 'Bos',
			email: 'bos@mail.example',
		});
		const created = String(items[0].json.id);
		const [vip, newsletter] = SEGMENTS.map((segment) => `/segments/${segment}`);
		scene.change('people', created, { segments: [vip] });
		await pass(4_000);
		await scene.person('addToSegments', {
			personId: locator(created),
			segments: [newsletter],
		});
		expect(scene.service.store.people.get(created)!.segments).toEqual([vip, newsletter]);
	});

	it.each([
		['keeps updatedAt when tags change', 0, []],
		['keeps updatedAt when tags change', 110_000, []],
		['shows no updatedAt', 0, ['updatedAt']],
		['shows no updatedAt', 60_000, ['updatedAt']],
	])(
		"If the service %s, Add Tags keeps a colleague's tag (after %s ms)",
		async (_, ms, omitFields) => {
			changeSwitches(scene.service.switches, { omitFields });
			scene.change('people', id, { tags: [A] });
			const { updatedAt } = held();
			await scene.person('addTags', { personId, tags: [B] });
			scene.change('people', id, { updatedAt });
			await pass(1_500);
			scene.change('people', id, { tags: [B, C] });
			await pass(ms);
			const add = { personId, tags: [D] };
			const { items } = await scene.person('addTags', { ...add, options: { previewOnly: true } });
			expect(items[0].json.changes).toEqual({ tags: { added: [D], removed: [] } });
			await scene.person('addTags', add);
			expect(held().tags).toEqual([B, C, D]);
		},
	);

	it("Create or Update overwrites a colleague's newer value, and its preview shows both values", async () => {
		const upsert = { email, additionalFields: { jobTitle: 'Chef' } };
		await scene.person('upsert', upsert);
		scene.change('people', id, { jobTitle: 'Director' });
		await pass(60_000);
		const preview = await scene.person('upsert', { ...upsert, options: { previewOnly: true } });
		const changes = { jobTitle: { from: 'Director', to: 'Chef' } };
		expect(preview.items[0].json).toMatchObject({ preview: 'update', changes });
		const { items } = await scene.person('upsert', upsert);
		expect(items[0].json).toMatchObject({ result: 'updated', changes });
		expect(held().jobTitle).toBe('Chef');
	});
});

describe('a create that is answered with an error', () => {
	const upsert = {
		...{ email: 'new@mail.example', familyName: 'Jansen' },
		additionalFields: { jobTitle: 'Buyer' },
	};
	const changes = {
		familyName: { from: null, to: 'Jansen' },
		jobTitle: { from: null, to: 'Buyer' },
		emailAddresses: { added: [{ email: 'new@mail.example' }], removed: [] },
	};
	const badGateway = {
		kind: 'status',
		status: 502,
		stored: true,
		match: { method: 'POST' },
	} as const;

	it.each([0, 2_000])(
		'After a create with HTTP 502, a retry reports "created" (reads lag %s ms)',
		async (readsLagMs) => {
			changeSwitches(scene.service.switches, { readsLagMs });
			scene.faults(badGateway);
			const { items, error } = await scene.person('upsert', upsert, { retryOnFail: true });
			expect(error?.message).toBeUndefined();
			expect(items[0].json).toMatchObject({ result: 'created', changes });
			expect(scene.writes()).toHaveLength(1);
			const again = await scene.person('upsert', upsert);
			expect(again.items[0].json.result).toBe('unchanged');
		},
	);

	it('After HTTP 502 for a create, the next item reports the person as created', async () => {
		scene.faults(badGateway);
		const input = [{}, {}, {}];
		const { items } = await scene.person('upsert', upsert, {
			...{ input, onError: 'continueRegularOutput' },
		});
		expect(items.map(({ json }) => json.result)).toEqual([...['failed', 'created', 'unchanged']]);
	});

	it.each([
		[502, 6_000],
		[422, 0],
	])(
		'A create after another failed create (HTTP %d, %d ms ago) needs one lookup',
		async (status, ms) => {
			scene.faults({ ...badGateway, status, stored: false });
			const failed = await scene.person('upsert', upsert);
			expect(failed.error).toBeDefined();
			scene.faults();
			await pass(ms);
			const before = scene.requests().length;
			const { items } = await scene.person('upsert', upsert);
			expect(items[0].json.result).toBe('created');
			const sent = scene.requests().slice(before);
			expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST']);
		},
	);
});

describe('reads that lag two seconds behind writes', () => {
	beforeEach(() => changeSwitches(scene.service.switches, { readsLagMs: 2_000 }));

	it.each(['each write moves updatedAt', 'the service shows no updatedAt'])(
		'If %s, a person gets the tags of three items despite lagging reads',
		async (time) => {
			const omitFields = time === 'each write moves updatedAt' ? [] : ['updatedAt'];
			changeSwitches(scene.service.switches, { omitFields });
			scene.change('people', id, { tags: [] });
			const input = [A, B, C].map((tag) => ({ tag }));
			await scene.person('addTags', { personId, tags: '={{ [$json.tag] }}' }, { input });
			expect(held().tags).toEqual([A, B, C]);
		},
	);

	it('If each write moves updatedAt, three runs add their tags despite lagging reads', async () => {
		scene.change('people', id, { tags: [] });
		for (const tag of [A, B, C]) await scene.person('addTags', { personId, tags: [tag] });
		expect(held().tags).toEqual([A, B, C]);
	});

	it("If another user reverts the previous item's change, Add Tags reads the person twice", async () => {
		scene.change('people', id, { tags: [A] });
		const input = [B, C].map((tag) => ({ tag }));
		// Another user reverts the change of the first item.
		scene.onRequest(3, () => scene.change('people', id, { tags: [A] }));
		await scene.person('addTags', { personId, tags: '={{ [$json.tag] }}' }, { input });
		expect(held().tags).toEqual([A, C]);
		expect(scene.requests().map(({ method }) => method)).toEqual([
			...['GET', 'PATCH', 'GET', 'GET', 'PATCH'],
		]);
	});
});
