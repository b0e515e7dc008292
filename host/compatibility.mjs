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
	// Its native code fits both versions of Node.
	{ release: OLDEST, nodeMajor: 22, tried: ['resources'] },
	{ release: OLDEST, nodeMajor: 20, tried: ['resources', 'trigger', 'lifecycle', 'examples'] },
];

/** The hosts that something is tried in; in a part of them where HOST has a part of the version of n8n. */
export function hostsToTry(trial) {
	const { HOST = '' } = process.env;
	return HOSTS.filter(
		({ release, tried }) => tried.includes(trial) && release.version.includes(HOST),
	);
}

/** The README's table of compatibility, its head included. */
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
