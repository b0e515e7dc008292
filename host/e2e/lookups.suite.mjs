import assert from 'node:assert/strict';
import { requestsOf } from '../service.mjs';
import { setSwitches, useUpTheLimit } from '../service.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, NODE_TYPE, workflowOf } from './workflows.mjs';

const CREATE_TASK = { resource: 'task', operation: 'create', title: 'Call back' };
const NAME = 'CRM';

/** Opens a node with these parameters. */
async function openNode(editor, service, parameters) {
	const credential = await editor.saveCredential('CRM', service);
	const id = await editor.saveWorkflow(
		workflowOf('Lists', [crmNode(NAME, credential, parameters)]),
	);
	await editor.openWorkflow(id);
	await editor.openNode(NAME);
	return id;
}

/** Opens a locator with a list that fails, and returns the message. */
async function readWhyNoList(editor, name, t) {
	await editor.node.openLocator(name);
	const said = editor.page
		.locator('.rlc-error-container, [data-test-id="rlc-error-container"]')
		.first();
	await said.waitFor();
	const text = (await said.innerText()).replace(/\n+/g, ' ¶ ');
	t.diagnostic(text);
	return text;
}

/** Time that the node remembers a list. */
const MEMORY_MS = 60_000;

const urlsOf = (requests) => requests.map(({ rawUrl }) => rawUrl).join(', ');

const LOCATORS = ['status', 'afterTask', 'author', 'beforeTask', 'parent', 'people', 'person'];
const LISTS = ['assignees', 'observers', 'tags'];

/** Opens every list of "Create task". */
async function openEveryList(editor) {
	for (const name of LISTS) {
		await editor.node.openList(name);
		await editor.page.keyboard.press('Escape');
	}
	for (const name of LOCATORS) {
		await editor.node.openLocator(name);
		await editor.node.records.first().waitFor();
		await editor.node.leaveField();
	}
}

inEditor(
	'the lists of "Create task" read two pages a collection at most, none twice',
	async ({ editor, service, t }) => {
		const nothing = { __rl: true, mode: 'list', value: '' };
		const id = await openNode(editor, service, {
			...CREATE_TASK,
			additionalFields: {
				afterTask: nothing,
				assignees: [],
				author: nothing,
				beforeTask: nothing,
				observers: [],
				parent: nothing,
				people: [nothing],
				person: nothing,
				tags: [],
			},
		});
		assert.deepEqual(
			(await editor.listsOfNode(NODE_TYPE, 'task', 'create')).sort(),
			[...LOCATORS, ...LISTS].sort(),
		);

		await openEveryList(editor);
		const first = await requestsOf(service);
		t.diagnostic(`first time: ${first.length} requests (${urlsOf(first)})`);

		await editor.openWorkflow(id);
		await editor.openNode(NAME);
		await openEveryList(editor);
		const again = (await requestsOf(service)).slice(first.length);
		t.diagnostic(`again within a minute: ${again.length} requests (${urlsOf(again)})`);
		if (Date.now() - first[0].at > MEMORY_MS) return t.skip('this machine took more than a minute');
		// A list that was closed while loading may request its second page the next time.
		const asked = [...first, ...again].map(({ path, query }) => `${path} ${query.page ?? '1'}`);
		assert.equal(new Set(asked).size, asked.length, 'no page twice');
		assert.ok(asked.every((page) => / [12]$/.test(page)));
	},
);

inEditor('a list with a wrong key leads to the credential', async ({ editor, service, t }) => {
	await openNode(editor, { ...service, apiKey: 'not-the-key' }, CREATE_TASK);
	const said = await readWhyNoList(editor, 'status', t);
	assert.match(said, /did not accept the API key.*Open the credential/);
	assert.ok(!said.includes('not-the-key'));
});

inEditor(
	'a list says that the service is down, and loads after the service returns',
	async ({ editor, service, t }) => {
		await setSwitches(service, { faults: [{ kind: 'status', status: 503 }] });
		await openNode(editor, service, CREATE_TASK);
		assert.match(await readWhyNoList(editor, 'status', t), /HTTP 503.*Try again later/);
		await setSwitches(service, { faults: [] });
		await editor.node.leaveField();
		await editor.node.openLocator('status');
		await editor.node.records.first().waitFor();
	},
);

inEditor(
	'a list says when to try again while others use up the rate limit',
	async ({ editor, service, t }) => {
		await useUpTheLimit(service);
		await openNode(editor, service, CREATE_TASK);
		assert.match(await readWhyNoList(editor, 'status', t), /used up.*again in \d+ seconds.*ID/);
	},
);

inEditor('an empty list says what to do', async ({ editor, service, t }) => {
	await setSwitches(service, {
		faults: [{ kind: 'status', status: 200, body: { member: [] }, match: { path: '^/tasks$' } }],
	});
	await openNode(editor, service, { resource: 'task', operation: 'get' });
	assert.match(await readWhyNoList(editor, 'taskId', t), /no tasks yet.*Create a task/);
});

inEditor('a list of comments asks for the task first', async ({ editor, service, t }) => {
	await openNode(editor, service, { resource: 'comment', operation: 'get' });
	assert.match(await readWhyNoList(editor, 'commentId', t), /No task is chosen/);
});

inEditor(
	'a drop-down list with a wrong key leads to the credential',
	async ({ editor, service, t }) => {
		await openNode(
			editor,
			{ ...service, apiKey: 'not-the-key' },
			{
				resource: 'person',
				operation: 'addToSegments',
			},
		);
		const said = await editor.node.readWhyNoChoices('segments');
		t.diagnostic(said);
		// Here, n8n would show an error of the kind that locators throw as "[object Object]".
		assert.match(said, /did not accept the API key/);
	},
);

/** Much longer than the editor needs for a page. */
const READS_ON_MS = 6_000;

inEditor(
	'a list closed while it loads does not use up the rate limit',
	async ({ editor, service, t }) => {
		await openNode(editor, service, { resource: 'person', operation: 'get' });
		// An endless list of people: every page has a next one.
		const member = Array.from({ length: 30 }, (_, index) => ({
			id: `person-${index}`,
			familyName: 'Jansen',
		}));
		const body = { member, view: { next: '/people?page=2' } };
		await setSwitches(service, {
			latencyAfterMs: 300,
			faults: [{ kind: 'status', status: 200, body, match: { path: '^/people$' } }],
		});
		await editor.node.openLocator('personId');
		await editor.node.records.first().waitFor();
		await editor.node.leaveField();
		// Only waiting shows whether another request comes.
		await editor.page.waitForTimeout(READS_ON_MS);
		const requests = await requestsOf(service);
		t.diagnostic(`${requests.length} requests (${urlsOf(requests)})`);
		assert.ok(requests.length <= 5, `${requests.length} requests`);
	},
);
