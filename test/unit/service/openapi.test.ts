import {
	operations,
	requiredOf,
	propertiesOf,
	responseSchema,
	validate,
	type Operation,
	type Schema,
} from '../../service/contract';
import { endpoints } from '../../service/answer';
import { connect, type RequestOptions } from '../../service/client';
import { startService, type Service, type SwitchChanges } from '../../service';
import { irisOf } from '../../service/iris';
import document from '../../service/openapi.json';
import { changeSwitches } from '../../service/switches';

/*
 * Tests every endpoint of openapi.json for its success and for each documented failure. The test cases come from the
 * document, so a new endpoint is tested automatically.
 */

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MEDIA_TYPES = ['application/ld+json', 'application/json'];

let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	service = await startService({
		switches: { rateLimit: { mode: 'off' } },
	});
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

/** Returns an IRI of a resource from a record of the tenant. */
function someIri(resource: string): string {
	const collections = Object.values(service.store as object).filter(
		(value) => value instanceof Map,
	);
	const named = JSON.stringify(collections.map((records) => [...records.values()] as unknown[]));
	const iris = (named.match(/"\/[^"]+"/g) ?? []).map((quoted) => quoted.slice(1, -1));
	return iris.find((iri) => irisOf(resource).test(iri)) ?? '';
}

/** Returns the smallest valid value of a schema: its required fields. */
function least(schema: Schema & { enum?: unknown[] }): unknown {
	if (schema.$ref || schema.allOf || schema.properties) {
		const fields = propertiesOf(schema);
		return Object.fromEntries(requiredOf(schema).map((name) => [name, least(fields[name])]));
	}
	if (schema.enum) return schema.enum[0];
	if (schema['x-iri-of']) return someIri(schema['x-iri-of']);
	const [type] = [schema.type ?? []].flat();
	return { integer: 1, number: 1, boolean: true, array: [], object: {} }[type as 'array'] ?? 'text';
}

const bodyOf = ({ requestSchema }: Operation) => requestSchema && least({ $ref: requestSchema });

/** Returns the IDs in a collection. If it is empty, creates a record and returns its ID. */
async function idsIn(collection: string, template: string): Promise<string[]> {
	const { member } = (await send('GET', `${collection}?itemsPerPage=30`)).body;
	const create = operations.find(({ method, path }) => method === 'POST' && path === template);
	if (member.length > 0 || !create) return member.map(({ id }) => id);
	return [(await send('POST', collection, { body: bodyOf(create) })).body.id];
}

/** Yields the paths of a template with the IDs of existing records, one after another. */
async function* pathsOf(template: string, from = 0): AsyncGenerator<string> {
	const [parameter] = /\{\w+\}/.exec(template.slice(from)) ?? [];
	if (!parameter) {
		yield template;
		return;
	}
	const at = template.indexOf(parameter, from);
	const collection = template.slice(0, at - 1);
	const generic = operations.find(
		({ path }) => path.replaceAll(/\{\w+\}/g, '*') === collection.replaceAll(/[\da-f-]{36}/g, '*'),
	);
	for (const id of await idsIn(collection, generic?.path ?? '')) {
		const filled = template.slice(0, at) + id + template.slice(at + parameter.length);
		yield* pathsOf(filled, at + id.length);
	}
}

/** @param id of the record itself, instead of an existing one */
async function pathOf({ path }: Operation, id?: string): Promise<string> {
	const template = id === undefined ? path : path.replace('{id}', id);
	for await (const filled of pathsOf(template)) return filled;
	throw new Error(`No record to ask ${path} for`);
}

async function ask(operation: Operation, options: RequestOptions = {}, path?: string) {
	const to = path ?? (await pathOf(operation));
	service.requests.length = 0;
	return await send(operation.method, to, { body: bodyOf(operation), ...options });
}

const needsFields = ({ requestSchema }: Operation) =>
	requestSchema !== undefined && requiredOf({ $ref: requestSchema }).length > 0;

interface Failure {
	status: number;
	/** Operations that may give this answer; by default, all. */
	of?: (operation: Operation) => boolean;
	options?: RequestOptions;
	switches?: SwitchChanges;
	/** Used instead of the ID of an existing record. */
	id?: string;
}

const FAILURES: Failure[] = [
	{ status: 400, of: ({ bodyRequired }) => bodyRequired, options: { body: '{"title":' } },
	{ status: 401, options: { key: 'wrong' } },
	{ status: 403, switches: { faults: [{ kind: 'status', status: 403, body: 'json' }] } },
	{ status: 404, of: ({ path }) => path.includes('{id}'), id: NOBODY },
	{ status: 422, of: needsFields, options: { body: {} } },
	{ status: 429, switches: { rateLimit: { mode: 'two-windows', limit: 0 } } },
];

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
	'%s',
	(_, operation) => {
		it.each(MEDIA_TYPES)(
			'The stand-in service answers each operation with its documented status and body, in the media type %s',
			async (accept) => {
				for (const omitNulls of [true, false]) {
					service.switches.omitNulls = omitNulls;
					const reply = await ask(operation, { accept });
					expect([reply.status, reply.body?.detail]).toEqual([operation.successStatus, undefined]);
					const schema = responseSchema(operation, reply.status, accept);
					expect(reply.mediaType).toBe(schema && accept);
					if (!schema) expect(reply.text).toBe('');
					else expect(validate(schema, reply.body)).toEqual([]);
					expect(reply.text.includes('"@context"')).toBe(!!schema && accept === MEDIA_TYPES[0]);
				}
			},
		);

		it.each(FAILURES.filter(({ of = () => true }) => of(operation)))(
			'The stand-in service refuses a request with $status in the documented form, and stores nothing',
			async ({ status, options, switches = {}, id }) => {
				const path = await pathOf(operation, id);
				changeSwitches(service.switches, switches);
				const reply = await ask(operation, options, path);
				expect(reply.status).toBe(status);
				const schema = responseSchema(operation, status, reply.mediaType ?? '');
				expect(schema).toBeDefined();
				expect(validate(schema!, reply.body)).toEqual([]);
				expect(reply.body.message).not.toBe('');
				expect(reply.headers.has('retry-after')).toBe(status === 429);
				expect(service.requests).toMatchObject([{ status, stored: false }]);
			},
		);
	},
);

