// The example workflows, each executed in a real n8n: run with `npm run test:n8n -- examples`.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import {
	contactsFile,
	EXAMPLES,
	modelCredential,
	readCredentials,
	readWorkflow,
} from './examples.mjs';
import { hostsToTry } from './compatibility.mjs';
import { ensureHost } from './install.mjs';
import { NO_FILTERS, startModel, textOf } from './model.mjs';
import * as n8n from './n8n.mjs';
import { describePack, pack } from './pack.mjs';
import { activate, signIn } from './rest.mjs';
import { stopAll } from './run.mjs';
import { ask, askForAll, requestsOfN8n, startService, storedRecords } from './service.mjs';

const CREATE_QUESTION = 'Please add Eva Jansen, e.jansen@example.com, +31612345678.';
const COUNT_QUESTION = 'How many tasks are there?';
const OVERDUE_QUESTION = 'Which deals of Eva Zonneveld are overdue?';
const REQUESTS_PER_MINUTE = 100_000;
/** Time for three polls, one per minute, on a busy machine. The third continues at the beginning of the list. */
const SOME_POLLS_MS = 270_000;
/** Longer than the time between two requests of a poll. */
const QUIET_MS = 5_000;

let instance;
let model;
/** Each example has its own service, so that the service's log is that of the example. */
let scenes;
let outcomes;
/** The editor of n8n, after a test has opened it. */
let editor;

before(async () => {
	const [{ release }] = hostsToTry('examples');
	instance = await n8n.createInstance(await ensureHost(release));
	const packed = await pack(instance.folder);
	console.log(describePack(packed));
	await n8n.installPackage(instance, packed.tarball);
	model = await startModel(converse);
	scenes = await setUpScenes();
	await addDeals(scenes.followUpDeals);
	await addDealsOfEva(scenes.overdueAgent);
	// Examples that start with the trigger or wait for approval need a running n8n. The last tests run them.
	const { followUpWon, approveFirst, mergeDuplicates, ...executed } = scenes;
	outcomes = await execute(Object.values(executed));
});

after(async () => {
	await stopAll();
	await model?.close();
	if (instance) await n8n.removeInstance(instance);
});

/** Imports each example with its own service, and the agent once more for each further question. */
async function setUpScenes() {
	const { fileFolder } = instance;
	const read = async ([name, file]) => [name, await readWorkflow(file, { fileFolder })];
	const workflows = Object.fromEntries(await Promise.all(Object.entries(EXAMPLES).map(read)));
	workflows.creatingAgent = withQuestion(
		workflows.contactAgent,
		'creatingAgent008',
		CREATE_QUESTION,
	);
	workflows.overdueAgent = withQuestion(
		workflows.contactAgent,
		'overdueAgent0009',
		OVERDUE_QUESTION,
	);
	workflows.countingAgent = withQuestion(
		workflows.contactAgent,
		'countingAgent010',
		COUNT_QUESTION,
	);
	const placed = await Promise.all(
		Object.entries(workflows).map(async ([name, workflow], index) => {
			// Without the rate limit, because these tests are not about it, and waiting would take most of the time.
			const service = await startService({ port: 0, rateLimit: 'off' });
			const [credential] = await readCredentials(service);
			const own = { ...credential, id: `${credential.id}${index}` };
			own.data = { ...own.data, requestsPerMinute: REQUESTS_PER_MINUTE };
			const used = JSON.parse(JSON.stringify(workflow).replaceAll(credential.id, own.id));
			return [name, { workflow: used, service, credential: own }];
		}),
	);
	const credentials = placed.map(([, { credential }]) => credential);
	await n8n.importCredentials(instance, [...credentials, modelCredential(model)]);
	await n8n.importWorkflows(
		instance,
		placed.map(([, { workflow }]) => workflow),
	);
	return Object.fromEntries(placed);
}

