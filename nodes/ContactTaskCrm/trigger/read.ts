import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../util/clock';
import { ServiceError } from '../util/failures';
import type { ServedPage } from '../http/paging';
import { labelOf } from '../schema/label';
import { rethrow, UnusableParameter } from '../util/errors';
import { decideCompany, firstPageStep, isOfOtherKey, notePoll } from './company';
import { headStep } from './head';
import { readTitles } from './items';
import { applySharedPerson, memberStep } from './members';
import type { TriggerMemory } from './memory';
import type { Reading, Step } from './reading';
import { compareRecords, readsNewOnly, startReading } from './reading';
import { assertAnchorsExist, missingDateError, readPage, personPage } from './requests';
import { scanStep } from './scan';
import type { Spending } from './spending';
import type { TriggerState } from './state';
import type { Watch } from './watch';
import { asRecord } from '../values/json';

/** Interval in ms between two checks that the same anchor exists. */
const ANCHOR_CHECK_MS = 60 * 60_000;

/**
 * Minimum interval, in polls, between two reads of titles, and between two checks of anchors. Without this interval, an
 * hourly trigger could spend all requests of every poll on titles and anchors.
 */
const SIDE_READ_EVERY = 4;

/** Only a page with at least this many records proves that the service never shows a field. */
const MIN_RECORDS_TO_JUDGE = 10;

/** If another trigger read a page at most this long ago, this trigger does not read the page again. */
const FRESH_PAGE_MS = 15_000;

/**
 * Continues where the last poll stopped, until the poll has read everything or may send no more requests.
 *
 * @param saved state of the last poll; undefined in the first one
 * @returns the results of the poll. The function does not throw: an error that ends the poll is in `failure`
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
	if (spending.hasRead) {
		memory.pollNumber++;
		memory.isScanOverdue = !reading.hasScanned;
	}
	if (reading.servedAt > 0 && !reading.failure) notePoll(reading);
	if (reading.hasBegun || reading.failure) return reading;
	// Only a first poll that has read no page of the list gets here. If the service has answered any request of the
	// poll, the trigger begins at the time of the first answer.
	const { firstAnsweredAt } = spending;
	if (firstAnsweredAt === undefined) reading.failure = { error: missingDateError() };
	else beginAt(reading, firstAnsweredAt);
	return reading;
}

async function readWatchedList(reading: Reading): Promise<void> {
	const { watch, spending, memory } = reading;
	// `readTitles` leaves one request of the poll for the list. If the poll has only one request, `readTitles` may use
	// it.
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
	const isUndecided = isOfOtherKey(reading);
	if (reading.hasBegun && !isUndecided) applySharedPages(reading);
	spending.hasChanges = reading.changes.length > 0;
	const step = isUndecided ? firstPageStep(reading) : nextStep(reading);
	if (!step) return false;
	const until = spending.slotWaitEndsAt;
	try {
		const answer = await requestPage(reading, step, until);
		if (!answer) return systemClock.now() < until;
		const { page } = answer;
		if (!page) return false;
		if (!reading.hasBegun) begin(reading, page);
		memory.shared.next = memory.shared.pages.end;
		if (isUndecided && !decideCompany(reading, page)) return !isOfOtherKey(reading);
		reading.servedAt = page.servedAt;
		step.onPage(page);
	} catch (error) {
		if (!concernsOnePage(error)) return rethrow(error);
		reading.failure = { error };
		return reading.hasBegun && step.onFailure();
	}
	return true;
}

/** Applies the pages that other triggers have read since this trigger last looked. */
function applySharedPages(reading: Reading): void {
	const { spending, memory } = reading;
	const { shared } = memory;
	const pages = shared.pages.since(shared.next);
	for (const { request, page, readAt } of pages) {
		applySharedPage(reading, request, page, systemClock.now() - readAt <= FRESH_PAGE_MS);
	}
	spending.hasRead ||= pages.length > 0;
	// Shared pages count as an answer. With the new `memory.servedAt`, this trigger goes to the end of the queue of
	// polls. But if it has to read a missing member (`memberStep`), it still needs a slot, and keeps its place.
	if (pages.length > 0 && !memberStep(reading)) memory.servedAt = systemClock.now();
	shared.next = shared.pages.end;
}

/**
 * Sends the request of a step, after the requests of other triggers for the same list.
 *
 * @param until end of the wait for other triggers, in ms by the clock's `now`
 * @returns an object with the page. The object has no page if the poll may send nothing more. Undefined if another
 *   trigger has read meanwhile, or if the wait has ended
 */
