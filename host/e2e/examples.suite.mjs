import assert from 'node:assert/strict';
import { noteDrawn, pictureOf } from '../examplePictures.mjs';
import { EXAMPLES, readWorkflow } from '../examples.mjs';
import { inEditor, picture, picturesAreWanted } from './stage.mjs';

/** As wide as a README on GitHub with the side bar. */
const WINDOW = { width: 1080, height: 900 };
/** Space around the workflow, for the sign of its trigger. */
const MARGIN = 24;
/** Shows only nodes, notes and lines, without the editor's controls. */
const CANVAS_ALONE = `
	body * { visibility: hidden }
	.vue-flow__transformationpane *, marker, marker * { visibility: visible }
	[data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-handle-plus-wrapper"] * { visibility: hidden !important }
`;

/** Returns the area of the nodes, names and notes of a workflow on the page. */
async function placeOf(page) {
	const drawn = page.locator('.vue-flow__node, .vue-flow__node [class*="description"]');
	const boxes = await drawn.evaluateAll((elements) =>
		elements.map((element) => {
			const { left, top, right, bottom } = element.getBoundingClientRect();
			return { left, top, right, bottom };
		}),
	);
	const most = (side, choose) => Math.round(choose(...boxes.map((box) => box[side])));
	const [x, y] = [most('left', Math.min) - MARGIN, most('top', Math.min) - MARGIN];
	const [right, bottom] = [most('right', Math.max) + MARGIN, most('bottom', Math.max) + MARGIN];
	return { x, y, width: right - x, height: bottom - y };
}

/** Returns an example after the user has chosen credentials, by type. */
function withCredentials({ name, nodes, connections, settings }, credentials) {
	const own = nodes.map((node) => {
		if (!node.credentials) return node;
		const [type] = Object.keys(node.credentials);
		return { ...node, credentials: { [type]: credentials[type] } };
	});
	return { name, nodes: own, connections, settings };
}

async function takePicture(editor, file, workflow) {
	await editor.zoomToFit();
	await editor.settle();
	await editor.page.addStyleTag({ content: CANVAS_ALONE });
	await picture(editor, pictureOf(file), await placeOf(editor.page));
	await noteDrawn(pictureOf(file), workflow);
}

inEditor('nothing is left to fill in once an example is imported', async ({ editor, service }) => {
	await editor.page.setViewportSize(WINDOW);
	const openAi = { name: 'OpenAI', type: 'openAiApi', data: { apiKey: 'none' } };
	const credentials = {
		contactTaskCrmApi: await editor.saveCredential('Contact Task CRM', service),
		openAiApi: await editor.saveAnyCredential(openAi),
	};
	for (const file of Object.values(EXAMPLES)) {
		const workflow = await readWorkflow(file);
		await editor.openWorkflow(await editor.saveWorkflow(withCredentials(workflow, credentials)));
		const notes = workflow.nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		await editor
			.find('sticky')
			.nth(notes.length - 1)
			.waitFor();
		await editor.settle();
		assert.equal(await editor.find('node-issues').count(), 0, file);
		if (picturesAreWanted) await takePicture(editor, file, workflow);
	}
});
