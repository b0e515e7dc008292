import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

/** 60 bits: among 10,000 records, two share one with odds of 1 to 23 billion. */
const KEY_LENGTH = 10;
/** 36 bits: that a change of one record goes unseen has odds of 1 to 69 billion. */
const PRINT_LENGTH = 6;

function digest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** A few letters that stand for a text, such as the settings that a memory belongs to. */
export function keyFor(text: string): string {
	return digest(text, KEY_LENGTH);
}

/** What a record is remembered under; undefined where it shows neither id nor IRI. */
export function recordKey(record: IDataObject): string | undefined {
	const { id, '@id': iri } = record;
	if (typeof id === 'string' || typeof id === 'number') return keyFor(String(id));
	if (typeof iri !== 'string') return undefined;
	return keyFor(iri.slice(iri.lastIndexOf('/') + 1));
}

/** What a record shows of others, and its time of change, which is compared by itself. */
const OF_OTHERS =
	/^(@context|updatedAt|position|total[A-Z]\w*|\w*[sS]ubtasks|subTasks|networkEnrichment)$/;

/**
 * What a record itself holds, in a few letters. Addresses of files are left out, too: services sign
 * them anew for every answer.
 */
export function contentPrint(record: IDataObject): string {
	return digest(JSON.stringify(settled(record)), PRINT_LENGTH);
}

function settled(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(settled);
	if (typeof value === 'string') return /^https?:/i.test(value) ? '' : value;
	if (typeof value !== 'object' || value === null) return value;
	return Object.entries(value)
		.filter(([name]) => !OF_OTHERS.test(name))
		.sort(([one], [other]) => (one < other ? -1 : 1))
		.map(([name, field]) => [name, settled(field)]);
}
