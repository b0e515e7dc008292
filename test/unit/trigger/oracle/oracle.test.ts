/* eslint-disable @n8n/community-nodes/no-restricted-globals -- the environment says how far to explore */
import type { IDataObject } from 'n8n-workflow';
import { keyLengthOf } from '../../../../nodes/ContactTaskCrm/trigger/compare';
import type { WatchedList } from '../../../../nodes/ContactTaskCrm/trigger/events';
import { eventsOf } from '../../../../nodes/ContactTaskCrm/trigger/events';
import { startFrom } from '../../../../nodes/ContactTaskCrm/trigger/progress';
import { readChanges } from '../../../../nodes/ContactTaskCrm/trigger/readChanges';
import { fromSaved, toSaved } from '../../../../nodes/ContactTaskCrm/trigger/state';
import type { TriggerState } from '../../../../nodes/ContactTaskCrm/trigger/state';
import { readingOf } from '../../../../nodes/ContactTaskCrm/trigger/watchOf';
import type { Row } from './simulatedCrm';
import { LISTINGS, SimulatedCrm } from './simulatedCrm';

/*
 * A second judge of the trigger, made from what the README promises and the interface says: it keeps a
 * ledger of what was done in the CRM, and holds what started the workflow against it.
 */

const RUNS = Number(process.env.RUNS ?? 40);
const SEED = Number(process.env.SEED ?? 1);
const SIZE = Number(process.env.RECORDS ?? 20);

/** Numbers from 0 to 1 without a pattern, the same for the same seed. */
function diceOf(seed: number): () => number {
	let state = (seed + 1) * 7919;
	return () => {
		// Park and Miller's minimal standard.
		state = (state * 48271) % 2147483647;
		return state / 2147483647;
	};
}

interface Started {
	event: string;
	id: string;
	record: IDataObject;
	before: IDataObject;
	/** When it was handed over, in seconds. */
	at: number;
}

