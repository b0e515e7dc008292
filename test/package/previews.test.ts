/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the build */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { previewFile, previews } from '../schema/previews';

const folder = path.resolve(__dirname, '../../dist/nodes/ContactTaskCrm/__schema__/v1.0.0');

it('The built __schema__ files hold exactly the output previews that test/schema/previews.ts generates', () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]);
	const expected = previews().map(({ resource, operation, preview }) => [
		path.join(resource, `${operation}.json`),
		previewFile(preview),
	]);
	expect(Object.fromEntries(files)).toEqual(Object.fromEntries(expected));
});
