import type { Case } from './cases';
import { readAdditions, withoutTaken } from './fields';
import {
	joined,
	judgeEntries,
	judgeFields,
	judgeNothingNew,
	judgeResult,
	judgeUntouched,
	takenAddresses,
	type Effect,
	type Finding,
} from './findings';
import { readRow, targetOf, unmarked } from './intentions';
import { OPERATIONS } from './operations';
import type { Played } from './play';
import { isBlank, readReferenceList, type Referable } from './readings';

export function judgeChange(drawn: Case, played: Played): Finding[] {
	const operation = OPERATIONS[drawn.name];
	const effects = new Map<string, Effect[]>();
	const findings = drawn.rows.flatMap((row, index): Finding[] => {
		const iri = targetOf(operation, row, played);
		if (!iri) return [];
		const fields = readRow(operation, drawn.columns, row, played.known);
		if (operation.sets) {
			fields[operation.sets] = { is: 'value', fits: (after) => typeof after === 'string' };
		}
		if (fields.emailAddresses) {
			fields.emailAddresses = withoutTaken(fields.emailAddresses, row.values.emailAddresses, {
				taken: takenAddresses(played, iri),
				before: played.before.get(iri)!.emailAddresses,
			});
		}
		for (const name of (drawn.options.clearFields ?? []) as string[]) {
			fields[name] = { is: 'value', fits: isBlank };
		}
		const effect = { row: index, is: played.outcomes[index].is, fields };
		effects.set(iri, [...(effects.get(iri) ?? []), effect]);
		return judgeResult(played, index, iri);
	});
	for (const [iri, own] of effects) {
		findings.push(...judgeFields(iri, played.before.get(iri)!, played.after.get(iri) ?? {}, own));
	}
	return [...findings, ...judgeNothingNew(played), ...judgeUntouched(played, effects.keys())];
}

/** Returns whether a list names its entries by ID or IRI, and none by title. Only then must a removal take effect. */
const isNamed = (given: unknown, known: Referable) =>
	readReferenceList(given, { ...known, titles: {} }).is !== 'refused';

/** Checks that a list changed only by the rows that were done. */
export function judgeListChange(drawn: Case, played: Played): Finding[] {
	const operation = OPERATIONS[drawn.name];
	const [name] = Object.keys(operation.optional!) as Array<'tags' | 'segments'>;
	const rows = drawn.rows.map((row, index) => ({
		iri: targetOf(operation, row, played),
		is: played.outcomes[index].is,
		listed: readAdditions(name, unmarked(row.required?.[name]), played.known) ?? [],
		isSure: operation.does === 'add' || isNamed(row.required?.[name], played.known[name]),
	}));
	const touched = new Set(rows.flatMap(({ iri }) => iri ?? []));
	const findings = [...touched].flatMap((iri) => {
		const own = rows.filter((row) => row.iri === iri);
		const sure = own.filter(({ is, isSure }) => is === 'done' && isSure);
		const done = sure.flatMap(({ listed }) => listed);
		const perhaps = own.filter(({ is }) => is !== 'failed').flatMap(({ listed }) => listed);
		const [before, after] = [played.before.get(iri)!, played.after.get(iri)!];
		const [had, has] = [before[name] as string[], after[name] as string[]];
		const adds = operation.does === 'add';
		const must = adds ? joined(had, done) : had.filter((entry) => !perhaps.includes(entry));
		const may = adds ? joined(had, perhaps) : had.filter((entry) => !done.includes(entry));
		return [
			...judgeEntries(`${iri} ${name}`, has, must, may),
			...judgeFields(iri, { ...before, [name]: null }, { ...after, [name]: null }, []),
		];
	});
	const results = rows.flatMap(({ iri }, index) => (iri ? judgeResult(played, index, iri) : []));
	return [...findings, ...results, ...judgeNothingNew(played), ...judgeUntouched(played, touched)];
}
