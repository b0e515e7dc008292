import type { Person } from '../../service/records';
import { emailOf } from '../overlaps/company';
import type { Drawn } from './drawn';
import { ANY_TIME, type Given, inputOf, lookedUp, OPERATIONS, type Run } from './operations';
import type { Played } from './play';
import { type Happened, keysIn, type List, LISTS, type Sent } from './world';

/*
 * The judge knows all requests, what their answers showed, and all changes of people. The interface has no conditional
 * update, so a write may overwrite a colleague's change that came after the read. The judge accepts this if the read was
 * young enough when the write left. It accepts an older read only if the item has already repeated the read twice. Each
 * of the earlier reads must have been too old. At one request a minute, every write of a list has such an old read.
 */

/** Maximum ages in ms of a read when the write leaves. */
const LIST_MS = 15_000;
const LOOKUP_MS = 90_000;
const MOST_READS_AGAIN = 2;
/** Tolerated difference between two clocks of one process. */
const ROUNDING_MS = 5;

/** A write that took effect, with all that the judge needs to know about the write. */
interface Write {
	sent: Sent;
	run: Run;
	given: Given;
	/** Address that the item looked up. */
	email?: string | undefined;
	change: Happened;
	/** Newest read of the person in the run. */
	read?: Sent | undefined;
}

/** Returns the mistakes of the node. */
export function judge(drawn: Drawn, played: Played): string[] {
	const writes = writesOf(drawn, played);
	return [
		...writes.flatMap((write) => [
			...lostEntries(write, drawn, played),
			...otherFields(write),
			...wrongPerson(write, played),
		]),
		...doubles(drawn, played),
		...notToldRight(drawn, played),
	];
}

function writesOf({ runs }: Drawn, { company }: Played): Write[] {
	return company.sent.flatMap((sent): Write[] => {
		const change = company.happened.find((one) => one.order === sent.order);
		if (!change?.before) return [];
		const run = runs[sent.run];
		const given = givenOf(run, sent, company.idOf.bind(company, 'people'));
		const read = newestRead(company.sent, sent, change.after.id);
		return [{ sent, run, given, email: lookedUp(run.rows[sent.item]), change, read }];
	});
}

function givenOf(run: Run, place: { run: number; item: number }, id: (who: number) => string) {
	return OPERATIONS[run.operation].given(inputOf(run, place, id));
}

/** Returns the reads whose answers a run had when a request left, the newest last. */
function readsOf(
	all: readonly Sent[],
	{ run, leftAt }: Sent,
	isWanted: (read: Sent) => boolean,
): Sent[] {
	return all
		.filter((one) => one.run === run && one.answeredAt <= leftAt && one.shown && isWanted(one))
		.sort((one, other) => one.leftAt - other.leftAt);
}

const newestRead = (all: readonly Sent[], sent: Sent, id: string) =>
	readsOf(all, sent, ({ shown }) => shown!.has(id)).at(-1);

const named = ({ run, item, method, path }: Sent) => `run ${run} item ${item} (${method} ${path})`;

/** Reports entries of lists that a write removed or brought back, although the item did not ask for it. */
function lostEntries(write: Write, { service }: Drawn, { company }: Played): string[] {
	const { sent, given, change, read } = write;
	const { before, after } = change;
	return LISTS.flatMap((list) => {
		if (given.isWhole && (sent.method === 'PUT' || given.added?.[list])) return [];
		const [were, are] = [keysIn(before, list), keysIn(after, list)];
		const [added, removed] = [given.added?.[list] ?? [], given.removed?.[list] ?? []];
		const lost = were.filter((key) => !are.includes(key) && !removed.includes(key));
		const restored = are.filter((key) => !were.includes(key) && !added.includes(key));
		return [...lost, ...restored].flatMap((key) => {
			const last = company.happened
				.filter((one) => one.order < sent.order && isOf(one, after.id, list, key))
				.at(-1);
			const isUnseen =
				read !== undefined &&
				last !== undefined &&
				last.run === undefined &&
				(last.order > read.order || last.at > read.effectAt - service.switches.readsLagMs!);
			if (isUnseen && isYoungEnough(sent, readsBefore(write, company.sent), LIST_MS)) return [];
			const age = read ? `${sent.leftAt - read.leftAt} ms` : 'no';
			return [`${named(sent)} loses or restores ${key} of ${list}, from a read of ${age}`];
		});
	});
}

/** Returns whether a change added an entry to a list of a person, or removed the entry. */
function isOf({ before, after }: Happened, id: string, list: List, key: string): boolean {
	return (
		after.id === id && keysIn(before, list).includes(key) !== keysIn(after, list).includes(key)
	);
}

/**
 * Returns whether the newest read was young enough when a write left. An older read also counts as young enough if the
 * item had repeated the read twice before. Each of the earlier reads must have been too old.
 *
 * @param reads all reads of the person or the address, the newest last
 * @param ms maximum age of the newest read
 * @param oldMs age of a read at which the item repeats the read
 */
function isYoungEnough(sent: Sent, reads: readonly Sent[], ms: number, oldMs = ms): boolean {
	const newest = reads.at(-1);
	if (!newest) return false;
	if (sent.leftAt - newest.leftAt <= ms + ROUNDING_MS) return true;
	const isAgain = (one: Sent, at: number) =>
		one.item === sent.item && at > 0 && one.leftAt - reads[at - 1].leftAt > oldMs - ROUNDING_MS;
	return reads.filter(isAgain).length >= MOST_READS_AGAIN;
}

