// The packed package in the editor of a real n8n: run with `npm run test:n8n -- e2e`.
import { after, before } from 'node:test';
import { setUp, tearDown } from './stage.mjs';

before(setUp);
after(tearDown);

// One file, because the runner starts a process for each file, and n8n is slow to start.
await import('./credential.suite.mjs');
await import('./search.suite.mjs');
await import('./firstWorkflow.suite.mjs');
await import('./build.suite.mjs');
await import('./fields.suite.mjs');
await import('./words.suite.mjs');
await import('./panels.suite.mjs');
await import('./filters.suite.mjs');
await import('./output.suite.mjs');
await import('./rows.suite.mjs');
await import('./refused.suite.mjs');
await import('./messages.suite.mjs');
await import('./hints.suite.mjs');
await import('./lists.suite.mjs');
await import('./lookups.suite.mjs');
await import('./preview.suite.mjs');
await import('./examples.suite.mjs');
await import('./agent.suite.mjs');
