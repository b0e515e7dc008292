/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- runs in Jest alone */
import path from 'node:path';

/**
 * Time limits in ms of the tests in a folder. They end a test that hangs, and are far above the longest test of the
 * folder on a busy machine. Files with longer tests set their own limit. All other folders have the limit of
 * jest.config.js.
 */
const LIMITS_MS: Readonly<Record<string, number>> = { unit: 60_000, engine: 120_000 };

const [folder = ''] = path
	.relative(path.resolve(__dirname, '..'), expect.getState().testPath ?? '')
	.split(path.sep);
const limit = LIMITS_MS[folder];
if (limit) jest.setTimeout(limit);

// Jest records a hundred stack frames of each error, which takes time. The node makes many errors, such as one for each
// request that gives up its wait.
Error.stackTraceLimit = 15;
