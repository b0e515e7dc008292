import { z } from 'zod';
import type { Body, Field } from './field';
import type { Filters } from './filter';
import { openObject } from './formats';

/** All that the node knows of one kind of record. */
export interface RecordContract {
	/** How messages call one record, in lower case: "person". */
	noun: string;
	/** How messages call several: "people". */
	plural: string;
	/** Path of the collection; a record's IRI is this and its id. May hold parameters: "/tasks/{taskId}/comments". */
	collection: string;
	/** The parameter that addresses one record: "personId". */
	locator: string;
	fields: Readonly<Record<string, Field>>;
	/** The filters of its list, by the names of their parameters. */
	filters: Filters;
	/** The query parameters that sort its list, by the names of their parameters. */
	orders: Readonly<Record<string, string>>;
}

/** What the JSON-LD representation adds to a record. */
export const jsonLdFields = {
	'@context': z.union([z.string(), z.object({}).passthrough()]),
	'@id': z.string(),
	'@type': z.string(),
};

/** A record as the service answers it. */
export function recordSchema({ fields }: RecordContract): z.AnyZodObject {
	return openObject({ ...jsonLdFields, ...shapeOf(fields, ({ shown }) => shown) });
}

/** A body as it is written: every field optional, unknown fields pass. */
export function bodySchema(contract: RecordContract, body: Body): z.AnyZodObject {
	return openObject(shapeOf(fieldsOf(contract, body), ({ written }) => written));
}

/** The fields that a body may hold. */
export function fieldsOf({ fields }: RecordContract, body: Body): RecordContract['fields'] {
	return Object.fromEntries(
		Object.entries(fields).filter(([, { bodies }]) => bodies.includes(body)),
	);
}

/** The names of the fields for which something holds. */
export function namesWhere(
	fields: RecordContract['fields'],
	holds: (field: Field) => boolean,
): string[] {
	return Object.entries(fields)
		.filter(([, field]) => holds(field))
		.map(([name]) => name);
}

function shapeOf(
	fields: RecordContract['fields'],
	typeOf: (field: Field) => z.ZodTypeAny | undefined,
): z.ZodRawShape {
	return Object.fromEntries(
		Object.entries(fields).flatMap(([name, field]) => {
			const type = typeOf(field);
			return type === undefined ? [] : [[name, type]];
		}),
	);
}
