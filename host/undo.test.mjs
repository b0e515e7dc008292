// Tests the example that undoes a run, with runs of every kind: run with `npm run test:n8n -- examples`.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { hostsToTry } from './compatibility.mjs';
import { EXAMPLES, readCredentials, readWorkflow } from './examples.mjs';
import { ensureHost } from './install.mjs';
import * as n8n from './n8n.mjs';
import { pack } from './pack.mjs';
import { stopAll } from './run.mjs';
import {
	countOfRows,
	peopleWithLists,
	personOfRow,
	rowsToUndo,
	runOverPeople,
	undoWorkflowOf,
	workflowToUndo,
} from './runToUndo.mjs';
import { ask, askForAll, setSwitches, startService, storedRecords } from './service.mjs';
import { rowsOfTasks, runOverTasks } from './tasksToUndo.mjs';

const REQUESTS_PER_MINUTE = 100_000;

let instance;
let service;
let credential;
let example;

before(async () => {
	const [{ release }] = hostsToTry('examples');
	instance = await n8n.createInstance(await ensureHost(release));
	const { tarball } = await pack(instance.folder);
	await n8n.installPackage(instance, tarball);
	// Without the rate limit, because these tests are not about it, and waiting would take most of the time.
	service = await startService({ port: 0, rateLimit: 'off' });
	[credential] = await readCredentials(service);
	credential.data.requestsPerMinute = REQUESTS_PER_MINUTE;
	await n8n.importCredentials(instance, [credential]);
	example = await readWorkflow(EXAMPLES.undoRun, { fileFolder: instance.fileFolder });
});

after(async () => {
	await stopAll();
	if (instance) await n8n.removeInstance(instance);
});

const fileOf = (name) => `${instance.fileFolder}/${name}.json`;

/** Undoes the run in a file, or only shows the changes, according to the settings. */
async function undoFile(id, settings) {
	const workflow = undoWorkflowOf(example, { id, file: fileOf(id), undo: true, ...settings });
	await n8n.importWorkflows(instance, [workflow]);
	return (await n8n.executeWorkflows(instance, [id])).get(id);
}

/** Undoes a run from its output. */
async function undo(id, settings, items) {
	await writeFile(fileOf(id), JSON.stringify(items));
	return await undoFile(id, settings);
}

const idsOf = (items) => [...new Set(items.map(({ id }) => id))].sort();

test('The undo example restores 300 people except 20 that others changed, and lists those', async () => {
	const segments = (await askForAll(service, '/segments')).map((segment) => segment['@id']);
	const rows = rowsToUndo(segments);
	for (const person of rows.map(personOfRow)) {
		if (person)
			await ask(service, 'POST', '/people', { ...person, segments: segments.slice(0, 2) });
	}
	await writeFile(fileOf('rows'), JSON.stringify(rows));
	const id = 'undoPeople000001';
	const run = workflowToUndo({ credential, rows: fileOf('rows'), output: fileOf(id) });
	await n8n.importWorkflows(instance, [run]);

	const before = await storedRecords(service, '/people');
	const ran = await n8n.executeWorkflows(instance, [run.id]);
	const written = ran.get(run.id).itemsOf('Create or Update');
	assert.equal(written.length, rows.length);
	const created = written.filter(({ result }) => result === 'created');
	assert.equal(created.length, countOfRows.created);
	assert.ok(written.every(({ result }) => result !== 'unchanged'));

	const changedByOthers = idsOf(written).slice(0, 20);
	for (const other of changedByOthers) {
		const change = { familyName: 'Other', jobTitle: 'Other', segments: [] };
		await ask(service, 'PATCH', `/people/${other}`, change);
	}
	const between = await storedRecords(service, '/people');
	const undone = await undoFile(id, { records: 'people' });
	assert.equal(undone.itemsOf('Show or Undo People').length, written.length);
	// Of the others, the run changed only lists. Undo turns each entry back by itself, and leaves nothing.
	const wrote = (own, name) =>
		written.some(({ id: one, changes }) => one === own && name in changes);
	const isNamed = (own) => wrote(own, 'familyName') || wrote(own, 'jobTitle');
	assert.deepEqual(idsOf(undone.itemsOf('Left Alone')), changedByOthers.filter(isNamed));

	const now = await storedRecords(service, '/people');
	assert.equal(now.size, between.size);
	for (const [own, person] of now) {
		if (changedByOthers.includes(own)) {
			const { familyName, jobTitle, archivedAt } = between.get(own);
			assert.deepEqual(
				[person.familyName, person.jobTitle, person.archivedAt],
				[familyName, jobTitle, archivedAt],
			);
		} else if (before.has(own)) assert.deepEqual(person, before.get(own));
		else assert.ok(person.archivedAt, `${person.familyName} was created and is archived`);
	}
});

