import type { IDataObject, INodeParameters, INodeTypes } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';
import { ContactTaskCrm } from '../../../nodes/ContactTaskCrm/ContactTaskCrm.node';
import { ContactTaskCrmTrigger } from '../../../nodes/ContactTaskCrm/ContactTaskCrmTrigger.node';

const crm = new ContactTaskCrm();
const { hints = [] } = crm.description;
const NAME = 'CRM';

/**
 * Returns the hints that the editor shows. Conditions are n8n expressions; the editor hides a hint if its condition
 * fails.
 */
function shownFor(parameters: INodeParameters, input?: IDataObject[]) {
	const node = { ...{ id: '1', name: NAME, type: 'crm', typeVersion: 1 }, parameters };
	const workflow = new Workflow({
		nodes: [{ ...node, position: [0, 0] }],
		connections: {},
		active: false,
		nodeTypes: { getByNameAndVersion: () => crm } as unknown as INodeTypes,
	});
	const items = (input ?? []).map((json) => ({ json }));
	const isShown = (condition = '') => {
		try {
			const { expression } = workflow;
			return (
				expression.getParameterValue(condition, null, 0, 0, NAME, items, 'manual', {}) === true
			);
		} catch {
			return false;
		}
	};
	return hints.filter(({ displayCondition }) => isShown(displayCondition));
}

const shownBefore = (...given: Parameters<typeof shownFor>) =>
	shownFor(...given).filter(({ whenToDisplay }) => whenToDisplay === 'beforeExecution');
const messages = (...given: Parameters<typeof shownFor>) =>
	shownBefore(...given).map(({ message }) => message);
const rows = (count: number, row: IDataObject = { Name: 'x' }) =>
	Array.from({ length: count }, () => row);

test('Each hint of the output pane has a condition, and one appears after runs', () => {
	expect(hints.length).toBeGreaterThan(10);
	const after = hints.filter(({ whenToDisplay }) => whenToDisplay === 'afterExecution');
	expect(after.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The first row says/),
	]);
	for (const { location, whenToDisplay, displayCondition } of hints) {
		expect(location).toBe('outputPane');
		expect(whenToDisplay).toMatch(/^(before|after)Execution$/);
		expect(displayCondition).toMatch(/^=\{\{ .* \}\}$/);
	}
});

