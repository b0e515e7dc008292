import type { ListHabits, ModelRecord } from './modelList';
import { COLUMNS, ModelList, randomFrom, USUAL } from './modelList';
import type { Polled } from './modelPolls';
import { ModelPolls } from './modelPolls';
import type { Watch } from '../../../../nodes/ContactTaskCrm/trigger/watch';

export const MINUTE_MS = 60_000;

/** What may happen to records, and how often each of it does in relation to the others. */
export type Kind =
	| 'create'
	| 'createLate'
	| 'update'
	| 'move'
	| 'complete'
	| 'reopen'
	| 'place'
	| 'hide'
	| 'restore'
	| 'remove'
	| 'join'
	| 'leave';

/** A time in which something happens, steadily. */
export interface Phase {
	minutes: number;
	perMinute: number;
	kinds: readonly Kind[];
	/** Happens at once at the beginning of each minute, as an import does. */
	isBurst?: boolean;
	/** The chance that a page fails. */
	failing?: number;
	/** n8n is killed at its end. */
	isKilled?: boolean;
}

export interface Storm {
	initial: number;
	/** Seconds between the creation of two of them. */
	apart: number;
	/** How many of the initial people are in the segment. */
	members?: number;
	habits?: Partial<ListHabits>;
	phases: readonly Phase[];
	maxRequests: number;
	seed?: number;
	pageSize?: number;
	/** Minutes between two polls. */
	interval?: number;
	/** A page that fails for good. */
	failingPage?: number;
}

/** Something that happened, for whoever judges. */
export interface Deed {
	kind: Kind;
	record: ModelRecord;
	/** A copy of the record before and after. */
	before: ModelRecord | undefined;
	after: ModelRecord;
	at: number;
}

export interface Course {
	list: ModelList;
	polls: ModelPolls;
	deeds: Deed[];
	polled: Polled[];
	/** When the first poll began. */
	activatedAt: number;
	/** The index of the poll before which n8n was killed. */
	kills: number[];
}

const LATE_MS = 60_000;

/** Plays a storm through, and polls on until the list was read several times after it. */
export function play(storm: Storm, watch: Watch): Course {
	const random = randomFrom(storm.seed ?? 1);
	const list = new ModelList({ ...USUAL, ...storm.habits }, random);
	list.now -= storm.initial * storm.apart * 1000;
	for (let index = 0; index < storm.initial; index++) {
		list.create(0, {
			isMember: index < (storm.members ?? 0),
			completedAt: index % 3 === 0 ? list.now : undefined,
			status: index % COLUMNS.length,
		});
		list.now += storm.apart * 1000;
	}
	const deeds: Deed[] = [];
	let due: Array<{ at: number; kind: Kind }> = [];
	let failing = 0;
	const pass = (to: number) => {
		while (due.length > 0 && due[0].at <= to) {
			const { at, kind } = due.shift()!;
			list.now = Math.max(list.now, at);
			const deed = act(list, kind, random);
			if (deed) deeds.push(deed);
		}
		list.now = Math.max(list.now, to);
	};
	const polls = new ModelPolls(
		list,
		{ ...watch, pageSize: storm.pageSize ?? 30 },
		storm.maxRequests,
		() => pass(list.now + 300),
		(page) => page === storm.failingPage || random() < failing,
	);
	const polled: Polled[] = [];
	const kills: number[] = [];
	list.now += 5_000;
	const activatedAt = list.now;
	let next = list.now;
	const pollAt = (time: number) => {
		pass(time);
		polled.push(polls.poll());
	};
	pollAt(next);
	const interval = (storm.interval ?? 1) * MINUTE_MS;
	for (const phase of storm.phases) {
		const start = next;
		const end = start + phase.minutes * MINUTE_MS;
		const count = Math.round(phase.minutes * phase.perMinute);
		due = [
			...due,
			...Array.from({ length: count }, (_, index) => {
				const minute = Math.floor(index / phase.perMinute);
				const at = phase.isBurst
					? start + minute * MINUTE_MS + 1000
					: start + ((index + random()) / Math.max(1, count)) * (end - start);
				return { at, kind: phase.kinds[Math.floor(random() * phase.kinds.length)] };
			}),
		].sort((one, other) => one.at - other.at);
		failing = phase.failing ?? 0;
		while (next + interval <= end) {
			next += interval;
			pollAt(next);
		}
		next = Math.max(next, end);
		if (phase.isKilled) {
			polls.kill();
			kills.push(polled.length);
		}
	}
	failing = 0;
	pass(next);
	settle(list, polls, polled, pass, watch);
	return { list, polls, deeds, polled, activatedAt, kills };
}

/** Polls on while nothing happens, until the list was read several times from its beginning. */
function settle(
	list: ModelList,
	polls: ModelPolls,
	polled: Polled[],
	pass: (to: number) => void,
	watch: Watch,
): void {
	const isRandom = list.habits.order === 'none' || list.habits.shufflesTies;
	const least = isRandom ? 24 : 5;
	const from = polls.state?.scan.number ?? 0;
	const scans = () => (polls.state?.scan.number ?? 0) - from;
	// Scans in a row that saw everybody: one alone may be one that mistakes marks of long ago for its own.
	let whole = 0;
	// Where a scan never sees all, there is always somebody whom the last one did not see.
	const isScanned = () => scans() >= least && (whole >= 2 || (isRandom && scans() >= 3 * least));
	let windows = 0;
	for (let count = 0; watch.hasScan ? !isScanned() : windows < least; count++) {
		pass(list.now + MINUTE_MS);
		const before = scans();
		polled.push(polls.poll());
		const isEnd = scans() > before;
		if (isEnd) whole = polls.state?.absent.length === 0 ? whole + 1 : 0;
		const { window, byPageUntil } = polls.state ?? {};
		if (byPageUntil === undefined ? window?.cursor.pages === 0 : isEnd) windows++;
		if (count > 50_000) throw new Error('The scans do not end');
	}
}

function act(list: ModelList, kind: Kind, random: () => number): Deed | undefined {
	if (kind === 'create' || kind === 'createLate') {
		const record = list.create(kind === 'createLate' ? LATE_MS : 0, { isMember: random() < 0.1 });
		return { kind, record, before: undefined, after: { ...record }, at: list.now };
	}
	const all = [...list.records.keys()];
	const id = all[Math.floor(random() * all.length)];
	const record = id === undefined ? undefined : list.records.get(id);
	if (!record) return undefined;
	const before = { ...record };
	const column = Math.floor(random() * COLUMNS.length);
	if (kind === 'remove') list.remove(record.id);
	else if (kind === 'place') list.change(record.id, { position: Math.floor(random() * 1_000_000) });
	else if (kind === 'move') list.change(record.id, { status: column });
	else if (kind === 'complete') list.change(record.id, { completedAt: list.now });
	else if (kind === 'reopen') list.change(record.id, { completedAt: undefined });
	else if (kind === 'hide') list.change(record.id, { isHidden: true });
	else if (kind === 'restore') list.change(record.id, { isHidden: false });
	else if (kind === 'join') list.change(record.id, { isMember: true });
	else if (kind === 'leave') list.change(record.id, { isMember: false });
	else list.change(record.id, {});
	return { kind, record, before, after: { ...record }, at: list.now };
}
