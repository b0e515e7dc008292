/** What a poll has done so far; begins anew with each poll. */
export interface PollProgress {
	/** Requests that it may send, and has sent. */
	limit: number;
	sent: number;
	/** Counts the polls, so that what does not fit into one poll takes turns. */
	turn: number;
	isRecentDone: boolean;
	isScanDone: boolean;
	/** Whether the newest people were looked at. */
	hasLooked: boolean;
	/** Where the list shows changes at its beginning: the page to look at next. */
	headPage: number;
	/** Records of which something was found. */
	told: Set<string>;
	/** Whether any record was seen that passes the filters. */
	hasMatch: boolean;
	/** Whether something was learned that must outlast a restart, and goes out with no item. */
	mustOutlast: boolean;
}

export function startProgress(limit: number, turn: number): PollProgress {
	return {
		limit,
		sent: 0,
		turn,
		isRecentDone: false,
		isScanDone: false,
		hasLooked: false,
		headPage: 1,
		told: new Set(),
		hasMatch: false,
		mustOutlast: false,
	};
}
