import { contracts } from '../../nodes/ContactTaskCrm/contract';
import openapi from '../service/openapi.json';

/*
 * What the stand-in's document says, which was read from the interface apart from the node: where the
 * two differ, one of them was misread.
 */

export type JsonSchema = Record<string, unknown> & { $ref?: string; allOf?: JsonSchema[] };

interface Parameter {
	name: string;
	in: string;
	schema: JsonSchema;
}

interface Operation {
	parameters?: Array<Partial<Parameter> & { $ref?: string }>;
	requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

export const schemas = openapi.components.schemas as unknown as Record<string, JsonSchema>;
const parameters = openapi.components.parameters as unknown as Record<string, Parameter>;
const paths = openapi.paths as unknown as Record<string, Record<string, Operation>>;

const METHODS = ['get', 'post', 'put', 'patch'];

const operations = new Map(
	Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods)
			.filter(([method]) => METHODS.includes(method))
			.map(([method, operation]): [string, Operation] => [
				`${method.toUpperCase()} ${path}`,
				operation,
			]),
	),
);

/** The endpoints, such as "PATCH /people/{id}". */
export const endpoints = [...operations.keys()];

/** A request of the node as the interface writes its path: the id of the record itself is `{id}`. */
export function asEndpoint(request: string): string {
	const [, method, path] = /^(\w+) (.*)$/.exec(request) ?? [];
	const all = Object.values(contracts);
	const ownPath = all
		.filter(({ collection }) => !all.some((below) => isBelow(path, below.collection, collection)))
		.map(({ collection, locator }) => `${collection}/{${locator}}`)
		.find((own) => path === own || path.startsWith(`${own}/`));
	const { length = 0 } = ownPath ?? '';
	return `${method} ${path.slice(0, length).replace(/\w+\}$/, 'id}')}${path.slice(length)}`;
}

/** Whether a path leads into a collection that lies below a record of another one. */
function isBelow(path: string, collection: string, above: string): boolean {
	return collection.startsWith(`${above}/`) && path.startsWith(collection);
}

/** The fields of a schema, through its references. */
export function fieldsOfSchema(schema: JsonSchema): Record<string, JsonSchema> {
	if (schema.$ref) return fieldsOfSchema(schemas[schema.$ref.replace('#/components/schemas/', '')]);
	const inherited = (schema.allOf ?? []).map(fieldsOfSchema);
	return Object.assign({}, ...inherited, schema.properties) as Record<string, JsonSchema>;
}

/** The names of the fields that the body of an endpoint may hold. */
export function writableFields(endpoint: string): string[] {
	const [content] = Object.values(operations.get(endpoint)?.requestBody?.content ?? {});
	return Object.entries(content ? fieldsOfSchema(content.schema) : {})
		.filter(([name, { readOnly }]) => readOnly !== true && !name.startsWith('@'))
		.map(([name]) => name);
}

/** The names of the fields that a schema requires. */
export function requiredFields(schema: JsonSchema): string[] {
	const { $ref, allOf = [], required = [] } = schema;
	if ($ref) return requiredFields(schemas[$ref.replace('#/components/schemas/', '')]);
	return [...(required as string[]), ...allOf.flatMap(requiredFields)];
}

/** The names of the query parameters of an endpoint. */
export function queryParameters(endpoint: string): string[] {
	return queryParametersOf(endpoint).map(({ name = '' }) => name);
}

/** The type of one query parameter of an endpoint. */
export function queryParameterSchema(endpoint: string, query: string): JsonSchema | undefined {
	return queryParametersOf(endpoint).find(({ name }) => name === query)?.schema;
}

function queryParametersOf(endpoint: string): Array<Partial<Parameter>> {
	return (operations.get(endpoint)?.parameters ?? [])
		.map((parameter) =>
			parameter.$ref
				? parameters[parameter.$ref.replace('#/components/parameters/', '')]
				: parameter,
		)
		.filter((parameter) => parameter.in === 'query');
}
