import { describeBadInput, VALUE } from './support/badInput';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, COMMENTS, DISCUSSED, PEOPLE, SEGMENTS, TASKS } from './support/seeded';

const DATE = 'a date such as 2026-12-31 or 2026-12-31T17:00:00Z';
const POINT_IN_TIME = 'a date and time such as 2026-12-31T17:00:00Z';

const personUpdate = {
	resource: 'person',
	operation: 'update',
	personId: locator(PEOPLE[0].id),
};
const taskUpdate = { resource: 'task', operation: 'update', taskId: locator(TASKS[0].id) };

describeBadInput({
	parameter: 'JSON Body',
	parameters: { ...personUpdate, inputMode: 'json', jsonBody: VALUE },
	right: { jobTitle: 'x' },
	wrong: [
		['', 'JSON Body is empty'],
		[null, 'JSON Body is empty'],
		[undefined, 'JSON Body is empty'],
		['[]', 'JSON Body: expected an object, got a list'],
		[[1], 'JSON Body: expected an object, got a list'],
		['"text"', 'JSON Body: expected an object, got a string'],
		['5', 'JSON Body: expected an object, got a number'],
		['null', 'JSON Body: expected an object, got null'],
		[{ isTracked: 'yes' }, 'Is Tracked: expected true or false, got "yes"'],
		[{ dealSize: '12' }, 'Deal Size: expected a whole number such as 3, got "12"'],
		[{ archivedAt: '2026-12-31' }, `Archived At: expected ${POINT_IN_TIME}, got "2026-12-31"`],
		[
			{ archivedAt: '2026-12-31T17:00:00' },
			`Archived At: expected ${POINT_IN_TIME}, got "2026-12-31T17:00:00"`,
		],
		[{ owner: 'a/b' }, 'Owner: expected an ID, or /users/{id}, got "a/b"'],
		[
			{ emailAddresses: [{ email: 'a@b.example' }, { email: 'x' }] },
			'Email Addresses (entry 2): Email: expected an e-mail address such as name@example.com, got "x"',
		],
		[
			{ phoneNumbers: [{ phoneNumber: '1', phoneType: 'pager' }] },
			'Phone Numbers (entry 1): Phone Type: expected one of fax, mobile, home and work, got "pager"',
		],
	],
});

describe('a JSON body that is not JSON', () => {
	const scene = useScene();

	it.each(['{"a":', "{'a': 1}", '{a: 1}', 'text', '{"a": undefined}'])(
		'is refused before anything is sent: %s',
		async (jsonBody) => {
			const { error } = await scene.run({
				parameters: { ...personUpdate, inputMode: 'json', jsonBody: VALUE },
				input: [{ value: jsonBody }],
			});
			expect(error?.message).toMatch(/^JSON Body is not valid JSON: ./);
			expect(error?.description).toBe(
				'Check quotes, commas and brackets. In an expression, use JSON.stringify() for values that are put in',
			);
			expect(scene.requests()).toEqual([]);
		},
	);
});

