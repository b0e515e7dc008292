import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestsOf } from '../service.mjs';
import { PATIENCE_MS } from './editor.mjs';
import { inEditor } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

const POLL_MS = 250;

/** Most clicks for each job, from the empty canvas. */
const MOST_CLICKS = { person: 8, task: 9, columns: 4 };

async function firstNode(editor, service, action) {
	// Starts like a user with a saved credential. The editor selects the newest one by itself.
	await editor.saveCredential('CRM', service);
	await editor.newWorkflow();
	await editor.openActions();
	await editor.creator.choose(action);
	await editor.node.waitUntilOpen();
}

/** Returns the bodies of all writes, as soon as there is one. */
async function writtenTo(service) {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		const writes = (await requestsOf(service)).filter(({ method }) => method !== 'GET');
		if (writes.length > 0 || Date.now() > deadline) return writes.map(({ body }) => body);
		await sleep(POLL_MS);
	}
}

inEditor('a person gets an e-mail address and a phone number', async ({ editor, service, t }) => {
	await firstNode(editor, service, 'Create person');
	await editor.node.type('givenName', 'Eva');
	await editor.node.type('familyName', 'Jansen');
	await editor.node.type('email', 'e.jansen@example.com');
	await editor.node.type('phone', '+31 6 12345678');
	t.diagnostic(`clicks from the empty canvas to a person with both: ${editor.clicks}`);
	assert.ok(editor.clicks <= MOST_CLICKS.person);
	// n8n shows a tip below the focused field.
	await editor.node.leaveField();
	// Further addresses and numbers are still under Add Field.
	await editor.node.addField('Add Field', 'Email Addresses');
	await editor.node.addField('Add Field', 'Phone Numbers');
	await editor.node.type('emailAddresses', 'eva@example.com');
	await editor.node.type('phoneNumber', '+31 20 1234567');
	await editor.node.type('jobTitle', 'Head of Sales');
	await editor.node.execute();
	assert.deepEqual(await writtenTo(service), [
		{
			familyName: 'Jansen',
			givenName: 'Eva',
			jobTitle: 'Head of Sales',
			emailAddresses: [{ email: 'e.jansen@example.com' }, { email: 'eva@example.com' }],
			phoneNumbers: [
				{ phoneNumber: '+31 6 12345678', phoneType: null },
				{ phoneNumber: '+31 20 1234567', phoneType: 'mobile' },
			],
		},
	]);
});

inEditor(
	'values of a person survive switches between Create, Create or Update and Replace',
	async ({ editor, service }) => {
		await firstNode(editor, service, 'Create person');
		const given = {
			...{ email: 'e.jansen@example.com', familyName: 'Jansen' },
			...{ phone: '+31 6 12345678', givenName: 'Eva', jobTitle: 'Buyer' },
		};
		for (const [name, value] of Object.entries(given)) await editor.node.type(name, value);
		await editor.node.leaveField();
		const valueOf = async (name) => await editor.node.parameter(name).locator('input').inputValue();
		for (const operation of ['Create or Update', 'Replace', 'Create or Update', 'Create']) {
			await editor.node.pickChoices('operation', [operation]);
			for (const [name, value] of Object.entries(given)) {
				assert.equal(await valueOf(name), value, `${name} of ${operation}`);
			}
		}
	},
);

inEditor('a task is created in a column for a person', async ({ editor, service, t }) => {
	await firstNode(editor, service, 'Create task');
	await editor.node.type('title', 'Call about the offer');
	await editor.node.openLocator('status');
	await editor.node.pickRecord('Sales / Qualified');
	await editor.node.openLocator('person');
	await editor.click(editor.node.records.first());
	t.diagnostic(`clicks from the empty canvas to a task for a person: ${editor.clicks}`);
	assert.ok(editor.clicks <= MOST_CLICKS.task);
	await editor.node.execute();
	const [{ title, status, people }] = await writtenTo(service);
	assert.equal(title, 'Call about the offer');
	assert.match(status, /^\/workspaces\/[0-9a-f-]{36}\/columns\/[0-9a-f-]{36}$/);
	assert.equal(people.length, 1);
	assert.equal(people[0]['@id'], `/people/${people[0].id}`);
});

const ROW = {
	'First Name': 'Eva',
	'Last Name': 'Jansen',
	'E-mail': 'eva@new.example',
	Mobile: '+31 6 12345678',
	Phone: '+31 20 1234567',
	'Job Title': 'Head of Sales',
	Street: 'Oudegracht 1',
	Zip: '3511 AB',
	City: 'Utrecht',
	Country: 'NL',
};

inEditor('ten columns of a table are mapped automatically', async ({ editor, service, t }) => {
	const credential = await editor.saveCredential('CRM', service);
	const table = {
		name: 'Table',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify(ROW) },
	};
	const parameters = { resource: 'person', operation: 'upsert' };
	const people = crmNode('People', credential, parameters);
	const id = await editor.saveWorkflow(workflowOf('Columns', [table, people]));
	await editor.openWorkflow(id);
	const before = editor.clicks;
	await editor.openNode('People');
	await editor.node.openList('inputMode');
	await editor.click(editor.node.choices.getByText('Columns of the Input', { exact: true }));
	await editor.settle();
	t.diagnostic(`clicks to ten mapped columns: ${editor.clicks - before}`);
	assert.ok(editor.clicks - before <= MOST_CLICKS.columns);
	await editor.node.close();
	await editor.executeWorkflow();
	await editor.waitForSuccess(['People']);
	assert.deepEqual(await writtenTo(service), [
		{
			givenName: 'Eva',
			familyName: 'Jansen',
			jobTitle: 'Head of Sales',
			address: { street: 'Oudegracht 1', postalCode: '3511 AB', city: 'Utrecht', country: 'NL' },
			emailAddresses: [{ email: 'eva@new.example' }],
			phoneNumbers: [
				{ phoneNumber: '+31 20 1234567', phoneType: null },
				{ phoneNumber: '+31 6 12345678', phoneType: 'mobile' },
			],
		},
	]);
	await editor.openNode('People');
	await editor.click(editor.node.view.locator('[data-test-id="mapping-mode-select"]'));
	await editor.click(editor.node.choices.getByText('Map Each Column Manually', { exact: true }));
	await editor.node.view.locator('label').getByText('Postal Code').waitFor();
	const columns = await editor.node.view.locator('label').allInnerTexts();
	t.diagnostic(columns.join(', '));
	assert.ok(columns.some((label) => label.startsWith('Postal Code')));
	// A switch would write "no" until the user turns it on.
	assert.ok(!columns.some((label) => label.startsWith('Tracked')));
});
