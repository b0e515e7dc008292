import type { Finding } from './findings';

/** Rules that the node does not keep yet, by operation; each is to be taken out when it does. */
const KNOWN: Record<string, string[]> = {};

/** Findings that nobody knows of yet. */
export function unknown(name: string, findings: Finding[]): Finding[] {
	return findings.filter(({ rule }) => !KNOWN[name]?.includes(rule));
}
