import type { INodeExecutionData } from 'n8n-workflow';
import example from '../../examples/07-agent-that-knows-your-contacts.json';
import { sampled } from '../support/drawn';
import { excuse } from './support/recordExchanges';
import { useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';
import { post } from './support/wire';

const NARROW = 'To see others, narrow the search, or raise the limit where that can be given';

const shown = (items: INodeExecutionData[]) => items.map(({ json }) => json.id ?? json);
const ids = (records: Array<{ id: string }>) => records.map(({ id }) => id);

describe('a list that an AI agent reads with a tool', () => {
	const scene = useScene();
	const open = TASKS.filter(({ completedAt }) => completedAt === null);
	const openTasks = { limit: 3, output: 'raw', filters: { state: 'open' } };
	const FIRST_TWO = {
		note: `These are the first 2 of ${PEOPLE.length} people. ${NARROW}`,
		shown: 2,
		total: PEOPLE.length,
	};
	const isTool = true;

	it('If Limit cuts a list, an agent tool tells the total without another request', async () => {
		const { items, error } = await scene.person('getAll', { limit: 2 }, { isTool });
		expect(error).toBeUndefined();
		expect(shown(items)).toEqual([...ids(PEOPLE.slice(0, 2)), FIRST_TWO]);
		expect(scene.requests().filter(({ path }) => path === '/people')).toHaveLength(1);
	});

	it('An agent tool tells which headings of its input it used', async () => {
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const parameters = { inputMode: 'columns', columns, options: { output: 'simplified' } };
		const input = [{ Surname: 'Bos', Remark: 'x' }];
		const { items, error } = await scene.person('create', parameters, { isTool, input });
		expect(error?.message).toBeUndefined();
		expect(items[0].json.summary).toMatch(/Not used: Remark\. Used: Surname → Family Name$/);
	});

	it('Outside an agent tool, Get Many adds no note if Limit cuts a list', async () => {
		const { items } = await scene.person('getAll', { limit: 2 });
		expect(shown(items)).toEqual(ids(PEOPLE.slice(0, 2)));
	});

	it('If Limit cuts filtered tasks, an agent tool says that more may exist', async () => {
		const { items } = await scene.task('getAll', openTasks, { isTool });
		const note = `These are the first 3 tasks; there may be more. ${NARROW}`;
		expect(shown(items)).toEqual([...ids(open.slice(0, 3)), { note, shown: 3 }]);
	});

	it.each(['simplified', 'raw', 'selectedFields', 'identifiers'])(
		'With the output %s, an agent tool says that Limit cuts a list',
		async (output) => {
			const { items } = await scene.person('getAll', { limit: 2, output }, { isTool });
			expect(items).toHaveLength(3);
			expect(items[2].json).toEqual(FIRST_TWO);
		},
	);

	it.each(sampled(['', null, 'null', 'None'], 4))(
		'If an agent gives %j for Return All, Limit and Sort, their defaults apply',
		async (none) => {
			const given = '={{ $json.none }}';
			const parameters = { returnAll: given, limit: given, sort: { createdAt: given } };
			const input = [{ none }];
			const { items, error } = await scene.person('getAll', parameters, { isTool, input });
			expect(error?.message).toBeUndefined();
			expect(shown(items.slice(0, -1))).toEqual(ids(PEOPLE.slice(0, 50)));
			expect(scene.requests()[0].query).not.toHaveProperty('order[createdAt]');
			const other = await scene.person('getAll', { limit: 'none' });
			expect(other.error?.message).toMatch(/^Limit: expected a whole number/);
		},
	);

	it('An agent tool adds no note if the number of records equals Limit', async () => {
		const limit = "={{ $fromAI('limit', 'How many', 'number') }}";
		const input = [{ limit: PEOPLE.length }];
		const { items } = await scene.person('getAll', { limit }, { isTool, input });
		expect(shown(items)).toEqual(ids(PEOPLE));
	});

	it('An agent tool adds no note if fewer records match than Limit allows', async () => {
		const parameters = { ...openTasks, limit: open.length + 1 };
		const { items } = await scene.task('getAll', parameters, { isTool });
		expect(shown(items)).toEqual(ids(open));
	});

	it.each([
		['person', { q: 'nobody-is-called-this' }, 'No people were found'],
		['task', { title: 'no-task-is-called-this' }, 'No tasks were found'],
	] as const)(
		'If a list is empty, an agent tool says so (resource: %s)',
		async (resource, filters, note) => {
			const { items } = await scene[resource]('getAll', { filters }, { isTool });
			expect(items.map(({ json }) => json)).toEqual([{ note, shown: 0 }]);
			expect((await scene[resource]('getAll', { filters })).items).toEqual([]);
		},
	);

	it('If Limit cuts a list without total, an agent tool says more may exist', async () => {
		scene.service.switches.bareCollections = true;
		const { items } = await scene.person('getAll', { limit: 2 }, { isTool });
		const note = `These are the first 2 people; there may be more. ${NARROW}`;
		expect(items[2].json).toEqual({ note, shown: 2 });
	});
});

describe('values that a language model gives to an agent tool', () => {
	const scene = useScene();
	const eva = PEOPLE.find(({ emailAddresses }) => emailAddresses.length > 0)!;

	it.each(['list', 'id', 'email'])(
		'An agent tool finds a person by e-mail address in any locator mode: %s',
		async (mode) => {
			const personId = { __rl: true, mode, value: '={{ $fromAI("person") }}' };
			const input = [{ person: eva.emailAddresses[0].email }];
			const { items, error } = await scene.person('get', { personId }, { isTool: true, input });
			expect(error).toBeUndefined();
			expect(shown(items)).toEqual([eva.id]);
		},
	);

	it.each([
		['the whole parameter', '={{ $fromAI("titles") }}'],
		['the only entry', ['={{ $fromAI("titles") }}']],
	])(
		'An agent tool filters by several texts from one JSON list, given as %s',
		async (_place, title) => {
			const parameters = { returnAll: true, filters: { title } };
			const input = [{ titles: '["call", "visit"]' }];
			const { items } = await scene.task('getAll', parameters, { isTool: true, input });
			expect(shown(items)).toEqual(
				ids(TASKS.filter((task) => /call|visit/i.test(String(task.title)))),
			);
		},
	);

	it.each([
		['Person', 'person', 'archive', {}],
		['Merge From', 'person', 'merge', { personId: PEOPLE[0].id, mergeFrom: '={{ $json.id }}' }],
		['Task', 'history', 'getAll', {}],
		['Comment', 'comment', 'get', { taskId: TASKS[0].id }],
	])(
		'If an agent gives "null" as %s, the node fails and sends nothing',
		async (label, resource, operation, more) => {
			const byId = Object.fromEntries(
				['personId', 'taskId', 'commentId'].map((name) => [name, '={{ $json.id }}']),
			);
			const parameters = { resource, operation, ...byId, ...more };
			const { error } = await scene.run({ parameters, input: [{ id: 'null' }], isTool: true });
			expect(error?.message).toContain(`${label}: expected an ID, got "null"`);
			expect(scene.requests()).toEqual([]);
		},
	);

	it('The seventh example workflow creates a person with e-mail address and phone number', async () => {
		const { parameters } = example.nodes.find(({ name }) => name === 'Create a Person')!;
		const given = { familyName: 'Jansen', email: 'eva@new.example', phone: '+31612345678' };
		const setup = { isTool: true, input: [{ ...given, givenName: 'Eva', jobTitle: '' }] };
		const { error } = await scene.person('create', parameters, setup);
		expect(error).toBeUndefined();
		expect(Object.keys(parameters)).toEqual(expect.arrayContaining(['email', 'phone']));
		expect(scene.sent()).toEqual([
			post('/people', {
				...{ familyName: 'Jansen', givenName: 'Eva' },
				emailAddresses: [{ email: 'eva@new.example' }],
				phoneNumbers: [{ phoneNumber: '+31612345678', phoneType: null }],
			}),
		]);
	});
});

describe('what an agent tool takes from its model', () => {
	const scene = useScene();
	const onError = 'continueRegularOutput';
	const [amber] = PEOPLE;
	const address = String(amber.emailAddresses[0].email);
	const link = `[${address}](mailto:${address})`;

	it('An error in an agent tool gives its advice once', async () => {
		const setup = { isTool: true, onError } as const;
		const { items } = await scene.person('get', { personId: 'Amber van Dijk' }, setup);
		const advice = 'Find the ID by Get Many of people with the filter Search';
		expect(items[0].json).toEqual({
			error: expect.stringContaining(advice) as string,
			details: { code: 'unusable-value', parameter: 'Person' },
		});
	});

	it('An error about several mistakes says "Correct the value" only once', async () => {
		const additionalFields = { dueDate: 'tomorrow', isFlagged: 'high' };
		const parameters = { title: 'Call', status: 'Sales / Won', additionalFields };
		const { error } = await scene.task('create', parameters, { isTool: true });
		expect(error?.message.match(/Correct the value/g)).toHaveLength(1);
	});

	it('For a name as filter of tasks, the error tells how to find IDs', async () => {
		const filters = { people: { __rl: true, mode: 'id', value: 'Amber van Dijk' } };
		const { error } = await scene.task('getAll', { filters }, { isTool: true });
		expect(error?.message).toMatch(/with the filter Search, or leave it empty$/);
		expect(scene.requests()).toEqual([]);
	});

	it.each([
		[
			'create',
			{ title: 'Call', status: 'Sales / Won', additionalFields: { dueDate: 'tomorrow 3pm' } },
		],
		['getAll', { filters: { dueDateBefore: 'next Friday' } }],
	])(
		'For a date in words, the error tells the present time (operation: %s)',
		async (operation, parameters) => {
			const { error } = await scene.task(operation, parameters, { isTool: true });
			expect(error?.message).toMatch(/\. It is now \w+day \d{4}-\d\d-\d\dT\d\d:\d\d\+0[12]:00$/);
			expect(error?.message).not.toContain('DateTime');
		},
	);

	it('If an agent gives "any" to each filter, no filter applies', async () => {
		const filters = { title: 'any', status: 'any', workspaceId: 'Any', state: 'any' };
		const parameters = { returnAll: true, filters };
		const { items } = await scene.task('getAll', parameters, { isTool: true });
		expect(shown(items)).toEqual(ids(TASKS));
	});

	it.each([
		['get', { personId: link }],
		['getAll', { filters: { emailAddressesEmail: link } }],
	])(
		'The operation %s finds a person by an e-mail address in a Markdown link',
		async (operation, parameters) => {
			const { items } = await scene.person(operation, parameters, { isTool: true });
			expect(shown(items)).toEqual([amber.id]);
		},
	);

	it('Create takes the e-mail address from a Markdown link', async () => {
		const email = '[eva@new.example](mailto:eva@new.example?subject=Hello)';
		await scene.person('create', { familyName: 'Vos', email }, { isTool: true });
		const emailAddresses = [{ email: 'eva@new.example' }];
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Vos', emailAddresses })]);
	});

	it.each(['unknown', 'Unknown', 'Not provided', 'not specified'])(
		'The node writes no name or town %j that an agent gives',
		async (none) => {
			const additionalFields = {
				additionalName: none,
				externalSource: none,
				address: { city: none },
			};
			const parameters = { familyName: 'Vos', givenName: none, additionalFields };
			await scene.person('create', parameters, { isTool: true });
			expect(scene.sent()).toEqual([post('/people', { familyName: 'Vos' })]);
		},
	);

	it('As an agent tool, Undo accepts the whole answer of another tool', async () => {
		const written = await scene.person('archive', { personId: address }, { isTool: true });
		const outputItem = JSON.stringify(written.items.map(({ json }) => json));
		const { items } = await scene.person('undo', { outputItem }, { isTool: true });
		expect(items[0].json).toMatchObject({ result: 'updated', id: amber.id });
		expect(await scene.record(`/people/${amber.id}`)).not.toHaveProperty('archivedAt');
	});

	it('Undo with only an ID asks an agent for the whole answer', async () => {
		const { error } = await scene.person('undo', { outputItem: amber.id }, { isTool: true });
		expect(error?.message).toMatch(
			/missing\. Give the whole answer of the tool that made the change/,
		);
	});

	it('As an agent tool, Create reads a JSON Body in a Markdown code block', async () => {
		const parameters = { inputMode: 'json', jsonBody: '```json\n{ "familyName": "Vos" }\n```' };
		await scene.person('create', parameters, { isTool: true });
		expect(scene.sent()).toEqual([post('/people', { familyName: 'Vos' })]);
	});

	it('A note names fields from an agent that the CRM does not document', async () => {
		excuse('requests', 'a model writes fields that the interface does not have');
		const jsonBody = '{ "familyName": "Vos", "first_name": "Eva", "phone": "+31612345678" }';
		const parameters = { inputMode: 'json', jsonBody, options: { output: 'simplified' } };
		const { items } = await scene.person('create', parameters, { isTool: true });
		expect(items[0].json.note).toBe(
			'The CRM documents no such field here, and may ignore it: first_name, phone',
		);
		const other = await scene.person('create', parameters);
		expect(other.items[0].json).not.toHaveProperty('note');
	});

	it('For an unknown name in Clear Fields, the error lists the known field names', async () => {
		const parameters = { personId: amber.id, clearFields: 'Job Title' };
		const { error } = await scene.person('update', parameters, { isTool: true });
		expect(error?.message).toMatch(/"Job Title" .* among .*\bjobTitle\b.*\bphoneNumbers\b/);
	});

	it('As an agent tool, Complete reads "now" as the present time', async () => {
		const parameters = { taskId: TASKS[0].id, completedAt: 'now' };
		const { error } = await scene.task('complete', parameters, { isTool: true });
		expect(error).toBeUndefined();
		expect(scene.writes()[0].body).toEqual({
			completedAt: expect.stringMatching(/^2\d{3}-/) as string,
		});
	});

	it.each([['VanDijk.0@Mail.example'], ['06 10000000']])(
		'If an agent finds nobody by %j, a note suggests other spellings',
		async (identifier) => {
			const filters = { identifiers: identifier };
			const { items } = await scene.person('getAll', { filters }, { isTool: true });
			const note = expect.stringMatching(/^No people were found\. .* lower case/) as string;
			expect(items.map(({ json }) => json)).toEqual([{ note, shown: 0 }]);
		},
	);
});
