import type { Logger } from 'n8n-workflow';
import { ServiceError } from '../http/errors';
import { ExplainedError } from '../util/errors';
import type { TriggerMemory } from './process';
import type { PollProgress } from './progress';
import { startProgress } from './progress';
import { nextStep, withFailure, withPage, withPerson } from './read';
import type { PollRequests } from './requests';
import { timeless, UnreadablePage } from './requests';
import { retryOrder } from './scan';
import type { TriggerState } from './state';
import { copyOf, startState } from './state';
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
	/** Whether something was learned that must outlast a restart, and goes out with no item. */
	mustOutlast: boolean;
}

/** What is watched is made sure to exist this often, and sooner where nothing of it is found. */
const CHECK_MS = 60 * 60_000;
const CHECK_EMPTY_MS = 10 * 60_000;

/** What goes before the list does so in one of so many polls, lest it uses up what polls far apart may send. */
const BEFORE_LIST_EVERY = 4;

/** What a poll works with. */
export interface PollParts {
	requests: PollRequests;
	watch: Watch;
	memory: TriggerMemory;
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
	const state = saved && copyOf(saved);
	const result: PollResult = { state, changes: [], hasRead: false, mustOutlast: false };
	await readAll(parts, result).catch((error: unknown) => {
		result.failure = { error };
	});
	if (result.state || result.failure) return result;
	// Nothing could be read, and yet what happens from now on has happened since the trigger began.
	const { firstAnsweredAt } = requests;
	if (firstAnsweredAt === undefined) result.failure = { error: timeless() };
	else result.state = startState(watch.key, firstAnsweredAt);
	return result;
}

async function readAll(parts: PollParts, result: PollResult): Promise<void> {
	const { requests, watch, memory, logger } = parts;
	const turn = memory.turn++;
	await makeSureItExists(parts, result, turn);
	const isTasks = watch.list === 'tasks';
	// The list has a request left, also where there are many pages of titles.
	const isForTitles = isTasks && result.state && turn % BEFORE_LIST_EVERY === 2;
	if (isForTitles) await readTitles(requests, [], requests.limit > 1 ? 1 : 0);
	const progress = startProgress(requests.limit, turn);
	try {
		while (await readNext(parts, result, progress));
	} finally {
		result.mustOutlast = progress.mustOutlast;
		memory.hasMatch ||= progress.hasMatch;
		if (progress.isScanDone) {
			memory.hadMatch = memory.hasMatch;
			memory.hasMatch = false;
		}
	}
	logger.debug('The poll has read what it may', { sent: requests.sent, limit: requests.limit });
	const columns = result.changes.flatMap(({ record, before }) => columnsNamedIn(record, before));
	if (isTasks && columns.length > 0) await readTitles(requests, columns);
}

/** @returns whether the poll goes on */
async function readNext(
	{ requests, watch }: PollParts,
	result: PollResult,
	progress: PollProgress,
): Promise<boolean> {
	progress.sent = requests.sent;
	const state = result.state ?? startState(watch.key, 0);
	if (requests.firstAnsweredAt !== undefined) retryOrder(state, requests.firstAnsweredAt);
	const step = nextStep(watch, state, progress);
	if (!step) return false;
	try {
		if (step.kind === 'member') {
			const answer = await requests.person(step.id);
			if (!answer) return false;
			const { key } = step;
			result.changes.push(...withPerson(watch, state, progress, { key, person: answer.person }));
		} else {
			const page = await requests.page(watch, step.query);
			if (!page) return false;
			if (!result.state) state.began = requests.firstAnsweredAt ?? page.servedAt;
			result.changes.push(...withPage(watch, state, progress, { kind: step.kind, page }));
		}
	} catch (error) {
		if (!(error instanceof UnreadablePage)) return await Promise.reject(error);
		result.failure = { error: error.reason };
		if (!result.state) return false;
		const { page, isBehindRead } = state.scan;
		const goesOn = withFailure(state, progress, step);
		const isLeftOut = step.kind === 'scan' && isBehindRead === true && goesOn;
		if (isLeftOut) result.failure = { error: leftOut(watch, page, error.reason) };
		return goesOn;
	}
	result.state = state;
	result.hasRead = true;
	return true;
}

/**
 * Makes sure that what is watched exists: all of it at the beginning, and then one after the other once
 * in a while, so that something is left of the poll to read the list.
 *
 * @throws ServiceError where something does not exist, or the key may not see it
 */
async function makeSureItExists(
	{ requests, watch: { anchors }, memory }: PollParts,
	result: PollResult,
	turn: number,
): Promise<void> {
	if (anchors.length === 0) return;
	if (!result.state) {
		result.hasRead = await requests.assertExist(anchors);
		return;
	}
	const { checks, polledAt, hadMatch } = memory;
	const apartMs = (hadMatch ? CHECK_MS : CHECK_EMPTY_MS) / anchors.length;
	if (polledAt - checks.at < apartMs || turn % BEFORE_LIST_EVERY !== 0) return;
	try {
		const isSure = await requests.assertExist([anchors[checks.count % anchors.length]]);
		if (!isSure) return;
		result.hasRead = true;
	} catch (error) {
		const isGone = !(error instanceof ServiceError) || [401, 403, 404].includes(error.status ?? 0);
		if (isGone) return await Promise.reject(error);
		// What cannot be asked for says nothing of the list.
		result.failure = { error };
	}
	checks.at = polledAt;
	checks.count++;
}

/** What is thrown of a page that the service does not give, though it gives the one behind it. */
function leftOut({ subject }: Watch, page: number, reason: ServiceError): ExplainedError {
	return new ExplainedError(
		`Page ${page} of the ${subject.noun} cannot be read: ${reason.message}`,
		'What is on the other pages starts the workflow all the same, and this one is asked for again. Look in the CRM for a record that cannot be opened',
		reason.httpCode,
	);
}
