const { default: Runtime } = require('jest-runtime');

/** Packages that each test file loads for itself: those of n8n, those with a clock that tests replace, and Jest's own. */
const OF_TEST_FILE =
	/[\\/]node_modules[\\/](n8n-[^\\/]+|@n8n[\\/][^\\/]+|axios|luxon|winston[^\\/]*|reflect-metadata|jest[^\\/]*|@jest[\\/][^\\/]+)[\\/]/;

/**
 * Loads all other packages once for the test files of a worker. n8n-core loads 1,900 modules, which took half of the
 * time of a test file.
 */
module.exports = class SharedPackages extends Runtime {
	_loadModule(module, from, name, file, ...others) {
		if (!isShared(file)) return super._loadModule(module, from, name, file, ...others);
		module.exports = require(file);
		module.loaded = true;
	}
};

function isShared(file) {
	return /[\\/]node_modules[\\/]/.test(file) && !OF_TEST_FILE.test(file);
}
