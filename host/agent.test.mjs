// Tests a scripted model that uses the CRM node in a real n8n: run with `npm run test:n8n -- agent`.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { asToolName, TASKS, toolNodes } from './agentTasks.mjs';
import { modelCredential } from './examples.mjs';
import { ensureHost } from './install.mjs';
import { startModel, textOf } from './model.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { activate, signIn } from './rest.mjs';
import { stopAll } from './run.mjs';
import { requestsOfN8n, startService } from './service.mjs';

const REQUESTS_PER_MINUTE = 100_000;
const PATIENCE_MS = 60_000;
const APPROVED = 'Create a person';
/** User agent of a browser. n8n ignores decisions of programs that fetch previews of links. */
const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0';

let instance;
let model;
let messenger;
let editor;
let rest;

before(async () => {
	instance = await n8n.createInstance(await ensureHost());
	await n8n.installPackage(instance, (await pack(instance.folder)).tarball);
	model = await startModel(converse);
	messenger = await startMessenger();
	editor = await n8n.startEditor(instance, { port: 0 });
	rest = await signIn(editor);
});

after(async () => {
	await stopAll();
	await model?.close();
	messenger?.close();
	if (instance) await n8n.removeInstance(instance);
});

/** Returns the answers of tools without backslashes. Over MCP, an answer is JSON within JSON. */
const answersIn = (messages) =>
	messages.filter(({ role }) => role === 'tool').map((one) => textOf(one).replaceAll('\\', ''));

/** Returns the reply of the scripted model: the next step of its task, and at the end the last answer. */
function converse({ messages, tools }) {
	const { steps } = TASKS[textOf(messages.findLast(({ role }) => role === 'user'))];
	const answers = answersIn(messages);
	if (answers.length === steps.length) return { content: `Done: ${answers.at(-1)}` };
	const [tool, argumentsFor] = steps[answers.length];
	const offered = tools
		.map(({ function: one }) => one)
		.find(({ name }) => name.endsWith(asToolName(tool)));
	const given = argumentsFor(answers.at(-1));
	// A tool that waits for approval takes its own parameters and those of the approval request.
	const isReviewed = 'toolParameters' in offered.parameters.properties;
	const all = isReviewed ? { toolParameters: given, hitlParameters: {} } : given;
	return { calls: [{ name: offered.name, arguments: all }] };
}

/** A stand-in for Telegram, which keeps the messages that it is to send. */
async function startMessenger() {
	const sent = [];
	const server = createServer(async (request, response) => {
		sent.push(await json(request));
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ ok: true, result: {} }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const close = () => {
		server.close();
		server.closeAllConnections();
	};
	return { address: `http://127.0.0.1:${server.address().port}`, sent, close };
}

/** Waits until a probe finds something, and returns it. */
async function until(probe, what) {
	for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(250)) {
		const found = await probe();
		if (found) return found;
	}
	throw new Error(`There is no ${what}`);
}

async function saveCredential(type, data) {
	const { id, name } = await rest('POST', '/credentials', { name: type, type, data });
	return { [type]: { id, name } };
}

/** Returns a workflow. Each line names the node where it starts, where it ends, and its kind. */
function workflowOf(name, nodes, lines) {
	const connections = {};
	for (const [from, to, type = 'ai_tool'] of lines) {
		connections[from] = { [type]: [[{ node: to, type, index: 0 }]] };
	}
	const placed = nodes.map((node, index) => ({
		...{ id: randomUUID(), webhookId: randomUUID(), typeVersion: 1, parameters: {} },
		...{ position: [index * 200, 0], ...node },
	}));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}

const crmTools = async ({ address, apiKey }) => {
	const data = { baseUrl: address, apiKey, requestsPerMinute: REQUESTS_PER_MINUTE };
	const { contactTaskCrmApi } = await saveCredential('contactTaskCrmApi', data);
	return toolNodes(contactTaskCrmApi);
};

