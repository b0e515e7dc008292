import {
	commentBodySchema,
	commentSchema,
	historyEntrySchema,
	personBodySchema,
	personSchema,
	segmentBodySchema,
	segmentSchema,
	taskCreateBodySchema,
	taskDuplicateBodySchema,
	taskSchema,
	taskUpdateBodySchema,
	workspaceSchema,
} from '../support/schemas';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { z } from 'zod';
import { contracts } from '../../nodes/ContactTaskCrm/contract';
import type { Body, Field } from '../../nodes/ContactTaskCrm/contract/field';
import type { Filter, FilterKind } from '../../nodes/ContactTaskCrm/contract/filter';
import { fieldsOf, namesWhere } from '../../nodes/ContactTaskCrm/contract/record';
import { partsOfField } from '../support/contract';
import openapi from '../service/openapi.json';
import type { JsonSchema } from '../support/openapi';
import {
	fieldsOfSchema,
	queryParameterSchema,
	queryParameters,
	requiredFields,
	schemas,
} from '../support/openapi';

/*
 * The contract of the node and the OpenAPI document of the stand-in were both read from the
 * interface, each for itself: where they differ, one of them was misread.
 */

type Fields = Record<string, JsonSchema>;

const writable = (fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([, field]) => field.readOnly !== true));

const withoutJsonLd = (fields: Fields): Fields =>
	Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith('@')));

const ajv = new Ajv2020({
	strict: false,
	formats: { 'parseable-date': true, 'iri-reference': true },
});
addFormats(ajv);
ajv.addSchema({ ...openapi, $id: 'openapi' });

/** What each kind of JSON value may look like in a field that is picky about its text. */
const EXAMPLES: Record<string, unknown[]> = {
	text: [
		'text',
		'/users/1',
		'/workspaces/1/columns/2',
		'2026-01-01T00:00:00Z',
		'FREQ=DAILY',
		'name@example.com',
		'mobile',
	],
	'whole number': [7],
	'yes or no': [true],
	null: [null],
	list: [[], ['/users/1'], [{}]],
	object: [{}],
};

type Accepts = (value: unknown) => boolean;

/** The kinds of JSON value that a field takes. */
function kindsOf(accepts: Accepts): string[] {
	return Object.entries(EXAMPLES)
		.filter(([, values]) => values.some(accepts))
		.map(([kind]) => kind);
}

