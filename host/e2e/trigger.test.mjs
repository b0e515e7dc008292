// Tests the trigger in the editor of a real n8n: run with `npm run test:n8n -- e2e`. Takes a few minutes, because n8n polls at
// most every minute.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { ask, askForAll, setSwitches } from '../service.mjs';
import { inEditor, picture, setUp, tearDown } from './stage.mjs';
import { crmTrigger, workflowOf } from './workflows.mjs';

/** The editor lists the node as the app, with its events below. */
const APP = 'Contact Task CRM';
const TRIGGER = 'Contact Task CRM Trigger';
const EVENTS = [
	'On comment added to a task',
	'On entry added to the history of a task',
	'On person added to a segment',
	'On person created',
	'On person removed from a segment',
	'On person updated',
	'On task or deal completed',
	'On task or deal created',
	'On task or deal due',
	'On task or deal moved to another column',
	'On task or deal updated',
];

/** Time for two polls, one per minute, and for the editor to show their result. */
const TWO_POLLS_MS = 150_000;
/** n8n tries five times before it reports why it cannot publish a workflow. */
const GIVES_UP_MS = 60_000;

before(setUp);
after(tearDown);

/** Adds the trigger to an empty canvas, like a user who searches for the app. */
async function startWith(editor, list) {
	await editor.newWorkflow();
	await editor.openTriggers();
	await editor.creator.search(APP);
	await editor.creator.choose(APP);
	await editor.creator.choose(list);
	await editor.node.waitUntilOpen();
}

inEditor(
	'the editor shows the trigger under the name of the app, with all events',
	async ({ editor, t }) => {
		const { creator } = editor;
		await editor.newWorkflow();
		await editor.openTriggers();
		for (const word of [APP, 'CRM', 'contacts', 'deals', 'tasks', 'segments']) {
			await creator.search(word);
			const names = await creator.names();
			const place = names.indexOf(APP) + 1;
			t.diagnostic(`"${word}": ${place} of ${names.length}`);
			assert.ok(place >= 1 && (await creator.isSeen(APP)), `"${word}" finds it in place ${place}`);
		}
		await creator.search(APP);
		assert.deepEqual(await creator.names(), [APP]);
		await creator.choose(APP);
		await creator.found(EVENTS[0]).waitFor();
		await creator.found(APP).waitFor({ state: 'hidden' });
		assert.deepEqual((await creator.names()).sort(), EVENTS);
		const icons = creator.panel.locator('img:visible');
		for (const { source, width } of await icons.evaluateAll((images) =>
			images.map(({ src: source, naturalWidth: width }) => ({ source, width })),
		)) {
			assert.match(source, /\/contactTaskCrm\.svg$/);
			assert.ok(width > 0, `${source} is not shown`);
		}
		assert.equal(await icons.count(), 1 + EVENTS.length);
	},
);

/** Most clicks from the empty canvas to a published trigger. */
const MOST_CLICKS = 4;

for (const { list, watch } of [
	{ list: 'On task or deal moved to another column', watch: 'Tasks' },
	{ list: 'On person updated', watch: 'People' },
]) {
	// Every mouse click counts. The user types the name of the node, takes the first result with Enter, and closes the
	// panel with Escape. With the mouse alone, each of these two steps is one click more, for any trigger of n8n.
	inEditor(
		`at most four clicks publish a trigger with its default settings: ${list}`,
		async ({ editor, service, t }) => {
			await editor.saveCredential('CRM', service);
			await editor.newWorkflow();
			await editor.openTriggers();
			await editor.creator.search(APP);
			await editor.creator.takeFirst();
			await editor.creator.choose(list);
			await editor.node.waitUntilOpen();
			assert.equal(await editor.node.chosen('watch'), watch);
			await editor.node.leave();
			await editor.publish();
			await editor.waitUntilPublished();
			t.diagnostic(`clicks from the empty canvas to the published trigger: ${editor.clicks}`);
			assert.ok(editor.clicks <= MOST_CLICKS, `${editor.clicks} clicks`);
		},
	);
}

/** Returns the time when a task was last changed. */
const touchedAt = ({ updatedAt, createdAt }) => Date.parse(updatedAt ?? createdAt);

