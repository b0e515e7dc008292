import type { Logger } from 'n8n-workflow';
import { ExplainedError } from '../common/errors';
import { ServiceError } from '../transport/serviceErrors';
import type { StepOutcome, PollProgress, Step } from './plan';
import { nextStep, startProgress } from './plan';
import { begunPoll, withFailedPage, withMember, withPage } from './reading';
import type { PollRequests } from './requests';
import { timeless, UnreadablePage } from './requests';
import type { TriggerState } from './state';
import { startState } from './state';
import { columnsNamedIn, readTitles } from './titles';
import type { ChangeEvent, Watch } from './watch';

/** What a poll came to: what it read before something failed counts all the same. */
export interface PollResult {
	/** Undefined where the trigger could not even begin. */
	state: TriggerState | undefined;
	changes: ChangeEvent[];
	/** What kept it from reading on, or from reading some of it. */
	failure?: { error: unknown };
	/** Whether anything could be read. */
	hasRead: boolean;
}

/** What is watched is made sure to exist this often, and sooner where nothing of it is found. */
const CHECK_MS = 60 * 60_000;
const CHECK_EMPTY_MS = 10 * 60_000;

/** What goes before the list does so in one of so many polls, lest it uses up what polls far apart may send. */
const BEFORE_LIST_EVERY = 4;

/** What a poll works with. */
export interface PollParts {
	requests: Pick<
		PollRequests,
		| 'assertExist'
		| 'firstAnsweredAt'
		| 'identity'
		| 'limit'
		| 'now'
		| 'page'
		| 'person'
		| 'records'
		| 'sent'
	>;
	watch: Watch;
	logger: Pick<Logger, 'debug'>;
}

/**
 * Reads on from where the last poll stopped, until nothing is left to read or to spend.
 *
 * @param saved what the last poll left; undefined in the first one
 * @returns what was read, and what kept it from reading on; does not throw
 */
export async function readChanges(
	parts: PollParts,
	saved: TriggerState | undefined,
): Promise<PollResult> {
	const { requests, watch } = parts;
	const result: PollResult = { state: saved && begunPoll(saved), changes: [], hasRead: false };
	await readAll(parts, result).catch((error: unknown) => {
		result.failure = { error };
	});
	if (result.state || result.failure) return result;
	// Nothing could be read, and yet what happens from now on has happened since the trigger began.
	const { firstAnsweredAt } = requests;
	if (firstAnsweredAt === undefined) return { ...result, failure: { error: timeless() } };
	return { ...result, state: startState(watch.key, firstAnsweredAt) };
}

async function readAll(parts: PollParts, result: PollResult): Promise<void> {
	const { requests, watch, logger } = parts;
	const isTasks = watch.list === 'tasks';
	await makeSureItExists(parts, result);
	if (isTasks && result.state && result.state.polls % BEFORE_LIST_EVERY === 2) {
		await readTitles(requests, [], requests.now);
	}
	let progress: PollProgress | undefined = startProgress(requests.limit);
	while (progress) {
		const { firstAnsweredAt = 0 } = requests;
		const state = result.state ?? begunPoll(startState(watch.key, firstAnsweredAt));
		progress = { ...progress, sent: requests.sent };
		const step = nextStep(watch, state, progress);
		if (!step) break;
		const answer: StepOutcome | UnreadablePage | undefined = await outcomeOf(
			parts,
			state,
			progress,
			step,
		).catch(async (error: unknown) =>
			error instanceof UnreadablePage ? error : await Promise.reject(error),
		);
		if (answer === undefined) {
			logger.debug('The poll may send no more: the next one goes on', { sent: requests.sent });
			break;
		}
		progress =
			answer instanceof UnreadablePage
				? afterFailure(parts, result, step, { reason: answer.reason, progress })
				: afterOutcome(parts, result, state, answer);
	}
	const columns = result.changes.flatMap(({ record, before }) => columnsNamedIn(record, before));
	if (isTasks && columns.length > 0) await readTitles(requests, columns, requests.now);
}

/**
 * Makes sure that what is watched exists: all of it at the beginning, and then one after the other once
 * in a while, so that something is left of the poll to read the list.
 *
 * @throws ServiceError where something does not exist, or the key may not see it
 */
async function makeSureItExists(
	{ requests, watch: { anchors } }: PollParts,
	result: PollResult,
): Promise<void> {
	const { state } = result;
	if (anchors.length === 0) return;
	if (!state) {
		await requests.assertExist(anchors);
		return;
	}
	const { servedAt, checkedAt = state.began, checks = 0 } = state;
	const apartMs = (state.hasMatches ? CHECK_MS : CHECK_EMPTY_MS) / anchors.length;
	if (servedAt - checkedAt < apartMs || state.polls % BEFORE_LIST_EVERY !== 0) return;
	const checked = { ...state, checkedAt: servedAt, checks: checks + 1 };
	const isSure = await requests
		.assertExist([anchors[checks % anchors.length]])
		.catch(async (error: unknown) => {
			if (!isPassing(error)) return await Promise.reject(error);
			// What cannot be asked for says nothing of the list.
			result.failure = { error };
			return true;
		});
	if (isSure) result.state = checked;
}

/** Whether what was asked for may be there all the same. */
function isPassing(error: unknown): boolean {
	return error instanceof ServiceError && ![401, 403, 404].includes(error.status ?? 0);
}

async function outcomeOf(
	{ requests, watch }: PollParts,
	state: TriggerState,
	progress: PollProgress,
	step: Step,
): Promise<StepOutcome | undefined> {
	if (step.kind === 'member') {
		const answer = await requests.person(step.id);
		return answer && withMember(watch, state, progress, step, answer.person);
	}
	const page = await requests.page(watch, step.query);
	if (!page) return undefined;
	const began = state.began === 0 ? (requests.firstAnsweredAt ?? page.servedAt) : state.began;
	return withPage(watch, { ...state, began }, progress, step, page);
}

function afterOutcome(
	{ logger }: PollParts,
	result: PollResult,
	before: TriggerState,
	{ state, changes, progress }: StepOutcome,
): PollProgress {
	if (before.byPageUntil === undefined && state.byPageUntil !== undefined) {
		logger.debug('The list is not in the order asked for: it is read page by page for an hour');
	}
	result.state = state;
	result.hasRead = true;
	result.changes.push(...changes);
	return progress;
}

/** @returns undefined where the poll ends with it */
function afterFailure(
	{ watch }: PollParts,
	result: PollResult,
	step: Step,
	{ reason, progress }: { reason: unknown; progress: PollProgress },
): PollProgress | undefined {
	result.failure = { error: reason };
	if (!result.state) return undefined;
	const { isGapped, page } = result.state.scan;
	const failed = withFailedPage(result.state, progress, step);
	result.state = failed.state;
	if (failed.state.scan.isGapped && !isGapped) {
		result.failure = { error: leftOut(watch, page, reason) };
	}
	return failed.goesOn ? failed.progress : undefined;
}

/** What is thrown of a page that the service does not give, though it gives the one behind it. */
function leftOut({ subject }: Watch, page: number, reason: unknown): ExplainedError {
	const cause = reason instanceof Error ? `: ${reason.message}` : '';
	return new ExplainedError(
		`Page ${page} of the ${subject.noun} cannot be read${cause}`,
		'What is on the other pages starts the workflow all the same, and this one is asked for again. Look in the CRM for a record that cannot be opened',
		reason instanceof ExplainedError ? reason.httpCode : undefined,
	);
}
