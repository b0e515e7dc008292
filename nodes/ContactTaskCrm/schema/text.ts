/** Source of a regular expression for a day in ISO 8601: "2026-12-31". */
export const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

/** Returns a text without accents, in lower case. Plain letters replace variants such as full-width letters. */
export function folded(text: string): string {
	return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