/** Returns the reads that show the person of a write, or look up the address of its item. */
function readsBefore({ sent, email, change }: Write, all: readonly Sent[]): Sent[] {
	const isLookup = ({ asked }: Sent) => email !== undefined && asked.includes(email);
	return readsOf(all, sent, (one) => one.shown!.has(change.after.id) || isLookup(one));
}

/** Reports fields that a write changed or named although the item did not give them. */
function otherFields({ sent, given, change: { before, after } }: Write): string[] {
	if (sent.method === 'PUT') return [];
	const own = [given.fields, given.added, given.removed].flatMap((part) => Object.keys(part ?? {}));
	const isChanged = (name: string) =>
		JSON.stringify(before![name as keyof Person]) !== JSON.stringify(after[name as keyof Person]);
	const changed = Object.keys(after).filter((name) => name !== 'updatedAt' && isChanged(name));
	const others = [...Object.keys(sent.body), ...changed].filter((name) => !own.includes(name));
	return others.map((name) => `${named(sent)} overwrites ${name}, which the item does not give`);
}

/** Reports a write to somebody who no longer had the looked-up address, if the answers so far showed this to the run. */
function wrongPerson(write: Write, { company }: Played): string[] {
	const { sent, run, email, change, read } = write;
	if (email === undefined) return [];
	const { id } = change.after;
	const has = (one: Sent | undefined, who: string) =>
		keysIn(one?.shown?.get(who), 'emailAddresses').includes(email);
	if (!read || !has(read, id)) return [`${named(sent)} writes somebody without ${email}`];
	const others = [...company.store.people.keys()].filter((other) => {
		const newer = other === id ? undefined : newestRead(company.sent, sent, other);
		return newer !== undefined && newer.leftAt > read.leftAt && has(newer, other);
	});
	const validMs = run.operation.startsWith('upsert') ? LOOKUP_MS : LIST_MS;
	const oldMs = LISTS.some((list) => list in sent.body) ? LIST_MS : validMs;
	return [
		...others.map(() => `${named(sent)} writes somebody whose ${email} has moved`),
		...(isYoungEnough(sent, readsBefore(write, company.sent), validMs, oldMs)
			? []
			: [`${named(sent)} is decided ${sent.leftAt - read.leftAt} ms before it leaves`]),
	];
}

/** Reports people who were created although somebody had the address, if a lookup could have shown this to the run. */
function doubles({ runs, service }: Drawn, { company }: Played): string[] {
	return company.sent.flatMap((sent) => {
		const change = company.happened.find((one) => one.order === sent.order);
		if (!change || change.before) return [];
		const email = emailOf(runs[sent.run].rows[sent.item].who);
		const lookups = readsOf(company.sent, sent, ({ asked }) => asked.includes(email));
		const lookup = lookups.at(-1);
		if (!lookup) return [`${named(sent)} creates somebody without a lookup of ${email}`];
		const isSince = (one: Happened) =>
			one.order > lookup.order || one.at > lookup.effectAt - service.switches.readsLagMs!;
		const last = new Map<string, Happened>();
		for (const one of company.happened) {
			const { id } = one.after;
			if (one.order < sent.order && isOf(one, id, 'emailAddresses', email)) last.set(id, one);
		}
		const known = [...last.values()].filter(
			(one) =>
				keysIn(one.after, 'emailAddresses').includes(email) &&
				!(one.run === undefined && isSince(one)),
		);
		const isInTime = isYoungEnough(sent, lookups, LOOKUP_MS);
		return [
			...known.map(({ after }) => `${named(sent)} doubles ${email} of ${after.id}`),
			...(isInTime
				? []
				: [`${named(sent)} is decided ${sent.leftAt - lookup.leftAt} ms before it leaves`]),
		];
	});
}

/** Reports items without an output or error, and items that did not do what their output says. */
function notToldRight({ runs }: Drawn, { company, results }: Played): string[] {
	return runs.flatMap((run, at) => {
		const { items, errorItems, error } = results[at];
		if (error) return [`run ${at} fails: ${error.message}`];
		const told = [...items, ...errorItems].map(
			({ pairedItem }) => (pairedItem as { item: number }).item,
		);
		const untold = run.rows.flatMap((_, item) =>
			told.filter((one) => one === item).length === 1 ? [] : [`run ${at} item ${item} is not told`],
		);
		const wrong = items.flatMap(({ json, pairedItem }) => {
			const { item } = pairedItem as { item: number };
			const given = givenOf(run, { run: at, item }, company.idOf.bind(company, 'people'));
			const id = String(json.id);
			const own = company.sent.filter((one) => one.run === at);
			const seen = own.flatMap(({ shown, written }) => {
				const states = [shown?.get(id), written?.id === id ? written : undefined];
				return states.filter((state) => state !== undefined);
			});
			const isDone = partsOf(given).every((isHeld) => seen.some(isHeld));
			const isLeft = /left as it is/i.test(String(json.note));
			return isDone || isLeft
				? []
				: [`run ${at} item ${item} says ${String(json.result)}, and did not do it`];
		});
		return [...untold, ...wrong];
	});
}

/** Returns a check for each value that an item asked for. A read may have shown one value, and a write set another. */
function partsOf({ fields, added, removed }: Given): Array<(person: Person) => boolean> {
	const entries = (part: Given['added'], isIn: boolean) =>
		Object.entries(part ?? {}).flatMap(([list, keys]) =>
			keys.map((key) => (person: Person) => keysIn(person, list as List).includes(key) === isIn),
		);
	const values = Object.entries(fields ?? {}).map(([name, value]) => (person: Person) => {
		const held = person[name as keyof Person] ?? null;
		return value === ANY_TIME ? held !== null : value === held;
	});
	return [...values, ...entries(added, true), ...entries(removed, false)];
}
