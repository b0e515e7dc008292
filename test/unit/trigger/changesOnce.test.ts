import fc from 'fast-check';
import { completed, moved, updated } from '../../../nodes/ContactTaskCrm/trigger/rules';
import { timeOf, wholeSecond } from '../../../nodes/ContactTaskCrm/trigger/times';
import type { Happening } from '../../../nodes/ContactTaskCrm/trigger/watch';
import { FOUND } from './support/found';
import type { Play } from './support/play';
import { play, watchOver } from './support/play';
import type { Poller } from './support/poller';
import { ROUNDS } from './support/rounds';
import type { Schedule } from './support/schedule';
import { someList, somePeople, someSchedule } from './support/schedule';
import type { Tenant } from './support/tenant';

type Fields = Record<string, unknown>;

/** What tells one state of a record from another, and what must have been told at the end. */
interface Judge {
	/** What was known of each record when it was read last, as n8n remembers it. */
	known: Map<string, Fields>;
	/** By id, how often n8n was killed before it had written that something was told: it is told again. */
	unwritten: Map<string, number>;
}

/** Follows what the poller has seen, and forgets with it what was not saved. */
function follow(judge: Judge, onHappening: (happening: Happening) => void): Play['listener'] {
	let saved = new Map<string, Fields>();
	let savedBefore = saved;
	return {
		onHandOver: (happenings, served) => {
			for (const happening of happenings) {
				onHappening(happening);
			}
			for (const record of served) judge.known.set(String(record.id), record);
		},
		onSave: () => {
			savedBefore = saved;
			saved = new Map(judge.known);
		},
		onUnwritten: (happenings) => {
			saved = savedBefore;
			for (const { record } of happenings) {
				const id = String(record.id);
				judge.unwritten.set(id, (judge.unwritten.get(id) ?? 0) + 1);
			}
		},
		onKill: () => (judge.known = new Map(saved)),
	};
}

const changeTask = (tenant: Tenant, what: string, who: number, to: number): string | undefined => {
	if (what === 'create') return tenant.createTask();
	const ids = [...tenant.store.tasks.keys()];
	const id = ids[who % ids.length];
	if (id === undefined) return undefined;
	if (what === 'place') tenant.place(id, to - 1);
	else tenant.updateTask(id, changesOf(tenant, what, to));
	return id;
};

const changesOf = (tenant: Tenant, what: string, to: number) => {
	if (what === 'update') return { description: `text ${revision++}` };
	if (what === 'move') return { status: tenant.columns[to % 3] };
	if (what === 'complete') return { completedAt: tenant.timestamp };
	if (what === 'reopen') return { completedAt: null };
	return { archivedAt: what === 'archive' ? tenant.timestamp : null };
};

let revision = 0;

/** Each move is told once, from where the task was seen last to where it is now. */
function playMoved(schedule: Schedule): void {
	const judge: Judge = { known: new Map(), unwritten: new Map() };
	const faults: unknown[] = [];
	const { onHandOver, ...listener } = follow(judge, () => {});
	play(schedule, (tenant) => ({
		watch: () => watchOver('/tasks', 'tasks', moved, { sharesTexts: true }),
		populate: () => tenant.createTask(),
		change: (what, who, to) => void changeTask(tenant, what, who, to),
		listener: {
			...listener,
			onHandOver: (happenings, served, state) => {
				const moves = movesIn(served, judge.known);
				const told = happenings.map(({ record, before }) =>
					[record.id, before.previousStatus, record.status].join(' '),
				);
				if (told.join() !== moves.join()) faults.push({ told, moves });
				onHandOver?.(happenings, served, state);
			},
		},
		onSettled: () => {
			for (const [id, task] of tenant.store.tasks) {
				if (!tenant.isShown(task)) continue;
				if (judge.known.get(id)?.status !== task.status) faults.push(`${id}: not read`);
			}
		},
	}));
	expect(faults).toEqual([]);
}

/** Every change of column between two sightings of a task; in one poll it may be seen twice. */
function movesIn(served: Fields[], known: Judge['known']): string[] {
	const last = new Map([...known].map(([id, { status }]) => [id, status]));
	return served.flatMap(({ id, status }) => {
		const before = last.get(String(id));
		last.set(String(id), status);
		return before === undefined || before === status ? [] : [[id, before, status].join(' ')];
	});
}

