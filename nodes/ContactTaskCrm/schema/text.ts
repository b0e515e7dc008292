/** Source of a regular expression for a day in ISO 8601: "2026-12-31". */
export const DAY = String.raw`\d{4}-\d{2}-\d{2}`;

/**
 * Returns a text without accents, in lower case.
 *
 * @param form `NFKD` also replaces typographic variants, such as full-width letters, with plain letters
 */
export function folded(text: string, form: 'NFD' | 'NFKD' = 'NFD'): string {
	return text.normalize(form).replace(/\p{M}/gu, '').toLowerCase();
}
