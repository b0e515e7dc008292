/** Of a value, as much as a message shows. */
const LONGEST = 100;

/** A value that somebody gave, as messages show it. */
export function quoted(value: unknown): string {
	if (value === undefined) return 'nothing';
	if (typeof value === 'number') return String(value);
	if (typeof value === 'string') return `"${shortened(value)}"`;
	return shortened(JSON.stringify(value) ?? typeof value);
}

/** A text without what is too much of it, cut between two characters. */
export function shortened(text: string, longest = LONGEST): string {
	if (text.length <= longest) return text;
	return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
