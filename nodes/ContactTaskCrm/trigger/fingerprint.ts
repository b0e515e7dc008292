import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import type { RecordContract } from '../schema/record';
import { lastSegment, ownId, ownIri } from '../util/iri';
import { normalForm } from '../util/normalForm';

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
export function idText(record: IDataObject): string | undefined {
	const iri = ownIri(record);
	return ownId(record) ?? (iri === undefined ? undefined : lastSegment(iri));
}

/** What a record shows of others, and its time of change, which is compared by itself. */
const OF_OTHERS = /^(updatedAt|position|total[A-Z]\w*|\w*[sS]ubtasks|subTasks|networkEnrichment)$/;

/** What a record itself holds, in a few letters: the same for two answers that mean the same. */
export function contentHash(record: IDataObject, { fields }: RecordContract): string {
	const own = (name: string, value: unknown) => (OF_OTHERS.test(name) ? undefined : value);
	return digest(JSON.stringify(normalForm(record, fields), own), CONTENT_LENGTH);
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Begins the key of an id that is no UUID. */
const PLAIN = '.';

/**
 * What a member of a segment is remembered under: the id itself, since whoever is no longer on the list has
 * to be read by it; of a UUID in 22 letters.
 */
export function memberKey(id: string): string {
	return UUID.test(id)
		? Buffer.from(id.replace(/-/g, ''), 'hex').toString('base64url')
		: PLAIN + encodeURIComponent(id);
}

/** The id that `memberKey` made short. */
export function memberId(key: string): string {
	if (key.startsWith(PLAIN)) return decodeURIComponent(key.slice(1));
	const hex = Buffer.from(key, 'base64url').toString('hex');
	return [0, 8, 12, 16, 20]
		.map((start, part, starts) => hex.slice(start, starts[part + 1] ?? 32))
		.join('-');
}
