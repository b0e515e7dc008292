/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- holds a document against the files of the repository */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const home = path.join(root, 'nodes/ContactTaskCrm');
const document = readFileSync(path.join(root, 'docs/architecture.md'), 'utf8');

/** Returns the cells of each row of the first table under a heading. */
function rowsUnder(heading: string): string[][] {
	const [, section = ''] = document.split(`\n## ${heading}\n`);
	const [table = ''] = /(?:^\|.*\|\n)+/m.exec(section) ?? [];
	const rows = table.trim().split('\n').slice(2);
	return rows.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

const firstCellsUnder = (heading: string) => rowsUnder(heading).map(([cell]) => cell);

/** Tells whether a file declares a function, or a class with such a method. */
function declares(source: string, name: string): boolean {
	const isFunction = `(?:function |^\\t(?:private )?(?:async )?)${name}[(<]`;
	return new RegExp(`${isFunction}|^(?:export )?const ${name}\\b`, 'm').test(source);
}

describe('docs/architecture.md', () => {
	it('docs/architecture.md lists every folder of the source code, in the order of .dependency-cruiser.mjs', () => {
		const rooms = firstCellsUnder('The rooms').map((cell) => cell.replace(/[`/]/g, ''));
		const folders = readdirSync(home, { withFileTypes: true })
			.filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
			.map(({ name }) => name);
		expect([...rooms].sort()).toEqual(folders.sort());
		const rules = readFileSync(path.join(root, '.dependency-cruiser.mjs'), 'utf8');
		const [, ranks = ''] = /RANKS = \[([\s\S]*?)\n\];/.exec(rules) ?? [];
		expect(rooms).toEqual([...ranks.matchAll(/'(\w+)'/g)].map(([, room]) => room));
	});

	it('The glossary of docs/architecture.md has at most twelve words, in alphabetical order', () => {
		const words = firstCellsUnder('Glossary');
		expect(words.length).toBeGreaterThan(5);
		expect(words.length).toBeLessThanOrEqual(12);
		expect(words).toEqual([...words].sort());
	});

	it('Each function that docs/architecture.md names is in the file named before it', () => {
		// A row without an answer is the title of a group.
		const rows = rowsUnder('Where is what').filter(([, answer]) => answer !== '');
		expect(rows.length).toBeGreaterThanOrEqual(12);
		for (const [question, answer] of rows) {
			const named = [...answer.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
			expect([question, named[0]]).toEqual([question, expect.stringMatching(/\.ts$/)]);
			let source = '';
			for (const name of named) {
				if (name.endsWith('.ts')) source = readFileSync(path.join(home, name), 'utf8');
				else expect([question, name, declares(source, name)]).toEqual([question, name, true]);
			}
		}
	});

	it('Each file in the diagrams of docs/architecture.md exists', () => {
		const diagrams = [...document.matchAll(/```mermaid\n([^]*?)```/g)].map(
			([, diagram]) => diagram,
		);
		expect(diagrams).toHaveLength(2);
		const files = diagrams.join('\n').match(/\w+\/[\w/]+\.ts/g) ?? [];
		expect(files.length).toBeGreaterThan(8);
		for (const file of files)
			expect([file, existsSync(path.join(home, file))]).toEqual([file, true]);
	});
});
