/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals -- copies files, and asks git for their names */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const repository = path.resolve(__dirname, '../..');

/**
 * Returns a folder with a copy of the repository's present files, linked to the same dependencies. Programs that must
 * not touch the repository work there. The caller removes the folder.
 */
export function copyOfRepository(prefix: string): string {
	const copy = mkdtempSync(path.join(tmpdir(), prefix));
	const listed = execFileSync(
		'git',
		['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
		{ cwd: repository, encoding: 'utf8' },
	);
	for (const file of listed.split('\0')) {
		const source = path.join(repository, file);
		// git also lists files that were removed since the last commit.
		if (file === '' || file === 'node_modules' || !existsSync(source)) continue;
		mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
		cpSync(source, path.join(copy, file));
	}
	symlinkSync(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'));
	return copy;
}