function withQuestion(workflow, id, question) {
	const copy = structuredClone(workflow);
	const sample = copy.nodes.find(({ name }) => name === 'Sample Question');
	const { assignments } = sample.parameters.assignments;
	assignments.find(({ name }) => name === 'chatInput').value = question;
	return { ...copy, id, versionId: crypto.randomUUID() };
}

async function execute(chosen) {
	return await n8n.executeWorkflows(
		instance,
		chosen.map(({ workflow }) => workflow.id),
	);
}

const sceneOutcome = ({ workflow }) => outcomes.get(workflow.id);

/** Returns the requests of an example, without those of the test. */
const sentBy = async ({ service }) => await requestsOfN8n(service);

/**
 * Returns requests as lines. Leaves out requests for names of users and tags, because the node sends these once an
 * hour.
 */
const linesOf = (requests) =>
	requests
		.map(({ method, path }) => `${method} ${path}`)
		.filter((line) => !/^GET \/(users|tags)$/.test(line));

const isOf = (method, pattern) => (request) =>
	request.method === method && pattern.test(request.path);

test('Every example has its own IDs, the demo credential, notes, and nodes without overlap', async () => {
	const files = Object.values(EXAMPLES);
	const workflows = await Promise.all(files.map((file) => readWorkflow(file)));
	assert.equal(new Set(workflows.map(({ id }) => id)).size, workflows.length);
	assert.equal(new Set(workflows.map(({ versionId }) => versionId)).size, workflows.length);
	for (const { name, versionId, active, nodes, connections, pinData } of workflows) {
		assert.match(versionId, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, `${name} has a version`);
		assert.equal(active, false, name);
		assert.equal(pinData, undefined, name);
		assert.ok(
			nodes.some(({ type }) => type.endsWith('.stickyNote')),
			`${name} has notes`,
		);
		for (const { name: node, type, credentials } of nodes) {
			if (!type.startsWith('n8n-nodes-contact-task-crm.')) continue;
			assert.deepEqual(
				credentials,
				{ contactTaskCrmApi: { id: 'contactTaskCrmDemo', name: 'Contact Task CRM' } },
				`${name}: ${node}`,
			);
		}
		const names = new Set(nodes.map((node) => node.name));
		for (const [source, outputs] of Object.entries(connections)) {
			const targets = Object.values(outputs).flat(2);
			for (const end of [source, ...targets.map(({ node }) => node)]) assert.ok(names.has(end));
		}
		assert.deepEqual(overlapsOf(nodes), [], name);
	}
});

/** Returns the nodes and notes that overlap on the canvas. The name of a node stands below it. */
function overlapsOf(nodes) {
	const boxes = nodes.map(({ name, type, position: [x, y], parameters }) => {
		const [width, height] = type.endsWith('.stickyNote')
			? [parameters.width, parameters.height]
			: type.endsWith('.agent')
				? [200, 100]
				: [100, 140];
		return { name, left: x, right: x + width, top: y, bottom: y + height };
	});
	return boxes.flatMap((one, index) =>
		boxes
			.slice(index + 1)
			.filter(
				(other) =>
					one.left < other.right &&
					other.left < one.right &&
					one.top < other.bottom &&
					other.top < one.bottom,
			)
			.map((other) => `${one.name} / ${other.name}`),
	);
}

test('Example 1 imports contacts from the CSV file', async () => {
	const scene = scenes.importContacts;
	const { itemsOf } = sceneOutcome(scene);
	const rows = parse(await readFile(contactsFile), { columns: true, bom: true });
	assert.equal(itemsOf('Get the Rows').length, rows.length);
	const people = itemsOf('One Row per Person').length;
	const taken = itemsOf('Create or Update the Person');
	assert.equal(taken.length + itemsOf('Not Taken by the CRM').length, people);
	assert.equal(itemsOf('Create a Follow-up Task').length, taken.length);
	const written = (await sentBy(scene)).filter(({ stored }) => stored);
	assert.equal(written.filter(isOf('POST', /^\/tasks$/)).length, taken.length);
	const created = written.filter(isOf('POST', /^\/people$/)).length;
	assert.ok(created > 0 && created <= taken.length);
});

