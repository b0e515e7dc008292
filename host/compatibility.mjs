import { CURRENT, OLDEST } from './install.mjs';

/** Trials in a real n8n: their names, and their descriptions in the README. */
export const TRIALS = {
	resources: 'Every resource, error branches, 25 items',
	trigger: 'Every event, across a kill',
	lifecycle: 'Installed, updated, uninstalled at work',
	examples: 'The eleven examples',
	editor: 'Built in the editor',
};

/**
 * The supported hosts, and the trials in each. The suites take their hosts from here, and a test compares the
 * README's compatibility table with this list.
 */
export const HOSTS = [
	{ release: CURRENT, nodeMajor: 24, tried: Object.keys(TRIALS) },
	// Uses the installation for Node 20. Its native code, SQLite, fits both versions of Node.
	{ release: OLDEST, nodeMajor: 22, tried: ['resources'] },
	{ release: OLDEST, nodeMajor: 20, tried: ['resources', 'trigger', 'lifecycle', 'examples'] },
];

/** Returns the hosts for a trial. HOST limits them to versions that contain it. */
export function hostsToTry(trial) {
	const { HOST = '' } = process.env;
	return HOSTS.filter(
		({ release, tried }) => tried.includes(trial) && release.version.includes(HOST),
	);
}

/** Returns the README's compatibility table, including its head. */
export function compatibilityRows() {
	return [
		['n8n', 'Node.js', ...Object.values(TRIALS)],
		...HOSTS.map(({ release, nodeMajor, tried }) => [
			release.version,
			String(nodeMajor),
			...Object.keys(TRIALS).map((trial) => (tried.includes(trial) ? '✓' : '–')),
		]),
	];
}
