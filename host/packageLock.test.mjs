import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { readLock, withoutUnused } from './packageLock.mjs';

const CLI = 'node_modules/@n8n/node-cli';
const SDK = 'node_modules/@n8n/ai-node-sdk';

test('A trimmed package-lock.json has no AI SDK, and no package that only it needs', () => {
	const lock = {
		lockfileVersion: 3,
		packages: {
			'': { devDependencies: { '@n8n/node-cli': '1.0.0' } },
			[CLI]: { dependencies: { '@n8n/ai-node-sdk': '1.0.0', kept: '1.0.0' } },
			[`${CLI}/node_modules/kept`]: {
				optionalDependencies: { 'of-kept': '1.0.0', absent: '1.0.0' },
			},
			'node_modules/of-kept': { peerDependencies: { 'of-sdk': '2.0.0' } },
			[SDK]: { dependencies: { kept: '1.0.0', 'of-sdk': '1.0.0' } },
			[`${SDK}/node_modules/kept`]: {},
			'node_modules/of-sdk': {},
		},
	};
	const before = structuredClone(lock);
	const { lockfileVersion, packages } = withoutUnused(lock);
	assert.equal(lockfileVersion, 3);
	assert.deepEqual(Object.keys(packages), [
		'',
		CLI,
		`${CLI}/node_modules/kept`,
		'node_modules/of-kept',
	]);
	assert.deepEqual(packages[CLI].dependencies, { kept: '1.0.0' });
	assert.deepEqual(lock, before);
});

test('package-lock.json is trimmed; otherwise run `npx gulp trimLock` and commit the file', async () => {
	const lock = await readLock();
	const { packages } = withoutUnused(lock);
	assert.deepEqual(
		Object.keys(lock.packages).filter((path) => !packages[path]),
		[],
	);
});
