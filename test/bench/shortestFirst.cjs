const { default: Sequencer } = require('@jest/test-sequencer');

/** Runs the shortest suites first, by the times of earlier runs, so that a failure shows soon. */
module.exports = class ShortestFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).reverse();
	}
};
