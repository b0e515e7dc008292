import { asRecord } from '../run/output';
import { instantOf } from '../util/dateTime';
import { compare, roundsSince } from './compare';
import { advance, pageQuery, passFailure } from './cursor';
import { countMissing, endRound } from './members';
import type { PageStep, Reading } from './reading';
import type { Scan, TriggerState } from './state';
import { GAPPED, MOVED, startScan, SURE } from './state';
import type { QueryPair, ServedPage, Watch } from './watch';

/** A list that does not keep to its order is read page by page this long; then it is tried again. */
const BY_PAGE_MS = 60 * 60_000;
/** Scans in a row without anybody unknown, and a list without a total counts as read. */
const QUIET_SCANS_WITHOUT_TOTAL = 4;
/** The same where the totals never add up. */
const QUIET_SCANS_AGAINST_TOTAL = 10;
/** Scans in a row that have to see exactly what the total says before anything is forgotten. */
const LEAST_EXACT_SCANS = 2;
/** As many records more than twice those there are may be remembered. */
const SPARE_RECORDS = 1_000;
/** Of the steps between neighbours, how many have to go the same way for a list to be in that order. */
const IN_ORDER = 0.9;

/** Whether the list is read by the number of the page. */
export function isByPage({ isTimed }: Watch, { byPageUntil }: TriggerState): boolean {
	return !isTimed || byPageUntil !== undefined;
}

/** Whether a scan is that of archived people, whom the list of a segment may hide. */
function isOfArchived({ number }: Scan): boolean {
	return number % 2 === 1;
}

/** The scan's next page. */
export function scanStep(reading: Reading): PageStep {
	const { watch, state } = reading;
	const { filters, pageSize } = watch;
	const archived: QueryPair[] = isOfArchived(state.scan) ? [['exists[archivedAt]', 'true']] : [];
	const paging = { isByPage: isByPage(watch, state), pageSize };
	return {
		query: [...filters, ...archived, ...pageQuery(state.scan, paging)],
		take: (page) => takeScanPage(reading, page),
		fail: () => passFailure(state.scan),
	};
}

function takeScanPage(reading: Reading, page: ServedPage): void {
	const { watch, state } = reading;
	const { scan } = state;
	const { unseen, unknown } = compare(reading, page.members, true);
	scan.seen += unseen;
	if (unknown.length > 0) state.quiet = -1;
	const records = page.members.map(asRecord);
	const created = records.map(({ createdAt }) => instantOf(createdAt));
	const changed = records.map(({ updatedAt }, index) => instantOf(updatedAt) ?? created[index]);
	countSteps(scan, 0, created);
	countSteps(scan, 2, changed);
	// Where the service drops the filter, who is archived cannot be told from who is not there.
	const isUnfiltered = isOfArchived(scan) && records.some(({ archivedAt }) => !archivedAt);
	if (isUnfiltered && scan.doubt === SURE) scan.doubt = MOVED;
	const { pageSize } = watch;
	const paging = { isByPage: isByPage(watch, state), pageSize, known: scan.seen };
	const outcome = advance(scan, page, paging);
	if (outcome === 'unordered') readByPage(state, page.servedAt);
	if (outcome === 'ended') finish(reading);
}

/** From here on page by page, for a while. */
export function readByPage(state: TriggerState, servedAt: number): void {
	state.byPageUntil = servedAt + BY_PAGE_MS;
	state.scan = startScan(nextRound(state.scan));
}

/** Asks for the order again, once a list was read page by page for long enough; a scan is read to its end before. */
export function retryOrder(state: TriggerState, now: number): void {
	if (state.byPageUntil === undefined || state.scan.shown > 0) return;
	if (now >= state.byPageUntil) delete state.byPageUntil;
}

function nextRound({ number }: Scan): number {
	return 2 * Math.floor(number / 2) + 2;
}

