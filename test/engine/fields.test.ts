import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { fieldsOf } from '../../nodes/ContactTaskCrm/schema/record';
import type { Schema } from '../service/contract';
import { operations } from '../service/contract';
import { sampled } from '../support/drawn';
import { writable } from '../support/openapi';
import { locator, PICKED, PICKED_SENT } from './support/fields';
import { excuse } from './support/recordExchanges';
import type { NodeResult } from './support/runNode';
import { useScene } from './support/scene';
import {
	COLUMNS,
	COMMENTS,
	DISCUSSED,
	FILES,
	ORGANIZATIONS,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	USERS,
} from './support/seeded';
import { patch, post, put, steady, type Sent } from './support/wire';

/** A field with the editor's value and the value in the request. */
type Field = readonly [name: string, given: unknown, sent: unknown];

/** A way to write a record. */
interface Written {
	resource: 'person' | 'segment' | 'task' | 'comment';
	/** Path of the record, and the parameters that name it. */
	path: string;
	address: Record<string, unknown>;
	/** Fields that the service requires to create or replace a record. */
	required: Record<string, unknown>;
	/** Values of fields beyond those derived from their types. */
	further: Field[];
	/** Fields that Create has as parameters of their own, outside Additional Fields. */
	apart?: string[];
}

const iris = (collection: string, ...ids: string[]) => ids.map((id) => `/${collection}/${id}`);
const EMAILS = [{ email: 'a@mail.example' }, { email: 'b@mail.example' }];
const PHONES = [
	{ phoneNumber: '+31 6 123', phoneType: 'mobile' },
	{ phoneNumber: '020 222', phoneType: 'fax' },
];
const ADDRESS = { city: 'Utrecht', country: 'BE', postalCode: '3511 AB', street: 'Oudegracht 1' };
const RECURRING = {
	rrule: 'FREQ=WEEKLY;BYDAY=MO',
	recurUntilCount: 3,
	recurOnSchedule: true,
	createNewTask: false,
	snooze: true,
};
const [{ id: taskId }, { id: otherTask }] = TASKS;

const WRITTEN: Written[] = [
	{
		resource: 'person',
		path: `/people/${PEOPLE[0].id}`,
		address: { personId: locator(PEOPLE[0].id) },
		required: { familyName: 'Jansen' },
		further: [
			['emailAddresses', EMAILS.map(({ email }) => email), EMAILS],
			['emailAddresses', EMAILS, EMAILS],
			['phoneNumbers', PHONES, PHONES],
			['address', ADDRESS, ADDRESS],
			['address', { city: 'Delft' }, { city: 'Delft' }],
		],
	},
	{
		resource: 'segment',
		path: `/segments/${SEGMENTS[0]}`,
		address: { segmentId: locator(SEGMENTS[0]) },
		required: { title: 'New', icon: 'star' },
		further: [],
	},
	{
		resource: 'task',
		path: `/tasks/${taskId}`,
		address: { taskId: locator(taskId) },
		required: { title: 'Call', status: COLUMNS[1] },
		further: [
			['timeEstimation', 1.5, 1.5],
			['timeEstimation', '={{ "2h" }}', '2h'],
			['timeEstimation', '={{ "90" }}', 90],
			['storyPointEstimation', '={{ " 2.5 " }}', 2.5],
			['dueDate', '2026-12-31', '2026-12-31'],
			['parent', locator(otherTask), `/tasks/${otherTask}`],
			['parent', locator(`/tasks/${otherTask}`), `/tasks/${otherTask}`],
			['beforeTask', locator(otherTask, 'list'), `/tasks/${otherTask}`],
			['afterTask', locator(otherTask), `/tasks/${otherTask}`],
			['participants', '[{ "any": "form" }, "x"]', [{ any: 'form' }, 'x']],
			['recurringSettings', RECURRING, RECURRING],
			['recurringSettings', { snooze: false }, { snooze: false }],
			[
				'recurringSettings',
				{ recurUntil: PICKED, recurData: '["MO", 2]' },
				{ recurUntil: PICKED_SENT, recurData: ['MO', 2] },
			],
			// An ID alone does not identify a column, because columns are numbered within their workspace.
			['status', locator(COLUMNS[2]), COLUMNS[2]],
			['status', locator(COLUMNS[2], 'list'), COLUMNS[2]],
			['status', locator('={{ $json.column }}'), COLUMNS[2]],
		],
	},
	{
		resource: 'comment',
		path: `/tasks/${DISCUSSED.id}/comments/${COMMENTS[0].id}`,
		address: { taskId: locator(DISCUSSED.id), commentId: locator(COMMENTS[0].id) },
		required: { description: 'x' },
		further: [],
		apart: ['mentions'],
	},
];

