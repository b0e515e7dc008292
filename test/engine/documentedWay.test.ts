/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- holds a document against a program that measures */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { itInCi } from '../support/drawn';

const root = path.resolve(__dirname, '../..');

itInCi(
	'The counts of files in docs/architecture.md agree with the output of test/bench/way.ts',
	async () => {
		const tsx = path.join(root, 'node_modules', '.bin', 'tsx');
		const { stdout } = await promisify(execFile)(tsx, ['test/bench/way.ts'], { cwd: root });
		const counted = [...stdout.matchAll(/^\| ([A-Z][\w ]*?) +\| (\d+) +\|/gm)]
			.map(([, operation, files]) => [operation, files])
			.filter(([operation]) => operation !== 'Poll');
		const text = await readFile(path.join(root, 'docs/architecture.md'), 'utf8');
		const documented = [...text.matchAll(/^\| ([A-Z][\w ]*?) +\| (\d+) +\|$/gm)];
		expect(documented.map(([, operation, files]) => [operation, files])).toEqual(counted);
		expect(counted.map(([operation]) => operation)).toEqual([
			'Create',
			'Get Many',
			'Create or Update',
			'Update',
		]);
	},
);
