import type { ServedPage } from '../http/paging';
import type { Reading, Step } from './reading';
import { recall } from './reading';
import { recordKey } from './remembered';
import { scanStep } from './scan';
import { startScan, startState } from './state';
import { asRecord } from '../values/json';

/*
 * A user may change the base URL or the API key in the credential. The saved state may then describe the records of
 * another company. The first page of the list tells whether it does, because two companies have no record in common.
 */

/** For the company to count as the same, the trigger must remember at least this many records of the page. */
const MIN_REMEMBERED = 5;

/** Returns whether the state has another base URL or key, and no page has decided yet if the company is the same. */
export function isOfOtherKey({ state, watch }: Reading): boolean {
	return state.key !== watch.key;
}

/**
 * Returns the step that reads the first page of the list. If Person Created is the only event, scans show only people
 * created after the high-water mark `from`. So `from` moves back to the oldest remembered person. The page then shows
 * remembered people, if the company is the same.
 */
export function firstPageStep(reading: Reading): Step {
	const { state, watch } = reading;
	if (watch.readsNewOnly && state.from !== undefined) {
		for (const key of state.records.keys()) {
			state.from = Math.min(state.from, recall(reading, key)?.createdAt ?? Infinity);
		}
	}
	state.scan = startScan(2 * Math.floor(state.scan.number / 2), state.from);
	return scanStep(reading);
}

/**
 * Decides by the first page if the saved state is of this company. This is so if the trigger remembers at least half
 * of the records on the page, and at least five. The trigger then reports all changes since its last poll. Otherwise,
 * the trigger begins anew. An empty page decides nothing, unless the trigger remembers fewer than five records.
 *
 * @returns whether the trigger keeps its state, so that the caller applies the page to the state
 */
export function decideCompany(reading: Reading, { members, servedAt }: ServedPage): boolean {
	const { state, watch, spending } = reading;
	if (members.length === 0 && state.records.size >= MIN_REMEMBERED) return false;
	const keys = members.map((member) => recordKey(watch, asRecord(member)));
	const remembered = keys.filter((key) => key !== undefined && state.records.has(key)).length;
	if (remembered < MIN_REMEMBERED || 2 * remembered < members.length) {
		reading.state = startState(watch, spending.firstAnsweredAt ?? servedAt);
		reading.mustOutlast = true;
		return false;
	}
	Object.assign(state, { key: watch.key, began: state.polledAt ?? state.began });
	return true;
}

/**
 * Keeps the time of a poll in the state, unless the company is undecided. If the key changes before the next poll, but
 * not the company, the trigger reports the changes since this time.
 */
export function notePoll({ state, watch, servedAt }: Reading): void {
	if (state.key !== watch.key) return;
	state.settings = watch.settings;
	state.polledAt = Math.max(state.polledAt ?? 0, servedAt);
}
