import assert from 'node:assert/strict';
import { requestsOf, setSwitches } from '../service.mjs';
import { BY_HAND } from './editor.mjs';
import { inEditor } from './stage.mjs';

/** Adds a node with the mouse and opens the form of a new credential for it. */
async function openNewCredential(editor) {
	await editor.newWorkflow();
	await editor.startByHand();
	await editor.addAfter(BY_HAND);
	await editor.creator.search('Contact Task CRM');
	await editor.creator.choose('Contact Task CRM');
	await editor.creator.choose('Create person');
	await editor.node.waitUntilOpen();
	await editor.node.openNewCredential();
}

const WRONG = [
	{
		of: 'a key that the service does not know',
		values: ({ address }) => ({ baseUrl: address, apiKey: 'not-the-key' }),
		says: /did not accept the API key.*administrator/,
	},
	{
		of: 'plain HTTP to another machine',
		values: ({ apiKey }) => ({ baseUrl: 'http://crm.example.com', apiKey }),
		says: /plain HTTP.*https:\/\/crm\.example\.com/,
	},
	{
		of: 'an address without a scheme',
		values: ({ apiKey }) => ({ baseUrl: 'crm.example.com', apiKey }),
		says: /no web address.*https:\/\//,
	},
	{
		of: 'a path below which there is no CRM',
		values: ({ address, apiKey }) => ({ baseUrl: `${address}/elsewhere`, apiKey }),
		says: /no CRM interface at the Base URL/,
	},
	{
		of: 'an address where nothing listens',
		values: ({ apiKey }) => ({ baseUrl: 'http://127.0.0.1:9', apiKey }),
		says: /Check the Base URL and its port.*connection was refused \(ECONNREFUSED\)/,
	},
	{
		of: 'a port that does not speak HTTPS',
		values: ({ address, apiKey }) => ({ baseUrl: address.replace('http:', 'https:'), apiKey }),
		says: /Check the Base URL and its port.*does not speak HTTPS/,
	},
	{
		of: 'a web page',
		answer: '<!doctype html><title>Welcome</title>',
		values: ({ address, apiKey }) => ({ baseUrl: address, apiKey }),
		says: /Check the Base URL.*The answer was a web page/,
	},
	{
		of: 'JSON of something else',
		answer: { status: 'ok' },
		// The slash changes the address, because the form saves and tests only after a change.
		values: ({ address, apiKey }) => ({ baseUrl: `${address}/`, apiKey }),
		says: /Check the Base URL.*The answer was an object of "status"/,
	},
];

/** Makes the service answer with success and something other than its list. A text is a web page. */
async function answerWith(service, answer) {
	const body = typeof answer === 'string' ? 'html' : answer;
	await setSwitches(service, { faults: answer ? [{ kind: 'status', status: 200, body }] : [] });
}

inEditor(
	'the test of a credential names each fault until the credential is right',
	async ({ editor, service, t }) => {
		await openNewCredential(editor);
		const { credential } = editor;
		await credential.enter({ baseUrl: '', apiKey: service.apiKey });
		await credential.dialog.getByText('This field is required').waitFor();
		assert.ok(await credential.saveButton.isDisabled());

		for (const { of, answer, values, says } of WRONG) {
			await answerWith(service, answer);
			await credential.enter(values(service));
			const { status, message } = await credential.saveAndTest();
			t.diagnostic(`${of}: ${message}`);
			assert.equal(status, 'Error', of);
			assert.match(message, says, of);
			await credential.showDetails(message);
			assert.ok(!(await credential.dialog.innerText()).includes('not-the-key'));
		}

		const sent = (await requestsOf(service)).length;
		await answerWith(service, undefined);
		// With blanks, as after pasting.
		await credential.enter({ baseUrl: ` ${service.address}/ `, apiKey: `${service.apiKey} ` });
		assert.equal((await credential.saveAndTest()).status, 'OK');
		await credential.dialog.waitFor({ state: 'hidden' });
		const [{ method, path, headers }] = (await requestsOf(service)).slice(sent);
		assert.deepEqual({ method, path }, { method: 'GET', path: '/segments' });
		assert.equal(headers['x-api-key'], service.apiKey);
	},
);
