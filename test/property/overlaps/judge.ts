import type { Person } from '../../service';
import type { NodeResult } from '../../engine/support/runNode';
import {
	COLUMN_IRIS,
	COLUMNS,
	emailOf,
	KNOWN,
	SEGMENTS,
	TAGS,
	TASKS,
	type Company,
	type Seen,
} from './company';
import { effectsOf, isKnown, type Effect, type Overlap, type Run } from './drawn';
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
function held(company: Company, { who, field, entry }: Effect): Value {
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
function initial({ who, field, entry }: Effect): Value {
	if (field === 'status') return 'Lead';
	if (field === 'jobTitle') return null;
	const isThere = KNOWN.includes(Number(who.split(' ')[1]));
	return isThere && [`/tags/${TAGS[0]}`, `/segments/${SEGMENTS[0]}`].includes(entry!);
}

/** Everything that may be set, so that what nobody sets is looked at, too. */
function everything(): Effect[] {
	const people = [0, 1].flatMap((company) =>
		[0, 1, 2, 3, 4, 5, 6].map((who) => ({ company, who: `person ${who}`, value: true })),
	);
	return [
		...people.map((of): Effect => ({ ...of, field: 'jobTitle' })),
		...people.flatMap((of) =>
			TAGS.map((id): Effect => ({ ...of, field: 'tags', entry: `/tags/${id}` })),
		),
		...people.flatMap((of) =>
			SEGMENTS.map((id): Effect => ({ ...of, field: 'segments', entry: `/segments/${id}` })),
		),
		...[0, 1].flatMap((company) =>
			TASKS.map((task): Effect => ({ company, who: `task ${task}`, field: 'status', value: true })),
		),
	];
}

/**
 * What an overlap did wrong, by what the service holds; of what two processes change at once, the README
 * promises that each of them makes a person once at most.
 */
export function judge(
	{ runs, service }: Overlap,
	{ companies, results, seenAtStart }: Played,
): string[] {
	const wrongs: string[] = [];
	const ends = runs.map((run, index) => endsOf(results[index], run));
	const effects = runs.map((run, index) => run.rows.map((_, row) => effectsOf(index, row, run)));
	const processesOf = (isMeant: (effect: Effect, run: Run) => boolean) =>
		new Set(
			runs
				.filter((run, index) => effects[index].flat().some((effect) => isMeant(effect, run)))
				.map(({ process }) => process),
		).size;
	const makersOf = (company: number, who: string) =>
		processesOf((effect, { operation }) => {
			return operation === 'upsert' && effect.company === company && effect.who === who;
		});

	for (const [at, company] of companies.entries()) {
		for (const who of [0, 1, 2, 3, 4, 5, 6]) {
			const most = Math.max(1, KNOWN.includes(who) ? 1 : makersOf(at, `person ${who}`));
			const found = peopleWith(company, emailOf(who)).length;
			if (found > most) wrongs.push(`company ${at}: person ${who} is there ${found} times`);
		}
	}

	for (const thing of everything()) {
		const { company, who, field, entry } = thing;
		const isList = (effect: Effect) =>
			effect.company === company && effect.who === who && effect.field === field;
		if (processesOf(isList) > 1 || makersOf(company, who) > 1) continue;
		const sets = (effect: Effect) => isList(effect) && effect.entry === entry;
		const value = held(companies[company], thing);
		const possible = possibleValues(thing, { effects, ends, sets });
		if (!possible.includes(value)) {
			const named = `company ${company}: ${who}, ${field} ${entry ?? ''}`;
			wrongs.push(`${named} is ${value}, and not ${[...new Set(possible)].join(' or ')}`);
		}
	}

	const isUndisturbed =
		service.faults.length === 0 &&
		runs.every(({ stopsAfterMs, process }) => stopsAfterMs === undefined && process === 0);
	for (const [index, run] of runs.entries()) {
		const failed = run.rows.findIndex((row, at) => ends[index][at] !== 'done' && isKnown(row));
		const isFine = failed < 0 || (run.onError === 'stopWorkflow' && !run.rows.every(isKnown));
		if (isUndisturbed && !isFine) {
			const said = results[index].error?.message ?? ends[index][failed];
			wrongs.push(`run ${index} item ${failed} is not done: ${said}`);
		}
	}
	return [...wrongs, ...lateTurns(runs, companies, seenAtStart)];
}

/**
 * What may be held: of each run what its last item set that was done, or one after it of which that is not
 * known.
 */
function possibleValues(
	thing: Effect,
	{
		effects,
		ends,
		sets,
	}: { effects: Effect[][][]; ends: string[][]; sets: (effect: Effect) => boolean },
): Value[] {
	const possible: Value[] = [];
	let isSetForSure = false;
	for (const [index, rows] of effects.entries()) {
		for (let row = rows.length - 1; row >= 0; row--) {
			const effect = rows[row].find(sets);
			if (!effect) continue;
			possible.push(effect.value);
			if (ends[index][row] !== 'done') continue;
			isSetForSure = true;
			break;
		}
	}
	return isSetForSure ? possible : [...possible, initial(thing)];
}

/** Lists of titles are read before an item waits for its turn. */
const isPreparation = ({ request: { path } }: Seen) => /^\/(workspaces|segments|tags)$/.test(path);

/**
 * Runs that began later than at the second item from their start: on one credential of a process, the item
 * that is under way ends, and one of each other run may come first.
 */
function lateTurns(runs: Run[], companies: Company[], seenAtStart: number[]): string[] {
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
