// Tests the reading of CSV files from any program: run with `npm run test:host`.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { readTable } from './csv.mjs';
import { contactsFile } from './examples.mjs';

const TEXT = 'Naam,E-mail\nZoë,zoe@x.example\n"Müller, Jürgen",j@x.example\n';
const ROWS = [
	{ Naam: 'Zoë', 'E-mail': 'zoe@x.example' },
	{ Naam: 'Müller, Jürgen', 'E-mail': 'j@x.example' },
];
const utf16 = (text) => Buffer.from(text, 'utf16le');
const utf32 = (text) => Buffer.concat([...text].map((sign) => Buffer.from([...utf16(sign), 0, 0])));
const bigEndian = (text) => Buffer.from(utf16(text)).swap16();

describe('the reader of CSV files', () => {
	for (const [how, bytes, encoding] of [
		['in UTF-8', Buffer.from(TEXT), 'UTF-8'],
		['in UTF-8 with a byte order mark', Buffer.from(`\uFEFF${TEXT}`), 'UTF-8'],
		['in UTF-16', utf16(`\uFEFF${TEXT}`), 'UTF-16'],
		['in UTF-16 without a byte order mark', utf16(TEXT), 'UTF-16'],
		['in big-endian UTF-16', bigEndian(`\uFEFF${TEXT}`), 'UTF-16'],
		['in big-endian UTF-16 without a byte order mark', bigEndian(TEXT), 'UTF-16'],
		['in Windows-1252', Buffer.from(TEXT, 'latin1'), 'Windows-1252'],
	]) {
		test(`The reader accepts a CSV file ${how}`, () => {
			const table = readTable(bytes);
			assert.deepEqual(table.rows, ROWS);
			assert.deepEqual(table.columns, ['Naam', 'E-mail']);
			assert.equal(table.encoding, encoding);
		});
	}

	test('The reader keeps the euro sign and quotation marks of a Windows-1252 file', () => {
		const bytes = Buffer.from([...Buffer.from('Note\n'), 0x80, 0x93, 0x94]);
		assert.deepEqual(readTable(bytes).rows, [{ Note: '€“”' }]);
	});

	for (const [name, sign] of [
		['semicolons', ';'],
		['tabs', '\t'],
		['vertical bars', '|'],
	]) {
		test(`The reader accepts a CSV file with ${name} between values`, () => {
			const text = `Name${sign}"A, B"${sign}C\nx, y${sign}1,5${sign}z, z\n`;
			const table = readTable(Buffer.from(text));
			assert.deepEqual(table.rows, [{ Name: 'x, y', 'A, B': '1,5', C: 'z, z' }]);
			assert.equal(table.delimiter, name);
		});
	}

	test('The reader accepts the line by which Excel names the delimiter of a file', () => {
		const table = readTable(Buffer.from('sep=;\r\nName;City\r\nx;y\r\n'));
		assert.deepEqual(table.rows, [{ Name: 'x', City: 'y' }]);
		assert.deepEqual(table.lines, [3]);
	});

	test('The reader accepts a CSV file with line ends of old Macs', () => {
		assert.deepEqual(readTable(Buffer.from('Name,City\rx,y\r')).rows, [{ Name: 'x', City: 'y' }]);
	});

	test('The reader accepts empty lines, short rows, and values on several lines', () => {
		const table = readTable(Buffer.from('Name,City\n\n"x\ny",z\n,\n \nlast\n'));
		assert.deepEqual(table.rows, [
			{ Name: 'x\ny', City: 'z' },
			{ Name: 'last', City: '' },
		]);
		assert.deepEqual(table.lines, [3, 7]);
	});

	test('The reader keeps brackets around the column names of a CSV file', () => {
		const { columns } = readTable(Buffer.from('[Name],{City}\nx,y\n'));
		assert.deepEqual(columns, ['[Name]', '{City}']);
	});

	test('The reader finds column names even if each row has an unquoted comma', () => {
		const { columns, refused } = readTable(Buffer.from('Name,Email\nVos, Eva,e@x.example\n'));
		assert.deepEqual(columns, ['Name', 'Email']);
		assert.equal(refused.length, 1);
	});

	test('The reader drops control characters from the column names of a CSV file', () => {
		const { columns, rows } = readTable(Buffer.from('\u001b[31mName\u0007,"A\nB"\nx,y\n'));
		assert.deepEqual(columns, ['Name', 'A B']);
		assert.deepEqual(rows, [{ Name: 'x', 'A B': 'y' }]);
	});

	test('The reader calls the second column "Column 2" if it has no name', () => {
		assert.deepEqual(readTable(Buffer.from('Name,\nx,y\n')).columns, ['Name', 'Column 2']);
	});

	test('The reader leaves out and names rows with more values than columns', () => {
		const { rows, refused } = readTable(Buffer.from('Name,City\nx,y\nA, Inc.,z,\nB, Inc.,z,q\n'));
		assert.deepEqual(rows.length, 1);
		assert.deepEqual(
			refused.map(({ line }) => line),
			[3, 4],
		);
		assert.match(refused[0].reason, /^4 values for 2 columns: .*commas in quotation marks/);
	});

	test('The reader reads all of a CSV file with 100,000 rows', () => {
		const lines = Array.from({ length: 100_000 }, (_, index) => `n${index},p${index}@x.example`);
		const { rows } = readTable(Buffer.from(['Name,Email', ...lines].join('\r\n')));
		assert.equal(rows.length, 100_000);
		assert.deepEqual(rows.at(-1), { Name: 'n99999', Email: 'p99999@x.example' });
	});

	test('The reader reads all 55 rows of the CSV file of the examples', async () => {
		const { rows, refused } = readTable(await readFile(contactsFile));
		assert.equal(rows.length, 55);
		assert.deepEqual(refused, []);
	});
});

