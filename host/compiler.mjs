import { spawnSync } from 'node:child_process';

/** The tools that node-gyp needs to build native code. One program of each is enough. */
const TOOLS = {
	'Python 3': ['python3', 'python'],
	make: ['make', 'gmake'],
	'a C++ compiler': ['g++', 'c++', 'clang++'],
};

/** Install commands for the tools, by package manager. */
const INSTALLERS = {
	'apt-get': 'sudo apt-get install -y python3 make g++',
	dnf: 'sudo dnf install -y python3 make gcc-c++',
	pacman: 'sudo pacman -S --needed python make gcc',
	apk: 'sudo apk add python3 make g++',
	'xcode-select': 'xcode-select --install',
};

/**
 * Checks that this machine can build the native parts of n8n, before any download.
 * @param {NodeJS.ProcessEnv} [env] `PATH`, and `PYTHON` and `CXX` as node-gyp reads them
 * @throws {Error} with the missing tools, and the command that installs them
 */
export function assertCompiler(env = process.env) {
	const runs = (program) =>
		spawnSync(program, ['--version'], { env, stdio: 'ignore' }).status === 0;
	const chosen = { 'Python 3': env.PYTHON, 'a C++ compiler': env.CXX };
	const missing = Object.keys(TOOLS).filter((tool) => {
		const programs = chosen[tool] ? [chosen[tool]] : TOOLS[tool];
		return !programs.some(runs);
	});
	if (missing.length === 0) return;
	const isThere = (program) => spawnSync('which', [program], { env, stdio: 'ignore' }).status === 0;
	const installer = Object.keys(INSTALLERS).find(isThere);
	const how = installer ? `Install it with:\n  ${INSTALLERS[installer]}\nand` : 'Install it and';
	throw new Error(
		`n8n has parts that are built on this machine, and this is missing: ${missing.join(', ')}. ${how} run this again. Nothing was downloaded.\n"npm start -- --run" needs none of it: it runs the first example in n8n's engine, without the editor.`,
	);
}
