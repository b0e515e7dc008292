/**
 * Returns every text that can be reached from a value: keys, values, hidden properties, symbols, getters, and the
 * contents of errors, maps and sets. A program could print, save or send any of them.
 */
export function everyText(value: unknown): string[] {
	const found: string[] = [];
	const seen = new Set<unknown>();
	const waiting: unknown[] = [value];
	while (waiting.length > 0) {
		const next = waiting.pop();
		if (typeof next === 'string') found.push(next);
		if (next instanceof Uint8Array) found.push(Buffer.from(next).toString());
		if (next === null || !['object', 'function'].includes(typeof next) || seen.has(next)) continue;
		seen.add(next);
		if (next instanceof Map) waiting.push(...next.keys(), ...next.values());
		if (next instanceof Set) waiting.push(...next);
		for (const name of Reflect.ownKeys(next as object)) {
			found.push(String(name));
			waiting.push(valueOf(next as object, name));
		}
	}
	return found;
}

function valueOf(holder: object, name: string | symbol): unknown {
	try {
		return (holder as Record<string | symbol, unknown>)[name];
	} catch {
		return undefined;
	}
}
