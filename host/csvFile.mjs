// Recognizes files that are no CSV file by their first bytes. It imports no package, because it runs before
// npm has installed any.
import { open, stat } from 'node:fs/promises';

/** A file that cannot be read. The message says why, and what to do. */
export class UnreadableTable extends Error {}

/** Largest file: half the maximum length of a JavaScript string. */
const MOST_BYTES = 256 * 1024 ** 2;
const FIRST_BYTES = 4096;
/** The highest plane of Unicode. */
const HIGHEST_PLANE = 0x10;

export const SAVE_AGAIN = 'In the program that made it, save it as "CSV UTF-8" and try that file.';
export const EMPTY = 'The file is empty. Export it again, with the names of the columns.';

/** First bytes of workbooks, pictures and other files that are not text. */
const NOT_TEXT = [
	[/^PK\u0003\u0004/, 'an Excel workbook or another ZIP file'],
	[/^\u00d0\u00cf\u0011\u00e0/, 'an old Excel workbook'],
	[/^%PDF/, 'a PDF file'],
];
/** First characters of other formats of text. */
const NOT_CSV = [
	[/^\{\s*(?:["}]|$)|^\[\s*(?:[[{"\d\]-]|$)/, 'JSON'],
	[/^<\?xml/i, 'XML'],
	[/^<[a-z!]/i, 'HTML'],
];

/** Returns whether each four bytes are one character, as in UTF-32. */
function isUtf32(start) {
	const bytes = start.subarray(0, start.length - (start.length % 4));
	const characters = Array.from({ length: bytes.length / 4 }, (_, index) =>
		bytes.subarray(4 * index, 4 * index + 4),
	);
	const isCharacter = ([low, middle, high, highest]) =>
		highest === 0 && high <= HIGHEST_PLANE && low + middle + high > 0;
	const isLittleEndian = characters.every(isCharacter);
	const isBigEndian = characters.every((four) => isCharacter([...four].reverse()));
	return characters.length > 0 && (isLittleEndian || isBigEndian);
}

/**
 * Checks that a file may hold a table.
 * @param {Buffer} start its first bytes
 * @param {number} size of the file
 * @throws {UnreadableTable}
 */
export function assertTable(start, size) {
	if (size === 0) throw new UnreadableTable(EMPTY);
	const bytes = start.subarray(0, FIRST_BYTES);
	const [, binary] = NOT_TEXT.find(([first]) => first.test(bytes.toString('latin1', 0, 8))) ?? [];
	if (binary) throw new UnreadableTable(`This is ${binary}, not a CSV file. ${SAVE_AGAIN}`);
	if (isUtf32(bytes)) {
		throw new UnreadableTable(`This text is in UTF-32, which few programs read. ${SAVE_AGAIN}`);
	}
	// Without the zeros and the byte order marks of UTF-16 and UTF-8.
	const text = bytes
		.toString('latin1')
		.replace(/\0|^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/g, '');
	const [, format] = NOT_CSV.find(([first]) => first.test(text.trimStart())) ?? [];
	if (format) {
		throw new UnreadableTable(
			`This is ${format}, not a CSV file. Export the contacts as CSV, and try that file.`,
		);
	}
	if (size > MOST_BYTES) {
		throw new UnreadableTable('The file has more than 256 MB. Split it into several files.');
	}
}

/**
 * Checks that a path names a file, which may hold a table.
 * @param {string} path
 * @throws {Error} which says what is wrong with it, and what to do
 */
export async function assertTableAt(path) {
	const refused = ({ code }) => {
		if (code === 'ENOENT' || code === 'ENOTDIR') throw new Error(`There is no file ${path}.`);
		throw new Error(`${path} cannot be read (${code}). Give the path of a CSV file.`);
	};
	const stats = await stat(path).catch(refused);
	if (stats.isDirectory()) throw new Error(`${path} is a folder. Give the path of a CSV file.`);
	const file = await open(path).catch(refused);
	// A pipe can be read only once.
	if (!stats.isFile()) return await file.close();
	try {
		const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
		assertTable(buffer.subarray(0, bytesRead), stats.size);
	} finally {
		await file.close();
	}
}