/** Runs a workflow with one node that writes, and returns the node's output. */
async function runOver(id, operation, rows) {
	const run = runOverPeople(id, credential, operation, rows);
	await n8n.importWorkflows(instance, [run]);
	const ran = await n8n.executeWorkflows(instance, [id]);
	return ran.get(id).itemsOf('Write');
}

/** Returns the e-mail addresses and tags of a person, in the order of the service. */
async function listsOf(id) {
	const { emailAddresses, tags } = await ask(service, 'GET', `/people/${id}`);
	return { emails: emailAddresses.map(({ email }) => email), tags: [...tags].sort() };
}

test('The undo example restores the order of lists without doubles, unless others changed them', async () => {
	const [{ tags: some }, { tags: more }] = (await askForAll(service, '/people')).filter(
		({ tags }) => tags.length > 0,
	);
	const tags = [...new Set([...some, ...more])].sort().slice(0, 2);
	const people = await Promise.all(
		peopleWithLists(tags).map(async ({ person, ...one }) => {
			const { id } = await ask(service, 'POST', '/people', person);
			return { id, ...one };
		}),
	);
	const rows = people.flatMap(({ id, bodies }) => bodies.map((body) => ({ id, body })));
	const written = await runOver('runOverLists0008', 'update', rows);
	assert.ok(written.every(({ changes }) => 'from' in changes.emailAddresses));
	for (const { id, since } of people) {
		if (since) await ask(service, 'PATCH', `/people/${id}`, since);
	}
	const undone = await undo('undoLists0000009', { records: 'people' }, written);
	const left = people.filter(({ isLeft }) => isLeft);
	assert.deepEqual(idsOf(undone.itemsOf('Left Alone')), idsOf(left));
	for (const { id, undone: list } of people) {
		const emails = list.map(({ email }) => email);
		assert.deepEqual(await listsOf(id), { emails, tags });
	}
	const again = await undo('undoLists0000010', { records: 'people' }, written);
	assert.ok(again.itemsOf('Show or Undo People').every(({ result }) => result === 'unchanged'));
});

for (const [replaced, does] of [
	['anew', 'makes the whole record anew'],
	['merged', 'keeps fields that are not sent'],
]) {
	test(`The undo example undoes a Replace on a service whose PUT ${does}`, async (context) => {
		await setSwitches(service, { replaced });
		context.after(async () => await setSwitches(service, { replaced: 'anew' }));
		const [{ id }] = await askForAll(service, '/people');
		const personNow = async () => {
			const person = (await storedRecords(service, '/people')).get(id);
			// The creation time of a record cannot be set back.
			return { ...person, createdAt: undefined };
		};
		const before = await personNow();
		const suffix = replaced.padEnd(6, '0');
		const body = { familyName: 'Replaced', jobTitle: 'Cook' };
		const written = await runOver(`replacePe0${suffix}`, 'replace', [{ id, body }]);
		assert.equal((await personNow()).familyName, 'Replaced');
		const undone = await undo(`undoRepla0${suffix}`, { records: 'people' }, written);
		assert.deepEqual(undone.itemsOf('Left Alone'), []);
		assert.deepEqual(await personNow(), before);
	});
}

/** Results of moving and planning a task, which cannot be set back. */
const FOLLOWS = { position: undefined, previouslyScheduledOn: undefined };

