// Tests `npm start -- --run` with the built node in n8n's engine: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { readTable } from './csv.mjs';
import { importContacts, importRows, previewFile } from './embedded.mjs';
import { contactsFile } from './examples.mjs';
import { partsOf } from './parts.mjs';
import { projectFolder } from './paths.mjs';
import { durationOf, progressOfImport, reportProgress } from './progress.mjs';
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

/** Runs `npm start -- --run` with a file, and returns its output. */
const start = async (...args) =>
	await run(process.execPath, [join(projectFolder, 'host', 'start.mjs'), '--run', ...args], {
		cwd: folder,
		env: { ...process.env, INIT_CWD: folder },
	});

/** Runs a function in this process, and returns its result and its output. */
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

/** Runs a function while another server listens on a port. */
async function withPortInUse(work) {
	const other = createServer();
	await new Promise((resolve) => other.listen(0, '127.0.0.1', resolve));
	try {
		await work(other.address().port);
	} finally {
		other.close();
	}
}

const HEAD =
	'First name,Middle name,Last name,E-mail,Phone,Fax,Job title,Company,Street,Postal code,City,Country,Notes';
const rowOf = (first, last, email) => `${first},,${last},${email},,,,,,,,NL,`;

describe('the preview of a file', () => {
	test("The preview of a file names used and unused columns, and each row's outcome", async () => {
		const rows = ['Eva;Vos;eva@x.example;Zoë', 'Jan;Vis;none;', ';;no@x.example;'];
		const text = ['First name;Surname;E-mail;Favourite Café', ...rows].join('\r\n');
		await write('mine.csv', Buffer.from(text, 'latin1'));
		const printed = await start('mine.csv');
		assert.match(printed, /mine\.csv: 3 rows, 4 columns, Windows-1252, separated by semicolons/);
		assert.match(
			printed,
			/First name +→ Given Name\n +Surname +→ Family Name\n +E-mail +→ Email\n/,
		);
		assert.match(printed, /Columns not used \(no such field in the CRM\):\n +Favourite Café\n/);
		assert.match(printed, /would be created +1\n.*\n.*\n.*\n +would be refused +2\n +rows +3\n/);
		assert.match(printed, /line 3: Email is "none"/);
		assert.match(printed, /line 4: Family Name is empty/);
		assert.match(printed, /\nRead as Windows-1252: "Favourite Café" \(line 1\)\. If that looks/);
		assert.match(
			printed,
			/Compared with a made-up CRM on this machine\. .* would be updated\. Nothing left this machine\.\n/,
		);
		assert.match(printed, / 2 requests and takes a few seconds/);
	});

	for (const [what, content, message] of [
		['that is empty', '', /The file is empty\. Export it again/],
		['without names of columns', 'Eva,Vos,eva@x.example\n', /The first line holds values/],
		[
			'whose column names are all unknown',
			'Kenteken,Bedrijf\nx,y\n',
			/No column has a name that the CRM knows/,
		],
		['without addresses', 'Last name\nVos\n', /No column holds e-mail addresses.*"Email"/],
	]) {
		test(`The preview refuses a file ${what}, and says what to do`, async () => {
			await write('bad.csv', content);
			await assert.rejects(start('bad.csv'), (error) => {
				assert.match(error.message, /ended with code 1/);
				assert.match(error.message, message);
				return true;
			});
		});
	}

	test('The preview refuses a wrong path, two files, and a file without --run', async () => {
		await assert.rejects(start('nowhere.csv'), /There is no file \S+nowhere\.csv\./);
		await assert.rejects(start('one.csv', 'two.csv'), /takes one file/);
		const alone = run(process.execPath, [join(projectFolder, 'host', 'start.mjs'), 'one.csv']);
		await assert.rejects(alone, /npm start -- --run one\.csv/);
	});

	test('The preview refuses a folder, a workbook and an empty file before any installation', async () => {
		// A copy without packages.
		const copy = join(folder, 'copy');
		await cp(join(projectFolder, 'host'), join(copy, 'host'), { recursive: true });
		const startCopy = async (file) =>
			await run(process.execPath, [join(copy, 'host', 'start.mjs'), '--run', file], {
				cwd: copy,
				env: { ...process.env, INIT_CWD: folder },
			});
		await write('book.xlsx', 'PK\u0003\u0004rest');
		await write('empty.csv', '');
		for (const [file, message] of [
			['.', / is a folder\. Give the path of a CSV file\./],
			['nowhere.csv', /There is no file /],
			['book.xlsx', /an Excel workbook.*save it as "CSV UTF-8"/],
			['empty.csv', /The file is empty\. Export it again/],
		]) {
			await assert.rejects(startCopy(file), (error) => {
				assert.match(error.message, message);
				assert.doesNotMatch(error.message, /Installing/);
				return true;
			});
		}
	});

	test('npm start --run without the two hyphens fails and shows the right command', async () => {
		const withoutHyphens = async (npm_config_run, ...args) =>
			await run(process.execPath, [join(projectFolder, 'host', 'start.mjs'), ...args], {
				env: { ...process.env, npm_config_run },
			});
		await assert.rejects(withoutHyphens('true'), /\nWrite npm start -- --run$/);
		await assert.rejects(withoutHyphens('true', 'x.csv'), /\nWrite npm start -- --run x\.csv$/);
		await assert.rejects(withoutHyphens('x.csv'), /\nWrite npm start -- --run x\.csv$/);
	});

	test('npm start lists its commands for an unknown option, as for --help', async () => {
		const commands =
			/npm start -- --run +\S.*\nnpm start -- --run FILE\.csv +\S.*\nnpm start +opens .*$/;
		assert.match((await start('--help')).trimEnd(), commands);
		for (const option of ['--run=x.csv', '--unheard-of']) {
			await assert.rejects(start(option), (error) => {
				assert.match(error.message, commands);
				assert.doesNotMatch(error.message, /ERR_|does not take|Unknown option/);
				return true;
			});
		}
	});

	test('The preview of a file takes another port if its port is in use', async () => {
		await withPortInUse(async (servicePort) => {
			const preview = async (options) => await previewFile(contactsFile, options);
			const { text, isComplete } = await locally(preview, { servicePort });
			assert.doesNotMatch(text, /Port/);
			assert.ok(isComplete);
		});
	});

	test('The preview of a Windows-1252 file shows an accented value and its line', async () => {
		const content = 'Last name,Email\nVos,v@x.example\nM\u00fcller,m@x.example\n';
		const file = await write('accents.csv', Buffer.from(content, 'latin1'));
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, /Read as Windows-1252: "Müller" \(line 3\)\. .* save it as "CSV UTF-8"\./);
	});

	test('The preview of a file lists ten of many unused columns', async () => {
		const unused = Array.from({ length: 150 }, (_, index) => `Unused ${index + 1}x`);
		const file = await write('many.csv', `Last name,Email,${unused.join(',')}\nVos,v@x.example\n`);
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, /: 1 row, 152 columns, /);
		assert.match(text, /\n {2}Unused 1x, .*, Unused 10x and 140 more\n/);
		assert.match(text, /about 2 requests/);
	});

	test('The preview of a file without last names tells how to name their column', async () => {
		const file = await write('first.csv', 'First name,Email\nEva,e@new.example\n');
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(
			text,
			/\n\nNo column holds last names\. Call it 'Last name'\.\n\nRefused rows:\n +line 2: /,
		);
		assert.match(text, /\nNothing would be imported\./);
		assert.doesNotMatch(text, /0 requests/);
	});

	test('The preview of a long file in parts equals that of the whole', async () => {
		const file = contactsFile;
		const whole = await locally(async (options) => await previewFile(file, options));
		const inParts = await locally(
			async (options) => await previewFile(file, { ...options, rowsAtOnce: 4 }),
		);
		assert.equal(whole.outcomes.length, 55);
		assert.deepEqual(inParts.outcomes, whole.outcomes);
	});

	test('The preview in parts unites rows that share one of two addresses', async () => {
		const rows = ['a@x.example,b@x.example', 'c@x.example,', 'd@x.example,', 'b@x.example,'];
		const lines = rows.map((addresses) => `Vos,${addresses}`);
		const file = await write('two.csv', ['Last name,Email,Email 2', ...lines].join('\n'));
		const resultsOf = async (rowsAtOnce) => {
			const preview = async (options) => await previewFile(file, { ...options, rowsAtOnce });
			return (await locally(preview)).outcomes;
		};
		assert.deepEqual(await resultsOf(1), await resultsOf(100));
	});

	const filesOfImports = join(projectFolder, 'test', 'engine', 'imports');
	const preview = async (name) =>
		await locally(async (options) => await previewFile(join(filesOfImports, name), options));

	test('The preview of a file counts notes, and names their lines', async () => {
		const { text } = await preview('23-preview-hides-left-out-numbers.csv');
		assert.match(text, /would be created +2\n/);
		assert.match(
			text,
			/\nNotes on 2 rows:\n +lines 2, 3: "3,16123E\+10" is no phone number and is left out, and the like\n/,
		);
	});

	test('The preview distinguishes a column that lost to another from one without a field', async () => {
		const { text } = await preview('24-preview-calls-beaten-columns-no-field.csv');
		assert.match(text, / Country Code +→ Country\n +Job Title +→ Job Title\n/);
		assert.match(text, /\nColumns not used, because another column was:\n +Country, Role\n/);
		assert.doesNotMatch(text, /no such field/);
	});

	test('The preview names the columns of mixed names and of whole addresses', async () => {
		const rows = ['María,García,m@x.example,"Kade 1, 2611 AA Delft"', 'Luis,,l@x.example,'];
		const file = await write(
			'mixed.csv',
			['Nombre,Apellidos,Correo,Dirección', ...rows].join('\n'),
		);
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, / Nombre +→ Given Name\n/);
		assert.match(text, / Dirección +→ Street\n/);
	});

	test('The preview of a file names columns of another person', async () => {
		const { text } = await preview('01-second-persons-contact-data-merged.csv');
		assert.match(
			text,
			/, because they are about another person:\n +Contact 2 First Name, .*Phone\n/,
		);
	});

	test('The preview takes two unused columns of one name, and refuses two used ones', async () => {
		const { text } = await preview('25-duplicate-heading-of-unused-column.csv');
		assert.match(text, /would be created +1\n/);
		assert.match(text, /no such field in the CRM\):\n +Summary, Labels, Labels \(2\)\n/);
		const file = await write('twice.csv', 'Last name,Email,Email\nVos,a@x.example,b@x.example\n');
		await assert.rejects(
			locally(async (options) => await previewFile(file, options)),
			/Two columns are called "Email"/,
		);
	});

	test('The preview refuses a file of quoted lines, and says what to do', async () => {
		await assert.rejects(
			preview('26-one-column-with-commas.csv'),
			/Each line stands in quotation marks as a whole\. Remove/,
		);
	});

	test('If one column holds full names, the preview gives no hint on last names', async () => {
		const file = await write(
			'name.csv',
			'Name,Email\nKees Visser,kees@new.example\n,x@new.example\n',
		);
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, / Name +→ Name\n/);
		assert.match(text, /would be created +1\n/);
		assert.doesNotMatch(text, /No column holds last names/);
	});

	test('The preview of a file prints no control characters of the file', async () => {
		const rows = ['Last name,Email,Note \u001b[31mred', 'Vos,no\u001b[31m\u0007\u202e,x'];
		const file = await write('colours.csv', rows.join('\n'));
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, /Note red/);
		assert.match(text, /expected an e-mail address, got "no/);
		assert.doesNotMatch(text, /[^\P{Cc}\n]|\u202e/u);
	});

	test('The preview of a file counts rows about one person as the import does', async () => {
		const rows = ['Vos,a@x.example', 'Vos,A@x.example ', 'Vis,a@x.example', ',b@x.example'];
		const file = await write('doubles.csv', ['Last name,Email', ...rows].join('\n'));
		const { text } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, /created +1\n.*updated +0\n.*as they are +0\n.*earlier row +2\n/);
		assert.match(text, /\n1 later row about the same person would change it again\.\n/);
		assert.match(text, /sends about 3 requests/);
	});

	test('The preview of a file counts a row with too many values as refused', async () => {
		const file = await write(
			'wide.csv',
			'Last name,Email\nVos, Eva,e@x.example\nVis,v@x.example\n',
		);
		const { text, isComplete } = await locally(async (options) => await previewFile(file, options));
		assert.match(text, /Refused rows:\n +line 2: 3 values for 2 columns/);
		assert.match(text, /would be created +1\n/);
		assert.ok(isComplete);
	});
});