/** What the end of a scan leads to: who has left a segment, and what need not be remembered any more. */
function finish(reading: Reading): void {
	const { watch, state } = reading;
	const { scan } = state;
	const isFirstHalf = watch.isMember !== undefined && !isOfArchived(scan);
	const missing = isFirstHalf ? countMissing(state) : 0;
	const hasShownAll = isExactScan(watch, state);
	const isRead = state.isListRead || leftNothingOut(watch, state, hasShownAll);
	// To read a single member takes no more than to read the list of those who are archived.
	if (isFirstHalf && (!state.isListRead || missing > 1)) {
		// What the list itself came to goes with the scan of those whom it hides.
		const doubt = hasShownAll && isRead ? SURE : isRead ? MOVED : GAPPED;
		state.scan = { ...startScan(scan.number + 1), doubt };
		return;
	}
	reading.isScanDone = true;
	reading.mustOutlast ||= isRead !== state.isListRead;
	state.isListRead = isRead;
	state.quiet++;
	state.exact = hasShownAll && missing === 0 ? state.exact + 1 : 0;
	const head = headOf(watch, state);
	if (head === undefined) delete state.head;
	else state.head = head;
	if (watch.isMember) endRound(reading);
	else forgetGone(state);
	state.scan = startScan(nextRound(scan));
}

/** Whether a scan saw exactly what each of its pages said that there is. */
function isExactScan(watch: Watch, state: TriggerState): boolean {
	const { doubt, firstTotal, seen } = state.scan;
	const isTimed = !isByPage(watch, state);
	if (firstTotal === undefined) return isTimed && doubt === SURE;
	const maySkip = isTimed && !isOfArchived(state.scan) ? doubt === GAPPED : doubt !== SURE;
	return firstTotal === seen && !maySkip;
}

/**
 * Whether every record of the list was certainly seen, in this scan or before: a single page shows a
 * moment; by time nothing shifts, unless a second takes several pages; else a scan has to find nobody
 * unknown, and as many have to be known as the total says.
 */
function leftNothingOut(watch: Watch, state: TriggerState, isExact: boolean): boolean {
	const { scan, records } = state;
	if (scan.doubt === GAPPED) return false;
	// As it was when the list itself had been read.
	if (isOfArchived(scan)) return true;
	const isOnePage = scan.page === 1 && scan.after === undefined;
	if (isOnePage || (!isByPage(watch, state) && scan.doubt === SURE)) return true;
	const quiet = state.quiet + 1;
	if (scan.firstTotal === undefined) return quiet >= QUIET_SCANS_WITHOUT_TOTAL;
	// One that comes while another goes can hide a third; creation times tell that it is old.
	if (isExact && !watch.mayBeBackdated && !watch.isMember) return true;
	return quiet >= (records.size >= scan.firstTotal ? 1 : QUIET_SCANS_AGAINST_TOTAL);
}

/** Forgets what several exact scans did not see, once it takes more than what is there. */
function forgetGone({ records, scan, exact }: TriggerState): void {
	if (exact < LEAST_EXACT_SCANS || records.size <= 2 * scan.seen + SPARE_RECORDS) return;
	for (const [key, line] of records) {
		if (roundsSince(line, scan) > 1) records.delete(key);
	}
}

/** Counts how the times of neighbours follow each other. */
function countSteps({ order }: Scan, place: 0 | 2, times: Array<number | undefined>): void {
	const known = times.filter((time) => time !== undefined);
	known.slice(1).forEach((time, index) => {
		if (time > known[index]) order[place]++;
		if (time < known[index]) order[place + 1]++;
	});
}

/**
 * The page on which the list shows what has changed: its first where the newest comes first, its last
 * where it comes last. A list of one page is read at once.
 */
function headOf({ isTimed, events }: Watch, { scan }: TriggerState): number | undefined {
	if (isTimed || scan.page < 2) return undefined;
	const created = direction(scan.order[0], scan.order[1]);
	const changed = direction(scan.order[2], scan.order[3]);
	const toldByCreation = events.some(({ compares }) => compares.length === 0);
	const order = changed === 'falling' ? changed : toldByCreation ? (created ?? changed) : changed;
	if (order === undefined) return undefined;
	return order === 'falling' ? 1 : scan.page;
}

function direction(rising: number, falling: number): 'rising' | 'falling' | undefined {
	const steps = rising + falling;
	if (steps === 0) return undefined;
	if (rising >= IN_ORDER * steps) return 'rising';
	return falling >= IN_ORDER * steps ? 'falling' : undefined;
}
