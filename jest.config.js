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
	// As parameters of each module. Node looks a global of Jest's sandbox up by name each time, which took a third of
	// the time. Date and URL stay out: fake timers replace one, and packages declare the other.
	sandboxInjectedGlobals: [
		...[
			'Array',
			'Boolean',
			'Error',
			'Infinity',
			'Int16Array',
			'Int32Array',
			'Int8Array',
			'Intl',
			'JSON',
		],
		...['Map', 'Math', 'Number', 'Object', 'Promise', 'RegExp', 'Set', 'String', 'Symbol'],
		...[
			'Uint16Array',
			'Uint32Array',
			'Uint8Array',
			'WeakMap',
			'WeakSet',
			'isFinite',
			'isNaN',
			'parseInt',
		],
	],
	transform: {
		'^.+\\.ts$': ['@swc/jest', { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } }],
	},
};
