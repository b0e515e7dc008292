import type { Case } from './cases';
import { entriesOf, readAdditions, type FieldKind } from './fields';
import {
	joined,
	judgeEntries,
	judgeFields,
	judgeNew,
	judgeNothingNew,
	judgeUntouched,
	takenAddresses,
	type Effect,
	type Finding,
} from './findings';
import { readRow, unmarked } from './intentions';
import { OPERATIONS } from './operations';
import type { Played } from './play';
import { entryForm, normalForm, readText, type Reading } from './readings';
import type { Flat } from './world';

const LISTS: Record<string, FieldKind> = {
	tags: 'tags',
	segments: 'segments',
	emailAddresses: 'emails',
	phoneNumbers: 'phones',
};

const isPerson = ([iri]: readonly [string, Flat]) => iri.startsWith('/people/');

/** Returns the values by which Create or Update can find a person: addresses, or all identifiers. */
function identifiersOf(person: Flat, matchBy: unknown): string[] {
	const emails = (person.emailAddresses as Array<{ email: string }>).map(({ email }) => email);
	if (matchBy === 'email') return emails;
	const phones = (person.phoneNumbers as Array<{ phoneNumber: string }>).map(
		({ phoneNumber }) => phoneNumber,
	);
	const network = typeof person.networkId === 'string' ? [person.networkId] : [];
	return [...emails, ...phones, ...network];
}

/** Returns whether a service with this comparison finds an identifier by the usual spellings of a value. */
function isFindable(identifier: string, given: string, comparison = 'literal'): boolean {
	const spellings = [given, given.trim(), normalForm(given)];
	if (comparison === 'exact' || comparison === 'literal') return spellings.includes(identifier);
	return spellings.some((spelling) => spelling.toLowerCase() === identifier.toLowerCase());
}

interface Group {
	/** Identifiers of the rows. There are several if the rows share a further address. */
	keys: string[];
	/** All addresses that the rows give besides the identifier. */
	further: string[];
	/** Indexes of the rows. */
	rows: number[];
	/** IRIs of people with the identifier at the start, in any spelling. */
	matches: string[];
	/** For each row, the number of people in `matches` that its lookup has to find. */
	findableBy: number[];
	/**
	 * Whether a further address may have led to another person. The order of the rows then decides who is meant, so
	 * fewer rules hold. `files.test.ts` judges who is meant.
	 */
	isUnclear: boolean;
}

const shares = (left: string[], right: string[]) => left.some((one) => right.includes(one));

/** Joins groups whose rows may mean one person by a further address, and adds the people who have such an address. */
function joinByAddress(groups: Group[], { before }: Played): Group[] {
	const joined: Group[] = [];
	for (const group of groups) {
		const own = [...group.keys, ...group.further];
		const others = joined.filter(
			({ keys, further }) => shares(group.further, keys) || shares(further, own),
		);
		const merged = [...others, group].reduce((left, right) => ({
			keys: [...left.keys, ...right.keys],
			further: [...left.further, ...right.further],
			rows: [...left.rows, ...right.rows],
			matches: [...new Set([...left.matches, ...right.matches])],
			findableBy: [...left.findableBy, ...right.findableBy],
			isUnclear: true,
		}));
		joined.splice(0, joined.length, ...joined.filter((one) => !others.includes(one)), merged);
	}
	return joined.map((group) => {
		const more = [...before].filter(
			([iri, person]) =>
				iri.startsWith('/people/') &&
				!group.matches.includes(iri) &&
				shares(entriesOf('emails', person.emailAddresses), group.further),
		);
		if (more.length === 0) return group;
		const matches = [...group.matches, ...more.map(([iri]) => iri)];
		return { ...group, matches, isUnclear: true };
	});
}

