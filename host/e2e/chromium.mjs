import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** No sandbox, because containers and build servers run as root. No connections except to the editor. */
const FLAGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-dev-shm-usage',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
];

const HOW_TO_INSTALL = `The end-to-end tests need Chromium or Chrome, and there is none on the PATH (${NAMES.join(', ')}).
  Debian, Ubuntu   sudo apt-get install chromium
  Fedora           sudo dnf install chromium
  macOS            brew install --cask google-chrome
                   export CHROMIUM="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
Or set CHROMIUM to the path of one.`;

const isProgram = async (path) =>
	await access(path, constants.X_OK).then(
		() => true,
		() => false,
	);

/**
 * Finds the browser: the one in `CHROMIUM`, or the first on the PATH.
 * @returns {Promise<string>}
 */
export async function findChromium() {
	const { CHROMIUM: given, PATH: path = '' } = process.env;
	if (given) {
		if (await isProgram(given)) return given;
		throw new Error(`CHROMIUM is "${given}", which cannot be run.`);
	}
	const folders = path.split(delimiter).filter(Boolean);
	for (const candidate of NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))) {
		if (await isProgram(candidate)) return candidate;
	}
	throw new Error(HOW_TO_INSTALL);
}

/** Starts the browser without a window. */
export async function launchChromium() {
	return await chromium.launch({ executablePath: await findChromium(), args: FLAGS });
}