function byDocument(field: JsonSchema): Accepts {
	const validate = ajv.compile(
		JSON.parse(JSON.stringify(field).replace(/"#\/components/g, '"openapi#/components')) as object,
	);
	return (value) => validate(value) === true;
}

function byContract(field: z.ZodTypeAny): Accepts {
	return (value) => field.safeParse(value).success;
}

/*
 * A list whose members are known records takes an object as little as a text; null where the
 * interface does not show whether a field can be null is allowed by either side as it likes.
 */
const comparable = (kinds: string[]) => kinds.filter((kind) => kind !== 'null');

const BODIES: Array<[string, string, z.AnyZodObject]> = [
	['a person to create or replace', 'Person', personBodySchema],
	['a person to update', 'PersonFields', personBodySchema],
	['a segment to create or replace', 'Segment', segmentBodySchema],
	['a segment to update', 'SegmentFields', segmentBodySchema],
	['a task to create', 'TaskCreate', taskCreateBodySchema],
	['a task to update', 'TaskUpdateFields', taskUpdateBodySchema],
	['a task to replace', 'TaskReplace', taskUpdateBodySchema],
	['a task to duplicate', 'TaskDuplicate', taskDuplicateBodySchema],
	['a comment', 'Comment', commentBodySchema],
];

const RECORDS: Array<[string, string, z.AnyZodObject]> = [
	['a person', 'Person', personSchema],
	['a workspace', 'Workspace', workspaceSchema],
	['a segment', 'Segment', segmentSchema],
	['a task', 'Task', taskSchema],
	['a comment', 'Comment', commentSchema],
	['a history entry', 'HistoryEntry', historyEntrySchema],
];

describe.each(BODIES)('the body of %s', (_, name, contract) => {
	const document = withoutJsonLd(writable(fieldsOfSchema(schemas[name])));
	const known = contract.shape as Record<string, z.ZodTypeAny>;

	it('has the same fields on either side', () => {
		expect(Object.keys(known).sort()).toEqual(Object.keys(document).sort());
	});

	it.each(Object.keys(document))('takes the same kinds of value as %s', (field) => {
		expect(comparable(kindsOf(byContract(known[field])))).toEqual(
			comparable(kindsOf(byDocument(document[field]))),
		);
	});

	it.each(Object.keys(document))('takes null as %s wherever the document does', (field) => {
		const takesNull = byDocument(document[field])(null);
		expect(byContract(known[field])(null) || !takesNull).toBe(true);
	});
});

describe.each(RECORDS)('the answer of %s', (_, name, contract) => {
	it('has the same fields on either side', () => {
		const document = Object.entries(withoutJsonLd(fieldsOfSchema(schemas[name])))
			.filter(([, field]) => field.writeOnly !== true)
			.map(([field]) => field);
		const known = Object.keys(contract.shape as object).filter((field) => !field.startsWith('@'));
		expect(known.sort()).toEqual(document.sort());
	});
});

type Resource = keyof typeof contracts;

/** The schema of each body, and of the record that is answered. */
const WRITTEN: Array<[Resource, Body, string, string]> = [
	['person', 'create', 'Person', 'Person'],
	['person', 'update', 'PersonFields', 'Person'],
	['segment', 'create', 'Segment', 'Segment'],
	['segment', 'update', 'SegmentFields', 'Segment'],
	['task', 'create', 'TaskCreate', 'Task'],
	['task', 'update', 'TaskUpdateFields', 'Task'],
	['task', 'duplicate', 'TaskDuplicate', 'Task'],
	['comment', 'create', 'Comment', 'Comment'],
	['comment', 'update', 'Comment', 'Comment'],
];

/** What is required beyond the interface: a comment without a text says nothing. */
const REQUIRED_BY_CHOICE = ['comment description'];

/** What the interface lets be null, and the service gives a value of its own all the same. */
const NEVER_EMPTIED = ['task author', 'task isFlagged', 'task isTemplate'];

/** The collection that a field of the document points into, by its last name: "users". */
function pointsInto(field: JsonSchema | undefined): unknown {
	return field?.['x-iri-of'] ?? (field?.items as JsonSchema | undefined)?.['x-iri-of'];
}

const lastName = (collection: string | undefined) => collection?.split('/').at(-1);

describe.each(WRITTEN)('each field of a %s to %s', (resource, body, name, answered) => {
	const document = withoutJsonLd(writable(fieldsOfSchema(schemas[name])));
	const shown = fieldsOfSchema(schemas[answered]);
	const fields: Record<string, Field> = fieldsOf(contracts[resource], body);

	it('points where the document says', () => {
		for (const [field, { refersTo, kind }] of Object.entries(fields)) {
			// Embedded records are shown for writing; where they point shows in the answer.
			const target = pointsInto(document[field]) ?? pointsInto(shown[field]);
			if (kind === 'record' && target === undefined) continue;
			expect([field, lastName(refersTo)]).toEqual([field, target]);
		}
	});

	it('is required where the document requires it', () => {
		if (body !== 'create') return;
		const own = namesWhere(fields, ({ isRequired }) => isRequired).filter(
			(field) => !REQUIRED_BY_CHOICE.includes(`${resource} ${field}`),
		);
		expect(own.sort()).toEqual(requiredFields(schemas[name]).sort());
	});

	it('is emptied where the document lets it be empty', () => {
		if (body !== 'update') return;
		for (const [field, { isList, isRequired, isJsonOnly, emptiedBy }] of Object.entries(fields)) {
			const empty = isList ? [] : null;
			const mayBeEmptied =
				!isRequired &&
				!isJsonOnly &&
				!NEVER_EMPTIED.includes(`${resource} ${field}`) &&
				byDocument(document[field])(empty);
			expect([field, emptiedBy]).toEqual([field, mayBeEmptied ? empty : undefined]);
		}
	});

	it('has the parts that the document shows', () => {
		for (const [field, { kind, written }] of Object.entries(fields)) {
			if (kind !== 'object') continue;
			const { items = document[field] } = document[field] as { items?: JsonSchema };
			expect([field, partsOfField(written)]).toEqual([
				field,
				Object.keys(fieldsOfSchema(items)).sort(),
			]);
		}
	});
});

const FILTERED: Array<[Resource, string]> = [
	['person', 'Person'],
	['workspace', 'Workspace'],
];

/** The filters that look into other fields than that of their name. */
const SEARCHED: Record<string, string[]> = {
	q: [],
	identifiers: ['emailAddresses', 'phoneNumbers', 'networkId'],
};

describe.each(FILTERED)('each filter of %s', (resource, answered) => {
	const { collection, filters } = contracts[resource];
	const endpoint = `GET ${collection}`;
	const shown = fieldsOfSchema(schemas[answered]);
	const each = Object.values(filters).map(({ query, ...filter }) => [query, filter] as const);

	/** The field that a query parameter names: `owner` of `owner.id`, `createdAt` of `createdAt[after]`. */
	const fieldOf = (query: string) =>
		/^exists\[(\w+)\]$/.exec(query)?.[1] ?? /^\w+/.exec(query)?.[0] ?? query;

	function kindOf(query: string): FilterKind {
		if (/\.(?:id|uuid)$/.test(query)) return 'id';
		if (/\[(?:strictly_)?(?:after|before)\]$/.test(query)) return 'dateTime';
		if (queryParameterSchema(endpoint, query)?.type === 'boolean') return 'boolean';
		return pointsInto(shown[fieldOf(query)]) === undefined ? 'text' : 'iri';
	}

	it.each(each)('%s is of the kind that its query parameter is', (query, filter) => {
		expect(queryParameters(endpoint)).toContain(query);
		expect(filter.kind).toBe(kindOf(query));
		expect(filter.bound).toBe(/\[((?:strictly_)?(?:after|before))\]$/.exec(query)?.[1]);
	});

	it.each(each)('%s is held against the fields that show it', (query, filter) => {
		expect(filter.shownIn).toEqual(SEARCHED[query] ?? [fieldOf(query)]);
		for (const field of filter.shownIn) expect(Object.keys(shown)).toContain(field);
	});

	it.each(each)('%s points where the field does', (query, filter: Omit<Filter, 'query'>) => {
		const target = ['id', 'iri'].includes(filter.kind) ? shown[fieldOf(query)] : undefined;
		expect(lastName(filter.refersTo)).toBe(pointsInto(target));
	});
});

it('covers every resource that can be written', () => {
	const written = Object.entries(contracts).filter(
		([, contract]) => Object.keys(fieldsOf(contract, 'create')).length > 0,
	);
	expect(written.map(([resource]) => resource).sort()).toEqual(
		[...new Set(WRITTEN.map(([resource]) => resource))].sort(),
	);
});

it('covers every record', () => {
	expect(RECORDS.length).toBe(Object.keys(contracts).length);
});

it('covers every resource that has filters', () => {
	const filtered = Object.entries(contracts).filter(
		([, { filters }]) => Object.keys(filters).length > 0,
	);
	expect(filtered.map(([resource]) => resource)).toEqual(FILTERED.map(([resource]) => resource));
});
