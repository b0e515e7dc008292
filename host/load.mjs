// Loads the nodes as n8n does when it starts.
import { delimiter, join } from 'node:path';
import { ensureHost } from './install.mjs';
import { projectFolder } from './paths.mjs';
import { run } from './run.mjs';

/** The built-in node for comparison. It has about as many files, is larger, and has a trigger. */
export const BUILT_IN = 'Pipedrive';

/**
 * Loads nodes in a process of their own, with the Node and the libraries of n8n.
 * @param {string} [unpacked] folder of the unpacked package; if absent, the built-in node is loaded
 * @returns {Promise<{ ms: number, files: number, bytes: number }>} processor time, and number and size of the files
 */
export async function load(unpacked) {
	const host = await ensureHost();
	const modules = join(host.folder, 'node_modules');
	const builtIn = join(modules, 'n8n-nodes-base', 'dist', 'nodes', BUILT_IN);
	const files = unpacked
		? [
				join(unpacked, 'dist/nodes/ContactTaskCrm/ContactTaskCrm.node.js'),
				join(unpacked, 'dist/nodes/ContactTaskCrm/ContactTaskCrmTrigger.node.js'),
				join(unpacked, 'dist/credentials/ContactTaskCrmApi.credentials.js'),
			]
		: [BUILT_IN, `${BUILT_IN}Trigger`].map((name) => join(builtIn, `${name}.node.js`));
	const program = join(projectFolder, 'host', 'loadTime.cjs');
	const env = { ...process.env, NODE_PATH: [modules, process.env.NODE_PATH].join(delimiter) };
	return JSON.parse(await run(host.node, [program, host.folder, ...files], { env }));
}

/** Returns the number and size of the files in words. */
export function described({ files, bytes }) {
	return `${files} files of ${(bytes / 1000).toFixed(0)} kB`;
}