describeBadInput({
	parameter: 'JSON Body of a new task',
	parameters: { resource: 'task', operation: 'create', inputMode: 'json', jsonBody: VALUE },
	right: { title: 'x', status: COLUMNS[0] },
	wrong: [
		[{}, 'Title is empty'],
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
});

const required: ReadonlyArray<readonly [label: string, parameters: Record<string, unknown>]> = [
	['Family Name', { resource: 'person', operation: 'create', familyName: VALUE }],
	['Family Name', { ...personUpdate, operation: 'replace', familyName: VALUE }],
	['Title', { resource: 'segment', operation: 'create', title: VALUE, icon: 'x' }],
	['Icon', { resource: 'segment', operation: 'create', title: 'x', icon: VALUE }],
	['Title', { resource: 'task', operation: 'create', title: VALUE, status: locator(COLUMNS[0]) }],
	[
		'Icon',
		{
			resource: 'segment',
			operation: 'replace',
			segmentId: locator(SEGMENTS[0]),
			title: 'x',
			icon: VALUE,
		},
	],
	[
		'Description',
		{
			resource: 'comment',
			operation: 'replace',
			taskId: locator(DISCUSSED.id),
			commentId: locator(COMMENTS[0].id),
			description: VALUE,
		},
	],
];

for (const [label, parameters] of required) {
	describeBadInput({
		parameter: `${label} (${String(parameters.resource)} ${String(parameters.operation)})`,
		parameters,
		right: 'x',
		wrong: [
			[undefined, `${label} is empty`],
			[null, `${label} is empty`],
			['', `${label} is empty`],
			['  ', `${label} is empty`],
			[['x'], `${label}: expected a text, got ["x"]`],
			[{ x: 1 }, `${label}: expected a text, got {"x":1}`],
		],
	});
}

describeBadInput({
	parameter: 'Due Date',
	parameters: { ...taskUpdate, updateFields: { dueDate: VALUE } },
	right: '2026-12-31',
	wrong: [
		['tomorrow', `Due Date: expected ${DATE}, got "tomorrow"`],
		['2026-02-30', `Due Date: expected ${DATE}, got "2026-02-30"`],
		['31-12-2026', `Due Date: expected ${DATE}, got "31-12-2026"`],
		[1790000000, `Due Date: expected ${DATE}, got 1790000000`],
		[true, `Due Date: expected ${DATE}, got true`],
	],
});

describeBadInput({
	parameter: 'Archived At',
	parameters: { ...personUpdate, operation: 'archive', archivedAt: VALUE },
	right: '2026-12-31T17:00:00Z',
	wrong: [['tomorrow', `Archived At: expected ${POINT_IN_TIME}, got "tomorrow"`]],
});

describeBadInput({
	parameter: 'Deal Size',
	parameters: { ...personUpdate, updateFields: { dealSize: VALUE } },
	right: 12,
	wrong: [
		['many', 'Deal Size: expected a whole number such as 3, got "many"'],
		['12.5', 'Deal Size: expected a whole number such as 3, got "12.5"'],
		[[1], 'Deal Size: expected a whole number such as 3, got [1]'],
	],
});

describeBadInput({
	parameter: 'Recurrence Rule (RRULE)',
	parameters: { ...taskUpdate, updateFields: { recurringSettings: { rrule: VALUE } } },
	right: 'FREQ=DAILY',
	wrong: [
		[
			'weekly',
			'Recurring Settings: Recurrence Rule (RRULE): expected a recurrence rule such as FREQ=WEEKLY;INTERVAL=2;BYDAY=MO, got "weekly"',
		],
	],
});

describeBadInput({
	parameter: 'Participants',
	parameters: {
		resource: 'task',
		operation: 'create',
		title: 'x',
		status: locator(COLUMNS[0]),
		additionalFields: { participants: VALUE },
	},
	right: '[]',
	wrong: [
		['[1', 'Participants: expected a list, got "[1"'],
		['{"a":1}', 'Participants: expected a list, got {"a":1}'],
	],
});

describeBadInput({
	parameter: 'Value to Find',
	parameters: { resource: 'person', operation: 'upsert', familyName: 'x', matchValue: VALUE },
	right: 'a@mail.example',
	wrong: [
		[undefined, 'Value to Find is empty'],
		['', 'Value to Find is empty'],
		['jansen', 'Value to Find: expected an e-mail address, got "jansen"'],
	],
});

describe('a required parameter that is left empty', () => {
	const scene = useScene();

	it('is refused by n8n itself before the node runs', async () => {
		await expect(
			scene.run({ parameters: { resource: 'person', operation: 'create', familyName: '' } }),
		).rejects.toThrow('Parameter "Family Name" is required.');
		expect(scene.requests()).toEqual([]);
	});
});
