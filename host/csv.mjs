// Reads CSV files of other programs. The error about an unreadable file says what to do with it.
import { CsvError, parse } from 'csv-parse/sync';
import iconv from 'iconv-lite';
import { printable } from './printable.mjs';
import { assertTable, EMPTY, SAVE_AGAIN, UnreadableTable } from './csvFile.mjs';

const DELIMITERS = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' };
const BOMS = [
	['utf-8', [0xef, 0xbb, 0xbf]],
	['utf-16le', [0xff, 0xfe]],
	['utf-16be', [0xfe, 0xff]],
];
const ENCODING_NAMES = {
	'utf-8': 'UTF-8',
	'utf-16le': 'UTF-16',
	'utf-16be': 'UTF-16',
	'windows-1252': 'Windows-1252',
};
const FIRST_LINES = 10;
const HEADER_HELP =
	'The first line has to name the columns, such as: First name,Last name,Email,Phone. Add that line and try again.';

/** @returns {keyof typeof ENCODING_NAMES | undefined} */
function encodingOf(bytes) {
	const marked = BOMS.find(([, bom]) => bom.every((byte, index) => bytes[index] === byte));
	if (marked) return marked[0];
	const start = bytes.subarray(0, 4096);
	// Western text in UTF-16 has a zero in every second byte, and no other text file has any.
	const zeros = [0, 1].map((odd) => start.filter((byte, i) => byte === 0 && i % 2 === odd).length);
	if (zeros[0] + zeros[1] > 0) {
		const [little, big] = [zeros[1] > start.length / 4, zeros[0] > start.length / 4];
		if (little === big) return undefined;
		return little ? 'utf-16le' : 'utf-16be';
	}
	try {
		new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return 'utf-8';
	} catch {
		return 'windows-1252';
	}
}

/** Returns the text of a file and the name of its encoding. */
function decoded(bytes) {
	assertTable(bytes, bytes.length);
	const encoding = encodingOf(bytes);
	if (!encoding) throw new UnreadableTable(`This is not a text file. ${SAVE_AGAIN}`);
	// The decoder of Node 20 reads Windows-1252 as Latin-1, without the euro sign.
	return { text: iconv.decode(bytes, encoding), encoding: ENCODING_NAMES[encoding] };
}

/** Returns the delimiter that stands most often in a line, outside of quotation marks; undefined if none does. */
function delimiterIn(line) {
	const bare = line.replace(/"[^"]*"/g, '');
	const counted = Object.keys(DELIMITERS).map((sign) => [bare.split(sign).length, sign]);
	const most = Math.max(...counted.map(([count]) => count));
	return most > 1 ? counted.find(([count]) => count === most)[1] : undefined;
}

/** Returns the delimiter of the first line that has one, because a title may stand above the names of the columns. */
function delimiterOf(text) {
	const lines = text.trimStart().split(/\r\n|\r|\n/, FIRST_LINES);
	return lines.map(delimiterIn).find(Boolean) ?? ',';
}

/** Returns the line of the opening quote of a value that never closes, or that has text after its closing quote. */
function openingLineOf(text, delimiter) {
	const ends = [delimiter, '\n', '\r', undefined];
	let [line, opened, isAtStart] = [1, undefined, true];
	for (let index = 0; index < text.length; index++) {
		const [sign, next] = [text[index], text[index + 1]];
		if (sign === '"' && opened === undefined && isAtStart) opened = line;
		else if (sign === '"' && opened !== undefined) {
			if (next === '"') index++;
			else if (ends.includes(next)) opened = undefined;
			else return opened;
		}
		isAtStart = opened === undefined && ends.includes(sign);
		if (sign === '\n' || (sign === '\r' && next !== '\n')) line++;
	}
	return opened;
}

/** Says which quotation mark the parser refused, and on which line of the file. */
function problemOfQuotes({ code, lines }, text, delimiter, linesBefore) {
	const opened = openingLineOf(text, delimiter);
	const [first, last] = [opened + linesBefore, lines + linesBefore];
	if (code === 'CSV_QUOTE_NOT_CLOSED') {
		return `A quotation mark opens on line ${first} and never closes`;
	}
	if (code === 'CSV_INVALID_CLOSING_QUOTE' && opened < lines) {
		return `A quotation mark opens on line ${first} and closes in the middle of line ${last}`;
	}
	return `Line ${last} has a quotation mark in the middle of a value`;
}

function recordsOf(text, delimiter, linesBefore) {
	const options = { delimiter, bom: true, info: true, relax_column_count: true };
	try {
		return parse(text, { ...options, skip_records_with_empty_values: true });
	} catch (error) {
		if (!(error instanceof CsvError)) throw error;
		throw new UnreadableTable(
			`${problemOfQuotes(error, text, delimiter, linesBefore)}. Put the whole value in quotation marks and double those inside it ("12"" pipe"), or export the file again.`,
		);
	}
}

