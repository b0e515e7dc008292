import assert from 'node:assert/strict';
import { BY_HAND } from './editor.mjs';
import { inEditor } from './stage.mjs';

/** Words that users search for: records in a CRM, and actions on them. */
const WORDS = [
	...[
		'CRM',
		'contacts',
		'deals',
		'tasks',
		'client',
		'to do',
		'sales',
		'tag',
		'history',
		'newsletter',
	],
	...['board', 'list'],
];

/** Words that other nodes use in their names, too. n8n ranks names of nodes before aliases. */
const COMMON_WORDS = ['note', 'call', 'company', 'phone', 'email', 'import'];

inEditor('the node is found by words that other nodes also have', async ({ editor, t }) => {
	await editor.newWorkflow();
	await editor.startByHand();
	await editor.addAfter(BY_HAND);
	for (const word of COMMON_WORDS) {
		await editor.creator.search(word);
		await editor.creator.scrollTo('Contact Task CRM');
		const names = await editor.creator.names();
		t.diagnostic(`"${word}": ${names.indexOf('Contact Task CRM') + 1} of ${names.length}`);
		assert.ok(names.includes('Contact Task CRM'));
	}
});

inEditor('the node is found by the everyday words of its users', async ({ editor, t }) => {
	await editor.newWorkflow();
	await editor.startByHand();
	await editor.addAfter(BY_HAND);
	for (const word of WORDS) {
		await editor.creator.search(word);
		await editor.creator.found('Contact Task CRM').waitFor();
		const names = await editor.creator.names();
		const place = names.indexOf('Contact Task CRM') + 1;
		t.diagnostic(`"${word}": ${place} of ${names.length}`);
		assert.ok(
			await editor.creator.isSeen('Contact Task CRM'),
			`"${word}" finds it only in place ${place}`,
		);
	}
});