/** IDs of referenced records, by collection. */
const IDS: Record<string, string[]> = {
	...{ users: USERS, tags: TAGS, segments: SEGMENTS },
	...{ organizations: ORGANIZATIONS, media_objects: FILES },
};

/** Returns values for a field of openapi.json, by its type. Returns none if only `further` has suitable ones. */
function valuesFor(name: string, schema: Schema): Field[] {
	const { type, format = '', items }: Schema & { format?: string } = schema;
	const collection = schema['x-iri-of'] ?? items?.['x-iri-of'] ?? '';
	const { [collection]: ids } = IDS;
	if (ids && !items) return [[name, ids[1], `/${collection}/${ids[1]}`]];
	if (ids) {
		const [id, iri] = iris(collection, ids[0], ids[1]);
		return [[name, [ids[0], iri], [id, iri]]];
	}
	if (format.includes('date')) return [[name, PICKED, PICKED_SENT]];
	const types = [type].flat();
	if (types.includes('integer') || types.includes('number')) return [[name, 12, 12]];
	if (types.includes('boolean')) return [true, false].map((value) => [name, value, value]);
	return types.includes('string') && format === '' ? [[name, 'Ünique “x”', 'Ünique “x”']] : [];
}

/** Returns test values for each field of an endpoint that has a parameter. */
function fieldsIn(operation: OperationName, { resource, required, further }: Written): Field[] {
	const { [resource]: contract } = contracts;
	const method = { create: 'POST', replace: 'PUT', update: 'PATCH' }[operation];
	const path = operation === 'create' ? contract.collection : `${contract.collection}/{id}`;
	const endpoint = operations.find((one) => one.method === method && one.path === path)!;
	const isTried = (name: string) =>
		!contract.fields[name].isJsonOnly &&
		contract.fields[name].kind !== 'record' &&
		(operation === 'update' || !(name in required));
	return Object.entries(writable({ $ref: endpoint.requestSchema }))
		.filter(([name]) => isTried(name))
		.flatMap(([name, schema]) => {
			const values = [...valuesFor(name, schema), ...further.filter(([own]) => own === name)];
			if (values.length === 0) throw new Error(`Nothing to try for ${name}`);
			return values;
		});
}

const OPERATIONS = ['create', 'replace', 'update'] as const;
type OperationName = (typeof OPERATIONS)[number];

/** The ways to give JSON. */
const FORMS: ReadonlyArray<readonly [name: string, of: (body: object) => unknown]> = [
	['an object', (body) => body],
	['text', (body) => JSON.stringify(body)],
	['an expression for the item', () => '={{ $json }}'],
	['an expression for the item as text', () => '={{ JSON.stringify($json) }}'],
];

/** Returns whether a field is sent as IRIs and was given as IDs or IRIs, not by an expression. */
const isGivenByIds = (given: unknown, sent: unknown) =>
	[sent].flat().every((one) => typeof one === 'string' && one.startsWith('/')) &&
	[given].flat().every((one) => typeof one === 'string' && !one.startsWith('='));

