import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { namesWhere } from '../schema/record';
import { normalForm } from '../schema/equality';
import { lastSegment, ownId, ownIri, referenceIn } from '../values/reference';
import { instantOf } from '../values/time';

/** Aspects: the parts of a record that a snapshot can hold. `toText` writes them in this order. */
export const ASPECTS = [
	'membership',
	'createdAt',
	'updatedAt',
	'content',
	'status',
	'completedAt',
	'due',
	'values',
] as const;

export type Aspect = (typeof ASPECTS)[number];

/** Fields of `Watch` that the functions for snapshots need. */
interface Watched {
	aspects: readonly Aspect[];
	isMember?: (record: IDataObject) => boolean;
	matches: (record: IDataObject) => boolean;
	record: RecordContract;
	watchedFields: readonly string[];
	filteredFields: readonly string[];
	dueTimeOf: (record: IDataObject) => number | undefined;
}

/** The remembered form of a record: the aspects that the chosen events compare. Times are in ms since 1970. */
export interface Snapshot {
	createdAt?: number;
	/**
	 * Time of the record's last change. Negative if the time was ahead of the service's clock, because the next change
	 * may then show an earlier time.
	 */
	updatedAt?: number;
	/** Hash of all fields except those of `NOT_CONTENT`. */
	content?: string;
	/** IRI of the column of a task. */
	status?: string;
	/** Completion time of a task. */
	completedAt?: number;
	/**
	 * Latest due time of the task that has passed. Task Due does not occur again for this time, even if no item has
	 * reported it.
	 */
	due?: number;
	/** Values of the watched fields, as JSON. */
	values?: string;
	/**
	 * Relation of a person to the segment. `in`: a member who meets the filters. `inUnmet`: a member who does not.
	 * `out`: a person outside. `gone`: a deleted person. The trigger remembers people outside for a while, because a
	 * lagging replica may still show them as members.
	 */
	membership?: 'in' | 'inUnmet' | 'out' | 'gone';
}

/** Tolerated difference in ms between the clocks of the service's servers. */
export const CLOCK_SLACK_MS = 60_000;

/**
 * Returns the time of a record's last change (`at`), and whether this time was ahead of the service's clock
 * (`wasAhead`).
 */
export function changeTimeOf({
	updatedAt,
}: Snapshot): { at: number; wasAhead: boolean } | undefined {
	return updatedAt === undefined ? undefined : { at: Math.abs(updatedAt), wasAhead: updatedAt < 0 };
}

export function isInSegment(record: Snapshot | undefined): boolean {
	return record?.membership?.startsWith('in') === true;
}

/**
 * Returns the key of a record in the state. Undefined for a record without an ID, because nothing else identifies a
 * record.
 */
export function recordKey({ isMember }: Pick<Watched, 'isMember'>, record: IDataObject) {
	const id = recordId(record);
	if (id === undefined) return undefined;
	// Polls read missing members by ID. So the key of a member is the encoded ID, not a hash.
	return isMember ? encodeURIComponent(id) : shortHash(id);
}

/**
 * Returns the new snapshot of a record.
 *
 * @param before remembered snapshot, for values that this answer does not show
 * @param now time of the answer, by the service's clock
 */
export function snapshotOf(
	watch: Watched,
	record: IDataObject,
	before: Snapshot | undefined,
	now: number,
): Snapshot {
	const { aspects, isMember, matches, record: contract } = watch;
	const shows: Record<Aspect, () => Snapshot[Aspect]> = {
		membership: () => (isMember?.(record) === false ? 'out' : matches(record) ? 'in' : 'inUnmet'),
		createdAt: () => instantOf(record.createdAt),
		updatedAt: () => {
			const at = instantOf(record.updatedAt);
			return at !== undefined && at > now + CLOCK_SLACK_MS ? -at : (at ?? before?.updatedAt);
		},
		content: () => contentHash(record, contract),
		status: () => statusIri(record) ?? before?.status,
		completedAt: () => instantOf(record.completedAt),
		due: () => {
			const due = watch.dueTimeOf(record) ?? Infinity;
			return due <= now ? due : before?.due;
		},
		values: () => JSON.stringify(watchedValues(record, watch)),
	};
	return Object.fromEntries(aspects.map((aspect) => [aspect, shows[aspect]()]));
}

function statusIri({ status }: IDataObject): string | undefined {
	const iri = referenceIn(status);
	return typeof iri === 'string' && iri !== '' ? iri : undefined;
}

/** Maximum length of a remembered value as JSON. A hash replaces longer values, to keep the saved state small. */
const MAX_VALUE_LENGTH = 200;

/**
 * Remembered value of a field after the record has left a list that the service filters by this field. The trigger does
 * not see changes of the field outside the list.
 */
export const UNKNOWN_VALUE = { '#': '' };

