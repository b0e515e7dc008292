import assert from 'node:assert/strict';
import { requestsOf } from '../service.mjs';
import { setSwitches } from '../service.mjs';
import { inEditor, picture } from './stage.mjs';
import { crmNode, workflowOf } from './workflows.mjs';

/** Opens a node that creates a person with these fields, and executes it. */
async function createPerson(editor, service, additionalFields) {
	const credential = await editor.saveCredential('CRM', service);
	const parameters = {
		resource: 'person',
		operation: 'create',
		familyName: 'Jansen',
		additionalFields,
	};
	const id = await editor.saveWorkflow(
		workflowOf('Refused', [crmNode('Create person', credential, parameters)]),
	);
	await editor.openWorkflow(id);
	await editor.openNode('Create person');
	await editor.node.execute();
	return await editor.node.readFailure();
}

inEditor('the editor names a field that the service refuses', async ({ editor, service, t }) => {
	const violation = {
		propertyPath: 'emailAddresses[0].email',
		message: 'This e-mail address is already in use.',
	};
	await setSwitches(service, {
		faults: [
			{
				kind: 'status',
				status: 422,
				body: { status: 422, title: 'An error occurred', violations: [violation] },
				match: { method: 'POST', path: '^/people$' },
			},
		],
	});
	const failure = await createPerson(editor, service, {
		emailAddresses: ['e.jansen@example.com'],
	});
	t.diagnostic(failure.replace(/\n+/g, ' ¶ '));
	assert.match(failure, /Email Address/);
	assert.match(failure, /already in use/);
	await picture(editor, 'refused-field', { x: 490, y: 66, width: 885, height: 640 });
});

inEditor(
	'the editor names an unusable field, and the node sends nothing',
	async ({ editor, service, t }) => {
		const failure = await createPerson(editor, service, {
			emailAddresses: ['e.jansen at example.com'],
		});
		t.diagnostic(failure.replace(/\n+/g, ' ¶ '));
		assert.match(failure, /Email Address/);
		assert.match(failure, /e\.jansen at example\.com|e-mail address/);
		assert.deepEqual(await requestsOf(service), []);
	},
);
