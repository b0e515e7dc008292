// Checks recorded requests and answers of the engine suites with Prism, an OpenAPI proxy: run with
// `node --test host/prism.test.mjs`. It runs the suites itself, unless RECORD_EXCHANGES names a folder with their exchanges.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { npm } from './npm.mjs';
import { projectFolder } from './paths.mjs';
import { startPrism } from './prism.mjs';
import { run, stopAll } from './run.mjs';

/** Undocumented paths that the node requests, and can do without. */
const ASKED_FOR_ALL_THE_SAME = /^\/(users|tags)\?|^\/workspaces\/[^/]+\/columns\/[^/]+$/;

/** Switches that make the stand-in answer in undocumented forms, to test how the node copes. */
const OTHER_FORMS = [
	'bareCollections',
	'createdAnswer',
	'hydraPrefix',
	'identifiers',
	'mapLists',
	'references',
];

/** Shortens the messages about an exchange, because they contain the whole body. */
const shownOf = (found) =>
	found.map(({ exchange: { test: name, request }, ...wrong }) => [
		`${request.method} ${request.url}`,
		name,
		...Object.values(wrong).map((text) => String(text).slice(0, 300)),
	]);

let prism;
let folder;
let document;
let exchanges;
let found;

before(async () => {
	const { RECORD_EXCHANGES: recorded } = process.env;
	document = JSON.parse(
		await readFile(join(projectFolder, 'test', 'service', 'openapi.json'), 'utf8'),
	);
	prism = await startPrism(document);
	if (!recorded) {
		folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-exchanges-'));
		await npm(['run', 'build'], { cwd: projectFolder });
		await run(join(projectFolder, 'node_modules', '.bin', 'jest'), ['test/engine'], {
			cwd: projectFolder,
			env: { ...process.env, RECORD_EXCHANGES: folder },
		});
	}
	const files = await readdir(recorded ?? folder);
	const texts = files.map(async (file) => await readFile(join(recorded ?? folder, file), 'utf8'));
	exchanges = (await Promise.all(texts)).flatMap((text) =>
		text
			.split('\n')
			.filter(Boolean)
			.map((line) => JSON.parse(line)),
	);
	found = [];
	for (const exchange of exchanges) {
		found.push({ exchange, ...(await prism.check(exchange)) });
	}
});

after(async () => {
	await prism?.stop();
	await stopAll();
	if (folder) await rm(folder, { recursive: true, force: true });
});

test('For every operation, a request of the node passes the Prism proxy', (t) => {
	const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
	);
	const hasGone = (operation) => {
		const pattern = new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
		return found.some(
			({ exchange: { request }, request: refusal }) =>
				!refusal && pattern.test(`${request.method} ${request.url}`),
		);
	};
	assert.deepEqual(
		operations.filter((operation) => !hasGone(operation)),
		[],
	);
	t.diagnostic(`${exchanges.length} exchanges, ${operations.length} operations`);
});

test('The Prism proxy finds faults in requests and in answers', async () => {
	const { exchange } = found.find(
		({ exchange: { request }, ...wrong }) =>
			request.method === 'POST' && request.url === '/people' && !wrong.request && !wrong.answer,
	);
	const { request, answer } = exchange;
	const withBody = async (body) =>
		await prism.check({ ...exchange, request: { ...request, body: JSON.stringify(body) } });
	const length = { ...request.headers };
	delete length['content-length'];
	request.headers = length;
	assert.match(String((await withBody({ familyName: 3 })).request), /familyName must be string/);
	assert.match(String((await withBody({ familyName: 'x', nickname: 'y' })).request), /nickname/);
	const wrong = { ...JSON.parse(answer.body), tags: 'none' };
	const answered = { ...exchange, answer: { ...answer, body: JSON.stringify(wrong) } };
	assert.match((await prism.check(answered)).answer, /tags must be array/);
});

test('The node sends only documented requests, except those that tests excuse', (t) => {
	const refused = found.filter(({ request }) => request);
	const isExcused = ({ exchange }) =>
		ASKED_FOR_ALL_THE_SAME.test(exchange.request.url) || exchange.excused.requests !== undefined;
	t.diagnostic(
		`${refused.length} refused, all of users, tags and columns, or excused by their test`,
	);
	assert.deepEqual(shownOf(refused.filter((one) => !isExcused(one))), []);
});

test('The stand-in answers as the interface document says, except for faults and settings', (t) => {
	const wrong = found.filter(({ answer }) => answer);
	const isExcused = ({ exchange: { fault, switches, excused } }) =>
		fault !== undefined ||
		switches.some((form) => OTHER_FORMS.includes(form)) ||
		excused.answers !== undefined;
	t.diagnostic(`${wrong.length} wrong answers, all of faults and settings that a test makes`);
	assert.deepEqual(shownOf(wrong.filter((one) => !isExcused(one))), []);
});
