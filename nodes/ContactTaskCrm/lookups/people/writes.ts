/** As many writes as may happen between a read and the write that follows it, with room to spare. */
const MOST_KEPT = 50_000;

/** A write, by its number among all writes of this process. */
interface Write {
	order: number;
	id: string;
}

/** The last write to each person, and the last to somebody who carries a value, by credential. */
const lastWrites = new Map<string, Write>();

let order = 0;
/** Writes up to this number may have been forgotten. */
let forgotten = 0;

/** The number of the last write so far, to be taken before a person is read. */
export function markWrites(): number {
	return order;
}

/**
 * Remembers that a person was created or changed.
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

/**
 * Whether a person may have been written to since `markWrites` gave a number, so that what was read
 * then is out of date.
 */
export function isWrittenSince(credential: string, id: string, mark: number): boolean {
	const write = lastWrites.get(`${credential} id ${id}`);
	return (write?.order ?? forgotten) > mark;
}

/** Who was given a value by a write of this process since `markWrites` gave a number. */
export function carrierSince(credential: string, key: string, mark: number): string | undefined {
	const write = lastWrites.get(`${credential} key ${key}`);
	return write && write.order > mark ? write.id : undefined;
}

/** Marks from when what the engine hands to a run was first seen, by that. */
const begun = new WeakMap<object, number>();

/** The mark of a run, which is the same for each time that n8n tries it again. */
export function markOfRun(executeData: object): number {
	const mark = begun.get(executeData) ?? order;
	begun.set(executeData, mark);
	return mark;
}
