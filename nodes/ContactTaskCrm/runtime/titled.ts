import type { IDataObject } from 'n8n-workflow';
import { withTitle } from '../common/records';
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
	return (reference) => withTitle(reference, titleFor(reference, collection, titleOf));
}
