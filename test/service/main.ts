/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server that never runs inside n8n */
import process from 'node:process';
import { readCommandLine, USAGE } from './commandLine';
import { startService, type Service } from './index';

function banner({ url, apiKey, switches, store }: Service): string {
	const { mode, limit, windowMs } = switches.rateLimit;
	const rate =
		mode === 'off'
			? 'off'
			: `${limit} requests in ${windowMs / 1000} s (${mode}), Retry-After as ${switches.retryAfter}`;
	return [
		`Address     ${url}`,
		`API key     ${apiKey}`,
		`Rate limit  ${rate}`,
		`Tenant      ${store.people.size} people, ${store.tasks.size} tasks, ${store.workspaces.size} workspaces, ${store.segments.size} segments`,
		'',
		`curl -H 'X-API-KEY: ${apiKey}' '${url}/people?itemsPerPage=2'`,
		'',
	].join('\n');
}

async function main(): Promise<void> {
	const options = readCommandLine(process.argv.slice(2));
	if (!options) {
		process.stdout.write(USAGE);
		return;
	}
	const service = await startService(options);
	process.stdout.write(banner(service));
	const stop = () => void service.close();
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});
