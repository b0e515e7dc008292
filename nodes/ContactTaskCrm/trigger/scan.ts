import { asRecord } from '../runtime/output';
import { compare, withSteps } from './compare';
import { advanced } from './cursor';
import type { Advance } from './cursor';
import { fromText } from './observationText';
import { markOf, MARKS } from './memory';
import type { StepOutcome, PollProgress } from './plan';
import { isByPage } from './plan';
import type { Scan, Steps, TriggerState } from './state';
import { startScan } from './state';
import { timeOf } from './times';
import type { ServedPage, Watch } from './watch';

/** A list that does not keep to its order is read page by page this long; then it is tried again. */
const BY_PAGE_MS = 60 * 60_000;
/** Scans in a row without anybody unknown, and a list without a total counts as read. */
const QUIET_SCANS_WITHOUT_TOTAL = 4;
/** The same where the totals never add up. */
const QUIET_SCANS_AGAINST_TOTAL = 10;
/** Scans in a row that have to see exactly what the total says before anything is forgotten. */
const LEAST_EXACT_SCANS = 2;
/** A memory may hold this many records more than twice those there are. */
const SPARE_RECORDS = 1_000;
/** Scans after which a member who is out of sight is read again, or more where there are more of them. */
const HIDDEN_SCANS = 8;
/** Of the steps between neighbours, how many have to go the same way for a list to be in that order. */
const IN_ORDER = 0.9;

/** The full scan with one more page. */
export function withScanPage(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	progress: PollProgress,
): StepOutcome {
	const compared = compare(watch, state, page, true);
	const { changes, unseen, unknown, hasMatch } = compared;
	const { scan } = state;
	const records = page.members.map(asRecord);
	const counted: Scan = {
		...scan,
		seen: scan.seen + unseen,
		unknown: scan.unknown + unknown,
		hasMatch: scan.hasMatch || hasMatch,
		created: withSteps(
			scan.created,
			records.map(({ createdAt }) => timeOf(createdAt)),
		),
		changed: withSteps(
			scan.changed,
			records.map(({ updatedAt, createdAt }) => timeOf(updatedAt) ?? timeOf(createdAt)),
		),
	};
	const paging = isByPage(watch, state) ? 'byPage' : 'byTime';
	const { pageSize } = watch;
	const advance = advanced(counted, { page, paging, pageSize, unseen });
	const next = afterPage(watch, compared.state, advance, page.servedAt);
	const isScanDone = advance.outcome === 'ended';
	return { state: next, changes, progress: { ...progress, isScanDone } };
}

function afterPage(
	watch: Watch,
	state: TriggerState,
	{ cursor, outcome }: Advance<Scan>,
	servedAt: number,
): TriggerState {
	if (outcome === 'goesOn') return { ...state, scan: cursor };
	if (outcome === 'unordered') return readByPage(state, servedAt);
	return finished(watch, { ...state, scan: cursor });
}

/** From here on page by page, for a while. */
export function readByPage(state: TriggerState, servedAt: number): TriggerState {
	return {
		...state,
		byPageUntil: servedAt + BY_PAGE_MS,
		scan: startScan(state.scan.number + 1),
	};
}

/** The state after the last page of a scan. */
function finished(watch: Watch, state: TriggerState): TriggerState {
	const { scan } = state;
	const quietScans = scan.unknown === 0 && !scan.isGapped ? state.quietScans + 1 : 0;
	const isRead = state.isListRead || leftNothingOut(watch, state, quietScans);
	const exactScans = isExactScan(scan) ? state.exactScans + 1 : 0;
	const ended: TriggerState = {
		...state,
		isListRead: isRead,
		quietScans,
		exactScans,
		hasGap: scan.isGapped,
		hasMatches: scan.hasMatch,
		head: headOf(watch, state),
		scan: startScan(scan.number + 1),
	};
	if (watch.isMember) return scan.isGapped ? ended : { ...ended, absent: absentIn(watch, state) };
	return exactScans >= LEAST_EXACT_SCANS ? withoutGone(ended, scan) : ended;
}

