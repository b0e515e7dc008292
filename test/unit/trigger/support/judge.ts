import type { Course } from './storm';
import { COLUMNS } from './modelList';

/** What a course missed and doubled, of one event. */
export interface Judgement {
	missed: string[];
	doubled: string[];
	told: number;
}

const second = (time: number) => Math.floor(time / 1000);

/** What was told of an event, in order. */
function told({ polled }: Course, event: string) {
	return polled.flatMap(({ changes }) =>
		changes
			.filter((change) => change.event.value === event)
			.map(({ record, before }) => ({ id: String(record.id), record, before })),
	);
}

function counted(keys: string[]): { doubled: string[]; seen: Set<string> } {
	const seen = new Set<string>();
	const doubled = keys.filter((key) => seen.has(key) || !seen.add(key));
	return { doubled, seen };
}

/** What was created since the activation is told once, and nothing else. */
export function judgeCreated(course: Course, event: string): Judgement {
	const { list, activatedAt, deeds } = course;
	const items = told(course, event);
	const { doubled, seen } = counted(items.map(({ id }) => id));
	const created = deeds.filter(({ kind }) => kind === 'create' || kind === 'createLate');
	const since = new Set(
		created
			.filter(({ after }) => second(after.createdAt) > second(activatedAt))
			.map(({ after }) => after.id),
	);
	const missed = [...since].filter((id) => {
		const record = list.records.get(id);
		return record && !record.isHidden && !seen.has(id);
	});
	const mayBe = new Set(created.map(({ after }) => after.id));
	return {
		missed,
		doubled: [...doubled, ...[...seen].filter((id) => !mayBe.has(id))],
		told: items.length,
	};
}

/** Of each record the last change is told, and none twice. */
export function judgeUpdated(course: Course, event: string): Judgement {
	const { list, activatedAt } = course;
	const items = told(course, event);
	const { doubled } = counted(items.map(({ id, record }) => `${id} ${String(record.title)}`));
	const last = new Map(items.map(({ id, record }) => [id, record.title]));
	const missed = list.shown
		.filter(({ id, updatedAt, createdAt, revision }) => {
			const isChanged = second(updatedAt) > Math.max(second(activatedAt), second(createdAt));
			return isChanged && last.get(id) !== `revision ${revision}`;
		})
		.map(({ id }) => id);
	return { missed, doubled, told: items.length };
}

/** Each completion is told at most once, and the last one is. */
export function judgeCompleted(course: Course, event: string): Judgement {
	const { list, activatedAt } = course;
	const items = told(course, event);
	const { doubled, seen } = counted(
		items.map(({ id, record }) => `${id} ${String(record.completedAt)}`),
	);
	const missed = list.shown
		.filter(
			({ completedAt }) => completedAt !== undefined && second(completedAt) > second(activatedAt),
		)
		.map(
			({ id, completedAt }) =>
				`${id} ${new Date(second(completedAt!) * 1000).toISOString().replace('.000Z', '+00:00')}`,
		)
		.filter((key) => !seen.has(key));
	return { missed, doubled, told: items.length };
}

/** Every change of column between two observations of a task is told, with the column before. */
export function judgeMoved(course: Course, event: string): Judgement {
	const { polled, kills, list } = course;
	const missed: string[] = [];
	const doubled: string[] = [];
	let known = new Map<string, unknown>();
	let saved = known;
	let count = 0;
	polled.forEach(({ changes, served }, index) => {
		if (kills.includes(index)) known = new Map(saved);
		const expected: string[] = [];
		for (const { id, status } of served) {
			const key = String(id);
			if (known.has(key) && known.get(key) !== status)
				expected.push([key, known.get(key), status].join(' '));
			known.set(key, status);
		}
		const given = changes
			.filter((change) => change.event.value === event)
			.map(({ record, before }) => [record.id, before.previousStatus, record.status].join(' '));
		count += given.length;
		missed.push(...expected.filter((one) => !given.includes(one)));
		doubled.push(
			...given.filter((one, place) => !expected.includes(one) || given.indexOf(one) !== place),
		);
		if (index === 0 || changes.length > 0) saved = new Map(known);
	});
	for (const { id, status } of list.shown) {
		if (known.get(id) !== COLUMNS[status]) missed.push(`${id}: not read`);
	}
	return { missed, doubled, told: count };
}

/** Who comes and who goes is told in turns, and at the end who was told to have come is in. */
export function judgeSegment(course: Course, added: string): Judgement {
	const { polled, list, deeds, kills } = course;
	const missed: string[] = [];
	const doubled: string[] = [];
	const last = new Map<string, string>();
	let count = 0;
	for (const { changes } of polled) {
		for (const { event, record } of changes) {
			const id = String(record.id);
			if (last.get(id) === event.value && kills.length === 0) doubled.push(`${id} ${event.value}`);
			last.set(id, event.value);
			count++;
		}
	}
	const isOut = new Set(deeds.filter(({ kind }) => kind === 'hide').map(({ after }) => after.id));
	for (const { id, isMember, isHidden } of list.records.values()) {
		if (isHidden || isOut.has(id)) continue;
		const told = last.get(id);
		const touched = deeds.some(
			({ before, after }) => after.id === id && (before?.isMember ?? false) !== after.isMember,
		);
		if (told !== undefined && (told === added) !== isMember)
			missed.push(`${id}: ${told}, and is ${isMember ? 'in' : 'out'}`);
		if (told !== undefined && !touched) doubled.push(`${id}: ${told} without a reason`);
	}
	return { missed, doubled, told: count };
}
