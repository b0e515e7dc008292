/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions, no-console -- a program that runs the tests in a copy of the repository and prints what it finds */
import { execFileSync, spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Omission } from './omissions';
import { omissions } from './omissions';

/*
 * Forgets one thing after the other in a copy of the repository, and runs the tests that should notice:
 * prints which test did, as the table at the end of docs/architecture.md. Fails where a thing can be forgotten.
 *
 * Arguments choose omissions by a part of their names; without any, all are tried.
 */
const root = path.resolve(__dirname, '../..');

interface Result {
	numTotalTests: number;
	testResults: Array<{
		name: string;
		message: string;
		assertionResults: Array<{ fullName: string; status: string }>;
	}>;
}

/** The files of the repository, as they are now, with the dependencies of this one. */
function copyOfRepository(): string {
	const copy = mkdtempSync(path.join(tmpdir(), 'omissions-'));
	const listed = execFileSync(
		'git',
		['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
		{ cwd: root, encoding: 'utf8' },
	);
	for (const file of listed.split('\0')) {
		const source = path.join(root, file);
		// A file that was removed since it was committed is listed, too.
		if (file === '' || file === 'node_modules' || !existsSync(source)) continue;
		mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
		cpSync(source, path.join(copy, file));
	}
	symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
	return copy;
}

/** The tests that fail in a folder, each as its file and its name. */
function failuresIn(folder: string, tests: readonly string[]): string[] {
	const output = path.join(folder, 'jest.json');
	const jest = path.join(root, 'node_modules/jest/bin/jest.js');
	const options = [
		'--json',
		`--outputFile=${output}`,
		'--maxWorkers=1',
		'--silent',
		'--runTestsByPath',
	];
	const { stderr } = spawnSync(process.execPath, [jest, ...options, ...tests], {
		cwd: folder,
		encoding: 'utf8',
	});
	if (!existsSync(output)) throw new Error(`The tests did not run:\n${stderr}`);
	const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Result;
	rmSync(output);
	return testResults.flatMap(({ name, message, assertionResults }) => {
		const file = `\`${path.basename(name)}\``;
		const failed = assertionResults.filter(({ status }) => status === 'failed');
		if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`);
		// A file that cannot even be loaded has no test that fails.
		return assertionResults.length === 0 && message !== '' ? [`${file}: does not load`] : [];
	});
}

/** Makes the omission in a folder, and gives a function that undoes it. */
function forget(folder: string, { what, file, from, to = '' }: Omission): () => void {
	const target = path.join(folder, file);
	if (from === undefined) {
		rmSync(target, { recursive: true });
		return () => cpSync(path.join(root, file), target, { recursive: true });
	}
	const before = readFileSync(target, 'utf8');
	const pattern = typeof from === 'string' ? from : new RegExp(from, 'g');
	const found =
		typeof pattern === 'string'
			? before.split(pattern).length - 1
			: [...before.matchAll(pattern)].length;
	if (found !== 1) throw new Error(`${what}: stands in ${file} ${found} times, not once`);
	writeFileSync(
		target,
		before.replace(pattern, () => to),
	);
	return () => writeFileSync(target, before);
}

function table(rows: string[][]): string {
	const lines = [['what is forgotten', 'the test that fails'], ['---', '---'], ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function tryOmissions(chosen: readonly Omission[]): void {
	const copy = copyOfRepository();
	try {
		const failing = failuresIn(copy, [...new Set(chosen.flatMap(({ tests }) => tests))]);
		if (failing.length > 0)
			throw new Error(`Fails before anything is forgotten: ${failing.join('; ')}`);
		const unnoticed: string[] = [];
		const rows = chosen.map((omission) => {
			const undo = forget(copy, omission);
			const [first, ...others] = failuresIn(copy, omission.tests);
			undo();
			if (first === undefined) unnoticed.push(omission.what);
			console.error(`${first === undefined ? 'NOT NOTICED' : 'noticed'}: ${omission.what}`);
			const more = others.length > 0 ? ` (and ${others.length} more)` : '';
			return [omission.what, (first ?? 'none') + more];
		});
		console.log(table(rows));
		if (unnoticed.length === 0) return;
		console.error(`Nobody notices: ${unnoticed.join('; ')}`);
		process.exitCode = 1;
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

const words = process.argv.slice(2);
tryOmissions(
	omissions.filter(({ what }) => words.length === 0 || words.some((word) => what.includes(word))),
);
