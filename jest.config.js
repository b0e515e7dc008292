/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// The property tests take a core each.
	maxWorkers: '100%',
	// For the property tests. A machine of two cores with twenty others waiting for them took fifteen times as long.
	testTimeout: 600_000,
	setupFilesAfterEnv: ['<rootDir>/test/support/timeLimit.ts'],
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
