import { DateTime } from 'luxon';
import type { Case } from './cases';
import type { Finding } from './findings';
import { readField } from './fields';
import { unmarked } from './intentions';
import type { Row } from './operations';
import type { Outcome, Played } from './play';
import { isBlank, normalForm, readReferenceList } from './readings';
import type { Flat } from './world';

/**
 * Meaning of a filter: the records that a list must have, and those that it may have. They differ if the interface
 * does not say how a filter compares, or how it reads several values.
 */
interface Meant {
	must: (record: Flat) => boolean;
	may: (record: Flat) => boolean;
}

type Created = Map<string, string>;

const NONE: Meant = { must: () => false, may: () => false };

const asList = (given: unknown): unknown[] =>
	typeof given === 'string' ? given.split(',') : Array.isArray(given) ? given : [given];

function bySet(wanted: string[], read: (person: Flat) => string[]): Meant {
	return {
		must: (person) => wanted.every((one) => read(person).includes(one)),
		may: (person) => wanted.some((one) => read(person).includes(one)),
	};
}

/** Returns a meaning without doubt: the list must have exactly these records, because the node itself filters them. */
const exactly = (isMeant: (record: Flat) => boolean): Meant => ({ must: isMeant, may: isMeant });

const irisIn = (field: string) => (person: Flat) => [person[field] ?? []].flat() as string[];
const emailsOf = (person: Flat) =>
	(person.emailAddresses as Array<{ email: string }>).map(({ email }) => email);

function byEmail(given: unknown): Meant {
	const wanted = asList(given)
		.filter((one) => !isBlank(one))
		.map(String);
	const forms = wanted.map((one) => normalForm(one));
	// The interface does not promise that a service compares whole addresses.
	const has = (email: string) => forms.some((form) => normalForm(email).includes(form));
	return {
		must: (person) => wanted.every((one) => emailsOf(person).includes(one)),
		may: (person) => emailsOf(person).some(has),
	};
}

/** "Title Contains": matches one of the given texts, ignoring case and accents as people do. */
function byTitle(given: unknown): Meant {
	const plain = (text: unknown) =>
		String(text).normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
	const wanted = [given].flat().filter((one) => !isBlank(one));
	return exactly(({ title }) => wanted.some((one) => plain(title).includes(plain(one))));
}

/** Returns the meaning of a filter that the node applies to tasks. Several values mean any of them. */
function meaningForTasks(name: string, given: unknown, { known }: Played): Meant | undefined {
	if (name === 'assignees' || name === 'tags') {
		const reading = readReferenceList(given, known[name === 'tags' ? name : 'users']);
		if (!('iris' in reading)) return NONE;
		return exactly((task) => reading.iris.some((iri) => irisIn(name)(task).includes(iri)));
	}
	if (isImpossible(given)) return NONE;
	if (name === 'title') return byTitle(given);
	if (name !== 'state') return undefined;
	const reading = readField('state', given, known);
	if (!('fits' in reading)) return NONE;
	return exactly(({ completedAt }) => reading.fits(completedAt !== null));
}

function meaning(name: string, given: unknown, iri: Created, played: Played): Meant {
	const { known } = played;
	const lists: Record<string, [resource: string, field: string]> = {
		tagsId: ['tags', 'tags'],
		segmentsUuid: ['segments', 'segments'],
		ownerId: ['users', 'owner'],
	};
	if (name in lists) {
		const [resource, field] = lists[name];
		const reading = readReferenceList(given, known[resource]);
		return 'iris' in reading ? bySet(reading.iris, irisIn(field)) : NONE;
	}
	if (isImpossible(given)) return NONE;
	if (name === 'emailAddressesEmail') return byEmail(given);
	if (name === 'existsArchivedAt') {
		const reading = readField('whether', given, known);
		if (!('fits' in reading)) return NONE;
		return exactly(({ archivedAt }) => reading.fits(archivedAt !== null));
	}
	if (name === 'createdAtAfter') {
		const from = DateTime.fromISO(String(given), { zone: 'Europe/Amsterdam' }).toMillis();
		return exactly(({ id }) => Date.parse(iri.get(String(id)) ?? '') >= from);
	}
	// Only the service knows the results of a search.
	return { must: () => false, may: () => true };
}

