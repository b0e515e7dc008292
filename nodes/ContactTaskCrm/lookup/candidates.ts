import type { TitleSource } from '../schema/collections';
import type { ErrorCode } from '../util/codes';
import { cutList } from '../values/json';
import { meansTitle } from '../values/list';
import { lastSegment } from '../values/reference';
import { quoted } from '../values/text';

/*
 * Compares the titles of candidates with a given title, and chooses the record that has it.
 */

/**
 * Maximum number of titles in an error message. The model of an AI agent chooses from these titles, because it sees no
 * list of the editor.
 */
const MOST_LISTED = 30;

/** IRI of the record that a title means. Otherwise, the end of an error message and the error's code. */
export type ResolvedByTitle = { value: string } | { expected: string; code: ErrorCode };

/** A record with a title to compare with the given one. */
export interface Candidate {
	iri: string;
	title: string;
	/** Title of a column with its workspace: "Workspace / Column". Absent for other records. */
	whole?: string;
	/** Whether the record is archived. A column counts as archived if its workspace is. */
	isArchived?: boolean;
}

/**
 * Returns the only candidate with a title. Otherwise, returns an error text. Searches the groups in order, and stops at
 * the first group with a match. Archived candidates count only if all matches are archived.
 */
export function theOne(
	text: string,
	groups: ReadonlyArray<readonly Candidate[]>,
	{ noun, knownBy }: TitleSource,
): ResolvedByTitle {
	const fitting = groups.map((group) => group.filter(fits(text)));
	const matches = withoutArchived(fitting.find(({ length }) => length > 0) ?? []);
	const [match] = matches;
	if (match && matches.length === 1) return { value: match.iri };
	if (matches.length > 1) {
		const listed = cutList(
			matches.map(({ title, whole = title, iri }) => `${whole} (${iri})`),
			MOST_LISTED,
		);
		return {
			expected: `${quoted(text)} is the ${knownBy} of ${matches.length} ${noun}s: ${listed}`,
			code: 'several-match',
		};
	}
	const titled = withoutArchived(groups.flat()).filter(({ title }) => title !== '');
	const known = [...new Set(titled.map(({ title, whole = title }) => whole))];
	known.sort((one, other) => one.localeCompare(other, 'en'));
	const there =
		known.length > 0
			? `; there are ${cutList(known, MOST_LISTED)}`
			: `, as far as the service shows ${knownBy}s of ${noun}s`;
	return {
		expected: `no ${noun} has the ${knownBy} ${quoted(text)}${there}`,
		code: 'not-found',
	};
}

/** Returns a function that tells whether a candidate has `text` as its title or its ID. */
export function fits(text: string): (candidate: Candidate) => boolean {
	const isMeant = meansTitle(text);
	return ({ iri, title, whole = title }) =>
		[title, whole, lastSegment(iri)].some((name) => name !== '' && isMeant(name));
}

/** Removes archived candidates, unless all of them are archived. */
function withoutArchived(candidates: readonly Candidate[]): readonly Candidate[] {
	const left = candidates.filter(({ isArchived }) => !isArchived);
	return left.length > 0 ? left : candidates;
}
