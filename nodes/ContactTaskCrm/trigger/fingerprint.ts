import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/** What numbers are written in, with as few letters as possible; the memory sets records apart with others. */
export const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** 46 bits: among 10,000 records, two share a key with odds of 1 to 1.4 million. */
const KEY_LENGTH = 8;
/** 35 bits: that a change of one record goes unseen has odds of 1 to 34 billion. */
const CONTENT_LENGTH = 6;

function digest(text: string, length: number): string {
	// Letters and digits alone, since the memory sets records apart with other characters.
	const hash = createHash('sha256').update(text).digest('base64');
	return hash.replace(/[+/=]/g, 'x').slice(0, length);
}

/** A few letters that stand for a text, such as the settings that a memory belongs to. */
export function shortHash(text: string): string {
	return digest(text, KEY_LENGTH);
}

/** The id of a record, from its `id` or the end of its IRI; undefined where it shows neither. */
export function idText(record: IDataObject): string | undefined {
	const { id, '@id': iri } = record;
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	return typeof iri === 'string' ? iri.slice(iri.lastIndexOf('/') + 1) : undefined;
}

/** What a record shows of others, and its time of change, which is compared by itself. */
const OF_OTHERS =
	/^(@context|updatedAt|position|total[A-Z]\w*|\w*[sS]ubtasks|subTasks|networkEnrichment)$/;

/**
 * What a record itself holds, in a few letters. Addresses of files are left out, too: services sign
 * them anew for every answer.
 */
export function contentHash(record: IDataObject): string {
	return digest(JSON.stringify(withoutVolatile(record)), CONTENT_LENGTH);
}

function withoutVolatile(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withoutVolatile);
	if (typeof value === 'string') return /^https?:/i.test(value) ? '' : value;
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value)
		.filter(([name]) => !OF_OTHERS.test(name))
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, field]) => [name, withoutVolatile(field)]);
}
