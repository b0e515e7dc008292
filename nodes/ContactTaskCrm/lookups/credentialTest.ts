import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { ExplainedError } from '../common/errors';
import { API_KEY_HEADER } from '../transport/apiKey';
import { systemClock } from '../transport/clock';
import type { Outcome } from '../transport/http';
import { withoutKey } from '../transport/redaction';
import { RateLimited } from '../transport/requestErrors';
import { outcomeOf } from '../transport/send';
import type { Tenant } from '../transport/tenants';
import { tenantWith } from '../transport/tenants';
import { verdictOn } from './credentialVerdict';

/** Somebody sits before the form and waits. */
const LONGEST_TEST_MS = 15_000;

const TESTED_PATH = '/segments?itemsPerPage=1';

const queueKey = {};

/**
 * Tests a credential as its form is saved: the address has to answer with a list of the CRM. The request
 * takes its place in the budget of the tenant like any other. n8n gives no more than this context here,
 * and shows the message alone.
 */
async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const tenant = tenantWith(data);
		const verdict = verdictOn(await answerOf(this, tenant), tenant.baseUrl);
		return verdict === undefined
			? { status: 'OK', message: 'Connection successful!' }
			: { status: 'Error', message: withoutKey(verdict, tenant.apiKey) };
	} catch (error) {
		return { status: 'Error', message: reasonOf(error) };
	}
}

function reasonOf(error: unknown): string {
	if (error instanceof RateLimited) {
		const seconds = Math.max(1, Math.ceil(error.waitMs / 1000));
		return `The requests of this minute are used up, so the key could not be tested. Try again in ${seconds} seconds`;
	}
	return error instanceof ExplainedError ? error.text : String(error);
}

async function answerOf(context: ICredentialTestFunctions, tenant: Tenant): Promise<Outcome> {
	return await tenant.limiter.submit({
		queueKey,
		item: 0,
		urgent: true,
		waitLimits: { slotMs: LONGEST_TEST_MS, throttledMs: LONGEST_TEST_MS },
		limit: tenant.limit,
		send: async () => await sendTest(context, tenant),
	});
}

/** Sends the request once; never rejects. One deadline lies over all of it, the body too. */
async function sendTest(
	context: ICredentialTestFunctions,
	{ baseUrl, apiKey }: Tenant,
): Promise<Outcome> {
	const answered = new AbortController();
	const deadline = systemClock.sleep(LONGEST_TEST_MS, answered.signal).then(
		(): Outcome => ({
			kind: 'networkError',
			code: 'ETIMEDOUT',
			message: 'the answer took too long',
		}),
	);
	try {
		return await Promise.race([requestList(context, baseUrl + TESTED_PATH, apiKey), deadline]);
	} finally {
		answered.abort();
	}
}

async function requestList(
	context: ICredentialTestFunctions,
	uri: string,
	apiKey: string,
): Promise<Outcome> {
	return await outcomeOf(
		async () =>
			// The one function for requests that n8n gives the test of a credential.
			(await context.helpers.request({
				method: 'GET',
				uri,
				headers: { Accept: 'application/ld+json', [API_KEY_HEADER]: apiKey },
				followRedirect: false,
				followAllRedirects: false,
				resolveWithFullResponse: true,
				simple: false,
				timeout: LONGEST_TEST_MS,
				useStream: true,
			})) as { statusCode: number; headers: object; body: unknown },
	);
}

export const credentialTest = { testCredential };
