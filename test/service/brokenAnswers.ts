/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a test server that never runs inside n8n */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { BrokenForm } from './switches';
import type { Answer } from './wire';

const MEGABYTE = 1024 * 1024;
const HUGE_MEGABYTES = 100;
const DRIP_MS = 1_000;

/** Writes a piece repeatedly, at the reader's pace, until all are written or the reader is gone. */
function pour(target: NodeJS.WritableStream, piece: Buffer, times: number, end: () => void): void {
	let left = times;
	const more = () => {
		while (left-- > 0) {
			if (!target.write(piece)) {
				target.once('drain', more);
				return;
			}
		}
		end();
	};
	more();
}

function drip(response: ServerResponse, body: string): void {
	let at = 0;
	const timer = setInterval(() => response.write(body[at++ % body.length]), DRIP_MS);
	response.once('close', () => clearInterval(timer));
}

/** Sends a broken answer. For some forms, writes to the socket, past Node's HTTP server. */
export function sendBroken(
	response: ServerResponse,
	{ status, headers, body = '{}' }: Answer,
	how: BrokenForm,
): void {
	const { socket } = response;
	response.on('error', () => undefined);
	const head = (more: Record<string, string | number> = {}) =>
		response.writeHead(status, { ...headers, ...more });
	switch (how) {
		case 'dripping':
			head();
			drip(response, body);
			break;
		case 'switching-protocols':
			socket?.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
			break;
		case 'huge':
			head();
			response.write('"');
			pour(response, Buffer.alloc(MEGABYTE, 'x'), HUGE_MEGABYTES, () => response.end('"'));
			break;
		case 'huge-headers':
			socket?.end(`HTTP/1.1 ${status} OK\r\nX-Much: ${'x'.repeat(2 * MEGABYTE)}\r\n\r\n`);
			break;
		case 'wrong-length':
			head({ 'content-length': Buffer.byteLength(body) + 10 });
			response.write(body, () => response.destroy());
			break;
		case 'bad-chunk':
			socket?.end(
				`HTTP/1.1 ${status} OK\r\nContent-Type: application/ld+json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
			);
			break;
		case 'gzip-bomb':
			head({ 'content-encoding': 'gzip' });
			// A compressed stream may consist of several parts.
			pour(response, gzipSync(Buffer.alloc(MEGABYTE)), HUGE_MEGABYTES, () => response.end());
			break;
		case 'bad-gzip':
			head({ 'content-encoding': 'gzip' });
			response.end(gzipSync(body).fill(0, 12));
			break;
	}
}
