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
	ECONNABORTED: 'the answer took too long',
	ETIMEDOUT: 'the answer took too long',
	ERR_BAD_RESPONSE: 'the answer broke off',
	ERR_STREAM_PREMATURE_CLOSE: 'the answer broke off',
	HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
	HPE_INVALID_CHUNK_SIZE: 'the answer is cut into pieces in a wrong way',
	Z_BUF_ERROR: 'the compressed answer broke off',
	Z_DATA_ERROR: 'the answer is compressed in a wrong way',
};

/** Whether a request that failed this way never reached the service, and may do so on another try. */
export function neverSent(code: string): boolean {
	return NEVER_SENT.has(code);
}

/**
 * Whether a request that failed this way may have taken effect all the same: whatever is not known to
 * have failed before it left. A host that cannot be reached counts as well, since a route may be lost
 * after the request has left.
 *
 * @param code of the failure, empty where none is known: such a failure is of this machine
 */
export function maybeSent(code: string): boolean {
	return code !== '' && !neverSent(code) && !UNSENDABLE.test(code);
}

/** Whether an answer came that was broken. */
export function isBrokenAnswer(code: string): boolean {
	return BROKEN.test(code);
}

/** Whether an answer came that is not taken: it would come again. */
export function isRefusedAnswer(code: string): boolean {
	return /^(ANSWER_TOO_|HPE_HEADER_OVERFLOW$)/.test(code);
}

/** A failure in words, with its code. */
export function causeText({ code, message }: { code: string; message: string }): string {
	return code === '' ? message : `${CAUSES[code] ?? message} (${code})`;
}
