import {
	componentSchemas,
	operations,
	responseSchema,
	validate,
	type Operation,
} from '../../service/contract';
import { endpoints } from '../../service/answer';
import document from '../../service/openapi.json';

/** The endpoints of interface section 4: method, path, success, and the failures listed there. */
const INTERFACE = [
	'POST /people 201 400,403,422',
	'GET /people 200 403',
	'GET /people/{id} 200 403,404',
	'PUT /people/{id} 200 400,403,404,422',
	'PATCH /people/{id} 200 400,403,404,422',
	'GET /workspaces/{id} 200',
	'GET /workspaces 200',
	'POST /segments 201',
	'GET /segments/{id} 200',
	'PUT /segments/{id} 200',
	'PATCH /segments/{id} 200',
	'GET /segments 200',
	'POST /tasks 201 400,403,422',
	'POST /tasks/{id}/duplicate 201 400,403,422',
	'POST /tasks/{id}/export 201 400,403,422',
	'GET /tasks 200 403',
	'GET /tasks/{id} 200 403,404',
	'PUT /tasks/{id} 200 400,403,404,422',
	'PATCH /tasks/{id} 200 400,403,404,422',
	'POST /tasks/{taskId}/comments 201 400,403,422',
	'GET /tasks/{taskId}/comments 200 403',
	'GET /tasks/{taskId}/comments/{id} 200 403,404',
	'PUT /tasks/{taskId}/comments/{id} 200 400,403,404,422',
	'PATCH /tasks/{taskId}/comments/{id} 200 400,403,404,422',
	'GET /tasks/{taskId}/history 200 403',
	'GET /tasks/{taskId}/history/{id} 200 403,404',
];

const DATE_FILTERS = ['strictly_after', 'after', 'strictly_before', 'before'];
const dates = (field: string) => DATE_FILTERS.map((name) => `${field}[${name}]`);
const both = (...names: string[]) => names.flatMap((name) => [name, `${name}[]`]);

/** The query parameters of interface section 4, by operation. */
const QUERIES: Record<string, string[]> = {
	listPeople: [
		'page',
		'itemsPerPage',
		'q',
		...both('owner.id', 'emailAddresses.email', 'tags.id', 'segments.uuid', 'identifiers'),
		'exists[archivedAt]',
		'order[familyName]',
		'order[createdAt]',
		...dates('createdAt'),
		'view',
	],
	listWorkspaces: [
		'page',
		'itemsPerPage',
		...both('title', 'description', 'owner'),
		...dates('createdAt'),
		...dates('archivedAt'),
		'exists[archivedAt]',
	],
	listSegments: ['page', 'itemsPerPage'],
	listTasks: ['page', 'itemsPerPage', 'view'],
	listComments: ['page', 'itemsPerPage'],
	listHistory: ['page', 'itemsPerPage'],
};

type Node = Record<string, unknown>;

function* nodesOf(value: unknown): Generator<Node> {
	if (typeof value !== 'object' || value === null) return;
	yield value as Node;
	for (const child of Object.values(value)) yield* nodesOf(child);
}

const resolve = (pointer: string) =>
	pointer
		.slice(2)
		.split('/')
		.reduce<unknown>((node, part) => (node as Node | undefined)?.[part], document);

const documented = (operation: Operation) => {
	const path = (document.paths as unknown as Record<string, Record<string, Node>>)[operation.path];
	return path[operation.method.toLowerCase()];
};

