// Tests that the owner of the package is entered in one place: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import GithubSlugger from 'github-slugger';
import { hasOwner, namesService, ownerOf, writeOwner } from './owner.mjs';
import { projectFolder } from './paths.mjs';

const FILES = [
	...['package.json', 'LICENSE.md', 'README.md', '.github/CODEOWNERS'],
	...['nodes/ContactTaskCrm', 'credentials'],
];
const CODICES = ['ContactTaskCrm', 'ContactTaskCrmTrigger'].map(
	(name) => `nodes/ContactTaskCrm/${name}.node.json`,
);
const CREDENTIAL = 'credentials/ContactTaskCrmApi.credentials.ts';

const first = ownerOf([
	'--name',
	'Zebra $1',
	'--email',
	'a@zebra.org',
	'--repository',
	'zebra/one',
	...['--service', 'Zebra *CRM* $1', '--api', 'https://api.zebra.org/docs'],
]);
const second = ownerOf([
	...['--name', "Ann O'Neil", '--email', 'ann@second.org'],
	...['--repository', 'https://github.com/second/two.git'],
	...['--service', 'Second & Co', '--api', 'https://second.org/api#people'],
]);

let folder;

const read = async (file) => await readFile(join(folder, file), 'utf8');
const readJson = async (file) => JSON.parse(await read(file));

before(async () => {
	folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-owner-'));
	for (const file of FILES) {
		await cp(join(projectFolder, file), join(folder, file), { recursive: true });
	}
});

after(async () => {
	await rm(folder, { recursive: true, force: true });
});

test('The owner command names missing options', () => {
	assert.throws(
		() => ownerOf(['--name', ' ', '--email', 'nobody', '--repository', 'https://example.org/a/b']),
		/--name .*\n.*--email .*\n.*--repository .*\n.*--service .*\n.*--api /,
	);
	assert.throws(() => ownerOf(['--nickname', 'x']), /nickname/);
});

test('The owner command accepts the address of the repository in any usual form', () => {
	for (const repository of [
		'some/thing',
		'https://github.com/some/thing',
		'https://github.com/some/thing/',
		'https://github.com/some/thing.git',
	]) {
		const others = [
			'--name',
			'A',
			'--email',
			'a@b.org',
			'--service',
			'B',
			'--api',
			'https://b.org',
		];
		const owner = ownerOf([...others, '--repository', repository]);
		assert.equal(owner.repository, 'https://github.com/some/thing');
	}
});

