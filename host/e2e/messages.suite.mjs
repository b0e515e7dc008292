import assert from 'node:assert/strict';
import { requestsOf } from '../service.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

async function failureOf(editor, service, parameters) {
	const credential = await editor.saveCredential('CRM', service);
	const node = crmNode(NAME, credential, parameters);
	await editor.openWorkflow(await editor.saveWorkflow(workflowOf('Messages', [node])));
	await editor.openNode(NAME);
	await editor.node.execute();
	return await editor.node.readFailure();
}

const WRONG = [
	{
		of: 'a comment on a task that does not exist names the task',
		parameters: {
			resource: 'comment',
			operation: 'create',
			taskId: { __rl: true, mode: 'id', value: UNKNOWN },
			description: 'Called back',
		},
		says: new RegExp(`The task "${UNKNOWN}" does not exist`),
		never: /comment .*does not exist/i,
		writes: 1,
	},
	{
		of: 'Custom API Call is refused as no operation, without a word about the key',
		parameters: { resource: 'person', operation: '__CUSTOM_API_CALL__' },
		says: /Custom API Call, which is no operation of this node/,
		never: /API key/,
		writes: 0,
	},
	{
		of: 'an operation that the node does not have is named',
		parameters: { resource: 'person', operation: 'clone' },
		says: /there is no operation "clone" of the resource "person"/,
		never: /API key/,
		writes: 0,
	},
];

for (const { of, parameters, says, never, writes: expected } of WRONG) {
	inEditor(of, async ({ editor, service, t }) => {
		const failure = await failureOf(editor, service, parameters);
		t.diagnostic(failure.replace(/\n+/g, ' ¶ '));
		assert.match(failure, says);
		assert.doesNotMatch(failure, never);
		assert.doesNotMatch(failure, /\.\./);
		const writes = (await requestsOf(service)).filter(({ method }) => method !== 'GET');
		assert.equal(writes.length, expected);
	});
}
