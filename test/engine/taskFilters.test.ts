import { describeBadInput, VALUE } from './support/badInput';
import { locator } from './support/fields';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TASKS, USERS, WORKSPACES } from './support/seeded';
import { get } from './support/wire';

type Task = (typeof TASKS)[number];

const [{ id: workspaceId }] = WORKSPACES;
const eva = `/users/${USERS[0]}`;
const [linked] = TASKS.flatMap(({ people }) => people);
const middle = [...TASKS].sort((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1))[
	TASKS.length >> 1
].updatedAt;
const due = TASKS.find(({ dueDate }) => dueDate)!.dueDate!;
const parameters = { resource: 'task', operation: 'getAll', output: 'raw', returnAll: true };

/** What each filter is to keep, told apart from how the node tells. */
const filters: ReadonlyArray<
	readonly [name: string, value: unknown, keeps: (task: Task) => boolean]
> = [
	['workspaceId', locator(workspaceId), ({ status }) => status.includes(workspaceId)],
	['workspaceId', `/workspaces/${workspaceId}`, ({ status }) => status.includes(workspaceId)],
	['status', locator(COLUMNS[0]), ({ status }) => status === COLUMNS[0]],
	['assignees', [eva], ({ assignees }) => assignees.includes(eva)],
	[
		'assignees',
		USERS.slice(0, 2).join(', '),
		({ assignees }) => USERS.slice(0, 2).some((id) => assignees.includes(`/users/${id}`)),
	],
	['people', locator(linked), ({ people }) => people.includes(linked)],
	['existsCompletedAt', true, ({ completedAt }) => completedAt !== null],
	['existsCompletedAt', false, ({ completedAt }) => completedAt === null],
	['existsArchivedAt', false, ({ archivedAt }) => archivedAt === null],
	['isFlagged', true, ({ isFlagged }) => isFlagged === true],
	['isFlagged', 'false', ({ isFlagged }) => isFlagged !== true],
	[
		'isOverdue',
		true,
		({ dueDate, completedAt, archivedAt }) =>
			dueDate !== null &&
			Date.parse(dueDate) < Date.now() &&
			completedAt === null &&
			archivedAt === null,
	],
	['dueDateAfter', due, ({ dueDate }) => dueDate !== null && dueDate >= due],
	['dueDateBefore', due, ({ dueDate }) => dueDate !== null && dueDate <= due],
	['updatedAtAfter', middle, ({ updatedAt }) => updatedAt >= middle],
	['updatedAtBefore', middle, ({ updatedAt }) => updatedAt <= middle],
	['title', 'CALL', ({ title }) => String(title).toLowerCase().includes('call')],
	['title', ['call', 'visit'], ({ title }) => /call|visit/i.test(String(title))],
];

