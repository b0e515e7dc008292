import { join } from 'node:path';
import { installOnce } from './cache.mjs';
import { npm } from './npm.mjs';

/** Node versions for the trials, by major version. */
export const NODE_VERSIONS = { 20: '20.20.2', 22: '22.23.3', 24: '24.21.0' };

/**
 * @typedef {object} Node
 * @property {string} node the Node binary
 * @property {number} major
 * @property {string} [headers] folder of the headers for native code, for a Node installed here
 */

/** Returns the npm package with the Node binary of this platform. */
function nodePackage() {
	const platform = `${process.platform}-${process.arch}`;
	return platform === 'darwin-arm64' ? `node-bin-${platform}` : `node-${platform}`;
}

/** @returns {Node} the Node that runs this program */
export const runningNode = () => ({
	node: process.execPath,
	major: Number(process.versions.node.split('.')[0]),
});

/**
 * Installs a Node into the user's cache, once for all clones of the repository.
 * @param {keyof typeof NODE_VERSIONS} major
 * @returns {Promise<Node>}
 */
export async function installNode(major) {
	const version = NODE_VERSIONS[major];
	const name = nodePackage();
	const folder = await installOnce(`${name}-${version}`, async (partial) => {
		console.log(`Installing Node ${version} beside the one you have.`);
		const spec = `${name}@${version}`;
		await npm(['install', '--prefix', partial, '--no-save', spec], { cwd: partial }).catch(
			(error) => {
				throw new Error(
					`Node ${version} could not be installed. Install Node ${major} yourself and run this again with it.\n${error.message}`,
				);
			},
		);
	});
	const headers = join(folder, 'node_modules', name);
	return { node: join(headers, 'bin', 'node'), major: Number(major), headers };
}