test('The example that lists people gives five people with two requests', async () => {
	const scene = scenes.listPeople;
	assert.equal(sceneOutcome(scene).itemsOf('Get People').length, 5);
	// The second request is for the titles of people's segments.
	assert.deepEqual(linesOf(await sentBy(scene)), ['GET /people', 'GET /segments']);
});

const NEW_DEALS = ['Canal boats', 'Ice rink | 2'];

/** Adds two new deals, and a new task that is no deal. */
async function addDeals(scene) {
	const { service } = scene;
	const { sales, support } = await workspacesOf(scene);
	const [user] = sales.users;
	for (const title of NEW_DEALS) {
		await ask(service, 'POST', '/tasks', {
			title,
			status: sales.columns[1]['@id'],
			assignees: [user],
		});
	}
	await ask(service, 'POST', '/tasks', { title: 'No deal', status: support.columns[0]['@id'] });
}

const OVERDUE_DEAL = 'Twelve hundred chairs';

/** Adds a person with one overdue deal. Other deals are not overdue, or belong to another person. */
async function addDealsOfEva(scene) {
	const { service } = scene;
	const { sales, support } = await workspacesOf(scene);
	const eva = await ask(service, 'POST', '/people', { familyName: 'Zonneveld', givenName: 'Eva' });
	const people = [{ '@id': eva['@id'], id: eva.id }];
	const [status] = sales.columns.map((column) => column['@id']);
	const past = '2024-03-01T09:00:00+00:00';
	const deals = [
		{ title: OVERDUE_DEAL, status, people, dueDate: past },
		{ title: 'Not due yet', status, people, dueDate: '2099-03-01T09:00:00+00:00' },
		{ title: 'Of nobody', status, dueDate: past },
		{ title: 'No deal', status: support.columns[0]['@id'], people, dueDate: past },
	];
	for (const deal of deals) await ask(service, 'POST', '/tasks', deal);
}

async function workspacesOf(scene) {
	const workspaces = await askForAll(scene.service, '/workspaces');
	const titled = (title) => workspaces.find((workspace) => workspace.title === title);
	return { workspaces, sales: titled('Sales'), support: titled('Support') };
}

test('An example gives every new deal one follow-up task', async () => {
	const scene = scenes.followUpDeals;
	const { sales, support } = await workspacesOf(scene);
	const created = sceneOutcome(scene).itemsOf('Create a Follow-up Task');
	assert.deepEqual(created.map(({ title }) => title).sort(), [
		...NEW_DEALS.map((title) => `Follow up: ${title}`).sort(),
	]);
	const requests = await sentBy(scene);
	for (const { body } of requests.filter(isOf('POST', /^\/tasks$/))) {
		const { status, assignees, dueDate } = body;
		assert.equal(status, support.columns[0]['@id']);
		assert.deepEqual(assignees, [sales.users[0]]);
		const days = (Date.parse(dueDate) - Date.now()) / 86_400_000;
		assert.ok(days > 1.9 && days <= 2, dueDate);
	}
	assert.equal(requests.filter(isOf('POST', /^\/tasks$/)).length, NEW_DEALS.length);
	assert.equal(requests.filter(isOf('GET', /^\/workspaces$/)).length, 1);
	assert.ok(requests.filter(isOf('GET', /^\/tasks$/)).length >= 3);
});

