import { entriesOf } from './fields';
import type { Operation } from './operations';
import type { Outcome, Played } from './play';
import { isBlank, type Reading } from './readings';
import type { Flat, Snapshot } from './world';

/** A broken rule. */
export interface Finding {
	rule: string;
	row?: number;
	/** The record and the field, with their values before and after. */
	where?: string;
	before?: unknown;
	after?: unknown;
}

/** Intended effect of a row on one record. */
export interface Effect {
	row: number;
	is: Outcome['is'];
	fields: Record<string, Reading>;
}

export const same = (left: unknown, right: unknown) =>
	JSON.stringify(left) === JSON.stringify(right);

/** Checks that a field has the value of the last row that was done, or of a later row that may have been done. */
export function judgeFields(
	where: string,
	before: Flat,
	after: Flat,
	effects: Effect[],
): Finding[] {
	const names = new Set([...Object.keys(before), ...Object.keys(after)]);
	return [...names].flatMap((name) => {
		const own = effects.filter(
			({ is, fields }) => is !== 'failed' && 'fits' in (fields[name] ?? {}),
		);
		for (const { is, fields } of [...own].reverse()) {
			const reading = fields[name] as Reading & { fits: (value: unknown) => boolean };
			if (reading.fits(after[name])) return [];
			if (is === 'done') {
				const rule = 'What a row that succeeded gave is in the service';
				return [{ rule, where: `${where} ${name}`, before: before[name], after: after[name] }];
			}
		}
		if (same(before[name], after[name])) return [];
		const rule = 'No field changes that was not meant';
		return [{ rule, where: `${where} ${name}`, before: before[name], after: after[name] }];
	});
}

export const newIn = ({ before, after }: { before: Snapshot; after: Snapshot }) =>
	[...after.keys()].filter((iri) => !before.has(iri));

/** Checks that no record was created or removed. */
export function judgeNothingNew(played: Played, allowed: string[] = []): Finding[] {
	const made = newIn(played).filter((iri) => !allowed.includes(iri));
	const gone = [...played.before.keys()].filter((iri) => !played.after.has(iri));
	return [
		...made.map((iri) => ({
			rule: 'No record is made that was not meant',
			after: played.after.get(iri),
		})),
		...gone.map((iri) => ({ rule: 'No record is lost', before: iri })),
	];
}

/** Checks that all records but those named are unchanged. */
export function judgeUntouched(played: Played, touched: Iterable<string>): Finding[] {
	const meant = new Set(touched);
	return [...played.before].flatMap(([iri, before]) => {
		const after = played.after.get(iri);
		return meant.has(iri) || !after ? [] : judgeFields(iri, before, after, []);
	});
}

export const idOf = (iri: string) => iri.split('/').at(-1);

/** Checks that the result of a row names its record. */
export function judgeResult({ outcomes }: Played, row: number, iri: string): Finding[] {
	const [json] = outcomes[row].items;
	const named = json?.id ?? idOf(String(json?.['@id'] ?? ''));
	if (outcomes[row].is !== 'done' || named === idOf(iri)) return [];
	return [{ rule: 'A result names its record', row, where: iri, after: json ?? 'no item' }];
}

/** Returns a list with the missing entries added. */
export const joined = (list: string[], more: string[]): string[] => [
	...list,
	...new Set(more.filter((entry) => !list.includes(entry))),
];

/**
 * Returns the addresses of all other active people, before and after, in a form to compare.
 * "An address that belongs to another active person is never added."
 */
export function takenAddresses({ before, after }: Played, iri: string): Set<string> {
	const others = [...before, ...after].filter(
		([other, { archivedAt }]) => other.startsWith('/people/') && other !== iri && !archivedAt,
	);
	return new Set(others.flatMap(([, person]) => entriesOf('emails', person.emailAddresses)));
}

export function judgeEntries(
	where: string,
	has: string[],
	must: string[],
	may: string[],
): Finding[] {
	const lost = must.filter((entry) => !has.includes(entry));
	const gained = has.filter((entry) => !may.includes(entry));
	const times = (list: string[], entry: string) => list.filter((one) => one === entry).length;
	const doubled = has.filter((entry) => times(has, entry) > Math.max(1, times(must, entry)));
	const finding = (rule: string, entries: string[]): Finding[] =>
		entries.length > 0 ? [{ rule, where, before: must, after: has }] : [];
	return [
		...finding('No entry of a list is lost', lost),
		...finding('No entry of a list appears that was not meant', gained),
		...finding('No entry of a list is doubled', doubled),
	];
}

/** Checks that the fields of a new record have the given values, and are otherwise empty. */
export function judgeNew(
	operation: Operation,
	where: string,
	after: Flat,
	fields: Record<string, Reading>,
): Finding[] {
	const names = new Set([...Object.keys(operation.fields), ...Object.keys(fields)]);
	return [...names].flatMap((name) => {
		const reading: Reading = fields[name] ?? { is: 'blank' };
		const has = after[name];
		const isDefault = isBlank(has) || has === false || (name === 'address.country' && has === 'NL');
		const isRight = 'fits' in reading ? reading.fits(has) : isDefault;
		const rule = 'A new record has what was given';
		return isRight || !(name in after)
			? []
			: [{ rule, where: `${operation.resource} ${where} ${name}`, after: has }];
	});
}
