// Tests which groups of duplicates the eleventh example merges, by what somebody enters under Leave Out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { EXAMPLES, readWorkflow } from './examples.mjs';

const { nodes } = await readWorkflow(EXAMPLES.mergeDuplicates);
const { jsCode } = nodes.find(({ name }) => name === 'Groups to Merge').parameters;

/** Runs the Code node for eight groups, and returns the numbers of those to merge. */
function merged(leaveOut) {
	const groups = Array.from({ length: 8 }, (_, index) => ({ json: { number: index + 1 } }));
	const context = {
		$: () => ({ all: () => groups }),
		$input: { first: () => ({ json: { Decision: 'Approve', 'Leave Out': leaveOut } }) },
	};
	const items = runInNewContext(`(() => { ${jsCode} })()`, context);
	return Array.from(items, ({ json }) => json.number).join(' ');
}

for (const [leaveOut, expected] of [
	[undefined, '1 2 3 4 5 6 7 8'],
	['', '1 2 3 4 5 6 7 8'],
	['3', '1 2 4 5 6 7 8'],
	['2-4', '1 5 6 7 8'],
	['2 – 4, 7', '1 5 6 8'],
	['1;8', '2 3 4 5 6 7'],
	['All', ''],
]) {
	test(`The merge example leaves out the groups that Leave Out names: "${leaveOut}"`, () => {
		assert.equal(merged(leaveOut), expected);
	});
}

for (const leaveOut of ['none', '4-2', '0', '9', '2-', '1.5', '2-3-4', 'two', 'all of 3']) {
	test(`The merge example refuses "${leaveOut}" as Leave Out, and merges nobody`, () => {
		assert.throws(() => merged(leaveOut), /is no list of groups from 1 to 8/);
	});
}
