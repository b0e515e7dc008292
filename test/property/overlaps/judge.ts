import type { NodeResult } from '../../engine/support/runNode';
import { emailOf, ENTRIES, KNOWN, PEOPLE, TASKS, type Company, type Seen } from './company';
import type { Overlap, Run } from './drawn';
import { markOf, nameOf, type Played } from './play';

type Value = string | boolean | null;

/** What an item may set: a field of a person or task, or whether something is in one of its lists. */
interface Target {
	company: number;
	who: number;
	field: 'jobTitle' | 'tags' | 'segments' | 'status';
	/** Of a list. */
	entry?: string;
}

/** What an item of a run sets, and how it ended. */
interface Setting extends Omit<Target, 'company'> {
	run: Run;
	item: number;
	end: string;
	value: Value;
}

/**
 * What an overlap did wrong, by what the service holds. Of what two processes change at once, the README
 * promises no more than that each of them makes a person once.
 */
export function judge(overlap: Overlap, played: Played): string[] {
	const { companies, results } = played;
	const settings = overlap.runs.flatMap((run, at) => {
		const ends = endsOf(results[at], run);
		return run.rows.flatMap((_, item) =>
			setBy(run, item, markOf(at, item)).map((set) => ({ ...set, run, item, end: ends[item] })),
		);
	});
	return [
		...companies.flatMap((company, at) =>
			PEOPLE.flatMap((who) => {
				const found = company.peopleWith(emailOf(who)).length;
				const isDoubled = found > Math.max(1, makers(settings, at, who));
				return isDoubled ? [`company ${at}: person ${who} is there ${found} times`] : [];
			}),
		),
		...EVERYTHING.flatMap((target) => wrongValue(target, settings, companies[target.company])),
		...notDone(overlap, played),
		...lateTurns(overlap.runs, played),
	];
}

function setBy({ operation, rows }: Run, item: number, mark: string) {
	const { who, entry } = rows[item];
	const jobTitle = { who, field: 'jobTitle' as const, value: mark };
	const inList = (field: 'tags' | 'segments', value: boolean) => {
		return { who, field, entry: ENTRIES[field][entry], value };
	};
	const sets: Record<
		Run['operation'],
		Array<Pick<Setting, 'who' | 'field' | 'entry' | 'value'>>
	> = {
		upsert: [jobTitle, inList('tags', true)],
		update: [jobTitle],
		addTags: [inList('tags', true)],
		removeTags: [inList('tags', false)],
		addToSegments: [inList('segments', true)],
		removeFromSegments: [inList('segments', false)],
		move: [{ who, field: 'status', value: ENTRIES.columns[entry] }],
	};
	return sets[operation];
}

/** How each item ended, as far as the node says it: an error that ends the run says it of none. */
function endsOf({ items, errorItems, error }: NodeResult, { rows }: Run): string[] {
	const ends = rows.map((): string => error?.message ?? 'nothing');
	const itemOf = (pairedItem: unknown) => (pairedItem as { item: number }).item;
	for (const { pairedItem } of items) ends[itemOf(pairedItem)] = 'done';
	for (const { json, pairedItem } of errorItems) ends[itemOf(pairedItem)] = String(json.error);
	return ends;
}

/** Everything that an item may set, so that what none sets is looked at, too. */
const EVERYTHING = [0, 1].flatMap((company): Target[] => {
	const inLists = (['tags', 'segments'] as const).flatMap((field) =>
		ENTRIES[field].map((entry) => ({ field, entry })),
	);
	const ofPerson = [{ field: 'jobTitle' as const }, ...inLists];
	return [
		...PEOPLE.flatMap((who) => ofPerson.map((of) => ({ company, who, ...of }))),
		...TASKS.map((who) => ({ company, who, field: 'status' as const })),
	];
});

const processes = (settings: Setting[]) => new Set(settings.map(({ run }) => run.process)).size;

