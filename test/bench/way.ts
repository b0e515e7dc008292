/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- a program that measures, and prints the figures */
import { readdir, readFile } from 'node:fs/promises';
import { type Profiler, Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from '../engine/support/runNode';
import { Polls } from '../engine/support/runPoll';
import { PEOPLE } from '../engine/support/seeded';
import type { Service } from '../service';
import { startService } from '../service';
import { table } from './markdown';

/*
 * Measures how much of the package one item passes through: the functions of the build that V8 saw called during a
 * warm run of one operation, and their files. `--list create` names the functions of one operation.
 */

const root = path.resolve(__dirname, '../..');
const BUILT = ['nodes', 'credentials'].map(
	(folder) => `${path.join(root, 'dist', folder)}${path.sep}`,
);

/** Runs before the measured one, so that lists, titles and modules are loaded. */
const WARM_UP = 2;

interface Entered {
	file: string;
	functions: Array<{ name: string; calls: number }>;
}

/** Returns a run of each operation with a distinct way through the code, with default options. */
function operationsOf(service: Service, polls: Polls): Record<string, () => Promise<unknown>> {
	const person = { resource: 'person', familyName: 'Jansen' };
	const jobTitle = '={{ $json.job }}';
	let runs = 0;
	/** Each run writes another job, so that every run has a change to write. */
	const run = async (parameters: Record<string, unknown>) => {
		const { error } = await runNode(service, {
			parameters: { ...person, ...parameters },
			isAsSaved: true,
			input: [{ job: `Job ${++runs}` }],
			// High enough to never wait, because a wait would count as part of the way.
			credentials: { requestsPerMinute: 1_000_000 },
		});
		if (error) throw error;
	};
	const byEmail = { __rl: true, mode: 'email', value: PEOPLE[0].emailAddresses[0].email };
	return {
		Create: async () =>
			await run({
				operation: 'create',
				email: `created${runs}@crm.example`,
				additionalFields: { jobTitle },
			}),
		'Get Many': async () => await run({ operation: 'getAll' }),
		'Create or Update': async () =>
			await run({
				operation: 'upsert',
				email: byEmail.value,
				additionalFields: { jobTitle },
			}),
		Update: async () =>
			await run({ operation: 'update', personId: byEmail, updateFields: { jobTitle } }),
		Poll: async () => await polls.poll(),
	};
}

/** Returns the called functions of the build, by file. The top level of a module does not count. */
async function enteredBy(session: Session, work: () => Promise<unknown>): Promise<Entered[]> {
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	await session.post('Profiler.stopPreciseCoverage');
	return result.map(enteredOf).filter(({ file, functions }) => {
		return functions.length > 0 && BUILT.some((folder) => file.startsWith(folder));
	});
}

function enteredOf({ url, functions }: Profiler.ScriptCoverage): Entered {
	const isTopLevel = ({ functionName, ranges: [{ startOffset }] }: Profiler.FunctionCoverage) =>
		functionName === '' && startOffset === 0;
	return {
		file: url.startsWith('file:') ? fileURLToPath(url) : url,
		functions: functions
			.filter((entry) => entry.ranges[0].count > 0 && !isTopLevel(entry))
			.map(({ functionName, ranges: [{ count }] }) => ({ name: functionName, calls: count })),
	};
}

const callsIn = ({ functions }: Entered) => functions.reduce((sum, { calls }) => sum + calls, 0);

function rowOf(operation: string, files: Entered[]) {
	return {
		operation,
		files: files.length,
		functions: files.reduce((sum, { functions }) => sum + functions.length, 0),
		calls: files.reduce((sum, file) => sum + callsIn(file), 0),
	};
}

function print(files: Entered[]): void {
	for (const entered of [...files].sort((one, other) => callsIn(other) - callsIn(one))) {
		console.log(`\n${path.relative(path.join(root, 'dist'), entered.file)}`);
		for (const { name, calls } of entered.functions) {
			console.log(`  ${name || '(without a name)'} × ${calls}`);
		}
	}
}

/** Returns the texts of all files with this ending in folders of the repository. */
async function textsIn(folders: string[], ending: string): Promise<string[]> {
	const listed = await Promise.all(
		folders.map(async (folder) => {
			const names = await readdir(path.join(root, folder), { recursive: true });
			return names.map((name) => path.join(root, folder, name));
		}),
	);
	const files = listed.flat().filter((file) => file.endsWith(ending));
	return await Promise.all(files.map(async (file) => await readFile(file, 'utf8')));
}

/** Counts the files and lines to read. */
async function sizes() {
	const linesOf = (texts: string[]) =>
		texts.reduce((lines, text) => lines + text.split('\n').length - 1, 0);
	const source = await textsIn(['nodes', 'credentials'], '.ts');
	const tests = await textsIn(['test'], '.ts');
	const documents = await textsIn(['docs'], '.md');
	const words = documents.flatMap((text) => text.split(/\s+/).filter(Boolean));
	return [
		{ what: 'files in nodes/ and credentials/', count: source.length },
		{ what: 'lines in nodes/ and credentials/', count: linesOf(source) },
		{ what: 'lines in test/', count: linesOf(tests) },
		{ what: 'words in docs/', count: words.length },
	];
}

async function main() {
	const [flag, chosen] = process.argv.slice(2);
	const service = await startService({ switches: { rateLimit: { mode: 'off' } } });
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	const polls = await Polls.open(service, {
		parameters: { watch: 'people', events: ['personCreated', 'personUpdated'] },
		credentials: { requestsPerMinute: 1_000_000 },
	});
	const rows = [];
	for (const [operation, work] of Object.entries(operationsOf(service, polls))) {
		for (let run = 0; run < WARM_UP; run++) await work();
		const entered = await enteredBy(session, work);
		rows.push(rowOf(operation, entered));
		if (flag === '--list' && operation.toLowerCase() === chosen?.toLowerCase()) print(entered);
	}
	await service.close();
	if (flag !== '--list') console.log(`${table(rows)}\n\n${table(await sizes())}`);
}

void main().then(() => process.exit());
