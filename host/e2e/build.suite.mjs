import assert from 'node:assert/strict';
import { requestsOf } from '../service.mjs';
import { BY_HAND } from './editor.mjs';
import { inEditor, picture } from './stage.mjs';

const FAMILY_NAME = 'Van den Berg';
const TITLE = 'Call about the offer';

async function addCrmNode(editor, after, action) {
	await editor.addAfter(after);
	await editor.creator.search('contacts');
	await editor.creator.choose('Contact Task CRM');
	await editor.creator.choose(action);
	await editor.node.waitUntilOpen();
}

const nameOf = ({ method, path }) => `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}')}`;

inEditor(
	'a workflow built by clicking creates a person and a task',
	async ({ editor, service, t }) => {
		// Starts like a user with a saved credential. The editor selects the newest one by itself.
		await editor.saveCredential('CRM', service);
		await editor.newWorkflow();
		await editor.startByHand();
		await addCrmNode(editor, BY_HAND, 'Create person');
		await editor.node.type('familyName', FAMILY_NAME);
		await editor.node.close();

		await addCrmNode(editor, 'Create person', 'Add person to segments');
		await editor.node.typeExpression('personId', '{{ $json.id }}');
		await editor.node.pickChoices('segments', ['Newsletter']);
		await editor.node.close();

		await addCrmNode(editor, 'Add person to segments', 'Create task');
		await editor.node.type('title', TITLE);
		await editor.node.openLocator('status');
		await editor.node.records.first().waitFor();
		await picture(editor, 'column-list', { x: 490, y: 66, width: 422, height: 730 });
		await editor.node.pickRecord('Sales / Qualified');
		await editor.node.close();
		const before = (await requestsOf(service)).length;

		await editor.executeWorkflow();
		await editor.waitForSuccess(['Create person', 'Add person to segments', 'Create task']);
		t.diagnostic(`clicks from the empty canvas to the created task: ${editor.clicks}`);
		t.diagnostic(`a node had to be opened once more: ${editor.node.timesOpenedAgain} times`);
		await editor.zoomToFit();
		await picture(editor, 'workflow', { x: 260, y: 380, width: 1000, height: 230 });

		await editor.openNode('Create task');
		const [row, ...others] = await editor.node.readTable();
		assert.equal(others.length, 0);
		assert.equal(row.title, TITLE);

		const sent = (await requestsOf(service)).slice(before);
		assert.deepEqual(sent.map(nameOf), [
			'POST /people',
			'GET /people/{id}',
			'PATCH /people/{id}',
			'POST /tasks',
		]);
		const [created, , changed, task] = sent;
		assert.deepEqual(created.body, { familyName: FAMILY_NAME });
		assert.equal(changed.body.segments.length, 1);
		assert.match(changed.body.segments[0], /^\/segments\/[0-9a-f-]{36}$/);
		assert.equal(task.body.title, TITLE);
		assert.match(task.body.status, /^\/workspaces\/[0-9a-f-]{36}\/columns\/[0-9a-f-]{36}$/);
		assert.ok(sent.every(({ status }) => status < 300));
	},
);
