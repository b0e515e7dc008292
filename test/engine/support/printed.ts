/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- set before n8n-core reads it, and keeps the printed texts */
import { Console } from 'node:console';
import { Writable } from 'node:stream';

/*
 * Makes the engine log everything, and keeps the logs instead of printing them. Import this module first, because the
 * engine's logger binds the console when it is loaded.
 */
process.env.N8N_LOG_LEVEL = 'debug';

/** Everything printed in this test file. */
export const printed: string[] = [];

const sink = new Writable({
	write: (chunk, _encoding, done) => {
		printed.push(String(chunk));
		done();
	},
});

globalThis.console = new Console({ stdout: sink, stderr: sink });
