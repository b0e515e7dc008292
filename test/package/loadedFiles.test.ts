/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- loads the build in a process of its own */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** Prints the loaded files of the build, after everything that n8n loads at its start. */
const program = `
	const { sep } = require('node:path');
	for (const Type of Object.values(require('./index.js'))) new Type();
	const files = Object.keys(require.cache).map((file) => file.split(sep).slice(-2).join('/'));
	console.log(JSON.stringify(files));`;

it('When n8n starts, it loads only three of the files for runs and requests', () => {
	const printed = execFileSync(process.execPath, ['--eval', program], { cwd: root });
	const loaded = JSON.parse(printed.toString()) as string[];
	const loadedOf = (...rooms: string[]) =>
		loaded.filter((file) => rooms.includes(file.split('/')[0])).sort();
	expect(loadedOf('ui')).toContain('ui/description.js');
	const late = ['lists', 'run', 'input', 'output', 'lookup', 'writes', 'crm', 'http', 'limit'];
	const early = ['http/credential.js', 'lists/methods.js', 'output/flat.js'];
	expect(loadedOf(...late)).toEqual(early);
});
