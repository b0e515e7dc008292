/* eslint-disable @n8n/community-nodes/no-restricted-globals -- watches for unhandled rejections */
import { sleep } from 'n8n-workflow';
import { locator } from './support/fields';
import { OPERATIONS } from './support/requests';
import type { NodeSetup } from './support/runNode';
import { resultOf, startNode } from './support/runNode';
import type { Scene } from './support/scene';
import { items, useScene } from './support/scene';
import { PEOPLE } from './support/seeded';
import { lapse } from './support/timeLapse';

const create = { resource: 'person', operation: 'create', familyName: '={{ $json.name }}' };
const people = (count: number) => items(count, (index) => ({ name: `Person ${index}` }));

const unhandled: unknown[] = [];
const collect = (reason: unknown) => unhandled.push(reason);

/** Starts a run, cancels it after a while, and then lets two minutes pass. */
async function cancelAfter(scene: Scene, ms: number, setup: Partial<NodeSetup>) {
	const { url } = scene.service;
	const started = await startNode({ url, apiKey: scene.apiKey }, { parameters: create, ...setup });
	const execution = started.execution;
	await lapse(sleep(ms));
	const cancelledAt = Date.now();
	execution.cancel();
	const run = await lapse(execution);
	const tookMs = Date.now() - cancelledAt;
	await lapse(sleep(120_000));
	return { run, tookMs };
}

describe('a run that stops at the first failure', () => {
	const scene = useScene();

	beforeEach(() => {
		unhandled.length = 0;
		process.on('unhandledRejection', collect);
	});
	afterEach(() => {
		process.off('unhandledRejection', collect);
		expect(unhandled).toEqual([]);
	});

	it('sends nothing once the service has refused item 2 of 1,000, and says how many were done', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 422, body: 'json', match: { method: 'POST', nth: 2 } },
		];
		const { error, items: results } = await scene.run({ parameters: create, input: people(1000) });
		expect(results).toEqual([]);
		expect(scene.requests().length).toBeLessThanOrEqual(5);
		const done = scene.requests().filter(({ status }) => status === 201).length;
		expect(error?.message).toContain(`${done} of 1000 items done, ${1000 - done - 1} not sent`);
		expect(error?.context.itemIndex).toBe(1);
	});

	it('sends nothing where the expression of item 5 of 10 fails', async () => {
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

	it('sends nothing where a value of item 5 of 10 is found wrong', async () => {
		const { error } = await scene.run({
			parameters: { ...create, additionalFields: { owner: '={{ $json.owner }}' } },
			input: items(10, (index) => ({ name: 'x', owner: index === 4 ? '../tags/1' : '1' })),
		});
		expect(error?.message).toMatch(/^Owner: expected an ID/);
		expect(error?.context.itemIndex).toBe(4);
		expect(scene.requests()).toEqual([]);
	});

	it('ends within a second when it is cancelled while it waits for a slot, and keeps what was done', async () => {
		const { run, tookMs } = await cancelAfter(scene, 10_000, { input: people(100) });
		expect(tookMs).toBeLessThanOrEqual(1_000);
		expect(scene.requests()).toHaveLength(20);
		expect(resultOf(run).items).toHaveLength(20);
		expect(run.status).toBe('canceled');
	});

	it('ends within a second when it is cancelled while the service refuses, and sends nothing again', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 429, body: 'json', headers: { 'retry-after': '25' } },
		];
		const { tookMs } = await cancelAfter(scene, 5_000, { input: people(3) });
		expect(tookMs).toBeLessThanOrEqual(1_000);
		expect(scene.requests()).toHaveLength(2);
	});

	it('sends no request again that comes back refused after the run was cancelled', async () => {
		scene.service.switches.latencyAfterMs = 200;
		scene.service.switches.faults = [{ kind: 'status', status: 429, body: 'json' }];
		const { run, tookMs } = await cancelAfter(scene, 100, { input: people(3) });
		expect(tookMs).toBeLessThanOrEqual(1_000);
		expect(scene.requests()).toHaveLength(2);
		expect(run.status).toBe('canceled');
	});

	it('ends within a second when it is cancelled before another try', async () => {
		scene.service.switches.faults = [{ kind: 'status', status: 503 }];
		const { tookMs } = await cancelAfter(scene, 20_000, { parameters: OPERATIONS.GET });
		expect(tookMs).toBeLessThanOrEqual(1_000);
	});

	it('says in words of its own what may have taken effect when it is cancelled meanwhile', async () => {
		scene.service.switches.faults = [{ kind: 'slow' }];
		const { run, tookMs } = await cancelAfter(scene, 5_000, { input: people(10) });
		expect(tookMs).toBeLessThanOrEqual(1_000);
		expect(scene.requests()).toHaveLength(2);
		expect(resultOf(run).error).toMatchObject({
			message:
				'The run was canceled while this request was under way (0 of 10 items done, 8 not sent, 2 may have taken effect)',
			description:
				'Whether it took effect is not known: look for the person before you run this item again',
		});
		expect(run.status).toBe('canceled');
	});

	it('ends within a second when it is cancelled while it waits for its turn on a person', async () => {
		const add = {
			resource: 'person',
			operation: 'addTags',
			personId: locator(PEOPLE[0].id),
			tags: ['t-1'],
		};
		scene.service.switches.faults = [{ kind: 'slow', match: { first: 1 } }];
		const other = scene.run({ parameters: add, onError: 'continueRegularOutput' });
		await lapse(sleep(1_000));
		const { tookMs } = await cancelAfter(scene, 1_000, { parameters: add });
		expect(tookMs).toBeLessThanOrEqual(1_000);
		// The other run reads again and then writes; this one sent nothing.
		expect(scene.requests().map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH']);
		await other;
	});

	it('counts only what was done, and sends nothing that is refused once it has stopped', async () => {
		scene.service.switches.latencyAfterMs = 100;
		scene.service.switches.faults = [
			{ kind: 'status', status: 422, body: 'json', match: { nth: 1 } },
			{ kind: 'status', status: 429, body: 'json', match: { nth: 2 } },
		];
		const { error } = await scene.run({ parameters: create, input: people(3) });
		expect(error?.message).toContain('(0 of 3 items done, 2 not sent)');
		await lapse(sleep(120_000));
		expect(scene.requests()).toHaveLength(2);
	});

	it('ends within seconds where another request gets no answer, and counts what may have taken effect', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 422, body: 'json', match: { nth: 1 } },
			{ kind: 'slow', match: { nth: 2 } },
		];
		const startedAt = Date.now();
		const { error } = await scene.run({ parameters: create, input: people(10) });
		expect(Date.now() - startedAt).toBeLessThanOrEqual(7_000);
		expect(error?.message).toContain('(0 of 10 items done, 8 not sent, 1 may have taken effect)');
		expect(scene.requests()).toHaveLength(2);
	});

	it('is a new run when n8n tries the node again', async () => {
		scene.service.switches.faults = [
			{ kind: 'status', status: 400, body: 'json', match: { method: 'POST', nth: 2 } },
		];
		const { items: results, error } = await scene.run({
			parameters: create,
			input: people(3),
			retryOnFail: true,
		});
		expect(error).toBeUndefined();
		expect(results).toHaveLength(3);
	});
});

describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'a run that goes on (%s)',
	(onError) => {
		const scene = useScene();

		it('does every other item, and links each failure to its item', async () => {
			scene.service.switches.faults = [
				{ kind: 'status', status: 422, body: 'json', match: { method: 'POST', nth: 2 } },
			];
			const { items: results, errorItems } = await scene.run({
				parameters: create,
				input: people(5),
				onError,
			});
			const failed = onError === 'continueErrorOutput' ? errorItems : results;
			expect(results).toHaveLength(onError === 'continueErrorOutput' ? 4 : 5);
			expect(failed.find(({ json }) => json.error !== undefined)).toMatchObject({
				pairedItem: { item: 1 },
			});
		});

		it('does every other item where a value of one is found wrong before anything is sent', async () => {
			const { items: results, errorItems } = await scene.run({
				parameters: { resource: 'person', operation: 'get', personId: '={{ $json.id }}' },
				input: [{ id: 'a/b' }, { id: '' }, {}],
				onError,
			});
			const failed = onError === 'continueErrorOutput' ? errorItems : results;
			expect(failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toMatchObject([
				{
					json: { error: expect.stringMatching(/^Person: expected an ID/) },
					pairedItem: { item: 0 },
				},
				{ json: { error: 'Person is empty' }, pairedItem: { item: 1 } },
				{ json: { error: 'Person is empty' }, pairedItem: { item: 2 } },
			]);
			expect(scene.requests()).toEqual([]);
		});
	},
);

describe('a node that executes once', () => {
	const scene = useScene();

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'does the first of the items that it is given (%s)',
		async (onError) => {
			const { error, items: results } = await scene.run({
				parameters: create,
				input: people(13),
				executeOnce: true,
				onError,
			});
			expect(error).toBeUndefined();
			expect(results).toHaveLength(1);
			expect(scene.request().body).toEqual({ familyName: 'Person 0' });
		},
	);

	it('fails with the item that it did', async () => {
		const { error } = await scene.run({
			parameters: { ...create, familyName: '={{ $json.nowhere }}' },
			input: people(13),
			executeOnce: true,
		});
		expect(error?.message).toBe('Family Name is empty');
		expect(scene.requests()).toEqual([]);
	});
});
