import type { Field } from './support/fields';
import { dates, locator, numbers, PICKED, PICKED_SENT, texts } from './support/fields';
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
import { patch, post, put, steady } from './support/wire';

/** How a record is written, by every field that the interface names. */
interface Written {
	resource: 'person' | 'segment' | 'task' | 'comment';
	/** The record, and the parameters that name it. */
	path: string;
	address: Record<string, unknown>;
	/** What a new record, and one that is replaced, cannot do without: as it is given, and as it is sent. */
	required: Record<string, unknown>;
	requiredSent: Record<string, unknown>;
	create: Field[];
	replace: Field[];
	update: Field[];
	/** Fields that stand beside the others, not among them, where a record is created. */
	apart?: string[];
	/** What Clear Fields sends. */
	cleared: Record<string, null | []>;
	/** What no operation sends, and what some do not. */
	readOnly: string[];
	notSent?: Partial<Record<string, Record<string, unknown>>>;
}

const nulls = (...names: string[]) =>
	Object.fromEntries(names.map((name) => [name, null] as const));
const empty = (...names: string[]) =>
	Object.fromEntries(names.map((name) => [name, []] as [string, []]));

const iris = (collection: string, ...ids: string[]) => ids.map((id) => `/${collection}/${id}`);
const EMAILS = [{ email: 'a@mail.example' }, { email: 'b@mail.example' }];
const PHONES = [
	{ phoneNumber: '+31 6 1', phoneType: 'mobile' },
	{ phoneNumber: '2', phoneType: 'fax' },
];
const ADDRESS = { city: 'Utrecht', country: 'BE', postalCode: '3511 AB', street: 'Oudegracht 1' };

/** Interface, section 2.3. */
const personFields: Field[] = [
	...texts('givenName', 'additionalName', 'initials', 'customerId', 'honorificPrefix'),
	...texts('jobTitle', 'externalSource', 'networkId'),
	...numbers('dealSize', 'totalDeals', 'totalLostDeals', 'totalWonDeals'),
	...dates('archivedAt'),
	['isTracked', false, false],
	['owner', USERS[1], `/users/${USERS[1]}`],
	['avatar', FILES[0], `/media_objects/${FILES[0]}`],
	['tags', [TAGS[0], `/tags/${TAGS[1]}`], iris('tags', TAGS[0], TAGS[1])],
	['segments', [SEGMENTS[0]], iris('segments', SEGMENTS[0])],
	['organizations', [ORGANIZATIONS[0]], iris('organizations', ORGANIZATIONS[0])],
	['emailAddresses', EMAILS.map(({ email }) => email), EMAILS],
	['emailAddresses', EMAILS, EMAILS],
	['phoneNumbers', PHONES, PHONES],
	['address', ADDRESS, ADDRESS],
	['address', { city: 'Delft' }, { city: 'Delft' }],
];

