/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	runtime: '<rootDir>/test/support/runtime.cjs',
	roots: ['<rootDir>/test'],
	// Each property test keeps a processor busy.
	maxWorkers: '100%',
	// Jest starts a new worker after each large suite, because a worker keeps the memory of its earlier suites.
	workerIdleMemoryLimit: '700MB',
	// Time limit in ms of the property tests. On two processors shared with twenty programs they took 15 times as long.
	testTimeout: 600_000,
	setupFilesAfterEnv: ['<rootDir>/test/support/timeLimit.ts'],
	testMatch: ['**/*.test.ts'],
	testSequencer: '<rootDir>/test/support/slowestFirst.cjs',
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