/** Each completion is told once, and none that was there before. */
function playCompleted(schedule: Schedule): void {
	const judge: Judge = { known: new Map(), unwritten: new Map() };
	const completions = new Map<string, number>();
	/** By id, the time of the change. */
	const due = new Map<string, number>();
	const counts = new Map<string, number>();
	const faults: string[] = [];
	let isStarted = false;
	let poller: Poller | undefined;
	play(
		schedule,
		(tenant) => ({
			watch: () => watchOver('/tasks', 'tasks', completed),
			populate: (_, index) => {
				const id = tenant.createTask();
				if (index % 3 === 0) tenant.updateTask(id, { completedAt: tenant.timestamp });
			},
			change: (what, who, to) => {
				const ids = [...tenant.store.tasks.keys()];
				const before = tenant.store.tasks.get(ids[who % ids.length])?.completedAt;
				const id = changeTask(tenant, what, who, to);
				const after = id === undefined ? undefined : tenant.taskOf(id).completedAt;
				// One that was out of sight at first looks like one that is new.
				const isUnread = id !== undefined && what === 'restore' && !judge.known.has(id);
				if (isUnread && after !== null) completions.set(id, (completions.get(id) ?? 0) + 1);
				if (id === undefined || what === 'create' || before === after) return;
				if (after !== null) completions.set(id, (completions.get(id) ?? 0) + 1);
				if (after !== null && isStarted && isCertain(poller, tenant)) due.set(id, tenant.now);
				else due.delete(id);
			},
			listener: {
				...follow(judge, ({ record }) => {
					const id = String(record.id);
					counts.set(id, (counts.get(id) ?? 0) + 1);
					due.delete(id);
				}),
				onStart: () => (isStarted = true),
			},
			onSettled: () => {
				for (const [id, at] of due) {
					if (!isSince(poller, at)) continue;
					if (tenant.isShown(tenant.taskOf(id))) faults.push(`${id}: not told`);
				}
				for (const [id, count] of counts) {
					if (count > (completions.get(id) ?? 0) + (judge.unwritten.get(id) ?? 0))
						faults.push(`${id}: told ${count} times`);
				}
			},
		}),
		(ready) => (poller = ready),
	);
	expect(faults).toEqual([]);
}

/** Each change is told, the last one at least, and none twice. */
function playUpdated(schedule: Schedule, path: '/people' | '/tasks'): void {
	const judge: Judge = { known: new Map(), unwritten: new Map() };
	const changed = new Map<string, number>();
	const counts = new Map<string, number>();
	/** By id, the time of the change. */
	const due = new Map<string, number>();
	const lastTold = new Map<string, string>();
	const faults: string[] = [];
	let isStarted = false;
	let poller: Poller | undefined;
	play(
		schedule,
		(tenant) => {
			const isPeople = path === '/people';
			const records = () => (isPeople ? tenant.store.people : tenant.store.tasks);
			const change = (what: string, who: number, to: number): string | undefined => {
				if (!isPeople) return changeTask(tenant, what, who, to);
				if (what === 'create') return tenant.createPerson();
				const ids = [...tenant.store.people.keys()];
				const id = ids[who % ids.length];
				if (id === undefined) return undefined;
				tenant.updatePerson(
					id,
					what === 'update'
						? { jobTitle: `title ${revision++}` }
						: { archivedAt: what === 'archive' ? tenant.timestamp : null },
				);
				return id;
			};
			const listener = follow(judge, ({ record }) => {
				const id = String(record.id);
				counts.set(id, (counts.get(id) ?? 0) + 1);
				lastTold.set(id, contentOf(record));
				if (contentOf(record) === contentOf(records().get(id))) due.delete(id);
			});
			return {
				watch: () => watchOver(path, isPeople ? 'people' : 'tasks', updated),
				populate: () => void (isPeople ? tenant.createPerson() : tenant.createTask()),
				change: (what, who, to) => {
					const before = new Map<string, unknown>(records());
					const id = change(what, who, to);
					if (id === undefined || what === 'create') return;
					const record = records().get(id)!;
					if (what === 'place' || before.get(id) === record) return;
					if (isStarted) changed.set(id, (changed.get(id) ?? 0) + 1);
					if (isStarted && isCertain(poller, tenant) && isTold(judge, record))
						due.set(id, tenant.now);
					else due.delete(id);
				},
				listener: {
					...listener,
					onStart: () => (isStarted = true),
					onKill: () => {
						listener.onKill?.();
						// Forgotten to have been read before a change within the second of its creation.
						for (const id of due.keys()) if (!isTold(judge, records().get(id)!)) due.delete(id);
					},
				},
				onSettled: () => {
					for (const [id, at] of due) {
						if (!isSince(poller, at)) continue;
						// There and back within a second leaves no trace.
						if (lastTold.get(id) === contentOf(records().get(id))) continue;
						if (tenant.isShown(records().get(id))) faults.push(`${id}: not told`);
					}
					for (const [id, count] of counts) {
						if (count > (changed.get(id) ?? 0) + (judge.unwritten.get(id) ?? 0))
							faults.push(`${id}: told ${count} times`);
					}
				},
			};
		},
		(ready) => (poller = ready),
	);
	expect(faults).toEqual([]);
}

