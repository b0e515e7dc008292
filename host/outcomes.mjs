// Outcomes of the rows of a file, read from the output items of the nodes of a workflow.
import { printable } from './printable.mjs';

/**
 * The outcome of a row.
 * @typedef {object} Outcome
 * @property {'created' | 'updated' | 'unchanged' | 'same person' | 'refused'} result
 * @property {string} [reason] why a row is refused, or which row has the same person
 * @property {string} [note] remarks on the row, such as a value that is left out
 * @property {boolean} [isChanged] whether a later row about the same person changes it again
 */

/** Returns the number of the input item from which an item was made. */
const itemOf = ({ pairedItem }) => [pairedItem].flat()[0]?.item ?? pairedItem;

/**
 * Returns the outcome of each row in a run of example 1, and undefined for a row that has none.
 * @param {(node: string) => object[][]} outputs
 * @returns {(Outcome | undefined)[]}
 */
export function outcomesOfImport(outputs) {
	const [rows = []] = outputs('Get the Rows');
	const outcomes = rows.map(() => undefined);
	const [usable = [], unusable = []] = outputs('Has a Usable E-Mail?');
	for (const item of unusable) {
		const row = itemOf(item);
		const value = rows[row].json['E-mail']?.trim();
		const reason = value ? `no usable e-mail address: "${value}"` : 'has no e-mail address';
		outcomes[row] = { result: 'refused', reason };
	}
	const [people = []] = outputs('One Row per Person');
	const rowOfPerson = people.map((item) => itemOf(usable[itemOf(item)]));
	const firstRows = new Map(people.map(({ json }, index) => [json.email, rowOfPerson[index]]));
	for (const item of usable) {
		const [row, first] = [itemOf(item), firstRows.get(item.json.email)];
		if (first === undefined || row === first) continue;
		outcomes[row] = { result: 'same person', reason: `as in row ${first + 1}` };
	}
	const [written = [], refused = []] = outputs('Create or Update the Person');
	for (const item of refused) {
		const { error } = item.json;
		outcomes[rowOfPerson[itemOf(item)]] = { result: 'refused', reason: error };
	}
	// A row is done only when its follow-up task exists.
	for (const task of outputs('Create a Follow-up Task')[0] ?? []) {
		const person = written[itemOf(task)];
		outcomes[rowOfPerson[itemOf(person)]] = { result: person.json.result };
	}
	return outcomes;
}

/** Results of a run, by the words that a preview has for them. */
const WORDS_OF_PREVIEW = { create: 'created', update: 'updated' };

/**
 * Returns the outcome that a preview tells for each row.
 * @param {object[]} items of the node that previews
 * @param {number} count of the rows
 * @returns {(Outcome | undefined)[]}
 */
export function outcomesOfPreview(items, count) {
	const outcomes = Array.from({ length: count }, () => undefined);
	for (const item of items) {
		const { preview, reason, note } = item.json;
		const result = WORDS_OF_PREVIEW[preview] ?? preview;
		const said = { ...(reason && { reason }), ...(note && { note }) };
		if (RESULTS.includes(result)) outcomes[itemOf(item)] = { result, ...said };
	}
	return outcomes;
}

/** All results, in the order of the table. */
const RESULTS = ['created', 'updated', 'unchanged', 'same person', 'refused'];
/** Maximum number of printed reasons, and of line numbers for each. */
const MOST_REASONS = 12;
const MOST_LINES = 5;

/** Returns a text without quoted values, so that rows with the same problem form one group. */
const kindOf = (text) => text.replace(/"[^"]*"/g, '"…"');

/** "line 13", or "lines 13, 39, 50". */
function listed(lines) {
	const more = lines.length - MOST_LINES;
	const shown = lines.slice(0, MOST_LINES).join(', ');
	return `${lines.length > 1 ? 'lines' : 'line'} ${shown}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Returns the outcomes as a table, with the reasons of refused rows and the notes below it.
 * @param {(Outcome | undefined)[]} outcomes
 * @param {number[]} lines on which the rows begin
 * @param {{ words?: Record<string, string>, hint?: string }} [options] `words`: what the results are called, `hint`: a
 *   line above the reasons
 * @returns {string}
 */
export function describeOutcomes(outcomes, lines, { words = {}, hint = '' } = {}) {
	const count = (result) => outcomes.filter((one) => one?.result === result).length;
	const counted = RESULTS.map((result) => [words[result] ?? result, count(result)]);
	const table = [
		...counted,
		...[['without an outcome', count(undefined)]].filter(([, rows]) => rows > 0),
		['rows', outcomes.length],
	];
	const width = Math.max(...table.map(([name]) => name.length));
	const digits = String(outcomes.length).length;
	const figures = table.map(
		([name, rows]) => `  ${name.padEnd(width)}  ${String(rows).padStart(digits)}`,
	);
	const reasons = reasonsOf(outcomes, lines);
	const hints = hint && reasons.length > 0 ? ['', hint] : [];
	return [...figures, ...hints, ...reasons, ...notesOf(outcomes, lines)].join('\n');
}

/** Returns the reasons of refused rows, the most frequent first, each with its lines. */
function reasonsOf(outcomes, lines) {
	const reasons = [...outcomes.entries()].flatMap(([row, outcome]) => {
		if (outcome?.result !== 'refused') return [];
		return [{ line: lines[row], text: outcome.reason ?? 'without a reason' }];
	});
	return listedAlike('Refused rows:', reasons, 'reasons');
}

/** A full stop between two notes, and not within quotation marks. */
const BETWEEN_NOTES = /\. (?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** Returns the notes on rows, the most frequent first, each with its lines. */
function notesOf(outcomes, lines) {
	const notes = [...outcomes.entries()].flatMap(([row, outcome]) =>
		(outcome?.note?.split(BETWEEN_NOTES) ?? []).map((text) => ({ line: lines[row], text })),
	);
	const rows = outcomes.filter((outcome) => outcome?.note).length;
	return listedAlike(`Notes on ${rows} ${rows === 1 ? 'row' : 'rows'}:`, notes, 'notes');
}

/** Lists texts below a title, those of one kind together, each kind with its lines. */
function listedAlike(title, texts, noun) {
	const groups = new Map();
	for (const { line, text } of texts) {
		const group = groups.get(kindOf(text)) ?? { text, lines: [], isSame: true };
		if (group.lines.at(-1) !== line) group.lines.push(line);
		group.isSame &&= text === group.text;
		groups.set(kindOf(text), group);
	}
	if (groups.size === 0) return [];
	const ordered = [...groups.values()].sort((one, other) => other.lines.length - one.lines.length);
	const more = ordered.length - MOST_REASONS;
	const shown = ordered.slice(0, MOST_REASONS).map((group) => {
		return `  ${listed(group.lines)}: ${printable(group.text)}${group.isSame ? '' : ', and the like'}`;
	});
	return [`\n${title}`, ...shown, ...(more > 0 ? [`  and ${more} other ${noun}`] : [])];
}