/** Publishes an agent behind a webhook, and returns a function that gives it a task. */
async function publishAgent(path, tools, lines, responseMode = 'lastNode') {
	const nodes = [
		{
			name: 'Task',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { path, httpMethod: 'POST', responseMode, options: {} },
		},
		{
			name: 'Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 3.1,
			parameters: { promptType: 'define', text: '={{ $json.body.task }}', options: {} },
		},
		{
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' }, options: {} },
			credentials: await saveCredential('openAiApi', modelCredential(model).data),
		},
	];
	const ownLines = [
		['Task', 'Agent', 'main'],
		['Model', 'Agent', 'ai_languageModel'],
	];
	await activate(rest, workflowOf(path, [...nodes, ...tools], [...ownLines, ...lines]));
	return async (task) => {
		const response = await fetch(`${editor.address}/webhook/${path}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ task }),
		});
		const text = await response.text();
		assert.ok(response.ok, text);
		return JSON.parse(text);
	};
}

const linesTo = (node, tools) => tools.map(({ name }) => [name, node]);

const AGENTS = {
	'as tools of its agent': async (service) => {
		const tools = await crmTools(service);
		return await publishAgent('tools', tools, linesTo('Agent', tools));
	},
	'over MCP': async (service) => {
		const tools = await crmTools(service);
		const server = {
			name: 'CRM',
			type: '@n8n/n8n-nodes-langchain.mcpTrigger',
			typeVersion: 2,
			parameters: { path: 'crm' },
		};
		await activate(rest, workflowOf('MCP', [server, ...tools], linesTo('CRM', tools)));
		const client = {
			name: 'MCP Client',
			type: '@n8n/n8n-nodes-langchain.mcpClientTool',
			typeVersion: 1.2,
			parameters: { endpointUrl: `${editor.address}/mcp/crm`, options: {} },
		};
		return await publishAgent('mcp', [client], linesTo('Agent', [client]));
	},
};

/** The requests that write, without the IDs in them. */
async function writesTo(service) {
	const requests = await requestsOfN8n(service);
	return requests
		.filter(({ method }) => method !== 'GET')
		.map(({ method, path }) => `${method} ${path.replace(/[\da-f]{8}-[\da-f-]{27}/g, '…')}`);
}

for (const [how, publish] of Object.entries(AGENTS)) {
	describe(`a model with the CRM ${how}`, () => {
		let service;
		let askAgent;

		before(async () => {
			service = await startService({ port: 0, rateLimit: 'off' });
			askAgent = await publish(service);
		});

		for (const [task, { steps, writes }] of Object.entries(TASKS)) {
			test(`A model with the CRM ${how} finishes the task: ${task}`, async () => {
				const writtenBefore = await writesTo(service);
				await askAgent(task);
				const answers = answersIn(model.requests.at(-1).messages);
				assert.equal(answers.length, steps.length);
				for (const [index, [, , expected]] of steps.entries()) {
					assert.match(answers[index], expected);
				}
				assert.deepEqual((await writesTo(service)).slice(writtenBefore.length), writes);
			});
		}
	});
}

describe('a write that n8n has a person review', () => {
	let service;
	let askAgent;

	before(async () => {
		service = await startService({ port: 0, rateLimit: 'off' });
		const tools = (await crmTools(service)).filter(({ name }) => name === 'Create a Person');
		const telegram = { accessToken: 'none', baseUrl: messenger.address };
		const review = {
			name: 'Review',
			type: 'n8n-nodes-base.telegramHitlTool',
			typeVersion: 1.2,
			parameters: {
				chatId: '1',
				message: '={{ $tool.name }}: {{ JSON.stringify($tool.parameters) }}',
				approvalOptions: { values: { approvalType: 'double' } },
				options: {},
			},
			credentials: await saveCredential('telegramApi', telegram),
		};
		const lines = [...linesTo('Review', tools), ...linesTo('Agent', [review])];
		askAgent = await publishAgent('review', [review, ...tools], lines, 'onReceived');
	});

	/** Lets the agent create a person, approves or rejects it, and returns the answer to the model. */
	async function decide(button) {
		const [asked, turns] = [messenger.sent.length, model.requests.length];
		await askAgent(APPROVED);
		const { text, reply_markup: buttons } = await until(
			() => messenger.sent[asked],
			'request for an approval',
		);
		assert.match(text, /Create[ _]a[ _]Person[^]*eva@new\.example/);
		assert.deepEqual(await writesTo(service), []);
		const { url } = buttons.inline_keyboard.flat().find((one) => one.text.includes(button));
		const headers = { 'user-agent': BROWSER };
		await until(async () => (await fetch(url, { headers })).ok, 'page for the decision');
		const { messages } = await until(
			() => model.requests.slice(turns).find((turn) => answersIn(turn.messages).length > 0),
			'answer to the model',
		);
		return answersIn(messages).at(-1);
	}

	test('n8n does not send a write that its reviewer declines, and tells the model', async () => {
		assert.match(await decide('Decline'), /rejected the tool call/);
		assert.deepEqual(await writesTo(service), []);
	});

	test('n8n sends a write after its human reviewer approves it', async () => {
		assert.match(await decide('Approve'), /"email":"eva@new\.example"/);
		assert.deepEqual(await writesTo(service), ['POST /people']);
	});
});
