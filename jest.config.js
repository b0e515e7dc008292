/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	// The property tests take a core each.
	maxWorkers: '100%',
	// A machine of two cores with twenty others waiting for them took fifteen times as long for the longest test.
	testTimeout: 600_000,
	testMatch: ['**/*.test.ts'],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