it('The tests of the stand-in service cause every failure that openapi.json lists', () => {
	const listed = new Set(operations.flatMap(({ failures }) => failures));
	expect([...listed].sort()).toEqual(FAILURES.map(({ status }) => status));
	for (const { operationId, failures } of operations) {
		expect([operationId, failures]).toEqual([operationId, expect.arrayContaining([401, 429])]);
	}
});

it('The stand-in accepts only the documented media types, and checks them before it looks for the record', async () => {
	for (const operation of operations.filter(({ requestTypes }) => requestTypes.length > 0)) {
		const path = await pathOf(operation);
		for (const type of operation.requestTypes) {
			const reply = await ask(operation, { type: `${type}; charset=utf-8` }, path);
			expect([operation.operationId, reply.status]).toEqual([
				operation.operationId,
				operation.successStatus,
			]);
		}
		expect((await ask(operation, { type: 'text/plain' }, path)).status).toBe(415);
		expect((await ask(operation, { type: '' }, path)).status).toBe(415);
	}
	const patch = operations.find(({ method }) => method === 'PATCH')!;
	const nowhere = patch.path.replace('{id}', NOBODY);
	expect((await ask(patch, { type: 'text/plain' }, nowhere)).status).toBe(415);
	expect((await ask(patch, { body: '{' }, nowhere)).status).toBe(404);
});

describe('openapi.json', () => {
	function* referencesIn(value: unknown): Generator<string> {
		if (typeof value !== 'object' || value === null) return;
		if ('$ref' in value) yield value.$ref as string;
		for (const child of Object.values(value)) yield* referencesIn(child);
	}

	const references = new Set(referencesIn(document));

	it('openapi.json names each operation once, and the stand-in service answers each', () => {
		const names = operations.map(({ operationId }) => operationId).sort();
		expect(document.openapi).toBe('3.1.0');
		expect(Object.keys(endpoints).sort()).toEqual(names);
	});

	it('openapi.json has a target for every reference, and a reference to every component', () => {
		const targets = Object.entries(document.components)
			.filter(([kind]) => kind !== 'securitySchemes')
			.flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`));
		expect([...references].sort()).toEqual(targets.sort());
	});
});
