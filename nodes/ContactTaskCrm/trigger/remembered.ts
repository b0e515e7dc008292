import type { IDataObject } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { referenceIn } from '../util/records';
import { contentHash, idText, memberKey, shortHash } from './fingerprint';
import type { Instant } from './times';
import { timeOf } from './times';

/** What can be remembered of a record, in the order in which a line holds it. */
export const ASPECTS = [
	'membership',
	'createdAt',
	'updatedAt',
	'content',
	'status',
	'completedAt',
] as const;

export type Aspect = (typeof ASPECTS)[number];

/** What is watched, as far as remembering a record needs it (see `Watch`). */
interface Watched {
	aspects: readonly Aspect[];
	isMember?: (record: IDataObject) => boolean;
	matches: (record: IDataObject) => boolean;
	record: RecordContract;
}

/** A record as it was last seen: what the chosen events compare, and when it was changed. */
export interface Remembered {
	createdAt?: Instant;
	updatedAt?: Instant;
	/** What the record held, in a few letters. */
	content?: string;
	/** IRI of the column that a task stands in. */
	status?: string;
	/** When a task was completed; text where the service wrote what is no time. */
	completedAt?: Instant | string;
	/**
	 * Of a person: in the segment; in it without meeting the filters; not in it; or there was no such person any
	 * more. Who is out stays remembered for a while, since a copy that lags behind may still show them.
	 */
	membership?: 'in' | 'other' | 'out' | 'gone';
}

/** Whether a person is in the segment. */
export function isIn(record: Remembered | undefined): boolean {
	return record?.membership === 'in' || record?.membership === 'other';
}

/** What a record is remembered under; undefined where it has no id, so that it cannot be told from others. */
export function keyOf({ isMember }: Pick<Watched, 'isMember'>, record: IDataObject) {
	const id = idText(record);
	if (id === undefined) return undefined;
	return isMember ? memberKey(id) : shortHash(id);
}

/**
 * What is to be remembered of a record.
 *
 * @param before what is remembered of it: what is not shown this time stays
 */
export function observe(
	watch: Watched,
	record: IDataObject,
	before: Remembered | undefined,
): Remembered {
	const { aspects, isMember, matches, record: contract } = watch;
	const shows: Record<Aspect, () => Remembered[Aspect]> = {
		membership: () => (isMember?.(record) === false ? 'out' : matches(record) ? 'in' : 'other'),
		createdAt: () => timeOf(record.createdAt),
		updatedAt: () => timeOf(record.updatedAt) ?? before?.updatedAt,
		content: () => contentHash(record, contract),
		status: () => columnOf(record) ?? before?.status,
		completedAt: () => completionOf(record),
	};
	return Object.fromEntries(aspects.map((aspect) => [aspect, shows[aspect]()]));
}

function columnOf({ status }: IDataObject): string | undefined {
	const iri = referenceIn(status);
	return typeof iri === 'string' && iri !== '' ? iri : undefined;
}

function completionOf({ completedAt }: IDataObject): Instant | string | undefined {
	if (typeof completedAt !== 'string' || completedAt.trim() === '') return undefined;
	return timeOf(completedAt) ?? `#${shortHash(completedAt.trim())}`;
}

const MEMBERSHIPS = { in: 'i', other: 'o', out: 'x', gone: 'g' } as const;

/**
 * A remembered record as plain text: what it is of, in the order of `ASPECTS`, with blanks between. Times
 * are seconds since 1970 to the base 36, columns their place in the list of columns, which grows by those
 * that are new.
 */
export function toText(record: Remembered, aspects: readonly Aspect[], columns: string[]): string {
	const parts = aspects.map((aspect) => {
		const value = record[aspect];
		if (value === undefined) return '';
		if (aspect === 'membership') return MEMBERSHIPS[value as keyof typeof MEMBERSHIPS];
		if (aspect === 'status') {
			if (!columns.includes(String(value))) columns.push(String(value));
			return columns.indexOf(String(value)).toString(36);
		}
		return typeof value === 'number' ? timeText(value) : value;
	});
	return parts.join(' ').trimEnd();
}

/** The record that `toText` wrote. */
export function fromText(
	text: string,
	aspects: readonly Aspect[],
	columns: readonly string[],
): Remembered {
	const parts = text.split(' ');
	const values = aspects.flatMap((aspect, position): Array<[Aspect, unknown]> => {
		const part = parts[position] ?? '';
		if (part === '') return [];
		if (aspect === 'membership') {
			const [name] = Object.entries(MEMBERSHIPS).find(([, letter]) => letter === part) ?? ['in'];
			return [[aspect, name]];
		}
		if (aspect === 'status') return [[aspect, columns[parseInt(part, 36)]]];
		return [[aspect, aspect === 'content' || part.startsWith('#') ? part : timeIn(part)]];
	});
	return Object.fromEntries(values);
}

function timeText(time: Instant): string {
	const milliseconds = time - Math.floor(time / 1000) * 1000;
	const seconds = Math.floor(time / 1000).toString(36);
	return milliseconds === 0 ? seconds : `${seconds}.${milliseconds}`;
}

function timeIn(text: string): Instant {
	const [seconds, milliseconds = '0'] = text.split('.');
	return parseInt(seconds, 36) * 1000 + Number(milliseconds);
}