test('An example moves the task of a form to the column for its answer', async () => {
	const scene = scenes.moveByForm;
	const { sales } = await workspacesOf(scene);
	const [task] = sceneOutcome(scene).itemsOf('Get a Task');
	const [moved] = sceneOutcome(scene).itemsOf('Move the Task');
	const won = sales.columns.find(({ title }) => title === 'Won')['@id'];
	assert.notEqual(task.status, won);
	assert.equal(moved.status, won);
	assert.deepEqual(linesOf(await sentBy(scene)), [
		'GET /workspaces',
		'GET /tasks',
		`PATCH /tasks/${task.id}`,
		`POST /tasks/${task.id}/comments`,
	]);
	assert.equal((await ask(scene.service, 'GET', `/tasks/${task.id}`)).status, won);
	const comments = await askForAll(scene.service, `/tasks/${task.id}/comments`);
	assert.ok(
		comments.some(
			({ description }) =>
				description === 'Answered in the form: Yes, go ahead. Please start in March.',
		),
	);
});

test('The weekly report counts open tasks by column', async () => {
	const scene = scenes.weeklyReport;
	const { workspaces } = await workspacesOf(scene);
	const tasks = await askForAll(scene.service, '/tasks');
	const open = tasks.filter(({ completedAt, archivedAt }) => !completedAt && !archivedAt);
	const isOverdue = ({ dueDate }) => dueDate && Date.parse(dueDate) < Date.now();
	const rows = workspaces
		.flatMap(({ title, columns }) =>
			columns.map((column) => {
				const inColumn = open.filter(({ status }) => status === column['@id']);
				const overdue = inColumn.filter(isOverdue).length;
				return { name: `${title} / ${column.title}`, count: inColumn.length, overdue };
			}),
		)
		.filter(({ count }) => count > 0)
		.sort((one, other) => (one.name < other.name ? -1 : 1))
		.map(({ name, count, overdue }) => `| ${name} | ${count} | ${overdue} |`);
	const total = `| **All** | **${open.length}** | **${open.filter(isOverdue).length}** |`;

	const [{ subject, report, html, ...rest }] = sceneOutcome(scene).itemsOf('As HTML');
	assert.deepEqual(rest, {});
	assert.match(subject, new RegExp(`^Open tasks in week \\d+: ${open.length}$`));
	assert.deepEqual(report.split('\n').slice(4), [...rows, total]);
	assert.match(html, /<table>[^]*<td>Sales \/ Lead<\/td>[^]*<\/table>/);
	assert.deepEqual(linesOf(await sentBy(scene)).sort(), [
		...Array(Math.ceil(tasks.length / 30)).fill('GET /tasks'),
		'GET /workspaces',
	]);
});

const spreadsheet = () => `${instance.fileFolder}/segment.csv`;

test('An example writes the people of a segment to a spreadsheet file', async () => {
	const scene = scenes.segmentToFile;
	const [segment] = await askForAll(scene.service, '/segments');
	const people = (await askForAll(scene.service, '/people')).filter(
		({ segments, archivedAt }) => segments.includes(segment['@id']) && !archivedAt,
	);
	const rows = parse(await readFile(spreadsheet()), { columns: true, bom: true });
	assert.ok(people.length > 0);
	assert.deepEqual(
		rows.map((row) => [row['Family name'], row['E-mail'], row.Phone, row['Job title']]).sort(),
		people
			.map(({ familyName, emailAddresses, phoneNumbers, jobTitle }) => [
				familyName,
				emailAddresses[0]?.email ?? '',
				phoneNumbers[0]?.phoneNumber ?? '',
				jobTitle ?? '',
			])
			.sort(),
	);
	const [, ...lists] = await sentBy(scene);
	assert.equal(lists.length, Math.ceil(people.length / 30));
	assert.equal(lists[0].query['segments.uuid'], segment.id);
	assert.equal(lists[0].query['exists[archivedAt]'], 'false');
	assert.equal(sceneOutcome(scene).itemsOf('Write the File').length, 1);
});

