import { goesOn } from '../http/paging';
import { asRecord } from '../run/output';
import { asText, instantOf, later, wholeSecond } from '../util/dateTime';
import type { Cursor } from './state';
import { GAPPED, MOVED } from './state';
import type { QueryPair, ServedPage } from './watch';

/** The query of the page to be read next: by creation time, each from where the one before ended, or by its number. */
export function pageQuery(
	{ after, page }: Cursor,
	{ isByPage, pageSize }: { isByPage: boolean; pageSize: number },
): QueryPair[] {
	return [
		...(after === undefined || isByPage ? [] : [['createdAt[after]', asText(after)] as const]),
		// Equals in creation time may come in another order on each page, so that their order is asked for, too.
		...(isByPage
			? []
			: ([
					['order[createdAt]', 'asc'],
					['order[familyName]', 'asc'],
				] as const)),
		['itemsPerPage', String(pageSize)],
		...(page > 1 ? [['page', String(page)] as const] : []),
	];
}

/** What a reading does after a page. */
export type Advance = 'goesOn' | 'ended' | 'unordered';

/**
 * Takes a reading past a page that was read.
 *
 * @param known records that there are at least, where no total says how many
 */
export function advance(
	cursor: Cursor,
	page: ServedPage,
	{ isByPage, pageSize, known }: { isByPage: boolean; pageSize: number; known: number },
): Advance {
	const { members, totalItems } = page;
	const { failed } = cursor;
	if (failed !== undefined && failed !== cursor.page) {
		// The service is there: the page that failed while it may have been down is asked for a last time.
		cursor.page = failed;
		cursor.isBehindRead = true;
		return 'goesOn';
	}
	forgetFailure(cursor);
	if (cursor.shown === 0 && totalItems !== undefined) cursor.firstTotal = totalItems;
	cursor.shown += members.length;
	const hasMoved = isByPage && totalItems !== undefined && totalItems !== cursor.firstTotal;
	if (hasMoved) doubted(cursor);
	const position = isByPage ? cursor.shown : cursor.page * members.length;
	// However fast a list grows, and whatever a service makes of a page's number, a reading ends.
	const isTooLong = cursor.shown > 2 * (cursor.firstTotal ?? known) + 3 * pageSize;
	const follows = goesOn(page, position, pageSize);
	if (!isByPage && follows && !isInOrder(members, 'asc', cursor.after)) return 'unordered';
	if (!follows || isTooLong) return 'ended';
	const last = isByPage ? undefined : lastTime(members);
	if (last !== undefined && (cursor.after === undefined || last > cursor.after)) {
		cursor.after = last;
		cursor.page = 1;
	} else {
		cursor.page++;
		if (!isByPage) doubted(cursor);
	}
	return 'goesOn';
}

function doubted(cursor: Cursor): void {
	if (cursor.doubt !== GAPPED) cursor.doubt = MOVED;
}

/** The second of the last record that says when it was created. */
export function lastTime(members: readonly unknown[]): number | undefined {
	const last = members
		.map((member) => instantOf(asRecord(member).createdAt))
		.reduce(later, undefined);
	return last === undefined ? undefined : wholeSecond(last);
}

/**
 * Notes that a page could not be read though the service answers. The next poll asks once more; if it fails
 * again, the page behind it is asked for. Where that fails, too, the service is down, and the reading stays where
 * it was; else the failed one is asked for a last time, and left out.
 *
 * @returns whether this poll goes on, and whether a page was left out
 */
export function passFailure(cursor: Cursor): 'stays' | 'goesOn' | 'leftOut' {
	const { page, failed, isBehindRead } = cursor;
	if (failed === undefined) {
		cursor.failed = page;
		return 'stays';
	}
	if (failed !== page) {
		cursor.page = failed;
		forgetFailure(cursor);
		return 'stays';
	}
	cursor.page++;
	if (!isBehindRead) return 'goesOn';
	cursor.doubt = GAPPED;
	forgetFailure(cursor);
	return 'leftOut';
}

function forgetFailure(cursor: Cursor): void {
	delete cursor.failed;
	delete cursor.isBehindRead;
}

/**
 * Whether the records of a page follow each other by creation time as they were asked for. One that does
 * not say when it was created stands at either end, and says nothing.
 */
export function isInOrder(
	members: readonly unknown[],
	direction: 'asc' | 'desc',
	notBefore = -Infinity,
): boolean {
	const times = members
		.map((member) => instantOf(asRecord(member).createdAt))
		.filter((time) => time !== undefined);
	return times.every((time, index) => {
		if (time < notBefore) return false;
		const before = times[index - 1] ?? time;
		return direction === 'asc' ? time >= before : time <= before;
	});
}
