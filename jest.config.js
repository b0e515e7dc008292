/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// The property tests take a core each.
	maxWorkers: '100%',
	// Jest starts a new worker after each large suite, because a worker keeps the memory of its earlier suites.
	workerIdleMemoryLimit: '700MB',
	// For the property tests. A machine of two cores with twenty others waiting for them took fifteen times as long.
	testTimeout: 600_000,
	setupFilesAfterEnv: ['<rootDir>/test/support/timeLimit.ts'],
	testMatch: ['**/*.test.ts'],
	testSequencer: '<rootDir>/test/support/slowestFirst.cjs',
	// Node looks each global of Jest's sandbox up by name, which took a quarter of the time. A parameter takes none. A
	// global is missing here if fake timers replace it, or if a package declares the same name.
	sandboxInjectedGlobals: `
		Array Boolean Error Infinity Int16Array Int32Array Int8Array Intl JSON Map Math Number Object Promise RegExp Set
		String Symbol Uint16Array Uint32Array Uint8Array WeakMap WeakSet isFinite isNaN parseInt
	`.match(/\w+/g),
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