/** How many processes may make a person. */
function makers(settings: Setting[], company: number, who: number): number {
	if (KNOWN.includes(who)) return 1;
	const isMaker = ({ run, ...set }: Setting) =>
		run.operation === 'upsert' && run.company === company && set.who === who;
	return processes(settings.filter(isMaker));
}

/**
 * What is held is, of some run, what the last of its items set that was done, or one after it of which
 * that is not known.
 */
function wrongValue(
	{ company: at, who, field, entry }: Target,
	settings: Setting[],
	company: Company,
): string[] {
	// A list is written as a whole.
	const ofField = settings.filter(
		(set) => set.run.company === at && set.who === who && set.field === field,
	);
	if (processes(ofField) > 1 || (field !== 'status' && makers(settings, at, who) > 1)) return [];
	const own = ofField.filter((set) => set.entry === entry);
	const isUndone = ({ run, item }: Setting) =>
		own.some((later) => later.run === run && later.item > item && later.end === 'done');
	const possible = own.filter((set) => !isUndone(set)).map(({ value }) => value);
	if (!own.some(({ end }) => end === 'done')) possible.push(initial(who, field, entry));
	const value = held(company, who, field, entry);
	const named = `company ${at}: ${field} ${entry ?? ''} of ${who} is ${value}`;
	return possible.includes(value) ? [] : [`${named}, and not ${possible.join(' or ')}`];
}

function held(company: Company, who: number, field: Target['field'], entry = ''): Value {
	if (field === 'status') return company.columnOf(who) ?? null;
	const [person] = company.peopleWith(emailOf(who));
	if (field === 'jobTitle') return person?.jobTitle ?? null;
	return person?.[field].includes(entry) ?? false;
}

function initial(who: number, field: Target['field'], entry = ''): Value {
	if (field === 'status') return ENTRIES.columns[0];
	if (field === 'jobTitle') return null;
	return KNOWN.includes(who) && ENTRIES[field][0] === entry;
}

/** Items that nothing stood in the way of, and that were not done. */
function notDone({ runs, service }: Overlap, { results }: Played): string[] {
	const isStopped = runs.some(({ stopsAfterMs }) => stopsAfterMs !== undefined);
	const isCrowded = runs.some(({ process }) => process !== 0);
	if (isStopped || isCrowded || service.switches.faults!.length > 0) return [];
	return runs.flatMap((run, at) =>
		endsOf(results[at], run).flatMap((end, item) =>
			end === 'done' ? [] : [`run ${at} item ${item} is not done: ${end}`],
		),
	);
}

const isSuccess = (status: number) => status >= 200 && status < 300;

/** Lists of titles are read before an item waits for its turn. */
const isPreparation = ({ path }: Seen) => /^\/(workspaces|segments|tags)$/.test(path);

/**
 * Runs that began later than at the second item from their start: on one credential of a process, the item
 * that is under way ends, and one of each other run may come first.
 */
function lateTurns(runs: Run[], { companies, startedAt }: Played): string[] {
	return runs.flatMap((run, at) => {
		const { company, key, process } = run;
		const isRival = (other: Run) =>
			other !== run && other.company === company && other.key === key && other.process === process;
		const rivals = runs.flatMap((other, index) => (isRival(other) ? [nameOf(index)] : []));
		const { seen } = companies[company];
		const own = seen.filter((one) => one.run === nameOf(at));
		const began = own.find((one) => !isPreparation(one))?.at ?? -Infinity;
		const answers = own.filter(isPreparation).map(({ answeredAt = 0 }) => answeredAt);
		const since = Math.max(startedAt[at], ...answers);
		const isItem = (one: Seen) =>
			rivals.includes(one.run) && one.method !== 'GET' && isSuccess(one.status ?? 0);
		const isBefore = (one: Seen) => since < one.at && one.at < began;
		const before = seen.filter((one) => isBefore(one) && isItem(one)).length;
		return before > 1 + rivals.length ? [`run ${at} began after ${before} items of others`] : [];
	});
}
