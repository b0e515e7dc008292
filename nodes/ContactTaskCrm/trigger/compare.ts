import { asRecord } from '../runtime/output';
import { recordKey } from './fingerprint';
import { beganAt, hasComeSince, hasJoined, isNewerThanFirstRead } from './since';
import type { Order, SweepProgress, TriggerState } from './state';
import type { Instant } from './times';
import { credibleTimeOf, later, timeOf } from './times';
import type { Happening, ServedPage, Watch } from './watch';

/** What comparing the records of a page with what is remembered gave. */
export interface Compared {
	state: TriggerState;
	happenings: Happening[];
	/** Records that this sweep had not seen before. */
	unseen: number;
	/** Records that were never seen before. */
	unknown: number;
	/** Those of them that were there before all the same. */
	surprises: number;
}

/** The digit that marks the records seen in a sweep. */
export function digitOf({ number }: SweepProgress): string {
	return (number % 36).toString(36);
}

/**
 * Compares the records of a page with what is remembered, and remembers them. Records without an id
 * cannot be told apart, and are left out.
 *
 * @param wallTime ms since 1970, only to tell times that no clock could show yet
 */
export function compare(
	watch: Watch,
	state: TriggerState,
	page: ServedPage,
	wallTime: Instant,
): Compared {
	const records = page.members.map(asRecord);
	const since = beganAt(state, records, page.servedAt);
	const clocks = { wallTime, servedAt: page.servedAt };
	const memory = { ...state.memory };
	const texts = [...state.texts];
	const digit = digitOf(state.sweep);
	const happenings: Happening[] = [];
	let { newest, newestTouch } = state;
	let { order, lastCreated, hasMatch } = state.sweep;
	let [unseen, unknown, surprises, departures] = [0, 0, 0, state.departures];

	for (const record of records) {
		const createdAt = timeOf(record.createdAt);
		const newestHere = credibleTimeOf(record.createdAt, clocks);
		newest = later(newest, newestHere);
		newestTouch = later(newestTouch, later(newestHere, credibleTimeOf(record.updatedAt, clocks)));
		order = orderWith(order, lastCreated, createdAt);
		lastCreated = createdAt ?? lastCreated;
		const key = recordKey(record);
		if (key === undefined) continue;

		const entry: string | undefined = memory[key];
		const isRepeated = entry?.startsWith(digit) ?? false;
		if (!isRepeated) unseen++;
		const isNew = hasComeSince(watch, state, since, createdAt);
		if (entry === undefined) unknown++;
		const isAdded = isNew || hasJoined(watch, state, since, record);
		if (entry === undefined && !isAdded && !isNewerThanFirstRead(state, createdAt)) surprises++;
		const { remember, before, was } = watch.rule({
			record,
			known: entry === undefined ? undefined : recalled(watch, texts, entry.slice(1)),
			isRepeated,
			isComplete: state.isComplete,
			isNew,
			isAdded,
			since: since ?? undefined,
			touched: state.touched,
			isSettled: state.isSettled,
			newestTouch,
		});
		memory[key] = digit + shortened(watch, texts, remember);
		const isMatch = watch.matches(record);
		hasMatch ||= isMatch;
		if (before && isMatch) happenings.push({ record, before });
		if (was && !isMatch && watch.matches({ ...record, ...was })) departures++;
	}
	return {
		state: {
			...state,
			since,
			...(newest === undefined ? {} : { newest }),
			...(newestTouch === undefined ? {} : { newestTouch }),
			departures,
			memory,
			texts,
			sweep: {
				...state.sweep,
				order,
				hasMatch,
				...(lastCreated === undefined ? {} : { lastCreated }),
			},
		},
		happenings,
		unseen,
		unknown,
		surprises,
	};
}

function orderWith(order: Order, last: Instant | undefined, createdAt: Instant | undefined): Order {
	if (createdAt === undefined || last === undefined || createdAt === last) return order;
	const step = createdAt > last ? 'rising' : 'falling';
	return order === 'none' || order === step ? step : 'mixed';
}

function shortened({ sharesTexts }: Watch, texts: string[], text: string): string {
	if (!sharesTexts) return text;
	const position = texts.indexOf(text);
	if (position >= 0) return position.toString(36);
	return (texts.push(text) - 1).toString(36);
}

function recalled({ sharesTexts }: Watch, texts: string[], text: string): string {
	return sharesTexts ? (texts[parseInt(text, 36)] ?? '') : text;
}

/** Whether the records of a page follow each other by creation time as they were asked for. */
export function isInOrder(
	members: readonly unknown[],
	direction: 'asc' | 'desc',
	notBefore?: Instant,
): boolean {
	let last: Instant | undefined;
	return members.every((member) => {
		const at = timeOf(asRecord(member).createdAt);
		if (at === undefined || (notBefore !== undefined && at < notBefore)) return false;
		const isNext = last === undefined || (direction === 'asc' ? at >= last : at <= last);
		last = at;
		return isNext;
	});
}
