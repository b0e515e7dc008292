// Tests the conditions of a release: run with `npm run test:host`. The release program runs in a small repository.
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { projectFolder } from './paths.mjs';
import { notesOf, problemsOfRelease, withVersion } from './release.mjs';
import { run } from './run.mjs';

const manifest = {
	name: 'n8n-nodes-contact-task-crm',
	version: '1.2.0',
	repository: { type: 'git', url: 'git+https://github.com/some/thing.git' },
};
const changelog = [
	'# Changelog',
	'## [Unreleased]',
	'## [1.2.0] - 2026-12-01',
	'### Added\n\n- Everything.',
	'## [1.1.0] - 2026-11-01',
	'### Added\n\n- Something.',
].join('\n\n');
const service = '**Service**: A, a CRM. Its API is documented at <https://a.org/api>.';
const readme = `${service}\n\nnpm install /path/to/n8n-nodes-contact-task-crm-1.2.0.tgz`;
const tree = { manifest, changelog, readme, tag: '1.2.0' };

describe('a tagged commit', () => {
	test('The release check accepts a tagged commit if tag, version, changelog and README agree', () => {
		assert.deepEqual(problemsOfRelease(tree), []);
	});

	for (const [what, changed, expected] of [
		['has no owner', { manifest: { ...manifest, repository: undefined } }, /Nobody is named/],
		[
			'does not name the service',
			{ readme: readme.replace(service, '**Service**: a CRM, still to be named.') },
			/does not name the service and its API/,
		],
		['has a tag that differs from its version', { tag: '1.2.1' }, /The tag is 1\.2\.1/],
		['has a tag with a letter before the version', { tag: 'v1.2.0' }, /The tag is v1\.2\.0/],
		[
			'has no heading of its version in the changelog',
			{ changelog: changelog.replace('## [1.2.0] - 2026-12-01\n\n', '') },
			/newest version in CHANGELOG\.md is 1\.1\.0/,
		],
		[
			'has no version in the changelog at all',
			{ changelog: '# Changelog\n\n## [Unreleased]\n\n- Something.' },
			/is none/,
		],
		[
			'has a heading without a date',
			{ changelog: changelog.replace('[1.2.0] - 2026-12-01', '[1.2.0]') },
			/no date/,
		],
		[
			'has a heading with nothing below it',
			{ changelog: changelog.replace('### Added\n\n- Everything.\n\n', '') },
			/says nothing of 1\.2\.0/,
		],
		[
			'has changes that belong to no version',
			{ changelog: changelog.replace('[Unreleased]', '[Unreleased]\n\n- More.') },
			/Unreleased/,
		],
		[
			'has a README that names another tarball',
			{ readme: withVersion(readme, '1.1.0') },
			/README\.md names .*1\.1\.0/,
		],
	]) {
		test(`The release check refuses a tagged commit that ${what}`, () => {
			const problems = problemsOfRelease({ ...tree, ...changed });
			assert.equal(problems.length >= 1, true);
			assert.match(problems.join('\n'), expected);
		});
	}

	test('The release on GitHub has the text of its own version in the changelog', () => {
		assert.equal(notesOf(changelog, '1.2.0'), '### Added\n\n- Everything.');
	});
});