test('In a second run, the examples repeat no follow-up, and leave unchanged files alone', async () => {
	const { followUpDeals, segmentToFile } = scenes;
	const { mtimeMs } = await stat(spreadsheet());
	const sentBefore = await sentBy(followUpDeals);
	const again = await execute([followUpDeals, segmentToFile]);

	const followUps = again.get(followUpDeals.workflow.id);
	assert.equal(followUps.itemsOf('New Deals').length, NEW_DEALS.length);
	assert.deepEqual(followUps.itemsOf('Create a Follow-up Task'), []);
	const sent = (await sentBy(followUpDeals)).slice(sentBefore.length);
	assert.ok(sent.length > 0 && sent.every(({ method }) => method === 'GET'));

	const file = again.get(segmentToFile.workflow.id);
	assert.equal(file.itemsOf('Unchanged').length, 1);
	assert.deepEqual(file.itemsOf('Write the File'), []);
	assert.equal((await stat(spreadsheet())).mtimeMs, mtimeMs);
});

test('A preview of the undo example shows what would change, and writes nothing', async () => {
	const scene = scenes.undoRun;
	const { itemsOf } = sceneOutcome(scene);
	const shown = itemsOf('Show or Undo People');
	assert.deepEqual(
		shown.map(({ preview }) => preview),
		['update', 'update', 'unchanged', 'unchanged'],
	);
	assert.match(shown[0].summary, /^Job\sTitle:\s/);
	assert.match(shown[1].summary, /^Email:\s[+−]\s/);
	const [{ name, note }, ...others] = itemsOf('Left Alone');
	assert.deepEqual(
		[name, note, others],
		['Bas Hartman', 'Left as it is, because somebody has changed it since: Given Name', []],
	);
	assert.ok((await sentBy(scene)).every(({ method }) => method === 'GET'));
});

const EVA = { familyName: 'Jansen', givenName: 'Eva', phone: '+31612345678' };
const [WRONG, RIGHT] = ['e.jansen at example.com', 'e.jansen@example.com'];

/** Returns the scripted model's next turn. It uses a tool, and corrects itself once after a mistake. */
function converse({ messages }) {
	const question = textOf(messages.findLast(({ role }) => role === 'user'));
	const results = messages.filter(({ role }) => role === 'tool').map(textOf);
	const last = results.at(-1);
	if (question === OVERDUE_QUESTION) return converseOnOverdue(results);
	if (question === COUNT_QUESTION && !last) {
		return { calls: [{ name: 'Find_Tasks', arguments: NO_FILTERS }] };
	}
	if (question !== CREATE_QUESTION) {
		return last
			? { content: `The CRM says: ${last}` }
			: { calls: [{ name: 'Find_People', arguments: { search: 'Dijk' } }] };
	}
	if (!last) {
		return { calls: [{ name: 'Create_a_Person', arguments: { ...EVA, email: WRONG } }] };
	}
	if (last.includes('error')) {
		return { calls: [{ name: 'Create_a_Person', arguments: { ...EVA, email: RIGHT } }] };
	}
	return { content: `Done: ${last}` };
}

/** Returns the scripted model's next turn about a person's overdue deals: find the person, find the deals, answer. */
function converseOnOverdue(results) {
	const [people, deals] = results;
	if (!people) return { calls: [{ name: 'Find_People', arguments: { search: 'Zonneveld' } }] };
	if (deals) return { content: `Overdue: ${deals}` };
	const [, personId] = /"id":\s*"([^"]+)"/.exec(people) ?? [];
	const asked = { personId, workspace: 'Sales', overdue: 'true' };
	return { calls: [{ name: 'Find_Tasks', arguments: asked }] };
}

/** Returns the requests to the model in the conversation about a question, turn by turn. */
function turnsAbout(question) {
	return model.requests.filter(({ messages }) =>
		messages.some((message) => message.role === 'user' && textOf(message) === question),
	);
}

const toolResults = ({ messages }) => messages.filter(({ role }) => role === 'tool').map(textOf);

