const { readFileSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const { partition } = require('lodash');

/** Returns the suites that CONTRIBUTING.md names for changes in a folder, such as `engine/reading`. */
function suitesOf(folder) {
	const text = readFileSync(path.join(__dirname, '../../CONTRIBUTING.md'), 'utf8');
	const rows = [...text.matchAll(/^\| (.*?) +\| `(.*?)` /gm)];
	const row = rows.find(([, changed]) => changed.includes(`\`${folder}/\``));
	return row?.[2].split(' ') ?? [];
}

/**
 * Runs the suites of the folder in BROKEN_IN first, and shorter suites before longer ones, so that a failure shows
 * soon.
 */
module.exports = class LikeliestFirst extends Sequencer {
	sort(tests) {
		const suites = suitesOf(process.env.BROKEN_IN);
		const isLikely = (test) => suites.some((suite) => test.path.includes(suite));
		return partition(super.sort(tests).reverse(), isLikely).flat();
	}
};
