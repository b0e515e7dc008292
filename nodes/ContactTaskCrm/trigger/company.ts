import type { ServedPage } from '../http/paging';
import type { Reading, Step } from './reading';
import { recall } from './reading';
import { recordKey } from './remembered';
import { scanStep } from './scan';
import { startScan, startState } from './state';
import { asRecord } from '../values/json';

/*
 * A user may change the base URL or the API key of the credential. The saved state may then describe the records of
 * another company. Two companies have no record in common. So the trigger looks for its remembered records on the first
 * page of the list.
 */

/** Minimum number of remembered records on the first page, for the company to count as the same. */
const MIN_REMEMBERED = 5;

/**
 * Returns whether the saved state was made with another base URL or key. `decideCompany` then has yet to decide whether
 * the trigger keeps the state.
 */
export function isOfOtherKey({ state, watch }: Reading): boolean {
	return state.key !== watch.key;
}

/**
 * Returns the step that reads the first page of the list, for `decideCompany`. If Person Created is the only event,
 * scans request only people created after the high-water mark `state.from`. The trigger may remember none of them. So
 * `state.from` moves back to the creation time of the oldest remembered person. If the company is the same, the page
 * then shows remembered people.
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
 * Decides by the first page whether the saved state describes this company. The state does so if the trigger remembers
 * at least half of the records on the page, and at least `MIN_REMEMBERED`. The trigger then reports all changes since
 * its last poll. Otherwise, the trigger begins anew. An empty page decides nothing: the next poll reads the page again.
 * But a trigger that remembers fewer than `MIN_REMEMBERED` records in all begins anew after any page.
 *
 * @returns whether the state describes this company. If so, the caller applies the page to the state
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
 * Keeps the time of the poll in `state.polledAt`. If the user later enters another key of the same company, the trigger
 * reports the changes since `polledAt`. Does nothing while `decideCompany` has yet to decide.
 */
export function notePoll(reading: Reading): void {
	if (isOfOtherKey(reading)) return;
	const { state, watch, servedAt } = reading;
	state.settings = watch.settings;
	state.polledAt = Math.max(state.polledAt ?? 0, servedAt);
}
