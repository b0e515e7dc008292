import type { IDataObject } from 'n8n-workflow';
import { systemClock } from '../http/clock';
import { ServiceError } from '../http/errors';
import type { ServedPage } from '../http/paging';
import { asRecord } from '../run/output';
import { labelOf } from '../schema/label';
import { rethrow, UnusableParameter } from '../util/errors';
import { headStep } from './head';
import { readTitles } from './items';
import { memberStep, applySharedPerson } from './members';
import type { TriggerMemory } from './memory';
import type { Reading, Step } from './reading';
import { compareRecords, startReading } from './reading';
import { assertAnchorsExist, readPage, readPerson, missingDateError } from './requests';
import { scanStep } from './scan';
import type { Spending } from './spending';
import type { TriggerState } from './state';
import { startState } from './state';
import type { Watch } from './watch';

/** What is watched is made sure to exist this often. */
const ANCHOR_CHECK_MS = 60 * 60_000;

/** What is read before the list is so in one of this many polls: polls far apart may send little else. */
const SIDE_READ_EVERY = 4;

/** As many records that do not show a field, and the service never does. */
const MIN_RECORDS_TO_JUDGE = 10;

/** A page that another trigger read longer ago does not replace a look of this one. */
const FRESH_MS = 15_000;

/**
 * Reads on from where the last poll stopped, until nothing is left to read or to spend.
 *
 * @param saved what the last poll left; undefined in the first one
 * @returns what was read, and what kept it from reading on; does not throw
 */
export async function readChanges(
	spending: Spending,
	watch: Watch,
	memory: TriggerMemory,
	saved: TriggerState | undefined,
): Promise<Reading> {
	const reading = startReading(watch, saved, memory);
	try {
		await checkAnchors(spending, reading, memory);
		await readList(spending, reading, memory);
	} catch (error) {
		reading.failure = { error };
	}
	if (spending.hasRead) {
		memory.pollNumber++;
		memory.isScanOverdue = !reading.hasScanned && !reading.isScanDone;
	}
	if (reading.hasBegun || reading.failure) return reading;
	// Nothing could be read, and yet what happens from now on has happened since the trigger began.
	const { firstAnsweredAt } = spending;
	if (firstAnsweredAt === undefined) reading.failure = { error: missingDateError() };
	else Object.assign(reading, { state: startState(watch.key, firstAnsweredAt), hasBegun: true });
	return reading;
}

async function readList(
	spending: Spending,
	reading: Reading,
	memory: TriggerMemory,
): Promise<void> {
	const { watch, pollNumber } = reading;
	// The list has a request left, also where there are many pages of titles.
	const mayReadTitles = reading.hasBegun && pollNumber % SIDE_READ_EVERY === 2;
	if (mayReadTitles) await readTitles(spending, watch, [], spending.limit > 1 ? 1 : 0);
	while (await readNext(spending, reading, memory));
	if (reading.changes.length > 0) await readTitles(spending, watch, reading.changes);
}

/** @returns whether the poll goes on */
async function readNext(
	spending: Spending,
	reading: Reading,
	{ shared, place }: TriggerMemory,
): Promise<boolean> {
	if (shared && reading.hasBegun) {
		for (const { asked: request, page, readAt } of shared.pages.since(shared.next)) {
			applySharedPage(reading, request, page, systemClock.now() - readAt <= FRESH_MS);
			spending.hasRead = true;
			place.servedAt = systemClock.now();
		}
		shared.next = shared.pages.end;
	}
	spending.hasChanges = reading.changes.length > 0;
	spending.isBehind = reading.isBehind;
	Object.assign(reading, { sent: spending.sent, limit: spending.limit });
	const step = nextStep(reading);
	if (!step) return false;
	const until = spending.slotWaitEndsAt;
	const ask = async () => ({ page: await readStep(spending, reading, step) });
	try {
		const answer = await (shared && reading.hasBegun ? shared.pages.alone(until, ask) : ask());
		if (!answer) return systemClock.now() < until;
		const { page } = answer;
		if (!page) return false;
		if (!reading.hasBegun) {
			assertFieldsShown(reading.watch, page.members.map(asRecord));
			reading.state.began = spending.firstAnsweredAt ?? page.servedAt;
		} else shared?.pages.add(step.request, page);
		if (shared) shared.next = shared.pages.end;
		applyPage(reading, step, page);
	} catch (error) {
		if (!concernsOnePage(error)) return rethrow(error);
		reading.failure = { error };
		return reading.hasBegun && step.onFailure();
	}
	reading.hasBegun = true;
	return true;
}

