import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { projectFolder } from './paths.mjs';

const NODE_FOLDER = 'nodes/ContactTaskCrm';
const CREDENTIAL = 'credentials/ContactTaskCrmApi.credentials.ts';

/** Only GitHub, because n8n requires that a GitHub workflow publishes the package, with provenance. */
const REPOSITORY = /^(?:https:\/\/github\.com\/)?([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/;
const EMAIL = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;
const PICTURE =
	/\]\((?:https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/HEAD\/)?docs\/screenshots\//g;

/** The line of .github/CODEOWNERS that names who reviews all files. Until an owner is written, it is a comment. */
const REVIEWER_LINE = /^(?:# )?\* @\S+$/m;

/** Line of the README that names the service. Without an owner, the line asks for one. */
const SERVICE_LINE = /^\*\*Service\*\*: .*$/m;
const NAMED_SERVICE = /^\*\*Service\*\*: .* documented at <https:\/\/[^<>\s]+>\.$/m;

/**
 * Publisher of the package, and its service.
 * @typedef {{ name: string, email: string, repository: string, service: string, api: string }} Owner `repository`: its
 *   address, without an end such as `.git`; `api`: where the API of the service is documented
 */

/**
 * Reads and checks the flags of the command line.
 * @param {string[]} args
 * @returns {Owner}
 */
export function ownerOf(args) {
	const option = { type: 'string', default: '' };
	const options = { name: option, email: option, repository: option, service: option, api: option };
	const { name, email, repository, service, api } = parseArgs({ args, options }).values;
	const [, account, title] = REPOSITORY.exec(repository) ?? [];
	const refused = [
		name.trim() ? '' : '--name takes the name of a person or a company',
		EMAIL.test(email) ? '' : '--email takes an e-mail address',
		title ? '' : '--repository takes an address such as https://github.com/name/repository',
		service.trim() ? '' : '--service takes the name of the CRM',
		isWebAddress(api)
			? ''
			: '--api takes the address of the API documentation of the CRM, with https://',
	].filter(Boolean);
	if (refused.length > 0) throw new Error(`The owner is not complete:\n  ${refused.join('\n  ')}`);
	return {
		...{ name: name.trim(), email, repository: `https://github.com/${account}/${title}` },
		...{ service: service.trim(), api: new URL(api).href },
	};
}

const isWebAddress = (text) => {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	return url?.protocol === 'https:' && url.hostname.includes('.') && !/[<>]/.test(text);
};

/**
 * Returns whether the manifest names an owner. Without one, the package must not be published.
 * @param {{ repository?: object }} manifest
 */
export const hasOwner = ({ repository }) => repository !== undefined;

/** Whether a README names the service and where its API is documented, which reviewers of n8n ask for. */
export const namesService = (readme) => NAMED_SERVICE.test(readme);

/** Returns the object with an entry after another one. An old entry of the same name goes. */
function withEntry(object, [name, value], after) {
	const entries = Object.entries(object).filter(([other]) => other !== name);
	const place = entries.findIndex(([other]) => other === after) + 1;
	return Object.fromEntries([...entries.slice(0, place), [name, value], ...entries.slice(place)]);
}

function withOwner(manifest, { name, email, repository }) {
	return [
		[['homepage', `${repository}#readme`], 'keywords'],
		[['author', { name, email }], 'homepage'],
		[['repository', { type: 'git', url: `git+${repository}.git` }], 'author'],
		[['bugs', { url: `${repository}/issues` }], 'repository'],
	].reduce((changed, [entry, after]) => withEntry(changed, entry, after), manifest);
}

function withDocumentation(codex, repository, section) {
	const resources = {
		credentialDocumentation: [{ url: `${repository}#credentials` }],
		primaryDocumentation: [{ url: `${repository}#${section}` }],
	};
	return withEntry(codex, ['resources', resources], 'categories');
}

function withService(readme, { service, api }) {
	if (!SERVICE_LINE.test(readme))
		throw new Error('README.md has no line that begins with **Service**');
	const name = service.replace(/[\\`*_[\]<>]/g, (sign) => `\\${sign}`);
	const line = `**Service**: ${name}, a cloud CRM for contacts, deals and tasks. Its API is documented at <${api}>.`;
	return readme.replace(SERVICE_LINE, () => line);
}

/** Names the account of the repository as the reviewer of all files. */
function withReviewer(codeOwners, { repository }) {
	if (!REVIEWER_LINE.test(codeOwners))
		throw new Error('.github/CODEOWNERS has no line such as "* @account"');
	const [account] = new URL(repository).pathname.slice(1).split('/');
	return codeOwners.replace(REVIEWER_LINE, `* @${account}`);
}

const ofJson = (change) => (text) => JSON.stringify(change(JSON.parse(text)));

/** Returns the changes of each file: a function from the old text to the new one. */
const changesFor = (owner) => ({
	'package.json': ofJson((manifest) => withOwner(manifest, owner)),
	[`${NODE_FOLDER}/ContactTaskCrm.node.json`]: ofJson((codex) =>
		withDocumentation(codex, owner.repository, 'readme'),
	),
	[`${NODE_FOLDER}/ContactTaskCrmTrigger.node.json`]: ofJson((codex) =>
		withDocumentation(codex, owner.repository, 'the-trigger'),
	),
	[CREDENTIAL]: (text) =>
		text.replace(
			/^(\tdocumentationUrl = )'[^']*';$/m,
			(_, start) => `${start}'${owner.repository}#credentials';`,
		),
	'LICENSE.md': (text) =>
		text.replace(/^(Copyright \(c\) \d+) .*$/m, (_, start) => `${start} ${owner.name}`),
	'.github/CODEOWNERS': (text) => withReviewer(text, owner),
	// npm shows the README as well, but does not find pictures with relative addresses.
	'README.md': (text) =>
		withService(text, owner).replace(
			PICTURE,
			`](${owner.repository.replace('github.com', 'raw.githubusercontent.com')}/HEAD/docs/screenshots/`,
		),
});

/** Formats a text as Prettier formats its file. Returns it unchanged if Prettier does not know the kind of file. */
async function formatted(text, file) {
	const filepath = join(projectFolder, file);
	const { inferredParser } = await getFileInfo(filepath);
	if (!inferredParser) return text;
	return await format(text, { ...(await resolveConfig(filepath)), filepath });
}

/**
 * Writes the owner into all files that need it.
 * @param {Owner} owner
 * @param {string} [folder] of the repository
 * @returns {Promise<string[]>} the written files
 */
export async function writeOwner(owner, folder = projectFolder) {
	const changes = Object.entries(changesFor(owner));
	for (const [file, change] of changes) {
		const path = join(folder, file);
		const text = change(await readFile(path, 'utf8'));
		await writeFile(path, await formatted(text, file));
	}
	return changes.map(([file]) => file);
}
