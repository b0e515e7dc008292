import type { IDataObject } from 'n8n-workflow';
import { personName } from '../../nodes/ContactTaskCrm/values/person';
import { sampled } from '../support/drawn';
import { useScene } from './support/scene';
import { COLUMNS, TAGS, USERS, WORKSPACES } from './support/seeded';

/* Tasks in rows of an import: dates as people write them, and the headings of task programs. */

const scene = useScene();
/** The IRI of the seeded user of a name, and the link to the seeded tag of a title. */
const user = (name: string) =>
	`/users/${USERS.find((id) => personName(scene.service.store.users.get(id) as IDataObject) === name)}`;
const tag = (title: string) => {
	const id = TAGS.find((one) => scene.service.store.tags.get(one)!.title === title)!;
	return { '@id': `/tags/${id}`, id };
};

const create = async (row: IDataObject) => {
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const parameters = { inputMode: 'columns', columns };
	const { items, error } = await scene.task('create', parameters, { input: [row] });
	return { error, note: items[0]?.json.note, sent: scene.writes().at(-1)?.body as IDataObject };
};

describe('a date in a cell', () => {
	const row = { Title: 'Call', Status: 'Sales / Lead' };

	it.each(
		sampled(
			[
				['31.12.2026', '2026-12-31'],
				['1.2.2026', '2026-02-01'],
				['31-12-2026', '2026-12-31'],
				['12/31/2026', '2026-12-31'],
				['2026-12-31', '2026-12-31'],
				['December 31, 2026', '2026-12-31'],
				['Thursday, Dec. 31st 2026', '2026-12-31'],
				['donderdag 31 december 2026', '2026-12-31'],
				['Do., 31. Dezember 2026', '2026-12-31'],
				['jeudi 31 décembre 2026', '2026-12-31'],
				['Do 31.12.2026', '2026-12-31'],
				['Mar 31, 2026', '2026-03-31'],
				['1798675200000', '2026-12-31T00:00:00Z'],
				[1798675200000, '2026-12-31T00:00:00Z'],
			],
			4,
		),
	)('An import reads the date %s as %s', async (due, dueDate) => {
		const { error, sent } = await create({ ...row, 'Due Date': due });
		expect(error?.message).toBeUndefined();
		expect(sent).toMatchObject({ dueDate });
	});

	it('An import reads "31.12.2026 9:30" as a due date with time of day', async () => {
		await scene.showTimes();
		const { sent } = await create({ ...row, 'Due Date': '31.12.2026 9:30' });
		// The workflow of the tests is in Amsterdam.
		expect(new Date(String(sent.dueDate)).toISOString()).toBe('2026-12-31T08:30:00.000Z');
	});

	it.each(
		sampled(
			[
				...['0000-00-00', '0000-00-00 00:00:00', '0001-01-01T00:00:00', '00.00.0000', '00/00/0000'],
				...[
					'null',
					'NaT',
					'None',
					'n/a',
					'Invalid Date',
					'Invalid date',
					'Unassigned',
					'False',
					'TBD',
				],
				...['01.01.0001', '1900-01-00', '1/0/1900', '1899-12-30', '12/30/1899', '30.12.1899 00:00'],
				'n.t.b.',
			],
			5,
		),
	)('An import reads %j, which programs write for no date, as a blank', async (due) => {
		const { error, note, sent } = await create({ ...row, 'Due Date': due });
		expect(error?.message).toBeUndefined();
		expect(sent).not.toHaveProperty('dueDate');
		expect(note).toBe(`Due Date "${due}" counts as blank`);
	});

	it.each(['1/2/2026', '01-02-2026', '12/31/26', 'soon', '0026-12-31', 'true', 'by Dec 31, 2026'])(
		'An import refuses the date %s, and shows forms that it reads',
		async (due) => {
			const { error } = await create({ ...row, 'Due Date': due });
			expect(error?.message).toBe(
				`Due Date: expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z, got "${due}"`,
			);
			expect(error?.description).toMatch(
				'The node also reads 31.12.2026, 31-12-2026 and 12/31/2026',
			);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('An import refuses "1.2.6" under Phone, and does not read it as a date', async () => {
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const { error } = await scene.person(
			'create',
			{ inputMode: 'columns', columns },
			{ input: [{ familyName: 'Dam', Phone: '1.2.6' }] },
		);
		expect(error?.message).toMatch(/^Phone: expected a phone number.*, got "1\.2\.6"$/);
	});
});

it.each(['Amount', 'Story Points', 'Flagged', 'Description', 'Assignee'])(
	'An import of tasks reads "null" under %s as a blank',
	async (heading) => {
		const row = { Title: 'Call', Status: 'Sales / Lead', [heading]: 'null' };
		const { error, sent } = await create(row);
		expect(error?.message).toBeUndefined();
		expect(Object.keys(sent)).toEqual(['title', 'status']);
	},
);

it.each(['Unassigned', 'Niet toegewezen', 'Nicht zugewiesen', 'Non assigné'])(
	'An import of tasks reads "%s" under Assignee as nobody',
	async (Assignee) => {
		const { error, sent } = await create({ Title: 'Call', Status: 'Sales / Lead', Assignee });
		expect(error?.message).toBeUndefined();
		expect(sent).not.toHaveProperty('assignees');
	},
);

it.each(
	sampled(
		[
			...['Ja', 'yes', 'x', 'WAHR', 'VRAI', 'Oui', 'waar'].map((text) => [text, true] as const),
			...['Nee', 'no', 'Nein', 'FALSCH', 'FAUX', 'Non'].map((text) => [text, false] as const),
		],
		4,
	),
)('An import reads "%s" under Flagged as %s', async (Flagged, isFlagged) => {
	const { error, sent } = await create({ Title: 'Call', Status: 'Sales / Lead', Flagged });
	expect(error?.message).toBeUndefined();
	expect(sent).toMatchObject({ isFlagged });
});

it('An import refuses "perhaps" under Flagged', async () => {
	const row = { Title: 'Call', Status: 'Sales / Lead', Flagged: 'perhaps' };
	expect((await create(row)).error?.message).toMatch('expected true or false, got "perhaps"');
});

it('An import takes the members of a card of Trello as assignees', async () => {
	Object.assign(scene.service.switches, { users: 200 });
	const row = { 'Card Name': 'Call', 'List Name': 'Sales / Lead', Members: 'Hayley Abbott' };
	expect((await create(row)).sent).toMatchObject({ assignees: [user('Hayley Abbott')] });
});

describe('the workspace of a row', () => {
	const DOING = WORKSPACES.flatMap(({ id, title, columns }) =>
		columns
			.filter((column) => column.title === 'Doing')
			.map((column) => [title, `/workspaces/${id}/columns/${column.id}`] as const),
	);

	it.each(['Workspace', 'Werkruimte', 'Arbeitsbereich', 'Espace de travail'])(
		'If two columns share a title, the workspace under %s decides',
		async (heading) => {
			expect(DOING.length).toBeGreaterThan(1);
			for (const [title, status] of DOING) {
				const { sent } = await create({ Title: 'Call', [heading]: title, Column: 'Doing' });
				expect(sent.status).toBe(status);
			}
		},
	);

	it.each(['Support', 'Nowhere'])(
		'An import refuses a row whose workspace %s lacks the column',
		async (Workspace) => {
			const { error, sent } = await create({ Title: 'Call', Workspace, Column: 'Lead' });
			expect(error?.message).toContain(`no column has the title "${Workspace} / Lead"`);
			expect(sent).toBeUndefined();
		},
	);

	it.each([
		{ Workspace: '', Column: 'Lead' },
		{ Workspace: 'Support', Column: COLUMNS[0] },
		{ Workspace: 'Support', Column: 'Sales / Lead' },
		{ Workspace: '/workspaces/1', Column: 'Lead' },
	])('An import finds the column without regard to the workspace of the row: %j', async (row) => {
		const { error, sent } = await create({ Title: 'Call', ...row });
		expect(error?.message).toBeUndefined();
		expect(sent.status).toBe(COLUMNS[0]);
	});
});

describe('an export of a task program', () => {
	it.each<[string, IDataObject]>(
		sampled(
			[
				['Asana', { Name: 'Call', 'Section/Column': 'Sales / Lead', 'Due Date': '2026-12-31' }],
				['Asana, in a list', { Name: 'Call', Section: 'Sales / Lead' }],
				[
					'Trello',
					{ 'Card Name': 'Call', 'List Name': 'Sales / Lead', 'Card Description': 'By phone' },
				],
				['Jira', { Summary: 'Call', Status: 'Sales / Lead', Description: 'By phone' }],
				['GitHub', { Title: 'Call', Status: 'Sales / Lead', Body: 'By phone' }],
				['a spreadsheet in French', { Titre: 'Call', Statut: 'Sales / Lead' }],
				[
					'Todoist',
					{ TYPE: 'task', CONTENT: 'Call', DESCRIPTION: 'By phone', Section: 'Sales / Lead' },
				],
				['Planner', { 'Task Name': 'Call', 'Bucket Name': 'Sales / Lead' }],
				[
					'ClickUp',
					{
						'Task Name': 'Call',
						'Task Content': 'By phone',
						Status: 'Sales / Lead',
						'List Name': 'X',
					},
				],
			],
			3,
		),
	)('An import finds title and column in a task export of %s', async (_, row) => {
		const { error, sent } = await create(row);
		expect(error?.message).toBeUndefined();
		const isDescribed = Object.values(row).includes('By phone');
		expect(sent).toMatchObject({
			...{ title: 'Call', status: COLUMNS[0] },
			...(isDescribed && { description: 'By phone' }),
		});
	});

	it.each([
		['[vip]', ['VIP'], ['Hayley Abbott']],
		['[vip, 🔥 Hot]', ['VIP', '🔥 Hot'], ['Hayley Abbott', 'Brooke Schmidt']],
		["['vip', '🔥 Hot']", ['VIP', '🔥 Hot'], []],
		['[]', [], []],
	])('An import splits the bracketed list %s into its entries', async (Tags, tags, users) => {
		Object.assign(scene.service.switches, { users: 200, tags: 200 });
		const row = { Title: 'Call', Status: 'Sales / Lead', Tags, Assignees: `[${users.join(', ')}]` };
		const { error, sent } = await create(row);
		expect(error?.message).toBeUndefined();
		expect(sent).toEqual({
			...{ title: 'Call', status: COLUMNS[0] },
			...(tags.length > 0 && { tags: tags.map(tag) }),
			...(users.length > 0 && { assignees: users.map(user) }),
		});
	});

	it.each(['Author', 'Assignee', 'Observers'])(
		'Under %s, an import finds the user in "Hayley Abbott (1234567)"',
		async (heading) => {
			Object.assign(scene.service.switches, { users: 200 });
			const row = { Title: 'Call', Status: 'Sales / Lead', [heading]: 'Hayley Abbott (1234567)' };
			const { error, sent } = await create(row);
			expect(error?.message).toBeUndefined();
			expect(JSON.stringify(sent)).toContain(user('Hayley Abbott'));
		},
	);

	it('An import finds a tag whose title stands in brackets', async () => {
		Object.assign(scene.service.switches, { tags: 200 });
		scene.service.store.tags.get(TAGS[1])!.title = '[vip]';
		const { sent } = await create({ Title: 'Call', Status: 'Sales / Lead', Tags: '[vip]' });
		expect(sent.tags).toMatchObject([{ '@id': `/tags/${TAGS[1]}` }]);
	});

	it('Of the columns Name and Title, an import takes Title, and notes both', async () => {
		const { sent, note } = await create({ Name: 'Other', Title: 'Call', Status: 'Sales / Lead' });
		expect(sent).toMatchObject({ title: 'Call' });
		expect(note).toBe('Title is taken from "Title", and not from "Name"');
	});
});