/** Reads what a step asks for; undefined when the poll may send nothing more. */
async function readStep(
	spending: Spending,
	{ watch }: Reading,
	{ request }: Step,
): Promise<ServedPage | undefined> {
	if (typeof request === 'string') return await readPerson(spending, request);
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
 * Takes a page that another trigger read: as an answer to a step, if the step would ask for the same, else as news of its
 * records.
 */
function applySharedPage(reading: Reading, request: unknown, page: ServedPage, isFresh: boolean) {
	if (page.servedAt < reading.servedAt) return;
	const { isHeadDone, isScanDone, state } = reading;
	const text = JSON.stringify(request);
	const steps = [headStep(reading), memberStep(reading), scanStep(reading)];
	const step = steps.find((one) => one && JSON.stringify(one.request) === text);
	if (step) applyPage(reading, step, page);
	else {
		reading.servedAt = page.servedAt;
		if (typeof request === 'string') applySharedPerson(reading, request, page);
		// The scan missed a record that it has not seen, so that it has not read the whole list.
		else if (compareRecords(reading, page.members, false).firstSeen.length > 0) state.quiet = -1;
	}
	if (!isFresh) Object.assign(reading, { isHeadDone, isScanDone });
}

/** Whether the service is there, and cannot give the one page or record. */
function concernsOnePage(error: unknown): boolean {
	const { status = 401 } = error instanceof ServiceError ? error : {};
	return ![401, 403, 404].includes(status);
}

/**
 * Returns the next step of this poll. The likely places of changes come first: the recent end, and members who may have
 * left. The scan follows, and the poll keeps one request for it. If a poll has no request for the scan, the next poll
 * begins with the scan.
 *
 * @returns undefined when the poll has read all it wants, or all it may
 */
function nextStep(reading: Reading): Step | undefined {
	const { watch, limit, sent, hasBegun, hasScanned, isScanOverdue, isScanDone } = reading;
	const left = limit - sent;
	if (left < 1) return undefined;
	// The newest are looked at once in a poll, where those beyond the mark are found to take more than a page.
	const hasSpare = left > 1 || watch.readsNewOnly || limit === 1;
	const mayReadHead = !hasBegun || isScanDone || (hasSpare && (hasScanned || !isScanOverdue));
	const likely = mayReadHead ? (headStep(reading) ?? likelyMemberStep(reading)) : undefined;
	return likely ?? (isScanDone ? undefined : scanStep(reading));
}

/** Not more than half of what the poll may send, so that many who leave do not hold up the scan; nearly all if it is behind. */
function likelyMemberStep(reading: Reading): Step | undefined {
	const { limit, sent } = reading;
	const most = reading.isBehind ? limit - 1 : limit / 2;
	return sent < most || limit === 1 ? memberStep(reading) : undefined;
}

/**
 * Makes sure that what is watched exists: all of it at the beginning, and then one after the other once
 * in a while, so that something is left of the poll to read the list.
 *
 * @throws ServiceError where something does not exist, or the key may not see it
 */
async function checkAnchors(
	spending: Spending,
	reading: Reading,
	memory: TriggerMemory,
): Promise<void> {
	const { hasBegun, pollNumber, watch } = reading;
	const { anchors } = watch;
	if (anchors.length === 0) return;
	if (!hasBegun) {
		await assertAnchorsExist(spending, anchors);
		return;
	}
	const { polledAt, checkedAt } = memory;
	if (pollNumber % SIDE_READ_EVERY !== 0 || polledAt - checkedAt < ANCHOR_CHECK_MS / anchors.length)
		return;
	// Before it is asked for: where it cannot be, the next polls read the list all the same.
	memory.checkedAt = polledAt;
	const next = anchors[memory.checks++ % anchors.length];
	await assertAnchorsExist(spending, [next]);
}

/**
 * Makes sure that the service shows the watched fields: a change of one that it does not show would never start the
 * workflow. A service that leaves out what is empty, so that nothing on the page is null, says nothing of that, nor do a
 * few records: one that leaves it out now and then may have done so in all of them.
 *
 * @throws UnusableParameter that names the field
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
