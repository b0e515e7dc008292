// `npm start -- --run`: the main example, or the preview of a file, in n8n's engine beside the stand-in service.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import getPort from 'get-port';
import { executeWorkflow } from './engine.mjs';
import { columnsTaken, describeColumns, HEADINGS, listed } from './columns.mjs';
import { readTable } from './csv.mjs';
import { contactsFile, EXAMPLES, readWorkflow } from './examples.mjs';
import { describeOutcomes, outcomesOfImport, outcomesOfPreview } from './outcomes.mjs';
import { partsOf, withDoubles } from './parts.mjs';
import { printable } from './printable.mjs';
import {
	count,
	describeDuration,
	durationOf,
	plannedRequests,
	progressOfImport,
	reportProgress,
	summarize,
} from './progress.mjs';

const require = createRequire(import.meta.url);
const { startService } = require('../test/service/index.ts');

const DEFAULT_PORT = 8377;
const LOOPBACK = '127.0.0.1';
/** A preview needs no rate limit, because it sends requests only to the stand-in. */
const NO_LIMIT = { rateLimit: { mode: 'off' } };
const MANY = 1_000_000;
/** Number of rows that the engine takes at once. It needs a few seconds for them, and shows no progress meanwhile. */
const ROWS_AT_ONCE = 1_000;
const PEOPLE_PER_LOOKUP = 30;
const SAME_PERSON = 'the same person as an earlier row';
const EMAIL_FIELD = 'emailAddresses';

/**
 * Options of a run.
 * @typedef {object} Options
 * @property {number} [servicePort] port of the stand-in; if it is in use, another one is taken
 * @property {object} [switches] behaviour of the stand-in, as in test/service/README.md
 * @property {(line: string) => void} [print]
 * @property {(cleanUp: () => Promise<void>) => void} [after] registers a function to run at the end
 */

/** Starts the stand-in service in this process. */
async function serve({ servicePort = DEFAULT_PORT, switches, after }) {
	const port = await getPort({ host: LOOPBACK, port: servicePort });
	const service = await startService({ port, switches });
	after(service.close);
	return service;
}

const withDefaults = (options) => ({ print: console.log, after: () => undefined, ...options });

/**
 * Imports the contacts of example 1, and prints the outcome of each row.
 * @param {Options & { file?: string }} [options] `file`: another one with the same columns
 * @returns {Promise<{ isComplete: boolean, outcomes: object[], requests: object[] }>} `isComplete`: whether every row has an outcome
 */
export async function importContacts(options = {}) {
	const { file = contactsFile, print, ...rest } = withDefaults(options);
	const service = await serve(rest);
	const example = await readWorkflow(EXAMPLES.importContacts, { contacts: file });
	const { rows, lines } = readTable(await readFile(file));
	const planned = plannedRequests(rows);
	const { servicePort = DEFAULT_PORT } = rest;
	const { port } = new URL(service.url);
	if (Number(port) !== servicePort) {
		print(`Port ${servicePort} is in use, so the stand-in takes ${port}.`);
	}
	print(
		`The stand-in CRM is at ${service.url} and takes 20 requests a minute, as the service does.`,
	);
	print(
		`Running "${example.name}" in n8n's engine: about ${count(planned, 'request')}, ${durationOf(planned)}.`,
	);
	const done = {};
	const onNodeDone = (name, [items]) => (done[name] = items?.length ?? 0);
	const progress = () => {
		const counted = { total: rows.length, people: done['One Row per Person'] };
		return progressOfImport(counted, service.requests, planned);
	};
	const stopReporting = reportProgress(service.requests, { planned, progress, print });
	const { outputs, error } = await executeWorkflow(example, service, { onNodeDone }).finally(
		stopReporting,
	);
	const outcomes = outcomesOfImport(outputs);
	const summary = summarize(service.requests);
	print(
		`Done in ${describeDuration(summary.durationMs)}: ${count(summary.requests, 'request')}, ${summary.refused || 'none'} refused, ${count(summary.tasksCreated, 'task')} created.\n`,
	);
	print(describeOutcomes(outcomes, lines, { words: { 'same person': SAME_PERSON } }));
	if (error) print(`\nThe run stopped: ${error.message}\n${error.description ?? ''}`);
	const isComplete = !error && outcomes.every(Boolean);
	if (!isComplete) print('\nNot every row has an outcome.');
	return { isComplete, outcomes, requests: [...service.requests] };
}

