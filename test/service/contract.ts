import Ajv2020, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { irisOf, type IriLookup } from './iris';
import document from './openapi.json';
import { isParseableDate } from './timestamps';

/** A JSON schema of openapi.json, as far as this service reads it. */
export interface Schema {
	$ref?: string | undefined;
	type?: string | string[];
	allOf?: Schema[];
	properties?: Record<string, Schema>;
	items?: Schema;
	required?: string[];
	readOnly?: boolean;
	writeOnly?: boolean;
	default?: unknown;
	/** Resource that an IRI must belong to. */
	'x-iri-of'?: string;
}

interface ParameterReference {
	$ref: string;
}

interface Content {
	[mediaType: string]: { schema: Schema };
}

interface PathOperation {
	operationId: string;
	parameters?: ParameterReference[];
	requestBody?: { required: boolean; content: Content };
	responses: Record<string, { $ref?: string; description?: string; content?: Content }>;
}

/** One endpoint of interface section 4, from openapi.json. */
export interface Operation {
	operationId: string;
	/** In upper case, as in the request. */
	method: string;
	/** Path template, e.g. `/tasks/{taskId}/comments/{id}`. */
	path: string;
	/** Names of the query parameters, in the order of the document. */
	queryParameters: string[];
	/** Media types of the request body; empty if the endpoint takes none. */
	requestTypes: string[];
	/** Whether the endpoint refuses an empty body. */
	bodyRequired: boolean;
	/** Pointer to the schema of the request body. */
	requestSchema?: string | undefined;
	/** Status of the documented success. */
	successStatus: number;
}

const DOCUMENT_ID = 'openapi.json';
const paths = document.paths as unknown as Record<string, Record<string, PathOperation>>;
const parameters = document.components.parameters as Record<string, { name: string; in: string }>;

/** Component schemas of openapi.json by name. */
export const componentSchemas = document.components.schemas as unknown as Record<string, Schema>;

const lastSegment = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);

const readOperation = (path: string, method: string, operation: PathOperation): Operation => {
	const content = operation.requestBody?.content ?? {};
	const statuses = Object.keys(operation.responses).map(Number);
	return {
		operationId: operation.operationId,
		method: method.toUpperCase(),
		path,
		queryParameters: (operation.parameters ?? [])
			.map((reference) => parameters[lastSegment(reference.$ref)])
			.filter((parameter) => parameter.in === 'query')
			.map((parameter) => parameter.name),
		requestTypes: Object.keys(content),
		bodyRequired: operation.requestBody?.required ?? false,
		requestSchema: Object.values(content)[0]?.schema.$ref,
		successStatus: statuses.find((status) => status < 300) ?? 200,
	};
};

/** Every endpoint of interface section 4. */
export const operations: Operation[] = Object.entries(paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation)),
);

/** Context of a validation. With it, an IRI must name an existing record. */
export interface ValidationContext {
	lookup: IriLookup;
}

const ajv = new Ajv2020({
	allErrors: true,
	verbose: true,
	strict: false,
	passContext: true,
	// A unit test checks the schemas themselves. Here, the check would take half of the time.
	validateSchema: false,
});
addFormats(ajv);
// ajv-formats has no IRI reference. `x-iri-of` checks IRIs.
ajv.addFormat('iri-reference', true);
ajv.addFormat('parseable-date', isParseableDate);
ajv.addKeyword({
	keyword: 'x-iri-of',
	type: 'string',
	error: { message: 'is no IRI of this resource' },
	validate(this: ValidationContext | undefined, resource: string, value: string) {
		if (!irisOf(resource).test(value)) return false;
		return this?.lookup === undefined || this.lookup(value);
	},
});
ajv.addSchema(document, DOCUMENT_ID);

const compiled = new Map<string, ValidateFunction>();

const compile = (pointer: string): ValidateFunction => {
	const known = compiled.get(pointer);
	if (known) return known;
	const validate = ajv.compile({ $ref: `${DOCUMENT_ID}${pointer}` });
	compiled.set(pointer, validate);
	return validate;
};

/**
 * Checks a value against a schema of openapi.json.
 *
 * @param pointer a JSON pointer as in a `$ref`, e.g. `#/components/schemas/Person`
 * @param context if given, IRIs must name existing records
 * @returns the errors; empty if the value is valid
 */
export function validate(
	pointer: string,
	value: unknown,
	context?: ValidationContext,
): ErrorObject[] {
	const check = compile(pointer);
	return check.call(context, value) ? [] : (check.errors ?? []);
}

/** Returns the properties of a schema, through `$ref` and `allOf`. */
export function propertiesOf(schema: Schema): Record<string, Schema> {
	const target = schema.$ref ? componentSchemas[lastSegment(schema.$ref)] : schema;
	return Object.assign({}, ...(target.allOf ?? []).map(propertiesOf), target.properties ?? {});
}

/** Returns the required properties of a schema, through `$ref` and `allOf`. */
export function requiredOf(schema: Schema): string[] {
	const target = schema.$ref ? componentSchemas[lastSegment(schema.$ref)] : schema;
	return [...(target.allOf ?? []).flatMap(requiredOf), ...(target.required ?? [])];
}

/** Returns the schema of the entries of a list, or else the schema itself. */
const entrySchema = ({ items, ...schema }: Schema): Schema => items ?? schema;

/** Returns the fields with embedded objects without an identity, and the schema names of these objects. */
export function embeddedIn(name: string): Record<string, string> {
	const fields = Object.entries(propertiesOf(componentSchemas[name])).flatMap(([field, schema]) => {
		const { $ref } = entrySchema(schema);
		const isNamed = $ref !== undefined && 'id' in propertiesOf({ $ref });
		return $ref === undefined || isNamed ? [] : [[field, lastSegment($ref)]];
	});
	return Object.fromEntries(fields) as Record<string, string>;
}

/** Returns a blank record of a schema: each field has its default, an empty list, or null. */
export function blankOf(name: string): Record<string, unknown> {
	const own = Object.entries(propertiesOf(componentSchemas[name])).filter(
		([field, { writeOnly }]) => /^[a-z]/.test(field) && !writeOnly,
	);
	return Object.fromEntries(
		own.map(([field, schema]) => [field, schema.default ?? (schema.type === 'array' ? [] : null)]),
	);
}
