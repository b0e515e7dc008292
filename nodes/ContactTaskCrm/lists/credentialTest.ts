import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isSuccess, isWebPage, outcomeOf } from '../http/send';
import { within } from '../http/clock';
import { API_KEY_HEADER, withoutKey } from '../util/credential';
import { RateLimited } from '../http/errors';
import { causeText, explainUnsent, isOfN8n, networkAdvice } from '../http/networkErrors';
import { ListRead, pageOf } from '../http/paging';
import type { Outcome, ServiceResponse } from '../http/request';
import { segment } from '../schema/segment';
import { shownId } from '../tenant/records';
import type { Account } from '../tenant/tenant';
import { accountOf } from '../tenant/tenant';
import { ExplainedError, noneIf } from '../util/errors';
import { comparableId, iriOf, lastSegment, valueOf } from '../util/iri';
import { isLimited, secondsToWait } from './listReader';

/** Somebody sits before the form and waits. */
const LONGEST_TEST_MS = 15_000;

const TESTED_PATH = '/segments?itemsPerPage=1';

/**
 * Tests a credential as its form is saved: its names have to be readable, and the address has to answer with a
 * list of the CRM. The requests take their place in the budget of the tenant like any other. n8n gives no more
 * than this context here, and shows the message alone: of a test that is passed not even that, so that what is
 * said of names that are ignored stands in n8n's log, too.
 */
async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const account = accountOf(data);
		const { names, apiKey, tenant } = account;
		if (names.problems.length > 0) {
			const problems = names.problems.slice(0, MOST_PROBLEMS).join('; ');
			return { status: 'Error', message: `Names of Users and Tags, ${problems}` };
		}
		const answer = await answerOf(this, account, TESTED_PATH);
		const verdict = verdictOn(answer, tenant.service.baseUrl);
		if (verdict !== undefined) return { status: 'Error', message: withoutKey(verdict, apiKey) };
		const ignored = await within(LONGEST_TEST_MS, ignoredNames(this, account), undefined);
		if (ignored !== undefined) this.logger.warn(ignored);
		return { status: 'OK', message: ['Connection successful!', ignored].filter(Boolean).join(' ') };
	} catch (error) {
		return { status: 'Error', message: reasonOf(error) };
	}
}

/** Lines that a message tells of, and IDs. */
const MOST_PROBLEMS = 5;

/** Pages of users or tags that are read to see who is there. */
const MOST_PAGES = 5;

/**
 * The lines that name a user or tag whom the service does not have; undefined where there are none, as far as it
 * shows its users and tags.
 */
async function ignoredNames(
	context: ICredentialTestFunctions,
	account: Account,
): Promise<string | undefined> {
	const lines = new Map<number, { id: string; isThere: boolean }>();
	for (const collection of ['/tags', '/users']) {
		const entries = account.names.entries(collection);
		const ids = entries.length > 0 ? await idsIn(context, account, collection) : new Set<string>();
		for (const { iri, line } of entries) {
			const isThere = ids?.has(comparableId(iri)) ?? true;
			const known = lines.get(line);
			lines.set(line, { id: lastSegment(iri), isThere: isThere || known?.isThere === true });
		}
	}
	const ignored = [...lines]
		.filter(([, { isThere }]) => !isThere)
		.sort(([one], [other]) => one - other);
	if (ignored.length === 0) return undefined;
	const listed = ignored.slice(0, MOST_PROBLEMS).map(([line, { id }]) => `${id} (line ${line})`);
	const more = ignored.length > MOST_PROBLEMS ? ` and ${ignored.length - MOST_PROBLEMS} more` : '';
	return `Names of Users and Tags: ignored, since the CRM has no such user or tag: ${listed.join(', ')}${more}`;
}

/** The IRIs of all records of a collection, as they are compared; undefined where the service does not show them. */
async function idsIn(
	context: ICredentialTestFunctions,
	account: Account,
	collection: string,
): Promise<Set<string> | undefined> {
	const list = new ListRead(Infinity);
	for (let pages = 0; pages < MOST_PAGES && !list.isDone; pages++) {
		const query = new URLSearchParams(list.nextPageQuery());
		const path = `${collection}?${query.toString()}`;
		const outcome = await answerOf(context, account, path).catch(noneIf(isLimited));
		const isAnswer = outcome?.kind === 'response' && isSuccess(outcome.status);
		const page = isAnswer ? pageOf(outcome.body) : undefined;
		if (!page) return undefined;
		list.add(page);
	}
	if (!list.isDone) return undefined;
	const iris = list.records.flatMap((record) => valueOf(iriOf(record, collection)) ?? []);
	return new Set(iris.map(comparableId));
}

function reasonOf(error: unknown): string {
	if (error instanceof RateLimited) {
		return `The requests of this minute are used up, so the key could not be tested. Try again in ${secondsToWait(error)} seconds`;
	}
	return error instanceof ExplainedError ? error.text : String(error);
}

async function answerOf(
	context: ICredentialTestFunctions,
	account: Account,
	path: string,
): Promise<Outcome> {
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
	return await tenant.limiter.submit(waiting, async () => await sendTest(context, account, path));
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
	path: string,
): Promise<Outcome> {
	const answer = outcomeOf(
		async () =>
			// The one function for requests that n8n gives the test of a credential.
			(await context.helpers.request({
				method: 'GET',
				uri: tenant.service.baseUrl + path,
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
