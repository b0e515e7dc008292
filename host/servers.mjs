import { constants } from 'node:fs';
import { access, chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { run, start } from './run.mjs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOPBACK = '127.0.0.1';
const START_ATTEMPTS = 120;
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const MISSING =
	'is needed for n8n in queue mode and is not installed. On Debian: apt-get install postgresql redis-server';

/** @param {string[]} folders possible folders of the program; the first match counts */
async function programIn(name, folders) {
	for (const folder of folders) {
		const path = join(folder, name);
		const isThere = await access(path, constants.X_OK).then(
			() => true,
			() => false,
		);
		if (isThere) return path;
	}
	throw new Error(`${name} ${MISSING}`);
}

const searchPath = () => (process.env.PATH ?? '').split(':');

async function untilItAnswers(probe, name) {
	for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
		const answers = await probe().then(
			() => true,
			() => false,
		);
		if (answers) return;
		await sleep(500);
	}
	throw new Error(`${name} did not come up`);
}

/** PostgreSQL refuses to run as root. For root, it runs as its own user. */
function asPostgres(command, args) {
	const isRoot = process.getuid?.() === 0;
	return isRoot ? ['runuser', ['-u', 'postgres', '--', command, ...args]] : [command, args];
}

/**
 * Starts an empty PostgreSQL in a temporary folder.
 * @returns {Promise<{ port: number, query: (sql: string) => Promise<string>, remove: () => Promise<void> }>}
 */
export async function startPostgres() {
	const versions = await readdir(DEBIAN_POSTGRES).catch(() => []);
	const folders = [
		...versions
			.sort()
			.reverse()
			.map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
		...searchPath(),
	];
	const initdb = await programIn('initdb', folders);
	const postgres = await programIn('postgres', folders);
	const psql = await programIn('psql', folders);
	const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-postgres-'));
	await chmod(folder, 0o777);
	const data = join(folder, 'data');
	const as = async (command, args) => await run(...asPostgres(command, args), { cwd: folder });
	await as(initdb, ['-D', data, '-U', 'n8n', '-A', 'trust', '--no-sync']);
	const port = await getPort({ host: LOOPBACK });
	const options = ['-p', String(port), '-h', LOOPBACK, '-k', folder];
	start(...asPostgres(postgres, ['-D', data, ...options]), { cwd: folder });
	const query = async (sql) =>
		await run(psql, [
			'-h',
			LOOPBACK,
			'-p',
			String(port),
			'-U',
			'n8n',
			'-d',
			'postgres',
			'-Atc',
			sql,
		]);
	await untilItAnswers(async () => await query('select 1'), 'PostgreSQL');
	return {
		port,
		query,
		remove: async () => await rm(folder, { recursive: true, force: true }),
	};
}

/**
 * Starts a Redis without persistence.
 * @returns {Promise<{ port: number }>}
 */
export async function startRedis() {
	const redis = await programIn('redis-server', searchPath());
	const client = await programIn('redis-cli', searchPath());
	const port = await getPort({ host: LOOPBACK });
	const folder = join(tmpdir(), 'contact-task-crm-redis');
	await mkdir(folder, { recursive: true });
	const nothingKept = ['--save', '', '--appendonly', 'no'];
	start(redis, ['--port', String(port), '--bind', LOOPBACK, '--dir', folder, ...nothingKept]);
	await untilItAnswers(async () => await run(client, ['-p', String(port), 'ping']), 'Redis');
	return { port };
}
