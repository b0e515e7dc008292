import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { ServiceError } from '../util/failures';
import type { ServedPage } from '../http/paging';
import { labelOf } from '../schema/label';
import { rethrow, UnusableParameter } from '../util/errors';
import { decideCompany, firstPageStep, isOfOtherKey, notePoll } from './company';
import { headStep } from './head';
import { readTitles } from './items';
import { applySharedPerson, membersForLater, memberStep } from './members';
import type { TriggerMemory } from './memory';
import type { Reading, Step } from './reading';
import { compareRecords, readsNewOnly, startReading } from './reading';
import { assertAnchorsExist, missingDateError, readPage, personPage } from './requests';
import { scanStep } from './scan';
import type { Spending } from './spending';
import type { TriggerState } from './state';
import { startState } from './state';
import type { Watch } from './watch';
import { asRecord } from '../values/json';

/** Interval in ms between two checks that the same anchor exists. */
const ANCHOR_CHECK_MS = 60 * 60_000;

/**
 * Minimum interval, in polls, between two reads of titles, and between two checks of anchors. Without this minimum,
 * polls far apart could spend all their requests on titles and anchors.
 */
const SIDE_READ_EVERY = 4;

/** Minimum number of records on a page before the trigger concludes that the service never shows a field. */
const MIN_RECORDS_TO_JUDGE = 10;

/** Maximum age of a page read by another trigger, for the page to replace a read of this trigger. */
const FRESH_PAGE_MS = 15_000;

/**
 * Continues where the last poll stopped, until the poll has read everything or may send no more requests.
 *
 * @param saved state of the last poll; undefined in the first one
 * @returns the results of the poll. A failure that ends the poll is among them, so the function does not throw
 */
export async function readChanges(
	spending: Spending,
	watch: Watch,
	memory: TriggerMemory,
	saved: TriggerState | undefined,
): Promise<Reading> {
	const reading = startReading({ watch, spending, memory }, saved);
	try {
		await checkAnchors(reading);
		await readWatchedList(reading);
	} catch (error) {
		reading.failure = { error };
	}
	memory.membersUntilCheck = membersForLater(reading);
	if (spending.hasRead) {
		memory.pollNumber++;
		memory.isScanOverdue = !reading.hasScanned && !reading.isScanDone;
	}
	if (reading.servedAt > 0 && !reading.failure) notePoll(reading);
	if (reading.hasBegun || reading.failure) return reading;
	// This is a first poll that has read no page. If the service has answered at all, the trigger begins at the time of
	// the answer.
	const { firstAnsweredAt } = spending;
	if (firstAnsweredAt === undefined) reading.failure = { error: missingDateError() };
	else Object.assign(reading, { state: startState(watch, firstAnsweredAt), hasBegun: true });
	return reading;
}

async function readWatchedList(reading: Reading): Promise<void> {
	const { watch, spending, memory } = reading;
	// Reading titles leaves one request for the list, unless the poll has only one.
	const mayReadTitles = reading.hasBegun && memory.pollNumber % SIDE_READ_EVERY === 2;
	if (mayReadTitles) await readTitles(spending, watch, [], spending.limit > 1 ? 1 : 0);
	while (await readNext(reading));
	if (reading.changes.length > 0) await readTitles(spending, watch, reading.changes);
}

/**
 * Applies the pages that other triggers have read, then sends the poll's next request and applies its answer.
 *
 * @returns whether the poll continues
 */
async function readNext(reading: Reading): Promise<boolean> {
	const { spending, memory } = reading;
	const { shared } = memory;
	const isUndecided = isOfOtherKey(reading);
	if (reading.hasBegun && !isUndecided) {
		const pages = shared.pages.since(shared.next);
		for (const { request, page, readAt } of pages) {
			applySharedPage(reading, request, page, systemClock.now() - readAt <= FRESH_PAGE_MS);
		}
		spending.hasRead ||= pages.length > 0;
		// Shared pages count as an answer, so this trigger goes to the end of the queue. A trigger that has to read a
		// missing member by ID still needs a slot, and keeps its place.
		if (pages.length > 0 && !memberStep(reading)) memory.servedAt = systemClock.now();
		shared.next = shared.pages.end;
	}
	spending.hasChanges = reading.changes.length > 0;
	const step = isUndecided ? firstPageStep(reading) : nextStep(reading);
	if (!step) return false;
	const until = spending.slotWaitEndsAt;
	const send = async () => {
		const page = await readStep(reading, step);
		// Triggers that wait for this answer find the page at once.
		if (page && reading.hasBegun) shared.pages.add(step.request, page);
		return { page };
	};
	try {
		const answer = await (reading.hasBegun
			? shared.pages.alone({ servedAt: memory.servedAt, until }, send)
			: send());
		if (!answer) return systemClock.now() < until;
		const { page } = answer;
		if (!page) return false;
		if (!reading.hasBegun) {
			assertFieldsShown(reading.watch, page.members.map(asRecord));
			reading.state.began = spending.firstAnsweredAt ?? page.servedAt;
			// The limiter sets `servedAt` for a request with a `poller`. The first poll has none, so this line sets the time.
			memory.servedAt = systemClock.now();
		}
		shared.next = shared.pages.end;
		if (isUndecided && !decideCompany(reading, page)) return !isOfOtherKey(reading);
		applyPage(reading, step, page);
	} catch (error) {
		if (!concernsOnePage(error)) return rethrow(error);
		reading.failure = { error };
		return reading.hasBegun && step.onFailure();
	}
	reading.hasBegun = true;
	return true;
}

