import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE_NAME = 'n8n-nodes-contact-task-crm';

/** The folder of the repository. */
export const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

/** Folders for each version of n8n in the trials, with manifest and lock. */
export const manifestsFolder = join(projectFolder, 'host', 'manifests');

/** The folder of the importable workflows. */
export const examplesFolder = join(projectFolder, 'examples');

/** Folder for large files, shared by all clones of the repository. */
export const cacheFolder = join(
	process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
	PACKAGE_NAME,
);
