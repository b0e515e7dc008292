import type { Person } from '../../service';
import type { NodeResult } from '../../engine/support/runNode';
import {
	COLUMN_IRIS,
	COLUMNS,
	emailOf,
	KNOWN,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	type Company,
	type Seen,
} from './company';
import { effectsOf, type Effect, type Overlap, type Row, type Run, type Target } from './drawn';
import { nameOf, type Played } from './play';

type Value = string | boolean | null;

/** What became of each item of a run: done, failed, or neither is said. */
function endsOf({ items, errorItems, error }: NodeResult, { rows }: Run): string[] {
	const ends = rows.map((): string => (error ? 'not said' : 'nothing'));
	const indexOf = ({ pairedItem }: { pairedItem?: unknown }) =>
		(pairedItem as { item: number }).item;
	for (const item of items) ends[indexOf(item)] = 'done';
	for (const item of errorItems) ends[indexOf(item)] = `failed: ${String(item.json.error)}`;
	return ends;
}

const peopleWith = ({ store }: Company, email: string) =>
	[...store.people.values()].filter(({ emailAddresses }) =>
		emailAddresses.some((entry) => entry.email?.trim().toLowerCase() === email),
	);

/** What the service holds of what an item may set. */
function held(company: Company, { who, field, entry }: Target): Value {
	const [kind, number] = who.split(' ');
	if (kind === 'task') {
		const status = company.store.tasks.get(company.idOf('tasks', Number(number)))?.status;
		return COLUMNS.find((title) => COLUMN_IRIS[title] === status) ?? null;
	}
	const [person] = peopleWith(company, emailOf(Number(number))) as Array<Person | undefined>;
	if (field === 'tags' || field === 'segments') return person?.[field].includes(entry!) ?? false;
	return person?.jobTitle ?? null;
}

/** What it held at the start. */
function initial({ who, field, entry }: Target): Value {
	if (field === 'status') return 'Lead';
	if (field === 'jobTitle') return null;
	const isThere = KNOWN.includes(Number(who.split(' ')[1]));
	return isThere && [`/tags/${TAGS[0]}`, `/segments/${SEGMENTS[0]}`].includes(entry!);
}

/** Everything that an item may set, so that what none sets is looked at, too. */
const EVERYTHING = [0, 1].flatMap((company): Target[] => {
	const lists = [
		...TAGS.map((id) => ({ field: 'tags' as const, entry: `/tags/${id}` })),
		...SEGMENTS.map((id) => ({ field: 'segments' as const, entry: `/segments/${id}` })),
	];
	const people = PEOPLE.map((number) => ({ company, who: `person ${number}` }));
	const tasks = TASKS.map((number) => ({ company, who: `task ${number}` }));
	return [
		...people.map((of) => ({ ...of, field: 'jobTitle' as const })),
		...people.flatMap((of) => lists.map((list) => ({ ...of, ...list }))),
		...tasks.map((of) => ({ ...of, field: 'status' as const })),
	];
});

/** What each item of the runs set, and how it ended. */
interface Item extends Effect {
	run: Run;
	index: number;
	end: string;
}

/**
 * What an overlap did wrong, by what the service holds. Of what two processes change at once, the README
 * promises no more than that each of them makes a person once.
 */
export function judge(overlap: Overlap, played: Played): string[] {
	const { companies, results } = played;
	const items = overlap.runs.flatMap((run, at) => {
		const ends = endsOf(results[at], run);
		return run.rows.flatMap((_, index) =>
			effectsOf(at, index, run).map(
				(effect): Item => ({ ...effect, run, index, end: ends[index] }),
			),
		);
	});
	return [
		...companies.flatMap((company, at) =>
			PEOPLE.flatMap((number) => {
				const found = peopleWith(company, emailOf(number)).length;
				const isDoubled = found > Math.max(1, makers(items, at, `person ${number}`));
				return isDoubled ? [`company ${at}: person ${number} is there ${found} times`] : [];
			}),
		),
		...EVERYTHING.flatMap((target) => wrongValue(target, items, companies[target.company])),
		...notDone(overlap, played),
		...lateTurns(overlap.runs, played),
	];
}

