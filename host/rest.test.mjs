// Tests how the suites activate a workflow, with made-up answers of n8n: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activate } from './rest.mjs';

/** Returns an address of n8n that answers the questions for the status in turn, and repeats the last answer. */
function restWith(...answers) {
	const rest = async (method, path) => {
		if (path === '/workflows') return { id: 'W1', versionId: 'V1' };
		if (path === '/workflows/W1/activate') return {};
		assert.equal(`${method} ${path}`, 'GET /workflows/W1/publication-status');
		rest.asked += 1;
		const answer = answers.length > 1 ? answers.shift() : answers[0];
		if (answer instanceof Error) throw answer;
		return answer;
	};
	rest.asked = 0;
	return rest;
}

const published = { status: 'published', triggers: [{ nodeId: 'N1', status: 'activated' }] };
const between = { status: 'not_published', triggers: [] };

test('A workflow that is still being published is asked for again', async () => {
	const rest = restWith({ status: 'in_progress', triggers: [] }, between, published);
	assert.equal(await activate(rest, {}, 0), 'W1');
	assert.equal(rest.asked, 3);
});

test('n8n 1, without a publication status, has activated the workflow at once', async () => {
	const rest = restWith(Object.assign(new Error('Not found'), { status: 404 }));
	assert.equal(await activate(rest, {}, 0), 'W1');
});

test('A trigger that fails ends the wait at once, with the words of n8n', async () => {
	const triggers = [{ nodeId: 'N1', status: 'failed', errorMessage: 'No such segment' }];
	const rest = restWith({ status: 'failed', triggers });
	await assert.rejects(activate(rest, {}, 0), /did not publish the workflow W1.*No such segment/);
	assert.equal(rest.asked, 1);
});

test('A workflow that n8n never publishes ends the wait, with its last status', async () => {
	await assert.rejects(activate(restWith(between), {}, 0), /W1.*not_published/);
});