describe('the parts of a long file', () => {
	const rowsOf = (...emails) => emails.map((Email) => ({ Email }));
	const sizesOf = (rows, rowsAtOnce) => {
		const parts = partsOf(rows, ['Email', 'Email 2'], rowsAtOnce);
		assert.deepEqual(
			parts.flat().sort((one, other) => one - other),
			rows.map((_, index) => index),
		);
		return parts.map(({ length }) => length);
	};

	test('Parts of a file without e-mail addresses have the requested size', () => {
		const blank = Array.from({ length: 100_000 }, () => ({ Email: ' ', 'Email 2': '' }));
		assert.deepEqual(new Set(sizesOf(blank, 1_000)), new Set([1_000]));
		assert.deepEqual(sizesOf(rowsOf('none', 'none', 'none'), 1), [1, 1, 1]);
	});

	test('Rows with shared e-mail addresses come into one part, even through a later row', () => {
		const rows = [
			...rowsOf('A@x.example', 'b@x.example', 'c@x.example'),
			{ Email: 'Bea <B@x.example>; a@x.example' },
			{ Email: 'd@x.example', 'Email 2': 'a@X.example' },
		];
		assert.deepEqual(partsOf(rows, ['Email', 'Email 2'], 1), [[0, 1, 3, 4], [2]]);
	});

	test('Parts of a file stay small even if all rows share one address', () => {
		const same = Array.from({ length: 1_000 }, () => ({ Email: 'info@x.example' }));
		assert.ok(Math.max(...sizesOf(same, 10)) <= 100);
		const hundred = Array.from({ length: 1_000 }, (_, row) => ({
			Email: `${row % 100}@x.example`,
		}));
		assert.ok(sizesOf(hundred, 10).length <= 100);
	});
});

