import { taskReadFilters } from '../../nodes/ContactTaskCrm/resources/task/record';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import { titledCollection } from '../../nodes/ContactTaskCrm/schema/record';
import type { Filter, ReadFilter } from '../../nodes/ContactTaskCrm/schema/filter';
import type { BadInput } from './support/badInput';
import { describeBadInput, VALUE } from './support/badInput';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import {
	COLUMNS,
	COMMENTS,
	DISCUSSED,
	HISTORY,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	USERS,
	WORKSPACES,
} from './support/seeded';

const DATE = 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z';
const POINT_IN_TIME = 'a date and time such as 2026-12-31T17:00:00Z';

const forPerson = (operation: string, more: object) => ({
	...{ resource: 'person', operation, personId: locator(PEOPLE[0].id) },
	...more,
});
const personUpdate = (updateFields: object) => forPerson('update', { updateFields });
const taskUpdate = (updateFields: object) => ({
	...{ resource: 'task', operation: 'update', taskId: locator(TASKS[0].id) },
	updateFields,
});
const newTask = { resource: 'task', operation: 'create', title: 'x', status: locator(COLUMNS[0]) };
const get = (resource: string, name: string, more = {}) => ({
	...{ resource, operation: 'get', [name]: locator(VALUE) },
	...more,
});

/** Texts that would leave their place in a path. test/unit/values/reference.test.ts has further ones. */
const TEXTS = ['..', '../b', '//example.com', 'https://crm.example/tags/x'];
/** Texts that would leave their place in a path, but may be titles. */
const TEXTS_OR_TITLES = ['a/b', 'a?b=c', 'a%2Fb'];

/** Returns the cases for a parameter that addresses one record. */
function address(label: string, collection: string, name: string, right: string): BadInput {
	const expected = `${label}: expected an ID, or ${collection}/{id}`;
	const texts = titledCollection(collection) ? TEXTS : [...TEXTS, ...TEXTS_OR_TITLES];
	const wrong: Array<[unknown, string]> = [
		...texts.map((text): [unknown, string] => [text, `${expected}, got "${text}"`]),
		[`${collection}/..`, `${expected}, got "${collection}/.."`],
		[`/other/${right}`, `${expected}, got "/other/${right}"`],
		['', `${label} is empty`],
		[null, `${label} is empty`],
		[undefined, `${label} is empty`],
		[[right], `${expected}, got a list`],
		[{}, `${expected}, got a record without an ID`],
		[true, `${expected}, got a boolean`],
		[1.5, `${expected}, got a number`],
	];
	return [label, get(label.toLowerCase(), name), right, wrong];
}

/** Returns the cases for a record below a task. Its IRI names the task as well. */
function below(label: string, path: string, resource: string, right: string): BadInput {
	const wrong: Array<[unknown, string]> = [
		['a/b', `${label}: expected /tasks/{id}/${path}/{id}, got "a/b"`],
		['..', `${label}: expected /tasks/{id}/${path}/{id}, got ".."`],
		['', `${label} is empty`],
		[undefined, `${label} is empty`],
	];
	return [label, get(resource, `${resource}Id`, { taskId: locator(DISCUSSED.id) }), right, wrong];
}

const COLUMN = 'Column: expected /workspaces/{id}/columns/{id}';

