// `npm start -- --run`, as somebody runs it: with `npm run test:host`. The built node runs in n8n's engine.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readTable } from './csv.mjs';
import { importContacts, importRows, previewFile } from './embedded.mjs';
import { contactsFile } from './examples.mjs';
import { projectFolder } from './paths.mjs';
import { firstTable } from './readme.mjs';
import { run } from './run.mjs';

const { startService } = createRequire(import.meta.url)('../test/service/index.ts');

let folder;

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-run-'));
});

after(async () => {
	await rm(folder, { recursive: true, force: true });
});

const write = async (name, content) => {
	const path = join(folder, name);
	await writeFile(path, content);
	return path;
};

/** Runs `npm start -- --run` with a file, and gives what it printed. */
const start = async (...args) =>
	await run(process.execPath, [join(projectFolder, 'host', 'start.mjs'), '--run', ...args], {
		cwd: folder,
		env: { ...process.env, INIT_CWD: folder },
	});

/** Runs something in this process, and gives its result and what it printed. */
async function locally(work, options = {}) {
	const printed = [];
	const cleanUps = [];
	const own = { print: (line) => printed.push(line), after: (cleanUp) => cleanUps.push(cleanUp) };
	try {
		return { ...(await work({ ...own, ...options })), text: printed.join('\n') };
	} finally {
		for (const cleanUp of cleanUps) await cleanUp();
	}
}

const HEAD =
	'First name,Middle name,Last name,E-mail,Phone,Fax,Job title,Company,Street,Postal code,City,Country,Notes';
const rowOf = (first, last, email) => `${first},,${last},${email},,,,,,,,NL,`;

describe('the preview of a file', () => {
	test('The preview of a file names columns that are taken or not, and the outcome of each row', async () => {
		const rows = ['Eva;Vos;eva@x.example;Rotterdam', 'Jan;Vis;none;', ';;no@x.example;'];
		const text = ['First name;Surname;E-mail;Favourite Café', ...rows].join('\r\n');
		await write('mine.csv', Buffer.from(text, 'latin1'));
		const printed = await start('mine.csv');
		assert.match(printed, /mine\.csv: 3 rows, 4 columns, Windows-1252, separated by semicolons/);
		assert.match(
			printed,
			/First name +→ Given Name\n +Surname +→ Family Name\n +E-mail +→ Email\n/,
		);
		assert.match(printed, /not taken.*\n +Favourite Café\n/);
		assert.match(printed, /would be created +1\n.*\n.*\n +would be refused +2\n +rows +3\n/);
		assert.match(printed, /line 3: Email: expected an e-mail address, got "none"/);
		assert.match(printed, /line 4: Family Name is empty/);
		assert.match(printed, /Nothing was written\. .* 2 requests and takes a few seconds/);
	});

	for (const [what, content, message] of [
		['that is empty', '', /The file is empty\. Export it again/],
		['without names of columns', 'Eva,Vos,eva@x.example\n', /The first line holds values/],
		['whose names nobody knows', 'Naam,Bedrijf\nx,y\n', /No column has a name that the CRM knows/],
		['without addresses', 'Last name\nVos\n', /No column holds e-mail addresses.*"Email"/],
	]) {
		test(`The preview of a file refuses one ${what}, and says what to do`, async () => {
			await write('bad.csv', content);
			await assert.rejects(start('bad.csv'), (error) => {
				assert.match(error.message, /ended with code 1/);
				assert.match(error.message, message);
				return true;
			});
		});
	}

	test('The preview of a file refuses a path that leads nowhere, two files, and a file without --run', async () => {
		await assert.rejects(start('nowhere.csv'), /nowhere\.csv cannot be read \(ENOENT\)/);
		await assert.rejects(start('one.csv', 'two.csv'), /takes one file/);
		const alone = run(process.execPath, [join(projectFolder, 'host', 'start.mjs'), 'one.csv']);
		await assert.rejects(alone, /npm start -- --run one\.csv/);
	});

	test('The preview of a file takes another port if one is in use, and says so', async () => {
		const other = createServer();
		await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
		try {
			const servicePort = other.address().port;
			const preview = async (options) => await previewFile(contactsFile, options);
			const { text, isComplete } = await locally(preview, { servicePort });
			assert.match(text, new RegExp(`Port ${servicePort} is in use, so the stand-in takes \\d+`));
			assert.ok(isComplete);
		} finally {
			other.close();
		}
	});

	test('The preview of a long file in parts says the same as a whole preview', async () => {
		const file = contactsFile;
		const whole = await locally(async (options) => await previewFile(file, options));
		const inParts = await locally(
			async (options) => await previewFile(file, { ...options, rowsAtOnce: 4 }),
		);
		assert.equal(whole.outcomes.length, 55);
		assert.deepEqual(inParts.outcomes, whole.outcomes);
	});

	test('The preview of a file counts a row with too many values as refused', async () => {
		const file = await write(
			'wide.csv',
			'Last name,Email\nVos, Eva,e@x.example\nVis,v@x.example\n',
		);
		const { text, isComplete } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, /line 2: has 3 values, and there are 2 columns/);
		assert.match(text, /would be created +1\n/);
		assert.ok(isComplete);
	});
});

