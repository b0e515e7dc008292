/* eslint-disable @n8n/community-nodes/require-node-api-error -- the server refuses requests with problems of its own */
import type { ErrorObject } from 'ajv';
import { propertiesOf, validate, type Operation, type Schema } from './contract';
import { irisOf } from './iris';
import { Problem, violated, type Violation } from './problems';
import { readReference } from './references';
import type { Store } from './store';
import type { Switches } from './switches';
import { normalizeTimestamp, withoutOffset } from './timestamps';

/** The body of a request after it was read: known, writable fields alone. */
export type Input = Record<string, unknown>;

const isObject = (value: unknown): value is Input =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Leaves out what the schema does not name and what is read-only: API Platform ignores both. */
function pickWritable(schema: Schema, value: unknown): unknown {
	if (Array.isArray(value)) {
		const { items } = schema;
		return items ? value.map((item) => pickWritable(items, item)) : value;
	}
	if (!isObject(value)) return value;
	const properties = propertiesOf(schema);
	if (Object.keys(properties).length === 0) return value;
	const writable = Object.entries(value).filter(
		([name]) => name in properties && !properties[name].readOnly,
	);
	return Object.fromEntries(
		writable.map(([name, field]) => [name, pickWritable(properties[name], field)]),
	);
}

/** IRIs in the form that the store keeps. @throws Problem 400 for one that leads elsewhere */
function readReferences(schema: Schema, value: unknown, switches: Switches): unknown {
	if (Array.isArray(value)) {
		const { items = {} } = schema;
		return value.map((item) => readReferences(items, item, switches));
	}
	if (isObject(value)) {
		const properties = propertiesOf(schema);
		return Object.fromEntries(
			Object.entries(value).map(([name, field]) => [
				name,
				readReferences(properties[name] ?? {}, field, switches),
			]),
		);
	}
	if (typeof value !== 'string' || schema['x-iri-of'] === undefined) return value;
	const path = readReference(value, switches);
	if (path === undefined) throw new Problem(400, `Invalid IRI "${value}".`);
	return path;
}

/** `/emailAddresses/0/email` as `emailAddresses[0].email`. */
const propertyPath = (pointer: string) =>
	pointer
		.slice(1)
		.replace(/\/(\d+)/g, '[$1]')
		.replaceAll('/', '.');

const phpType = (value: unknown) => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
	return typeof value;
};

/** What the deserializer refuses before anything is validated, as a 400. */
const refusal = (error: ErrorObject): string | undefined => {
	const path = propertyPath(error.instancePath);
	switch (error.keyword) {
		case 'type': {
			const types = [error.schema as string | string[]].flat().map((type) => `"${type}"`);
			return `The type of the "${path}" attribute must be ${types.join(' or ')}, "${phpType(error.data)}" given.`;
		}
		case 'x-iri-of':
			return irisOf(String(error.schema)).test(String(error.data))
				? `Item not found for "${String(error.data)}".`
				: `Invalid IRI "${String(error.data)}".`;
		case 'format':
			return error.schema === 'email'
				? undefined
				: `Failed to parse time string (${String(error.data)}) of the "${path}" attribute.`;
		default:
			return undefined;
	}
};

const joinPath = (parent: string, name: string) => (parent ? `${parent}.${name}` : name);

/** What the validator refuses, as one violation of a 422. */
const violation = (error: ErrorObject): Violation => {
	const path = propertyPath(error.instancePath);
	switch (error.keyword) {
		case 'required':
			return {
				propertyPath: joinPath(path, (error.params as { missingProperty: string }).missingProperty),
				message: 'This value should not be blank.',
			};
		case 'format':
			return { propertyPath: path, message: 'This value is not a valid email address.' };
		case 'enum':
			return { propertyPath: path, message: 'The value you selected is not a valid choice.' };
		default:
			return { propertyPath: path, message: error.message ?? 'This value is not valid.' };
	}
};

/** Dates as the service keeps them. */
function normalizeDates(schema: Schema, input: Input, { offsets }: Switches): Input {
	const properties = propertiesOf(schema) as Record<string, Schema & { format?: string }>;
	return Object.fromEntries(
		Object.entries(input).map(([name, value]) => {
			const isDate = ['date-time', 'parseable-date'].includes(properties[name]?.format ?? '');
			if (!isDate || typeof value !== 'string') return [name, value];
			return [name, normalizeTimestamp(offsets === 'dropped' ? withoutOffset(value) : value)];
		}),
	);
}

const parse = (text: string): Input => {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		throw new Problem(400, 'Syntax error');
	}
	if (!isObject(value)) throw new Problem(400, 'The input data is misformatted.');
	return value;
};

/**
 * Reads the body of a request as API Platform does: parse, leave out, deserialize (400 for the
 * first refusal), validate (422 with every violation).
 *
 * @param text the body as sent
 * @param service its store tells which IRIs name a record, its switches which forms they may have
 */
export function readInput(
	operation: Operation,
	text: string,
	{ store, switches }: { store: Store; switches: Switches },
): Input {
	const pointer = operation.requestSchema;
	if (!pointer || (text === '' && !operation.bodyRequired)) return {};
	const schema = { $ref: pointer };
	const writable = pickWritable(schema, parse(text));
	const input = readReferences(schema, writable, switches) as Input;
	const errors = validate(pointer, input, { lookup: (iri) => store.has(iri) });
	const refused = errors.map(refusal).find((detail) => detail !== undefined);
	if (refused) throw new Problem(400, refused);
	if (errors.length > 0) throw violated(errors.map(violation));
	return normalizeDates(schema, input, switches);
}