/** E-mail addresses and phone numbers are values, and name no column. */
const isValue = (cell) =>
	/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell) || /^[+(\d][\d\s().-]{6,}$/.test(cell);

/** Refuses a table in which each line is one value with the separators in it. */
function assertSeparated({ record: [head = '', ...others] }, text) {
	const signs = Object.keys(DELIMITERS);
	const isWhole = others.length === 0 && text.trimStart().startsWith('"');
	if (!isWhole || !signs.some((sign) => head.includes(sign))) return;
	throw new UnreadableTable(
		'Each line stands in quotation marks as a whole. Remove the quotation marks at the start and end of the lines, or export the file again.',
	);
}

/**
 * Returns the names of the columns, and refuses a first line that holds values. Of two unused columns with one name, the
 * second gets a number.
 */
function columnsOf(cells, isUsed) {
	const names = cells.map((cell, index) => printable(cell).trim() || `Column ${index + 1}`);
	const value = names.find(isValue);
	if (value) throw new UnreadableTable(`The first line holds values ("${value}"). ${HEADER_HELP}`);
	const twice = names.find((name, index) => names.indexOf(name) < index && isUsed(name));
	if (twice) {
		throw new UnreadableTable(
			`Two columns are called "${twice}". Rename one of them and try again.`,
		);
	}
	const counts = {};
	return names.map((name) => {
		counts[name] = (counts[name] ?? 0) + 1;
		return counts[name] > 1 ? `${name} (${counts[name]})` : name;
	});
}

/** Returns whether a title stands above the names of the columns. Most rows then have more values than it. */
function isTitle(head, records) {
	const isFilled = (cell) => cell.trim() !== '';
	const isWider = ({ record }) => record.slice(head.length).some(isFilled);
	if (records.filter(isWider).length <= records.length / 2) return false;
	if (head.filter(isFilled).length === 1) return true;
	// A comma in values without quotation marks also makes rows wider than the names above them.
	const [next] = records;
	return isWider(next) && !next.record.some((cell) => isValue(cell.trim()));
}

/** Counts the line breaks inside the values of a record. */
const newLinesIn = (record) =>
	record.reduce((sum, cell) => sum + cell.split(/\r\n|\r|\n/).length - 1, 0);

/**
 * A table as a file holds it.
 * @typedef {object} Table
 * @property {string[]} columns
 * @property {Record<string, string>[]} rows
 * @property {number[]} lines the line of the file on which each row begins
 * @property {{ line: number, reason: string }[]} refused rows with more values than there are columns
 * @property {string} encoding
 * @property {string} delimiter the sign between values, by its name
 */

/**
 * Reads a table.
 * @param {Buffer} bytes
 * @param {{ isUsed?: (name: string) => boolean }} [options] `isUsed`: whether a column may be used, and so has to have a
 *   name of its own
 * @returns {Table}
 * @throws {UnreadableTable}
 */
export function readTable(bytes, { isUsed = () => true } = {}) {
	const { text: whole, encoding } = decoded(bytes);
	// Excel names the delimiter on a line of its own.
	const [mark = '', named] = /^sep=([,;|\t])\r?\n/.exec(whole) ?? [];
	const text = whole.slice(mark.length);
	if (text.trim() === '') throw new UnreadableTable(EMPTY);
	const delimiter = named ?? delimiterOf(text);
	const linesBefore = named ? 1 : 0;
	const [head, ...records] = recordsOf(text, delimiter, linesBefore);
	if (!head) throw new UnreadableTable(`The file holds no values. ${HEADER_HELP}`);
	assertSeparated(head, text);
	if (isTitle(head.record, records)) {
		throw new UnreadableTable(
			'The first line is not the names of the columns. Delete the lines above them.',
		);
	}
	const columns = columnsOf(head.record, isUsed);
	const table = { columns, rows: [], lines: [], refused: [], encoding };
	for (const { record, info } of records) {
		const line = linesBefore + info.lines - newLinesIn(record);
		if (record.slice(columns.length).some((cell) => cell.trim() !== '')) {
			const reason = `${record.length} values for ${columns.length} ${columns.length === 1 ? 'column' : 'columns'}: put values with ${DELIMITERS[delimiter]} in quotation marks`;
			table.refused.push({ line, reason });
			continue;
		}
		table.rows.push(Object.fromEntries(columns.map((name, index) => [name, record[index] ?? ''])));
		table.lines.push(line);
	}
	if (records.length === 0) {
		throw new UnreadableTable(
			'The file names columns and has no rows. Export it again, with its rows.',
		);
	}
	return { ...table, delimiter: DELIMITERS[delimiter] };
}
