/* eslint-disable @n8n/community-nodes/no-restricted-imports -- makes the streams that an HTTP client gives */
import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { MAX_ANSWER_BYTES, readBody } from '../../../nodes/ContactTaskCrm/http/send';

const streamOf = (...chunks: Array<string | Buffer>) =>
	Readable.from(chunks.map((chunk) => Buffer.from(chunk)));

describe('the body of an answer', () => {
	it.each([
		['{"id":"1"}', { id: '1' }],
		['\uFEFF{"id":"1"}', { id: '1' }],
		['', ''],
		['0', 0],
		['false', false],
		['null', null],
		['""', ''],
		['<html>', '<html>'],
		['{"id"', '{"id"'],
	])(
		'The body of an answer is parsed if it is JSON, and is text otherwise: %j',
		async (text, body) => {
			expect(await readBody(streamOf(text))).toEqual(body);
		},
	);

	it('The body of an answer is joined from pieces, wherever they are cut; any other value stays', async () => {
		const bytes = Buffer.from('{"name":"Zoë 👍"}');
		const pieces = [...bytes].map((byte) => Buffer.from([byte]));
		expect(await readBody(streamOf(...pieces))).toEqual({ name: 'Zoë 👍' });
		expect(await readBody({ id: '1' })).toEqual({ id: '1' });
	});

	it('The body of an answer is refused as soon as it is larger than any page of records, and read no further', async () => {
		let sent = 0;
		const endless = Readable.from(
			(function* () {
				for (;;) {
					sent += 1024 * 1024;
					yield Buffer.alloc(1024 * 1024, 'x');
				}
			})(),
		);
		await expect(readBody(endless)).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
		expect(sent).toBeLessThanOrEqual(MAX_ANSWER_BYTES + 4 * 1024 * 1024);
		expect(endless.destroyed).toBe(true);
	});

	it('The size of an answer counts after decompression', async () => {
		const bomb = Array.from({ length: 100 }, () => gzipSync(Buffer.alloc(1024 * 1024)));
		const body = streamOf(...bomb).pipe(createGunzip());
		await expect(readBody(body)).rejects.toMatchObject({ code: 'ANSWER_TOO_LARGE' });
	});

	it('The body of an answer may be nested 400 levels deep, and not 10,000', async () => {
		await expect(readBody(streamOf(nested(400)))).resolves.toHaveProperty('a');
		const tooDeep = readBody(streamOf(nested(10_000)));
		await expect(tooDeep).rejects.toMatchObject({ code: 'ANSWER_TOO_DEEP' });
	});
});

function nested(levels: number): string {
	return '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);
}