describe('how long a run takes', () => {
	const person = (operation: string, more: INodeParameters = {}) => ({
		...{ resource: 'person', operation },
		...more,
	});
	const byId = { personId: { __rl: true, mode: 'id', value: '1f0c' } };
	const byEmail = { personId: { __rl: true, mode: 'email', value: '={{ $json.email }}' } };
	const told = { options: { tellChanges: true } };
	const preview = { options: { previewOnly: true, output: 'raw' } };
	const TWICE = ['21 to 40', 'about a minute'];
	const byHand = (value: IDataObject) =>
		({ columns: { mappingMode: 'defineBelow', value } }) as INodeParameters;
	const requests = (...given: Parameters<typeof shownFor>) => {
		const [message, ...others] = messages(...given);
		expect(others).toEqual([]);
		return /sends (.*) requests\. At 20 Requests per Minute it takes (.*); at 10, about twice/
			.exec(message)
			?.slice(1);
	};

	test.each([
		['create', {}, 20, undefined],
		['create', {}, 21, ['21 to 40', 'about a minute']],
		['create', {}, 40, ['21 to 40', 'about a minute']],
		['create', {}, 41, ['41 to 60', '2 to 3 minutes']],
		['create', {}, 300, ['121 to 300', '6 to 16 minutes']],
		['create', {}, 1000, ['601 to 1200', '33 to 66 minutes']],
		['create', {}, 5000, ['more than 4800', 'more than 4 hours']],
		['upsert', {}, 19, undefined],
		['upsert', {}, 20, ['21 to 40', 'about a minute']],
		['update', byId, 40, ['21 to 40', 'about a minute']],
		['update', byEmail, 40, ['41 to 60', '2 to 3 minutes']],
		['upsert', { options: { lookUp: 'each' } }, 15, ['21 to 40', 'about a minute']],
		['upsert', preview, 600, undefined],
		['upsert', preview, 660, ['21 to 40', 'about a minute']],
		['create', preview, 1000, undefined],
		['update', { ...byId, ...preview }, 40, ['21 to 40', 'about a minute']],
		['update', { ...byId, options: { approvedChanges: '={{ $json.changes }}' } }, 20, TWICE],
		['merge', byId, 9, ['41 to 60', '2 to 3 minutes']],
		['update', { ...byId, ...told }, 20, TWICE],
		['update', { ...byEmail, ...told }, 40, ['41 to 60', '2 to 3 minutes']],
		['replace', { ...byId, ...told }, 25, ['41 to 60', '2 to 3 minutes']],
		['replace', { ...byId, options: { tellChanges: false } }, 20, undefined],
		['addTags', byId, 10, undefined],
		['addTags', byId, 11, ['21 to 40', 'about a minute']],
		['removeFromSegments', byId, 60, ['61 to 120', '3 to 7 minutes']],
		['addPhoneNumber', byId, 11, ['21 to 40', 'about a minute']],
		['addTags', byEmail, 19, undefined],
		['get', byId, 30, ['21 to 40', 'about a minute']],
		['get', byEmail, 600, undefined],
	] as Array<[string, INodeParameters, number, string[] | undefined]>)(
		'The duration hint of person %s with %j and %d items says %j',
		(operation, more, count, expected) => {
			const input = rows(count, { email: 'eva@crm.example' });
			expect(requests(person(operation, more), input)).toEqual(expected);
		},
	);

	const NAME = { 'First name': 'Eva', 'Job title': 'Buyer', City: 'Delft' };
	test.each<[string, INodeParameters, IDataObject, number]>([
		['person', {}, NAME, 1],
		['person', {}, { ...NAME, Tags: 'VIP' }, 2],
		['person', {}, { ...NAME, 'Contact E-mail - Work': 'eva@crm.example' }, 2],
		['person', byHand({ jobTitle: '={{ $json.job }}', email: null }), { Email: 'x' }, 1],
		['person', byHand({ email: '={{ $json.City }}' }), NAME, 2],
		['task', {}, { Title: 'Renewal', Deadline: 'x', Name: 'y' }, 1],
		['task', {}, { Title: 'Renewal', 'Toegewezen aan': 'Eva' }, 2],
		['task', { ...told }, { Title: 'Renewal' }, 2],
	])(
		'For Update %s (%j) of row %j, the hint counts %d requests per item',
		(resource, more, row, times) => {
			const parameters = { resource, operation: 'update', inputMode: 'columns', ...more };
			const found = messages(parameters, rows(30, row)).filter((text) => /requests/.test(text));
			expect(found).toEqual([
				expect.stringContaining(times === 1 ? 'sends 21 to 40' : 'sends 41 to 60'),
			]);
		},
	);

	test('Each number of requests above twenty is in one range of the duration hint', () => {
		const bounds = hints.flatMap(({ displayCondition = '' }) => {
			const [, above] = /count > (\d+)/.exec(displayCondition) ?? [];
			const upTo = /count <= (\d+)/.exec(displayCondition)?.[1] ?? Infinity;
			return above === undefined ? [] : [[Number(above), Number(upTo)]];
		});
		const ends = bounds.map(([, upTo]) => upTo);
		expect(bounds.map(([above]) => above)).toEqual([20, ...ends.slice(0, -1)]);
		expect(ends.at(-1)).toBe(Infinity);
	});

	test('The hint on the duration of a run does not appear without input', () => {
		expect(messages(person('create'))).toEqual([]);
	});
});

describe('the same list for each item', () => {
	const getMany = (more: INodeParameters = {}) => ({
		...{ resource: 'person', operation: 'getAll', limit: 20 },
		...more,
	});
	test('Get Many with several items shows one hint about Execute Once', () => {
		expect(messages(getMany(), rows(2))).toEqual([
			'This run gives the same list once for each item of the input, unless Execute Once is on. To get the list once, turn on Settings → Execute Once.',
		]);
	});

	test('Get Many with one item shows no hint about Execute Once', () => {
		expect(messages(getMany(), rows(1))).toEqual([]);
	});

	test.each([
		getMany({ filters: { q: '={{ $json.Name }}' } }),
		getMany({ resource: 'comment', taskId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } }),
		{ resource: 'segment', operation: 'get', segmentId: { __rl: true, mode: 'id', value: '1' } },
	])(
		'No Execute Once hint appears if items give different lists or one record: %j',
		(parameters) => {
			expect(messages(parameters, rows(20))).toEqual([]);
		},
	);
});