inEditor(
	'a trigger set up by clicks shows the newest record, and starts its workflow',
	async ({ editor, service, t }) => {
		// A higher limit, so that requests of the test do not use up n8n's.
		await setSwitches(service, { rateLimit: { limit: 100 } });
		const [sales] = (await askForAll(service, '/workspaces')).filter(
			({ title }) => title === 'Sales',
		);
		const [proposal, won] = ['Proposal', 'Won'].map(
			(title) => sales.columns.find((column) => column.title === title)['@id'],
		);

		await editor.saveCredential('CRM', service);
		await startWith(editor, 'On task or deal moved to another column');
		const { node } = editor;
		assert.equal(await node.chosen('watch'), 'Tasks');
		assert.equal(await node.chosen('mode'), 'Every Minute');
		await node.addField('Add Filter', 'Column');
		await node.openLocator('status');
		await node.records.first().waitFor();
		await node.pickRecord('Sales / Proposal');

		const inProposal = (await askForAll(service, '/tasks')).filter(
			({ status }) => status === proposal,
		);
		const newest = Math.max(...inProposal.map(touchedAt));
		await node.execute();
		const [sample, ...others] = await node.readTable();
		await node.waitUntilIdle();
		assert.deepEqual(others, []);
		assert.equal(sample.status, proposal);
		const titles = inProposal.filter((task) => touchedAt(task) === newest);
		assert.ok(titles.some(({ title }) => title === sample.title));
		await picture(editor, 'trigger', { x: 490, y: 66, width: 885, height: 660 });
		await node.close();

		await editor.publish();
		await editor.waitUntilPublished();
		t.diagnostic(`clicks from the empty canvas to the published workflow: ${editor.clicks}`);
		await editor.showExecutions();
		// The execution of the test event.
		await editor.executions.waitFor();

		const [moved, elsewhere] = (await askForAll(service, '/tasks')).filter(
			({ status }) => ![proposal, won].includes(status),
		);
		await ask(service, 'PATCH', `/tasks/${elsewhere.id}`, { status: won });
		await ask(service, 'PATCH', `/tasks/${moved.id}`, { status: proposal });
		const movedAt = Date.now();
		await editor.executions.nth(1).waitFor({ timeout: TWO_POLLS_MS });
		t.diagnostic(`an execution ${Math.round((Date.now() - movedAt) / 1000)} s after the move`);

		await editor.click(editor.executions.first());
		await editor.openNode(TRIGGER);
		const rows = await node.readTable();
		assert.deepEqual(
			rows.map(({ id, status, previousStatus }) => ({ id, status, previousStatus })),
			[{ id: moved.id, status: proposal, previousStatus: moved.status }],
		);
	},
	{ timeout: 300_000 },
);

/** Opens a workflow that starts when a person joins a segment. */
async function openWithSegment(editor, service, value) {
	const credential = await editor.saveCredential('CRM', service);
	const trigger = crmTrigger(TRIGGER, credential, {
		watch: 'segment',
		events: ['personAddedToSegment'],
		segmentId: { __rl: true, mode: 'id', value },
	});
	const nothing = { name: 'Nothing', type: 'n8n-nodes-base.noOp', typeVersion: 1 };
	await editor.openWorkflow(await editor.saveWorkflow(workflowOf('Segment', [nothing], trigger)));
}

async function tryWithSegment(editor, service, value) {
	await openWithSegment(editor, service, value);
	await editor.openNode(TRIGGER);
	await editor.node.execute();
	return await editor.node.readFailure();
}

const WRONG = [
	{ of: 'that of a task', idOf: async (service) => (await askForAll(service, '/tasks'))[0].id },
	// The service ignores the filter, and returns all people.
	{ of: 'no ID of the service', idOf: async () => 'newsletter' },
];

for (const { of, idOf } of WRONG) {
	inEditor(
		`a test run of the trigger names a wrong segment ID: ${of}`,
		async ({ editor, service, t }) => {
			const id = await idOf(service);
			const failure = await tryWithSegment(editor, service, id);
			t.diagnostic(failure.replace(/\n+/g, ' ¶ '));
			assert.ok(failure.includes(`The segment "${id}" does not exist`));
			assert.match(failure, /Check the ID/);
		},
	);
}

inEditor(
	'n8n does not publish a workflow with a wrong segment ID, and says why',
	async ({ editor, service, t }) => {
		await openWithSegment(editor, service, 'newsletter');
		await editor.publish();
		const refusal = editor.notifications.getByText('The segment "newsletter" does not exist');
		await refusal.waitFor({ timeout: GIVES_UP_MS });
		t.diagnostic((await editor.notifications.allInnerTexts()).join(' ').replace(/\n+/g, ' ¶ '));
	},
);
