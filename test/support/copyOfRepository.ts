/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals -- copies files, and asks git for their names */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const repository = path.resolve(__dirname, '../..');

/**
 * A folder with the files of the repository as they are now, and the dependencies of this one, for what may not
 * touch the repository itself. Whoever asks for it removes it.
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
		// A file that was removed since it was committed is listed, too.
		if (file === '' || file === 'node_modules' || !existsSync(source)) continue;
		mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
		cpSync(source, path.join(copy, file));
	}
	symlinkSync(path.join(repository, 'node_modules'), path.join(copy, 'node_modules'));
	return copy;
}