/** A course of a CRM and a trigger on one of its lists, drawn from a number. */
async function course(list: WatchedList, seed: number) {
	const dice = diceOf(seed);
	const upTo = (most: number) => Math.floor(most ** dice());
	const pick = <T>(from: readonly T[]): T => from[Math.floor(dice() * from.length)];
	const isPeople = list === 'people' || list === 'segment';
	const listing = pick(LISTINGS);
	const crm = new SimulatedCrm(listing, dice, dice() < 0.8);
	const columns = ['a', 'b', 'c'].map((name) => `/workspaces/1/columns/${name}`);
	const initial = dice() < 0.2 ? 0 : upTo(SIZE);
	const apart = pick([0, 1, 3600]);
	for (let count = 0; count < initial; count++) {
		crm.store({ column: pick(columns), inSegment: dice() < 0.5 });
		crm.seconds += apart;
	}
	crm.seconds += 10;
	const activated = Math.floor(crm.seconds);
	const isMember = ({ segments }: IDataObject) => (segments as string[]).includes('/segments/s');
	const events = eventsOf(list);
	const watch = {
		...readingOf(list, events),
		key: list,
		list,
		path: isPeople ? '/people' : `/${list}`,
		subject: { noun: 'list' },
		record: undefined as never,
		events,
		filters: list === 'segment' ? [['segments.uuid', 's'] as const] : [],
		matches: () => true,
		...(list === 'segment' ? { isMember } : {}),
		anchors: [],
		pageSize: pick(SIZE < 50 ? [2, 3, 5] : [30, 30, 7]),
	};
	const started: Started[] = [];
	let memory: TriggerState | undefined;
	let disk: string | undefined;
	let process = `${list} ${seed}`;
	let firstRead: number | undefined;
	const limit = 1 + upTo(20);
	let outage = 0;
	const mayDo = (what: number) => {
		const row = crm.rows[Math.floor(dice() * crm.rows.length)] as Row | undefined;
		if (what < 0.3 || !row) return crm.store({ inSegment: dice() < 0.3, column: pick(columns) });
		if (!row.visible) return undefined;
		if (list === 'comments' || list === 'history') return undefined;
		if (what < 0.5) return crm.write(row, {});
		if (what < 0.7) return crm.write(row, { column: pick(columns), inSegment: !row.inSegment });
		if (what < 0.85) return crm.write(row, { done: crm.seconds });
		if (what < 0.95) return crm.write(row, { rank: dice() });
		if (list === 'segment') return undefined;
		return crm.write(row, { visible: false });
	};
	let pending = 0;
	const pass = (seconds: number, rate: number) => {
		const start = crm.seconds;
		pending += (seconds * rate) / 60;
		const count = Math.floor(pending);
		pending -= count;
		for (let done = 1; done <= count; done++) {
			crm.seconds = start + (seconds * done) / count;
			mayDo(dice());
		}
		crm.seconds = start + seconds;
	};
	const poll = async (rate: number) => {
		let sent = 0;
		const requests = {
			get sent() {
				return sent;
			},
			limit,
			now: crm.seconds * 1000,
			identity: 'crm',
			get firstAnsweredAt() {
				return memory ? undefined : activated * 1000;
			},
			assertExist: async () => true,
			records: async () => undefined,
			page: async (_: unknown, query: ReadonlyArray<readonly [string, string]>) => {
				if (sent >= limit) return undefined;
				sent++;
				pass(0.2 + dice(), rate);
				if (outage > 0) throw new Error('The service did not answer');
				return crm.page(watch.path, query);
			},
			person: async (id: string) => {
				sent++;
				pass(0.2, rate);
				const person = crm.person(id);
				return person ? { person } : {};
			},
		};
		const parts = { requests: requests as never, watch, logger: { debug: () => {} } };
		const { key } = watch;
		const saved = memory && toSaved(memory);
		const start = startFrom({ trigger: process, key, holder: watch }, saved, () => memory);
		const isFirst = memory === undefined;
		const { state, changes } = await readChanges(parts, memory);
		memory = state;
		const isQuiet = state !== undefined && start.keep(state, toSaved(state), crm.seconds * 1000);
		if (state?.isListRead) firstRead ??= crm.seconds;
		for (const { event, record, before } of changes) {
			started.push({ event: event.value, id: String(record.id), record, before, at: crm.seconds });
		}
		if (!state || (!isFirst && changes.length === 0 && !isQuiet)) return;
		start.handOver(changes.length > 0);
		disk = JSON.stringify(toSaved(state));
	};
	const phases = 1 + Math.floor(dice() * 3);
	for (let phase = 0; phase < phases; phase++) {
		const rate = dice() < 0.2 ? 0 : Math.min(upTo(1_000), SIZE);
		const minutes = 1 + upTo(30);
		for (
			let minute = 0;
			minute < Math.min(minutes, Math.ceil((4 * SIZE) / Math.max(1, rate)));
			minute++
		) {
			outage = memory && dice() < 0.1 ? 1 : 0;
			await poll(rate);
			pass(60, rate);
		}
		if (disk !== undefined && dice() < 0.4) {
			const loaded = fromSaved(JSON.parse(disk), list, keyLengthOf(watch));
			if (loaded.kind !== 'state') throw new Error(loaded.kind);
			memory = loaded.state;
			process += ' again';
			// Killed before n8n saved that the list was read, it reads it for the first time once more.
			if (!memory.isListRead) firstRead = undefined;
		}
	}
	outage = 0;
	crm.seconds += 300;
	const pages = Math.ceil(crm.rows.length / watch.pageSize) + 2;
	// Each scan, and each member who may have left; of a shuffled list a scan sees two of three records.
	const scans = listing === 'shuffled' ? 20 : 5;
	const rest = Math.ceil((pages * scans * 2 + crm.rows.length * 2) / limit) + 12;
	for (let count = 0; count < rest; count++) {
		await poll(0);
		crm.seconds += 60;
	}
	return { crm, listing, started, activated, firstRead };
}

type Course = Awaited<ReturnType<typeof course>>;

