/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the files that the editor is given */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { previewFile, previews } from '../schema/previews';

const folder = path.resolve(__dirname, '../../nodes/ContactTaskCrm/__schema__/v1.0.0');
const all = previews();

describe('output previews', () => {
	it('Output previews exist for every operation, and for nothing else', () => {
		const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.sort();
		const expected = all.map(({ resource, operation }) => path.join(resource, `${operation}.json`));
		expect(files).toEqual(expected.sort());
	});

	it.each(
		all.map(
			({ resource, operation, preview }) =>
				[`${resource} ${operation}`, resource, operation, preview] as const,
		),
	)(
		'The output previews of %s agree with the contract (npx gulp schema writes them anew)',
		(_, resource, operation, preview) => {
			const file = readFileSync(path.join(folder, resource, `${operation}.json`), 'utf8');
			expect(file).toBe(previewFile(preview));
		},
	);
});
