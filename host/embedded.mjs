// `npm start -- --run`: the main example, or the preview of a file, in n8n's engine beside the stand-in service.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import getPort from 'get-port';
import { executeWorkflow } from './engine.mjs';
import { readTable } from './csv.mjs';
import { contactsFile, EXAMPLES, readWorkflow } from './examples.mjs';
import { describeOutcomes, outcomesOfImport, outcomesOfPreview } from './outcomes.mjs';
import { partsOf, withDoubles } from './parts.mjs';
import {
	describeDuration,
	durationOf,
	plannedRequests,
	reportProgress,
	summarize,
} from './progress.mjs';

const require = createRequire(import.meta.url);
const { startService } = require('../test/service/index.ts');
const { person } = require('../nodes/ContactTaskCrm/schema/person.ts');
const { fieldsOf } = require('../nodes/ContactTaskCrm/schema/record.ts');
const { Headings } = require('../nodes/ContactTaskCrm/schema/headings.ts');

const LOOPBACK = '127.0.0.1';
/** A preview asks the stand-in alone, so it need not wait. */
const NO_LIMIT = { rateLimit: { mode: 'off' } };
const MANY = 1_000_000;
/** The engine takes a few seconds for so many rows, and says nothing meanwhile. */
const ROWS_AT_ONCE = 1_000;
const PEOPLE_PER_LOOKUP = 30;
const SAME_PERSON = 'the same person as an earlier row';
const EMAIL_FIELD = 'emailAddresses';

/**
 * What a run is told.
 * @typedef {object} Options
 * @property {number} [servicePort] another port is taken where this one is in use
 * @property {object} [switches] how the stand-in behaves, as in test/service/README.md
 * @property {(line: string) => void} [print]
 * @property {(cleanUp: () => Promise<void>) => void} [after] takes what is to be done at the end
 */

/** Starts the stand-in service in this process. */
async function serve({ servicePort = 8377, switches, print, after }) {
	const port = await getPort({ host: LOOPBACK, port: servicePort });
	const service = await startService({ port, switches });
	after(service.close);
	if (port !== servicePort) print(`Port ${servicePort} is in use, so the stand-in takes ${port}.`);
	return service;
}

const withDefaults = (options) => ({ print: console.log, after: () => undefined, ...options });

/**
 * Imports the contacts of example 1, and says what became of each row.
 * @param {Options & { file?: string }} [options] `file`: another one with the same columns
 * @returns {Promise<{ isComplete: boolean, outcomes: object[], requests: object[] }>} `isComplete`: whether every row has an outcome
 */
export async function importContacts(options = {}) {
	const { file = contactsFile, print, ...rest } = withDefaults(options);
	const service = await serve({ print, ...rest });
	const example = await readWorkflow(EXAMPLES.importContacts, { contacts: file });
	const { rows, lines } = readTable(await readFile(file));
	const planned = plannedRequests(rows);
	print(
		`The stand-in CRM is at ${service.url} and takes 20 requests a minute, as the service does.`,
	);
	print(
		`Running "${example.name}" in n8n's engine: about ${planned} requests, ${durationOf(planned)}.`,
	);
	const done = {};
	const onNodeDone = (name, [items]) => (done[name] = items?.length ?? 0);
	const rowsDone = () => rowsDoneBy(done, summarize(service.requests));
	const stopReporting = reportProgress(service.requests, { planned, rowsDone, print });
	const { outputs, error } = await executeWorkflow(example, service, { onNodeDone }).finally(
		stopReporting,
	);
	const outcomes = outcomesOfImport(outputs);
	const summary = summarize(service.requests);
	print(
		`Done in ${describeDuration(summary.durationMs)}: ${summary.requests} requests, ${summary.refused} refused (429), ${summary.tasksCreated} tasks created.\n`,
	);
	print(describeOutcomes(outcomes, lines, { 'same person': SAME_PERSON }));
	if (error) print(`\nThe run stopped: ${error.message}\n${error.description ?? ''}`);
	const isComplete = !error && outcomes.every(Boolean);
	if (!isComplete) print('\nNot every row has an outcome.');
	return { isComplete, outcomes, requests: [...service.requests] };
}

/** A row is done when nothing more is sent for it: it has no address, it is a double, or its task is there. */
function rowsDoneBy(done, { peopleWritten, tasksCreated }) {
	const { 'Get the Rows': total = 0, 'One Row per Person': people } = done;
	if (people === undefined) return { total, done: 0 };
	const detail = ` (people ${peopleWritten} of ${people}, tasks ${tasksCreated} of ${people})`;
	return { total, done: total - people + tasksCreated, detail };
}