/**
 * Whether every record of the list was certainly seen, in this scan or before: a single page shows a
 * moment; by time nothing shifts, unless a second takes several pages; else a scan has to find nobody
 * unknown, and as many have to be known as the total says.
 */
function leftNothingOut(watch: Watch, state: TriggerState, quietScans: number): boolean {
	const { scan, memory } = state;
	if (scan.isGapped) return false;
	if (scan.pages === 1 || (!isByPage(watch, state) && !scan.isCrowded)) return true;
	const { firstTotal, total = firstTotal } = scan;
	if (firstTotal === undefined || total === undefined) {
		return quietScans >= QUIET_SCANS_WITHOUT_TOTAL;
	}
	// One that comes while another goes can hide a third; creation times tell that it is old.
	const isTrusted = !watch.mayBeBackdated && !watch.isMember;
	if (isTrusted && isExactScan(scan)) return true;
	const isWhole = memory.size >= Math.max(firstTotal, total);
	return quietScans >= (isWhole ? 1 : QUIET_SCANS_AGAINST_TOTAL);
}

/** Whether a scan saw exactly what each of its pages said that there is. */
function isExactScan({ isGapped, isSteady, firstTotal, seen }: Scan): boolean {
	return !isGapped && isSteady && firstTotal === seen;
}

/**
 * The members whom a complete scan did not see, those first whom the most scans before did not: where
 * equals come in another order on each page, many are not seen who are there. Each is read before they
 * count as gone. Those who are archived, and out of sight for that, take turns in being read again.
 */
function absentIn({ aspects }: Watch, { memory, scan, dictionary }: TriggerState): string[] {
	const scansAgo = new Map(
		Array.from({ length: MARKS }, (_, ago) => [markOf(scan.number + MARKS - ago), ago]),
	);
	const absent: Array<{ key: string; ago: number }> = [];
	const hidden: string[] = [];
	memory.forEach((value, key) => {
		const ago = scansAgo.get(value.charAt(0)) ?? 0;
		const { membership } = fromText(value.slice(1), aspects, dictionary);
		if (membership === 'hidden' || membership === 'hiddenOther') hidden.push(key);
		else if (ago > 0) absent.push({ key, ago });
	});
	const keys = absent.sort((one, other) => other.ago - one.ago).map(({ key }) => key);
	const turn = scan.number % Math.max(HIDDEN_SCANS, hidden.length);
	return [...keys, ...hidden.slice(turn, turn + 1)];
}

/** Forgets what several complete scans did not see, once it takes more than what is there. */
function withoutGone(state: TriggerState, scan: Scan): TriggerState {
	if (state.memory.size <= 2 * scan.seen + SPARE_RECORDS) return state;
	const recent = [markOf(scan.number), markOf(scan.number + MARKS - 1)];
	const gone = new Map<string, undefined>();
	state.memory.forEach((value, key) => {
		if (!recent.includes(value.charAt(0))) gone.set(key, undefined);
	});
	return { ...state, memory: state.memory.with(gone) };
}

/**
 * Where the list shows what has changed: at its beginning where the newest comes first, at its end
 * where it comes last. A list of one page is read at once.
 */
function headOf(watch: Watch, state: TriggerState): TriggerState['head'] {
	const { scan } = state;
	if (!isByPage(watch, state) || watch.isTimed || scan.pages < 2) return undefined;
	const changed = direction(scan.changed);
	const created = direction(scan.created);
	const toldByCreation = watch.events.some(({ compares }) => compares.length === 0);
	const order = changed === 'falling' ? changed : toldByCreation ? (created ?? changed) : changed;
	if (order === undefined) return undefined;
	const last = Math.max(1, Math.ceil((scan.total ?? scan.seen) / Math.max(1, scan.size)));
	const { pages } = scan;
	return order === 'falling'
		? { end: 'first', page: 1, pages }
		: { end: 'last', page: last, pages };
}

function direction({ rising, falling }: Steps): 'rising' | 'falling' | undefined {
	const steps = rising + falling;
	if (steps === 0) return undefined;
	if (rising >= IN_ORDER * steps) return 'rising';
	return falling >= IN_ORDER * steps ? 'falling' : undefined;
}
