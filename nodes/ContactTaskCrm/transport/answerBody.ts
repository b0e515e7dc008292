/** A larger answer is none of 30 records, and reading it would take the memory of other workflows. */
export const MAX_ANSWER_BYTES = 20 * 1024 * 1024;

/** Deeper than any record; n8n copies items level by level and would overflow its stack. */
const MAX_DEPTH = 500;

/** An answer that came and cannot be taken, whatever it says. */
class UnusableAnswer extends Error {
	constructor(
		readonly code: 'ANSWER_TOO_LARGE' | 'ANSWER_TOO_DEEP',
		message: string,
	) {
		super(message);
	}
}

/**
 * The body of an answer: parsed where it is JSON, else the text. The host's HTTP client knows no
 * upper limit, so it is asked for a stream, which is read here.
 *
 * @param body a stream of bytes; anything else is given back as it is
 * @throws UnusableAnswer for more than MAX_ANSWER_BYTES, counted after decompression
 */
export async function readBody(body: unknown): Promise<unknown> {
	if (!isStream(body)) return body;
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) {
			const megabytes = MAX_ANSWER_BYTES / 1024 / 1024;
			throw new UnusableAnswer('ANSWER_TOO_LARGE', `the answer is larger than ${megabytes} MB`);
		}
		chunks.push(chunk);
	}
	const text = Buffer.concat(chunks)
		.toString('utf8')
		.replace(/^\uFEFF/, '');
	const parsed = parsedOrText(text);
	if (isTooDeep(parsed)) {
		throw new UnusableAnswer(
			'ANSWER_TOO_DEEP',
			`the answer is nested over ${MAX_DEPTH} levels deep`,
		);
	}
	return parsed;
}

/** Whether an answer is a page of HTML, which comes from a proxy or a sign-in and not from the service. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*</.test(body);
}

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
	return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

function parsedOrText(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

/** Level by level, since a function that calls itself would overflow the stack as well. */
function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MAX_DEPTH) return true;
		level = level.flatMap((entry) =>
			typeof entry === 'object' && entry !== null ? Object.values(entry) : [],
		);
	}
	return false;
}
