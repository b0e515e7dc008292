import { changeSwitches } from '../service/switches';
import { itInCi } from '../support/drawn';
import { locator } from './support/fields';
import { runNode } from './support/runNode';
import { useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * A write whose read has become too old reads again, twice at most. In these tests, few requests a minute are left for
 * the run, so that writes wait for their slots.
 */
const scene = useScene();
const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const stored = (id: string) => scene.service.store.people.get(id)!;
const sentBetween = () =>
	scene.requests().map(({ method, status }) => (status === 429 ? '429' : method));

/** Lets the service accept so many requests a minute, of the limit of the credential. */
const allow = (limit: number) => changeSwitches(scene.service.switches, { rateLimit: { limit } });

describe('a write that waits for its slot', () => {
	const add = { operation: 'addTags', personId: locator('={{ $json.id }}'), tags: [A] };

	itInCi('At one request a minute, Add Tags reads three times, and then writes', async () => {
		allow(1);
		const [{ id }] = PEOPLE;
		scene.change('people', id, { tags: [B] });
		scene.onRequest(3, () => scene.change('people', id, { tags: [B, C] }));
		const { error } = await scene.run({
			parameters: { resource: 'person', ...add },
			...{ input: [{ id }], credentials: { requestsPerMinute: 1 } },
		});
		expect(error?.message).toBeUndefined();
		expect(sentBetween()).toEqual(['GET', 'GET', 'GET', 'PATCH']);
		expect(stored(id).tags).toEqual([B, C, A]);
	});

	itInCi('At 4 accepted requests a minute, Add Tags writes within 15 s of reading', async () => {
		allow(4);
		const people = PEOPLE.slice(0, 8);
		for (const { id } of people) scene.change('people', id, { tags: [B] });
		const running = runNode(
			{ url: scene.service.url, apiKey: scene.apiKey },
			{
				parameters: { resource: 'person', ...add },
				input: people.map(({ id }) => ({ id })),
			},
		);
		const { error } = await lapse(running);
		expect(error?.message).toBeUndefined();
		expect(sentBetween()).toContain('429');
		const log = scene.requests().filter(({ status }) => status !== 429);
		const writes = log.filter(({ method }) => method === 'PATCH');
		expect(writes).toHaveLength(people.length);
		for (const write of writes) {
			const reads = log.slice(0, log.indexOf(write)).filter(({ path }) => path === write.path);
			expect(write.at - reads.at(-1)!.at).toBeLessThanOrEqual(15_000);
		}
		for (const { id } of people) expect(stored(id).tags).toEqual([B, A]);
	});
});

describe('a create that waits for its slot', () => {
	const parameters = {
		...{ resource: 'person', operation: 'upsert', email: 'new@crm.example' },
		...{ familyName: 'Jansen', additionalFields: { jobTitle: 'Buyer' } },
	};
	const refused = {
		...({ kind: 'status', status: 429, headers: { 'Retry-After': '120' } } as const),
		match: { method: 'POST', nth: 1 },
	};

	it('Create or Update looks up again if its create waits longer than 90 s', async () => {
		scene.faults(refused);
		scene.onRequest(2, () => {
			const theirs = { ...PEOPLE[0], id: scene.service.store.newId('people'), jobTitle: null };
			const emailAddresses = [{ email: 'new@crm.example' }];
			scene.service.store.people.set(theirs.id, { ...theirs, emailAddresses });
		});
		const { items } = await scene.run({ parameters });
		expect(items[0].json).toMatchObject({ result: 'updated', jobTitle: 'Buyer' });
		expect(sentBetween()).toEqual(['GET', '429', 'GET', 'PATCH']);
	});

	it('Create or Update creates the person after a second lookup without a match', async () => {
		scene.faults(refused);
		const { items } = await scene.run({ parameters });
		expect(items[0].json).toMatchObject({ result: 'created', jobTitle: 'Buyer' });
		expect(sentBetween()).toEqual(['GET', '429', 'GET', 'POST']);
	});

	itInCi(
		'After an unanswered create, another spelling of the address creates no second person',
		async () => {
			allow(1);
			scene.faults({ kind: 'reset', stored: true, match: { method: 'POST', nth: 1 } });
			const [one, two] = PEOPLE.filter(({ emailAddresses }) => emailAddresses.length === 1);
			const known = [one, two].map(({ emailAddresses }) => emailAddresses[0].email);
			const input = ['NEW@crm.example', ...known, 'new@crm.example'].map((email) => ({ email }));
			await scene.run({
				parameters: { ...parameters, email: '={{ $json.email }}' },
				...{ input, credentials: { requestsPerMinute: 1 }, onError: 'continueRegularOutput' },
			});
			expect(scene.writes().filter(({ method }) => method === 'POST')).toHaveLength(1);
		},
	);
});
