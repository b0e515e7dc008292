// Executes the Code nodes of the example that undoes a run, without n8n.
import { EXAMPLES, readWorkflow } from './examples.mjs';

const { nodes } = await readWorkflow(EXAMPLES.undoRun);

/** Returns the items of a node in the form that a Code node sees. */
function itemsOf(records = []) {
	const items = records.map((json) => ({ json }));
	return { all: () => items, first: () => items[0] };
}

/** The part of a Luxon date that the nodes need for the present time. */
const now = { toUTC: () => ({ toISO: () => new Date().toISOString() }) };

/** Executes a Code node of the example. `others` has the items of the nodes that it reads by name. */
function execute(name, input, others) {
	const { jsCode } = nodes.find((node) => node.name === name).parameters;
	const known = {
		$input: itemsOf(input),
		$: (other) => itemsOf(others[other]),
		$now: now,
	};
	const node = new Function(...Object.keys(known), jsCode);
	return node(...Object.values(known)).map(({ json }) => json);
}

/**
 * Returns the bodies that set records back, or the reasons to leave records alone.
 * @param {object[]} rows output of the run
 * @param {object[]} records the people in their present state
 */
export function undoOf(rows, records) {
	const did = execute('What the Run Did', rows, {
		'Undo It?': [{ undo: true, records: 'people' }],
	});
	const read = did.map(({ id }) => records.find((record) => record.id === id));
	return execute('Turn It Round', read, { 'What the Run Did': did });
}
