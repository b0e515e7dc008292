import { z } from 'zod';
import type { CollectionPath } from '../values/reference';
import type { Body, Field } from './field';
import type { Filters } from './filter';
import { openObject } from './formats';

/** Contract: the description of one kind of record, such as a person. */
export interface RecordContract<Path extends CollectionPath = CollectionPath> {
	/** Name of one record in messages, in lower case: "person". */
	noun: string;
	plural: string;
	/** Path of the collection. The path may hold parameters: "/tasks/{taskId}/comments". */
	collection: Path;
	/** Name of the parameter that chooses one record: "personId". */
	locator: string;
	fields: Readonly<Record<string, Field>>;
	filters: Filters;
	/** Names of the fields that Selected Fields chooses by default, separated by spaces. */
	usual: string;
	/** Query parameters that sort the list, keyed by their names in the parameters of the node. */
	orders: Readonly<Record<string, string>>;
}

/** Fields that JSON-LD adds to a record. */
export const jsonLdFields = {
	'@context': z.union([z.string(), z.object({}).passthrough()]),
	'@id': z.string(),
	'@type': z.string(),
};

/** Returns the zod schema that checks a request body. Every field is optional, and unknown fields pass. */
export function bodySchema(contract: RecordContract, body: Body): z.AnyZodObject {
	const fields = Object.entries(fieldsOf(contract, body));
	return openObject(
		Object.fromEntries(fields.flatMap(([name, { written }]) => (written ? [[name, written]] : []))),
	);
}

/** Returns the fields that a request body may have. */
export function fieldsOf({ fields }: RecordContract, body: Body): RecordContract['fields'] {
	return Object.fromEntries(
		Object.entries(fields).filter(([, { bodies }]) => bodies.includes(body)),
	);
}

export function namesWhere(
	fields: RecordContract['fields'],
	holds: (field: Field) => boolean,
): string[] {
	return Object.entries(fields)
		.filter(([, field]) => holds(field))
		.map(([name]) => name);
}

/** Returns whether an update takes a field. A field that is missing in the interface counts as taken. */
export function isOfUpdates({ fields }: RecordContract, name: string): boolean {
	return fields[name]?.bodies.includes('update') ?? true;
}
