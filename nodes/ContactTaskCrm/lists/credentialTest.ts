import { upperFirst } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isSuccess, outcomeOf } from '../http/send';
import { within } from '../util/clock';
import { API_KEY_HEADER } from '../http/credential';
import { RateLimited, ServiceError } from '../util/failures';
import { explain } from '../http/explain';
import { pageOf } from '../http/paging';
import type { Outcome } from '../http/request';
import { segment } from '../schema/segment';
import { shownId } from '../crm/records';
import { type Account, accountOf } from '../crm/tenant';
import { ExplainedError, noneIf } from '../util/errors';
import { secondsToWait } from './listReader';
import { checkNames, unseenText } from './namesTest';
import { MAX_PAGE_SIZE } from '../schema/limits';

/**
 * Maximum time in ms of each wait of the test: for a slot, and then for the answer. It is short, because the user waits
 * at the form.
 */
const LONGEST_TEST_MS = 15_000;

const TESTED = {
	method: 'GET' as const,
	path: '/segments',
	subject: { noun: 'list of segments' },
};

/**
 * Tests a credential when the user saves it. The field Names of Users and Tags must be readable, and the service must
 * answer with a list of segments. The field may name users or tags that the service has not shown. The test then reads
 * one page of up to three further lists. Each request takes a slot of the tenant's limiter.
 */
async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const account = accountOf(data);
		const { names } = account;
		if (names.problems.length > 0) {
			return { status: 'Error', message: problemText(names.problems) };
		}
		checkAnswer(await answerOf(this, account, `${TESTED.path}?itemsPerPage=1`), account);
		const readPage = async (path: string) => await membersOf(this, account, path);
		const { problems, unseen } = await checkNames(account, readPage);
		if (problems.length > 0) return { status: 'Error', message: problemText(problems) };
		return { status: 'OK', message: `Connection successful!${unseenText(unseen)}` };
	} catch (error) {
		return { status: 'Error', message: reasonOf(error) };
	}
}

/** Maximum number of problems that a message lists. */
const MOST_PROBLEMS = 5;

function problemText(problems: readonly string[]): string {
	return `Names of Users and Tags, ${problems.slice(0, MOST_PROBLEMS).join('; ')}`;
}

/**
 * Returns the records on the first page of a list. Returns none if the page cannot be read, because the test has
 * already shown that the key works.
 */
async function membersOf(
	context: ICredentialTestFunctions,
	account: Account,
	path: string,
): Promise<readonly unknown[]> {
	const answer = answerOf(context, account, `${path}?itemsPerPage=${MAX_PAGE_SIZE}`);
	const outcome = await answer.catch(noneIf((error) => error instanceof RateLimited));
	const isAnswer = outcome?.kind === 'response' && isSuccess(outcome.status);
	return (isAnswer && pageOf(outcome.body)?.members) || [];
}

function reasonOf(error: unknown): string {
	if (error instanceof RateLimited) {
		return `The requests of this minute are used up, so the key could not be tested. Try again in ${secondsToWait(error)} seconds`;
	}
	if (!(error instanceof ExplainedError)) return String(error);
	// The advice does not say "Open the credential", because the user already has it open.
	const advice = error.advice.replace(/^Open the credential and | in the credential/g, '');
	return new ExplainedError(error.message, upperFirst(advice), error.facts).text;
}

const TOO_LATE: Outcome = {
	kind: 'networkError',
	code: 'ETIMEDOUT',
	message: 'the answer took too long',
};

/**
 * Sends a request through the limiter of the tenant. The limiter repeats the request only after a 429.
 * `LONGEST_TEST_MS` includes the time for the body of the answer.
 *
 * @throws RateLimited if the limiter gives no slot in time
 */
async function answerOf(
	context: ICredentialTestFunctions,
	{ tenant, limit, apiKey }: Account,
	path: string,
): Promise<Outcome> {
	const waiting = {
		lane: context,
		item: 0,
		isUrgent: true,
		limit,
		slotWaitMs: LONGEST_TEST_MS,
		throttledWaitMs: LONGEST_TEST_MS,
	};
	const send = async () =>
		// n8n offers no other request function in a credential test.
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
		})) as { statusCode: number; headers: object; body: unknown };
	return await tenant.limiter.submit(
		waiting,
		async () => await within(LONGEST_TEST_MS, outcomeOf(send), TOO_LATE),
	);
}

/**
 * Checks the answer to the request of the test.
 *
 * @throws ServiceError unless the answer is a list of segments
 */
function checkAnswer(outcome: Outcome, { tenant, apiKey }: Account): void {
	const isSegment = (member: unknown) => shownId(member, segment) !== undefined;
	const isAnswer = outcome.kind === 'response' && isSuccess(outcome.status);
	if (isAnswer && pageOf(outcome.body)?.members.every(isSegment)) return;
	const { baseUrl } = tenant.service;
	throw new ServiceError(explain(outcome, TESTED, { baseUrl, apiKey, isTest: true }));
}

export const credentialTest = { testCredential };