describe('the import of example 1', () => {
	const rows = [
		rowOf('Eva', 'Vos', 'eva@new.example'),
		rowOf('Jan', 'Vis', 'none'),
		rowOf('Eva', 'Vos', ' EVA@new.example '),
		// The stand-in has her already.
		rowOf('Amber', 'van Dijk', 'VanDijk.0@mail.example'),
	];
	const importRows = async (switches) => {
		const file = await write('contacts.csv', [HEAD, ...rows].join('\n'));
		return await locally(
			async (options) => await importContacts({ ...options, ...(switches && { switches }), file }),
		);
	};

	test('The import of example 1 gives each row an outcome, and sends what the limit allows', async () => {
		const { outcomes, requests, text, isComplete } = await importRows();
		assert.deepEqual(
			outcomes.map(({ result }) => result),
			['created', 'refused', 'same person', 'updated'],
		);
		assert.match(
			text,
			/created +1\n.*updated +1\n.*unchanged +0\n.*earlier row +1\n.*refused +1\n/,
		);
		assert.match(text, /line 3: no usable e-mail address: "none"/);
		assert.match(text, /2 tasks created/);
		assert.ok(isComplete);
		assert.deepEqual(
			requests.filter(({ status }) => status === 429),
			[],
		);
	});

	test('The import of example 1 fails if a row has no outcome, and gives the reason', async () => {
		const match = { method: 'POST', path: '^/tasks$' };
		const faults = [{ kind: 'status', status: 422, body: 'json', match }];
		const { text, isComplete } = await importRows({ faults });
		assert.equal(isComplete, false);
		assert.match(text, /without an outcome +2\n/);
		assert.match(text, /The run stopped: /);
	});

	test('The import of example 1 reports what the service refuses, with its reason', async () => {
		const match = { method: 'POST', path: '^/people$' };
		const faults = [{ kind: 'status', status: 422, body: 'json', match }];
		const { outcomes, text, isComplete } = await importRows({ faults });
		assert.equal(outcomes[0].result, 'refused');
		assert.match(text, /line 2: \S+/);
		assert.ok(isComplete);
	});
});

test('The first screen of the README shows the result of its three rows, in a preview and in a run', async () => {
	const [head, ...shown] = await firstTable();
	const service = await startService({ switches: { rateLimit: { mode: 'off' } } });
	try {
		const names = head.slice(0, -3);
		const contacts = readTable(await readFile(contactsFile)).rows;
		const rows = shown.map((cells) => {
			const row = Object.fromEntries(names.map((name, index) => [name, cells[index]]));
			const isShown = (contact) => names.every((name) => contact[name].trim() === row[name]);
			assert.ok(contacts.some(isShown), `${JSON.stringify(row)} is in the file of the examples`);
			return row;
		});
		const previews = await importRows(service, rows, { previewOnly: true });
		const results = await importRows(service, rows);
		const expected = rows.map((row, index) => {
			const { preview, summary } = previews[index].json;
			const { result, error } = results[index].json;
			const said = [preview, summary, result ?? `error: ${error.split(':')[0]}`];
			return [...names.map((name) => row[name]), ...said];
		});
		assert.deepEqual(shown, expected);
	} finally {
		await service.close();
	}
});
