/* eslint-disable @n8n/community-nodes/no-restricted-globals -- set before n8n-core reads it */
// The engine logs failures that a test provokes. They would hide failures of the tests.
process.env.N8N_LOG_LEVEL ??= 'silent';

export {};
