import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasOwner, namesService } from './owner.mjs';
import { projectFolder } from './paths.mjs';

const TARBALL = /\bn8n-nodes-contact-task-crm-\d[\w.-]*?\.tgz\b/g;
const HEADING = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/gm;
const FLAGS = '--name … --email … --repository … --service … --api …';
const NO_OWNER = `Nobody is named as the owner: run \`npm run owner -- ${FLAGS}\` first`;
const NO_SERVICE = `README.md does not name the service and its API: run \`npm run owner -- ${FLAGS}\` first`;

/** Splits a changelog into its headings and sections. */
function sectionsOf(changelog) {
	const headings = [...changelog.matchAll(HEADING)];
	return headings.map(({ 0: line, 1: version, 2: date, index }, position) => {
		const text = changelog.slice(index + line.length, headings[position + 1]?.index);
		return { version, date, text: text.trim() };
	});
}

/**
 * Returns the reasons not to publish a tagged commit.
 * @param {{ manifest: object, changelog: string, readme: string, tag: string }} tree
 * @returns {string[]} one sentence each
 */
export function problemsOfRelease({ manifest, changelog, readme, tag }) {
	const { version } = manifest;
	const sections = sectionsOf(changelog);
	const [released] = sections.filter(({ version: named }) => named !== 'Unreleased');
	const pending = sections.find(({ version: named }) => named === 'Unreleased');
	const tarballs = [...new Set(readme.match(TARBALL) ?? [])];
	return [
		!hasOwner(manifest) && NO_OWNER,
		!namesService(readme) && NO_SERVICE,
		tag !== version && `The tag is ${tag}, and the version in package.json ${version}`,
		released?.version !== version &&
			`The newest version in CHANGELOG.md is ${released?.version ?? 'none'}, and not ${version}`,
		released?.version === version && !released.date && `CHANGELOG.md gives ${version} no date`,
		released?.version === version && !released.text && `CHANGELOG.md says nothing of ${version}`,
		pending?.text && 'CHANGELOG.md has changes under "Unreleased"',
		tarballs.some((name) => name !== `${manifest.name}-${version}.tgz`) &&
			`README.md names ${tarballs.join(' and ')}`,
	].filter(Boolean);
}

/**
 * Returns the section of a version, for the release on GitHub.
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
	return sectionsOf(changelog).find(({ version: named }) => named === version)?.text ?? '';
}

/** Returns the README with the tarball name of a version. */
export const withVersion = (readme, version) =>
	readme.replace(TARBALL, `n8n-nodes-contact-task-crm-${version}.tgz`);

const readText = async (file) => await readFile(join(projectFolder, file), 'utf8');

/** Refuses to begin a release that could not be published. */
export async function assertReleasable() {
	if (!hasOwner(JSON.parse(await readText('package.json')))) throw new Error(NO_OWNER);
	if (!namesService(await readText('README.md'))) throw new Error(NO_SERVICE);
}

/** Copies the version of package.json to the other files that name it. */
export async function writeVersion() {
	const { version } = JSON.parse(await readText('package.json'));
	const readme = await readText('README.md');
	await writeFile(join(projectFolder, 'README.md'), withVersion(readme, version));
}

/**
 * Checks that tag, version, changelog and README agree, and returns the release notes.
 * @param {string[]} args as on the command line: `--tag 1.2.3`
 * @returns {Promise<string>} for the release on GitHub
 */
export async function notesOfTag(args) {
	const { tag } = parseArgs({ args, options: { tag: { type: 'string', default: '' } } }).values;
	const [manifest, changelog, readme] = await Promise.all(
		['package.json', 'CHANGELOG.md', 'README.md'].map(readText),
	);
	const problems = problemsOfRelease({ manifest: JSON.parse(manifest), changelog, readme, tag });
	if (problems.length > 0) throw new Error(`Not to be published:\n  ${problems.join('\n  ')}`);
	return notesOf(changelog, tag);
}
