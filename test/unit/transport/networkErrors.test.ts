import { causeText, networkAdvice } from '../../../nodes/ContactTaskCrm/transport/networkErrors';

/** Codes of Node.js, of its parser of HTTP and of OpenSSL, as requests were seen to end with. */
const CODES = [
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'EAI_AGAIN',
	'ECONNABORTED',
	'ECONNREFUSED',
	'ECONNRESET',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'ENOTFOUND',
	'EPIPE',
	'EPROTO',
	'ERR_SSL_WRONG_VERSION_NUMBER',
	'ERR_TLS_CERT_ALTNAME_INVALID',
	'ETIMEDOUT',
	'HPE_INVALID_CONSTANT',
	'SELF_SIGNED_CERT_IN_CHAIN',
	'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

describe('a request that got no answer', () => {
	it.each(CODES)('is explained in words, with what to do, after %s', (code) => {
		const cause = causeText({ code, message: 'write EPROTO 00A8:error:0A00010B:SSL routines' });
		expect(cause).toMatch(new RegExp(`^[a-z][A-Za-z0-9 ]{10,} \\(${code}\\)$`));
		expect(cause).not.toContain('routines');
		expect(networkAdvice(code)).toMatch(/^(Check the Base URL|Try again later)/);
	});

	it('is explained by its own message where the code is unknown', () => {
		expect(causeText({ code: 'ENEW', message: 'something new' })).toBe('something new (ENEW)');
		expect(networkAdvice('ENEW')).toMatch(/^Try again later/);
	});
});