describeBadInput('a wrong reference to a record', [
	address('Person', '/people', 'personId', PEOPLE[0].id),
	address('Workspace', '/workspaces', 'workspaceId', WORKSPACES[0].id),
	address('Segment', '/segments', 'segmentId', SEGMENTS[0]),
	address('Task', '/tasks', 'taskId', TASKS[0].id),
	below('Comment', 'comments', 'comment', COMMENTS[0].id),
	below('History Entry', 'history', 'history', HISTORY[0].id),
	[
		'Column',
		{ ...taskUpdate({}), operation: 'move', status: locator(VALUE) },
		COLUMNS[1],
		[
			['/x', `${COLUMN}, got "/x"`],
			['/workspaces/x', `${COLUMN}, got "/workspaces/x"`],
			['/workspaces/../columns/x', `${COLUMN}, got "/workspaces/../columns/x"`],
			[`${COLUMNS[1]}/x`, `${COLUMN}, got "${COLUMNS[1]}/x"`],
			['', 'Column is empty'],
			[undefined, 'Column is empty'],
		],
	],
	[
		'Owner',
		personUpdate({ owner: VALUE }),
		USERS[0],
		[
			['../tags/1', 'Owner: expected an ID, or /users/{id}, got "../tags/1"'],
			['/tags/1', 'Owner: expected an ID, or /users/{id}, got "/tags/1"'],
		],
	],
	[
		'Tags',
		personUpdate({ tags: VALUE }),
		[],
		[
			['a1, ../c', 'Tags: expected an ID, or /tags/{id}, got "../c"'],
			[['/users/1'], 'Tags: expected an ID, or /tags/{id}, got "/users/1"'],
		],
	],
	[
		'Tags to add',
		forPerson('addTags', { tags: VALUE }),
		PEOPLE[0].tags,
		[
			['../b', 'Tags: expected an ID, or /tags/{id}, got "../b"'],
			[undefined, 'Tags is empty'],
			[[], 'Tags is empty'],
		],
	],
]);

/** Returns the cases for a required text. They are the same for every operation with such a text. */
function required(label: string, parameters: Record<string, unknown>): BadInput {
	return [
		`${label} (${String(parameters.resource)} ${String(parameters.operation)})`,
		parameters,
		'x',
		[
			...[undefined, null, '', '  '].map((value) => [value, `${label} is empty`] as const),
			[['x'], `${label}: expected a text, got ["x"]`],
			[{ x: 1 }, `${label}: expected a text, got {"x":1}`],
		],
	];
}
const segment = { resource: 'segment', operation: 'create', title: 'x', icon: 'x' };
const replaceSegment = { ...segment, operation: 'replace', segmentId: locator(SEGMENTS[0]) };
const ofComment = { taskId: locator(DISCUSSED.id), commentId: locator(COMMENTS[0].id) };

describeBadInput('a wrong or missing required value', [
	required('Family Name', { resource: 'person', operation: 'create', familyName: VALUE }),
	required('Family Name', forPerson('replace', { familyName: VALUE })),
	required('Title', { ...segment, title: VALUE }),
	required('Icon', { ...segment, icon: VALUE }),
	required('Icon', { ...replaceSegment, icon: VALUE }),
	required('Title', { ...newTask, title: VALUE }),
	required('Description', {
		...{ resource: 'comment', operation: 'replace', ...ofComment },
		description: VALUE,
	}),
	[
		'Email to find by',
		{ resource: 'person', operation: 'upsert', familyName: 'x', email: VALUE },
		'a@mail.example',
		[
			[undefined, 'Email is empty'],
			['', 'Email is empty'],
			['  ', 'Email is empty'],
			[null, 'Email is empty'],
			[[], 'Email is empty'],
			['jansen', 'Email: expected an e-mail address, got "jansen"'],
		],
	],
	[
		'Identifier to find by',
		{
			...{ resource: 'person', operation: 'upsert', familyName: 'x', matchValue: VALUE },
			options: { matchBy: 'identifier' },
		},
		'network-3',
		[
			[2 ** 60, 'Identifier: expected an identifier, got 1152921504606847000'],
			['-', 'Identifier: expected an identifier, got "-"'],
			[
				'06 11112222 (mobiel)',
				'Identifier: expected a phone number, an e-mail address or an identifier without spaces, got "06 11112222 (mobiel)"',
			],
		],
	],
]);

const EMAIL = 'expected an e-mail address such as name@example.com';
const PHONE = 'expected a phone number such as +31 6 12345678';
const create = { resource: 'person', operation: 'create', familyName: 'x' };