describe('a CSV file that the reader refuses', () => {
	const zip = Buffer.from('PK\u0003\u0004rest');
	for (const [what, bytes, message] of [
		['that is empty', Buffer.alloc(0), /is empty\. Export it again/],
		['of white space', Buffer.from('\uFEFF \r\n\n'), /is empty\. Export it again/],
		['of delimiters alone', Buffer.from(',,\n,,\n'), /holds no values.*First name,Last name/],
		['without rows', Buffer.from('Name,Email\n'), /no rows\. Export it again/],
		[
			'that begins with an e-mail address',
			Buffer.from('Eva,eva@x.example\nJan,jan@x.example\n'),
			/first line holds values \("eva@x\.example"\)\. .*has to name the columns.*Add that line/,
		],
		[
			'that begins with a phone number',
			Buffer.from('Eva;+31 6 12345678\n'),
			/first line holds values \("\+31 6 12345678"\)/,
		],
		[
			'with two columns of one name',
			Buffer.from('Name,Email,Name\nx,y,z\n'),
			/Two columns are called "Name"/,
		],
		[
			'with an open quotation mark',
			Buffer.from(`A,B\n"x,y\n${'1,2\n'.repeat(100)}`),
			/ opens on line 2 and never closes\./,
		],
		[
			'with an open quotation mark below values on several lines',
			Buffer.from('sep=,\r\nA,B\r\n"1\r\n2",""\r\n"x, ""y"" z\r\n1,2\r\n'),
			/ opens on line 5 and never closes\./,
		],
		[
			'with an open quotation mark above a quoted value',
			Buffer.from('A,B\n"x,y\n1,2\n3,"z"\n'),
			/ opens on line 2 and closes in the middle of line 4\./,
		],
		[
			'with a quotation mark inside a value',
			Buffer.from('A,B\n"x"y,z\n'),
			/Line 2 has a quotation mark/,
		],
		[
			'with a title above the names',
			Buffer.from('Contacts of May\n\nName,Email\nEva,e@x.example\nJan,j@x.example\n'),
			/first line is not the names of the columns\. Delete the lines above them\./,
		],
		[
			'with a title above names with semicolons',
			Buffer.from('Contacts of May\nName;Email\nEva;e@x.example\n'),
			/first line is not the names of the columns/,
		],
		[
			'with a title that has a comma above the names',
			Buffer.from('Contacts, May\nName,Email,City\nEva,e@x.example,Y\n'),
			/first line is not the names of the columns/,
		],
		['that is a workbook', zip, /Excel workbook.*save it as "CSV UTF-8"/],
		['in UTF-32', utf32(`\uFEFF${TEXT}`), /is in UTF-32.*save it as "CSV UTF-8"/],
		['in UTF-32 without a byte order mark', utf32(TEXT), /is in UTF-32/],
		['in big-endian UTF-32', utf32(TEXT).swap32(), /is in UTF-32/],
		['of an object in JSON', Buffer.from('\uFEFF {"a": 1}'), /This is JSON, not a CSV.*as CSV/],
		['of a list in JSON', utf16('\uFEFF[\n {"a": 1}]'), /This is JSON, not a CSV file/],
		['of a web page', Buffer.from('\n<!DOCTYPE html><html>'), /This is HTML, not a CSV file/],
		['in XML', Buffer.from('<?xml version="1.0"?><a/>'), /This is XML, not a CSV file/],
		['that is a picture', Buffer.from([0x89, 0, 1, 2, 0, 0, 7, 9]), /not a text file.*CSV UTF-8/],
	]) {
		test(`The reader refuses a CSV file ${what}, and says what to do`, () =>
			assert.throws(() => readTable(bytes), message));
	}
});