async function requestPage(
	reading: Reading,
	step: Step,
	until: number,
): Promise<{ page: ServedPage | undefined } | undefined> {
	const { servedAt, shared } = reading.memory;
	if (!reading.hasBegun) return { page: await readStep(reading, step) };
	return await shared.pages.alone({ servedAt, until }, async () => {
		const page = await readStep(reading, step);
		// Other triggers wait until this function has ended, and then look for the page. So the page is added before the
		// end.
		if (page) shared.pages.add(step.request, page);
		return { page };
	});
}

/** Begins the trigger when its first page has come. Records created later count as new. */
function begin(reading: Reading, page: ServedPage): void {
	const { spending, watch, memory } = reading;
	assertFieldsShown(watch, page.members.map(asRecord));
	beginAt(reading, spending.firstAnsweredAt ?? page.servedAt);
	// The limiter sets `servedAt` only after requests with a `poller`. A first poll sends its requests without a
	// `poller`, so `begin` sets `servedAt`.
	memory.servedAt = systemClock.now();
}

function beginAt(reading: Reading, time: number): void {
	reading.hasBegun = true;
	reading.state.began = time;
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

/**
 * Applies a page that another trigger has read. If this poll would send the same request next, the page is the answer
 * to this request. With any other page, the function only compares the records. After an old page (`isFresh` is false),
 * this poll still reads the head and the scan itself.
 */
function applySharedPage(reading: Reading, request: unknown, page: ServedPage, isFresh: boolean) {
	const { isHeadDone, isScanDone, state } = reading;
	const text = JSON.stringify(request);
	// `memberStep` searches all members, which takes long. So it runs only if the request is for no page of the list: for
	// one person, or for the check of a segment.
	const isListPage = Array.isArray(request);
	const steps = isListPage ? [headStep(reading), scanStep(reading)] : [memberStep(reading)];
	const step = steps.find((wanted) => wanted && JSON.stringify(wanted.request) === text);
	reading.servedAt = page.servedAt;
	if (step) step.onPage(page);
	else if (typeof request === 'string') applySharedPerson(reading, request, page);
	else {
		const compared = compareRecords(reading, page.members, false);
		// The page shows a record that the scans have missed. So `quiet`, the count of scans without unknown records,
		// begins anew.
		if (!state.readsAll && compared.some(({ isFirstSeen }) => isFirstSeen)) state.quiet = -1;
	}
	if (!isFresh) Object.assign(reading, { isHeadDone, isScanDone });
}

/**
 * Returns whether an error may concern only one page or record. An error with the status 401, 403 or 404 concerns the
 * key or the whole list. An error without a status, such as a connection error, concerns all requests.
 */
function concernsOnePage(error: unknown): boolean {
	if (!(error instanceof ServiceError) || error.status === undefined) return false;
	return ![401, 403, 404].includes(error.status);
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
	// If Person Created is the only event, polls seldom read the head (`isNewestDue`). So the head may then take the last
	// request.
	const hasSpare = left > 1 || readsNewOnly(reading) || limit === 1;
	const mayReadHead =
		!hasBegun || isScanDone || (hasSpare && (hasScanned || !memory.isScanOverdue));
	const likely = mayReadHead ? (headStep(reading) ?? likelyMemberStep(reading)) : undefined;
	return likely ?? (isScanDone ? undefined : scanStep(reading));
}

/**
 * Returns the step that reads a member missing from the list. Many missing members must not delay the scan, so polls
 * read members only with the first half of their requests. If the trigger is behind, polls read members with all
 * requests but the last.
 */
function likelyMemberStep(reading: Reading): Step | undefined {
	const { limit, sent, isBehind } = reading.spending;
	const most = isBehind ? limit - 1 : limit / 2;
	return sent < most || limit === 1 ? memberStep(reading) : undefined;
}

/**
 * Checks that the anchors exist: the records that the trigger depends on. The first poll checks all anchors. Later
 * polls check each anchor about once an hour, and one anchor at a time. So requests remain for the list.
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
	// `checkedAt` is set before the request, so a failed check counts, too. The next polls then read the list, and do not
	// repeat the check at once.
	memory.checkedAt = polledAt;
	const next = memory.checks++ % anchors.length;
	await assertAnchorsExist(spending, anchors.slice(next, next + 1));
}

/**
 * Checks that the service shows the watched fields, because a field that the service never shows cannot start the
 * workflow. But a service that omits empty fields may hide a field that works. A null on the page proves that the
 * service does not omit empty fields. So the check needs a page with a null, and with at least `MIN_RECORDS_TO_JUDGE`
 * records.
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
