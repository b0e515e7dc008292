import fc from 'fast-check';
import { created } from '../../../nodes/ContactTaskCrm/trigger/rules';
import { wholeSecond } from '../../../nodes/ContactTaskCrm/trigger/times';
import type { Watch } from '../../../nodes/ContactTaskCrm/trigger/watch';
import { FOUND } from './support/found';
import type { Play } from './support/play';
import { play, watchOver } from './support/play';
import type { Poller } from './support/poller';
import { ROUNDS } from './support/rounds';
import type { Schedule } from './support/schedule';
import { someList, somePeople, someSchedule } from './support/schedule';
import type { Tenant } from './support/tenant';

const LATE_MS = 60_000;

interface Source {
	watch: (tenant: Tenant) => Watch;
	/** @param ago ms that the record says it is older than it is */
	create: (tenant: Tenant, ago?: number) => string;
	change?: (tenant: Tenant, what: string, who: number, to: number) => void;
	isShown: (tenant: Tenant, id: string) => boolean;
}

/** Each record is told once where it was created after the first read, and never where it was there before. */
function playCreated(schedule: Schedule, source: Source): void {
	const old = new Set<string>();
	/** By id, the second of the creation; without the clock of the service, where it must be told. */
	const due = new Map<string, number>();
	const told = new Map<string, number>();
	/** By id, how often n8n was killed before it had written that this was told. */
	const unwritten = new Map<string, number>();
	let isStarted = false;
	let poller: Poller | undefined;
	const prepare = (tenant: Tenant): Play => ({
		watch: source.watch,
		populate: () => old.add(source.create(tenant)),
		change: (what, who, to) => {
			// Without the clock of the service: until a list of several pages is known to be whole, one
			// that goes while another comes can hide a third from it.
			const isUnsure = !tenant.servedAt && !poller?.state?.isSettled;
			if (what === 'archive' && tenant.hidesArchived && isUnsure) return;
			if (what !== 'create' && what !== 'createLate') {
				source.change?.(tenant, what, who, to);
				// One that was out of sight at first, and young, looks like one that is new.
				for (const id of old) if (!source.isShown(tenant, id)) old.delete(id);
				// What is out of sight before it was read cannot be told of.
				for (const id of due.keys())
					if (!told.has(id) && !source.isShown(tenant, id)) due.delete(id);
				return;
			}
			const ago = what === 'createLate' ? LATE_MS : 0;
			const id = source.create(tenant, ago);
			const at = wholeSecond(tenant.now - ago);
			if (!isStarted) old.add(id);
			else if (tenant.servedAt || isCertain(poller)) due.set(id, at);
		},
		listener: {
			onUnwritten: (happenings) => {
				for (const { record } of happenings) {
					const id = String(record.id);
					unwritten.set(id, (unwritten.get(id) ?? 0) + 1);
				}
			},
			onStart: () => (isStarted = true),
			onHandOver: (happenings) => {
				for (const { record } of happenings) {
					const id = String(record.id);
					told.set(id, (told.get(id) ?? 0) + 1);
				}
			},
		},
		onSettled: () => {},
	});
	play(schedule, prepare, (ready) => (poller = ready));
	const doubled = [...told].filter(([id, times]) => times > 1 + (unwritten.get(id) ?? 0));
	const activatedAt = wholeSecond(poller?.activatedAt ?? Infinity);
	const missed = [...due].filter(([id, at]) => at > activatedAt && !told.has(id));
	const oldOnes = [...old].filter((id) => told.has(id));
	expect({ doubled, missed, oldOnes }).toEqual({ doubled: [], missed: [], oldOnes: [] });
}

/**
 * Without the clock of the service: until a list of several pages is known to be read without a gap,
 * any record can have been there before.
 */
function isCertain(poller: Poller | undefined): boolean {
	return poller?.state?.isSettled ?? false;
}

const person: Source = {
	watch: () => watchOver('/people', 'window', created),
	create: (tenant, ago) => tenant.createPerson(ago),
	change: (tenant, what, who) => {
		const ids = [...tenant.store.people.keys()];
		const id = ids[who % ids.length];
		if (id === undefined) return;
		if (what === 'update') tenant.updatePerson(id, { jobTitle: `title ${tenant.now}` });
		else tenant.updatePerson(id, { archivedAt: what === 'archive' ? tenant.timestamp : null });
	},
	isShown: (tenant, id) => tenant.isShown(tenant.store.people.get(id)),
};

const task: Source = {
	watch: () => watchOver('/tasks', 'newTasks', created),
	create: (tenant, ago) => tenant.createTask(ago),
	change: (tenant, what, who, to) => {
		const ids = [...tenant.store.tasks.keys()];
		const id = ids[who % ids.length];
		if (id === undefined) return;
		if (what === 'update') tenant.updateTask(id, { description: `text ${tenant.now}` });
		else if (what === 'move') tenant.updateTask(id, { status: tenant.columns[to % 3] });
		else if (what === 'place') tenant.place(id, to - 1);
		else tenant.updateTask(id, { archivedAt: what === 'archive' ? tenant.timestamp : null });
	},
	isShown: (tenant, id) => tenant.isShown(tenant.store.tasks.get(id)),
};

const entries = (kind: 'comments' | 'history'): Source => ({
	watch: (tenant) => watchOver(`/tasks/${tenant.task}/${kind}`, 'entries', created),
	create: (tenant, ago) => (kind === 'comments' ? tenant.addComment(ago) : tenant.addHistory()),
	isShown: () => true,
});

const someCreations = ['create', 'create', 'createLate'] as const;
const someChanges = [...someCreations, 'update', 'archive', 'restore'] as const;

describe.each([
	['personCreated', person, someSchedule(someChanges, somePeople), FOUND.personCreated],
	[
		'taskCreated',
		task,
		someSchedule([...someChanges, 'move', 'place'], someList),
		FOUND.taskCreated,
	],
	['commentAdded', entries('comments'), someSchedule(someCreations, someList), FOUND.commentAdded],
	['historyAdded', entries('history'), someSchedule(['create'], someList), {}],
] as const)('%s, whatever happens while pages are read', (_, source, schedules, found) => {
	for (const [name, schedule] of Object.entries<Schedule>(found)) {
		it(`and so when ${name}`, () => playCreated(schedule, source));
	}

	it('tells each record once that is new, and none that is old', () => {
		fc.assert(
			fc.property(schedules, (schedule) => playCreated(schedule, source)),
			ROUNDS,
		);
	});
});