/** Interface, section 2.6: on create, update and replacement. */
const taskFields: Field[] = [
	...texts('description'),
	...dates('archivedAt', 'dueDate', 'scheduledOn', 'plannedWeek', 'plannedMonth', 'snoozeUntil'),
	...numbers('storyPointEstimation', 'dealSizeEstimation', 'timeEstimation'),
	['timeEstimation', 1.5, 1.5],
	['timeEstimation', '={{ "2h" }}', '2h'],
	['timeEstimation', '={{ "90" }}', 90],
	['storyPointEstimation', '={{ " 2.5 " }}', 2.5],
	['dueDate', '2026-12-31', '2026-12-31'],
	['author', USERS[1], `/users/${USERS[1]}`],
	['assignees', [USERS[1], `/users/${USERS[2]}`], iris('users', USERS[1], USERS[2])],
	['observers', [USERS[3]], iris('users', USERS[3])],
	['isFlagged', true, true],
	['isTemplate', false, false],
];
const [{ id: taskId }, { id: otherTask }] = TASKS;
const newTaskFields: Field[] = [
	['parent', locator(otherTask), `/tasks/${otherTask}`],
	['parent', locator(`/tasks/${otherTask}`), `/tasks/${otherTask}`],
	['beforeTask', locator(otherTask, 'list'), `/tasks/${otherTask}`],
	['afterTask', locator(otherTask), `/tasks/${otherTask}`],
	['positionTop', true, true],
	['participants', '[{ "any": "form" }, "x"]', [{ any: 'form' }, 'x']],
];
const RECURRING = {
	rrule: 'FREQ=WEEKLY;BYDAY=MO',
	recurUntilCount: 3,
	recurOnSchedule: true,
	createNewTask: false,
	snooze: true,
};
const knownTaskFields: Field[] = [
	...dates('completedAt'),
	['files', [FILES[0], `/media_objects/${FILES[1]}`], iris('media_objects', FILES[0], FILES[1])],
	['recurringSettings', RECURRING, RECURRING],
	['recurringSettings', { snooze: false }, { snooze: false }],
	[
		'recurringSettings',
		{ recurUntil: PICKED, recurData: '["MO", 2]' },
		{ recurUntil: PICKED_SENT, recurData: ['MO', 2] },
	],
];
/** An ID alone names no column, since columns are counted within their workspace. */
const columnFields: Field[] = [
	['status', locator(COLUMNS[2]), COLUMNS[2]],
	['status', locator(COLUMNS[2], 'list'), COLUMNS[2]],
	['status', locator('={{ $json.column }}'), COLUMNS[2]],
];

/** Interface, section 2.7. */
const commentFields: Field[] = [
	['author', USERS[2], `/users/${USERS[2]}`],
	['flagged', true, true],
	['flagged', false, false],
	['mentions', [USERS[1], `/users/${USERS[2]}`], iris('users', USERS[1], USERS[2])],
];

const WRITTEN: Written[] = [
	{
		resource: 'person',
		path: `/people/${PEOPLE[0].id}`,
		address: { personId: locator(PEOPLE[0].id) },
		required: { familyName: 'Jansen' },
		requiredSent: { familyName: 'Jansen' },
		create: personFields,
		replace: personFields,
		update: [...personFields, ...texts('familyName')],
		cleared: {
			...nulls('givenName', 'additionalName', 'initials', 'customerId', 'honorificPrefix'),
			...nulls('jobTitle', 'externalSource', 'networkId', 'isTracked', 'archivedAt', 'owner'),
			...nulls('avatar', 'dealSize', 'totalDeals', 'totalLostDeals', 'totalWonDeals'),
			...empty('tags', 'segments', 'organizations', 'emailAddresses', 'phoneNumbers'),
		},
		readOnly: [
			...['id', 'createdAt', 'updatedAt', 'importedAt', 'avatarUrl'],
			...['_organizations', 'networkEnrichment'],
		],
	},
	{
		resource: 'segment',
		path: `/segments/${SEGMENTS[0]}`,
		address: { segmentId: locator(SEGMENTS[0]) },
		required: { title: 'New', icon: 'star' },
		requiredSent: { title: 'New', icon: 'star' },
		create: numbers('sequence'),
		replace: numbers('sequence'),
		update: [...numbers('sequence'), ...texts('title', 'icon')],
		cleared: nulls('sequence'),
		readOnly: ['id'],
	},
	{
		resource: 'task',
		path: `/tasks/${taskId}`,
		address: { taskId: locator(taskId) },
		required: { title: 'Call', status: locator(COLUMNS[1], 'list') },
		requiredSent: { title: 'Call', status: COLUMNS[1] },
		create: [...taskFields, ...newTaskFields],
		replace: [...taskFields, ...knownTaskFields],
		update: [...taskFields, ...knownTaskFields, ...columnFields, ...texts('title')],
		cleared: {
			...nulls('description', 'archivedAt', 'completedAt', 'dueDate', 'scheduledOn', 'plannedWeek'),
			...nulls('plannedMonth', 'snoozeUntil', 'storyPointEstimation', 'dealSizeEstimation'),
			...nulls('timeEstimation', 'recurringSettings'),
			...empty('assignees', 'observers', 'files'),
		},
		readOnly: [
			...['id', 'position', 'totalComments', 'isSubTask', 'indexNumber', 'createdAt', 'updatedAt'],
			...['workspace', 'subTasks', 'completedSubtasks', 'totalSubtasks', 'messageProvider'],
			...['previouslyScheduledOn', 'isRecurring', 'workspaceType', 'automation', 'startDate'],
			...['blockedFields', 'messages', 'conversationItems'],
		],
		notSent: {
			create: { completedAt: PICKED, files: ['x'] },
			replace: { parent: 'x', positionTop: true },
			update: { parent: 'x' },
		},
	},
	{
		resource: 'comment',
		path: `/tasks/${DISCUSSED.id}/comments/${COMMENTS[0].id}`,
		address: { taskId: locator(DISCUSSED.id), commentId: locator(COMMENTS[0].id) },
		required: { description: 'x' },
		requiredSent: { description: 'x' },
		create: commentFields,
		replace: commentFields,
		update: [...commentFields, ...texts('description')],
		apart: ['mentions'],
		cleared: { ...nulls('flagged'), ...empty('mentions') },
		readOnly: ['id', 'taskId', 'createdAt'],
	},
];
const OPERATIONS = ['create', 'replace', 'update'] as const;
type OperationName = (typeof OPERATIONS)[number];