function groupsOf(drawn: Case, played: Played): Group[] {
	const { rows, name, switches, columns } = drawn;
	const { before, known } = played;
	const matchBy = OPERATIONS[name].matchBy;
	const groups = new Map<string, Group>();
	rows.forEach((row, index) => {
		const given = unmarked(row.match);
		if (readText(given).is !== 'value') return;
		const key = normalForm(given as string);
		const group = groups.get(key) ?? {
			keys: [key],
			further: [],
			rows: [],
			matches: [],
			findableBy: [],
			isUnclear: false,
		};
		groups.set(key, group);
		group.rows.push(index);
		if (columns.includes('emailAddresses')) {
			const given = readAdditions('emails', row.values.emailAddresses, known) ?? [];
			group.further.push(...given.filter((entry) => entry !== key));
		}
		const found: Flat[] = [];
		for (const [iri, person] of [...before].filter(isPerson)) {
			const own = identifiersOf(person, matchBy).filter((one) => normalForm(one) === key);
			if (own.length > 0 && !group.matches.includes(iri)) group.matches.push(iri);
			const isFound = own.some((one) => isFindable(one, given as string, switches.comparison));
			if (isFound) found.push(person);
		}
		// If a lookup finds several people, the node means the only active person.
		const active = found.filter(({ archivedAt }) => archivedAt === null);
		group.findableBy.push(active.length === 1 ? 1 : found.length);
	});
	return joinByAddress([...groups.values()], played);
}

/** Checks lists: old entries keep their spelling, and only given entries are added. */
function judgeLists(
	drawn: Case,
	played: Played,
	group: Group,
	people: { where: string; before: Flat; after: Flat; isNew: boolean },
): Finding[] {
	const { where, before, after, isNew } = people;
	return Object.entries(LISTS).flatMap(([name, kind]) => {
		const ofRow = (row: number) =>
			drawn.columns.includes(name)
				? (readAdditions(kind, drawn.rows[row].values[name], played.known) ?? [])
				: [];
		const is = (row: number) => played.outcomes[row].is;
		const taken = kind === 'emails' ? takenAddresses(played, where) : new Set<string>();
		const done = group.rows
			.filter((row) => is(row) === 'done' && !group.isUnclear)
			.flatMap(ofRow)
			.filter((entry) => !taken.has(entry));
		const perhaps = group.rows.filter((row) => is(row) !== 'failed').flatMap(ofRow);
		const had = entriesOf(kind, before[name]);
		const key = isNew && (kind === 'emails' || kind === 'phones') ? group.keys.map(entryForm) : [];
		const has = entriesOf(kind, after[name]);
		const spelled = JSON.stringify(after[name]);
		const respelled = (before[name] as unknown[]).filter(
			(entry) => !spelled.includes(JSON.stringify(entry)),
		);
		const findings = judgeEntries(
			`${where} ${name}`,
			has,
			joined(had, done),
			joined(had, [...perhaps, ...key]),
		);
		if (respelled.length === 0) return findings;
		const rule = 'Create or Update keeps the entries of a list as they are';
		return [...findings, { rule, where, before: before[name], after: after[name] }];
	});
}

const withoutLists = (person: Flat): Flat => {
	const entries = Object.entries(person).filter(([name]) => !(name in LISTS));
	return Object.fromEntries(entries);
};

function effectsOf(drawn: Case, played: Played, group: Group): Effect[] {
	return group.rows.map((row) => {
		const fields = readRow(OPERATIONS[drawn.name], drawn.columns, drawn.rows[row], played.known);
		const { is } = played.outcomes[row];
		return { row, is: group.isUnclear && is === 'done' ? 'unknown' : is, fields };
	});
}

/** Checks a person who existed before: only the values of the rows changed. */
function judgeKept(drawn: Case, played: Played, group: Group, iri: string): Finding[] {
	const [before, after] = [played.before.get(iri)!, played.after.get(iri)!];
	return [
		...judgeFields(iri, withoutLists(before), withoutLists(after), effectsOf(drawn, played, group)),
		...judgeLists(drawn, played, group, { where: iri, before, after, isNew: false }),
	];
}

const EMPTY: Flat = { tags: [], segments: [], emailAddresses: [], phoneNumbers: [] };

/** Checks a new person: it belongs to one group, and has the values of its rows. */
function judgeMade(drawn: Case, played: Played, group: Group, iri: string): Finding[] {
	const operation = OPERATIONS[drawn.name];
	const after = played.after.get(iri)!;
	const rows = effectsOf(drawn, played, group).filter(({ is }) => is !== 'failed');
	const lists = judgeLists(drawn, played, group, { where: iri, before: EMPTY, after, isNew: true });
	if (rows.length !== 1) return lists;
	const plain = Object.entries(rows[0].fields).filter(([name]) => !(name in LISTS));
	const fields = Object.fromEntries(plain) as Record<string, Reading>;
	return [...lists, ...judgeNew({ ...operation, fields: {} }, iri, after, fields)];
}

