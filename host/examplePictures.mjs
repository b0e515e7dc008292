import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './paths.mjs';

/** Hashes of the drawn workflows, by picture. A test fails if an example has changed since. */
const RECORD = join(projectFolder, 'docs', 'screenshots', 'examples.json');

/** Returns the picture name of an example, without its extension. */
export const pictureOf = (file) => `example-${file.replace('.json', '')}`;

/** Returns a hash of the visible parts of a workflow: nodes with their positions, notes, and lines. */
export function drawn({ nodes, connections }) {
	const shown = nodes.map(({ name, type, position, onError, parameters }) => {
		const { content, width, height, color, resource, operation } = parameters;
		return { name, type, position, onError, content, width, height, color, resource, operation };
	});
	return createHash('sha256')
		.update(JSON.stringify([shown, connections]))
		.digest('hex')
		.slice(0, 16);
}

/** Returns the hashes of the existing pictures, by picture name. */
export async function drawnThen() {
	return JSON.parse(await readFile(RECORD, 'utf8').catch(() => '{}'));
}

/** Records that a picture of a workflow was just taken. */
export async function noteDrawn(picture, workflow) {
	const noted = { ...(await drawnThen()), [picture]: drawn(workflow) };
	await writeFile(RECORD, `${JSON.stringify(noted, null, '\t')}\n`);
}
