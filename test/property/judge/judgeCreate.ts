import type { Case } from './cases';
import {
	judgeNew,
	judgeNothingNew,
	judgeResult,
	judgeUntouched,
	newIn,
	type Finding,
} from './findings';
import { readRow, targetOf } from './intentions';
import { OPERATIONS } from './operations';
import type { Played } from './play';

/** Returns whether the service answers with another record. For a new record, the node cannot notice that. */
const isSwapped = ({ faults }: Case) => faults.some(({ kind }) => kind === 'other-record');

/**
 * Checks that a finished row has created one record, and any other row none, unless its error says that it may have.
 */
export function judgeCreate(drawn: Case, played: Played): Finding[] {
	const operation = OPERATIONS[drawn.name];
	if (operation.resource === 'comment') return judgeComments(drawn, played);
	const findings: Finding[] = [];
	const made: string[] = [];
	drawn.rows.forEach((row, index) => {
		const own = newIn(played).filter((iri) => played.after.get(iri)![operation.mark!] === row.mark);
		made.push(...own);
		findings.push(...judgeCount(played, index, own.length));
		const fields = readRow(operation, drawn.columns, row, played.known);
		for (const iri of own) {
			const after = played.after.get(iri)!;
			findings.push(...judgeNew(operation, iri, after, fields));
			if (!isSwapped(drawn)) findings.push(...judgeResult(played, index, iri));
		}
	});
	return [...findings, ...judgeNothingNew(played, made), ...judgeUntouched(played, [])];
}

function judgeCount({ outcomes }: Played, row: number, count: number): Finding[] {
	const { is } = outcomes[row];
	const isRight = is === 'unknown' ? count <= 1 : count === (is === 'done' ? 1 : 0);
	const after = { count, is, message: outcomes[row].message };
	return isRight
		? []
		: [{ rule: 'One record for a row that was done, none for another', row, after }];
}

/** Checks that comments are in the order of the rows. */
function judgeComments(drawn: Case, played: Played): Finding[] {
	const operation = OPERATIONS[drawn.name];
	const made = newIn(played).filter((iri) => iri.includes('/comments/'));
	const left = [...made];
	const findings = drawn.rows.flatMap((row, index): Finding[] => {
		const task = targetOf(operation, row, played);
		const fields = readRow(operation, drawn.columns, row, played.known);
		const next = left.find((iri) => iri.startsWith(`${task}/`));
		const isOwn =
			next !== undefined && judgeNew(operation, next, played.after.get(next)!, fields).length === 0;
		if (played.outcomes[index].is === 'failed') return [];
		if (isOwn) {
			left.splice(left.indexOf(next), 1);
			return isSwapped(drawn) ? [] : judgeResult(played, index, next);
		}
		if (played.outcomes[index].is === 'unknown') return [];
		return [
			{
				rule: 'A comment stands in the order of its row',
				row: index,
				after: next && played.after.get(next),
			},
		];
	});
	const taken = made.filter((iri) => !left.includes(iri));
	return [...findings, ...judgeNothingNew(played, taken), ...judgeUntouched(played, [])];
}
