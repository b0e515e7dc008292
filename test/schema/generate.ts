/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a program that writes files */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { previewFile, previews } from './previews';

// `n8n-node build` copies only files of the repository. Output previews are generated, so this program writes them.
const folder = path.resolve(__dirname, '../../dist/nodes/ContactTaskCrm/__schema__/v1.0.0');

rmSync(folder, { recursive: true, force: true });
for (const { resource, operation, preview } of previews()) {
	mkdirSync(path.join(folder, resource), { recursive: true });
	writeFileSync(path.join(folder, resource, `${operation}.json`), previewFile(preview));
}
