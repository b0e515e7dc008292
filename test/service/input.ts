import type { ErrorObject } from 'ajv';
import { propertiesOf, validate, type Operation, type Schema } from './contract';
import { irisOf } from './iris';
import { CONSTRAINTS, Problem, violated, type Violation } from './problems';
import { readReference } from './references';
import type { Store } from './store';
import type { Switches } from './switches';
import { isParseableDate, normalizeTimestamp } from './timestamps';

/** A parsed request body with only known, writable fields. */
export type Input = Record<string, unknown>;

const isObject = (value: unknown): value is Input =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

type Field = Schema & { format?: string };

const DATE_FORMATS = ['date-time', 'parseable-date'];

/** Returns a date in the form that the service stores. @throws Problem 400 for a value that is no date */
function readDate(value: unknown, switches: Switches): unknown {
	if (value === null) return null;
	if (typeof value !== 'string' || !isParseableDate(value)) {
		throw new Problem(400, `Failed to parse time string (${String(value)})`);
	}
	return normalizeTimestamp(value, switches);
}

/**
 * Returns an IRI in the stored form.
 * @throws Problem 400 for one that leads elsewhere
 */
function readIri(iri: string, switches: Switches): string {
	const path = readReference(iri, switches);
	if (path === undefined) throw new Problem(400, `Invalid IRI "${iri}".`);
	return path;
}

const isNamed = (properties: Record<string, Field>) => '@id' in properties;

/**
 * Reads an entry of a list of objects. An object with an identity may be given as its IRI; any other text counts as
 * empty.
 */
function readEntry(schema: Field, value: unknown, switches: Switches): unknown {
	const named = isNamed(propertiesOf(schema));
	if (isObject(value)) return readValue(schema, value, switches);
	if (!named) return {};
	return typeof value === 'string' ? { '@id': readIri(value, switches) } : value;
}

/** @throws Problem 400 */
function readList(items: Field, value: unknown, switches: Switches): unknown {
	const isOfObjects = items.$ref !== undefined;
	if (isOfObjects && value === null) throw new Problem(400, 'A list is expected, null given.');
	const list: unknown = isOfObjects && isObject(value) ? Object.values(value) : value;
	if (!Array.isArray(list)) return list;
	if (isOfObjects) return list.map((entry) => readEntry(items, entry, switches));
	const read = list.map((entry) => readValue(items, entry, switches));
	return items['x-iri-of'] === undefined ? read : [...new Set(read)];
}

/**
 * Reads a value like API Platform's deserializer. It leaves out unknown and read-only fields, and reads an embedded
 * value that is no object as an empty object. Of equal IRIs in a list, it keeps one.
 *
 * @throws Problem 400
 */
function readValue(schema: Field, value: unknown, switches: Switches): unknown {
	if (schema.items) return readList(schema.items, value, switches);
	if (DATE_FORMATS.includes(schema.format ?? '')) return readDate(value, switches);
	if (schema['x-iri-of'] !== undefined) {
		return typeof value === 'string' ? readIri(value, switches) : value;
	}
	const properties = propertiesOf(schema) as Record<string, Field>;
	if (!isObject(value)) return schema.$ref ? {} : value;
	if (Object.keys(properties).length === 0) return value;
	const writable = Object.entries(value).filter(
		([name]) => name in properties && !properties[name].readOnly,
	);
	return Object.fromEntries(
		writable.map(([name, field]) => {
			const isName = name === '@id' && typeof field === 'string';
			return [
				name,
				isName ? readIri(field, switches) : readValue(properties[name], field, switches),
			];
		}),
	);
}

/** Converts `/emailAddresses/0/email` to `emailAddresses[0].email`. */
const propertyPath = (pointer: string) =>
	pointer
		.slice(1)
		.replace(/\/(\d+)/g, '[$1]')
		.replaceAll('/', '.');

const wrongType = ({ instancePath }: ErrorObject) =>
	`The type of the "${propertyPath(instancePath)}" attribute is another one.`;

