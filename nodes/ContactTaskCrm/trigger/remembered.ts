import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { namesWhere } from '../schema/record';
import { instantOf } from '../util/dateTime';
import { lastSegment, ownId, ownIri, referenceIn } from '../util/iri';
import { normalForm } from '../util/normalForm';

/** What can be remembered of a record, in the order in which a line holds it. */
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

/** What is watched, as far as remembering a record needs it (see `Watch`). */
interface Watched {
	aspects: readonly Aspect[];
	isMember?: (record: IDataObject) => boolean;
	matches: (record: IDataObject) => boolean;
	record: RecordContract;
	watchedFields: readonly string[];
	dueTimeOf: (record: IDataObject) => number | undefined;
}

/** A record as it was last seen: what the chosen events compare, and when it was changed. */
export interface Snapshot {
	createdAt?: number;
	updatedAt?: number;
	/** What the record held, in a few letters. */
	content?: string;
	/** IRI of the column that a task stands in. */
	status?: string;
	/** When a task was completed. */
	completedAt?: number;
	/** The last time at which a task was due, told or not. */
	due?: number;
	/** What the watched fields held, as JSON. */
	values?: string;
	/**
	 * Of a person: in the segment; in it without meeting the filters; not in it; or there was no such person any
	 * more. Who is out stays remembered for a while, since a copy that lags behind may still show them.
	 */
	membership?: 'in' | 'inUnmet' | 'out' | 'gone';
}

/** Whether a person is in the segment. */
export function isInSegment(record: Snapshot | undefined): boolean {
	return record?.membership?.startsWith('in') === true;
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
 * @param now when the service gave it, by its own clock
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
		updatedAt: () => instantOf(record.updatedAt) ?? before?.updatedAt,
		content: () => contentHash(record, contract),
		status: () => columnOf(record) ?? before?.status,
		completedAt: () => instantOf(record.completedAt),
		due: () => {
			const due = watch.dueTimeOf(record) ?? Infinity;
			return due <= now ? due : before?.due;
		},
		values: () => JSON.stringify(watchedValues(record, watch)),
	};
	return Object.fromEntries(aspects.map((aspect) => [aspect, shows[aspect]()]));
}

function columnOf({ status }: IDataObject): string | undefined {
	const iri = referenceIn(status);
	return typeof iri === 'string' && iri !== '' ? iri : undefined;
}

/** Longer values are not remembered, but for whether they change: 10,000 records have to fit into static data. */
const MAX_VALUE_LENGTH = 200;

/** What the watched fields hold, each in the form in which values are compared; null where it holds nothing. */
function watchedValues(
	record: IDataObject,
	{ watchedFields, record: contract }: Watched,
): unknown[] {
	const values = normalForm(record, contract.fields);
	return watchedFields.map((name) => {
		// Of addresses the normal form leaves nothing; one that people enter is a value as any other.
		const shown = (values[name] === '' ? record[name] : values[name]) ?? null;
		const isList = contract.fields[name].isList || !Array.isArray(shown);
		const value: unknown = isList ? shown : shown[0];
		const text = JSON.stringify(value);
		return text.length > MAX_VALUE_LENGTH ? { '#': shortHash(text) } : value;
	});
}

/** The aspects that are text; all others are numbers. */
const TEXT_ASPECTS: readonly Aspect[] = ['membership', 'content', 'values'];

/**
 * A remembered record as plain text: what it is of, in the order of `ASPECTS`, with blanks between. Numbers
 * are to the base 36, columns their place in the list of columns, which grows by those that are new.
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

/** The record that `toText` wrote. */
export function fromText(
	text: string,
	aspects: readonly Aspect[],
	columns: readonly string[],
): Snapshot {
	const parts = text.split(' ');
	const values = aspects.map((aspect, position): [Aspect, unknown] => {
		// The last one alone may hold blanks.
		const part = aspect === 'values' ? parts.slice(position).join(' ') : parts[position];
		if (!part) return [aspect, undefined];
		if (TEXT_ASPECTS.includes(aspect)) return [aspect, part];
		const number = parseInt(part, 36);
		return [aspect, aspect === 'status' ? columns[number] : number];
	});
	return Object.fromEntries(values);
}

/** 48 bits: among 10,000 records, two share a key with odds of 1 to 5.6 million. */
const KEY_LENGTH = 8;
/** 36 bits: that a change of one record goes unseen has odds of 1 to 69 billion. */
const CONTENT_LENGTH = 6;

function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** A few letters that stand for a text, such as the settings that a state belongs to. */
export function shortHash(text: string): string {
	return digest(text, KEY_LENGTH);
}

/** The id of a record, from its `id` or the end of its IRI; undefined where it shows neither. */
function idText(record: IDataObject): string | undefined {
	const iri = ownIri(record);
	return ownId(record) ?? (iri === undefined ? undefined : lastSegment(iri));
}

/** What a record shows of others, and its time of change, which is compared by itself. */
const DERIVED = /^(updatedAt|position|total[A-Z]\w*|\w*[sS]ubtasks|subTasks|networkEnrichment)$/;

/** Says nothing that changes, or nothing that people would call a change. */
const UNWATCHABLE = /^(_.*|id|createdAt|avatarUrl)$/;

/** The fields of a record of which changes can be told. */
export function watchableFields(fields: RecordContract['fields']): string[] {
	const names = namesWhere(fields, ({ shown }) => shown !== undefined);
	return names.filter((name) => !DERIVED.test(name) && !UNWATCHABLE.test(name));
}

/** What a record itself holds, in a few letters: the same for two answers that mean the same. */
function contentHash(record: IDataObject, { fields }: RecordContract): string {
	const own = (name: string, value: unknown) => (DERIVED.test(name) ? undefined : value);
	return digest(JSON.stringify(normalForm(record, fields), own), CONTENT_LENGTH);
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Begins the key of an id that is no UUID. */
const PLAIN_PREFIX = '.';

/**
 * What a member of a segment is remembered under: the id itself, since whoever is no longer on the list has
 * to be read by it; of a UUID in 22 letters.
 */
export function memberKey(id: string): string {
	return UUID.test(id)
		? Buffer.from(id.replace(/-/g, ''), 'hex').toString('base64url')
		: PLAIN_PREFIX + encodeURIComponent(id);
}

/** The id that `memberKey` made short. */
export function memberId(key: string): string {
	if (key.startsWith(PLAIN_PREFIX)) return decodeURIComponent(key.slice(1));
	const hex = Buffer.from(key, 'base64url').toString('hex');
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