describeBadInput('a wrong e-mail address, phone number or person', [
	[
		'Email',
		{ ...create, email: VALUE },
		'a@mail.example',
		[
			['nope', `Email: ${EMAIL}, got "nope"`],
			[{ x: 1 }, `Email: ${EMAIL}, got {"x":1}`],
			['x'.repeat(300), `Email: ${EMAIL}, got "${'x'.repeat(100)}…"`],
		],
	],
	[
		'Email Addresses beside Email',
		{
			...create,
			email: 'a@mail.example',
			additionalFields: { emailAddresses: ['b@mail.example', VALUE] },
		},
		'c@mail.example',
		[['nope', `Email Addresses (entry 2): Email: ${EMAIL}, got "nope"`]],
	],
	[
		'Email to add',
		forPerson('addEmailAddress', { email: VALUE }),
		'a@mail.example',
		[
			['nope', `Email: ${EMAIL}, got "nope"`],
			['', 'Email is empty'],
		],
	],
	[
		'Phone Type to add',
		forPerson('addPhoneNumber', { phoneNumber: '0612345678', phoneType: VALUE }),
		'fax',
		[['pager', 'Phone Type: expected one of fax, mobile, home and work, got "pager"']],
	],
	[
		'Phone Number to add',
		forPerson('addPhoneNumber', { phoneNumber: VALUE, phoneType: 'fax' }),
		'0612345678',
		[
			['', 'Phone Number is empty'],
			['n/a', `Phone Number: ${PHONE}, got "n/a"`],
			['06-1234567x', `Phone Number: ${PHONE}, got "06-1234567x"`],
		],
	],
	[
		'Person',
		{ ...newTask, person: locator(VALUE) },
		PEOPLE[0].id,
		[['a/b', 'Person: expected an ID, or /people/{id}, got "a/b"']],
	],
]);

const RULE = 'Repeat: Repeat Rule (RRULE): expected a recurrence rule such as';

describeBadInput('a wrong value of a field', [
	[
		'Due Date',
		taskUpdate({ dueDate: VALUE }),
		'2026-12-31',
		['tomorrow', '2026-02-30', '1-2-2026', 1790000000, true].map((value) => [
			value,
			`Due Date: expected ${DATE}, got ${JSON.stringify(value)}`,
		]),
	],
	[
		'Archived At',
		forPerson('archive', { archivedAt: VALUE }),
		'2026-12-31T17:00:00Z',
		[['tomorrow', `Archived At: expected ${POINT_IN_TIME}, got "tomorrow"`]],
	],
	[
		'Deal Size',
		personUpdate({ dealSize: VALUE }),
		12,
		['many', '12.5', [1]].map((value) => [
			value,
			`Deal Size: expected a whole number such as 3, got ${JSON.stringify(value)}`,
		]),
	],
	[
		'Repeat Rule (RRULE)',
		taskUpdate({ recurringSettings: { rrule: VALUE } }),
		'FREQ=DAILY',
		[['weekly', `${RULE} FREQ=WEEKLY;INTERVAL=2;BYDAY=MO, got "weekly"`]],
	],
	[
		'Clear Fields',
		forPerson('update', { clearFields: VALUE }),
		['jobTitle'],
		[[['x'], 'Clear Fields: "x" is no field that can be emptied']],
	],
	[
		'Clear Fields beside a value',
		forPerson('update', { updateFields: { jobTitle: 'x' }, clearFields: VALUE }),
		['initials'],
		[[['jobTitle'], 'Job Title is given a value and stands in Clear Fields, too']],
	],
	[
		'Replace Instead of Add To',
		{
			...forPerson('upsert', { additionalFields: { tags: [TAGS[0]] } }),
			...{ email: 'new@x.example', familyName: 'New', options: { replaceLists: VALUE } },
		},
		['tags'],
		['Tags', 'jobTitle'].map((value) => [
			[value],
			`Replace Instead of Add To: ${JSON.stringify(value)} is no list of this record`,
		]),
	],
	[
		'Participants',
		{ ...newTask, additionalFields: { participants: VALUE } },
		'[]',
		[
			['[1', 'Participants: expected a list, got "[1"'],
			['{"a":1}', 'Participants: expected a list, got {"a":1}'],
		],
	],
]);

