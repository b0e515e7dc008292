/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- holds a document against the files of the repository */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const home = path.join(root, 'nodes/ContactTaskCrm');
const document = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');

/** Returns the first cell of each row of the first table under a heading. */
function firstCellsUnder(heading: string): string[] {
	const [, section = ''] = document.split(`\n## ${heading}\n`);
	const [table = ''] = /(?:^\|.*\|\n)+/m.exec(section) ?? [];
	return table
		.trim()
		.split('\n')
		.slice(2)
		.map((row) => row.split('|')[1].trim());
}

describe('docs/architecture.md', () => {
	it('lists every room, in the order of the arrows', () => {
		const rooms = firstCellsUnder('The rooms').map((cell) => cell.replace(/[`/]/g, ''));
		const folders = readdirSync(home, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
			.map(({ name }) => name);
		expect([...rooms].sort()).toEqual(folders.sort());
		const rules = readFileSync(path.join(root, '.dependency-cruiser.mjs'), 'utf8');
		const [, ranks = ''] = /RANKS = \[([\s\S]*?)\n\];/.exec(rules) ?? [];
		expect(rooms).toEqual([...ranks.matchAll(/'(\w+)'/g)].map(([, room]) => room));
	});
});