const processes = (items: Item[]) => new Set(items.map(({ run }) => run.process)).size;

/** How many processes may make a person. */
const makers = (items: Item[], company: number, who: string) =>
	KNOWN.some((number) => who === `person ${number}`)
		? 1
		: processes(
				items.filter(
					(item) => item.run.operation === 'upsert' && item.company === company && item.who === who,
				),
			);

/**
 * What is held is, of some run, what the last of its items set that was done, or one after it of which
 * that is not known.
 */
function wrongValue(target: Target, items: Item[], company: Company): string[] {
	const { company: at, who, field, entry } = target;
	// A list is written as a whole.
	const ofField = items.filter(
		(item) => item.field === field && item.who === who && item.company === at,
	);
	if (processes(ofField) > 1 || makers(items, at, who) > 1) return [];
	const setting = ofField.filter((item) => item.entry === entry);
	const possible = setting.filter(
		({ run, index }) =>
			!setting.some((later) => later.run === run && later.index > index && later.end === 'done'),
	);
	const values = possible.map(({ value }): Value => value);
	if (!setting.some(({ end }) => end === 'done')) values.push(initial(target));
	const value = held(company, target);
	if (values.includes(value)) return [];
	const named = `company ${at}: ${who}, ${field} ${entry ?? ''}`;
	return [`${named} is ${value}, and not ${[...new Set(values)].join(' or ')}`];
}

/** Items that nothing stood in the way of, and that were not done. */
function notDone({ runs, service }: Overlap, { results }: Played): string[] {
	const isDisturbed = runs.some(
		(run) => run.stopsAfterMs !== undefined || run.process !== 0 || service.faults.length > 0,
	);
	if (isDisturbed) return [];
	return runs.flatMap((run, at) => {
		const mayFail = (row: Row) => run.operation !== 'upsert' && !KNOWN.includes(row.who);
		if (run.onError === 'stopWorkflow' && run.rows.some(mayFail)) return [];
		return endsOf(results[at], run).flatMap((end, index) =>
			end === 'done' || mayFail(run.rows[index])
				? []
				: [`run ${at} item ${index}: ${results[at].error?.message ?? end}`],
		);
	});
}

/** Lists of titles are read before an item waits for its turn. */
const isPreparation = ({ request: { path } }: Seen) => /^\/(workspaces|segments|tags)$/.test(path);

/**
 * Runs that began later than at the second item from their start: on one credential of a process, the item
 * that is under way ends, and one of each other run may come first.
 */
function lateTurns(runs: Run[], { companies, seenAtStart }: Played): string[] {
	return runs.flatMap((run, index) => {
		const isRival = (other: Run) =>
			other !== run &&
			other.company === run.company &&
			other.key === run.key &&
			other.process === run.process;
		const rivals = runs.flatMap((other, at) => (isRival(other) ? [nameOf(at)] : []));
		const { seen } = companies[run.company];
		const own = seen.map((one) => {
			if (one.run !== nameOf(index)) return 'of others';
			return isPreparation(one) ? 'preparation' : 'work';
		});
		const began = own.indexOf('work');
		const prepared = own.slice(0, Math.max(0, began)).lastIndexOf('preparation') + 1;
		const itemsBefore = seen
			.slice(Math.max(seenAtStart[index], prepared), Math.max(0, began))
			.filter(({ run: by, request: { method, status = 0 } }) => {
				return rivals.includes(by) && method !== 'GET' && status >= 200 && status < 300;
			}).length;
		const isLate = began >= 0 && itemsBefore > 1 + rivals.length;
		return isLate ? [`run ${index} began after ${itemsBefore} items of others`] : [];
	});
}
