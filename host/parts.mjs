// Splits the rows of a long file, and finds rows about the same person.

/** A cell may hold several addresses, with names and separators between them. */
const ADDRESS = /[^\s<>()[\]",;|]+@[^\s<>()[\]",;|]+/g;
/** Factor by which a part may exceed its size, to keep rows about the same people together. */
const MOST_GROWTH = 10;

/**
 * Returns the e-mail addresses of a row in lower case.
 * @param {Record<string, string>} row
 * @param {string[]} names the columns with addresses
 * @returns {string[]}
 */
export function addressesOf(row, names) {
	const cells = names.map((name) => row[name] ?? '').join(' ');
	return [...new Set(cells.toLowerCase().match(ADDRESS) ?? [])];
}

/** Returns a number for each row. Rows have the same one if addresses connect them, directly or through other rows. */
function groupsOf(rows, names) {
	const parents = rows.map((_, index) => index);
	const rootOf = (index) => {
		let root = index;
		while (parents[root] !== root) {
			parents[root] = parents[parents[root]];
			root = parents[root];
		}
		return root;
	};
	const rowOf = new Map();
	for (const [index, row] of rows.entries()) {
		for (const address of addressesOf(row, names)) {
			const other = rowOf.get(address);
			if (other === undefined) rowOf.set(address, index);
			else parents[rootOf(index)] = rootOf(other);
		}
	}
	return rows.map((_, index) => rootOf(index));
}

/**
 * Splits the rows of a long file into parts. Rows that share an address come into one part, because the preview of a
 * row takes earlier rows into account.
 * @param {Record<string, string>[]} rows
 * @param {string[]} names the columns with addresses
 * @param {number} rowsAtOnce
 * @returns {number[][]} the indexes of the rows of each part
 */
export function partsOf(rows, names, rowsAtOnce) {
	const groups = groupsOf(rows, names);
	const parts = [];
	const partOf = new Map();
	const hasRoom = (part, size) => part !== undefined && part.length < size;
	for (const [index, group] of groups.entries()) {
		const candidates = [
			[partOf.get(group), rowsAtOnce * MOST_GROWTH],
			[parts.at(-1), rowsAtOnce],
		];
		const [found] = candidates.find(([part, size]) => hasRoom(part, size)) ?? [];
		const part = found ?? parts[parts.push([]) - 1];
		partOf.set(group, part);
		part.push(index);
	}
	return parts;
}

const ACCEPTED = ['created', 'updated', 'unchanged'];

/**
 * Returns the outcomes of a preview. If a row and an earlier row name the same person, the outcome of the row says so.
 * @param {(import('./outcomes.mjs').Outcome | undefined)[]} outcomes
 * @param {Record<string, string>[]} rows
 * @param {{ names: string[], lines: number[], parts: number[][] }} table
 * @returns {(import('./outcomes.mjs').Outcome | undefined)[]}
 */
export function withDoubles(outcomes, rows, { names, lines, parts }) {
	const partOf = [];
	for (const [number, part] of parts.entries()) for (const row of part) partOf[row] = number;
	const firstOf = new Map();
	return outcomes.map((outcome, row) => {
		if (!ACCEPTED.includes(outcome?.result)) return outcome;
		const addresses = addressesOf(rows[row], names);
		const first = addresses.map((address) => firstOf.get(address)).find((one) => one !== undefined);
		for (const address of addresses) if (!firstOf.has(address)) firstOf.set(address, row);
		if (first === undefined) return outcome;
		// Within a part, the preview knew the first row and still creates a person. It knows no other part.
		if (outcome.result === 'created' && partOf[first] === partOf[row]) return outcome;
		return {
			result: 'same person',
			reason: `as in line ${lines[first]}`,
			isChanged: outcome.result !== 'unchanged',
			...(outcome.note && { note: outcome.note }),
		};
	});
}
