/** As many writes as may happen between a read and the write that follows it, with room to spare. */
const MOST_KEPT = 10_000;

/** The number of this process's last write to each person, by tenant and id. */
const lastWrites = new Map<string, number>();

let writes = 0;
/** Writes up to this number may have been forgotten. */
let forgotten = 0;

/** The number of the last write so far, to be taken before a person is read. */
export function markWrites(): number {
	return writes;
}

/** Remembers that a person is written to. */
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