const contentOf = (record: object | undefined) => {
	const { jobTitle, description, archivedAt, status, updatedAt } = (record ?? {}) as Fields;
	return JSON.stringify(
		[jobTitle, description, archivedAt, status, updatedAt].map((it) => it ?? null),
	);
};

/** A change within the second of the creation, before the record was read, is part of the creation. */
function isTold(
	{ known }: Judge,
	{ id, createdAt, updatedAt }: { id: string; createdAt: string; updatedAt: string },
): boolean {
	return known.has(id) || timeOf(updatedAt)! > timeOf(createdAt)!;
}

/** Within the second of the activation, changes may be told or not. */
function isSince(poller: Poller | undefined, at: number): boolean {
	return wholeSecond(at) > wholeSecond(poller?.activatedAt ?? Infinity);
}

/**
 * Without the clock of the service, changes may be told or not before a list was read once, and
 * within the last second of that.
 */
function isCertain(poller: Poller | undefined, tenant: Tenant): boolean {
	if (tenant.servedAt) return true;
	const state = poller?.state;
	if (!state?.isComplete) return false;
	const now = wholeSecond(tenant.now);
	return state.touched === undefined || now > state.touched;
}

const taskChanges = ['create', 'update', 'update', 'archive', 'restore', 'place'] as const;

describe('personUpdated, whatever happens while pages are read', () => {
	it('tells each change once that can be told, and nothing that has not changed', () => {
		const schedules = someSchedule(
			['create', 'update', 'update', 'archive', 'restore'],
			somePeople,
		);
		fc.assert(
			fc.property(schedules, (schedule) => playUpdated(schedule, '/people')),
			ROUNDS,
		);
	});
});

describe('taskUpdated, whatever happens while pages are read', () => {
	for (const [name, schedule] of Object.entries(FOUND.taskUpdated)) {
		it(`and so when ${name}`, () => playUpdated(schedule, '/tasks'));
	}

	it('tells each change once that can be told, and nothing that has not changed', () => {
		fc.assert(
			fc.property(someSchedule([...taskChanges, 'move', 'complete'], someList), (schedule) =>
				playUpdated(schedule, '/tasks'),
			),
			ROUNDS,
		);
	});
});

describe('taskMoved, whatever happens while pages are read', () => {
	it('tells each move from where the task was seen last to where it is', () => {
		fc.assert(
			fc.property(someSchedule([...taskChanges, 'move', 'move', 'move'], someList), playMoved),
			ROUNDS,
		);
	});
});

describe('taskCompleted, whatever happens while pages are read', () => {
	it('tells each completion once, and none that was there before', () => {
		fc.assert(
			fc.property(
				someSchedule([...taskChanges, 'complete', 'complete', 'reopen'], someList),
				playCompleted,
			),
			ROUNDS,
		);
	});
});
