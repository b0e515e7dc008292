/**
 * Sorted by a text of each, regardless of case. Compared by code unit, since the first comparison by the
 * rules of a language makes n8n load these rules, which takes longer than to build the whole description.
 */
export function sortedBy<T>(list: readonly T[], textOf: (one: T) => string): T[] {
	return list
		.map((one) => ({ one, key: textOf(one).toLowerCase() }))
		.sort((first, second) => (first.key < second.key ? -1 : Number(first.key > second.key)))
		.map(({ one }) => one);
}
