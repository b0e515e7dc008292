import type { ServedPage } from '../http/paging';
import type { Reading, Step } from './reading';
import { recall } from './reading';
import { recordKey } from './remembered';
import { scanStep } from './scan';
import { startScan, startState } from './state';
import { asRecord } from '../values/json';

/*
 * If the base URL or the key changes, the saved state may be of another company. The first page of the list decides:
 * two companies have no record in common.
 */

/** Minimum number of remembered records on the first page, for the company to be the same. */
const MIN_REMEMBERED = 5;

/** Returns whether the state is of another base URL or key, and no page has shown yet whose state it is. */
export function isOfOtherKey({ state, watch }: Reading): boolean {
	return state.key !== watch.key;
}

/** Returns the step that reads the first page. If Person Created is the only event, it begins with a known person. */
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
 * Decides whether the saved state is of this company. It is if the trigger remembers at least half of the page, and five
 * records. The trigger then reports all changes since its last poll. Otherwise, the trigger begins anew. An empty page
 * decides nothing.
 *
 * @returns whether the page belongs to the present state
 */
export function decideCompany(reading: Reading, { members, servedAt }: ServedPage): boolean {
	const { state, watch, spending } = reading;
	if (members.length === 0 && state.records.size >= MIN_REMEMBERED) return false;
	const keys = members.map((member) => recordKey(watch, asRecord(member)));
	const { length } = keys.filter((key) => key !== undefined && state.records.has(key));
	if (length < MIN_REMEMBERED || 2 * length < members.length) {
		reading.state = startState(watch, spending.firstAnsweredAt ?? servedAt);
		reading.mustOutlast = true;
		return false;
	}
	Object.assign(state, { key: watch.key, began: state.polledAt ?? state.began });
	return true;
}

/** Notes the time of a poll, in case that the key changes before the next one. */
export function notePoll({ state, watch, servedAt }: Reading): void {
	if (state.key !== watch.key) return;
	state.settings = watch.settings;
	state.polledAt = Math.max(state.polledAt ?? 0, servedAt);
}
