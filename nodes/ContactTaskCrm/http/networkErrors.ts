/** Codes of a failed handshake or an unusable request. The node sent nothing, and a retry would fail as well. */
const UNSENDABLE =
	/CERT|_TLS_|_SSL_|^EPROTO$|^ERR_INVALID_|^ERR_UNESCAPED_|^ERR_BAD_OPTION|^HOSTNAME_MISMATCH$|^UNABLE_TO_/;

/** Network errors in words, with advice. The first entry that matches the error code counts. */
const FAILURES: Array<[codes: RegExp, cause: string, advice?: string]> = [
	[
		/^ECONNREFUSED$/,
		'the connection was refused',
		'Check the Base URL and its port; the service may be down, or closed to this n8n',
	],
	[
		/^(ENOTFOUND|EAI_AGAIN)$|UNREACH$/,
		'the host cannot be found or reached',
		'Check the Base URL for a typo, and whether this n8n has a network',
	],
	[
		/^(ECONNABORTED|ETIMEDOUT)$/,
		'the answer took too long',
		'Try again later, or check the Base URL',
	],
	[
		/^(ECONNRESET|EPIPE|ERR_BAD_RESPONSE|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR)$/,
		'the connection was closed before the answer was complete',
	],
	[/^Z_/, 'the answer is compressed in a wrong way'],
	[
		/CERT|^UNABLE_TO_/,
		'this n8n does not trust its certificate',
		'Check the Base URL; if it is right, ask the administrator of the service or of this n8n for a certificate that is trusted',
	],
	[
		/^EPROTO$|^ERR_(SSL|TLS)_|^HPE_/,
		'the other side does not speak HTTPS as this n8n does',
		'Check the Base URL and its port: it may be one for something other than HTTPS',
	],
];

/** Returns whether the request never left this machine. A retry may then reach the service. */
export function neverSent(code: string): boolean {
	return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code);
}

/**
 * Returns whether the request may have reached the service. The codes for an unreachable host count, too, because the
 * route may break after the request has left.
 */
export function maybeSent(code: string): boolean {
	return !isOfN8n(code) && !neverSent(code) && !UNSENDABLE.test(code);
}

/** Returns whether an answer came, but is invalid HTTP, cannot be decompressed, or exceeds a limit of the node. */
export function isBrokenAnswer(code: string): boolean {
	return /^(HPE_|Z_|ANSWER_TOO_LARGE$|ERR_HTTP_)/.test(code);
}

/** Returns whether an answer exceeds a size limit. A retry would bring the same answer. */
export function isRefusedAnswer(code: string): boolean {
	return /^(ANSWER_TOO_LARGE$|HPE_HEADER_OVERFLOW$)/.test(code);
}

/** Returns whether n8n failed before it sent the request. Only such a failure has an empty code. */
export function isOfN8n(code: string): boolean {
	return code === '';
}

/** Describes a failure of a request that n8n has sent or tried to send: in words, with its code. */
export function causeText({ code, message }: { code: string; message: string }): string {
	return `${failureOf(code)?.[1] ?? message} (${code})`;
}

export function networkAdvice(code: string): string {
	const orElse =
		'Try again later; if it stays so, a proxy or firewall on the way may be the reason';
	return failureOf(code)?.[2] ?? orElse;
}

function failureOf(code: string) {
	return FAILURES.find(([codes]) => codes.test(code));
}