const storedTasks = async () => {
	const tasks = await storedRecords(service, '/tasks');
	return new Map([...tasks].map(([id, task]) => [id, { ...task, ...FOLLOWS }]));
};

test('The undo example restores 60 tasks except 6 that others changed, and lists those', async () => {
	const workspaces = await askForAll(service, '/workspaces');
	const tasks = await askForAll(service, '/tasks');
	const users = [...new Set(workspaces.flatMap((workspace) => workspace.users))];
	const rows = rowsOfTasks({ tasks, users, workspaces });
	const run = runOverTasks(credential, rows);
	await n8n.importWorkflows(instance, run);

	const before = await storedTasks();
	const [creates, changes] = run.map(({ id }) => id);
	const ran = await n8n.executeWorkflows(instance, [creates, changes]);
	const created = ran.get(creates).itemsOf('Create Tasks');
	const changed = ['Update Tasks', 'Move Tasks'].flatMap((node) => ran.get(changes).itemsOf(node));
	const written = [...created, ...changed];
	const failed = { error: 'The service refused the task', details: {} };
	assert.equal(idsOf(written).length, rows.created.length + rows.updated.length);

	const changedByOthers = idsOf([...created.slice(0, 2), ...changed.slice(0, 4)]);
	for (const id of changedByOthers) await ask(service, 'PATCH', `/tasks/${id}`, { title: 'Other' });
	const [, , , , commented] = changed;
	await ask(service, 'POST', `/tasks/${commented.id}/comments`, { description: 'Seen' });

	const between = await storedTasks();
	const shown = await undo('showTasks0000003', { records: 'tasks', undo: false }, written);
	const asPeople = await undo('tasksAsPeople004', { records: 'people' }, written);
	assert.deepEqual(await storedTasks(), between);
	const isWritten = ({ result }) => result !== 'unchanged';
	assert.equal(asPeople.itemsOf('Left Alone').length, written.filter(isWritten).length);
	const undone = await undo('undoTasks0000005', { records: 'tasks' }, [failed, ...written]);
	const doneWith = undone.itemsOf('Show or Undo Tasks');
	const previews = shown.itemsOf('Show or Undo Tasks').map(({ preview }) => preview);
	assert.equal(previews.length, doneWith.length);
	assert.deepEqual([...new Set(previews)].sort(), ['unchanged', 'update']);
	assert.equal(doneWith.length, written.length);
	assert.deepEqual(idsOf(undone.itemsOf('Left Alone')), changedByOthers);

	const now = await storedTasks();
	assert.equal(now.size, between.size);
	for (const [id, task] of now) {
		if (changedByOthers.includes(id)) {
			assert.deepEqual([task.title, task.archivedAt], ['Other', between.get(id).archivedAt]);
		} else if (!before.has(id)) assert.ok(task.archivedAt, `${task.title} is archived`);
		else {
			const totalComments = between.get(id).totalComments;
			assert.deepEqual(task, { ...before.get(id), totalComments });
		}
	}
	const again = await undo('undoAgain0000006', { records: 'tasks' }, written);
	assert.ok(again.itemsOf('Show or Undo Tasks').every(({ result }) => result === 'unchanged'));
	assert.deepEqual(await storedTasks(), now);
});

for (const [what, item, said] of [
	['a preview', { preview: 'update', id: 'one', changes: {} }, 'Output Item: "result" is missing'],
	[
		'an update that does not tell its changes',
		{ id: 'one', result: 'updated', title: 'Call' },
		'Turn on Options > Tell What Changed',
	],
	['an export', { id: 'one', exported: true }, 'Output Item: "result" is missing'],
]) {
	test(`The undo example leaves ${what} alone, and says why`, async () => {
		const id = `undoWrong${what.replace(/\W/g, '').slice(0, 6)}7`;
		const outcome = await undo(id, { records: 'tasks' }, [item]);
		const [{ error, note }] = outcome.itemsOf('Left Alone');
		assert.ok((error ?? note).includes(said));
	});
}
