import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../schema/field';
import { titledCollection } from '../schema/record';
import { type Mistakes, unusableReference } from '../util/errors';
import type { InputItem } from './item';
import { cellAdvice } from './labels';
import { linksIn } from './links';
import type { BodySpecification } from './specification';
import { parsedList } from '../values/json';
import { referencesIn } from '../values/list';
import { isModelsNone, meansNone } from '../values/placeholder';
import { meaningOf } from '../lookup/resolve';
import { isBareId, isUuid, type Resolved } from '../values/reference';
import { isBlank, quoted, textIn } from '../values/text';

/*
 * Turns the references of a body into IRIs. A cell of a table may hold anything. So the node checks a cell more
 * strictly than a parameter, and counts more texts as blank there.
 */

/**
 * End of the advice on a cell that names an unknown record. Users who cannot correct the table may leave out the
 * column.
 */
const OR_LEAVE_COLUMN_OUT =
	', or leave the column out: remove or rename it, or choose Map Each Column Manually';

/** The fields that an item gives, and what its operation may send. */
interface Given {
	item: InputItem;
	fields: IDataObject;
	specification: BodySpecification;
}

/**
 * Returns a body with an IRI for each reference. Looks titles up in the service.
 *
 * @param mistakes receives a mistake for each field with a reference that finds no record
 */
export async function withReferences(
	item: InputItem,
	fields: IDataObject,
	specification: BodySpecification,
	mistakes: Mistakes,
): Promise<IDataObject> {
	const given = { item, fields, specification };
	const body: Record<string, unknown> = {};
	for (const name of Object.keys(fields)) {
		if (mistakes.isIn(name)) continue;
		const value = await mistakes.triedLater(async () => await referred(given, name), name);
		if (value !== undefined && !mistakes.isIn(name)) body[name] = value;
	}
	return body as IDataObject;
}

/**
 * Returns the value of a field with IRIs for its references; undefined if the field does not change.
 *
 * @throws UnusableParameter for a reference that finds no record
 */
async function referred(given: Given, name: string): Promise<unknown> {
	const { item, fields, specification } = given;
	const { kind, isList, refersTo } = (specification.fields[name] ?? {}) as Partial<Field>;
	const value = fields[name];
	if (refersTo === undefined || isBlank(value)) return value;
	const references = await referencesGiven(given, name, refersTo);
	// In JSON, an empty list empties the field. A list of blanks, or a cell with only separators, does not change the
	// field.
	const isEmptied = item.isJson && Array.isArray(value) && value.length === 0;
	if (references.length === 0 && !isEmptied) return undefined;
	if (isList && kind === 'record') {
		const meant = { ...fields, [name]: references as string[] };
		const links = await linksIn(item, meant, { name, collection: refersTo }, async (one, place) => {
			const [iri] = await irisOf(given, [one], refersTo, place);
			return iri!;
		});
		return links.length > 0 || isEmptied ? links : undefined;
	}
	const iris = await irisOf(given, references, refersTo, name);
	return isList ? iris : iris[0];
}

/** Returns the references in a field, without words that mean "none". */
async function referencesGiven(
	{ item, fields, specification }: Given,
	name: string,
	collection: string,
): Promise<readonly unknown[]> {
	const value = fields[name];
	const { isList } = specification.fields[name]!;
	const all = isList ? await oneTitleOr(referencesIn(value), { item, value, collection }) : [value];
	const mayBeNone = (item.isMapped || item.run.isTool) && !specification.required.includes(name);
	const label = () => item.labelAt(name, fields);
	return mayBeNone ? await withoutNone(item, all, collection, label) : all;
}

/**
 * Returns the IRIs of references.
 *
 * @param place path of the references in the body, for messages: "tags", "people[0]"
 * @throws UnusableParameter for a reference that finds no record
 */
async function irisOf(
	{ item, fields, specification }: Given,
	references: readonly unknown[],
	collection: string,
	place: string,
): Promise<string[]> {
	const iris = await item.iris(references, collection);
	const isRight = await guessCheck(item, collection);
	return iris.map((found, index) => {
		const iri = ('value' in found && isRight(references[index])) || found;
		if ('value' in iri) return iri.value;
		const advice = item.isMapped ? cellAdvice(collection) : item.adviceOn(collection);
		const orElse = item.headings ? OR_LEAVE_COLUMN_OUT : ', or leave it empty';
		const orNothing = specification.required.includes(place) ? '' : orElse;
		throw unusableReference(item.labelAt(place, fields), iri, advice + orNothing);
	});
}

/**
 * Returns the references in a parameter. If a text with commas, other separators or brackets is the title of a record,
 * it is one reference. Otherwise, each of `parts` is a reference. A text with a part that is clearly an ID or IRI is no
 * title.
 *
 * @param parts references that `referencesIn` found in the value
 */
export async function oneTitleOr<T>(
	parts: readonly T[],
	{ item, value, collection }: { item: InputItem; value: unknown; collection: string },
): Promise<ReadonlyArray<T | string>> {
	const isWhole = parts.length === 0 || (parts.length === 1 && parts[0] === textIn(value));
	const isSplit = typeof value === 'string' && !isWhole && !parsedList(value);
	if (!isSplit || !titledCollection(collection)) return parts;
	const { names, tenant } = await item.run.openAccount(item.context);
	const known = { names, description: tenant.description };
	const meaning = (text: unknown) => meaningOf(text, collection, known);
	// If all parts need a lookup, the node reads the list of titles anyway. The lookup of the whole text then costs no
	// further request.
	const areLookedUp = parts.every((part) => meaning(part) !== 'reference');
	if (!areLookedUp || meaning(value) !== 'title') return parts;
	const whole = await item.iri(value, collection);
	const isTitle = 'value' in whole || ('code' in whole && whole.code === 'several-match');
	return isTitle ? [value] : parts;
}

/**
 * Returns references without words that mean "none". A word stays if it is the title of a record, as "Todo" or
 * "Unknown" may be.
 *
 * @param label returns the label of the field, for the notes
 */
async function withoutNone(
	item: InputItem,
	references: readonly unknown[],
	collection: string,
	label: () => string,
): Promise<unknown[]> {
	const kept: unknown[] = [];
	for (const reference of references) {
		const isNone =
			typeof reference === 'string' && (meansNone(reference) || isModelsNone(reference, []));
		if (isNone && 'expected' in (await item.iri(reference, collection))) {
			item.addNote(`${label()} ${quoted(reference)} counts as blank`);
		} else kept.push(reference);
	}
	return kept;
}

/**
 * Returns a function that refuses the text of a cell if the text may be something else than an ID. In a collection
 * without titles, cells often hold names or numbers of another program: Acme, WEB-1, 1001. Such a text counts as an ID
 * only if the CRM has shown an ID of this collection.
 */
async function guessCheck({ context, isMapped, run }: InputItem, collection: string) {
	const { description } = (await run.openAccount(context)).tenant;
	const isShown = description.exampleOf(collection) !== undefined;
	return (reference: unknown): Resolved | undefined => {
		const text = textIn(reference);
		if (!isMapped || titledCollection(collection) || isShown) return undefined;
		if (!isBareId(text) || isUuid(text)) return undefined;
		const form = `${collection.replace(/\{\w+\}/g, '{id}')}/{id}`;
		return {
			expected: `expected ${form}, because the CRM has shown no such ID, got ${quoted(text)}`,
		};
	};
}