test("An example's agent looks a person up and answers with CRM data", async () => {
	const scene = scenes.contactAgent;
	const [{ output }] = sceneOutcome(scene).itemsOf('Contact Agent');
	const [{ chatInput }] = sceneOutcome(scene).itemsOf('Sample Question');
	const [first, second, ...more] = turnsAbout(chatInput);
	assert.deepEqual(more, []);

	const requests = await sentBy(scene);
	// The second request is for the titles of people's segments.
	assert.deepEqual(linesOf(requests), ['GET /people', 'GET /segments']);
	assert.equal(requests[0].query.q, 'Dijk');
	const found = (await ask(scene.service, 'GET', '/people?q=Dijk')).member;
	assert.ok(found.length > 0);
	const [result] = toolResults(second);
	for (const { id, emailAddresses } of found) {
		assert.ok(result.includes(id) && result.includes(emailAddresses[0].email));
		assert.ok(output.includes(emailAddresses[0].email));
	}

	const tools = first.tools.map(({ function: tool }) => tool);
	assert.deepEqual(tools.map(({ name }) => name).sort(), [
		'Create_a_Person',
		'Find_People',
		'Find_Tasks',
		'Get_a_Person',
		'Move_a_Task',
	]);
	const { parameters } = tools.find(({ name }) => name === 'Create_a_Person');
	assert.ok(parameters.required.includes('familyName'));
	const asked = Object.keys(parameters.properties).sort();
	assert.deepEqual(asked, ['email', 'familyName', 'givenName', 'jobTitle', 'phone']);
});

test("An example's agent lists a person's overdue deals with two tool calls", async () => {
	const [{ output }] = sceneOutcome(scenes.overdueAgent).itemsOf('Contact Agent');
	const turns = turnsAbout(OVERDUE_QUESTION);
	assert.equal(turns.length, 3);
	const [people, deals] = toolResults(turns[2]);
	const [eva] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(people);
	for (const part of [OVERDUE_DEAL, 'Sales', eva]) assert.ok(deals.includes(part), part);
	for (const part of ['Not due yet', 'Of nobody', 'No deal'])
		assert.ok(!deals.includes(part), part);
	assert.ok(output.includes(OVERDUE_DEAL));
});

test("An example's agent learns the number of all tasks from one request for 20", async () => {
	const scene = scenes.countingAgent;
	const [{ output }] = sceneOutcome(scene).itemsOf('Contact Agent');
	const tasks = await askForAll(scene.service, '/tasks');
	assert.ok(tasks.length > 20);
	assert.equal((await sentBy(scene)).filter(({ path }) => path === '/tasks').length, 1);
	assert.ok(output.includes(`These are the first 20 of ${tasks.length} tasks`), output);
});

test('The agent of an example corrects a refused e-mail address of a new person', async () => {
	const scene = scenes.creatingAgent;
	const [{ output }] = sceneOutcome(scene).itemsOf('Contact Agent');
	const turns = turnsAbout(CREATE_QUESTION);
	assert.equal(turns.length, 3);
	const [refusal] = toolResults(turns[1]);
	assert.ok(refusal.includes('Email') && refusal.includes(WRONG), refusal);
	const requests = await sentBy(scene);
	assert.deepEqual(linesOf(requests), ['POST /people']);
	assert.deepEqual(requests[0].body, {
		familyName: 'Jansen',
		givenName: 'Eva',
		emailAddresses: [{ email: RIGHT }],
		phoneNumbers: [{ phoneNumber: '+31612345678', phoneType: null }],
	});
	assert.match(output, /Jansen/);
});

/** Starts an n8n with the workflows that must be published, once for all tests that need it. */
function openEditor() {
	return (editor ??= (async () => {
		const started = await n8n.startEditor(instance, { port: 0 });
		const rest = await signIn(started);
		for (const scene of [scenes.followUpWon, scenes.approveFirst, scenes.mergeDuplicates]) {
			const { name, nodes, connections, settings } = scene.workflow;
			scene.workflow.id = await activate(rest, { name, nodes, connections, settings });
		}
		return { ...started, rest };
	})());
}

/** Sends a form of n8n like a browser, with the fields in order. */
async function sendForm(address, values) {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.append(`field-${index}`, value);
	const response = await fetch(address, { method: 'POST', body });
	assert.ok(response.ok, `${address}: ${response.status} ${await response.clone().text()}`);
	return response;
}