describeBadInput('a wrong JSON Body', [
	[
		'JSON Body',
		forPerson('update', { inputMode: 'json', jsonBody: VALUE }),
		{ jobTitle: 'x' },
		[
			['', 'JSON Body is empty'],
			[null, 'JSON Body is empty'],
			[undefined, 'JSON Body is empty'],
			['[]', 'JSON Body: expected an object, got a list'],
			[[1], 'JSON Body: expected an object, got a list'],
			['"text"', 'JSON Body: expected an object, got a string'],
			['5', 'JSON Body: expected an object, got a number'],
			['null', 'JSON Body: expected an object, got null'],
			[{ dealSize: '12' }, 'Deal Size: expected a whole number such as 3, got "12"'],
			[{ archivedAt: '2026-12-31' }, `Archived At: expected ${POINT_IN_TIME}, got "2026-12-31"`],
			[{ owner: '../b' }, 'Owner: expected an ID, or /users/{id}, got "../b"'],
			[{ tags: null }, 'Tags: expected a list, got null'],
			[{ address: { city: 5 } }, 'Address: City: expected a text, got 5'],
		],
	],
	[
		'JSON Body of a new person',
		{ ...create, inputMode: 'json', jsonBody: VALUE },
		{ familyName: 'x' },
		[
			[{}, 'Family Name is empty'],
			[
				{ familyName: 'x', emailAddresses: [{ email: 'a@b.example' }, { email: 'x' }] },
				'Email Addresses (entry 2): Email: expected an e-mail address such as name@example.com, got "x"',
			],
		],
	],
	[
		'JSON Body of a new task',
		{ resource: 'task', operation: 'create', inputMode: 'json', jsonBody: VALUE },
		{ title: 'x', status: COLUMNS[0] },
		[
			[{}, 'Title is empty; Column is empty'],
			[{ title: 'x' }, 'Column is empty'],
			[{ title: ' ', status: COLUMNS[0] }, 'Title is empty'],
			[
				{ title: 'x', status: COLUMNS[0], dueDate: '2026-12-31T17:00:00' },
				`Due Date: expected ${DATE}, got "2026-12-31T17:00:00"`,
			],
			[
				{ title: 'x', status: COLUMNS[0], people: [{ familyName: 'x', dealSize: 1.5 }] },
				'People (entry 1): Deal Size: expected a whole number such as 3, got 1.5',
			],
		],
	],
]);

const ofPeople = (more: object) => ({ resource: 'person', operation: 'getAll', limit: 1, ...more });

/** For each kind of filter: a wrong value, a part of its message, and a right value. */
const BY_KIND: Record<ReadFilter['kind'], [wrong: unknown, expected: string, right: unknown]> = {
	id: [true, 'an ID', USERS[0]],
	iri: [true, 'an ID or a path such as', USERS[0]],
	text: [{ x: 1 }, 'text', 'nobody'],
	boolean: ['maybe', 'yes, no or any', false],
	dateTime: ['2026-02-30', DATE, '2026-01-31'],
	choice: ['done', 'open, completed or any', 'open'],
};

/**
 * Returns a case for every filter of a resource. Without an error for a bad filter, the node would return the whole
 * list.
 */
function filtersOf(resource: string, filters: Readonly<Record<string, Filter | ReadFilter>>) {
	return Object.entries(filters).map(([name, filter]): BadInput => {
		const { label, kind, refersTo = '' } = filter;
		const [wrong, expected, right] = BY_KIND[kind];
		const path = kind === 'iri' ? ` ${refersTo}/{id}` : '';
		const isOfPeople = 'takesEmail' in filter;
		const form = isOfPeople ? 'an ID or an e-mail address' : `${expected}${path}`;
		return [
			`the filter ${label} of the resource ${resource}`,
			{ resource, operation: 'getAll', limit: 1, filters: { [name]: VALUE } },
			refersTo.includes('{') ? COLUMNS[0] : right,
			[[wrong, `${label}: expected ${form}, got ${JSON.stringify(wrong)}`]],
		];
	});
}

const upsert = { ...forPerson('upsert', {}), email: 'new@x.example', familyName: 'New' };
const CHOICES: Array<
	[parameters: object, name: string, label: string, first: string, second: string]
> = [
	[ofPeople({}), 'whenRateLimited', 'When Rate Limited', 'fail', 'wait'],
	[ofPeople({}), 'whenFilterEmpty', 'When a Filter Is Empty', 'fail', 'ignore'],
	[upsert, 'lookUp', 'Look for People', 'together', 'each'],
	[upsert, 'whenNameDiffers', 'When the Name Differs', 'refuse', 'update'],
];

