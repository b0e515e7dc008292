/** Failures while connecting: the request provably never left this machine. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);

/** Failures of the handshake or of the request itself, which would come again: nothing left, either. */
const UNSENDABLE =
	/CERT|_TLS_|_SSL_|^EPROTO$|^ERR_INVALID_|^ERR_UNESCAPED_|^ERR_BAD_OPTION|^HOSTNAME_MISMATCH$|^UNABLE_TO_/;

/** Answers that came and were broken: by the HTTP parser, by decompression, by their size. */
const BROKEN = /^(HPE_|Z_|ANSWER_TOO_|ERR_HTTP_)/;

/** What of a failure a person can make use of. */
const CAUSES: Record<string, string> = {
	ECONNREFUSED: 'the connection was refused',
	ENOTFOUND: 'no such host',
	EAI_AGAIN: 'the host name could not be looked up',
	ECONNRESET: 'the connection was closed before the answer was complete',
	EPIPE: 'the connection was closed before the answer was complete',
	ECONNABORTED: 'the answer took too long',
	ETIMEDOUT: 'the answer took too long',
	EHOSTUNREACH: 'there is no way to the host',
	ENETUNREACH: 'there is no way to the host',
	EPROTO: 'the other side does not speak HTTPS',
	ERR_BAD_RESPONSE: 'the answer broke off',
	ERR_STREAM_PREMATURE_CLOSE: 'the answer broke off',
	HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
	HPE_INVALID_CHUNK_SIZE: 'the answer is cut into pieces in a wrong way',
	Z_BUF_ERROR: 'the compressed answer broke off',
	Z_DATA_ERROR: 'the answer is compressed in a wrong way',
	CERT_HAS_EXPIRED: 'its certificate has expired',
	CERT_NOT_YET_VALID: 'its certificate is not valid yet',
	ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** The same for all failures of a kind. */
const KINDS: Array<[RegExp, cause: string]> = [
	[/^HPE_/, 'the answer is not one of HTTP'],
	[/^ERR_SSL_|^ERR_TLS_/, 'the other side does not speak HTTPS as this n8n does'],
	[/CERT|^UNABLE_TO_/, 'this n8n does not trust its certificate'],
];

/** What to do about a failure, by its code; the first that fits. */
const ADVICE: Array<[RegExp, advice: string]> = [
	[/^ENOTFOUND$/, 'Check the Base URL for a slip of the pen'],
	[/^EAI_AGAIN$|UNREACH$/, 'Check the Base URL, and whether this n8n has a network'],
	[
		/^ECONNREFUSED$/,
		'Check the Base URL and its port; the service may be down, or closed to this n8n',
	],
	[
		/^EPROTO$|^ERR_SSL_|^HPE_/,
		'Check the Base URL and its port: it may be one for something other than HTTPS',
	],
	[
		/CERT|^UNABLE_TO_|^ERR_TLS_/,
		'Check the Base URL; if it is right, ask whoever runs the service or this n8n for a certificate that is trusted',
	],
	[/^ECONNABORTED$|^ETIMEDOUT$/, 'Check the Base URL, or try again later'],
];

const OTHER_ADVICE =
	'Try again later; if it stays so, a proxy or firewall on the way may be the reason';

/** Whether a request that failed this way never reached the service, and may do so on another try. */
export function neverSent(code: string): boolean {
	return NEVER_SENT.has(code);
}

/**
 * Whether a request that failed this way may have taken effect all the same: whatever is not known to
 * have failed before it left. A host that cannot be reached counts as well, since a route may be lost
 * after the request has left.
 *
 * @param code of the failure, empty where n8n itself said no
 */
export function maybeSent(code: string): boolean {
	return !isOfN8n(code) && !neverSent(code) && !UNSENDABLE.test(code);
}

/** Whether an answer came that was broken. */
export function isBrokenAnswer(code: string): boolean {
	return BROKEN.test(code);
}

/** Whether an answer came that is not taken: it would come again. */
export function isRefusedAnswer(code: string): boolean {
	return /^(ANSWER_TOO_|HPE_HEADER_OVERFLOW$)/.test(code);
}

/**
 * Whether a request failed before anything of it went to the network, and n8n itself said no: its type of
 * credential is gone, or the address is one that n8n may not use.
 *
 * @param code of the failure; those of the network all have one
 */
export function isOfN8n(code: string): boolean {
	return code === '';
}

/** What n8n itself says of a request that it did not send, and what to do about it. */
export function explainUnsent(words: string): { message: string; advice: string } {
	return {
		message: `n8n did not send the request: ${words}`,
		advice: /^Unrecognized (credential|node) type/.test(words)
			? 'The package of this node was uninstalled while it ran. Install it under Settings > Community Nodes, and run this item again'
			: 'Nothing was sent to the service. Ask whoever runs this n8n, whose log may say more',
	};
}

/** A failure in words, with its code. */
export function causeText({ code, message }: { code: string; message: string }): string {
	if (isOfN8n(code)) return message;
	const kind = KINDS.find(([codes]) => codes.test(code))?.[1];
	return `${CAUSES[code] ?? kind ?? message} (${code})`;
}

/** What to do about a failure. */
export function networkAdvice(code: string): string {
	return ADVICE.find(([codes]) => codes.test(code))?.[1] ?? OTHER_ADVICE;
}