/** Returns the executions of a workflow with a status, newest first, as soon as there are enough. */
async function executionsIn(rest, { workflow: { id } }, status, count) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId: id, status: [status] }));
	for (const deadline = Date.now() + SOME_POLLS_MS; ; await sleep(500)) {
		const { results } = await rest('GET', `/executions?filter=${filter}`);
		if (results.length >= count) return results;
		assert.ok(Date.now() < deadline, `No ${count} executions are in the state ${status}`);
	}
}

/** Submits the form of a workflow. Returns the content of the next form, and its link. */
async function startByForm(scene, { address, rest }, values) {
	const { webhookId } = scene.workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
	await sendForm(`${address}/form/${webhookId}`, values);
	const [{ id }] = await executionsIn(rest, scene, 'waiting', 1);
	const { data } = await rest('GET', `/executions/${id}`);
	const [link] = /http[^"\\\\]*form-waiting[^"\\\\]*/.exec(data);
	return { link, shown: await (await fetch(link)).text() };
}

const PROPOSED = ['Amber', 'Head of Purchasing', '+31 20 7654321'];

test('The approval example writes an approved change once, as its preview showed it', async () => {
	const scene = scenes.approveFirst;
	const [person] = (await ask(scene.service, 'GET', '/people?q=vandijk.0')).member;
	const proposal = [person.emailAddresses[0].email, person.familyName, ...PROPOSED];
	const opened = await openEditor();
	const { rest } = opened;
	const writes = async () => (await sentBy(scene)).filter(({ method }) => method !== 'GET');
	for (const [count, decision] of ['Reject', 'Approve'].entries()) {
		const { link, shown } = await startByForm(scene, opened, proposal);
		assert.match(shown, /jobTitle[^]*Head of Purchasing/);
		assert.ok(shown.includes('+31 20 7654321'));
		assert.deepEqual(await writes(), []);
		await sendForm(link, [decision]);
		await executionsIn(rest, scene, 'success', count + 1);
		if (decision === 'Reject') assert.deepEqual(await writes(), []);
	}
	const [{ path, body }, ...more] = await writes();
	assert.deepEqual(more, []);
	assert.equal(path, `/people/${person.id}`);
	assert.equal(body.jobTitle, 'Head of Purchasing');
});

test('Both nodes of the approval example have the same settings except their options', () => {
	const { nodes } = scenes.approveFirst.workflow;
	const [previews, writes] = ['What It Would Change', 'Create or Update the Person'].map(
		(title) => nodes.find(({ name }) => name === title).parameters,
	);
	assert.equal(previews.options.previewOnly, true);
	assert.equal(writes.options.previewOnly, undefined);
	assert.match(writes.options.approvedChanges, /What It Would Change.*changes/);
	assert.deepEqual({ ...previews, options: {} }, { ...writes, options: {} });
});

