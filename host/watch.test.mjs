// Tests how `npm run dev` reads the compiler and n8n's log: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasCompiled, reloadsIn } from './watch.mjs';

test('npm run dev recognizes the end of a compilation, with or without errors', () => {
	const start = '12:25:59 AM - Starting compilation in watch mode...\n';
	assert.equal(hasCompiled(start), false);
	for (const found of ['0 errors', '1 error', '12 errors']) {
		const text = `${start}12:26:12 AM - Found ${found}. Watching for file changes.\n`;
		assert.equal(hasCompiled(text), true);
	}
});

test("npm run dev finds the reloads in n8n's log, without time and level", () => {
	const log = [
		'2026-11-24T00:27:07.100Z | info | Owner was set up successfully',
		'2026-11-24T00:27:08.100Z | info | Hot reload triggered for n8n-nodes-contact-task-crm',
		'2026-11-24T00:27:09.100Z | error | Hot reload failed for n8n-nodes-contact-task-crm {"error"}',
	].join('\n');
	assert.deepEqual(reloadsIn(log), [
		'Hot reload triggered for n8n-nodes-contact-task-crm',
		'Hot reload failed for n8n-nodes-contact-task-crm',
	]);
});
