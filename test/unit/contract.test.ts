import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod';
import { resources } from '../../nodes/ContactTaskCrm/resources';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import type { Body } from '../../nodes/ContactTaskCrm/schema/field';
import type { FilterKind } from '../../nodes/ContactTaskCrm/schema/filter';
import * as formats from '../../nodes/ContactTaskCrm/schema/formats';
import { labelOf } from '../../nodes/ContactTaskCrm/schema/label';
import { bodySchema, fieldsOf, namesWhere } from '../../nodes/ContactTaskCrm/schema/record';
import { operations, propertiesOf, requiredOf, type Schema } from '../service/contract';
import openapi from '../service/openapi.json';
import { partsOfField, recordSchema } from '../support/contract';
import { contractOf, queryParameterSchema, writable } from '../support/openapi';

const recordOf = (resource: string) => resources[resource as keyof typeof resources].record;

/*
 * The node's contract and the stand-in's OpenAPI document were written separately from the interface. A difference
 * between them shows that one of them is wrong. The tests find the parts to compare in the two documents.
 */

const ajv = new Ajv2020({
	strict: false,
	formats: { 'parseable-date': true, 'iri-reference': true },
});
addFormats(ajv);
ajv.addSchema({ ...openapi, $id: 'openapi' });

/** Example values of each JSON type, for fields that are strict about their text. */
const EXAMPLES: Record<string, unknown[]> = {
	text: [
		'text',
		'/users/1',
		'/workspaces/1/columns/2',
		'2026-01-01T00:00:00Z',
		'FREQ=DAILY',
	].concat('name@example.com', 'mobile'),
	'whole number': [7],
	'yes or no': [true],
	list: [[], ['/users/1'], [{}]],
	object: [{}],
};

type Accepts = (value: unknown) => boolean;

const kindsOf = (accepts: Accepts) =>
	Object.keys(EXAMPLES).filter((kind) => EXAMPLES[kind].some(accepts));

