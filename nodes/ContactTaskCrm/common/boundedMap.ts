/**
 * Puts an entry last into a map that holds so many at most: the one that was put longest ago gives way.
 *
 * @param most entries that the map may hold
 */
export function putLast<Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	value: Value,
	most: number,
): void {
	map.delete(key);
	map.set(key, value);
	if (map.size <= most) return;
	const [longestAgo] = map.keys();
	map.delete(longestAgo);
}
