import assert from 'node:assert/strict';
import { EXAMPLES, modelCredential, readWorkflow } from '../examples.mjs';
import { NO_FILTERS, startModel, textOf } from '../model.mjs';
import { ask, askForAll, requestsOfN8n, setSwitches } from '../service.mjs';
import { inEditor } from './stage.mjs';

const TITLE = 'Twelve hundred chairs';

const namesAsked = [
	{ name: 'Find_Tasks', arguments: { ...NO_FILTERS, workspace: 'Sales', status: 'open' } },
	{ name: 'Find_Tasks', arguments: { ...NO_FILTERS, column: 'Nowhere' } },
	{ name: 'Find_Tasks', arguments: { ...NO_FILTERS, title: '["chairs", "tables"]' } },
];

/** Plays a model that asks for open deals, gives an unknown column, and then moves a deal by the title of a column. */
function converse({ messages }) {
	const results = messages.filter(({ role }) => role === 'tool').map(textOf);
	if (results.length < namesAsked.length) return { calls: [namesAsked[results.length]] };
	if (results.length > namesAsked.length) return { content: `Done: ${results.at(-1)}` };
	const [, taskId] = /"id":\s*"([^"]+)"/.exec(results.at(-1)) ?? [];
	return { calls: [{ name: 'Move_a_Task', arguments: { taskId, column: 'Sales / Won' } }] };
}

/** Returns the example without its chat, because n8n would open the chat instead of running the workflow. */
async function agentWorkflow(credentials) {
	const { nodes, connections, ...workflow } = await readWorkflow(EXAMPLES.contactAgent);
	const isChat = ({ type }) => type.endsWith('.chatTrigger');
	const kept = nodes
		.filter((node) => !isChat(node))
		.map((node) => {
			if (!node.credentials) return node;
			const [type] = Object.keys(node.credentials);
			return { ...node, credentials: { [type]: credentials[type] } };
		});
	const { [nodes.find(isChat).name]: _chat, ...others } = connections;
	return { name: workflow.name, nodes: kept, connections: others, settings: workflow.settings };
}

inEditor(
	'an agent reads open deals and columns, and moves a deal by column title',
	async ({ editor, service, t }) => {
		const model = await startModel(converse);
		t.after(model.close);
		// A higher limit, so that requests of the test do not use up n8n's.
		await setSwitches(service, { rateLimit: { limit: 100 } });
		const workspaces = await askForAll(service, '/workspaces');
		const { columns } = workspaces.find(({ title }) => title === 'Sales');
		const columnOf = (title) => columns.find((column) => column.title === title)['@id'];
		for (let index = 0; index < 10; index++) {
			await ask(service, 'POST', '/tasks', { title: `Deal ${index}`, status: columnOf('Lead') });
		}
		const deal = await ask(service, 'POST', '/tasks', { title: TITLE, status: columnOf('Lead') });

		const crm = await editor.saveCredential('CRM', service);
		const openAi = await editor.saveAnyCredential(modelCredential(model));
		const id = await editor.saveWorkflow(
			await agentWorkflow({ contactTaskCrmApi: crm, openAiApi: openAi }),
		);
		await editor.openWorkflow(id);
		await editor.executeWorkflow();
		await editor.waitForSuccess(['Start', 'Sample Question', 'Contact Agent']);

		const [last] = model.requests.slice(-1);
		const results = last.messages.filter(({ role }) => role === 'tool').map(textOf);
		for (const result of results) t.diagnostic(result.slice(0, 400));
		const [open, refusal, found, moved] = results;
		assert.match(open, /These are the first 20 tasks; there may be more/);
		assert.ok(!open.includes('"@id"'));
		assert.match(refusal, /Nowhere[^]*Sales \/ Won[^]*Support \/ To do/);
		assert.ok(!refusal.includes('Sales 2024'), 'columns of archived workspaces');
		assert.match(found, new RegExp(`"title":"${TITLE}"`));
		assert.match(moved, /"statusTitle":"Won"/);
		const writes = (await requestsOfN8n(service)).filter(({ method }) => method !== 'GET');
		assert.deepEqual(
			writes.map(({ method, path, body }) => [method, path, body]),
			[['PATCH', `/tasks/${deal.id}`, { status: columnOf('Won') }]],
		);
	},
);
