/* eslint-disable @n8n/community-nodes/no-restricted-globals -- set before n8n-core reads it */
// What the engine logs of failures that a test provokes would bury those of the tests.
process.env.N8N_LOG_LEVEL ??= 'silent';

export {};
