/** Enough for what is read and written within some minutes. */
const MOST_KEPT = 50_000;

/** The place of a write in the row of all writes of this process. */
interface Write {
	order: number;
	id: string;
}

/** The last write to each person, and the last to somebody who carries a value, by credential. */
const lastWrites = new Map<string, Write>();

let order = 0;
/** Of writes up to this one, some are not known any more. */
let forgotten = 0;

/** A mark in the row of writes, to be taken before somebody is looked up. */
export function markWrites(): number {
	return order;
}

/**
 * Takes notice that a person was created or changed.
 *
 * @param credential what tells one credential from others: their people are not the same
 * @param keys all by which the person may be looked up from now on (`matchKey`)
 */
export function noticeWrite(credential: string, id: string, keys: readonly string[]): void {
	order++;
	for (const name of [`id ${id}`, ...keys.map((key) => `key ${key}`)]) {
		const whole = `${credential} ${name}`;
		lastWrites.delete(whole);
		lastWrites.set(whole, { order, id });
	}
	while (lastWrites.size > MOST_KEPT) {
		const [[oldest, write]] = lastWrites;
		forgotten = Math.max(forgotten, write.order);
		lastWrites.delete(oldest);
	}
}

/** Whether a person may have been written to since a mark, so that what was read then is out of date. */
export function isWrittenSince(credential: string, id: string, mark: number): boolean {
	const write = lastWrites.get(`${credential} id ${id}`);
	return (write?.order ?? forgotten) > mark;
}

/** Who was given a value since a mark, by a write of this process. */
export function carrierSince(credential: string, key: string, mark: number): string | undefined {
	const write = lastWrites.get(`${credential} key ${key}`);
	return write && write.order > mark ? write.id : undefined;
}