function byDocument(field: Schema): Accepts {
	const schema = JSON.stringify(field).replace(/"#\/components/g, '"openapi#/components');
	const validate = ajv.compile(JSON.parse(schema) as object);
	return (value) => validate(value) === true;
}

/** Returns whether answers show an empty list in place of an empty object. A write always takes an object. */
const isShownAsList = ({ $ref = '' }: Schema) =>
	'maxItems' in ((openapi.components.schemas as object)[lastName($ref) as never] ?? {});

const byContract =
	(field: z.ZodTypeAny): Accepts =>
	(value) =>
		field.safeParse(value).success;

/** Returns the collection that a field of the document refers to, such as "users". */
const pointsInto = (field: Schema | undefined) => field?.['x-iri-of'] ?? field?.items?.['x-iri-of'];

const lastName = (collection: string | undefined) => collection?.split('/').at(-1);

/** A replacement takes the same fields as an update. */
const bodyOf = (method: string, path: string): Body => {
	if (method !== 'POST') return 'update';
	return path.endsWith('/duplicate') ? 'duplicate' : 'create';
};

/** Returns the schema of the records in a collection's answers. */
const answered = (collection: string) => {
	const one = openapi.paths[`${collection}/{id}` as '/people/{id}'].get.responses['200'];
	return propertiesOf(one.content['application/json'].schema);
};

/** Fields that the node requires beyond the interface: a comment without a text says nothing. */
const REQUIRED_BY_CHOICE = ['comment description'];

/** Fields that may be null in the interface, but always get a value from the service. */
const NEVER_EMPTIED = ['task author', 'task isFlagged', 'task isTemplate'];

describe.each(operations.filter(({ requestSchema }) => requestSchema))(
	'the body of $method $path',
	({ method, path, requestSchema }) => {
		const contract = contractOf(path);
		const body = bodyOf(method, path);
		const document = writable({ $ref: requestSchema });
		const fields = Object.entries(fieldsOf(contract, body));

		it("The node's schema gives a request body the same fields as openapi.json", () => {
			const own = Object.keys(bodySchema(contract, body).shape as object);
			expect(own.sort()).toEqual(Object.keys(document).sort());
		});

		/* If the interface does not show whether a field can be null, both sides may decide. */
		it('A request body field takes the types of openapi.json, and null where allowed', () => {
			for (const [name, { written }] of fields) {
				const [own, other] = [byContract(written!), byDocument(document[name])];
				const kinds = kindsOf(other).filter(
					(kind) => kind !== 'list' || !isShownAsList(document[name]),
				);
				expect([name, ...kindsOf(own)]).toEqual([name, ...kinds]);
				expect([name, own(null) || !other(null)]).toEqual([name, true]);
			}
		});

		it('References in a request body point to the collections that openapi.json names', () => {
			const shown = answered(contract.collection);
			for (const [name, { refersTo, kind }] of fields) {
				// The schema shows embedded records for writes. The answer shows the collection they belong to.
				const target = pointsInto(document[name]) ?? pointsInto(shown[name]);
				if (kind === 'record' && target === undefined) continue;
				expect([name, lastName(refersTo)]).toEqual([name, target]);
			}
		});

		it('Object fields of a request body have the parts that openapi.json shows', () => {
			for (const [name, { kind, written }] of fields.filter(([, one]) => one.kind === 'object')) {
				const parts = Object.keys(propertiesOf(document[name].items ?? document[name])).sort();
				expect([name, kind, partsOfField(written)]).toEqual([name, 'object', parts]);
			}
		});

		if (body === 'create') {
			it('A Create body requires the fields that openapi.json requires', () => {
				const isChosen = (name: string) => REQUIRED_BY_CHOICE.includes(`${contract.noun} ${name}`);
				const required = namesWhere(fieldsOf(contract, body), ({ isRequired }) => isRequired);
				expect(required.filter((name) => !isChosen(name)).sort()).toEqual(
					requiredOf({ $ref: requestSchema }).sort(),
				);
			});
		}

		if (method === 'PATCH') {
			it('Clear Fields can empty a field of an update exactly if openapi.json allows it', () => {
				for (const [name, { isList, isRequired, isJsonOnly, emptiedBy }] of fields) {
					const empty = isList ? [] : null;
					const isKept = NEVER_EMPTIED.includes(`${contract.noun} ${name}`);
					const mayBeEmpty =
						!isRequired && !isJsonOnly && !isKept && byDocument(document[name])(empty);
					expect([name, emptiedBy]).toEqual([name, mayBeEmpty ? empty : undefined]);
				}
			});
		}
	},
);

describe.each(Object.entries(contracts))('a %s', (resource, contract) => {
	const shown = answered(contract.collection);

	it("A record's schema has openapi.json's fields, and accepts answers with fewer or more", () => {
		const document = Object.entries(shown).filter(([, { writeOnly }]) => writeOnly !== true);
		const schema = recordSchema(contract);
		const isOwn = (name: string) => !name.startsWith('@');
		expect(
			Object.keys(schema.shape as object)
				.filter(isOwn)
				.sort(),
		).toEqual(
			document
				.map(([name]) => name)
				.filter(isOwn)
				.sort(),
		);
		const more = { '@id': '/x/1', more: [1] };
		expect([schema.parse({}), schema.parse(more)]).toEqual([{}, more]);
	});

	it('A simplified record has at most ten fixed fields, the ID first or last', () => {
		const { noun, simplify } = recordOf(resource);
		/** A record with the values that are hardest to flatten in every field. */
		const crowded = new Proxy({} as IDataObject, {
			get: (_, name) =>
				name === '@id' ? '/x/1' : [{ '@id': '/y/2', email: 'a@example.com', deep: {} }],
		});
		const simplified = (record: IDataObject) => simplify(record, () => undefined);
		const names = Object.keys(simplified({}));
		// A table of tasks begins with the title.
		const id = noun === 'task' ? names.at(-1) : names[0];
		expect([noun, id, names.length <= 10]).toEqual([contract.noun, 'id', true]);
		expect(Object.keys(simplified(crowded))).toEqual(names);
		expect(Object.values(simplified({}))).not.toContain(undefined);
		expect(simplified({ '@id': '/x/1' }).id).toBe('1');
		expect(simplified({ '@id': '/x/1', id: '77' }).id).toBe('77');
	});

	/** Returns the field in the name of a query parameter: `owner` in `owner.id`, `createdAt` in `createdAt[after]`. */
	const fieldOf = (query: string) =>
		/^exists\[(\w+)\]$/.exec(query)?.[1] ?? /^\w+/.exec(query)?.[0] ?? query;

	function kindOf(query: string): FilterKind {
		if (/\.(?:id|uuid)$/.test(query)) return 'id';
		if (/\[(?:strictly_)?(?:after|before)\]$/.test(query)) return 'dateTime';
		if (queryParameterSchema(query)?.type === 'boolean') return 'boolean';
		return pointsInto(shown[fieldOf(query)]) === undefined ? 'text' : 'iri';
	}

	it('Filters of a list have the kinds, bounds and references that openapi.json shows', () => {
		const list = operations.find(
			({ method, path }) => method === 'GET' && path === contract.collection,
		);
		for (const { query, kind, bound, shownIn, refersTo } of Object.values(contract.filters)) {
			expect(list?.queryParameters).toContain(query);
			// A search has no field of its own; it looks into other fields.
			const isSearch = !(fieldOf(query) in shown);
			if (isSearch) for (const field of shownIn) expect(shown).toHaveProperty([field]);
			const target = ['id', 'iri'].includes(kind) ? shown[fieldOf(query)] : undefined;
			expect([query, kind, bound, isSearch || shownIn, lastName(refersTo)]).toEqual([
				...[query, kindOf(query), /\[((?:strictly_)?(?:after|before))\]$/.exec(query)?.[1]],
				...[isSearch || [fieldOf(query)], pointsInto(target)],
			]);
		}
	});
});

const { person, task } = contracts;
const { dateTime, email, phoneType, recurrenceRule, wholeNumber, estimation } = formats;

/** Returns the problems with a value as "path: message". */
const complaints = (schema: z.ZodTypeAny, value: unknown) =>
	(schema.safeParse(value).error?.issues ?? []).map(
		({ path, message }) => `${path.join('.')}: ${message}`,
	);

const A_DATE = 'expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z';
const AN_EMAIL = 'expected an e-mail address such as name@example.com';
const A_RULE = 'expected a recurrence rule such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO';

/** Each format with valid texts, then the message for invalid ones. */
it.each([
	[dateTime, '2026-12-31 | 2028-02-29 | 1000-01-01T00:00:00Z | 2026-12-31T17:00Z'],
	[dateTime, '2026-12-31T17:00:00-05:30 | 2026-12-31T17:00:00+0100 | 2026-12-31T23:59:60Z'],
	[dateTime, '2026-12-31t17:00:00.123456z', A_DATE, 'tomorrow | 31-12-2026 | 2026-1-1'],
	[dateTime, '2026-12-31 17:00:00+01:00', A_DATE, '2026-12-31T | 2026-12-31Z | 1767200400'],
	[dateTime, '2026-12-31', A_DATE, '2026-12-31T17:00:00 | 2026-12-31T24:00:00Z | 2026-02-29'],
	[
		dateTime,
		'2026-12-31',
		A_DATE,
		'0001-01-01T00:00:00Z | 0026-12-31 | 2026-12-31T17:60:00Z | 2026-12-31T17:00:00+24:00',
	],
	[dateTime, '2026-12-31', A_DATE, '2026-13-01 | 2026-02-30T10:00:00Z | 2026-12-31T17:00'],
	[email, "a.b+c@mail.b.example | o'neil@b.example | josé@b.example"],
	[email, 'a@b.example', AN_EMAIL, 'name | name@ | @b.example | a b@b.example | a@b..com | a@.com'],
	[phoneType, 'fax | mobile | home | work', 'expected one of fax, mobile, home and work', 'Mobile'],
	[recurrenceRule, 'FREQ=DAILY | freq=weekly;wkst=mo | FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH'],
	[recurrenceRule, 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=12', A_RULE, 'every Monday'],
	[recurrenceRule, 'INTERVAL=1;FREQ=YEARLY;UNTIL=20271231T000000Z', A_RULE, 'INTERVAL=2'],
	[recurrenceRule, 'FREQ=DAILY', A_RULE, 'FREQ=FORTNIGHTLY | FREQ=DAILY=2 | FREQ=DAILY;'],
	[recurrenceRule, 'FREQ=DAILY', A_RULE, 'FREQ=DAILY;INTERVAL= | FREQ=DAILY;INTERVAL'],
] as Array<[z.ZodTypeAny, string, string?, string?]>)(
	'Formats of dates, e-mail addresses and recurrence rules accept only valid texts (row %#)',
	(format, good, message = '', bad = undefined) => {
		for (const text of good.split(' | '))
			expect([text, complaints(format, text)]).toEqual([text, []]);
		for (const text of bad?.split(' | ') ?? []) {
			expect([text, complaints(format, text)]).toEqual([text, [`: ${message}`]]);
		}
	},
);

it.each([
	...[1767200400, '', ' 2026-12-31'].map((text) => [dateTime, text, `: ${A_DATE}`]),
	[recurrenceRule, '', `: ${A_RULE}`],
	[wholeNumber, -3],
	[wholeNumber, 2.5, ': expected a whole number such as 3'],
	[wholeNumber, '3', ': expected a whole number such as 3'],
	[estimation, 2.5],
	[estimation, 'PT2H'],
	[bodySchema(person, 'create'), 'text', ': expected an object'],
	[bodySchema(task, 'create'), { people: [{ familyName: 'A' }] }],
	[bodySchema(task, 'create'), { participants: ['anything', 5] }],
	[bodySchema(task, 'update'), { recurringSettings: null, files: [] }],
] as Array<[z.ZodTypeAny, unknown, ...string[]]>)(
	'The schema accepts a field value, or says what the field expects (row %#)',
	(format, value, ...said) => {
		expect(complaints(format, value)).toEqual(said);
	},
);

it('The schema refuses a blank and a boolean as time estimation of a task', () => {
	for (const value of [' ', true]) expect(estimation.safeParse(value).success).toBe(false);
});

it('A simplified task shows titles of column, workspace and assignees, but IDs of people', () => {
	const titles: Record<string, string> = {
		'/workspaces/5c1f/columns/12ab': 'Won',
		'/workspaces/5c1f': 'Sales',
		'/users/1': 'Eva, de Vries',
	};
	const record = {
		status: '/workspaces/5c1f/columns/12ab',
		assignees: ['/users/1', { '@id': '/users/2' }],
		people: [{ '@id': '/people/2', familyName: 'Berg' }],
	};
	const simplified = recordOf('task').simplify(record, (reference) => titles[String(reference)]);
	expect(simplified).toMatchObject({
		...{ statusTitle: 'Won', workspaceTitle: 'Sales', people: '2' },
		assignees: 'Eva de Vries, 2',
	});
});

it.each([
	['jobTitle', 'Job Title'],
	['avatarUrl', 'Avatar URL'],
	['rrule', 'Repeat Rule (RRULE)'],
	['status', 'Column'],
	['positionTop', 'At the Top of the Column'],
	['isSubTask', 'Is Sub Task'],
	['_organizations', 'Organizations'],
	['@id', 'ID'],
	['address.city', 'Address: City'],
	['emailAddresses[0].email', 'Email Addresses (entry 1): Email'],
	['emailAddresses.0.email', 'Email Addresses (entry 1): Email'],
	['phoneNumbers[11]', 'Phone Numbers (entry 12)'],
	['recurringSettings.rrule', 'Repeat: Repeat Rule (RRULE)'],
	['', ''],
])('The label of the field "%s" in messages is "%s"', (wireName, label) => {
	expect(labelOf(wireName)).toBe(label);
});
