/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- measures the build */
import { Session } from 'node:inspector/promises';
import path from 'node:path';

/** Folder of the built node. */
const BUILT = `${path.resolve(__dirname, '../../../dist/nodes')}${path.sep}`;

/**
 * Counts how often work calls the functions of the build. A count shows how work grows with its input. Unlike a time, it
 * does not depend on the machine.
 */
export async function callsOf(work: () => Promise<unknown>): Promise<number> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await work();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	const own = result.filter(({ url }) => url.replace('file://', '').startsWith(BUILT));
	const functions = own.flatMap((script) => script.functions);
	return functions.reduce((sum, { ranges: [{ count }] }) => sum + count, 0);
}
