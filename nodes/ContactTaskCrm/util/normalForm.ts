import type { IDataObject } from 'n8n-workflow';
import { isBlank, isObject, listOf } from './values';
import type { RecordContract } from '../schema/record';
import { inUtc } from './dateTime';
import { comparableId, idOf, iriOf, ownIri, valueOf } from './iri';

/**
 * Returns the values of a record for comparison with another answer. Leaves out blanks, because a service may write
 * an absent value as null, "", `[]` or `{}`, or not at all. Leaves out `@context`, `@type`, and the `@id` that API Platform
 * makes up for an embedded object. References become sorted IRIs, and field names are sorted. Times with a zone become
 * UTC. URLs become empty text, because services sign the URLs of files anew for each answer.
 */
export function normalForm(
	record: IDataObject,
	fields: RecordContract['fields'],
): Record<string, unknown> {
	return partsOf(record, (name, value) => {
		const collection = fields[name]?.refersTo;
		return collection === undefined ? normalValue(value) : sortedReferences(value, collection);
	});
}

function partsOf(
	whole: object,
	normal: (name: string, value: unknown) => unknown,
): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(whole)
			.filter(([name]) => !name.startsWith('@'))
			.map(([name, value]) => [name, normal(name, value)] as const)
			.filter(([, value]) => value !== undefined)
			.sort(([one], [other]) => (one < other ? -1 : 1)),
	);
}

/** Returns a value in the form of `normalForm`; undefined for a blank. */
function normalValue(value: unknown): unknown {
	if (isBlank(value)) return undefined;
	if (typeof value === 'string') return /^https?:/i.test(value) ? '' : inUtc(value);
	const list = listOf(value);
	if (list) {
		const entries = list.map(normalValue).filter((entry) => entry !== undefined);
		return entries.length > 0 ? entries : undefined;
	}
	if (!isObject(value)) return value;
	const iri = ownIri(value);
	const parts = partsOf(value, (_, part) => normalValue(part));
	if (iri !== undefined) return { '@id': iri, ...parts };
	return Object.keys(parts).length > 0 ? parts : undefined;
}

/** Returns the references of a field as sorted IRIs, because their order has no meaning. */
function sortedReferences(value: unknown, collection: string): unknown {
	if (isBlank(value)) return undefined;
	const found = [listOf(value) ?? value].flat().map((entry) => {
		const reference = valueOf(iriOf(entry, collection)) ?? valueOf(idOf(entry, collection));
		return reference === undefined ? JSON.stringify(normalValue(entry)) : comparableId(reference);
	});
	return found.length > 0 ? found.sort() : undefined;
}
