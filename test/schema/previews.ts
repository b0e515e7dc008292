import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { bodySchema } from '../../nodes/ContactTaskCrm/schema/record';
import { recordSchema } from '../support/contract';
import { resources } from '../../nodes/ContactTaskCrm/resources';
import type { Operation } from '../../nodes/ContactTaskCrm/ui/operations';

type Resource = keyof typeof contracts;

/** The part of JSON Schema that n8n's editor reads in an output preview: types by name. */
export interface Preview {
	type: 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';
	properties?: Record<string, Preview>;
	items?: Preview;
}

type JsonSchema = {
	type?: string | string[];
	anyOf?: JsonSchema[];
	properties?: Record<string, JsonSchema>;
	items?: JsonSchema;
};

/** Returns the preview of a type in zod's JSON Schema; undefined if the JSON Schema names no type. */
function previewOf(schema: JsonSchema | undefined): Preview | undefined {
	if (!schema) return undefined;
	if (schema.anyOf) {
		return schema.anyOf.map(previewOf).find((preview) => preview && preview.type !== 'null');
	}
	const types = [schema.type ?? []].flat();
	const type = types.find((name) => name !== 'null') as Preview['type'] | undefined;
	if (type === undefined) return undefined;
	if (type === 'array') return { type, items: previewOf(schema.items) ?? { type: 'string' } };
	if (type === 'object') return { type, properties: propertiesOf(schema.properties ?? {}) };
	return { type };
}

function propertiesOf(properties: Record<string, JsonSchema>): Record<string, Preview> {
	return Object.fromEntries(
		Object.entries(properties).map(([name, schema]) => [
			name,
			previewOf(schema) ?? { type: 'string' as const },
		]),
	);
}

function fieldsOf(schema: z.AnyZodObject): Record<string, JsonSchema> {
	// With a simple type, because the library's own types are too deep for the compiler.
	const toJsonSchema = zodToJsonSchema as (schema: unknown, options: object) => JsonSchema;
	return toJsonSchema(schema, { $refStrategy: 'none' }).properties ?? {};
}

/** Returns the preview of a record in the service's form. */
function recordPreview(resource: Resource): Preview {
	// Some fields have a documented type only in requests.
	const shown = fieldsOf(bodySchema(contracts[resource], 'update'));
	const fields = Object.entries(fieldsOf(recordSchema(contracts[resource]))).map(
		([name, schema]): [string, Preview] => [
			name,
			previewOf(schema) ?? previewOf(shown[name]) ?? { type: 'string' },
		],
	);
	return { type: 'object', properties: Object.fromEntries(fields) };
}

/** Returns a value of the type, for a test record to simplify. */
function exampleOf({ type, properties, items }: Preview): IDataObject[string] {
	switch (type) {
		case 'object':
			return Object.fromEntries(
				Object.entries(properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]),
			);
		case 'array':
			return [exampleOf(items ?? { type: 'string' })] as IDataObject[];
		case 'boolean':
			return true;
		case 'integer':
		case 'number':
			return 1;
		default:
			return 'text';
	}
}

function simplifiedPreview(resource: Resource): Preview {
	const example = exampleOf(recordPreview(resource)) as IDataObject;
	return flatPreview(resources[resource].record.simplify(example, () => 'text'));
}

function typeOf(value: unknown): Preview {
	if (Array.isArray(value)) return { type: 'array', items: typeOf(value[0]) };
	if (value === null) return { type: 'string' };
	if (typeof value === 'object') return flatPreview(value as IDataObject);
	return { type: typeof value as Preview['type'] };
}

/** Returns the preview of an object by an example. */
function flatPreview(output: IDataObject): Preview {
	const properties = Object.entries(output).map(([name, value]): [string, Preview] => [
		name,
		typeOf(value),
	]);
	return { type: 'object', properties: Object.fromEntries(properties) };
}

function previewOfOperation(resource: Resource, operation: Operation): Preview {
	const { method, reads, answer } = operation;
	if (answer) return flatPreview(answer('text'));
	const { properties, ...preview } = simplifiedPreview(resource);
	// The operation creates the record, or reads it in any case. So it knows the record before the change.
	const tellsChanges = method !== 'GET' && reads !== 'ifAsked';
	const told: Record<string, Preview> = {
		// Whether a record was created, updated or unchanged.
		...(method === 'GET' ? {} : { result: { type: 'string' } }),
		...(tellsChanges ? { changes: { type: 'object', properties: {} } } : {}),
	};
	return { ...preview, properties: { ...told, ...properties } };
}

/** Returns the output of each operation with default settings, by resource and operation. */
export function previews(): Array<{ resource: string; operation: string; preview: Preview }> {
	return Object.values(resources).flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({
			resource,
			operation: operation.value,
			preview: previewOfOperation(resource, operation),
		})),
	);
}

/** Returns the content of a preview file. */
export function previewFile(preview: Preview): string {
	return `${JSON.stringify({ ...preview, version: 1 }, undefined, '\t')}\n`;
}
