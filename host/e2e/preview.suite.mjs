import assert from 'node:assert/strict';
import { ask, requestsOfN8n } from '../service.mjs';
import { BY_HAND } from './editor.mjs';
import { inEditor, picture } from './stage.mjs';
import { crmNode, rowsNode, workflowOf } from './workflows.mjs';

const NAME = 'CRM';
const OUTPUT = { x: 490, y: 66, width: 885, height: 620 };

/** Opens a node with these parameters, after other nodes. */
async function openNode(editor, service, parameters, before = []) {
	const credential = await editor.saveCredential('CRM', service);
	const nodes = [...before, crmNode(NAME, credential, parameters)];
	await editor.openWorkflow(await editor.saveWorkflow(workflowOf('Preview', nodes)));
	await editor.openNode(NAME);
	await editor.settle();
}

async function rowsOf({ node }) {
	await node.execute();
	const rows = await node.readTable();
	await node.waitUntilIdle();
	return rows;
}

const methodsOf = (requests) => requests.map(({ method }) => method);

inEditor(
	'Preview Only takes two clicks, shows what each row would change, and writes nothing',
	async ({ editor, service, t }) => {
		const [person] = (await ask(service, 'GET', '/people?itemsPerPage=1')).member;
		const rows = [
			{ email: person.emailAddresses[0].email, name: person.familyName, job: 'Head of Purchasing' },
			{ email: 'e.jansen@new.example', name: 'Jansen', job: 'Buyer' },
			{ email: 'bakker at new.example', name: 'Bakker', job: 'Cook' },
		];
		const parameters = {
			...{ resource: 'person', operation: 'upsert', email: '={{ $json.email }}' },
			...{ familyName: '={{ $json.name }}', additionalFields: { jobTitle: '={{ $json.job }}' } },
			options: { output: 'simplified' },
		};
		await openNode(editor, service, parameters, rowsNode('Rows', rows));
		const { node, clicks: before } = editor;
		await node.addField('Add Option', 'Preview Only');
		assert.equal(editor.clicks - before, 2);
		const shown = await rowsOf(editor);
		t.diagnostic(JSON.stringify(shown));
		assert.deepEqual(
			shown.map(({ preview }) => preview),
			['update', 'create', 'refused'],
		);
		const [update, create, refused] = shown;
		assert.match(update.name, new RegExp(person.familyName));
		assert.match(update.summary, /Job\sTitle:\s.*\s→\sHead\sof\sPurchasing/);
		assert.match(create.summary, /Job\sTitle:\sBuyer/);
		assert.equal(refused.name, 'Bakker');
		assert.match(refused.summary, /^Not\swritten:\sEmail:\s.*bakker\sat\snew\.example/);
		assert.ok(methodsOf(await requestsOfN8n(service)).every((method) => method === 'GET'));
		await picture(editor, 'preview', OUTPUT);
	},
);

const SCREEN = { width: 1440, height: 900 };

/** Returns how many rows of the output stand on the screen as a whole. */
async function rowsOnScreen({ page }) {
	const bottoms = await page
		.locator('[data-test-id="output-panel"] tbody tr')
		.evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().bottom));
	return bottoms.filter((bottom) => bottom < SCREEN.height).length;
}

inEditor(
	'a preview of task moves shows at least eight rows a screen, with titles',
	async ({ editor, service, t }) => {
		await editor.page.setViewportSize(SCREEN);
		const tasks = (await ask(service, 'GET', '/tasks?itemsPerPage=10')).member;
		const parameters = {
			...{ resource: 'task', operation: 'move', options: { previewOnly: true } },
			taskId: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
			status: { __rl: true, mode: 'id', value: 'Sales / Won' },
		};
		const rows = tasks.map(({ id }) => ({ id }));
		await openNode(editor, service, parameters, rowsNode('Rows', rows));
		const shown = await rowsOf(editor);
		for (const { preview, summary } of shown) {
			const expected = preview === 'update' ? /^Column: .+ → Sales \/ Won$/ : /^Nothing changes$/;
			assert.match(summary, expected);
		}
		const visible = await rowsOnScreen(editor);
		t.diagnostic(`${visible} rows`);
		assert.ok(visible >= 8);
	},
);