/** Sends the request of a step; returns undefined if the poll may send nothing more. */
async function readStep(
	{ spending, watch }: Reading,
	{ request }: Step,
): Promise<ServedPage | undefined> {
	if (typeof request === 'string') return await personPage(spending, request);
	if (!('path' in request)) return await readPage(spending, watch, request);
	const isThere = await assertAnchorsExist(spending, [request]);
	return isThere ? { members: [], servedAt: spending.answeredAt } : undefined;
}

function applyPage(reading: Reading, { isScanPage = false, onPage }: Step, page: ServedPage): void {
	reading.hasScanned ||= isScanPage;
	reading.servedAt = page.servedAt;
	onPage(page);
}

/**
 * Applies a page that another trigger has read. If this poll would send the same request next, the page counts as its
 * answer. For any other page, the function only compares the records. After an old page (`isFresh` is false), this poll
 * still reads the head and the scan itself.
 */
function applySharedPage(reading: Reading, request: unknown, page: ServedPage, isFresh: boolean) {
	const { isHeadDone, isScanDone, state } = reading;
	const text = JSON.stringify(request);
	// `memberStep` searches all members, which takes long, so it runs only if the shared page is a person.
	const isListPage = Array.isArray(request);
	const steps = isListPage ? [headStep(reading), scanStep(reading)] : [memberStep(reading)];
	const step = steps.find((one) => one && JSON.stringify(one.request) === text);
	if (step) applyPage(reading, step, page);
	else {
		reading.servedAt = page.servedAt;
		if (typeof request === 'string') applySharedPerson(reading, request, page);
		// An unknown record proves that the scans have not yet seen every record of the list.
		else if (compareRecords(reading, page.members, false).firstSeen.length > 0 && !state.readsAll)
			state.quiet = -1;
	}
	if (!isFresh) Object.assign(reading, { isHeadDone, isScanDone });
}

/** Returns whether an error may concern one page or record alone, and not the key, the whole list or the connection. */
function concernsOnePage(error: unknown): boolean {
	const { status = 401 } = error instanceof ServiceError ? error : {};
	return ![401, 403, 404].includes(status);
}

/**
 * Returns the next step of this poll. The head and the missing members come first, because changes are likely there.
 * The poll keeps one request for the scan. If the last poll read no page of the scan, the scan comes first.
 *
 * @returns undefined if the poll has read everything, or may send nothing more
 */
function nextStep(reading: Reading): Step | undefined {
	const { spending, memory, hasBegun, hasScanned, isScanDone } = reading;
	const { limit, sent } = spending;
	const left = limit - sent;
	if (left < 1) return undefined;
	// If Person Created is the only event, the head may take the last request: polls seldom read it (`isNewestDue`).
	const hasSpare = left > 1 || readsNewOnly(reading) || limit === 1;
	const mayReadHead =
		!hasBegun || isScanDone || (hasSpare && (hasScanned || !memory.isScanOverdue));
	const likely = mayReadHead ? (headStep(reading) ?? likelyMemberStep(reading)) : undefined;
	return likely ?? (isScanDone ? undefined : scanStep(reading));
}

/**
 * Returns the step that reads a member missing from the list. Reads of members use at most half of the requests of a
 * poll, so that many leavers do not delay the scan. If the trigger is behind, they use all requests but one.
 */
function likelyMemberStep(reading: Reading): Step | undefined {
	const { limit, sent, isBehind } = reading.spending;
	const most = isBehind ? limit - 1 : limit / 2;
	return sent < most || limit === 1 ? memberStep(reading) : undefined;
}

/**
 * Checks that the anchors exist: the records that the trigger depends on. The first poll checks all anchors. Later
 * polls check one at a time, at long intervals, so that requests remain for the list.
 *
 * @throws ServiceError or AnchorDeleted if a record does not exist, or the key may not see it
 */
async function checkAnchors({ spending, memory, hasBegun, watch }: Reading): Promise<void> {
	const { anchors } = watch;
	if (anchors.length === 0) return;
	if (!hasBegun) {
		await assertAnchorsExist(spending, anchors);
		return;
	}
	const { polledAt, checkedAt, pollNumber } = memory;
	if (pollNumber % SIDE_READ_EVERY !== 0 || polledAt - checkedAt < ANCHOR_CHECK_MS / anchors.length)
		return;
	// The time is set before the request. So a failed check is not repeated at once, and the next polls read the list.
	memory.checkedAt = polledAt;
	const next = memory.checks++ % anchors.length;
	await assertAnchorsExist(spending, anchors.slice(next, next + 1));
}

/**
 * Checks that the service shows the watched fields, because a field that is never shown cannot start the workflow. A
 * service that omits empty fields may hide a field that works. So the check judges only a page that shows a null
 * somewhere, and at least `MIN_RECORDS_TO_JUDGE` records.
 *
 * @throws UnusableParameter naming the field
 */
function assertFieldsShown({ watchedFields }: Watch, records: IDataObject[]): void {
	if (records.length < MIN_RECORDS_TO_JUDGE) return;
	if (!records.some((record) => Object.values(record).includes(null))) return;
	const missing = watchedFields.find((name) => !records.some((record) => name in record));
	if (missing === undefined) return;
	throw new UnusableParameter(
		`Watched Fields: the service shows no "${labelOf(missing)}" (${missing}) of any of ${records.length} records`,
		'Choose another field: a change of this one could never start the workflow',
	);
}