test('The owner command writes the owner everywhere, and completely replaces an earlier one', async () => {
	await writeOwner(first, folder);
	const written = await writeOwner(second, folder);
	assert.deepEqual(written, await writeOwner(second, folder));
	const texts = (await Promise.all(written.map(read))).join('\n');
	assert.doesNotMatch(texts, /zebra/i);

	const manifest = await readJson('package.json');
	assert.ok(hasOwner(manifest));
	const { homepage, author, repository, bugs } = manifest;
	assert.deepEqual(
		{ homepage, author, repository, bugs },
		{
			homepage: 'https://github.com/second/two#readme',
			author: { name: "Ann O'Neil", email: 'ann@second.org' },
			repository: { type: 'git', url: 'git+https://github.com/second/two.git' },
			bugs: { url: 'https://github.com/second/two/issues' },
		},
	);
	for (const [index, section] of ['readme', 'the-trigger'].entries()) {
		const { resources, alias } = await readJson(CODICES[index]);
		assert.deepEqual(resources, {
			credentialDocumentation: [{ url: 'https://github.com/second/two#credentials' }],
			primaryDocumentation: [{ url: `https://github.com/second/two#${section}` }],
		});
		assert.ok(alias.length > 0);
	}
	assert.match(
		await read(CREDENTIAL),
		/documentationUrl = 'https:\/\/github\.com\/second\/two#credentials';/,
	);
	const rules = (await read('.github/CODEOWNERS'))
		.split('\n')
		.filter((line) => !/^(?:#|$)/.test(line));
	assert.deepEqual(rules, ['* @second']);
	assert.match(await read('LICENSE.md'), /^Copyright \(c\) \d{4} Ann O'Neil$/m);
});

test('Each link of codex and credential leads to a heading of the README', async () => {
	await writeOwner(second, folder);
	const slugger = new GithubSlugger();
	const headings = [...(await read('README.md')).matchAll(/^#+ +(.+)$/gm)];
	// GitHub's own anchor for the README, below the files of a repository.
	const anchors = ['readme', ...headings.map(([, heading]) => slugger.slug(heading))];
	const texts = await Promise.all([...CODICES, CREDENTIAL].map(read));
	const links = texts.join('\n').matchAll(/["'](https:\/\/github\.com\/[^"']*)["']/g);
	const found = [...links].map(([, link]) => link.split('#'));
	assert.equal(found.length, 5);
	for (const [address, anchor] of found) {
		assert.equal(address, 'https://github.com/second/two');
		assert.ok(anchors.includes(anchor), anchor);
	}
});

test('Each relative link of the README leads to a file of the repository', async () => {
	await writeOwner(second, folder);
	const targets = [...(await read('README.md')).matchAll(/(?<!!)\[[^\]]*\]\(([^)]+)\)/g)]
		.map(([, target]) => target)
		.filter((target) => !/^(?:https:|#)/.test(target));
	assert.ok(targets.length > 0);
	for (const target of targets) {
		assert.match(target, /^[\w-]/);
		const [path] = target.split('#');
		assert.ok((await stat(join(projectFolder, path))).isFile(), target);
	}
});

test('The pictures of the README exist, and npm finds them', async () => {
	await writeOwner(second, folder);
	const pictures = [...(await read('README.md')).matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)];
	assert.ok(pictures.length > 0);
	const start = 'https://raw.githubusercontent.com/second/two/HEAD/';
	for (const [, address] of pictures) {
		assert.ok(address.startsWith(start), address);
		await readFile(join(projectFolder, address.slice(start.length)));
	}
});

test('The owner command changes nothing but the owner', async () => {
	await writeOwner(second, folder);
	const owners = ['homepage', 'author', 'repository', 'bugs'];
	const others = (manifest) => Object.entries(manifest).filter(([name]) => !owners.includes(name));
	const before = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
	assert.deepEqual(others(await readJson('package.json')), others(before));
	const linesOf = async (root) =>
		(await readFile(join(root, CREDENTIAL), 'utf8'))
			.split('\n')
			.filter((line) => !line.includes('documentationUrl'));
	assert.deepEqual(await linesOf(folder), await linesOf(projectFolder));
});

test('The README names the service and its API only after the owner command', async () => {
	const unnamed = await readFile(join(projectFolder, 'README.md'), 'utf8');
	// A copy that has an owner names its own service.
	const { repository } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
	assert.equal(namesService(unnamed), repository !== undefined);
	await writeOwner(first, folder);
	const lineOf = async () => /^\*\*Service\*\*: .*$/m.exec(await read('README.md'))[0];
	assert.match(
		await lineOf(),
		/: Zebra \\\*CRM\\\* \$1, .* at <https:\/\/api\.zebra\.org\/docs>\.$/,
	);
	await writeOwner(second, folder);
	assert.match(await lineOf(), /: Second & Co, .* at <https:\/\/second\.org\/api#people>\.$/);
	assert.ok(namesService(await read('README.md')));
});

test('The owner command refuses an API address that is no web address with HTTPS', () => {
	const others = ['--name', 'A', '--email', 'a@b.org', '--repository', 'a/b', '--service', 'B'];
	for (const api of ['', 'docs', 'http://b.org', 'https://docs', 'ftp://b.org']) {
		assert.throws(() => ownerOf([...others, '--api', api]), /--api takes the address/);
	}
});