/** The ways to give JSON. */
const FORMS: ReadonlyArray<readonly [name: string, of: (body: object) => unknown]> = [
	['an object', (body) => body],
	['text', (body) => JSON.stringify(body)],
	['the item', () => '={{ $json }}'],
	['the item as text', () => '={{ JSON.stringify($json) }}'],
];

/** Whether a field is sent as IRIs and was given by mere IDs, or as a mixture. */
const isGivenByIds = (given: unknown, sent: unknown) =>
	[sent].flat().every((one) => typeof one === 'string' && one.startsWith('/')) &&
	[given].flat().every((one) => typeof one === 'string' && !one.startsWith('='));

describe.each(WRITTEN)('each field of a $resource', (written) => {
	const { resource, path, address, required, requiredSent, apart = [] } = written;
	const scene = useScene();

	/** Looks at the one request of a write, and at what is given of it. */
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
		expect(scene.sent()).toEqual([requests[operation]]);
		const record = operation === 'create' ? String(items[0]?.json['@id']) : path;
		const result = operation === 'create' ? 'created' : 'updated';
		const json = { result, ...steady(await scene.record(record)) };
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
	};

	/** Writes fields, and looks at the request and at what is given of it. */
	const expectSent = async (operation: OperationName, given: object, sent: object) => {
		const isUpdate = operation === 'update';
		const isApart = ([name]: [string, unknown]) => operation === 'create' && apart.includes(name);
		const among = Object.entries(given).filter((field) => !isApart(field));
		const beside = Object.entries(given).filter(isApart);
		const fields = Object.fromEntries(among);
		const { items, error } = await scene[resource](
			operation,
			isUpdate
				? { ...address, updateFields: fields }
				: { ...address, ...required, ...Object.fromEntries(beside), additionalFields: fields },
			{ input: [{ column: COLUMNS[2] }] },
		);
		await expectOnly(operation, isUpdate ? sent : { ...requiredSent, ...sent }, { items, error });
	};

	it.each(
		(['create', 'update'] as const).flatMap((operation) =>
			written[operation].map((field) => [operation, ...field] as const),
		),
	)('is sent on %s, and no other: %s %j', async (operation, name, given, sent) => {
		await expectSent(operation, { [name]: given }, { [name]: sent });
	});

	it.each(OPERATIONS)('is sent on %s with all others at once', async (operation) => {
		const fields = written[operation];
		await expectSent(
			operation,
			Object.fromEntries(fields.map(([name, given]) => [name, given])),
			Object.fromEntries(fields.map(([name, , sent]) => [name, sent])),
		);
	});

	it.each(OPERATIONS)('is not sent on %s where only the service sets it', async (operation) => {
		const [[name, given, sent]] = written[operation];
		const readOnly = Object.fromEntries(written.readOnly.map((own) => [own, 'x']));
		await expectSent(
			operation,
			{ ...readOnly, ...written.notSent?.[operation], [name]: given },
			{ [name]: sent },
		);
	});

	it.each(
		OPERATIONS.flatMap((operation) => FORMS.map(([form, of]) => [operation, form, of] as const)),
	)('goes out on %s as JSON says it, with IDs as IRIs: %s', async (operation, _form, of) => {
		const sent = {
			...(operation === 'update' ? {} : requiredSent),
			...Object.fromEntries(written[operation].map(([name, , value]) => [name, value])),
			unknown: { of: ['any', 'form'] },
		};
		const asIds = written[operation].filter(([, given, value]) => isGivenByIds(given, value));
		const body = { ...sent, ...Object.fromEntries(asIds) };
		const parameters = { ...address, inputMode: 'json', jsonBody: of(body) };
		const { items, error } = await scene[resource](operation, parameters, {
			input: [body as never],
		});
		await expectOnly(operation, sent, { items, error });
	});

	it('is emptied by JSON that says so', async () => {
		await scene[resource]('update', {
			...{ ...address, inputMode: 'json', jsonBody: written.cleared },
		});
		expect(scene.sent()).toEqual([patch(path, written.cleared)]);
	});

	it.each(Object.entries(written.cleared))('is cleared: %s with %j', async (name, sent) => {
		const { items } = await scene[resource]('update', { ...address, clearFields: [name] });
		expect(scene.sent()).toEqual([patch(path, { [name]: sent })]);
		const json = { result: 'updated', ...steady(await scene.record(path)) };
		expect(steady(items)).toEqual([{ json, pairedItem: { item: 0 } }]);
		if (sent !== null) expect(items[0].json[name]).toEqual([]);
	});
});