describeBadInput(
	'a wrong value of an option',
	CHOICES.map(([parameters, name, label, first, second]) => [
		label,
		{ ...parameters, options: { [name]: VALUE } },
		second,
		['other', '', true].map((value) => [
			value,
			`${label}: expected ${first} or ${second}, got ${JSON.stringify(value)}`,
		]),
	]),
);

describeBadInput('a wrong parameter of a list', [
	[
		'Limit',
		ofPeople({ limit: VALUE }),
		1,
		[0, -1, 1.5, 'many', '', null, [], true].map((value) => [
			value,
			`Limit: expected a whole number of 1 or more, got ${JSON.stringify(value)}`,
		]),
	],
	[
		'Return All',
		ofPeople({ returnAll: VALUE }),
		'true',
		['yes', 'maybe', '', null, 2].map((value) => [
			value,
			`Return All: expected true or false, got ${JSON.stringify(value)}`,
		]),
	],
	[
		'Fields',
		ofPeople({ output: 'selectedFields', fields: VALUE }),
		['id'],
		['', [], ' , '].map((value) => [value, 'Fields is empty']),
	],
	[
		'Output',
		ofPeople({ output: VALUE }),
		'raw',
		['pretty', '', 'Raw'].map((value) => [
			value,
			`Output: expected one of the choices, got ${JSON.stringify(value)}`,
		]),
	],
	[
		'the order by Family Name',
		ofPeople({ sort: { familyName: VALUE } }),
		'asc',
		[['up', 'Sort: Family Name: expected asc or desc, got "up"']],
	],
	[
		'the filter Search with several values',
		ofPeople({ filters: { q: VALUE } }),
		['nobody'],
		[[['jansen', 'smit'], 'Search: expected one value, got 2']],
	],
	...filtersOf('person', contracts.person.filters),
	...filtersOf('workspace', contracts.workspace.filters),
	...filtersOf('task', taskReadFilters),
]);

describe('values that n8n or the node refuses', () => {
	const scene = useScene();

	it.each(['{"a":', "{'a': 1}", '{a: 1}', 'text', '{"a": undefined}'])(
		'An update refuses an invalid JSON Body, and sends nothing: %s',
		async (value) => {
			const parameters = forPerson('update', { inputMode: 'json', jsonBody: VALUE });
			const { error } = await scene.run({ parameters, input: [{ value }] });
			expect(error?.message).toMatch(/^JSON Body is not valid JSON: ./);
			expect(error?.description).toBe(
				'Check quotes, commas and brackets. In an expression, use JSON.stringify() for values that are put in',
			);
			expect(scene.requests()).toEqual([]);
		},
	);

	it.each([
		['ownerId', 'Owner'],
		['createdAtStrictlyAfter', 'Created Later Than'],
		['q', 'Search'],
	])('Get Many fails if the expression of the filter %s gives nothing', async (name, label) => {
		const { error } = await scene.person('getAll', { filters: { [name]: '={{ $json.no }}' } });
		expect(error?.message).toBe(`${label} is empty: its expression gave nothing for this item`);
		expect(scene.requests()).toEqual([]);
	});

	it('n8n refuses an empty required parameter before the node runs', async () => {
		await expect(scene.person('create', { familyName: '' })).rejects.toThrow(
			'Parameter "Family Name" is required.',
		);
		expect(scene.requests()).toEqual([]);
	});

	it.each([
		['person', 'absorb', 'Operation: there is no operation "absorb" of the resource "person"'],
		[
			'task',
			'__CUSTOM_API_CALL__',
			'Operation is Custom API Call, which is no operation of this node',
		],
	])(
		'The error for an unknown operation names the operation: %s %s',
		async (resource, operation, message) => {
			const { error } = await scene.run({ parameters: { resource, operation } });
			expect(error?.message).toBe(message);
			expect(error?.description).toContain('API Request');
			expect(scene.requests()).toEqual([]);
			const { errorItems } = await scene.run({
				parameters: { resource, operation },
				input: [{ row: 1 }],
				onError: 'continueErrorOutput',
			});
			expect(errorItems.map(({ json }) => [json.row, json.error])).toEqual([[1, message]]);
		},
	);
});
