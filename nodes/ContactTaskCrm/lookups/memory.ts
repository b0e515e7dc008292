import { putLast } from '../common/boundedMap';
import { systemClock } from '../transport/clock';

/** What is remembered under a name, and how it is read. */
export interface CachedRead<T> {
	name: string;
	/** Younger than this, in ms, it is not read anew. */
	freshMs: number;
	read: () => Promise<T>;
	/** Whether it may be read anew now; what is remembered is else given however old it is. */
	mayRefresh: () => boolean;
	/** Told why it could not be read anew; says whether what is remembered must not be given any more. */
	onFailedRefresh: (error: unknown) => boolean;
}

interface Copy {
	value: unknown;
	readAt: number;
}

/** Pages of 30 records, more than a person opens in an hour; the oldest goes first. */
const MOST_REMEMBERED = 200;
/** So long somebody who could have an old copy at once waits for a new one. */
const REFRESH_WAIT_MS = 1_000;

const copies = new Map<string, Copy>();
const underWay = new Map<string, Promise<unknown>>();

/**
 * What was read last under a name. What is old is read anew, and given all the same where that is not
 * possible now or takes longer than a moment. Whoever asks meanwhile gets the same answer.
 *
 * @throws what the reading throws, where nothing is remembered or may be given any more
 */
export async function remembered<T>(reading: CachedRead<T>): Promise<T> {
	const { name, freshMs, mayRefresh } = reading;
	const copy = copies.get(name);
	const isFresh = copy && systemClock.now() < copy.readAt + freshMs;
	if (copy && (isFresh || !(underWay.has(name) || mayRefresh()))) return copy.value as T;
	const read = (underWay.get(name) ?? begin(reading)) as Promise<T>;
	return copy ? await refreshed(reading, read, copy.value as T) : await read;
}

/** Whether something is remembered under a name. */
export function isRemembered(name: string): boolean {
	return copies.has(name);
}

function begin<T>({ name, read }: CachedRead<T>): Promise<T> {
	const reading = read()
		.then((value) => {
			putLast(copies, name, { value, readAt: systemClock.now() }, MOST_REMEMBERED);
			return value;
		})
		.finally(() => underWay.delete(name));
	underWay.set(name, reading);
	return reading;
}

async function refreshed<T>(
	{ name, onFailedRefresh }: CachedRead<T>,
	read: Promise<T>,
	old: T,
): Promise<T> {
	const ended = new AbortController();
	const moment = systemClock.sleep(REFRESH_WAIT_MS, ended.signal).then(() => old);
	const result = read.catch(async (error: unknown) => {
		if (!onFailedRefresh(error)) return old;
		copies.delete(name);
		return await Promise.reject(error);
	});
	// Where the moment is over first, the next to ask is told.
	result.catch(() => undefined);
	try {
		return await Promise.race([result, moment]);
	} finally {
		ended.abort();
	}
}