/** Returns remembered `values` (JSON) with `UNKNOWN_VALUE` for each field that the service filters the list by. */
export function withoutFiltered(
	values: string,
	{ watchedFields, filteredFields }: Pick<Watched, 'watchedFields' | 'filteredFields'>,
): string {
	const remembered: unknown[] = JSON.parse(values);
	const isFiltered = (name: string | undefined) => filteredFields.includes(name ?? '');
	const stillKnown = remembered.map((value, index) =>
		isFiltered(watchedFields[index]) ? UNKNOWN_VALUE : value,
	);
	return JSON.stringify(stillKnown);
}

/** Returns the values of the watched fields in normal form; null for an empty field. */
function watchedValues(
	record: IDataObject,
	{ watchedFields, record: contract }: Watched,
): unknown[] {
	const values = normalForm(record, contract.fields);
	return watchedFields.map((name) => {
		// The normal form replaces each URL by empty text. But users may edit a URL in a watched field, so a watched field
		// keeps the URL.
		const shown = (values[name] === '' ? record[name] : values[name]) ?? null;
		const isList = contract.fields[name]?.isList || !Array.isArray(shown);
		const value: unknown = isList ? shown : shown[0];
		const text = JSON.stringify(value);
		return text.length > MAX_VALUE_LENGTH ? { '#': shortHash(text) } : value;
	});
}

/** Aspects that are saved as text. All other aspects are saved as numbers. */
const TEXT_ASPECTS: readonly Aspect[] = ['membership', 'content', 'values'];

/**
 * Returns a snapshot as one line: the aspects in the order of `ASPECTS`, separated by spaces. Numbers have base 36. For
 * the column of a task, the line has the position of its IRI in `columns`. The function appends an unknown column to
 * `columns`.
 */
export function toText(record: Snapshot, aspects: readonly Aspect[], columns: string[]): string {
	const { status } = record;
	if (status !== undefined && !columns.includes(status)) columns.push(status);
	const parts = aspects.map((aspect) => {
		const value = aspect === 'status' && status ? columns.indexOf(status) : record[aspect];
		return typeof value === 'number' ? value.toString(36) : (value ?? '');
	});
	return parts.join(' ').trimEnd();
}

/** Reads a snapshot from the text that `toText` made of it. */
export function fromText(
	text: string,
	aspects: readonly Aspect[],
	columns: readonly string[],
): Snapshot {
	const parts = text.split(' ');
	const values = aspects.map((aspect, position): [Aspect, unknown] => {
		// Only `values` may contain spaces. As the last aspect, it takes all remaining parts.
		const part = aspect === 'values' ? parts.slice(position).join(' ') : parts[position];
		if (!part) return [aspect, undefined];
		if (TEXT_ASPECTS.includes(aspect)) return [aspect, part];
		const number = parseInt(part, 36);
		return [aspect, aspect === 'status' ? columns[number] : number];
	});
	return Object.fromEntries(values);
}

/**
 * Length of a record's key. 8 characters are 48 bits: of 10,000 records, two share a key with odds of 1 to 5.6 million.
 */
const KEY_LENGTH = 8;
/** Length of a content hash. 6 characters are 36 bits: a change goes unnoticed with odds of 1 to 69 billion. */
const CONTENT_LENGTH = 6;

function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** Returns a short hash of a text, such as the settings of a watch. */
export function shortHash(text: string): string {
	return digest(text, KEY_LENGTH);
}

/** Returns the ID of a record, from `id` or the end of its IRI; undefined if the record shows neither. */
function recordId(record: IDataObject): string | undefined {
	const iri = ownIri(record);
	return ownId(record) ?? (iri === undefined ? undefined : lastSegment(iri));
}

/**
 * Fields that the content hash omits, because they change without an edit of the record. Examples are the position in a
 * list, counts, subtasks and enrichment. The hash also omits `updatedAt`, which is an aspect itself.
 */
const NOT_CONTENT =
	/^(updatedAt|position|total[A-Z]\w*|\w*[sS]ubtasks|subTasks|networkEnrichment)$/;

/** Fields that users cannot watch, because they never change, or their changes mean nothing to users. */
const UNWATCHABLE = /^(_.*|id|createdAt|avatarUrl)$/;

/** Returns the names of the fields that users can choose as Watched Fields. */
export function watchableFields(fields: RecordContract['fields']): string[] {
	const names = namesWhere(fields, ({ shown }) => shown !== undefined);
	return names.filter((name) => !NOT_CONTENT.test(name) && !UNWATCHABLE.test(name));
}

/** Returns a hash of a record without `NOT_CONTENT`. Two answers with the same meaning have the same hash. */
function contentHash(record: IDataObject, { fields }: RecordContract): string {
	const kept = (name: string, value: unknown) => (NOT_CONTENT.test(name) ? undefined : value);
	return digest(JSON.stringify(normalForm(record, fields), kept), CONTENT_LENGTH);
}
