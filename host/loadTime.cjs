// Loads nodes as n8n does, in a separate process. Prints the processor time beyond n8n's own libraries, because other
// programs hardly affect it. Usage: node loadTime.cjs <folder of n8n> <file> …
const { statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { basename, join } = require('node:path');

const [host, ...files] = process.argv.slice(2);
const requireOfHost = createRequire(join(host, 'package.json'));
for (const library of ['n8n-workflow', 'zod', 'luxon', 'lodash']) requireOfHost(library);
const known = new Set(Object.keys(require.cache));

const begin = process.cpuUsage();
for (const file of files) {
	// n8n loads the class with the name of the file.
	const { [basename(file).split('.')[0]]: Type } = require(file);
	new Type();
}
const { user, system } = process.cpuUsage(begin);

const loaded = Object.keys(require.cache).filter((file) => !known.has(file));
const bytes = loaded.reduce((sum, file) => sum + statSync(file).size, 0);
console.log(JSON.stringify({ ms: (user + system) / 1000, files: loaded.length, bytes }));
