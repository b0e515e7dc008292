import type { NodeResult } from '../../engine/support/runNode';
import {
	emailOf,
	ENTRIES,
	JOB_AT_START,
	KNOWN,
	PEOPLE,
	TASKS,
	type Company,
	type PersonState,
	type Seen,
} from './company';
import type { Overlap, Run } from './drawn';
import { jobOf, nameOf, type Played } from './play';

type Value = string | boolean | null;

/** A value that an item may set: the job title of a person, the column of a task, or whether a person has a tag. */
interface Target {
	company: number;
	who: number;
	/** Name of a field, or the IRI of a tag. */
	field: string;
}

/** A value that an item sets, and the result of the item. */
interface Setting extends Target {
	run: Run;
	/** Number of the run. */
	at: number;
	item: number;
	end: string;
	value: Value;
}

/** All values that an item of a case can set. The judge checks all of them, even if no item sets them. */
const EVERYTHING = [0, 1].flatMap((company): Target[] => [
	...PEOPLE.flatMap((who) =>
		['jobTitle', ...ENTRIES.tags].map((field) => ({ company, who, field })),
	),
	...TASKS.map((who) => ({ company, who, field: 'status' })),
]);

/**
 * Returns the mistakes of an overlap, from the data of the service. If two processes change one person at the same
 * time, the README promises only that each creates a person once.
 */
export function judge(overlap: Overlap, played: Played): string[] {
	const { companies, results } = played;
	const settings = overlap.runs.flatMap((run, at) => settingsOf(run, at, results[at]));
	return [
		...companies.flatMap((company, at) =>
			PEOPLE.flatMap((who) => {
				const found = company.peopleWith(emailOf(who)).length;
				const isDoubled = found > Math.max(1, makers(settings, at, who));
				return isDoubled ? [`company ${at}: person ${who} is there ${found} times`] : [];
			}),
		),
		...EVERYTHING.flatMap((target) => wrongValue(target, settings, played)),
		...companies.flatMap((_, at) => takenBack(overlap.runs, played, at)),
		...notDone(overlap, played),
		...lateTurns(overlap.runs, played),
	];
}

function settingsOf(run: Run, at: number, result: NodeResult): Setting[] {
	const { company, operation } = run;
	const ends = endsOf(result, run);
	return run.rows.flatMap(({ who, entry }, item) => {
		const tag = ENTRIES.tags[entry];
		const job = jobOf(run, { run: at, item });
		const sets: Record<Run['operation'], Array<[string, Value]>> = {
			upsert: [
				['jobTitle', job],
				[tag, true],
			],
			update: [['jobTitle', job]],
			addTags: [[tag, true]],
			removeTags: [[tag, false]],
			move: [['status', ENTRIES.columns[entry]]],
		};
		const of = { run, at, item, end: ends[item], company, who };
		return sets[operation].map(([field, value]) => ({ ...of, field, value }));
	});
}

/** Returns the end of each item: "done", its error, the error that ended the run, or "nothing" without a report. */
function endsOf({ items, errorItems, error }: NodeResult, { rows }: Run): string[] {
	const ends = rows.map((): string => error?.message ?? 'nothing');
	const itemOf = (pairedItem: unknown) => (pairedItem as { item: number }).item;
	for (const { pairedItem } of items) ends[itemOf(pairedItem)] = 'done';
	for (const { json, pairedItem } of errorItems) ends[itemOf(pairedItem)] = String(json.error);
	return ends;
}

const processes = (settings: Setting[]) => new Set(settings.map(({ run }) => run.process)).size;

/** Returns how many processes may create a person. */
function makers(settings: Setting[], company: number, who: number): number {
	const isMaker = (set: Setting) =>
		set.run.operation === 'upsert' && set.company === company && set.who === who;
	return KNOWN.includes(who) ? 1 : processes(settings.filter(isMaker));
}

/** Returns what a write of a field writes: the field, or for a tag the whole list of tags. */
const written = (field: string) => (field.startsWith('/tags/') ? 'tags' : field);

/**
 * Checks the final value. It must be the value of some run: that of the last item that was done, or of a later item with
 * an unknown result.
 */
function wrongValue(target: Target, settings: Setting[], played: Played): string[] {
	const { company: at, who, field } = target;
	const company = played.companies[at];
	const near = settings.filter(
		(set) => set.company === at && set.who === who && written(set.field) === written(field),
	);
	const isMadeTwice = field !== 'status' && makers(settings, at, who) > 1;
	if (processes(near) > 1 || isMadeTwice) return [];
	const own = near.filter((set) => set.field === field);
	const isFollowed = ({ run, item }: Setting) =>
		own.some((later) => later.run === run && later.item > item && later.end === 'done');
	const possible = own.filter((set) => !isFollowed(set)).map(({ value }) => value);
	const isSet = own.some(({ end }) => end === 'done');
	if (!isSet) possible.push(atStart(target));
	possible.push(...leftByColleagues(target, own, played), ...overtaken(target, played));
	const value = held(company, target);
	const named = `company ${at}: ${field} of ${who} is ${value}`;
	return possible.includes(value) ? [] : [`${named}, and not ${possible.join(' or ')}`];
}

