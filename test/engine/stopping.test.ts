/* eslint-disable @n8n/community-nodes/no-restricted-globals -- watches for unhandled rejections */
import { sleep } from 'n8n-workflow';
import type { Fault } from '../service';
import { startService } from '../service';
import { itInCi } from '../support/drawn';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import { OPERATIONS } from './support/requests';
import type { NodeSetup } from './support/runNode';
import { nodeTypes, resultOf, runNode, startNode } from './support/runNode';
import type { Scene } from './support/scene';
import { items, useScene } from './support/scene';
import { PEOPLE, TAGS } from './support/seeded';
import { lapse } from './support/timeLapse';

const create = { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' };
/** Items that read run at the same time; items that write go one at a time. */
const get = { resource: 'person', operation: 'get', personId: locator('={{ $json.id }}') };
const ids = (count: number) => items(count, (index) => ({ id: `p-${index}` }));
const people = (count: number) => items(count, (index) => ({ name: `Person ${index}` }));

const unhandled: unknown[] = [];
const collect = (reason: unknown) => unhandled.push(reason);

const accessOf = ({ service, apiKey }: Scene) => ({ url: service.url, apiKey });

/**
 * Starts a run and cancels it after a while. The run must end within a second, and send nothing more for two minutes.
 */
async function cancelAfter(scene: Scene, ms: number, setup: Partial<NodeSetup>) {
	const { execution } = await startNode(accessOf(scene), { parameters: create, ...setup });
	await lapse(sleep(ms));
	const cancelledAt = Date.now();
	const sentBefore = scene.requests().length;
	execution.cancel();
	const run = await lapse(execution);
	expect(Date.now() - cancelledAt).toBeLessThanOrEqual(1_000);
	await lapse(sleep(120_000));
	expect(scene.requests()).toHaveLength(sentBefore);
	return { run, sentBefore };
}

describe('a run that ends early', () => {
	const scene = useScene();

	beforeEach(() => {
		unhandled.length = 0;
		process.on('unhandledRejection', collect);
	});
	afterEach(() => {
		process.off('unhandledRejection', collect);
		expect(unhandled).toEqual([]);
	});

	itInCi('A run stops sending after a refusal, and says how many items are done', async () => {
		scene.faults(refusal(422, { method: 'POST', nth: 2 }));
		const { error, items: results } = await scene.run({ parameters: create, input: people(300) });
		expect(results).toEqual([]);
		expect(scene.requests().length).toBeLessThanOrEqual(5);
		const done = scene.requests().filter(({ status }) => status === 201).length;
		expect(error?.message).toContain(`${done} of 300 items done, ${300 - done - 1} not sent`);
		expect(error?.message).toContain('[row 2: ');
	});

	it('A run sends nothing if the expression of item 5 of 10 fails', async () => {
		const { error } = await scene.run({
			parameters: {
				...create,
				familyName: "={{ $json.fails ? $('No such node').item.json.name : $json.name }}",
			},
			input: items(10, (index) => ({ name: `Person ${index}`, fails: index === 4 })),
		});
		expect(error?.message).toMatch(/node/);
		await lapse(sleep(120_000));
		expect(scene.requests()).toEqual([]);
	});

	itInCi(
		'A run cancelled while waiting for a slot ends within a second, keeping results',
		async () => {
			const { run, sentBefore } = await cancelAfter(scene, 10_000, { input: people(40) });
			expect(sentBefore).toBe(20);
			expect(resultOf(run).items).toHaveLength(20);
			expect(run.status).toBe('canceled');
		},
	);

	it.each([
		['while the service answers 429', refusal(429), 5_000, {}],
		// Cancels between two tries: the first retries come up to 10.5 s after the first try, the next one from 15 s on.
		['between two tries', refusal(503), 12_500, { parameters: OPERATIONS.GET }],
	])(
		'A run cancelled %s ends within a second, and retries nothing',
		async (_, fault, ms, setup) => {
			scene.faults(fault);
			const { sentBefore } = await cancelAfter(scene, ms, { input: people(3), ...setup });
			expect(sentBefore).toBeGreaterThan(0);
		},
	);

	it('A cancelled run does not retry a request whose 429 comes later', async () => {
		scene.service.switches.latencyAfterMs = 100;
		scene.faults(refusal(429));
		const setup = { parameters: create, input: people(3) };
		const { execution } = await startNode(accessOf(scene), setup);
		scene.onRequest(1, () => execution.cancel());
		const run = await lapse(execution);
		const sent = scene.requests().length;
		await lapse(sleep(120_000));
		expect(scene.requests().map(({ status }) => status)).toEqual(Array(sent).fill(429));
		expect(run.status).toBe('canceled');
	});

	itInCi('A cancelled run says how many items may have taken effect', async () => {
		scene.faults({ kind: 'slow' });
		const { run, sentBefore } = await cancelAfter(scene, 5_000, { input: people(10) });
		expect(resultOf(run).error).toMatchObject({
			message: `The run was canceled while this request was under way (0 of 10 items done, ${10 - sentBefore} not sent, ${sentBefore} may have taken effect)`,
			description:
				'Whether it took effect is not known: look for the person before you run this item again',
		});
		expect(run.status).toBe('canceled');
	});

	itInCi("A cancelled run that waits for another run's write ends within a second", async () => {
		const personId = locator(PEOPLE[0].id);
		const add = { resource: 'person', operation: 'addTags', personId, tags: [TAGS[0]] };
		scene.faults({ kind: 'slow', match: { first: 1 } });
		const other = scene.run({ parameters: add, onError: 'continueRegularOutput' });
		await lapse(sleep(1_000));
		const { execution } = await startNode(accessOf(scene), { parameters: add });
		await lapse(sleep(1_000));
		const cancelledAt = Date.now();
		execution.cancel();
		await lapse(execution);
		expect(Date.now() - cancelledAt).toBeLessThanOrEqual(1_000);
		await other;
		// The other run reads again and then writes. This one sent nothing.
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH']);
	});

	it('A run stopped by a failure retries no 429, and counts only successes', async () => {
		scene.service.switches.latencyAfterMs = 100;
		scene.faults(refusal(422, { nth: 1 }), refusal(429, { nth: 2 }));
		const { error } = await scene.run({ parameters: get, input: ids(3) });
		expect(error?.message).toContain('(0 of 3 items done, 2 not sent)');
		await lapse(sleep(120_000));
		expect(scene.requests()).toHaveLength(2);
	});

	it('If the first write of a run fails, the run sends no other write', async () => {
		scene.faults(refusal(422, { nth: 1 }));
		const { error } = await scene.run({ parameters: create, input: people(10) });
		expect(error?.message).toContain('(0 of 10 items done, 9 not sent)');
		expect(scene.requests()).toHaveLength(1);
	});

	itInCi(
		'A run stopped by a failure ends within seven seconds despite an unanswered request',
		async () => {
			scene.faults(refusal(422, { nth: 1 }), { kind: 'slow', match: { nth: 2 } });
			const startedAt = Date.now();
			const { error } = await scene.run({ parameters: get, input: ids(10) });
			expect(Date.now() - startedAt).toBeLessThanOrEqual(7_000);
			expect(error?.message).toContain('(0 of 10 items done, 9 not sent)');
			expect(scene.requests()).toHaveLength(2);
		},
	);

	it('If n8n retries after a failed item, the new run finishes all items', async () => {
		scene.faults(refusal(400, { method: 'POST', nth: 2 }));
		const { items: results, error } = await scene.run({
			parameters: create,
			input: people(3),
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(results).toHaveLength(3);
	});
});

describe('a node that executes once', () => {
	const scene = useScene();

	it('With Execute Once, the node runs only the first item, and reports its failure', async () => {
		const setup = { input: people(13), executeOnce: true };
		const { error, items: results } = await scene.run({ parameters: create, ...setup });
		expect(error).toBeUndefined();
		expect(results).toHaveLength(1);
		expect(scene.request().body).toEqual({ familyName: 'Person 0' });
		const nowhere = { ...create, familyName: '={{ $json.nowhere }}' };
		const failed = await scene.run({ parameters: nowhere, ...setup });
		expect(failed.error?.message).toBe('Family Name is empty');
	});
});

describe('a run that stops while another request is under way', () => {
	itInCi('A run stopped by a failure awaits a request under way, and counts it', async () => {
		// In real time, because the stand-in's delay does not follow the test clock.
		const service = await startService();
		const slow: Fault = { kind: 'slow', afterMs: 1_500, match: { nth: 2 } };
		service.switches.faults = [refusal(422, { nth: 1 }), slow];
		const list = { resource: 'segment', operation: 'getAll', limit: '={{ $json.limit }}' };
		const input = items(10, (index) => ({ limit: index + 1 }));
		const { error } = await runNode(service, { parameters: list, input });
		await service.close();
		expect(error?.message).toContain('(1 of 10 items done, 8 not sent)');
		expect(service.requests).toHaveLength(2);
	});
});

const COUNT = 50;
const WORDS = 'n8n did not send the request: Unrecognized credential type: contactTaskCrmApi';

describe('a run whose package is uninstalled while it waits for the rate limit', () => {
	const scene = useScene();
	afterEach(async () => {
		await (await nodeTypes()).reload();
	});

	itInCi(
		'If On Error continues, each unsent item of an uninstalled package gives the reason',
		async () => {
			const types = await nodeTypes();
			scene.onRequest(5, () => types.unload());
			const before = Date.now();
			const { items: given } = await scene.run({
				parameters: create,
				input: people(COUNT),
				onError: 'continueRegularOutput',
			});
			const done = given.filter(({ json }) => json.id !== undefined);
			expect(given).toHaveLength(COUNT);
			expect(done).toHaveLength(scene.requests().length);
			for (const { json } of given.slice(done.length)) {
				expect(json).toMatchObject({
					error: WORDS,
					details: {
						howToGoOn: expect.stringMatching(/^The package of this node was uninstalled/),
					},
				});
			}
			expect(Date.now() - before).toBeLessThan(60_000);
		},
	);
});