test('An example merges duplicates of people except groups that the user leaves out', async () => {
	const scene = scenes.mergeDuplicates;
	const { service } = scene;
	const [segment, otherSegment] = (await askForAll(service, '/segments')).map((one) => one['@id']);
	const create = async (person) => (await ask(service, 'POST', '/people', person)).id;
	const phone = (phoneNumber) => [{ phoneNumber, phoneType: 'mobile' }];
	const [kept, second, third] = [
		await create({
			familyName: 'Vos',
			segments: [segment],
			emailAddresses: [{ email: 'vos@twice.example' }],
		}),
		await create({
			familyName: 'Vos',
			givenName: 'Eva',
			segments: [otherSegment],
			emailAddresses: [{ email: 'VOS@twice.example' }],
			phoneNumbers: phone('06 99887766'),
		}),
		await create({
			familyName: 'de Vos',
			jobTitle: 'Buyer',
			emailAddresses: [{ email: 'vos@twice.example' }],
			phoneNumbers: phone('+31 (0)6 9988 7766'),
			address: { city: 'Delft' },
		}),
	];
	for (const givenName of ['Ada', 'Bea']) {
		await create({ familyName: 'Colleague', givenName, phoneNumbers: phone('+31201234567') });
	}
	const before = await storedRecords(scene.service, '/people');
	const opened = await openEditor();
	const { rest } = opened;
	const { link, shown } = await startByForm(scene, opened, ['An address or a number']);
	const [, number] = /(\d+)\. (?:Ada|Bea) Colleague/.exec(shown) ?? [];
	assert.match(shown, /\d+\. Vos \+ Eva Vos \+ de Vos; they share vos@twice\.example/);
	assert.deepEqual(await storedRecords(scene.service, '/people'), before);

	await sendForm(link, ['Approve', number]);
	await executionsIn(rest, scene, 'success', 1);
	const now = await storedRecords(scene.service, '/people');
	const { givenName, jobTitle, address, emailAddresses, phoneNumbers, segments } = now.get(kept);
	assert.deepEqual([givenName, jobTitle, address.city], ['Eva', 'Buyer', 'Delft']);
	assert.deepEqual(emailAddresses, [JSON.stringify({ email: 'vos@twice.example' })]);
	assert.equal(phoneNumbers.length, 1);
	assert.deepEqual(segments, [segment, otherSegment].map((one) => JSON.stringify(one)).sort());
	for (const [id, { archivedAt, ...person }] of now) {
		const isMerged = [second, third].includes(id);
		assert.equal(Boolean(archivedAt), isMerged || Boolean(before.get(id).archivedAt));
		if (isMerged) assert.deepEqual(person, before.get(id));
		else if (id !== kept) assert.deepEqual(now.get(id), before.get(id));
	}
});

/** Waits until the trigger has read its list and is idle until the next poll. */
async function untilRead(scene) {
	const deadline = Date.now() + SOME_POLLS_MS;
	for (let seen = 0, count = 0; count === 0 || count > seen; ) {
		assert.ok(Date.now() < deadline, 'The trigger reads nothing');
		seen = count;
		await sleep(QUIET_MS);
		count = (await sentBy(scene)).length;
	}
}

test('A published example creates a follow-up when a deal moves to the column Won', async () => {
	const scene = scenes.followUpWon;
	const { workspaces, sales } = await workspacesOf(scene);
	const columnOf = (workspace, title) =>
		workspace.columns.find((column) => column.title === title)['@id'];
	const [won, lost] = ['Won', 'Lost'].map((title) => columnOf(sales, title));
	const onboarding = workspaces.find(({ title }) => title === 'Onboarding');
	const open = (await askForAll(scene.service, '/tasks')).filter(
		({ status, assignees, workspace }) =>
			workspace === sales['@id'] && ![won, lost].includes(status) && assignees.length > 0,
	);

	await openEditor();
	await untilRead(scene);
	await ask(scene.service, 'PATCH', `/tasks/${open[1].id}`, { status: lost });
	await ask(scene.service, 'PATCH', `/tasks/${open[0].id}`, { status: won });

	const isFollowUp = isOf('POST', /^\/tasks$/);
	const followUps = async () => (await sentBy(scene)).filter(isFollowUp);
	const deadline = Date.now() + SOME_POLLS_MS;
	while ((await followUps()).length === 0 && Date.now() < deadline) await sleep(1_000);
	const created = await followUps();
	assert.equal(created.length, 1);
	const [{ at, body }] = created;
	const { title, assignees } = open[0];
	const { dueDate, ...rest } = body;
	assert.deepEqual(rest, {
		title: `Welcome: ${title}`,
		status: columnOf(onboarding, 'To do'),
		description: 'Won in Sales: plan the first call',
		assignees,
	});
	const days = (Date.parse(dueDate) - at) / 86_400_000;
	assert.ok(days > 1.9 && days <= 2, dueDate);
});