/** Describes a wrong IRI: it is no IRI, or names no record, or one of another kind. */
const wrongReference = ({ schema, data }: ErrorObject) =>
	irisOf(String(schema)).test(String(data))
		? `Item not found for "${String(data)}".`
		: `Invalid IRI "${String(data)}".`;

const joinPath = (parent: string, name: string) => (parent ? `${parent}.${name}` : name);

const emptiness = (schema: Field) =>
	schema['x-iri-of'] === undefined ? CONSTRAINTS.blank : CONSTRAINTS.null;

/** Returns a refusal of the validator as one violation of a 422. */
const violation = (error: ErrorObject): Violation => {
	const path = propertyPath(error.instancePath);
	switch (error.keyword) {
		case 'required': {
			const { missingProperty } = error.params as { missingProperty: string };
			return { propertyPath: joinPath(path, missingProperty), ...CONSTRAINTS.blank };
		}
		case 'enum':
			return { propertyPath: path, ...CONSTRAINTS.choice };
		default:
			return { propertyPath: path, ...CONSTRAINTS.email };
	}
};

const isMissing = ({ keyword, instancePath }: ErrorObject) =>
	keyword === 'required' && instancePath === '';

/** Returns the violations. Those of the record come before those of embedded objects. */
function violationsIn(errors: ErrorObject[], input: Input, schema: Schema, filled: string[]) {
	const properties = propertiesOf(schema);
	const missing = errors
		.filter(isMissing)
		.map(({ params }) => (params as { missingProperty: string }).missingProperty);
	const blank = filled.filter((name) => name in input && [null, ''].includes(input[name] as null));
	const own = [...missing, ...blank].map((name) => ({
		propertyPath: name,
		...emptiness(properties[name] ?? {}),
	}));
	return [...own, ...errors.filter((error) => !isMissing(error)).map(violation)];
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function parse(text: string): unknown {
	try {
		return JSON.parse(text, (_, value: unknown) => {
			if (typeof value !== 'string' || !LONE_SURROGATE.test(value)) return value;
			throw new Problem(400, 'Single unpaired UTF-16 surrogate in unicode escape');
		});
	} catch (error) {
		throw error instanceof Problem ? error : new Problem(400, 'Syntax error');
	}
}

/**
 * Reads a body that is no object. A list counts as an empty object.
 * @throws Problem 400 for any other value
 */
function readRoot(value: unknown): Input {
	if (Array.isArray(value)) return {};
	if (isObject(value)) return value;
	throw new Problem(400, 'An object is expected.');
}

/** Values for reading a body, besides the body itself. */
export interface InputContext {
	/** Store, to find the records of IRIs. */
	store: Store;
	/** Switches, for the allowed forms of IRIs and dates. */
	switches: Switches;
	contentType: string | undefined;
	/** Fields that may be neither blank nor null. */
	filled?: string[] | undefined;
}

/**
 * Reads the body of a request like API Platform: parse, remove fields, deserialize (400 for the first refusal),
 * validate (422 with every violation).
 *
 * @param text the body as sent
 */
export function readInput(
	operation: Operation,
	text: string,
	{ store, switches, contentType = '', filled = [] }: InputContext,
): Input {
	const pointer = operation.requestSchema;
	if (!pointer || (text === '' && !operation.bodyRequired)) return {};
	const schema = { $ref: pointer };
	const body = readRoot(parse(text));
	if (operation.method === 'POST' && '@id' in body && contentType.startsWith('application/ld+')) {
		throw new Problem(400, 'Update is not allowed for this operation.');
	}
	const input = readValue(schema, body, switches) as Input;
	const isMerged = operation.method === 'PUT' && switches.replaced === 'merged';
	const errors = validate(pointer, input, { lookup: (iri) => store.has(iri) }).filter(
		(error) => !(isMerged && isMissing(error)),
	);
	for (const error of errors) {
		if (error.keyword === 'type') throw new Problem(400, wrongType(error));
		if (error.keyword === 'x-iri-of') throw new Problem(400, wrongReference(error));
	}
	const violations = violationsIn(errors, input, schema, filled);
	if (violations.length > 0) throw violated(violations);
	return input;
}
