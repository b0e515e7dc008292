import type { IDataObject } from 'n8n-workflow';
import { locator } from './support/fields';
import { Lookups } from './support/lookup';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TAGS, TASKS, USERS } from './support/seeded';
import { get, patch, post } from './support/wire';

const [person] = PEOPLE;
const [task] = TASKS;
const path = `/people/${person.id}`;
const taskPath = `/tasks/${task.id}`;
/** The lookup of the people with an e-mail address. */
const whoHas = (email: string) =>
	get('/people', `emailAddresses.email=${email}`, 'itemsPerPage=30');

/** The saved value if the user maps each column by hand. */
const byHand = (value: Record<string, unknown>, matchingColumns: string[] = []) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns,
	schema: Object.keys(value).map((id) => ({ id, displayName: id, type: 'string', display: true })),
});
/** The saved value if the node takes the columns of the input. */
const automatically = (matchingColumns: string[] = []) => ({
	mappingMode: 'autoMapInputData',
	value: null,
	matchingColumns,
	schema: [],
});

const ROW = {
	'First Name': 'Eva',
	surname: 'Jansen',
	'E-mail': 'eva@new.example',
	mobile: 31612345678,
	phone: '',
	street: 'Oudegracht 1',
	Zip: '3511 AB',
	city: 'Utrecht',
	job_title: 'Head of Sales',
	owner: USERS[1],
	Tags: `${TAGS[0]}, /tags/${TAGS[1]}`,
	'Deal Size': '2500',
	Remark: 'no column of the CRM',
};
const ROW_SENT = {
	givenName: 'Eva',
	familyName: 'Jansen',
	emailAddresses: [{ email: 'eva@new.example' }],
	phoneNumbers: [{ phoneNumber: '31612345678', phoneType: 'mobile' }],
	address: { street: 'Oudegracht 1', postalCode: '3511 AB', city: 'Utrecht' },
	jobTitle: 'Head of Sales',
	owner: `/users/${USERS[1]}`,
	tags: [`/tags/${TAGS[0]}`, `/tags/${TAGS[1]}`],
	dealSize: 2500,
};

