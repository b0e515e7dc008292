import { DIGITS } from './fingerprint';
import type { Aspect, Observation } from './observation';
import type { Instant } from './times';

/** A value that is missing, and what encloses one that is not written in the usual form. */
const NONE = '_';
const QUOTE = '~';

const MEMBERSHIPS = { listed: 'm', other: 'o', hidden: 'h', hiddenOther: 'x' } as const;
const MEMBERSHIP_OF = new Map<string, keyof typeof MEMBERSHIPS>(
	(Object.keys(MEMBERSHIPS) as Array<keyof typeof MEMBERSHIPS>).map((name) => [
		MEMBERSHIPS[name],
		name,
	]),
);

/** Times are counted from 2020 on, so that five digits reach into 2049. */
const COUNTED_FROM_S = Date.UTC(2020, 0, 1) / 1000;
const TIME_LENGTH = 5;
const TIMES = DIGITS.length ** TIME_LENGTH;

/** Texts that many records share; what is remembered of a record holds their position. */
export type Dictionary = readonly string[];

/**
 * An observation in as few letters as possible, since there may be 100,000 of them: a time takes
 * five, a column one (dictionary encoding).
 *
 * @returns the text, and the dictionary with what had to be added to it
 */
export function toText(
	observation: Observation,
	aspects: readonly Aspect[],
	dictionary: Dictionary,
): { text: string; dictionary: Dictionary } {
	let texts = dictionary;
	const parts = aspects.map((aspect) => {
		if (aspect === 'status') {
			const { status } = observation;
			if (status === undefined) return NONE;
			if (!texts.includes(status)) texts = [...texts, status];
			const position = texts.indexOf(status);
			return DIGITS[position] ?? quoted(String(position));
		}
		if (aspect === 'membership') return MEMBERSHIPS[observation.membership ?? 'listed'];
		const value = observation[aspect];
		if (aspect !== 'updatedAt') return timeText(value);
		const { content } = observation;
		return content === undefined ? timeText(value) : quoted(`${value ?? ''}.${content}`);
	});
	return { text: parts.join(''), dictionary: texts };
}

/** The observation that `toText` made short. */
export function fromText(
	text: string,
	aspects: readonly Aspect[],
	dictionary: Dictionary,
): Observation {
	const observation: Observation = {};
	let rest = text;
	const take = (length: number): string => {
		const taken = rest.slice(0, length);
		rest = rest.slice(length);
		return taken;
	};
	const takeQuoted = (): string => take(rest.indexOf(QUOTE, 1) + 1).slice(1, -1);
	for (const aspect of aspects) {
		if (rest.startsWith(NONE)) {
			take(1);
		} else if (aspect === 'status') {
			const position = rest.startsWith(QUOTE) ? Number(takeQuoted()) : DIGITS.indexOf(take(1));
			observation.status = dictionary[position];
		} else if (aspect === 'membership') {
			observation.membership = MEMBERSHIP_OF.get(take(1)) ?? 'listed';
		} else if (rest.startsWith(QUOTE)) {
			const [value, content] = takeQuoted().split('.');
			if (value.startsWith('#')) observation.completedAt = value;
			else if (value !== '') observation[aspect] = Number(value);
			if (content !== undefined) observation.content = content;
		} else {
			observation[aspect] = secondsOf(take(TIME_LENGTH)) * 1000;
		}
	}
	return observation;
}

function quoted(text: string): string {
	return `${QUOTE}${text}${QUOTE}`;
}

function timeText(time: Instant | string | undefined): string {
	if (time === undefined) return NONE;
	const seconds = typeof time === 'number' ? time / 1000 - COUNTED_FROM_S : -1;
	if (!Number.isInteger(seconds) || seconds < 0 || seconds >= TIMES) return quoted(String(time));
	let text = '';
	for (let left = seconds; text.length < TIME_LENGTH; left = Math.floor(left / DIGITS.length)) {
		text = DIGITS.charAt(left % DIGITS.length) + text;
	}
	return text;
}

function secondsOf(text: string): number {
	let seconds = 0;
	for (const digit of text) seconds = seconds * DIGITS.length + DIGITS.indexOf(digit);
	return seconds + COUNTED_FROM_S;
}
