import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE_NAME = 'n8n-nodes-contact-task-crm';

/** The folder of the repository. */
export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder that holds the manifest and the lock of the n8n host. */
export const hostFolder = join(projectFolder, 'host');

/** The folder of the importable workflows. */
export const examplesFolder = join(projectFolder, 'examples');

/** Where everything large is kept, once for all clones of the repository. */
export const cacheFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	PACKAGE_NAME,
);
