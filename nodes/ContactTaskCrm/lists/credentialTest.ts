import { upperFirst } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
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
import { asExplained, ExplainedError, noneIf } from '../util/errors';
import { MAX_PAGE_SIZE } from '../schema/limits';
import { contracts } from '../schema';
import type { RecordContract } from '../schema/record';
import { noticeRecords } from '../crm/serviceForm';
import type { NamedLine } from '../http/names';
import { cutList } from '../values/json';
import { isUuid, lastSegment } from '../values/reference';
import { quoted } from '../values/text';
import { secondsToWait } from './listReader';

/**
 * Maximum time in ms of each wait of the test: for a slot, and then for the answer. The time is short, because the user
 * waits at the form of the credential.
 */
const LONGEST_TEST_MS = 15_000;

const TESTED = {
	method: 'GET' as const,
	path: '/segments',
	subject: { noun: 'list of segments' },
};

/**
 * Tests a credential when the user saves it. The node must be able to read each line of the field Names of Users and
 * Tags. The service must answer with a list of segments. If the service has not shown a user or tag of the field, the
 * test also reads a page of up to three lists. Each request takes a slot of the tenant's limiter.
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
	const { message, advice, facts } = asExplained(error);
	// The advice does not say "Open the credential", because the user already has it open.
	const closed = advice.replace(/^Open the credential and | in the credential/g, '');
	return new ExplainedError(message, upperFirst(closed), facts).text;
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
			uri: tenant.baseUrl + path,
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
	const { baseUrl } = tenant;
	throw new ServiceError(explain(outcome, TESTED, { baseUrl, apiKey, isTest: true }));
}

export const credentialTest = { testCredential };

/*
 * Tests the field Names of Users and Tags of a credential: whether the CRM shows the users and tags that the field
 * names.
 */

/**
 * Lists that show users and tags. The test reads the first page of each list, until it has seen all users and tags that
 * the credential names.
 */
const SOURCES: readonly RecordContract[] = [contracts.person, contracts.workspace, contracts.task];

/** Maximum number of problems or IDs that a message lists. */
const MOST_LISTED = 5;

/**
 * Minimum length of an ID of the CRM whose beginning, written in the credential, counts as a shortened ID. The
 * beginning of a shorter ID may itself be a whole ID, such as 12 of 123.
 */
const LONG_ID = 20;

/**
 * Checks the IDs in the field Names of Users and Tags against the IDs that the CRM shows.
 *
 * @param readPage reads the first page of a list; returns no records if the page cannot be read
 * @returns `problems`: texts about lines with a shortened ID. `unseen`: IDs of other lines that the CRM has not shown
 */
export async function checkNames(
	{ names, tenant }: Pick<Account, 'names' | 'tenant'>,
	readPage: (path: string) => Promise<readonly unknown[]>,
): Promise<{ problems: string[]; unseen: string[] }> {
	for (const contract of SOURCES) {
		if (names.lines.every((line) => names.isShown(line))) break;
		noticeRecords(tenant, await readPage(contract.collection), contract);
	}
	const shownIds = ({ collections }: NamedLine) =>
		collections.flatMap((one) => tenant.directory.entries(one).map(({ iri }) => lastSegment(iri)));
	const doubtful = names.lines.filter((line) => line.isCut || !names.isShown(line));
	const wholeIdsOf = new Map(doubtful.map((line) => [line, wholeIds(line, shownIds(line))]));
	const shortened = doubtful.filter((line) => line.isCut || wholeIdsOf.get(line)!.length > 0);
	return {
		problems: shortened.map((line) => shortenedText(line, wholeIdsOf.get(line)!)),
		unseen: doubtful.filter((line) => !shortened.includes(line)).map(({ id }) => id),
	};
}

/** Returns the shown IDs that the ID of a line may shorten. Without an ellipsis (`isCut`), only long IDs count. */
function wholeIds({ id, isCut }: NamedLine, shown: readonly string[]): string[] {
	const begun = id.toLowerCase();
	return shown.filter((one) => {
		const isLong = isUuid(one) || (one.length >= LONG_ID && !/^\d+$/.test(one));
		return one.length > id.length && (isCut || isLong) && one.toLowerCase().startsWith(begun);
	});
}

function shortenedText({ id, line }: NamedLine, whole: readonly string[]): string {
	const ids = whole.length > 0 ? `: ${cutList(whole, MOST_LISTED)}` : '';
	return `line ${line}: ${quoted(id)} is the beginning of an ID. Write the whole ID${ids}`;
}

/** Returns the end of the message of a passed test; empty if the CRM shows all named users and tags. */
export function unseenText(unseen: readonly string[]): string {
	return unseen.length === 0 ? '' : ` Not seen yet: ${cutList(unseen, MOST_LISTED)}`;
}
