import type { Finding } from './findings';

/** Rules that the node does not keep yet, by operation; each is to be taken out when it does. */
const CREATE_OR_UPDATE = [
	// Two rows that lead to one person by different values write over each other.
	'No entry of a list is lost',
	'What a row that succeeded gave is in the service',
	// What one row gives twice is written twice.
	'No entry of a list is doubled',
	// Others with the same value in another spelling, or who came after a match was remembered.
	'Several matches are an error',
];
const KNOWN: Record<string, string[]> = {
	'person upsert by e-mail': CREATE_OR_UPDATE,
	'person upsert by identifier': CREATE_OR_UPDATE,
	'person getAll': [
		// A dropped filter on a field that the listed people do not have.
		'Nothing is listed that does not match',
		// Bare arrays where the service ignores the page.
		'A list is complete, or the item is an error',
		// 0 and 1 for a filter that is a boolean.
		'What is plain is done',
	],
};

/** Findings that nobody knows of yet. */
export function unknown(name: string, findings: Finding[]): Finding[] {
	return findings.filter(({ rule }) => !KNOWN[name]?.includes(rule));
}
