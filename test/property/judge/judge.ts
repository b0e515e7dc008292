import type { Case } from './cases';
import { same, type Finding } from './findings';
import { mayFail, mustFail, readRow, readTarget } from './intentions';
import { judgeChange, judgeListChange } from './judgeChange';
import { judgeCreate } from './judgeCreate';
import { judgeList } from './judgeList';
import { judgeUpsert } from './judgeUpsert';
import { OPERATIONS, type Operation, type Row } from './operations';
import type { Played } from './play';
import { isOddBlank, type Reading } from './readings';

const isFriendly = ({ switches, faults }: Case) =>
	Object.keys(switches).length === 0 && faults.length === 0;

const hasOddBlanks = ({ values, required }: Row) =>
	[...Object.values(values), ...Object.values(required ?? {})].some(isOddBlank);

/**
 * Returns whether a row with an unknown ID may pass. The node notices an unknown ID only by a request, and it
 * sends no request for an update without values.
 */
const isUnasked = ({ target }: Row, readings: Record<string, Reading>) =>
	/^[\w-]+$/.test(String(target)) && Object.values(readings).every(({ is }) => is === 'blank');

/** Checks that impossible rows are errors, and that clear rows are done unless something prevents it. */
function judgeOutcomes(drawn: Case, played: Played): Finding[] {
	const operation = OPERATIONS[drawn.name];
	const read = drawn.rows.map((row) => readRow(operation, drawn.columns, row, played.known));
	const targets = drawn.rows.map((row) => readTarget(operation, row, played));
	const failing = drawn.rows.map(
		(row, index) =>
			mustFail(operation, row, read[index]) ||
			targets[index]?.is === 'blank' ||
			(targets[index]?.is === 'refused' && !isUnasked(row, read[index])),
	);
	const findings = failing.flatMap((isFailing, row): Finding[] =>
		isFailing && played.outcomes[row].is === 'done' && operation.does !== 'list'
			? [{ rule: 'What cannot be meant is an error', row, after: played.outcomes[row].items }]
			: [],
	);
	const needsAll = !['change', 'create'].includes(operation.does);
	const isPlain = drawn.rows.every(
		(_, index) =>
			!failing[index] &&
			!mayFail(read[index]) &&
			!(needsAll && Object.values(read[index]).some(({ is }) => is === 'blank')) &&
			!hasOddBlanks(drawn.rows[index]) &&
			(targets[index] === undefined || targets[index].is === 'value'),
	);
	// Whether Create or Update succeeds depends on the existing people, so judgeUpsert.ts checks that.
	if (operation.does === 'upsert' || !isPlain || !isFriendly(drawn)) return findings;
	const failed = played.outcomes.findIndex(({ is }) => is !== 'done');
	if (failed < 0) return findings;
	const after = played.outcomes[failed].message ?? played.error;
	return [...findings, { rule: 'What is plain is done', row: failed, after }];
}

/** Checks that no update without changes was sent. */
function judgeRequests({ requests }: Played): Finding[] {
	return requests
		.filter(({ method, body }) => method === 'PATCH' && (body === undefined || same(body, {})))
		.map(({ path }) => ({ rule: 'No empty update is sent', where: path }));
}

const JUDGES: Record<Operation['does'], (drawn: Case, played: Played) => Finding[]> = {
	create: judgeCreate,
	change: judgeChange,
	add: judgeListChange,
	remove: judgeListChange,
	upsert: judgeUpsert,
	list: judgeList,
};

/** Returns the rules that a case broke; none if all is well. */
export function judge(drawn: Case, played: Played): Finding[] {
	const own = JUDGES[OPERATIONS[drawn.name].does](drawn, played);
	return [...own, ...judgeOutcomes(drawn, played), ...judgeRequests(played)];
}
