const { Script, runInContext } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Packages that each test file loads for itself: those of n8n, those with a clock that tests replace, and Jest's own. */
const OF_TEST_FILE =
	/[\\/]node_modules[\\/](n8n-[^\\/]+|@n8n[\\/][^\\/]+|axios|luxon|winston[^\\/]*|reflect-metadata|jest[^\\/]*|@jest[\\/][^\\/]+)[\\/]/;

/**
 * Globals that each module gets as variables, because a lookup in the sandbox is slow: the lookups took a quarter of
 * the time. The list leaves out globals that fake timers replace.
 */
const GLOBALS = `
	Array, Boolean, Error, Infinity, Int16Array, Int32Array, Int8Array, Intl, JSON, Map, Math, Number, Object, Promise,
	RegExp, Set, String, Symbol, Uint16Array, Uint32Array, Uint8Array, WeakMap, WeakSet, isFinite, isNaN, parseInt
`.replace(/\s/g, '');

/** The modules that this worker has compiled, by file. */
const compiled = new Map();

/**
 * Loads all other packages once for the test files of a worker. n8n-core loads 1,900 modules, which took half of the
 * time of a test file. Compiles each other module once, which took half of the rest.
 */
module.exports = class SharedPackages extends Runtime {
	_loadModule(module, from, name, file, ...others) {
		if (!isShared(file)) return super._loadModule(module, from, name, file, ...others);
		module.exports = require(file);
		module.loaded = true;
	}

	createScriptFromCode(code, file) {
		const context = this._environment.getVmContext();
		if (context === null) return null;
		this._globals ??= runInContext(`({ ${GLOBALS} })`, context);
		if (compiled.get(file)?.code !== code) {
			const head = `(({ ${GLOBALS} }) => function (${this.constructInjectedModuleParameters()}) {`;
			const options = { filename: file, columnOffset: -head.length };
			compiled.set(file, { code, script: new Script(`${head}${code}\n})`, options) });
		}
		return compiled.get(file).script.runInContext(context)(this._globals);
	}
};

function isShared(file) {
	return /[\\/]node_modules[\\/]/.test(file) && !OF_TEST_FILE.test(file);
}