/** A letter that encodings write differently, and some of the text around it. */
const ACCENT = /.{0,30}[^\p{ASCII}].{0,30}/su;
const hasAccent = (text) => ACCENT.test(text);

/** @throws {Error} if the node would find no person in the table */
function assertImportable({ columns: names }, { taken }) {
	const there = `The file has: ${listed(names)}.`;
	if (taken.length === 0) {
		throw new Error(
			`No column has a name that the CRM knows. ${there} The first line has to name the columns, such as: First name,Last name,Email,Phone.`,
		);
	}
	if (taken.some(({ column }) => column.name === 'email')) return;
	throw new Error(
		`No column holds e-mail addresses, by which people are found. ${there} Call the column with the addresses "Email".`,
	);
}

/** Shows a value with accents, so that the user sees whether the encoding was recognized. */
function describeEncoding({ rows, lines, columns, encoding }) {
	const cells = [[columns, 1], ...rows.map((row, index) => [Object.values(row), lines[index]])];
	const [values, line] = cells.find(([some]) => some.some(hasAccent)) ?? [];
	const [shown] = ACCENT.exec(values?.find(hasAccent) ?? '') ?? [];
	const example = shown ? `: "${printable(shown).trim()}" (line ${line})` : '';
	return `Read as ${encoding}${example}. If that looks wrong, save it as "CSV UTF-8".`;
}

const ROWS = 'rowsOfTheFile';

/** Returns a workflow that imports rows or previews the import. It takes values from Columns of the Input. */
function workflowOf(rows, previewOnly) {
	const node = (name, type, parameters, further = {}) => ({
		...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters },
		...further,
	});
	const to = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const parameters = {
		...{ resource: 'person', operation: 'upsert', inputMode: 'columns' },
		// Raw output of a preview has the reason of a refusal.
		options: previewOnly ? { previewOnly, output: 'raw' } : {},
	};
	const further = {
		credentials: { contactTaskCrmApi: { id: '1', name: 'CRM' } },
		onError: 'continueRegularOutput',
	};
	const workflow = {
		...{ id: 'import', name: 'Import', settings: { executionOrder: 'v1' } },
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', {}),
			node('Rows', ROWS, {}),
			node('Import', 'n8n-nodes-contact-task-crm.contactTaskCrm', parameters, further),
		],
		connections: { Start: to('Rows'), Rows: to('Import') },
	};
	const description = {
		...{ name: ROWS, displayName: ROWS, description: ROWS, group: ['input'], version: 1 },
		...{ defaults: { name: ROWS }, inputs: ['main'], outputs: ['main'], properties: [] },
	};
	const execute = async () => [rows.map((json) => ({ json, pairedItem: { item: 0 } }))];
	return { workflow, nodes: { [ROWS]: { description, execute } } };
}

/**
 * Imports rows into a service, or previews the import, and returns an output item for each row.
 * @param {object} service
 * @param {Record<string, string>[]} rows
 * @param {{ previewOnly?: boolean }} [options]
 * @returns {Promise<object[]>}
 */
export async function importRows(service, rows, { previewOnly = false } = {}) {
	const { workflow, nodes } = workflowOf(rows, previewOnly);
	const limit = { requestsPerMinute: MANY, nodes };
	const { outputs, error } = await executeWorkflow(workflow, service, limit);
	if (error) throw error;
	return outputs('Import')[0] ?? [];
}