/** Returns the values that colleagues left in a field, unless a later run has set the field. */
function leftByColleagues(target: Target, own: Setting[], { changed, startedAt }: Played): Value[] {
	const { company, who, field } = target;
	const done = own.filter(({ end }) => end === 'done');
	const lastBegan = Math.max(-Infinity, ...done.map(({ at }) => startedAt[at]));
	return changed.flatMap((change) => {
		const isOf = change.company === company && change.who === who && change.left.has(field);
		return isOf && change.at >= lastBegan ? [change.left.get(field)!] : [];
	});
}

/** A write of a person's tags, and the read before it. */
interface TagWrite {
	run: number;
	who: number;
	read: PersonState;
	readAt: number;
	writtenAt: number;
	tags: string[];
}

function tagWrites({ companies, startedAt }: Played, company: number): TagWrite[] {
	return startedAt.flatMap((_, run) => {
		const reads = new Map<number, { read: PersonState; readAt: number }>();
		const own = companies[company].seen.filter((one) => one.run === nameOf(run));
		return own.flatMap(({ at, body, method, people }) =>
			[...people].flatMap(([who, state]): TagWrite[] => {
				if (method === 'GET') reads.set(who, { read: state, readAt: at });
				const { tags } = { ...(body as { tags?: string[] } | undefined) };
				const before = reads.get(who);
				return method === 'PATCH' && tags && before
					? [{ run, who, ...before, writtenAt: at, tags }]
					: [];
			}),
		);
	});
}

/** Returns the values of a tag that runs wrote after a colleague had changed the person since the run's read. */
function overtaken({ company, who, field }: Target, played: Played): Value[] {
	const isChangedWithin = ({ readAt, writtenAt }: TagWrite) =>
		played.changed.some(
			({ at, ...change }) =>
				change.company === company && change.who === who && readAt <= at && at <= writtenAt,
		);
	return tagWrites(played, company)
		.filter((write) => write.who === who && isChangedWithin(write))
		.map(({ tags }) => tags.includes(field));
}

/** Reports runs that change a tag of a person, although none of their items asks for it. */
function takenBack(runs: Run[], played: Played, company: number): string[] {
	return tagWrites(played, company).flatMap(({ run, who, read, tags }) => {
		const { operation, rows } = runs[run];
		const own = rows.filter((row) => row.who === who).map(({ entry }) => ENTRIES.tags[entry]);
		const added = tags.filter((tag) => !read.tags.includes(tag));
		const removed = read.tags.filter((tag) => !tags.includes(tag));
		const [meant, others] = operation === 'removeTags' ? [removed, added] : [added, removed];
		const isMeant = others.length === 0 && meant.every((tag) => own.includes(tag));
		return isMeant ? [] : [`run ${run} adds ${added} and removes ${removed} of ${who}`];
	});
}

function held(company: Company, { who, field }: Target): Value {
	if (field === 'status') return company.columnOf(who) ?? null;
	const [person] = company.peopleWith(emailOf(who));
	return field === 'jobTitle' ? (person?.jobTitle ?? null) : Boolean(person?.tags.includes(field));
}

function atStart({ who, field }: Target): Value {
	if (field === 'status') return ENTRIES.columns[0];
	const isKnown = KNOWN.includes(who);
	if (field === 'jobTitle') return isKnown ? JOB_AT_START : null;
	return isKnown && field === ENTRIES.tags[0];
}

/** Reports items that were not done although nothing prevented it. */
function notDone({ runs, service }: Overlap, { results }: Played): string[] {
	const isDisturbed = runs.some((run) => run.stopsAfterMs !== undefined || run.process !== 0);
	if (isDisturbed || service.switches.faults!.length > 0) return [];
	return runs.flatMap((run, at) =>
		endsOf(results[at], run).flatMap((end, item) =>
			end === 'done' ? [] : [`run ${at} item ${item} is not done: ${end}`],
		),
	);
}

/**
 * Returns whether a request only prepares the run. The node reads workspaces, for their titles, before an item waits for
 * the write lock.
 */
const isPreparation = ({ path }: Seen) => path === '/workspaces';

const isDoneItem = ({ method, status = 0 }: Seen) =>
	method !== 'GET' && status >= 200 && status < 300;

/**
 * Reports runs that began too late. In a process, the runs with one credential take turns. So before a run begins, the
 * current item may finish, and each other run may do one item.
 */
function lateTurns(runs: Run[], { companies, startedAt }: Played): string[] {
	const queueOf = ({ company, process }: Run) => [company, process].join();
	return runs.flatMap((run, at) => {
		const isRival = (other: Run) => other !== run && queueOf(other) === queueOf(run);
		const rivals = runs.flatMap((other, index) => (isRival(other) ? [nameOf(index)] : []));
		const { seen } = companies[run.company];
		const isOwn = (one: Seen) => one.run === nameOf(at);
		const began = seen.find((one) => isOwn(one) && !isPreparation(one))?.at ?? -Infinity;
		// Runs share reads, so a run may also wait for workspaces that a rival reads.
		const isAwaited = (one: Seen) =>
			run.operation === 'move' &&
			one.at < began &&
			isPreparation(one) &&
			(isOwn(one) || rivals.includes(one.run));
		const answers = seen.filter(isAwaited).map(({ answeredAt = 0 }) => answeredAt);
		const since = Math.max(startedAt[at], ...answers);
		const isBefore = (one: Seen) => rivals.includes(one.run) && since < one.at && one.at < began;
		const before = seen.filter((one) => isBefore(one) && isDoneItem(one)).length;
		return before > 1 + rivals.length ? [`run ${at} began after ${before} items of others`] : [];
	});
}
