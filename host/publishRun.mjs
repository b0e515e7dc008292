// The publish workflow up to the upload, in a clone with a made-up owner: run with `node host/publishRun.mjs`. It executes the
// commands of the workflow file word for word. With `--suites` it runs the test suites of the workflow as well.
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { hasOwner } from './owner.mjs';
import { projectFolder } from './paths.mjs';
import { run, stopAll } from './run.mjs';

const OWNER = [
	...['--name', 'Made-up owner', '--email', 'nobody@owner.example'],
	...['--repository', 'https://github.com/made-up-owner/made-up-repository'],
	...['--service', 'Made-up CRM', '--api', 'https://crm.example/api'],
];
/** A version that was never released. */
const VERSION = '99.0.0';
/** Test suites. `.ci/run` runs them beside this program, and they have run before a tag is made. */
const SUITE = /^npm (?:test|run test:(?:host|n8n -- [\w ]+))$/;
/** npm cannot make a provenance statement here, only in a workflow of GitHub. */
const ONLY_AT_GITHUB = / --provenance\b/;

const { suites: withSuites } = parseArgs({
	options: { suites: { type: 'boolean', default: false } },
}).values;

const { jobs } = parse(
	await readFile(join(projectFolder, '.github', 'workflows', 'publish.yml'), 'utf8'),
);
const commandsOf = ({ steps }) => steps.map((step) => step.run).filter(Boolean);

async function said(what, work) {
	const startedAt = Date.now();
	console.log(`${what} …`);
	const result = await work();
	console.log(`  done (${Math.round((Date.now() - startedAt) / 1000)} s)`);
	return result;
}

/** Makes a clone on the branch main, with a remote of its own, as the owner has it. */
async function cloned(folder) {
	const clone = join(folder, 'clone');
	const remote = join(folder, 'remote.git');
	const git = async (...args) => await run('git', args, { cwd: clone });
	await run('git', ['clone', '--quiet', '--no-local', projectFolder, clone]);
	await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
	// Accepts a push from a shallow clone, because GitHub workflows check out only the last commit.
	await run('git', ['config', 'receive.shallowUpdate', 'true'], { cwd: remote });
	await git('checkout', '--quiet', '-B', 'main');
	for (const [name, value] of [
		['user.name', 'Made-up owner'],
		['user.email', 'nobody@owner.example'],
		['commit.gpgsign', 'false'],
		['tag.gpgsign', 'false'],
	]) {
		await git('config', name, value);
	}
	await git('remote', 'set-url', 'origin', remote);
	await git('push', '--quiet', '-u', 'origin', 'main');
	if (!withSuites) {
		await symlink(join(projectFolder, 'node_modules'), join(clone, 'node_modules'));
	}
	return { clone, git };
}

/** Adds news to the changelog, because a release needs some. The commit of a release has none. */
async function addToChangelog(file) {
	const text = await readFile(file, 'utf8');
	const news = '## [Unreleased]\n\n### Added\n\n- A dry run.\n';
	await writeFile(file, text.replace(/^## \[Unreleased\]\n(?=\s*(?:## |$))/m, news));
}

const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-publish-'));
try {
	const { clone, git } = await said('Cloning the repository', async () => await cloned(folder));
	const { PACKED: _packed, NODE_TEST_CONTEXT: _context, ...environment } = process.env;
	const manifestOf = async (path) => JSON.parse(await readFile(path, 'utf8'));
	const env = { ...environment, GITHUB_REF_NAME: VERSION };
	const bash = async (command, cwd) =>
		await run('bash', ['-euo', 'pipefail', '-c', command], { cwd, env });
	if (withSuites) await said('npm ci', async () => await bash('npm ci', clone));

	await said('npm run owner, with a made-up owner', async () => {
		await run('npm', ['run', 'owner', '--', ...OWNER], { cwd: clone, env });
		await addToChangelog(join(clone, 'CHANGELOG.md'));
		await git('add', '-A');
		await git('commit', '--quiet', '-m', 'Name the owner');
		await git('push', '--quiet');
	});
	// Skips the tests of release-it's hook, because the workflow contains the same ones.
	const release = ['run', 'release', '--', VERSION, '--hooks.before:bump=true'];
	await said(
		`npm run release -- ${VERSION}`,
		async () => await run('npm', release, { cwd: clone, env }),
	);

	for (const command of commandsOf(jobs.check)) {
		const isSkipped = !withSuites && (command === 'npm ci' || SUITE.test(command));
		if (isSkipped) console.log(`${command}: left out`);
		else await said(command, async () => await bash(command, clone));
	}

	// Files that the artifact carries from job to job.
	const artifact = join(folder, 'artifact');
	await mkdir(artifact);
	await cp(join(clone, 'release'), artifact, { recursive: true });
	const [publish] = commandsOf(jobs.publish);
	const dry = `${publish.replace(ONLY_AT_GITHUB, '')} --dry-run`;
	await said(dry, async () => await bash(dry, artifact));

	const files = await readdir(artifact);
	const tarball = files.find((name) => name.endsWith('.tgz'));
	const notes = await readFile(join(artifact, 'notes.md'), 'utf8');
	await run('tar', ['-xzf', tarball], { cwd: artifact });
	const packed = await manifestOf(join(artifact, 'package', 'package.json'));
	const readme = await readFile(join(artifact, 'package', 'README.md'), 'utf8');
	const problems = [
		tarball !== `${packed.name}-${VERSION}.tgz` && `The tarball is ${tarball}`,
		packed.version !== VERSION && `The version is ${packed.version}`,
		!hasOwner(packed) && 'The package has no owner',
		!readme.includes('made-up-owner/made-up-repository/HEAD/docs') && 'Pictures lead elsewhere',
		!readme.includes('Made-up CRM') && 'The README does not name the service',
		notes.trim() === '' && 'The release has no notes',
	].filter(Boolean);
	if (problems.length > 0) throw new Error(problems.join('\n'));
	console.log(
		`${tarball} would be published, with ${notes.trim().split('\n').length} lines of notes.`,
	);
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	await stopAll();
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
