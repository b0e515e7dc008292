import type { IDataObject } from 'n8n-workflow';
import { ServiceError } from '../http/errors';
import { asRecord } from '../run/output';
import { labelOf } from '../schema/label';
import { rethrow, UnusableParameter } from '../util/errors';
import { headStep } from './head';
import { readTitles } from './items';
import { memberStep } from './members';
import type { TriggerMemory } from './memory';
import type { Reading, Step } from './reading';
import { startReading } from './reading';
import type { PollRequests } from './requests';
import { timeless } from './requests';
import { scanStep } from './scan';
import type { TriggerState } from './state';
import { startState } from './state';
import type { Watch } from './watch';

/** What is watched is made sure to exist this often. */
const CHECK_MS = 60 * 60_000;

/** What is read before the list is so in one of this many polls: polls far apart may send little else. */
const BEFORE_LIST_EVERY = 4;

/** As many records that do not show a field, and the service never does. */
const TELLING_RECORDS = 10;

/**
 * Reads on from where the last poll stopped, until nothing is left to read or to spend.
 *
 * @param saved what the last poll left; undefined in the first one
 * @returns what was read, and what kept it from reading on; does not throw
 */
export async function readChanges(
	requests: PollRequests,
	watch: Watch,
	memory: TriggerMemory,
	saved: TriggerState | undefined,
): Promise<Reading> {
	const reading = startReading(watch, saved, memory);
	memory.turn++;
	try {
		await makeSureItExists(requests, reading, memory);
		await readList(requests, reading);
	} catch (error) {
		reading.failure = { error };
	}
	if (requests.hasRead) memory.isScanOwed = !reading.hasScanned && !reading.isScanDone;
	if (reading.hasBegun || reading.failure) return reading;
	// Nothing could be read, and yet what happens from now on has happened since the trigger began.
	const { firstAnsweredAt } = requests;
	if (firstAnsweredAt === undefined) reading.failure = { error: timeless() };
	else Object.assign(reading, { state: startState(watch.key, firstAnsweredAt), hasBegun: true });
	return reading;
}

async function readList(requests: PollRequests, reading: Reading): Promise<void> {
	const { watch, turn } = reading;
	// The list has a request left, also where there are many pages of titles.
	const isForTitles = reading.hasBegun && turn % BEFORE_LIST_EVERY === 2;
	if (isForTitles) await readTitles(requests, watch, [], requests.limit > 1 ? 1 : 0);
	reading.limit = requests.limit;
	while (await readNext(requests, reading));
	if (reading.changes.length > 0) await readTitles(requests, watch, reading.changes);
}

/** @returns whether the poll goes on */
async function readNext(requests: PollRequests, reading: Reading): Promise<boolean> {
	const { watch, state } = reading;
	reading.sent = requests.sent;
	const step = nextStep(reading);
	if (!step) return false;
	try {
		const { asks } = step;
		const isOfPerson = typeof asks === 'string';
		const page = isOfPerson ? await requests.person(asks) : await requests.page(watch, asks);
		if (!page) return false;
		reading.hasScanned ||= step.isOfScan === true;
		if (!reading.hasBegun) {
			assertShown(watch, page.members.map(asRecord));
			state.began = requests.firstAnsweredAt ?? page.servedAt;
		}
		reading.servedAt = page.servedAt;
		step.take(page);
	} catch (error) {
		if (!isOfPage(error)) return rethrow(error);
		reading.failure = { error };
		return reading.hasBegun && step.fail();
	}
	reading.hasBegun = true;
	return true;
}

/** Whether the service is there, and cannot give the one page or record. */
function isOfPage(error: unknown): boolean {
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
	const { watch, limit, sent, hasBegun, hasScanned, isScanOwed, isScanDone } = reading;
	const left = limit - sent;
	if (left < 1) return undefined;
	// The newest are looked at once in a poll, where those beyond the mark are found to take more than a page.
	const isSpared = left > 1 || watch.isOfNew || limit === 1;
	const mayLook = !hasBegun || isScanDone || (isSpared && (hasScanned || !isScanOwed));
	const likely = mayLook ? (headStep(reading) ?? likelyMember(reading)) : undefined;
	return likely ?? (isScanDone ? undefined : scanStep(reading));
}

/** Not more than half of what the poll may send, so that many who leave do not hold up the scan. */
function likelyMember(reading: Reading): Step | undefined {
	const { watch, limit, sent } = reading;
	const isForMembers = watch.isMember !== undefined && (sent < limit / 2 || limit === 1);
	return isForMembers ? memberStep(reading) : undefined;
}

/**
 * Makes sure that what is watched exists: all of it at the beginning, and then one after the other once
 * in a while, so that something is left of the poll to read the list.
 *
 * @throws ServiceError where something does not exist, or the key may not see it
 */
async function makeSureItExists(
	requests: PollRequests,
	reading: Reading,
	memory: TriggerMemory,
): Promise<void> {
	const { hasBegun, turn, watch } = reading;
	const { anchors } = watch;
	if (anchors.length === 0) return;
	if (!hasBegun) {
		await requests.assertExist(anchors);
		return;
	}
	const { polledAt, checkedAt } = memory;
	if (turn % BEFORE_LIST_EVERY !== 0 || polledAt - checkedAt < CHECK_MS / anchors.length) return;
	// Before it is asked for: where it cannot be, the next polls read the list all the same.
	memory.checkedAt = polledAt;
	const next = anchors[memory.checks++ % anchors.length];
	await requests.assertExist([next]);
}

/**
 * Makes sure that the service shows the watched fields: a change of one that it does not show would never start the
 * workflow. A service that leaves out what is empty, so that nothing on the page is null, says nothing of that, nor do a
 * few records: one that leaves it out now and then may have done so in all of them.
 *
 * @throws UnusableParameter that names the field
 */
function assertShown({ watchedFields }: Watch, records: IDataObject[]): void {
	if (records.length < TELLING_RECORDS) return;
	if (!records.some((record) => Object.values(record).includes(null))) return;
	const missing = watchedFields.find((name) => !records.some((record) => name in record));
	if (missing === undefined) return;
	throw new UnusableParameter(
		`Watched Fields: the service shows no "${labelOf(missing)}" (${missing}) of any of ${records.length} records`,
		'Choose another field: a change of this one could never start the workflow',
	);
}