const isImpossible = (given: unknown) =>
	(typeof given === 'object' && given !== null && !Array.isArray(given)) ||
	(typeof given === 'number' && !Number.isFinite(given));

function judgeRow(drawn: Case, played: Played, row: Row, outcome: Outcome): Finding[] {
	const index = drawn.rows.indexOf(row);
	const isOfTasks = drawn.name.startsWith('task ');
	const ignoresBlanks =
		(drawn.options.options as { whenFilterEmpty?: string }).whenFilterEmpty === 'ignore';
	const given = drawn.columns.map((name) => [name, unmarked(row.values[name])] as const);
	const isBlankSomewhere = given.some(([, cell]) => isBlank(cell));
	if (isBlankSomewhere && !ignoresBlanks) {
		const rule = 'A filter that is given as a blank is an error';
		return outcome.is === 'done' ? [{ rule, row: index, after: outcome.items.length }] : [];
	}
	const created: Created = new Map(
		[...played.people, ...played.tasks].map(({ id, createdAt }) => [id, createdAt] as const),
	);
	const meant = given
		.filter(([, cell]) => !isBlank(cell))
		.map(([name, cell]) => {
			const ofTasks = isOfTasks ? meaningForTasks(name, cell, played) : undefined;
			return ofTasks ?? meaning(name, cell, created, played);
		});
	const ofList = isOfTasks ? /^\/tasks\/[^/]+$/ : /^\/people\//;
	const records = [...played.before].filter(([iri]) => ofList.test(iri));
	const idsOf = (kind: keyof Meant) =>
		records
			.filter(([, record]) => meant.every((one) => one[kind](record)))
			.map(([, record]) => String(record.id));
	const nameless = outcome.items.filter(({ id }) => typeof id !== 'string');
	if (nameless.length > 0) {
		return [{ rule: 'A result names its record', row: index, after: nameless[0] }];
	}
	const listed = outcome.items.map(({ id }) => String(id));
	return judgeIds({ row: index, listed, may: idsOf('may'), must: idsOf('must'), outcome, drawn });
}

interface Listed {
	row: number;
	listed: string[];
	may: string[];
	must: string[];
	outcome: Outcome;
	drawn: Case;
}

function judgeIds({ row, listed, may, must, outcome, drawn }: Listed): Finding[] {
	const allowed = new Set(may);
	const seen = new Set(listed);
	const findings: Finding[] = [];
	const wrong = listed.filter((id) => !allowed.has(id));
	if (wrong.length > 0) {
		const rule = 'Nothing is listed that does not match';
		findings.push({ rule, row, before: may.length, after: wrong.slice(0, 3) });
	}
	if (seen.size < listed.length) findings.push({ rule: 'Nothing is listed twice', row });
	if (outcome.is !== 'done') return findings;
	const limit = drawn.options.returnAll ? Infinity : (drawn.options.limit as number);
	const isComplete =
		must.every((id) => seen.has(id)) || listed.length >= Math.min(limit, must.length);
	const isWhole = drawn.options.returnAll ? must.every((id) => seen.has(id)) : isComplete;
	if (!isWhole) {
		const rule = 'A list is complete, or the item is an error';
		findings.push({ rule, row, before: must.length, after: listed.length });
	}
	if (listed.length > limit) findings.push({ rule: 'A list has no more than its limit', row });
	return findings;
}

/** Checks Get Many: it returns the list that the filters describe, or an error, and changes nothing. */
export function judgeList(drawn: Case, played: Played): Finding[] {
	const changed = [...played.before].filter(
		([iri, record]) => JSON.stringify(played.after.get(iri)) !== JSON.stringify(record),
	);
	return [
		...drawn.rows.flatMap((row, index) => judgeRow(drawn, played, row, played.outcomes[index])),
		...changed.map(([iri]) => ({ rule: 'A list changes nothing', where: iri })),
	];
}
