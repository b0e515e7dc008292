/* eslint-disable @n8n/community-nodes/no-restricted-imports -- makes the streams that an HTTP client gives */
import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import { outcomeOf } from '../../../nodes/ContactTaskCrm/http/send';
import { itInCi } from '../../support/drawn';

const outcomeWith = async (body: unknown) =>
	await outcomeOf(async () => ({ statusCode: 200, body }));

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
	])('The node parses a JSON body, and keeps any other as text: %j', async (text, body) => {
		expect(await outcomeWith(streamOf(text))).toMatchObject({ kind: 'response', body });
	});

	it('The node joins a body from one-byte chunks, and keeps an already parsed body', async () => {
		const bytes = Buffer.from('{"name":"Zoë 👍"}');
		const pieces = [...bytes].map((byte) => Buffer.from([byte]));
		expect(await outcomeWith(streamOf(...pieces))).toMatchObject({ body: { name: 'Zoë 👍' } });
		expect(await outcomeWith({ id: '1' })).toMatchObject({ body: { id: '1' } });
	});

	itInCi(
		'The node refuses a compressed answer that exceeds 20 MB after decompression',
		async () => {
			const bomb = Array.from({ length: 100 }, () => gzipSync(Buffer.alloc(1024 * 1024)));
			const body = streamOf(...bomb).pipe(createGunzip());
			expect(await outcomeWith(body)).toMatchObject({ code: 'ANSWER_TOO_LARGE' });
		},
	);
});
