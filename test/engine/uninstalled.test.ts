import { nodeTypes } from './support/runNode';
import { items, useScene } from './support/scene';

const COUNT = 50;
const WORDS = 'n8n did not send the request: Unrecognized credential type: contactTaskCrmApi';

const create = { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' };
const people = items(COUNT, (index) => ({ name: `Person ${index}` }));

describe('a run whose package is uninstalled while it waits for the rate limit', () => {
	const scene = useScene();
	const uninstallAfter = async (requests: number) => {
		const types = await nodeTypes();
		scene.onRequest(requests, () => types.unload());
	};
	afterEach(async () => {
		await (await nodeTypes()).reload();
	});

	it('ends with what n8n says, and says that nothing more was sent', async () => {
		await uninstallAfter(5);
		const { error } = await scene.run({ parameters: create, input: people });
		expect(error?.message).toContain(WORDS);
		expect(error?.description).toMatch(/^The package of this node was uninstalled while it ran/);
		expect(scene.requests().length).toBeLessThan(8);
	});

	it('gives each item, those that were not sent with the reason, and without waiting any longer', async () => {
		await uninstallAfter(5);
		const before = Date.now();
		const { items: given } = await scene.run({
			parameters: create,
			input: people,
			onError: 'continueRegularOutput',
		});
		const done = given.filter(({ json }) => json.id !== undefined);
		expect(given).toHaveLength(COUNT);
		expect(done).toHaveLength(scene.requests().length);
		for (const { json } of given.slice(done.length)) expect(json.error).toBe(WORDS);
		expect(Date.now() - before).toBeLessThan(60_000);
	});
});
