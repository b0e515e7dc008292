import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE_NAME = 'n8n-nodes-contact-task-crm';

/** The folder of the repository. */
export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** A folder for each version of n8n that the package is run in, with its manifest and lock. */
export const manifestsFolder = join(projectFolder, 'host', 'manifests');

/** The folder of the importable workflows. */
export const examplesFolder = join(projectFolder, 'examples');

/** Where everything large is kept, once for all clones of the repository. */
export const cacheFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	PACKAGE_NAME,
);
