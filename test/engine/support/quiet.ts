/* eslint-disable @n8n/community-nodes/no-restricted-globals -- set before n8n-core reads it */
// The engine logs the failures that tests provoke on purpose. These logs would hide the failures of tests.
process.env.N8N_LOG_LEVEL ??= 'silent';

export {};