/** What the README promises and the course broke. */
function broken(
	list: WatchedList,
	{ crm, listing, started, activated, firstRead }: Course,
): string[] {
	const wrong: string[] = [];
	const of = (event: string) => started.filter((one) => one.event === event);
	const facts = new Map<string, Course['crm']['ledger']>();
	for (const fact of crm.ledger) facts.set(fact.id, [...(facts.get(fact.id) ?? []), fact]);
	const once = (event: string, key: (one: Started) => string) => {
		const seen = new Set<string>();
		for (const one of of(event)) {
			if (seen.has(key(one))) wrong.push(`${event} twice: ${key(one)}`);
			seen.add(key(one));
		}
		return seen;
	};
	const creation = {
		people: 'personCreated',
		tasks: 'taskCreated',
		comments: 'commentAdded',
		history: 'historyAdded',
		segment: '',
	}[list];
	const told = once(creation, ({ id }) => id);
	for (const row of crm.rows) {
		const isNew = Math.floor(row.created) > activated;
		if (creation !== '' && isNew && row.visible && !told.has(row.id))
			wrong.push(`${creation} missed`);
		if (Math.floor(row.created) < activated && told.has(row.id))
			wrong.push(`${creation} of what was there`);
	}
	const update = {
		people: 'personUpdated',
		tasks: 'taskUpdated',
		comments: '',
		history: '',
		segment: '',
	}[list];
	once(update, ({ id, record }) => `${id} ${String(record.title)}`);
	for (const { id, record } of of(update)) {
		const fact = facts
			.get(id)!
			.find(({ row, what }) => what === 'written' && row.text === record.title);
		if (!fact) wrong.push(`${update} without a change`);
	}
	const last = <T>(list: readonly T[]) => list[list.length - 1] as T | undefined;
	for (const row of crm.rows.filter(({ visible }) => visible)) {
		const mine = (event: string) => of(event).filter(({ id }) => id === row.id);
		const isChanged = Math.floor(row.changed) > Math.max(activated, Math.floor(row.created));
		if (update !== '' && isChanged && last(mine(update))?.record.title !== row.text) {
			wrong.push(`${update} missed: ${row.id}`);
		}
		if (list === 'tasks') {
			const moves = mine('taskMoved');
			moves.forEach(({ before, record }, place) => {
				if (before.previousStatus === record.status) wrong.push('taskMoved to where it was');
				const earlier = moves[place - 1];
				if (earlier && earlier.record.status !== before.previousStatus)
					wrong.push('taskMoved from elsewhere');
			});
			const first = facts.get(row.id)![0].row.column;
			const wasThere =
				row.created < activated &&
				!facts.get(row.id)!.some(({ at }) => at <= (firstRead ?? Infinity) && at > activated);
			const final = last(moves)?.record.status ?? (wasThere ? first : row.column);
			// When a record of a shuffled list was first read cannot be told from outside.
			const isKnown = listing !== 'shuffled' || moves.length > 0;
			if (final !== row.column && isKnown) wrong.push(`taskMoved missed: ${row.id}`);
			const done = row.done;
			const isDone = done !== null && Math.floor(done) > activated;
			const tellsDone = mine('taskCompleted').some(
				({ record }) => Date.parse(String(record.completedAt)) / 1000 === Math.floor(done ?? 0),
			);
			if (isDone && !tellsDone) wrong.push(`taskCompleted missed: ${row.id}`);
		}
		if (list === 'segment') {
			// Joins are told from when the segment was first read.
			const turns = started.filter(({ id, at }) => id === row.id && at > (firstRead ?? Infinity));
			turns.forEach(({ event }, place) => {
				if (turns[place - 1]?.event === event) wrong.push(`${event} twice in a row: ${row.id}`);
			});
			const end = last(turns)?.event;
			if (end !== undefined && (end === 'personAddedToSegment') !== row.inSegment) {
				wrong.push(`${end}, but not at the end: ${row.id}`);
			}
			const wasOutAtFirst = facts
				.get(row.id)!
				.filter(({ at }) => at <= (firstRead ?? Infinity))
				.every(({ row: then }) => !then.inSegment);
			if (firstRead !== undefined && wasOutAtFirst && row.inSegment && end === undefined)
				wrong.push(`personAddedToSegment missed: ${row.id}`);
		}
	}
	once('taskCompleted', ({ id, record }) => `${id} ${String(record.completedAt)}`);
	return wrong;
}

describe.each(['people', 'segment', 'tasks', 'comments', 'history'] as const)(
	'a ledger of %s',
	(list) => {
		it('agrees with what started the workflow', async () => {
			for (let seed = SEED; seed < SEED + RUNS; seed++) {
				const wrong = broken(list, await course(list, seed));
				expect({ list, seed, wrong: wrong.slice(0, 3) }).toEqual({ list, seed, wrong: [] });
			}
		});
	},
);