describe('npm run release', () => {
	let folder;
	let clone;

	const git = async (...args) => await run('git', args, { cwd: clone });
	const write = async (file, text) => await writeFile(join(clone, file), text);
	const commit = async (text) => {
		await git('add', '-A');
		await git('commit', '--quiet', '-m', text);
		await git('push', '--quiet', '-u', 'origin', 'main');
	};
	const release = async (version) =>
		await run('npm', ['run', 'release', '--', version], {
			cwd: clone,
			env: { ...process.env, NO_COLOR: '1', npm_config_update_notifier: 'false' },
		});
	const tags = async () => (await git('tag')).trim();

	before(async () => {
		folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-release-'));
	});

	after(async () => {
		await rm(folder, { recursive: true, force: true });
	});

	/** A repository with a remote, the present release program, and a test that passes. */
	beforeEach(async () => {
		const home = await mkdtemp(join(folder, 'repository-'));
		const remote = join(home, 'remote.git');
		clone = join(home, 'clone');
		await mkdir(clone);
		await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote], { cwd: home });
		await git('init', '--quiet', '--initial-branch=main');
		for (const [name, value] of [
			['user.name', 'A'],
			['user.email', 'a@example.invalid'],
			['commit.gpgsign', 'false'],
			['tag.gpgsign', 'false'],
		]) {
			await git('config', name, value);
		}
		await git('remote', 'add', 'origin', remote);
		const { scripts } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'));
		const commands = { release: scripts.release, test: 'test ! -e broken' };
		const own = { ...manifest, scripts: { ...commands, 'test:host': 'true' } };
		await write('package.json', JSON.stringify(own));
		await write('README.md', readme);
		await write('CHANGELOG.md', changelog.replace('[Unreleased]', '[Unreleased]\n\n- More.'));
		await write('.gitignore', 'node_modules\n');
		for (const file of ['.release-it.json', 'gulpfile.js', 'host']) {
			await cp(join(projectFolder, file), join(clone, file), { recursive: true });
		}
		await symlink(join(projectFolder, 'node_modules'), join(clone, 'node_modules'));
		await commit('Begin');
	});

	test('npm run release names the version everywhere, commits, tags and pushes', async () => {
		await release('1.3.0');
		assert.equal(await tags(), '1.3.0');
		assert.equal((await git('log', '-1', '--format=%s')).trim(), 'Release 1.3.0');
		assert.equal(await git('status', '--porcelain'), '');
		assert.equal(await git('rev-parse', 'HEAD'), await git('rev-parse', 'origin/main'));
		assert.match(await git('ls-remote', '--tags', 'origin'), /refs\/tags\/1\.3\.0/);
		const texts = await Promise.all(
			['package.json', 'CHANGELOG.md', 'README.md'].map((file) =>
				readFile(join(clone, file), 'utf8'),
			),
		);
		const problems = problemsOfRelease({
			manifest: JSON.parse(texts[0]),
			changelog: texts[1],
			readme: texts[2],
			tag: '1.3.0',
		});
		assert.deepEqual(problems, []);
		assert.equal(notesOf(texts[1], '1.3.0'), '- More.');
	});

	test('npm run release takes the version of package.json for the first release', async () => {
		await write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n- Everything.\n');
		await commit('Begin anew');
		await release('1.2.0');
		assert.equal(await tags(), '1.2.0');
		assert.match(await readFile(join(clone, 'CHANGELOG.md'), 'utf8'), /^## \[1\.2\.0\] - /m);
	});

	for (const [what, prepare, expected] of [
		[
			'uncommitted changes',
			async () => await write('README.md', `${readme} changed`),
			/clean|changes/i,
		],
		[
			'an unchanged changelog',
			async () => {
				await write('CHANGELOG.md', changelog);
				await commit('Take the changes away');
			},
			/no entries under "Unreleased"/,
		],
		[
			'a failing test',
			async () => {
				await write('broken', '');
				await commit('Break the test');
			},
			/npm test/,
		],
		[
			'a branch other than main',
			async () => {
				await git('checkout', '--quiet', '-b', 'other');
				await git('push', '--quiet', '-u', 'origin', 'other');
			},
			/branch main/i,
		],
		[
			'a package without an owner',
			async () => {
				const { repository, ...rest } = JSON.parse(
					await readFile(join(clone, 'package.json'), 'utf8'),
				);
				assert.ok(repository);
				await write('package.json', JSON.stringify(rest));
				await commit('Take the owner away');
			},
			/Nobody is named as the owner/,
		],
		[
			'a README that does not name the service',
			async () => {
				await write('README.md', readme.replace(service, 'A CRM.'));
				await commit('Take the service away');
			},
			/does not name the service and its API/,
		],
	]) {
		test(`npm run release refuses ${what}`, async () => {
			await prepare();
			const before = await git('log', '-1', '--format=%H');
			await assert.rejects(release('1.3.0'), expected);
			assert.equal(await tags(), '');
			assert.equal(await git('log', '-1', '--format=%H'), before);
			const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8'));
			assert.equal(version, '1.2.0');
		});
	}
});
