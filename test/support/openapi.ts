import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { operations, propertiesOf, type Schema } from '../service/contract';
import openapi from '../service/openapi.json';

/*
 * The stand-in's OpenAPI document. It was written from the interface, separately from the node. A difference between
 * the two shows a mistake in one of them.
 */

const endpointOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

const byEndpoint = new Map(operations.map((operation) => [endpointOf(operation), operation]));

/** Endpoints such as "PATCH /people/{id}". */
export const endpoints = [...byEndpoint.keys()];

/** Returns the contract of the collection that a path belongs to. */
export function contractOf(path: string) {
	const [found] = Object.values(contracts)
		.filter(({ collection }) => path === collection || path.startsWith(`${collection}/`))
		.sort((one, other) => other.collection.length - one.collection.length);
	return found;
}

/** Returns the endpoint of a request as `endpoints` writes it: "PATCH /people/{personId}" as "PATCH /people/{id}". */
export function asEndpoint(request: string): string {
	const [method, path] = request.split(' ');
	const { collection, locator } = contractOf(path);
	return `${method} ${path.replace(`${collection}/{${locator}}`, `${collection}/{id}`)}`;
}

/** Returns the fields of a schema that a request body may have: all but read-only fields and those of JSON-LD (`@id`). */
export function writable(schema: Schema): Record<string, Schema> {
	const fields = Object.entries(propertiesOf(schema));
	return Object.fromEntries(
		fields.filter(([name, { readOnly }]) => readOnly !== true && !name.startsWith('@')),
	);
}

/** Returns the names of the fields that the body of an endpoint may have. */
export function writableFields(endpoint: string): string[] {
	const $ref = byEndpoint.get(endpoint)?.requestSchema;
	return $ref ? Object.keys(writable({ $ref })) : [];
}

/** Returns the names of the query parameters of an endpoint. */
export function queryParameters(endpoint: string): string[] {
	return byEndpoint.get(endpoint)?.queryParameters ?? [];
}

/** Returns the type of a query parameter. A parameter has the same type on all paths. */
export function queryParameterSchema(query: string): Schema | undefined {
	const parameters: Array<{ name: string; schema: object }> = Object.values(
		openapi.components.parameters,
	);
	return parameters.find(({ name }) => name === query)?.schema as Schema | undefined;
}
