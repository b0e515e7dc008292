import type { IDataObject } from 'n8n-workflow';
import { iriOf, isIri, ownIri, valueOf } from '../common/iri';
import { withTitle } from '../common/records';
import { isObject } from '../contract/blank';
import type { Collection } from '../directory/directory';
import { titleIn } from '../directory/directory';
import type { TitleOf } from './specification';

type Value = IDataObject[string];

/** The title of a record that another one refers to: its own where it comes embedded; null for none. */
export function titleFor(
	reference: unknown,
	collection: Collection,
	titleOf: TitleOf,
): string | null {
	return titleIn(reference, collection) || (titleOf(reference, collection) ?? null);
}

/** Shows references into a collection with their titles: "Newsletter (/segments/a41b)". */
export function titled(collection: Collection, titleOf: TitleOf): (reference: Value) => Value {
	return (reference) => {
		const isByItsIri = isObject(reference)
			? ownIri(reference) !== undefined
			: isIri(String(reference));
		// The node takes a title with an IRI for the record, and a title with an ID for a text.
		const iri = isByItsIri ? undefined : valueOf(iriOf(reference, collection));
		return withTitle(iri ?? reference, titleFor(reference, collection, titleOf));
	};
}