/**
 * Previews the import of a file, and says which columns are taken and what would become of each row.
 * @param {string} file
 * @param {Options & { rowsAtOnce?: number }} [options]
 * @returns {Promise<{ isComplete: boolean, outcomes: object[], left: string[] }>}
 */
export async function previewFile(file, options = {}) {
	const { print, rowsAtOnce = ROWS_AT_ONCE, ...rest } = withDefaults(options);
	const table = readTable(await readFile(file), { isUsed: (name) => HEADINGS.isKnown(name) });
	const { rows, lines, refused } = table;
	const found = columnsTaken(table.columns, rows);
	print(
		`${basename(file)}: ${count(rows.length + refused.length, 'row')}, ${count(table.columns.length, 'column')}, ${table.encoding}, separated by ${table.delimiter}.`,
	);
	if (table.encoding === 'Windows-1252') print(describeEncoding(table));
	assertImportable(table, found);
	print(`${describeColumns(found)}\n`);
	const service = await serve({ switches: NO_LIMIT, ...rest });
	const holdsAddresses = ({ column }) => column.field === EMAIL_FIELD;
	const names = found.taken.filter(holdsAddresses).map(({ name }) => name);
	const parts = partsOf(rows, names, rowsAtOnce);
	const previewed = await previewRows(rows, parts, service, print);
	const outcomes = withDoubles(previewed, rows, { names, lines, parts });
	const all = [...outcomes, ...refused.map(({ reason }) => ({ result: 'refused', reason }))];
	const places = [...lines, ...refused.map(({ line }) => line)];
	const words = {
		created: 'would be created',
		updated: 'would be updated',
		unchanged: 'would stay as they are',
		'same person': SAME_PERSON,
		refused: 'would be refused',
	};
	const hasLastNames = found.taken.some(({ column }) => column.field === 'familyName');
	const hint = hasLastNames ? '' : `No column holds last names. Call it 'Last name'.`;
	print(`${describeOutcomes(all, places, { words, hint })}\n`);
	for (const line of describeImport(all)) print(line);
	const isComplete = all.every(Boolean);
	if (!isComplete) print('Not every row has an outcome.');
	return { isComplete, outcomes: all, left: found.left };
}

async function previewRows(rows, parts, service, print) {
	const outcomes = rows.map(() => undefined);
	let done = 0;
	const progress = () => ({ done, total: rows.length, text: `${done} of ${rows.length} rows` });
	const options = { planned: 0, progress, print, isLimited: false };
	const stopReporting = reportProgress(service.requests, options);
	try {
		for (const part of parts) {
			const some = part.map((index) => rows[index]);
			const items = await importRows(service, some, { previewOnly: true });
			for (const [index, outcome] of outcomesOfPreview(items, part.length).entries()) {
				outcomes[part[index]] = outcome;
			}
			done += part.length;
			// Lets timers and signal handlers run, because a part without requests never waits.
			await nextTurn();
		}
	} finally {
		stopReporting();
	}
	return outcomes;
}

/** Names the records that the preview compared with, and the time of the import at the service's limit. */
function describeImport(outcomes) {
	const number = (...results) => outcomes.filter((one) => results.includes(one?.result)).length;
	const again = outcomes.filter((one) => one?.isChanged).length;
	const looked = number('created', 'updated', 'unchanged');
	if (looked === 0) return ['Nothing would be imported. Nothing left this machine.'];
	const requests = Math.ceil(looked / PEOPLE_PER_LOOKUP) + number('created', 'updated') + again;
	return [
		...(again > 0
			? [`${count(again, 'later row')} about the same person would change it again.`]
			: []),
		'Compared with a made-up CRM on this machine. Your CRM may have some of these people already; they would be updated. Nothing left this machine.',
		`In your CRM this import sends about ${count(requests, 'request')} and takes ${durationOf(requests)}, at 20 requests a minute.`,
	];
}