describe('the columns of the input that are not taken', () => {
	const mapped = (resource: string, operation: string, more: INodeParameters = {}) => ({
		...{ resource, operation, inputMode: 'columns' },
		...more,
	});
	const labels = (...given: Parameters<typeof shownFor>) =>
		shownBefore(...given).map(({ group }) => group?.label);
	const FITTING = { 'E-mail': 1, 'First name': 1, family_name: 1, Zip: 1, mobile: 1 };

	test('The hint on unused columns names columns that tables often have, such as Company', () => {
		const input = [{ ...FITTING, Company: 'x', 'Date of birth': 'y' }];
		expect(messages(mapped('person', 'create'), input)).toEqual([
			'The column Company of the input is not taken, since nothing here has that name. Options → Preview Only lists the columns that are not taken. Rename them, or choose Map Each Column Manually.',
			expect.stringMatching(/^The column Date of Birth of the input is not taken,/),
		]);
	});

	test.each([
		['person', 'create', { ...FITTING, Klantnaam: 'x' }, []],
		['person', 'upsert', { email: 'x', birthday: 1, Naam: 'x' }, ['Birthday']],
		['person', 'update', FITTING, []],
		[
			'person',
			'create',
			{ 'Person - Email - Work': 'x', Hausnummer: 1, 'E-mail 2 - Value': 1 },
			[],
		],
		['person', 'create', { Vorname: 'x', PLZ: 1, Ort: 'y', Firma: 'z' }, ['Firma']],
		['task', 'create', { Title: 'x', Stage: 'y', Deadline: 'z' }, []],
		['task', 'create', { Title: 'x', person: 'eva@crm.example' }, []],
		['task', 'update', { Title: 'x', person: 'eva@crm.example' }, ['Others']],
	])(
		'For %s %s, the hint groups unused columns of row %j under labels %j',
		(resource, operation, row, expected) => {
			expect(labels(mapped(resource, operation), [row])).toEqual(expected);
		},
	);

	test.each(
		'Account;Amount;Birthday;Company;Company Name;Date of Birth;Department;Gender;Labels;Lead Status;Note;Notes;Organization;Priority;Region;Remarks;State;Value;Website;Bedrijf;Opmerkingen;Firma;Notizen;Société;Entreprise'.split(
			';',
		),
	)('If a table of people has the column %s, a hint calls it unused', (heading) => {
		const row = { ...FITTING, [heading]: 'x' };
		expect(labels(mapped('person', 'create'), [row])).toEqual([heading]);
	});

	test('Unused columns give no hint if the user maps each column or none', () => {
		const columns = { mappingMode: 'defineBelow', value: {} };
		const input = [{ Company: 'x', Naam: 'y' }];
		expect(messages(mapped('person', 'create', { columns }), input)).toEqual([]);
		expect(messages({ resource: 'person', operation: 'create' }, input)).toEqual([]);
	});

	test('All hints on unused columns belong to one group', () => {
		const grouped = hints.filter(({ group }) => group);
		expect(new Set(grouped.map(({ group }) => group?.key)).size).toBe(1);
	});
});

describe('a filter', () => {
	const tasks = (filters: INodeParameters) => ({
		...{ resource: 'task', operation: 'getAll' },
		filters,
	});
	const located = (value: string) => ({ __rl: true, mode: 'list', value });

	test.each([
		[{ title: [''] }],
		[{ assignees: [] }],
		[{ dueDateAfter: '' }],
		[{ status: located('') }],
		[{ state: 'open', organizations: [' '] }],
	])('If a filter has no value, a hint appears before the run: %j', (filters) => {
		expect(messages(tasks(filters))).toEqual([
			'A filter was added without a value, so it changes nothing. Give it a value, or remove it.',
		]);
	});

	test.each([
		[{}],
		[{ title: ['', 'call'] }],
		[{ assignees: ['3f2a'] }],
		[{ state: 'open' }],
		[{ status: located('={{ $json.column }}'), tags: '={{ $json.tags }}' }],
	])('No hint on empty filters appears if each has a value or expression: %j', (filters) => {
		expect(messages(tasks(filters))).toEqual([]);
		expect(messages({ resource: 'person', operation: 'create' })).toEqual([]);
	});
});

test.each<[string, INodeParameters, boolean]>([
	['columns that the node matches', { inputMode: 'columns' }, true],
	[
		'columns mapped by hand',
		{ inputMode: 'columns', columns: { mappingMode: 'defineBelow', value: null } },
		false,
	],
	['fields below', { inputMode: 'fields' }, false],
])(
	'The hint about the first row appears only if the node matches columns: %s',
	(_, parameters, isTold) => {
		const shown = shownFor({ resource: 'person', operation: 'create', ...parameters }, rows(2));
		expect(shown.some(({ message }) => message.startsWith('The first row says'))).toBe(isTold);
	},
);

describe('the trigger', () => {
	it("The trigger's hint says that only changes after publishing start the workflow", () => {
		const { hints = [] } = new ContactTaskCrmTrigger().description;
		expect(hints).toEqual([
			expect.objectContaining({ location: 'outputPane', whenToDisplay: 'afterExecution' }),
		]);
		expect(hints[0].message).toMatch(
			/Once the workflow is published, each change from then on starts it/,
		);
	});
});