inEditor(
	'an import preview shows eight rows a screen, with refused people and unused columns',
	async ({ editor, service, t }) => {
		await editor.page.setViewportSize(SCREEN);
		const people = (await ask(service, 'GET', '/people?itemsPerPage=3')).member;
		const rows = Array.from({ length: 10 }, (_, index) => ({
			...{ Voornaam: 'Eva', Achternaam: `Jansen ${index}`, Functie: 'Inkoper' },
			'E-mailadres': people[index]?.emailAddresses[0].email ?? `e${index}@new.example`,
			Telefoon: index === 5 ? 'call only' : '020 1234567',
			...{ Straat: 'Oudegracht', Huisnummer: index + 1, Postcode: '3511 AB', Plaats: 'Utrecht' },
			...{ Bedrijf: 'Acme BV', Opmerkingen: index % 2 ? 'belde' : '', Geboortedatum: '1980-01-01' },
		}));
		const columns = { mappingMode: 'autoMapInputData', value: null, matchingColumns: ['email'] };
		const parameters = {
			...{ resource: 'person', operation: 'upsert', inputMode: 'columns' },
			...{ columns: { ...columns, schema: [] } },
			options: { previewOnly: true, whenNameDiffers: 'update' },
		};
		await openNode(editor, service, parameters, rowsNode('Rows', rows));
		const shown = await rowsOf(editor);
		assert.match(
			shown[0].summary,
			/Given Name: .* → Eva.*Not used: Bedrijf, Geboortedatum, Opmerkingen.*Used: .*Voornaam → Given Name/,
		);
		const told = editor.node.output.getByText('Not used: Bedrijf');
		const { x, y, width, height } = await told.boundingBox();
		t.diagnostic(`The headings stand at ${x}, ${y}, ${width} × ${height}`);
		assert.ok(x + width <= SCREEN.width && y + height <= SCREEN.height);
		await editor.node.hints.filter({ hasText: 'The first row says' }).waitFor();
		assert.equal(shown[5].name, 'Eva Jansen 5');
		assert.match(shown[5].summary, /^Not\swritten:\sPhone\s.*got\s"call\sonly"/);
		const visible = await rowsOnScreen(editor);
		t.diagnostic(`${visible} rows`);
		assert.ok(visible >= 8);
	},
);

/** Most clicks from rows on the canvas to a preview of their import that people can read. */
const MOST_CLICKS = 8;

inEditor(
	'an import of rows shows a readable preview after at most eight clicks',
	async ({ editor, service, t }) => {
		await editor.saveCredential('CRM', service);
		const rows = [
			{ Voornaam: 'Eva', Achternaam: 'Jansen', 'E-mailadres': 'eva@new.example', Bedrijf: 'Acme' },
			{ Voornaam: 'Bob', Achternaam: 'Bos', 'E-mailadres': 'bob at new.example', Bedrijf: '' },
		];
		await editor.openWorkflow(
			await editor.saveWorkflow(workflowOf('Import', rowsNode('Rows', rows))),
		);
		const before = editor.clicks;
		await editor.addAfter('Rows');
		await editor.creator.search('contacts');
		await editor.creator.choose('Contact Task CRM');
		await editor.creator.choose('Create or update person');
		const { node } = editor;
		await node.waitUntilOpen();
		await node.openList('inputMode');
		await editor.click(node.choices.getByText('Columns of the Input', { exact: true }));
		await editor.settle();
		await node.addField('Add Option', 'Preview Only');
		await node.execute();
		const told = node.output.getByText('Not used: Bedrijf');
		await told.first().waitFor();
		const clicks = editor.clicks - before;
		t.diagnostic(`${clicks} clicks`);
		assert.ok(await told.first().isVisible());
		assert.ok(clicks <= MOST_CLICKS);
		await node.waitUntilIdle();
		const [eva, bob] = await node.readTable();
		assert.deepEqual([eva.preview, eva.name], ['create', 'Eva Jansen']);
		assert.match(bob.summary, /^Not written: Email/);
	},
);

inEditor('Tell What Changed says what each field was before', async ({ editor, service, t }) => {
	const [person] = (await ask(service, 'GET', '/people?itemsPerPage=1')).member;
	await openNode(editor, service, {
		...{ resource: 'person', operation: 'update' },
		personId: { __rl: true, mode: 'id', value: person.id },
		updateFields: { jobTitle: 'Head of Purchasing' },
	});
	await editor.node.addField('Add Option', 'Tell What Changed');
	const [{ result, changes }] = await rowsOf(editor);
	t.diagnostic(changes);
	assert.equal(result, 'updated');
	assert.match(changes, new RegExp(`from[^]*${person.jobTitle}[^]*to[^]*Head of Purchasing`));
	const [read, written] = methodsOf(await requestsOfN8n(service));
	assert.deepEqual([read, written], ['GET', 'PATCH']);
});

inEditor('an API Request is filled in by clicking', async ({ editor, service, t }) => {
	await editor.saveCredential('CRM', service);
	await editor.newWorkflow();
	await editor.startByHand();
	await editor.addAfter(BY_HAND);
	await editor.creator.search('contacts');
	await editor.creator.choose('Contact Task CRM');
	await editor.creator.choose('Send API request');
	const { node } = editor;
	await node.waitUntilOpen();
	await node.type('path', '/workspaces');
	await node.addEntry('Add Parameter');
	await node.type('name', 'title');
	await node.type('value', 'Sales 2024');
	const rows = await rowsOf(editor);
	t.diagnostic(JSON.stringify(rows));
	assert.deepEqual(
		rows.map(({ title }) => title),
		['Sales 2024'],
	);
	const [asked] = await requestsOfN8n(service);
	assert.equal(asked.query.title, 'Sales 2024');

	await node.pickChoices('method', ['POST']);
	await node.typeJson('jsonBody', '{ "title": "Acme" }');
	await node.addField('Add Option', 'Preview Only');
	const before = (await requestsOfN8n(service)).length;
	await node.execute();
	// The table of the first run stays until the second one has ended.
	await node.output.getByText('send', { exact: true }).waitFor();
	const [{ preview, request }] = await node.readTable();
	t.diagnostic(request);
	assert.equal(preview, 'send');
	assert.match(
		request,
		/method:POST[^]*path:\/workspaces\?title=Sales\+2024[^]*body[^]*title:Acme/,
	);
	assert.equal((await requestsOfN8n(service)).length, before);
});
