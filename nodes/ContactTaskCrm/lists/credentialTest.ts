import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isSuccess, isWebPage, outcomeOf } from '../http/send';
import { within } from '../http/clock';
import { API_KEY_HEADER, withoutKey } from '../http/credential';
import { RateLimited } from '../http/errors';
import { causeText, explainUnsent, isOfN8n, networkAdvice } from '../http/networkErrors';
import { pageOf } from '../http/paging';
import type { Outcome, ServiceResponse } from '../http/request';
import { segment } from '../schema/segment';
import { shownId } from '../tenant/records';
import type { Account } from '../tenant/tenant';
import { accountOf } from '../tenant/tenant';
import { ExplainedError } from '../util/errors';
import { secondsToWait } from './listErrors';

/** Somebody sits before the form and waits. */
const LONGEST_TEST_MS = 15_000;

const TESTED_PATH = '/segments?itemsPerPage=1';

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
		const account = accountOf(data);
		const verdict = verdictOn(await answerOf(this, account), account.tenant.service.baseUrl);
		return verdict === undefined
			? { status: 'OK', message: 'Connection successful!' }
			: { status: 'Error', message: withoutKey(verdict, account.apiKey) };
	} catch (error) {
		return { status: 'Error', message: reasonOf(error) };
	}
}

function reasonOf(error: unknown): string {
	if (error instanceof RateLimited) {
		return `The requests of this minute are used up, so the key could not be tested. Try again in ${secondsToWait(error)} seconds`;
	}
	return error instanceof ExplainedError ? error.text : String(error);
}

async function answerOf(context: ICredentialTestFunctions, account: Account): Promise<Outcome> {
	const { tenant, limit } = account;
	const waiting = {
		lane: context,
		item: 0,
		isUrgent: true,
		runMinutes: 0,
		limit,
		slotWaitMs: LONGEST_TEST_MS,
		throttledWaitMs: LONGEST_TEST_MS,
	};
	return await tenant.limiter.submit(waiting, async () => await sendTest(context, account));
}

const TOO_LATE: Outcome = {
	kind: 'networkError',
	code: 'ETIMEDOUT',
	message: 'the answer took too long',
};

/** Sends the request once; never rejects. One deadline lies over all of it, the body too. */
async function sendTest(
	context: ICredentialTestFunctions,
	{ tenant, apiKey }: Account,
): Promise<Outcome> {
	const answer = outcomeOf(
		async () =>
			// The one function for requests that n8n gives the test of a credential.
			(await context.helpers.request({
				method: 'GET',
				uri: tenant.service.baseUrl + TESTED_PATH,
				headers: { Accept: 'application/ld+json', [API_KEY_HEADER]: apiKey },
				followRedirect: false,
				followAllRedirects: false,
				resolveWithFullResponse: true,
				simple: false,
				timeout: LONGEST_TEST_MS,
				useStream: true,
			})) as { statusCode: number; headers: object; body: unknown },
	);
	return await within(LONGEST_TEST_MS, answer, TOO_LATE);
}

/**
 * What an answer to the test of a credential says of the credential, in words; undefined where it is a
 * list of the CRM, as it should be.
 *
 * @param baseUrl checked, without a trailing slash
 */
function verdictOn(outcome: Outcome, baseUrl: string): string | undefined {
	if (outcome.kind === 'networkError') {
		if (isOfN8n(outcome.code)) {
			const { message, advice } = explainUnsent(outcome.message);
			return `${message}. ${advice}`;
		}
		return `The service at ${baseUrl} cannot be reached: ${causeText(outcome)}. ${networkAdvice(outcome.code)}`;
	}
	const { status } = outcome;
	if (isSuccess(status)) return verdictOnSuccess(outcome);
	if (status >= 300 && status < 400) return verdictOnRedirect(outcome, baseUrl);
	return STATUSES[status] ?? verdictOnStatus(status);
}

const STATUSES: Readonly<Record<number, string>> = {
	401: 'The service did not accept the API key. Check API Key and Base URL; an administrator of the CRM creates keys',
	403: 'The API key has no permission to read segments. Ask an administrator of the CRM for a key that may',
	404: 'There is no CRM interface at the Base URL. Check its path, and enter the address without the path of a record',
	407: 'A proxy between this n8n and the service asks for a sign-in. Ask whoever runs this n8n',
};

function verdictOnStatus(status: number): string {
	return status >= 500
		? `The service could not answer (HTTP ${status}). It may be down for a moment: try again later, or check the Base URL`
		: `The Base URL does not answer as the CRM interface (HTTP ${status}). Check it, and enter the address of the interface`;
}

function verdictOnSuccess({ body }: ServiceResponse): string | undefined {
	if (isWebPage(body)) {
		return 'The Base URL answers with a web page, and not as the CRM interface. Check its path, and enter the address of the interface';
	}
	const isListOfRecords = pageOf(body)?.members.every(
		(member) => shownId(member, segment) !== undefined,
	);
	if (isListOfRecords) return undefined;
	return 'The Base URL answers, and not with a list of the CRM. Check it, and enter the address of the CRM interface';
}

function verdictOnRedirect({ headers }: ServiceResponse, baseUrl: string): string {
	const message = 'The Base URL leads on to another address, which is not followed';
	try {
		const { origin } = new URL(headers.location ?? '', baseUrl);
		return origin === new URL(baseUrl).origin
			? `${message}. Check its path, and enter the address of the interface; a sign-in page may stand before it`
			: `${message}. Enter the final address; it leads to ${origin}`;
	} catch {
		return `${message}. Enter the final address`;
	}
}

export const credentialTest = { testCredential };