describe('fields of a person', () => {
	const scene = useScene();
	const path = `/people/${PEOPLE[0].id}`;
	const personId = locator(PEOPLE[0].id);

	const expectSent = async (updateFields: object, sent: object, json = {}, more = {}) => {
		const parameters = { personId, updateFields, ...more };
		const { error } = await scene.person('update', parameters, { input: [json] });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([patch(path, sent)]);
	};

	it('go along with those that are cleared', async () => {
		const clearFields = ['tags', 'owner'];
		await expectSent(
			{ jobTitle: 'x' },
			{ jobTitle: 'x', tags: [], owner: null },
			{},
			{ clearFields },
		);
	});

	it.each([
		['a number for a text', 'customerId', 1042, '1042'],
		['a text for a number', 'dealSize', ' 2500 ', 2500],
		['a text for a yes or no', 'isTracked', 'true', true],
		['a record for a reference', 'owner', { id: USERS[2], name: 'x' }, `/users/${USERS[2]}`],
		['a text with commas', 'tags', `${TAGS[0]}, /tags/${TAGS[1]}`, iris('tags', TAGS[0], TAGS[1])],
		[
			'a text with semicolons',
			'tags',
			`${TAGS[0]}; /tags/${TAGS[1]}`,
			iris('tags', TAGS[0], TAGS[1]),
		],
		['one record for a list', 'tags', { '@id': `/tags/${TAGS[0]}` }, iris('tags', TAGS[0])],
		[
			'records for a list',
			'tags',
			[{ id: TAGS[0] }, { id: TAGS[1] }],
			iris('tags', TAGS[0], TAGS[1]),
		],
		['a date', 'archivedAt', '2026-12-31', '2026-12-30T23:00:00Z'],
		['a time with its zone', 'archivedAt', '2026-12-31T17:00:00Z', '2026-12-31T17:00:00Z'],
		['a time of a database', 'archivedAt', '2026-12-31 17:00:00', PICKED_SENT],
	])('take %s from an expression', async (_, name, value, sent) => {
		await expectSent({ [name]: '={{ $json.value }}' }, { [name]: sent }, { value });
	});

	it.each([
		[
			"={{ DateTime.fromISO('2026-12-31T17:00:00', { zone: 'Asia/Tokyo' }) }}",
			'2026-12-31T08:00:00Z',
		],
		["={{ new Date('2026-12-31T16:00:00Z') }}", '2026-12-31T16:00:00Z'],
	])('take a time as an object: %s', async (archivedAt, sent) => {
		await expectSent({ archivedAt }, { archivedAt: sent });
	});

	it('take a date of a spreadsheet as the advice says that refuses it', async () => {
		const value = '31.12.2026';
		const refused = await scene.task('update', { taskId, updateFields: { dueDate: value } });
		const [, advised] = /(\{\{.*\}\})$/.exec(refused.error?.description ?? '') ?? [];
		await scene.task('update', { taskId, updateFields: { dueDate: `=${advised}` } });
		expect(scene.sent()).toEqual([patch(`/tasks/${taskId}`, { dueDate: '2026-12-30T23:00:00Z' })]);
	});

	it('take a time without a zone in that of the workflow', async () => {
		const parameters = { personId, updateFields: { archivedAt: PICKED } };
		await scene.person('update', parameters, { timezone: 'Asia/Tokyo' });
		expect(scene.sent()).toEqual([patch(path, { archivedAt: '2026-12-31T08:00:00Z' })]);
	});

	it.each(['', '={{ $json.nothing }}'])('are left out where %j was given', async (blank) => {
		const names = ['givenName', 'customerId', 'archivedAt', 'owner', 'tags'];
		const given = {
			...Object.fromEntries(names.map((name) => [name, blank])),
			emailAddresses: [blank],
			phoneNumbers: [{ phoneNumber: blank, phoneType: 'mobile' }],
			address: {},
			jobTitle: 'x',
		};
		await expectSent(given, { jobTitle: 'x' });
	});
});