describe('values from the columns of the input', () => {
	const scene = useScene();

	/** Runs an operation with columns for a person, or for a task. */
	const run = async (operation: string, parameters: object, input: IDataObject[] = [{}]) =>
		await scene.person(operation, { inputMode: 'columns', ...parameters }, { input });
	const runTask = async (operation: string, parameters: object, input: IDataObject[]) =>
		await scene.task(operation, { inputMode: 'columns', ...parameters }, { input });
	const create = async (columns: unknown, input?: IDataObject[]) =>
		await run('create', columns ? { columns } : {}, input);

	it.each([
		['by their names, in the spelling of usual tables', automatically()],
		['if the workflow saved only the input mode', undefined],
	])('Create maps the columns of the input to fields %s', async (_, columns) => {
		const { error } = await create(columns, [ROW]);
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([post('/people', ROW_SENT)]);
	});

	it('If the user maps columns by hand, Create sends only these columns', async () => {
		const value = {
			givenName: '={{ $json["First Name"] }}',
			familyName: '={{ $json.surname }}',
			email: '={{ $json["E-mail"] }}',
			mobile: '={{ $json.mobile }}',
			street: '={{ $json.street }}',
			dealSize: '={{ $json["Deal Size"] }}',
			tags: '={{ [$json.Tags.split(",")[0]] }}',
			jobTitle: null,
			isTracked: false,
		};
		const { error } = await create(byHand(value), [ROW]);
		expect(error).toBeUndefined();
		const { givenName, familyName, emailAddresses, phoneNumbers, dealSize } = ROW_SENT;
		expect(scene.sent()).toEqual([
			post('/people', {
				...{ givenName, familyName, emailAddresses, phoneNumbers, dealSize },
				address: { street: 'Oudegracht 1' },
				tags: [`/tags/${TAGS[0]}`],
				isTracked: false,
			}),
		]);
	});

	it('If On Error continues, Create writes the usable rows, and only unusable rows fail', async () => {
		const input = [
			{ familyName: 'One', email: 'one@new.example' },
			{ Kenteken: 'X' },
			{ familyName: 'Two', email: null, city: ' ' },
		];
		const { items } = await scene.person(
			'create',
			{ inputMode: 'columns', columns: automatically() },
			{ input, onError: 'continueRegularOutput' },
		);
		expect(scene.sent()).toEqual([
			post('/people', { familyName: 'One', emailAddresses: [{ email: 'one@new.example' }] }),
			post('/people', { familyName: 'Two' }),
		]);
		expect(items.map(({ json, pairedItem }) => [json.familyName, pairedItem])).toEqual([
			['One', { item: 0 }],
			[undefined, { item: 1 }],
			['Two', { item: 2 }],
		]);
	});

	it('Create joins columns of e-mail addresses, and of phone numbers, into one list each', async () => {
		const { error } = await create(automatically(), [
			{
				familyName: 'Jansen',
				email: 'one@new.example',
				emailAddresses: 'two@new.example, three@new.example',
				mobile: '+31 6 123',
				workPhone: '+31 20 22',
				phoneNumbers: [{ phoneNumber: '+31 30 33', phoneType: 'home' }],
			},
		]);
		expect(error).toBeUndefined();
		expect(scene.sent()[0].body).toMatchObject({
			emailAddresses: ['one', 'two', 'three'].map((name) => ({ email: `${name}@new.example` })),
			phoneNumbers: [
				{ phoneNumber: '+31 6 123', phoneType: 'mobile' },
				{ phoneNumber: '+31 20 22', phoneType: 'work' },
				{ phoneNumber: '+31 30 33', phoneType: 'home' },
			],
		});
	});

	it.each([
		[
			{ familyName: 'X', Mail: 'eva' },
			'Email (from "Mail"): expected an e-mail address such as name@example.com, got "eva"',
		],
		[
			{ familyName: 'X', mail: 'a@b.example', 'Email addresses': 'c@d.example, eva' },
			'Email Addresses (entry 1): Email: expected an e-mail address such as name@example.com, got "c@d.example, eva"',
		],
		[
			{ familyName: 'X', tag: '../users' },
			'Tags (from "tag"): expected an ID, or /tags/{id}, got "../users"',
		],
		[
			{ familyName: 'X', mobile: 1e17 },
			'Mobile: expected a number that can be written exactly, got 100000000000000000',
		],
		[
			{ familyName: 'X', dealSize: 'x'.repeat(200) },
			`Deal Size: expected a whole number such as 3, got "${'x'.repeat(100)}…"`,
		],
		[{ email: 'x@new.example' }, 'Family Name is empty'],
		[
			{ familyName: 'X', JobTitle: 'a', 'Job-Title': 'b' },
			'Job Title: both "JobTitle" and "Job-Title" of the item fit this column',
		],
		[
			{ Kenteken: 'X', Postbus: '1', ['\u200Bx'.repeat(5_000)]: '2' },
			`Columns: none of the item has a name of the CRM; the item has Kenteken, Postbus, ${'x'.repeat(40)}…`,
		],
	])(
		'Create refuses an unusable row, sends nothing, and names the column: %j',
		async (row, message) => {
			const { error } = await create(automatically(), [row]);
			expect(error?.message).toBe(message);
			expect(scene.requests()).toEqual([]);
		},
	);

	describe('an update from columns', () => {
		const have = (fields: object) => scene.change('people', person.id, fields);
		const update = async (columns: unknown, input?: IDataObject[], further: object = {}) =>
			await run('update', { personId: locator(person.id), columns, ...further }, input);
		const mine = [{ email: 'mine@new.example' }];

		it.each([
			[
				'a row without lists needs no read',
				{ city: 'Utrecht', jobTitle: '' },
				[patch(path, { address: { city: 'Utrecht' } })],
			],
			['a row of blank cells sends nothing', { city: '', jobTitle: null }, []],
			[
				'a row with known list entries writes nothing',
				{ email: 'MINE@new.example', tags: [TAGS[0]] },
				[whoHas('MINE@new.example'), whoHas('mine@new.example'), get(path)],
			],
		])('An update from columns sends only what changes: %s', async (_, row, sent) => {
			have({ emailAddresses: mine, tags: [`/tags/${TAGS[0]}`] });
			const { items } = await update(automatically(), [row]);
			expect(scene.sent()).toEqual(sent);
			expect(items[0].json.id).toBe(person.id);
		});

		it.each([
			['taken from the input', automatically()],
			['mapped by hand', byHand({ email: '={{ $json.email }}', tags: '={{ $json.tags }}' })],
		])('With columns %s, an update adds entries to the lists of a person', async (_, columns) => {
			have({ emailAddresses: mine, tags: [`/tags/${TAGS[0]}`] });
			const { error } = await update(columns, [{ email: 'new@new.example', tags: TAGS[2] }]);
			expect(error).toBeUndefined();
			expect(scene.sent()).toEqual([
				whoHas('new@new.example'),
				get(path),
				patch(path, {
					emailAddresses: [...mine, { email: 'new@new.example' }],
					tags: [`/tags/${TAGS[0]}`, `/tags/${TAGS[2]}`],
				}),
			]);
		});

		it.each([
			['taken from the input', automatically()],
			['mapped by hand', byHand({ tags: '={{ $json.tags }}' })],
		])(
			'With columns %s, Replace Instead of Add To makes an update replace a list',
			async (_, columns) => {
				have({ tags: [`/tags/${TAGS[0]}`] });
				await update(columns, [{ tags: TAGS[2] }], { options: { replaceLists: ['tags'] } });
				expect(scene.sent()).toEqual([patch(path, { tags: [`/tags/${TAGS[2]}`] })]);
			},
		);
	});

	describe('Create or Update from columns', () => {
		const upsert = async (columns: unknown, input: IDataObject[]) =>
			await run('upsert', { columns }, input);
		const own = (person.emailAddresses as Array<{ email: string }>)[0].email;

		it('Create or Update from columns finds people by e-mail address, and changes what differs', async () => {
			const { items, error } = await upsert(automatically(['email']), [
				{ Email: own, jobTitle: 'Head of Sales', familyName: person.familyName },
			]);
			expect(error).toBeUndefined();
			expect(scene.sent().at(-1)).toEqual(patch(path, { jobTitle: 'Head of Sales' }));
			expect(items[0].json.result).toBe('updated');
		});

		it('Create or Update from columns creates an unknown person with the lookup value', async () => {
			const { items } = await upsert(automatically(), [
				{ email: 'new@new.example', familyName: 'Jansen', mobile: '+31 6 12345678' },
			]);
			expect(scene.sent().at(-1)).toEqual(
				post('/people', {
					familyName: 'Jansen',
					emailAddresses: [{ email: 'new@new.example' }],
					phoneNumbers: [{ phoneNumber: '+31 6 12345678', phoneType: 'mobile' }],
				}),
			);
			expect(items[0].json.result).toBe('created');
		});

		it('Create or Update finds a person by the chosen Column to Find People By', async () => {
			const number = '+31698765432';
			const phoneNumbers = [{ phoneNumber: number, phoneType: 'mobile' }];
			scene.change('people', person.id, { phoneNumbers });
			const value = { mobile: '={{ $json.tel }}', jobTitle: 'Boss', email: 'other@new.example' };
			const columns = byHand(value, ['mobile']);
			const { items, error } = await upsert(columns, [{ tel: '0698765432' }]);
			expect(error).toBeUndefined();
			expect(items[0].json).toMatchObject({ result: 'updated', id: person.id });
			expect(scene.sent().at(-1)?.body).toMatchObject({ jobTitle: 'Boss' });
		});

		it('The error of Create or Update names a missing column to match on', async () => {
			const { error } = await upsert(automatically(['email']), [{ familyName: 'Jansen' }]);
			expect(error?.message).toBe('Email is empty');
			expect(scene.requests()).toEqual([]);
		});
	});

	describe('a task from columns', () => {
		it('Create makes a task from columns, and links a person by e-mail address', async () => {
			const email = (person.emailAddresses as Array<{ email: string }>)[0].email;
			const row = { Title: 'Call', Column: COLUMNS[1], deadline: '2026-12-31' };
			const { error } = await runTask('create', {}, [
				{ ...row, assignees: USERS[1], people: email },
			]);
			expect(error).toBeUndefined();
			expect(scene.sent().at(-1)?.body).toMatchObject({
				...{ title: 'Call', status: COLUMNS[1], dueDate: '2026-12-31' },
				assignees: [`/users/${USERS[1]}`],
				people: [{ id: person.id }],
			});
		});

		it('An update of a task from columns adds to the lists of the task', async () => {
			scene.change('tasks', task.id, { assignees: [`/users/${USERS[1]}`] });
			const row = { title: 'Call back', assignees: `${USERS[1]}, ${USERS[2]}` };
			const { error } = await runTask('update', { taskId: locator(task.id) }, [row]);
			expect(error).toBeUndefined();
			expect(scene.sent()).toEqual([
				get(taskPath),
				patch(taskPath, {
					title: 'Call back',
					assignees: [`/users/${USERS[1]}`, `/users/${USERS[2]}`],
				}),
			]);
		});
	});
});

describe('the columns that the editor offers', () => {
	const lookups = new Lookups({ url: 'http://127.0.0.1:1', apiKey: '' });

	it.each([
		['getPersonColumns', 'person', 'create', ['familyName']],
		['getPersonColumns', 'person', 'update', []],
		['getPersonColumns', 'person', 'upsert', []],
		['getTaskColumns', 'task', 'create', ['status', 'title']],
		['getTaskColumns', 'task', 'update', []],
	])(
		'The editor method %s lists the columns for %s %s without any request',
		async (method, resource, operation, required) => {
			const { fields } = await lookups.columns(method, { parameters: { resource, operation } });
			const requiredOnes = fields.filter((field) => field.required).map(({ id }) => id);
			expect(requiredOnes.sort()).toEqual(required);
			expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
			const shown = fields.filter(({ removed }) => !removed);
			expect(shown.length).toBeGreaterThan(4);
			expect(shown.some(({ type }) => type === 'boolean')).toBe(false);
			const matching = fields.filter(({ canBeUsedToMatch }) => canBeUsedToMatch);
			expect(matching.map(({ id }) => id)).toEqual(
				operation === 'upsert' ? ['networkId', 'email', 'phone', 'mobile'] : [],
			);
		},
	);
});
