/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads the document that people read */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');

/** Messages in the table of docs/errors.md, with "…" for values. */
const messages = [
	...(
		/## By the message that you see\n([^]*)/.exec(
			readFileSync(path.join(root, 'docs/errors.md'), 'utf8'),
		)?.[1] ?? ''
	).matchAll(/^\| `([^`]+)`/gm),
].map(([, message]) => message);

/** Texts in the code, with "…" for values. */
const texts = readdirSync(path.join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.flatMap((file) => [
		...readFileSync(path.join(root, 'nodes', file), 'utf8').matchAll(
			/'((?:[^'\\\n]|\\.)*)'|`((?:\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`])+)`/g,
		),
	])
	.map(([, plain, template = '']) =>
		(plain ?? template)
			.replace(/\$\{quoted\([^{}]*\)\}/g, '"…"')
			.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…'),
	);

const asPattern = (message: string) =>
	new RegExp(
		message
			.split('…')
			.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
			.join('[^]*'),
	);

describe('the messages that docs/errors.md explains', () => {
	it('docs/errors.md explains more than 15 messages', () => {
		expect(messages.length).toBeGreaterThan(15);
	});

	it.each(messages)(
		'The source code contains the message that docs/errors.md explains: %s',
		(message) => {
			expect(texts.some((text) => asPattern(message).test(text))).toBe(true);
		},
	);
});