/** Everything that only JSON can say of a new task (interface, section 2.6). */
const EMBEDDED = {
	title: 'Call',
	status: COLUMNS[0],
	people: [
		{
			familyName: 'Nieuw',
			emailAddresses: [{ email: 'nieuw@mail.example' }],
			phoneNumbers: [{ phoneNumber: '+31 6 1', phoneType: 'work' }],
			address: { city: 'Delft' },
			tags: [`/tags/${TAGS[0]}`],
		},
		{ id: PEOPLE[0].id },
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
const { people, organizations } = EMBEDDED;

const asLink = (collection: string, { id }: { id?: string }) => ({
	'@id': `/${collection}/${id}`,
	id,
});
const LINKED = {
	...EMBEDDED,
	people: [people[0], asLink('people', people[1])],
	organizations: [organizations[0], asLink('organizations', organizations[1])],
	tags: [EMBEDDED.tags[0], asLink('tags', EMBEDDED.tags[1])],
};

describe('records that stand in the JSON of a task', () => {
	const scene = useScene();
	const [{ id }] = TASKS;

	it('are sent as they are, to be made, or as links where they are nothing but an ID', async () => {
		const { items, error } = await scene.task('create', { inputMode: 'json', jsonBody: EMBEDDED });
		expect(error).toBeUndefined();
		expect(scene.sent()).toEqual([post('/tasks', LINKED)]);
		expect(items[0].json.people).toEqual([expect.any(String), `/people/${PEOPLE[0].id}`]);
	});

	it('are sent as they are where it is copied', async () => {
		const copy = { title: 'Copy', status: COLUMNS[1], isTemplate: true, people, organizations };
		const parameters = { taskId: locator(id), inputMode: 'json', jsonBody: copy };
		expect((await scene.task('duplicate', parameters)).error).toBeUndefined();
		const { people: made, organizations: others } = LINKED;
		const sent = { ...copy, people: made, organizations: others };
		expect(scene.sent()).toEqual([post(`/tasks/${id}/duplicate`, sent)]);
	});
});
