import assert from 'node:assert/strict';
import { firstWorkflowNames } from '../readme.mjs';
import { requestsOf } from '../service.mjs';
import { BY_HAND } from './editor.mjs';
import { inEditor } from './stage.mjs';

const PERSON = 'Create or update person';
const ADDRESS = 'e.jansen@new.example';

inEditor(
	'a user who follows the README creates a person and a task for them',
	async ({ editor, service, t }) => {
		const left = new Set(await firstWorkflowNames());
		/** Returns a name for a click, and checks that the README mentions it. */
		const said = (name) => {
			assert.ok(left.delete(name), `The README does not say "${name}" here`);
			return name;
		};
		// A new user has no credential, but earlier tests left some.
		for (const { id } of await editor.rest('GET', '/credentials')) {
			await editor.rest('DELETE', `/credentials/${id}`);
		}
		const begin = Date.now();
		const { page } = editor;
		await editor.newWorkflow();
		await page.getByText(said('Add first step')).first().waitFor();
		await editor.openTriggers();
		await editor.creator.choose(said('Trigger manually'));
		await editor.addAfter(BY_HAND);
		await editor.creator.search('contacts');
		await editor.creator.choose(said('Contact Task CRM'));
		await editor.creator.choose(said(PERSON));
		await editor.node.waitUntilOpen();
		await editor.click(editor.node.view.getByText(said('Connect to Contact Task CRM')));
		await editor.credential.dialog.waitFor();
		await editor.credential.enter({ baseUrl: service.address, apiKey: service.apiKey });
		const { status } = await editor.credential.saveAndTest(said('Save'));
		assert.equal(status, 'OK');
		await editor.node.type('email', ADDRESS);
		await editor.node.type('familyName', 'Jansen');
		await editor.click(
			editor.find('node-execute-button').getByText(said('Execute step'), { exact: true }),
		);
		await editor.node.readTable();
		await editor.node.close();

		await editor.addAfter(PERSON);
		await editor.creator.search('contacts');
		await editor.creator.choose('Contact Task CRM');
		await editor.creator.choose(said('Create task'));
		await editor.node.waitUntilOpen();
		await editor.node.type('title', 'Call about the offer');
		await editor.node.openLocator('status');
		await editor.node.pickRecord('Sales / Qualified');
		await editor.node.dragFromInput('id', 'person');
		await editor.node.close();
		await editor.click(
			editor.find('execute-workflow-button').filter({ hasText: said('Execute workflow') }),
		);
		await editor.waitForSuccess([PERSON, 'Create task']);
		t.diagnostic(`from the first click to the task: ${((Date.now() - begin) / 1000).toFixed(0)} s`);
		t.diagnostic(`${editor.clicks} clicks`);
		assert.deepEqual([...left], []);

		const writes = (await requestsOf(service)).filter(({ method }) => method !== 'GET');
		assert.deepEqual(
			writes.map(({ method, path }) => `${method} ${path}`),
			['POST /people', 'POST /tasks'],
		);
		const [, { body }] = writes;
		assert.equal(body.title, 'Call about the offer');
		assert.equal(body.people.length, 1);
	},
);
