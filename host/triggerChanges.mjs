import { setTimeout as sleep } from 'node:timers/promises';
import { ask, askForAll } from './service.mjs';

/**
 * Reads the watched records. Returns them with `ask`, which changes them as another program would.
 * @param {import('./service.mjs').Service} service
 */
export async function openCrm(service) {
	const people = await askForAll(service, '/people');
	const tasks = await askForAll(service, '/tasks');
	const [{ id: segment }] = await askForAll(service, '/segments');
	return { ask: async (...request) => await ask(service, ...request), people, tasks, segment };
}

/**
 * Returns a trigger on each list, for all of its events.
 * @param {Awaited<ReturnType<typeof openCrm>>} crm
 * @param {object} [options] of each trigger
 */
export function watchedLists({ tasks, segment }, options = {}) {
	const locator = (value) => ({ __rl: true, mode: 'id', value });
	const taskId = locator(tasks[0].id);
	return [
		{ watch: 'people', events: ['personCreated', 'personUpdated'], options },
		{
			watch: 'segment',
			events: ['personAddedToSegment', 'personRemovedFromSegment'],
			segmentId: locator(segment),
			options,
		},
		{
			watch: 'tasks',
			events: ['taskCreated', 'taskUpdated', 'taskMoved', 'taskCompleted', 'taskDue'],
			options,
		},
		{ watch: 'comments', events: ['commentAdded'], taskId },
		{ watch: 'history', events: ['historyAdded'], taskId },
	];
}

/**
 * Makes a change for each event.
 * @param {Awaited<ReturnType<typeof openCrm>>} crm
 * @param {number} round 1 to 5; each changes other records, and the task with watched comments
 * @returns {Promise<string[]>} the expected events, as "event id"
 */
export async function change({ ask, people, tasks, segment }, round) {
	const iri = `/segments/${segment}`;
	const isIn = ({ segments }) => segments.includes(iri);
	const created = await ask('POST', '/people', { familyName: `Visser ${round}` });
	const updated = people[round];
	await ask('PATCH', `/people/${updated.id}`, { jobTitle: `Chief ${round}` });
	const added = people.filter((person) => !isIn(person)).at(-round);
	await ask('PATCH', `/people/${added.id}`, { segments: [...added.segments, iri] });
	const left = people.filter(isIn)[round - 1];
	await ask('PATCH', `/people/${left.id}`, { segments: [] });

	const made = await ask('POST', '/tasks', { title: `Call ${round}`, status: tasks[0].status });
	const [discussed, moved, renamed] = [tasks[0], tasks[round], tasks[10 + round]];
	const completed = tasks.filter(({ completedAt }) => !completedAt).at(-round);
	const dated = tasks.slice(20).filter((task) => !task.completedAt)[round - 1];
	const elsewhere = tasks.find(({ status }) => status !== moved.status).status;
	await ask('PATCH', `/tasks/${moved.id}`, { status: elsewhere });
	await ask('PATCH', `/tasks/${renamed.id}`, { title: `Call again ${round}` });
	await ask('PATCH', `/tasks/${completed.id}`, { completedAt: new Date().toISOString() });
	const dueDate = new Date(Date.now() + 1000).toISOString();
	await ask('PATCH', `/tasks/${dated.id}`, { dueDate });
	const path = `/tasks/${discussed.id}`;
	const comment = await ask('POST', `${path}/comments`, { description: `Comment ${round}` });
	await ask('PATCH', path, { title: `Discussed ${round}` });
	const { member: history } = await ask('GET', `${path}/history?itemsPerPage=30`);
	const entry = history.find(({ changes }) =>
		JSON.stringify(changes).includes(`"Discussed ${round}"`),
	);
	return [
		`personCreated ${created.id}`,
		`personUpdated ${updated.id}`,
		`personUpdated ${added.id}`,
		`personUpdated ${left.id}`,
		`personAddedToSegment ${added.id}`,
		`personRemovedFromSegment ${left.id}`,
		`taskCreated ${made.id}`,
		...[discussed, moved, renamed, completed, dated].map(({ id }) => `taskUpdated ${id}`),
		`taskMoved ${moved.id}`,
		`taskCompleted ${completed.id}`,
		`taskDue ${dated.id}`,
		`commentAdded ${comment.id}`,
		`historyAdded ${entry.id}`,
	];
}

/** Returns a list without the entries of another. Each entry removes only one copy. */
function without(list, taken) {
	const left = [...taken];
	return list.filter((one) => {
		const position = left.indexOf(one);
		if (position >= 0) left.splice(position, 1);
		return position < 0;
	});
}

/**
 * Waits until all changes have been reported, each as many times as it was made.
 * @param {string[]} changes
 * @param {() => string[]} told
 * @param {number} timeoutMs
 */
export async function untilTold(changes, told, timeoutMs) {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const missing = without(changes, told());
		if (missing.length === 0) return;
		if (Date.now() > deadline) throw new Error(`Did not come: ${missing.join(', ')}`);
		await sleep(500);
	}
}