const HEADINGS = new Headings(fieldsOf(person, 'create'));

/**
 * Returns the columns of a file that the node takes, and those that it leaves.
 * @param {string[]} names
 */
export function columnsTaken(names) {
	// Some names mean one field or another, as the rows decide. Here any value will do.
	const columns = HEADINGS.take(names, () => 'value').flatMap(({ column, best, further }) =>
		[...best, ...further].map((name) => [name, column]),
	);
	const columnOf = new Map(columns);
	const found = names.map((name) => ({ name, column: columnOf.get(name) }));
	const taken = found.filter(({ column }) => column);
	const left = names.filter((name) => !columnOf.has(name));
	return { taken, left };
}

/** @throws {Error} for a table in which the node would find nobody */
function assertImportable({ columns: names }, { taken }) {
	const there = `The file has: ${names.join(', ')}.`;
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

function describeColumns({ taken, left }) {
	const width = Math.max(...taken.map(({ name }) => name.length));
	const lines = taken.map(({ name, column }) => `  ${name.padEnd(width)}  → ${column.label}`);
	return [
		'Columns taken:',
		...lines,
		...(left.length > 0
			? [`Columns not taken, since the CRM has no field of that name:\n  ${left.join(', ')}`]
			: []),
	].join('\n');
}

const ROWS = 'rowsOfTheFile';

/** A workflow that imports rows, or previews that, where Take Values From is Columns of the Input. */
function workflowOf(rows, previewOnly) {
	const node = (name, type, parameters, further = {}) => ({
		...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters },
		...further,
	});
	const to = (name) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const parameters = {
		...{ resource: 'person', operation: 'upsert', inputMode: 'columns' },
		options: { previewOnly },
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
 * Imports rows into a service, or previews that, and gives an item for each.
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
	const table = readTable(await readFile(file));
	const { rows, lines, refused } = table;
	const found = columnsTaken(table.columns);
	print(
		`${basename(file)}: ${rows.length + refused.length} rows, ${table.columns.length} columns, ${table.encoding}, separated by ${table.delimiter}.`,
	);
	if (table.encoding === 'Windows-1252') {
		print('It is not UTF-8, so it is read as Windows-1252. Look whether accents are right.');
	}
	assertImportable(table, found);
	print(`${describeColumns(found)}\n`);
	const service = await serve({ print, switches: NO_LIMIT, ...rest });
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
	print(`${describeOutcomes(all, places, words)}\n`);
	const again = all.filter((outcome) => outcome?.isChanged).length;
	if (again > 0) {
		print(`Later rows about the same person that would change it again: ${again}.`);
	}
	print(timeFor(all));
	const isComplete = all.every(Boolean);
	if (!isComplete) print('Not every row has an outcome.');
	return { isComplete, outcomes: all, left: found.left };
}

async function previewRows(rows, parts, service, print) {
	const outcomes = rows.map(() => undefined);
	const planned = parts.reduce((sum, { length }) => sum + Math.ceil(length / PEOPLE_PER_LOOKUP), 0);
	const rowsDone = () => ({ total: rows.length, done: outcomes.filter(Boolean).length });
	const stopReporting = reportProgress(service.requests, { planned, rowsDone, print, pace: MANY });
	try {
		for (const part of parts) {
			const some = part.map((index) => rows[index]);
			const items = await importRows(service, some, { previewOnly: true });
			for (const [index, outcome] of outcomesOfPreview(items, part.length).entries()) {
				outcomes[part[index]] = outcome;
			}
			// A part without requests gives neither timers nor signals a turn.
			await nextTurn();
		}
	} finally {
		stopReporting();
	}
	return outcomes;
}

/** Says how long the import takes with the limit of the service. */
function timeFor(outcomes) {
	const count = (...results) => outcomes.filter((one) => results.includes(one?.result)).length;
	const looked = count('created', 'updated', 'unchanged');
	const again = outcomes.filter((one) => one?.isChanged).length;
	const requests = Math.ceil(looked / PEOPLE_PER_LOOKUP) + count('created', 'updated') + again;
	return `Nothing was written. In your CRM this import sends about ${requests} requests and takes ${durationOf(requests)}, at 20 requests a minute.`;
}
