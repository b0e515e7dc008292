import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ensureHost } from '../install.mjs';
import * as n8n from '../n8n.mjs';
import { describePack, pack } from '../pack.mjs';
import { projectFolder } from '../paths.mjs';
import { stop, stopAll } from '../run.mjs';
import { startService } from '../service.mjs';
import { launchChromium } from './chromium.mjs';
import { Editor, PATIENCE_MS } from './editor.mjs';

const VIEWPORT = { width: 1400, height: 900 };
/** Elements that the editor shows only for a moment: messages in the corner, and tips. */
const PASSING = '.el-notification, [data-reka-popper-content-wrapper]:has([role="tooltip"])';
/** A test that hangs fails after this time, so that the others can run. */
const TEST_TIMEOUT_MS = 240_000;

/** The n8n and the browser of all tests; `setUp` fills it in. */
const stage = {};

/** Starts n8n with the packed package. */
async function startN8n() {
	stage.instance = await n8n.createInstance(await ensureHost());
	const packed = await pack(stage.instance.folder);
	console.log(describePack(packed));
	await n8n.installPackage(stage.instance, packed.tarball);
	return await n8n.startEditor(stage.instance, { port: 0 });
}

/**
 * Starts n8n with the packed package, and a signed-in browser. With `EDITOR_ADDRESS`, it uses a running n8n, such as
 * that of `npm start`. This saves a minute for each run while writing a test.
 */
export async function setUp() {
	stage.browser = await launchChromium();
	const { EDITOR_ADDRESS: address } = process.env;
	stage.editor = address ? { address } : await startN8n();
	stage.context = await stage.browser.newContext({ viewport: VIEWPORT });
	stage.context.setDefaultTimeout(PATIENCE_MS);
	stage.backstage = await stage.context.newPage();
	await (await openEditor(stage.backstage)).signIn();
}

/** Ends everything that was started. */
export async function tearDown() {
	await stage.browser?.close();
	await stopAll();
	if (stage.instance) await n8n.removeInstance(stage.instance);
}

async function openEditor(page) {
	const editor = new Editor(page, stage.editor.address, stage.backstage);
	await editor.dismissTips();
	return editor;
}

/** Saves a picture and the HTML of the page after a failed test. */
async function keepEvidence({ page, failures }, name) {
	const folder = await mkdtemp(join(tmpdir(), 'contact-task-crm-e2e-'));
	const path = join(folder, name.replace(/\W+/g, '-').slice(0, 60));
	await page.screenshot({ path: `${path}.png` }).catch(() => undefined);
	await writeFile(`${path}.html`, await page.content()).catch(() => undefined);
	await writeFile(`${path}.txt`, failures.join('\n'));
	return folder;
}

/**
 * Runs a test with an editor and a stand-in service of its own. The service has the limit of the real one, and
 * neither the node's memory nor its budget carries over.
 * @param {string} name
 * @param {(scene: { editor: Editor, service: import('../service.mjs').Service, t: import('node:test').TestContext }) => Promise<void>} run
 * @param {import('node:test').TestOptions} [options]
 */
export function inEditor(name, run, options = {}) {
	test(name, { timeout: TEST_TIMEOUT_MS, ...options }, async (t) => {
		const service = await startService({ port: 0 });
		const editor = await openEditor(await stage.context.newPage());
		try {
			await run({ editor, service, t });
		} catch (error) {
			t.diagnostic(`The page is kept in ${await keepEvidence(editor, name)}`);
			throw error;
		} finally {
			await editor.page.close();
			await stop(service.program);
		}
	});
}

/** Whether to take pictures for the documents, by `SCREENSHOTS=1`. */
export const picturesAreWanted = Boolean(process.env.SCREENSHOTS);

/**
 * Takes a picture for the documents, if wanted.
 * @param {Editor} editor
 * @param {string} name
 * @param {{ x: number, y: number, width: number, height: number }} [clip]
 */
export async function picture({ page }, name, clip) {
	if (!picturesAreWanted) return;
	const folder = join(projectFolder, 'docs', 'screenshots');
	await mkdir(folder, { recursive: true });
	// Without passing messages and tips, and without unfinished animations.
	await page.locator(PASSING).evaluateAll((messages) => {
		for (const message of messages) message.style.display = 'none';
	});
	await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled', clip });
}
