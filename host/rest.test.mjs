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

test('The wait for publishing asks again while n8n is still publishing the workflow', async () => {
	const rest = restWith({ status: 'in_progress', triggers: [] }, between, published);
	assert.equal(await activate(rest, {}, 0), 'W1');
	assert.equal(rest.asked, 3);
});

test('The wait for publishing ends immediately on n8n 1, which has no publication status', async () => {
	const rest = restWith(Object.assign(new Error('Not found'), { status: 404 }));
	assert.equal(await activate(rest, {}, 0), 'W1');
});

test("A failed trigger ends the wait for publishing immediately, with n8n's message", async () => {
	const triggers = [{ nodeId: 'N1', status: 'failed', errorMessage: 'No such segment' }];
	const rest = restWith({ status: 'failed', triggers });
	await assert.rejects(activate(rest, {}, 0), /did not publish the workflow W1.*No such segment/);
	assert.equal(rest.asked, 1);
});

test('The wait for publishing fails with the last status if n8n never publishes', async () => {
	await assert.rejects(activate(restWith(between), {}, 0), /W1.*not_published/);
});
