/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes documents with measured figures */
import { readFile, writeFile } from 'node:fs/promises';

/** Returns a table in Markdown. The keys of the first row are the column names. */
export function table(rows: Array<Record<string, string | number>>): string {
	const names = Object.keys(rows[0] ?? {});
	const line = (cells: Array<string | number>) =>
		`| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
	return [
		line(names),
		line(names.map(() => '---')),
		...rows.map((row) => line(names.map((name) => row[name] ?? ''))),
	].join('\n');
}

/** Replaces the text between two named marks of a document. */
export async function writeSection(file: string, name: string, text: string): Promise<void> {
	const document = await readFile(file, 'utf8');
	const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
	const [before, rest] = document.split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`${file} has no place for "${name}"`);
	await writeFile(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
