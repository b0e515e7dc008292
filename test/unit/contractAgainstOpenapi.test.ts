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
import openapi from '../service/openapi.json';
import type { JsonSchema } from '../support/openapi';
import { fieldsOfSchema, schemas } from '../support/openapi';

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