/** Checks that results name the person of their group. */
function judgeResults(drawn: Case, played: Played, group: Group, iris: string[]): Finding[] {
	const isSwapped = drawn.faults.some(({ kind }) => kind === 'other-record');
	return group.rows.flatMap((row): Finding[] => {
		const { is, items } = played.outcomes[row];
		const isRight = iris.some((iri) => iri === `/people/${String(items[0]?.id)}`);
		// If the service answers with another record than the new one, the node cannot notice that.
		if (is !== 'done' || isRight || isSwapped) return [];
		return [{ rule: 'A result names its record', row, where: iris.join(), after: items[0] }];
	});
}

/** Returns whether a row created a person although its spelling would have found an existing one. */
function couldFind(played: Played, { rows, findableBy }: Group, made: string[]): boolean {
	const names = (row: number) =>
		made.includes(`/people/${String(played.outcomes[row].items[0]?.id)}`);
	const maker = rows.findIndex(names);
	if (maker >= 0) return findableBy[maker] > 0;
	// Any of these rows may have created the person.
	const candidates = rows.flatMap((row, index) =>
		played.outcomes[row].is === 'unknown' ? [findableBy[index]] : [],
	);
	return candidates.length > 0 && candidates.every((count) => count > 0);
}

/** Checks for one value of a lookup that no person is duplicated, and that no people are merged. */
function judgeGroup(
	drawn: Case,
	played: Played,
	group: Group,
	made: string[],
	others: string[],
): Finding[] {
	const { matches, rows, keys, isUnclear } = group;
	const is = rows.map((row) => played.outcomes[row].is);
	const where = `${keys.join()}, ${matches.length} at the start`;
	const changed = matches.filter(
		(iri) =>
			!others.includes(iri) &&
			JSON.stringify(played.before.get(iri)) !== JSON.stringify(played.after.get(iri)),
	);
	const findings: Finding[] = [];
	const broken = (rule: string) => findings.push({ rule, where, before: matches, after: made });
	if (made.length > 1 && !isUnclear) broken('Nobody is doubled');
	if (made.length > 0 && !isUnclear && couldFind(played, group, made)) {
		broken('Nobody is doubled who could be found');
	}
	if (!isUnclear && changed.length > 1) broken('Several matches are an error');
	const isOfSeveral = (one: string, index: number) => one === 'done' && group.findableBy[index] > 1;
	if (!isUnclear && is.some(isOfSeveral)) {
		broken('Several matches are an error');
	}
	if (is.includes('done') && matches.length === 0 && made.length === 0) {
		broken('Somebody who is not there is made');
	}
	if (!is.includes('done') && !is.includes('unknown') && made.length > 0) {
		broken('An error means that nothing was written');
	}
	return [
		...findings,
		...made.flatMap((iri) => judgeMade(drawn, played, group, iri)),
		...judgeResults(drawn, played, group, [...made, ...matches]),
	];
}

/** Returns the rules that a case of Create or Update broke. */
export function judgeUpsert(drawn: Case, played: Played): Finding[] {
	const matchBy = OPERATIONS[drawn.name].matchBy;
	const groups = groupsOf(drawn, played);
	const made = [...played.after].filter((entry) => isPerson(entry) && !played.before.has(entry[0]));
	const keyed = (group: Group) =>
		made
			.filter(([, person]) =>
				identifiersOf(person, matchBy).some((one) => group.keys.includes(normalForm(one))),
			)
			.map(([iri]) => iri);
	// If lookups of several values lead to one person, the rows of all these lookups may change the person.
	const found = [...new Set(groups.flatMap(({ matches }) => matches))];
	const leading = (iri: string): Group => {
		const own = groups.filter(({ matches }) => matches.includes(iri));
		const rows = own.flatMap(({ rows: all }) => all).sort((left, right) => left - right);
		const isUnclear = own.some((group) => keyed(group).length > 0 || group.matches.length > 1);
		const [keys, further] = [own.flatMap((group) => group.keys), []];
		return { keys, further, rows, matches: [iri], findableBy: [], isUnclear };
	};
	const besides = (group: Group) =>
		groups.filter((other) => other !== group).flatMap((other) => other.matches);
	const madeForGroups = groups.flatMap(keyed);
	return [
		...groups.flatMap((group) => judgeGroup(drawn, played, group, keyed(group), besides(group))),
		...found.flatMap((iri) => judgeKept(drawn, played, leading(iri), iri)),
		...judgeNothingNew(played, madeForGroups),
		...judgeUntouched(played, found),
	];
}