describe.each(WRITTEN)('each field of a $resource', (written) => {
	const { resource, path, address, required, apart = [] } = written;
	const scene = useScene();
	beforeEach(async () => await scene.showTimes());
	const fields = Object.fromEntries(
		OPERATIONS.map((operation) => [operation, fieldsIn(operation, written)]),
	) as Record<OperationName, Field[]>;
	const cleared = Object.fromEntries(
		Object.entries(fieldsOf(contracts[resource], 'update')).flatMap(([name, { emptiedBy }]) =>
			emptiedBy === undefined ? [] : [[name, emptiedBy]],
		),
	);

	/** Checks that a write sent one request, and checks the output. */
	const expectOnly = async (
		operation: OperationName,
		body: object,
		{ items, error }: Pick<NodeResult, 'items' | 'error'>,
	) => {
		expect(error).toBeUndefined();
		const collection = path.slice(0, path.lastIndexOf('/'));
		const requests = {
			create: post(collection, body),
			replace: put(path, body),
			update: patch(path, body),
		};
		// An update also looks up who has the e-mail addresses.
		const isLookup = ({ query }: Sent) => query.some((one) => one.startsWith('emailAddresses.'));
		expect(scene.sent().filter((sent) => !isLookup(sent))).toEqual([requests[operation]]);
		const record = operation === 'create' ? String(items[0]?.json['@id']) : path;
		const result = operation === 'create' ? 'created' : 'updated';
		// A comment has no name.
		const name = resource === 'comment' ? {} : { name: expect.any(String) as string };
		const told =
			operation === 'create' ? { summary: expect.any(String), changes: expect.any(Object) } : {};
		const json = { result, ...name, ...told, ...steady(await scene.record(record)) };
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
	};

	/** Writes fields, and checks the request and the output. */
	const expectSent = async (operation: OperationName, given: object, sent: object) => {
		const isUpdate = operation === 'update';
		const isApart = ([name]: [string, unknown]) => operation === 'create' && apart.includes(name);
		const among = Object.entries(given).filter((field) => !isApart(field));
		const beside = Object.entries(given).filter(isApart);
		const { items, error } = await scene[resource](
			operation,
			isUpdate
				? { ...address, updateFields: Object.fromEntries(among) }
				: {
						...address,
						...required,
						...Object.fromEntries(beside),
						additionalFields: Object.fromEntries(among),
					},
			{ input: [{ column: COLUMNS[2] }] },
		);
		await expectOnly(operation, isUpdate ? sent : { ...required, ...sent }, { items, error });
	};

	it.each(
		sampled(
			(['create', 'update'] as const).flatMap((operation) =>
				fields[operation].map((field) => [operation, ...field] as const),
			),
			20,
		),
	)(
		'The operation %s sends the given field and no other: %s as %j',
		async (operation, name, given, sent) => {
			await expectSent(operation, { [name]: given }, { [name]: sent });
		},
	);

	it.each(sampled(OPERATIONS, 4))(
		'The operation %s sends all given fields in one request',
		async (operation) => {
			await expectSent(
				operation,
				Object.fromEntries(fields[operation].map(([name, given]) => [name, given])),
				Object.fromEntries(fields[operation].map(([name, , sent]) => [name, sent])),
			);
		},
	);

	it.each(
		sampled(
			OPERATIONS.flatMap((operation) => FORMS.map(([form, of]) => [operation, form, of] as const)),
			16,
		),
	)(
		'The operation %s sends the JSON Body, given as %s, with IDs as IRIs',
		async (operation, _form, of) => {
			excuse('requests', 'a user writes a field that a later interface may have');
			const sent = {
				...(operation === 'update' ? {} : required),
				...Object.fromEntries(fields[operation].map(([name, , value]) => [name, value])),
				unknown: { of: ['any', 'form'] },
			};
			const asIds = fields[operation].filter(([, given, value]) => isGivenByIds(given, value));
			const body = { ...sent, ...Object.fromEntries(asIds) };
			const parameters = { ...address, inputMode: 'json', jsonBody: of(body) };
			const { items, error } = await scene[resource](operation, parameters, {
				input: [body as never],
			});
			await expectOnly(operation, sent, { items, error });
		},
	);

	it('Empty values in JSON empty the fields of a record', async () => {
		await scene[resource]('update', {
			...{ ...address, inputMode: 'json', jsonBody: cleared },
		});
		expect(scene.sent()).toEqual([patch(path, cleared)]);
	});

	it.each(sampled(Object.entries(cleared), 18))(
		'Clear Fields empties the field %s by sending %j',
		async (name, sent) => {
			const { items } = await scene[resource]('update', { ...address, clearFields: [name] });
			expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
			const record = steady(await scene.record(path));
			const named = resource === 'comment' ? {} : { name: expect.any(String) as string };
			const json = { result: 'updated', ...named, ...record };
			expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
			if (sent !== null) expect(items[0].json[name]).toEqual([]);
		},
	);
});