describe.each(['omitted', 'shown'])('the filters of tasks (nulls %s)', (nulls) => {
	const scene = useScene({ switches: { omitNulls: nulls === 'omitted' } });

	it.each(filters)('%s: %j', async (name, value, keeps) => {
		const expected = TASKS.filter(keeps).map(({ id }) => id);
		expect(expected.length).toBeGreaterThan(0);
		expect(expected.length).toBeLessThan(TASKS.length);
		const { items, error } = await scene.run({
			parameters: { ...parameters, filters: { [name]: value } },
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual(expected);
	});
});

describe('a filter of tasks', () => {
	const scene = useScene();
	const open = TASKS.filter(({ completedAt }) => completedAt === null);

	it('reads no further than the limit needs', async () => {
		const { items } = await scene.run({
			parameters: {
				...parameters,
				returnAll: false,
				limit: 3,
				filters: { existsCompletedAt: false },
			},
		});
		expect(items.map(({ json }) => json.id)).toEqual(open.slice(0, 3).map(({ id }) => id));
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30')]);
	});

	it('counts what it keeps, and gives it as identifiers', async () => {
		const filters = { existsCompletedAt: false };
		const counted = await scene.run({ parameters: { ...parameters, filters, output: 'count' } });
		expect(counted.items.map(({ json }) => json)).toEqual([{ count: open.length }]);
		const found = await scene.run({
			parameters: { ...parameters, filters, output: 'identifiers' },
		});
		expect(found.items.map(({ json }) => json)).toEqual(open.map(({ id }) => ({ id })));
	});

	it('is met together with all others', async () => {
		const filters = { existsCompletedAt: false, status: locator(COLUMNS[1]) };
		const { items } = await scene.run({ parameters: { ...parameters, filters } });
		expect(items.map(({ json }) => json.id)).toEqual(
			open.filter(({ status }) => status === COLUMNS[1]).map(({ id }) => id),
		);
	});

	it('is refused where its expression gives nothing, unless that is to be ignored', async () => {
		const filters = { assignees: '={{ $json.user }}', workspaceId: locator('') };
		const refused = await scene.run({ parameters: { ...parameters, filters } });
		expect(refused.error?.message).toBe(
			'Assignee is empty: its expression gave nothing for this item',
		);
		expect(scene.requests()).toEqual([]);
		const ignored = await scene.run({
			parameters: { ...parameters, filters, options: { whenFilterEmpty: 'ignore' } },
		});
		expect(ignored.items).toHaveLength(TASKS.length);
	});

	it('of an expression in a locator is refused as well', async () => {
		const filters = { status: locator('={{ $json.column }}') };
		const { error } = await scene.run({ parameters: { ...parameters, filters } });
		expect(error?.message).toBe('Column is empty: its expression gave nothing for this item');
	});

	it('says so where the service does not show what it looks at', async () => {
		const member = [{ '@id': '/tasks/1', title: 'Call' }];
		scene.service.switches.faults = [{ kind: 'status', status: 200, body: { member } }];
		const { error } = await scene.run({
			parameters: { ...parameters, filters: { status: locator(COLUMNS[0]) } },
		});
		expect(error?.message).toBe(
			'Column: the service shows no status of the tasks, so that the filter cannot be applied',
		);
	});
});

describe('the person of a filter of tasks, given by e-mail address', () => {
	const scene = useScene();
	const person = PEOPLE.find(({ id }) => `/people/${id}` === linked)!;
	const [{ email }] = person.emailAddresses as Array<{ email: string }>;
	const byEmail = (value: unknown) => ({ ...locator(value), mode: 'email' });
	const other = PEOPLE.find(({ id }) =>
		TASKS.some(({ people }) => people.includes(`/people/${id}`) && id !== person.id),
	)!;
	const tasksOf = (...ids: string[]) =>
		TASKS.filter(({ people }) => ids.some((id) => people.includes(`/people/${id}`))).map(
			({ id }) => id,
		);

	it.each([
		['in the mode for it', byEmail(email)],
		['with blanks', byEmail(` ${email} `)],
		['as text', email],
		['beside an ID', [email, other.id]],
	])('%s is looked up once for the list', async (_form, people) => {
		const { items, error } = await scene.run({
			parameters: { ...parameters, filters: { people } },
		});
		expect(error).toBeUndefined();
		const ids = items.map(({ json }) => json.id);
		expect(ids).toEqual(tasksOf(person.id, ...(Array.isArray(people) ? [other.id] : [])));
		const lookups = scene.requests().filter(({ path }) => path === '/people');
		expect(lookups).toHaveLength(1);
	});

	it('of each of many items is looked up together with the others', async () => {
		const addressed = PEOPLE.flatMap(({ id, emailAddresses }) =>
			(emailAddresses as Array<{ email: string }>).slice(0, 1).map((first) => ({ id, ...first })),
		).slice(0, 20);
		const { items, error } = await scene.run({
			parameters: { ...parameters, filters: { people: byEmail('={{ $json.email }}') } },
			input: addressed.map((row) => ({ email: row.email })),
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
			addressed.flatMap(({ id }, item) => tasksOf(id).map((task) => [task, { item }])),
		);
		const lookups = scene.requests().filter(({ path }) => path === '/people');
		expect(lookups.length).toBeLessThan(5);
	});

	it('is named where nobody has it, and no task is read', async () => {
		const { error } = await scene.run({
			parameters: { ...parameters, filters: { people: byEmail('nobody@example.com') } },
		});
		expect(error?.message).toBe('Nobody has the e-mail address "nobody@example.com"');
		expect(scene.requests().filter(({ path }) => path === '/tasks')).toEqual([]);
	});
});

describeBadInput({
	parameter: 'Person',
	parameters: { ...parameters, filters: { people: VALUE } },
	right: linked,
	wrong: [['a/b', 'Person: expected an ID or an e-mail address, got "a/b"']],
});

describeBadInput({
	parameter: 'Overdue',
	parameters: { ...parameters, filters: { isOverdue: VALUE } },
	right: true,
	wrong: [['maybe', 'Overdue: expected true or false, got "maybe"']],
});

describeBadInput({
	parameter: 'Due Before',
	parameters: { ...parameters, filters: { dueDateBefore: VALUE } },
	right: '2026-01-31',
	wrong: [
		['soon', 'Due Before: expected a date such as 2026-12-31 or 2026-12-31T17:00:00Z, got "soon"'],
	],
});
