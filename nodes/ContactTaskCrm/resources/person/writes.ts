/** Enough for what is read and written at about the same time. */
const MOST_KEPT = 10_000;

/** Which of this process's writes was the last to each person, by tenant and id. */
const lastWrites = new Map<string, number>();

let writes = 0;
/** Of writes up to this one, some are not known any more. */
let forgotten = 0;

/** A mark in the row of writes, to be taken before somebody is read. */
export function markWrites(): number {
	return writes;
}

/** Takes notice that a person was written to. */
export function noticeWrite(tenant: string, id: string): void {
	const key = `${tenant} ${id}`;
	lastWrites.delete(key);
	lastWrites.set(key, ++writes);
	const [oldest] = lastWrites;
	if (lastWrites.size <= MOST_KEPT || oldest === undefined) return;
	lastWrites.delete(oldest[0]);
	forgotten = oldest[1];
}

/** Whether a person may have been written to since a mark, so that what was read then is out of date. */
export function isWrittenSince(tenant: string, id: string, mark: number): boolean {
	return (lastWrites.get(`${tenant} ${id}`) ?? forgotten) > mark;
}
