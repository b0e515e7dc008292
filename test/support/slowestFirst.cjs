const { default: Sequencer } = require('@jest/test-sequencer');
const { partition } = require('lodash');

const IS_SLOW = /[\\/](unit[\\/]trigger|property|package)[\\/]/;

/**
 * Runs the slow suites first, so that no slow suite runs alone at the end. The slow suites, and the other suites, each
 * keep Jest's order: by the time of the last run, or by the size of the file.
 */
module.exports = class SlowestFirst extends Sequencer {
	sort(tests) {
		return partition(super.sort(tests), ({ path }) => IS_SLOW.test(path)).flat();
	}
};