describe('fields of a person', () => {
	const scene = useScene();
	beforeEach(async () => await scene.showTimes());
	const path = `/people/${PEOPLE[0].id}`;
	const personId = locator(PEOPLE[0].id);

	const expectSent = async (updateFields: object, sent: object, json = {}, more = {}) => {
		const parameters = { personId, updateFields, ...more };
		const { error } = await scene.person('update', parameters, { input: [json] });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([patch(path, sent)]);
	};

	it('An update sends changed and cleared fields of a person in one request', async () => {
		const clearFields = ['tags', 'owner'];
		await expectSent(
			{ jobTitle: 'x' },
			{ jobTitle: 'x', tags: [], owner: null },
			{},
			{ clearFields },
		);
	});

	it.each([
		['a number instead of text', 'customerId', 1042, '1042'],
		['text instead of a number', 'dealSize', ' 2500 ', 2500],
		['text instead of a boolean', 'isTracked', 'true', true],
		['a record instead of a reference', 'owner', { id: USERS[2], name: 'x' }, `/users/${USERS[2]}`],
		[
			'IDs in a text with commas',
			'tags',
			`${TAGS[0]}, /tags/${TAGS[1]}`,
			iris('tags', TAGS[0], TAGS[1]),
		],
		[
			'IDs in a text with semicolons',
			'tags',
			`${TAGS[0]}; /tags/${TAGS[1]}`,
			iris('tags', TAGS[0], TAGS[1]),
		],
		['one record instead of a list', 'tags', { '@id': `/tags/${TAGS[0]}` }, iris('tags', TAGS[0])],
		[
			'a list of records',
			'tags',
			[{ id: TAGS[0] }, { id: TAGS[1] }],
			iris('tags', TAGS[0], TAGS[1]),
		],
		['a date', 'archivedAt', '2026-12-31', '2026-12-30T23:00:00Z'],
		['a time with its zone', 'archivedAt', '2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		['a time as databases write it', 'archivedAt', '2026-12-31 17:00:00', PICKED_SENT],
	])('A field of a person accepts %s from an expression', async (_, name, value, sent) => {
		await expectSent({ [name]: '={{ $json.value }}' }, { [name]: sent }, { value });
	});

	it.each([
		[
			"={{ DateTime.fromISO('2026-12-31T17:00:00', { zone: 'Asia/Tokyo' }) }}",
			'2026-12-31T08:00:00Z',
		],
		["={{ new Date('2026-12-31T16:00:00Z') }}", '2026-12-31T16:00:00Z'],
	])('A time field of a person takes a Date or DateTime object: %s', async (archivedAt, sent) => {
		await expectSent({ archivedAt }, { archivedAt: sent });
	});

	it('The error for Due Date "1/2/2026" advises an expression that the next update accepts', async () => {
		const value = '1/2/2026';
		const refused = await scene.task('update', { taskId, updateFields: { dueDate: value } });
		const [, advised] = /(\{\{.*\}\})$/.exec(refused.error?.description ?? '') ?? [];
		await scene.task('update', { taskId, updateFields: { dueDate: `=${advised}` } });
		expect(scene.sent()).toEqual([patch(`/tasks/${taskId}`, { dueDate: '2026-01-31T23:00:00Z' })]);
	});

	it('An update reads a time without zone in the time zone of the workflow', async () => {
		const parameters = { personId, updateFields: { archivedAt: PICKED } };
		await scene.person('update', parameters, { timezone: 'Asia/Tokyo' });
		expect(scene.sent()).toEqual([patch(path, { archivedAt: '2026-12-31T08:00:00Z' })]);
	});

	it.each(['', '={{ $json.nothing }}'])(
		'An update of a person leaves out a field with the value %j',
		async (blank) => {
			const names = ['givenName', 'customerId', 'archivedAt', 'owner', 'tags'];
			const given = {
				...Object.fromEntries(names.map((name) => [name, blank])),
				emailAddresses: [blank],
				phoneNumbers: [{ phoneNumber: blank, phoneType: 'mobile' }],
				address: {},
				jobTitle: 'x',
			};
			await expectSent(given, { jobTitle: 'x' });
		},
	);
});

/** Fields of a new task that are only available as JSON (interface, section 2.6). */
const EMBEDDED = {
	title: 'Call',
	status: COLUMNS[0],
	people: [
		{
			familyName: 'Nieuw',
			emailAddresses: [{ email: 'nieuw@mail.example' }],
			phoneNumbers: [{ phoneNumber: '+31 6 123', phoneType: 'work' }],
			address: { city: 'Delft' },
			tags: [`/tags/${TAGS[0]}`],
		},
		{ id: PEOPLE[0].id },
		{ id: PEOPLE[1].id, familyName: 'Jansen', tags: [] },
		PEOPLE[2].id,
		PEOPLE[3].emailAddresses[0].email,
	],
	organizations: [
		{ title: 'Acme', website: 'https://acme.example', address: { city: 'Delft' } },
		{ id: ORGANIZATIONS[0] },
	],
	messages: [{ subject: 'Hello', from: { email: 'a@mail.example' }, read: true }],
	conversationItems: [{ body: 'Hello', mentions: [`/users/${USERS[0]}`], attachments: [] }],
	tags: [{ title: 'New tag', backgroundColor: '#ff0000', textColor: '#ffffff' }, { id: TAGS[0] }],
	participants: ['a@mail.example'],
};
const { organizations } = EMBEDDED;
const [made, known, changed] = EMBEDDED.people as Array<{ id?: string }>;

const asLink = (collection: string, { id }: { id?: string }) => ({
	'@id': `/${collection}/${id}`,
	id,
});
const LINKED = {
	...EMBEDDED,
	people: [
		made,
		asLink('people', known),
		changed,
		asLink('people', PEOPLE[2]),
		asLink('people', PEOPLE[3]),
	],
	organizations: [organizations[0], asLink('organizations', organizations[1])],
	tags: [EMBEDDED.tags[0], asLink('tags', EMBEDDED.tags[1])],
};

describe('records that stand in the JSON of a task', () => {
	const scene = useScene();
	const [{ id }] = TASKS;

	const written = () => scene.sent().filter(({ method }) => method !== 'GET');

	it('From task JSON, Create sends embedded records unchanged, but IDs and e-mails as references', async () => {
		const { items, error } = await scene.task('create', { inputMode: 'json', jsonBody: EMBEDDED });
		expect(error).toBeUndefined();
		expect(written()).toEqual([post('/tasks', LINKED)]);
		const [, first, , third, fourth] = items[0].json.people as string[];
		expect([first, third, fourth]).toEqual([0, 2, 3].map((index) => `/people/${PEOPLE[index].id}`));
	});

	it('From task JSON, Duplicate sends embedded records unchanged, but IDs and e-mails as references', async () => {
		const { people } = EMBEDDED;
		const copy = { title: 'Copy', status: COLUMNS[1], isTemplate: true, people, organizations };
		const parameters = { taskId: locator(id), inputMode: 'json', jsonBody: copy };
		expect((await scene.task('duplicate', parameters)).error).toBeUndefined();
		const sent = { ...copy, people: LINKED.people, organizations: LINKED.organizations };
		expect(written()).toEqual([post(`/tasks/${id}/duplicate`, sent)]);
	});
});