describe('openapi.json', () => {
	it('is an OpenAPI 3.1 document with a title and a version', () => {
		expect(document.openapi).toBe('3.1.0');
		expect(document.info).toMatchObject({
			title: expect.any(String) as string,
			version: '1.0.0',
		});
	});

	it('has the 26 endpoints of the interface with their success and failures', () => {
		// Every endpoint can also answer 401 and 429, and the interface lists neither there.
		const lines = operations.map((operation) => {
			const statuses = Object.keys(documented(operation).responses as Node);
			const failures = statuses.filter((status) => ['400', '403', '404', '422'].includes(status));
			const line = `${operation.method} ${operation.path} ${operation.successStatus}`;
			return `${line} ${failures.join(',')}`.trim();
		});
		expect(lines).toHaveLength(26);
		expect(lines.sort()).toEqual([...INTERFACE].sort());
	});

	it('answers 401, 429 and any other failure everywhere', () => {
		for (const operation of operations) {
			expect(documented(operation).responses).toMatchObject({
				'401': {},
				'429': {},
				default: {},
			});
		}
	});

	it('has the query parameters of the interface and no others', () => {
		for (const { operationId, queryParameters } of operations) {
			expect([operationId, [...queryParameters].sort()]).toEqual([
				operationId,
				[...(QUERIES[operationId] ?? [])].sort(),
			]);
		}
	});

	it('declares every parameter of a path', () => {
		for (const operation of operations) {
			const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
			const references = (documented(operation).parameters ?? []) as Array<{ $ref: string }>;
			const declared = references
				.map(({ $ref }) => resolve($ref) as { name: string; in: string; required: boolean })
				.filter((parameter) => parameter.in === 'path');
			expect(declared.map(({ name }) => name)).toEqual(names);
			expect(declared.every(({ required }) => required)).toBe(true);
		}
	});

	it('names each operation once, and each has an endpoint that answers it', () => {
		const names = operations.map(({ operationId }) => operationId);
		expect(new Set(names).size).toBe(names.length);
		expect(Object.keys(endpoints).sort()).toEqual(names.sort());
	});

	it('takes the media types of the interface', () => {
		for (const { method, path, requestTypes, operationId } of operations) {
			if (requestTypes.length === 0) {
				expect(method === 'GET' || operationId === 'exportTask').toBe(true);
				continue;
			}
			const written = path.startsWith('/people')
				? ['application/ld+json', 'application/json']
				: ['application/ld+json'];
			expect([operationId, requestTypes]).toEqual([
				operationId,
				method === 'PATCH' ? ['application/merge-patch+json'] : written,
			]);
		}
	});

	it('has a target for every reference', () => {
		const pointers = [...nodesOf(document)]
			.map(({ $ref }) => $ref)
			.filter((pointer) => pointer !== undefined);
		expect(pointers.length).toBeGreaterThan(200);
		for (const pointer of pointers)
			expect([pointer, resolve(String(pointer))]).not.toContain(undefined);
	});

	it('uses every component', () => {
		const text = JSON.stringify(document);
		for (const [kind, components] of Object.entries(document.components)) {
			if (kind === 'securitySchemes') continue;
			for (const name of Object.keys(components)) {
				expect(text).toContain(`"#/components/${kind}/${name}"`);
			}
		}
	});

	it('has schemas that compile as JSON Schema 2020-12', () => {
		for (const name of Object.keys(componentSchemas)) {
			expect(() => validate(`#/components/schemas/${name}`, {})).not.toThrow();
		}
	});

	it('gives every success but the export a body in both representations', () => {
		for (const operation of operations) {
			const schemas = ['application/ld+json', 'application/json'].map((mediaType) =>
				responseSchema(operation, operation.successStatus, mediaType),
			);
			const hasBody = operation.operationId !== 'exportTask';
			expect([operation.operationId, ...schemas.map(Boolean)]).toEqual([
				operation.operationId,
				hasBody,
				hasBody,
			]);
		}
	});

	it('tells a person without a family name from one with', () => {
		expect(validate('#/components/schemas/Person', { familyName: 'Vos' })).toEqual([]);
		expect(validate('#/components/schemas/Person', { givenName: 'Jan' })).toHaveLength(1);
		expect(validate('#/components/schemas/PersonFields', { givenName: 'Jan' })).toEqual([]);
	});
});