describe('the import of example 1', () => {
	const rows = [
		rowOf('Eva', 'Vos', 'eva@new.example'),
		rowOf('Jan', 'Vis', 'none'),
		rowOf('Eva', 'Vos', ' EVA@new.example '),
		rowOf('Piet', 'Post', ' '),
		// The stand-in has her already.
		rowOf('Amber', 'van Dijk', 'VanDijk.0@mail.example'),
	];
	const importRows = async (switches) => {
		const file = await write('contacts.csv', [HEAD, ...rows].join('\n'));
		return await locally(
			async (options) => await importContacts({ ...options, ...(switches && { switches }), file }),
		);
	};

	test('The import of example 1 gives each row an outcome within the rate limit', async () => {
		const { outcomes, requests, text, isComplete } = await importRows();
		assert.deepEqual(
			outcomes.map(({ result }) => result),
			['created', 'refused', 'same person', 'refused', 'updated'],
		);
		assert.match(
			text,
			/created +1\n.*updated +1\n.*unchanged +0\n.*earlier row +1\n.*refused +2\n/,
		);
		assert.match(text, /line 3: no usable e-mail address: "none"/);
		assert.match(text, /line 5: has no e-mail address/);
		assert.match(text, /Done in .*: \d+ requests, none refused, 2 tasks created\./);
		assert.ok(isComplete);
		assert.deepEqual(
			requests.filter(({ status }) => status === 429),
			[],
		);
	});

	test('The import takes another port if its own is in use, and says so', async () => {
		await withPortInUse(async (servicePort) => {
			const file = await write('one.csv', [HEAD, rows[1]].join('\n'));
			const work = async (options) => await importContacts({ ...options, file, servicePort });
			const { text } = await locally(work);
			assert.match(
				text,
				new RegExp(`Port ${servicePort} is in use, so the stand-in takes \\d+\\.`),
			);
		});
	});

	test('The import fails with a reason if a row has no outcome', async () => {
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

describe('the progress of a run', () => {
	const requestOf = (method, path, status = 201) => {
		return { at: 0, answeredAt: 0, method, path, status, stored: status === 201 };
	};

	test('The progress names people, tasks and requests of an import whenever they change', (t) => {
		t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
		const requests = [requestOf('GET', '/segments', 200)];
		const rows = { total: 55 };
		const printed = [];
		const planned = 84;
		const stop = reportProgress(requests, {
			planned,
			progress: () => progressOfImport(rows, requests, planned),
			print: (line) => printed.push(line),
		});
		t.mock.timers.tick(15_000);
		rows.people = 39;
		for (let one = 0; one < 39; one++) requests.push(requestOf('POST', '/people'));
		for (let quarter = 0; quarter < 4; quarter++) t.mock.timers.tick(15_000);
		for (let one = 0; one < 14; one++)
			requests.push({ ...requestOf('POST', '/tasks'), at: 70_000 });
		t.mock.timers.tick(15_000);
		stop();
		t.mock.timers.tick(60_000);
		assert.deepEqual(printed, [
			'  55 rows read, 1 of 84 requests, 4 min 45 s left',
			'  39 people written, 0 of 39 tasks, 40 of 84 requests, 2 min 30 s left',
			'  39 people written, 14 of 39 tasks, 54 of 84 requests, 1 min 40 s left',
		]);
	});

	test('The progress of a run tells times in minutes, hours or days', () => {
		assert.equal(durationOf(20), 'a few seconds');
		assert.equal(durationOf(100), 'about 4 min');
		assert.equal(durationOf(20_000), 'about 17 h');
		assert.equal(durationOf(103_334), 'about 3½ days');
		assert.equal(durationOf(115_200), 'about 4 days');
	});
});

test('The first table of the README shows the true results of its rows', async () => {
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
