import { upperFirst } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	ICredentialsDecrypted,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isSuccess, outcomeOf } from '../http/send';
import { within } from '../http/clock';
import { API_KEY_HEADER } from '../util/credential';
import { RateLimited, ServiceError } from '../http/errors';
import { explain } from '../http/explain';
import type { Page } from '../http/paging';
import { ListRead, pageOf, QUICK } from '../http/paging';
import type { Outcome } from '../http/request';
import { segment } from '../schema/segment';
import { shownId } from '../tenant/records';
import type { Account } from '../tenant/tenant';
import { accountOf } from '../tenant/tenant';
import { ExplainedError, noneIf } from '../util/errors';
import { comparableId, iriOf, lastSegment, valueOf } from '../util/iri';
import { isLimited, secondsToWait } from './listReader';

/** Maximum time in ms for each request of the test, and for the check of names, because the user waits at the form. */
const LONGEST_TEST_MS = 15_000;

const TESTED = {
	method: 'GET' as const,
	path: '/segments',
	subject: { noun: 'list of segments' },
};

/**
 * Tests a credential when the user saves it. The lines of Names of Users and Tags must be readable, and the service must
 * answer with a list of segments. The requests count in the limiter of the tenant. n8n shows no message of a passed
 * test, so names without a record in the CRM go to n8n's log as well.
 */
async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const account = accountOf(data);
		const { names } = account;
		if (names.problems.length > 0) {
			const problems = names.problems.slice(0, MOST_PROBLEMS).join('; ');
			return { status: 'Error', message: `Names of Users and Tags, ${problems}` };
		}
		checkAnswer(await answerOf(this, account, `${TESTED.path}?itemsPerPage=1`), account);
		const ignored = await within(LONGEST_TEST_MS, ignoredNames(this, account), undefined);
		if (ignored !== undefined) this.logger.warn(ignored);
		return { status: 'OK', message: ['Connection successful!', ignored].filter(Boolean).join(' ') };
	} catch (error) {
		return { status: 'Error', message: reasonOf(error) };
	}
}

/** Maximum number of lines or IDs in a message. */
const MOST_PROBLEMS = 5;

/** Maximum number of pages of users, and of tags, that the test reads. */
const MOST_NAME_PAGES = 5;

/**
 * Returns a message with the lines of Names of Users and Tags whose ID belongs to no user or tag. Returns undefined if
 * there are none, or if the service has no lists of users and tags.
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

/** Reads the IRIs of a collection, in a form to compare. Returns undefined if the test cannot read it to the end. */
async function idsIn(
	context: ICredentialTestFunctions,
	account: Account,
	collection: string,
): Promise<Set<string> | undefined> {
	const list = new ListRead(Infinity, QUICK);
	for (let pages = 0; pages < MOST_NAME_PAGES && !list.isDone; pages++) {
		const query = new URLSearchParams([...list.query()] as Array<[string, string]>);
		const path = `${collection}?${query.toString()}`;
		const page = pageIn(await answerOf(context, account, path).catch(noneIf(isLimited)));
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
	if (!(error instanceof ExplainedError)) return String(error);
	// The user already has the credential open.
	const advice = error.advice.replace(/^Open the credential and | in the credential/g, '');
	return new ExplainedError(error.message, upperFirst(advice)).text;
}

const TOO_LATE: Outcome = {
	kind: 'networkError',
	code: 'ETIMEDOUT',
	message: 'the answer took too long',
};

/**
 * Sends a request once, through the limiter of the tenant. The deadline includes the body of the answer.
 *
 * @throws RateLimited if the limiter has no room
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
		runMinutes: 0,
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

/** @throws ServiceError unless the answer is a list of segments */
function checkAnswer(outcome: Outcome, { tenant, apiKey }: Account): void {
	const isSegment = (member: unknown) => shownId(member, segment) !== undefined;
	if (pageIn(outcome)?.members.every(isSegment)) return;
	const { baseUrl } = tenant.service;
	throw new ServiceError(explain(outcome, TESTED, { baseUrl, apiKey, isTest: true }));
}

function pageIn(outcome: Outcome | undefined): Page | undefined {
	const isAnswer = outcome?.kind === 'response' && isSuccess(outcome.status);
	return isAnswer ? pageOf(outcome.body) : undefined;
}

export const credentialTest = { testCredential };
