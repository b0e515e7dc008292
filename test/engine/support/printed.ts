/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- set before n8n-core reads it, and keeps what is printed */
import { Console } from 'node:console';
import { Writable } from 'node:stream';

/*
 * To be imported first, since the engine's logger binds the console when it is loaded: has the
 * engine log all it has to say, and keeps that instead of showing it.
 */
process.env.N8N_LOG_LEVEL = 'debug';

/** Everything that was printed in this test file. */
export const printed: string[] = [];

const sink = new Writable({
	write: (chunk, _encoding, done) => {
		printed.push(String(chunk));
		done();
	},
});

globalThis.console = new Console({ stdout: sink, stderr: sink });
