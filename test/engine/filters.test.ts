import { taskReadFilters } from '../../nodes/ContactTaskCrm/resources/task/record';
import { contracts } from '../../nodes/ContactTaskCrm/schema';
import type { RecordContract } from '../../nodes/ContactTaskCrm/schema/record';
import { itInCi, sampled } from '../support/drawn';
import { answer } from './support/faults';
import { locator, PICKED } from './support/fields';
import { useScene } from './support/scene';
import {
	COLUMNS,
	ORGANIZATIONS,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	USERS,
	WORKSPACES,
} from './support/seeded';
import { asSearch, get, steady } from './support/wire';

const PICKED_UTC = '2026-12-31T16:00:00Z';
const both = (ids: string[]) => ids.slice(0, 2);
const all = (query: string, ids: string[]) => ids.map((id) => `${query}[]=${id}`);

/** A filter, a value for it, and the expected query. */
type Filter = readonly [name: string, given: unknown, query: string[]];

const IDS: Record<string, string[]> = { '/users': USERS, '/tags': TAGS, '/segments': SEGMENTS };

/** Returns a value for each filter of the service, by its kind, and the expected query. */
function casesOf({ filters }: RecordContract): Filter[] {
	return Object.entries(filters).flatMap(([name, filter]): Filter[] => {
		const { kind, query, takesSeveral, refersTo = '' } = filter;
		if (kind === 'dateTime') return [[name, PICKED, [`${query}=${PICKED_UTC}`]]];
		if (kind === 'boolean') {
			const words = ['true', 'false'].map((word): Filter => [name, word, [`${query}=${word}`]]);
			return [...words, [name, 'any', []]];
		}
		const values = kind === 'text' ? ['O’Neill & sons + co=1', 'b'] : both(IDS[refersTo]);
		const sent = values.map((value) => (kind === 'iri' ? `${refersTo}/${value}` : value));
		const iris = values.map((value) => `${refersTo}/${value}`);
		return [
			[name, takesSeveral ? values.slice(0, 1) : values[0], [`${query}=${sent[0]}`]],
			...(takesSeveral ? [[name, values, all(query, sent)] as const] : []),
			...(kind === 'text' ? [] : [[name, iris, all(query, sent)] as const]),
		];
	});
}

type Name = keyof typeof contracts;

const FURTHER: Partial<Record<Name, Filter[]>> = {
	person: [
		['emailAddressesEmail', ['a+b@mail.example'], ['emailAddresses.email=a+b@mail.example']],
		['createdAtAfter', '2026-07-01T09:00:00+02:00', ['createdAt[after]=2026-07-01T07:00:00Z']],
		['identifiers', ['+31 6 12345678'], ['identifiers=+31 6 12345678']],
	],
	workspace: [
		['title', ['Sales', 'Support'], all('title', ['Sales', 'Support'])],
		['title', 'Sales', ['title=Sales']],
		['title', 'a, b', ['title=a, b']],
	],
};

/** Each resource whose filters the service applies, with its path and the cases of its filters. */
const FILTERED = (Object.entries(contracts) as Array<[Name, RecordContract]>)
	.map(([name, contract]): [Name, string, Filter[]] => [
		name,
		contract.collection,
		[...casesOf(contract), ...(FURTHER[name] ?? [])],
	])
	.filter(([, , filters]) => filters.length > 0);

describe.each(FILTERED)('a list of the resource %s', (resource, path, filters) => {
	const scene = useScene();
	beforeEach(async () => await scene.showTimes());

	it.each(sampled(filters, 10))(
		'Get Many sends the filter %s to the service: %j',
		async (name, given, query) => {
			const parameters = { limit: 30, output: 'raw', filters: { [name]: given } };
			const { items, error } = await scene[resource]('getAll', parameters);
			expect(error).toBeUndefined();
			expect(scene.sent()).toEqual([get(path, ...query, 'itemsPerPage=30')]);
			// The answer of the service to a direct request with the same query.
			const { member } = await scene.record(`${path}?itemsPerPage=30&${asSearch(query)}`);
			const shown = steady(member as object[]);
			expect(steady(items)).toEqual(shown.map((json) => ({ json, pairedItem: { item: 0 } })));
		},
	);
});

describe('the query that Get Many sends', () => {
	const scene = useScene();
	beforeEach(async () => await scene.showTimes());

	const getAll = async (parameters: object, json = {}) =>
		await scene.person('getAll', { output: 'raw', limit: 30, ...parameters }, { input: [json] });

	it.each([
		['familyName', 'asc'],
		['familyName', 'desc'],
		['createdAt', 'asc'],
		['createdAt', 'desc'],
	])('Get Many of people sorts by the field %s in the order %s', async (name, direction) => {
		const { items } = await getAll({ sort: { [name]: direction } });
		const query = [`order[${name}]=${direction}`];
		expect(scene.sent()).toEqual([get('/people', ...query, 'itemsPerPage=30')]);
		const { member } = await scene.record(`/people?itemsPerPage=30&${asSearch(query)}`);
		expect(steady(items.map(({ json }) => json))).toEqual(steady(member));
		expect(items).toHaveLength(30);
	});

	it('Get Many repeats all filters and the order on every page', async () => {
		const found = PEOPLE.slice(0, 70);
		for (const { id } of found) scene.change('people', id, { owner: `/users/${USERS[0]}` });
		await getAll({
			returnAll: true,
			filters: { ownerId: both(USERS), existsArchivedAt: false, createdAtAfter: '2020-01-01' },
			sort: { familyName: 'asc', createdAt: 'desc' },
		});
		const query = [
			...all('owner.id', both(USERS)),
			'exists[archivedAt]=false',
			'createdAt[after]=2019-12-31T23:00:00Z',
			'order[familyName]=asc',
			'order[createdAt]=desc',
			'itemsPerPage=30',
		];
		expect(scene.sent()[0]).toEqual(get('/people', ...query));
		expect(scene.sent().length).toBeGreaterThan(1);
		for (const [index, sent] of scene.sent().slice(1).entries()) {
			expect(sent).toEqual(get('/people', ...query, `page=${index + 2}`));
		}
	});

	it.each(
		sampled(
			[
				['a text with commas', 'ownerId', both(USERS).join(', '), all('owner.id', both(USERS))],
				['a list', 'tagsId', both(TAGS), all('tags.id', both(TAGS))],
				...[
					['emailAddressesEmail', 'emailAddresses.email', ['a@x.example', 'b@x.example']],
					['identifiers', 'identifiers', ['a@x.example', '+31 6 12345678', 'eva-vos-1']],
				].flatMap(([name, query, values]) =>
					[', ', ';', '\n'].map((sign): [string, string, unknown, string[]] => [
						`a text with ${JSON.stringify(sign)}`,
						name as string,
						(values as string[]).join(sign),
						all(query as string, values as string[]),
					]),
				),
				['a record', 'ownerId', { id: USERS[0] }, [`owner.id=${USERS[0]}`]],
				['a record without an IRI', 'ownerId', [{ id: 5 }, { id: 6 }], all('owner.id', ['5', '6'])],
				['a number', 'q', 1042, ['q=1042']],
				['a list of one', 'q', ['jansen'], ['q=jansen']],
				['TRUE in capitals', 'existsArchivedAt', 'TRUE', ['exists[archivedAt]=true']],
				['a boolean', 'existsArchivedAt', false, ['exists[archivedAt]=false']],
				['the word Yes', 'existsArchivedAt', ' Yes ', ['exists[archivedAt]=true']],
				['the word no', 'existsArchivedAt', 'no', ['exists[archivedAt]=false']],
				['the word Any', 'existsArchivedAt', ' Any ', []],
				['a date', 'createdAtAfter', '2026-06-01', ['createdAt[after]=2026-05-31T22:00:00Z']],
			],
			4,
		),
	)(
		'Get Many takes the value of a filter as %s from an expression',
		async (_, name, value, query) => {
			await getAll({ filters: { [name]: '={{ $json.value }}' } }, { value });
			expect(scene.sent()).toEqual([get('/people', ...query, 'itemsPerPage=30')]);
		},
	);

	it.each([
		['Email', { emailAddressesEmail: ['={{ $json.value }}'] }],
		['Email, Phone or Network ID', { identifiers: '={{ $json.value }}' }],
		['Owner', { ownerId: '={{ $json.value }}' }],
		['Search', { q: '={{ $json.value }}' }],
	])('The filter %s refuses the text of an object before any request', async (label, filters) => {
		const { error } = await getAll({ filters }, { value: '[object Object]' });
		expect(error?.message).toMatch(new RegExp(`^${label}: expected a value, got`));
		expect(scene.sent()).toEqual([]);
	});

	it('Get Many leaves out filters that the user added and did not fill in', async () => {
		const blank = { q: '', ownerId: [], tagsId: [], emailAddressesEmail: [''], createdAtAfter: '' };
		await getAll({ filters: blank });
		expect(scene.sent()).toEqual([get('/people', 'itemsPerPage=30')]);
	});

	it('Get Many encodes special characters, so that the service reads the given text', async () => {
		await getAll({ filters: { q: 'a+b c&d=é#?/[]' } });
		expect(scene.request().rawUrl).toBe(
			'/people?q=a%2Bb%20c%26d%3D%C3%A9%23%3F%2F%5B%5D&itemsPerPage=30',
		);
		expect(scene.request().query.q).toBe('a+b c&d=é#?/[]');
	});
});

type Task = (typeof TASKS)[number];

const [{ id: workspaceId }] = WORKSPACES;
const eva = `/users/${USERS[0]}`;
const [linked] = TASKS.flatMap(({ people }) => people);
const middle = TASKS.map(({ updatedAt }) => updatedAt).sort()[TASKS.length >> 1];
const early = TASKS.map(({ createdAt }) => createdAt).sort()[TASKS.length >> 1];
const due = TASKS.find(({ dueDate }) => dueDate)!.dueDate!;

/** Filters that the node applies to tasks, with the tasks to keep. The expectations do not use the node's code. */
const ofTasks: ReadonlyArray<
	readonly [name: string, value: unknown, keeps: (task: Task) => boolean]
> = [
	['workspaceId', locator(workspaceId), ({ status }) => status.includes(workspaceId)],
	['workspaceId', `/workspaces/${workspaceId}`, ({ status }) => status.includes(workspaceId)],
	['status', locator(COLUMNS[0]), ({ status }) => status === COLUMNS[0]],
	['assignees', [eva], ({ assignees }) => assignees.includes(eva)],
	[
		'assignees',
		both(USERS).join(', '),
		({ assignees }) => both(USERS).some((id) => assignees.includes(`/users/${id}`)),
	],
	['people', locator(linked), ({ people }) => people.includes(linked)],
	['state', 'completed', ({ completedAt }) => completedAt !== null],
	['state', 'Open', ({ completedAt }) => completedAt === null],
	['tags', [TAGS[0]], ({ tags }) => tags.includes(`/tags/${TAGS[0]}`)],
	[
		'tags',
		`/tags/${TAGS[0]}, ${TAGS[1]}`,
		({ tags }) => both(TAGS).some((id) => tags.includes(`/tags/${id}`)),
	],
	['createdAtAfter', early, ({ createdAt }) => createdAt >= early],
	['createdAtBefore', early, ({ createdAt }) => createdAt <= early],
	['existsArchivedAt', 'false', ({ archivedAt }) => archivedAt === null],
	['isFlagged', 'true', ({ isFlagged }) => isFlagged === true],
	['isFlagged', false, ({ isFlagged }) => isFlagged !== true],
	[
		'isOverdue',
		'true',
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

it('The cases of this test file cover every filter of tasks', () => {
	// Organizations have a test of their own, because it needs changed records.
	const tried = new Set([...ofTasks.map(([name]) => name), 'organizations']);
	expect([...tried].sort()).toEqual(Object.keys(taskReadFilters).sort());
});

describe.each(sampled(['omitted', 'shown']))(
	"the filters of tasks (the service's null fields: %s)",
	(nulls) => {
		const scene = useScene({ switches: { omitNulls: nulls === 'omitted' } });

		it.each(sampled(ofTasks, 4))(
			'Get Many of tasks keeps exactly the tasks that meet the filter %s: %j',
			async (name, value, keeps) => {
				const expected = TASKS.filter(keeps).map(({ id }) => id);
				expect(expected.length).toBeGreaterThan(0);
				expect(expected.length).toBeLessThan(TASKS.length);
				const parameters = { returnAll: true, output: 'raw', filters: { [name]: value } };
				const { items, error } = await scene.task('getAll', parameters);
				expect(error).toBeUndefined();
				expect(items.map(({ json }) => json.id)).toEqual(expected);
			},
		);
	},
);

describe('a filter of tasks', () => {
	const scene = useScene();
	const open = TASKS.filter(({ completedAt }) => completedAt === null).map(({ id }) => id);
	const isOpen = { state: 'open' };

	const getAll = async (filters: object, more: object = {}, input = [{}]) => {
		const parameters = { returnAll: true, output: 'raw', filters, ...more };
		const { items, error } = await scene.task('getAll', parameters, { input });
		const lookups = scene.requests().filter(({ path }) => path === '/people');
		return { items, error, lookups, ids: items.map(({ json }) => json.id) };
	};

	const [acme, none, elsewhere] = ORGANIZATIONS;

	it.each([[[acme]], [`/organizations/${acme}`], [`${none}, ${acme}`], [{ id: acme }]])(
		'A filter of tasks by organization keeps the tasks linked to it: %j',
		async (organizations) => {
			const [task, another] = [TASKS[2], TASKS[7]];
			scene.change('tasks', task.id, { organizations: [`/organizations/${acme}`] });
			scene.change('tasks', another.id, { organizations: [`/organizations/${elsewhere}`] });
			const { ids, error } = await getAll({ organizations });
			expect(error).toBeUndefined();
			expect(ids).toEqual([task.id]);
		},
	);

	it('The choice "any" in filters of tasks keeps all tasks', async () => {
		const whatever = { state: 'any', isOverdue: '={{ "any" }}', isFlagged: 'any' };
		const { ids, error } = await getAll(whatever);
		expect(error).toBeUndefined();
		expect(ids).toEqual(TASKS.map(({ id }) => id));
	});

	it('With a filter of tasks, Get Many stops reading once Limit is reached', async () => {
		const { ids } = await getAll(isOpen, { returnAll: false, limit: 3 });
		expect(ids).toEqual(open.slice(0, 3));
		expect(scene.sent()).toEqual([get('/tasks', 'itemsPerPage=30')]);
	});

	it('If the node itself filters tasks, Count and IDs Only cover only matching tasks', async () => {
		const counted = await getAll(isOpen, { output: 'count' });
		expect(counted.items.map(({ json }) => json)).toEqual([{ count: open.length }]);
		const found = await getAll(isOpen, { output: 'identifiers' });
		expect(found.items.map(({ json }) => json)).toEqual(open.map((id) => ({ id })));
	});

	it('Get Many keeps only tasks that meet all given filters', async () => {
		const { ids } = await getAll({ ...isOpen, status: locator(COLUMNS[1]) });
		expect(ids).toEqual(
			TASKS.filter(({ id, status }) => open.includes(id) && status === COLUMNS[1]).map(
				({ id }) => id,
			),
		);
	});

	it('Get Many refuses a column of another workspace before it reads any task', async () => {
		const workspaceId = locator('Support');
		for (const status of [locator(COLUMNS[3]), [COLUMNS[3]]]) {
			const { error } = await getAll({ status, workspaceId });
			expect(error?.message).toBe('Column is one of another workspace than Workspace');
		}
		expect(scene.requests().map(({ path }) => path)).not.toContain('/tasks');
		const both = await getAll({ status: [COLUMNS[3], 'Support / To do'], workspaceId });
		expect(both.error).toBeUndefined();
	});

	it.each(['Support', 'Onboarding'])(
		'A filter of tasks finds a column title in the chosen workspace: %s',
		async (title) => {
			const { id } = WORKSPACES.find((one) => one.title === title)!;
			const { ids } = await getAll({ status: locator('To do'), workspaceId: locator(title) });
			const { ids: byIri } = await getAll({ status: locator(`${title} / To do`) });
			expect(ids).toEqual(byIri);
			expect(TASKS.filter((task) => ids.includes(task.id))).toEqual(
				TASKS.filter(({ id: own, status }) => byIri.includes(own) && status.includes(id)),
			);
		},
	);

	it.each([
		['Assignee', { assignees: '={{ $json.user }}', workspaceId: locator('') }],
		['Column', { status: locator('={{ $json.column }}') }],
	])(
		'Unless When a Filter Is Empty says Ignore, Get Many refuses an empty %s',
		async (label, filters) => {
			const refused = await getAll(filters);
			expect(refused.error?.message).toBe(
				`${label} is empty: its expression gave nothing for this item`,
			);
			expect(scene.requests()).toEqual([]);
			const ignored = await getAll(filters, { options: { whenFilterEmpty: 'ignore' } });
			expect(ignored.items).toHaveLength(TASKS.length);
		},
	);

	it.each([
		['Column', { status: locator(COLUMNS[0]) }, 'status'],
		['Tag', { tags: [TAGS[0]] }, 'tags'],
		['Created After', { createdAtAfter: '2026-01-01' }, 'createdAt'],
	])(
		'A filter of tasks fails if the service does not show its field: %s',
		async (label, by, field) => {
			scene.faults(answer({ member: [{ '@id': '/tasks/1', title: 'Call' }] }));
			const { error } = await getAll(by);
			expect(error?.message).toBe(
				`${label}: the service shows no ${field} of the tasks, so that the filter cannot be applied`,
			);
		},
	);

	const byEmail = (value: unknown) => ({ ...locator(value), mode: 'email' });
	const person = PEOPLE.find(({ id }) => `/people/${id}` === linked)!;
	const [{ email = '' }] = person.emailAddresses as Array<{ email: string }>;
	const other = PEOPLE.find(({ id }) =>
		TASKS.some(({ people }) => people.includes(`/people/${id}`) && id !== person.id),
	)!;
	const tasksOf = (...ids: string[]) =>
		TASKS.filter(({ people }) => ids.some((id) => people.includes(`/people/${id}`))).map(
			({ id }) => id,
		);

	it.each([
		['in the mode By Email', byEmail(email)],
		['with blanks', byEmail(` ${email} `)],
		['as text', email],
		['beside an ID', [email, other.id]],
	])(
		'A filter of tasks looks a person up once by e-mail address, given %s',
		async (_form, people) => {
			const { ids, error, lookups } = await getAll({ people });
			expect(error).toBeUndefined();
			expect(ids).toEqual(tasksOf(person.id, ...(Array.isArray(people) ? [other.id] : [])));
			expect(lookups).toHaveLength(1);
		},
	);

	itInCi(
		'Twenty items that filter tasks by e-mail address share their lookups of people',
		async () => {
			const addressed = PEOPLE.filter(({ emailAddresses }) => emailAddresses.length > 0).slice(
				0,
				20,
			);
			const { items, error, lookups } = await getAll(
				{ people: byEmail('={{ $json.email }}') },
				{},
				addressed.map(({ emailAddresses }) => ({ email: emailAddresses[0].email })),
			);
			expect(error).toBeUndefined();
			expect(items.map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual(
				addressed.flatMap(({ id }, item) => tasksOf(id).map((task) => [task, { item }])),
			);
			expect(lookups.length).toBeLessThan(5);
		},
	);

	it('A filter of tasks refuses an unknown e-mail address, and reads no task', async () => {
		const { error } = await getAll({ people: byEmail('nobody@example.com') });
		expect(error?.message).toBe('Nobody has the e-mail address "nobody@example.com"');
		expect(scene.requests().filter(({ path }) => path === '/tasks')).toEqual([]);
	});
});

describe('a filter that all records of the first page meet', () => {
	const scene = useScene({ seed: { people: 90, tasks: 0 } });
	beforeEach(async () => await scene.showTimes());

	const [early, late] = ['2025-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00'];
	const [edge, email] = ['2025-06-01', 'info@vries.example'];

	/** Each filter, with a value, and the fields of people who meet it and of people who do not. */
	const CASES: ReadonlyArray<readonly [string, unknown, object, object]> = [
		['createdAtBefore', edge, { createdAt: early }, { createdAt: late }],
		['createdAtStrictlyBefore', edge, { createdAt: early }, { createdAt: late }],
		['createdAtAfter', edge, { createdAt: late }, { createdAt: early }],
		['createdAtStrictlyAfter', edge, { createdAt: late }, { createdAt: early }],
		['existsArchivedAt', 'false', { archivedAt: null }, { archivedAt: late }],
		['existsArchivedAt', 'true', { archivedAt: late }, { archivedAt: null }],
		['ownerId', [USERS[0]], { owner: `/users/${USERS[0]}` }, { owner: null }],
		['tagsId', [TAGS[0]], { tags: [`/tags/${TAGS[0]}`] }, { tags: [] }],
		['segmentsUuid', [SEGMENTS[0]], { segments: [`/segments/${SEGMENTS[0]}`] }, { segments: [] }],
		['emailAddressesEmail', [email], { emailAddresses: [{ email }] }, { emailAddresses: [] }],
		['identifiers', [email], { emailAddresses: [{ email }] }, { emailAddresses: [] }],
	];
	const OUTPUTS = ['simplified', 'identifiers', 'count'];

	/** Gives the first people of the list one kind of fields, and the others another. */
	function arrange(first: object, others: object, count = 40) {
		for (const [index, id] of [...scene.service.store.people.keys()].entries())
			scene.change('people', id, index < count ? first : others);
	}

	const getAll = async (output: string, filters: object) => {
		scene.clear();
		const { items, error } = await scene.person('getAll', { output, returnAll: true, filters });
		const found = output === 'count' ? items[0]?.json.count : items.length;
		return { found, error, requests: scene.requests().length };
	};

	it.each(sampled(CASES, 12))(
		'Get Many fails in every output if the service ignores the filter %s: %j',
		async (name, value, first, others) => {
			arrange(first, others);
			scene.service.switches.dropFilters = [contracts.person.filters[name].query];
			for (const output of OUTPUTS) {
				const { found, error } = await getAll(output, { [name]: value });
				expect(error?.message).toMatch(
					/: the service returned people that do not meet the filter$/,
				);
				expect(found ?? 0).toBe(0);
			}
		},
	);

	it('If the service ignores a filter, the error output names the filter as parameter', async () => {
		scene.service.switches.dropFilters = ['tags.id'];
		const parameters = { filters: { tagsId: [TAGS[0]] } };
		const { errorItems } = await scene.person('getAll', parameters, {
			onError: 'continueErrorOutput',
		});
		expect(errorItems[0].json.details).toMatchObject({ parameter: 'Tag' });
	});

	it.each(sampled(CASES, 12))(
		'In every output, Get Many gives the same number of people (filter %s: %j)',
		async (name, value, first, others) => {
			for (const count of [0, 30, 40, 90]) {
				arrange(first, others, count);
				for (const output of OUTPUTS) {
					const { found, error } = await getAll(output, { [name]: value });
					expect(error).toBeUndefined();
					expect([output, found]).toEqual([output, count]);
				}
			}
		},
	);

	it('On a long list, the output Count takes one request more for each filter', async () => {
		arrange({ archivedAt: null, createdAt: early, tags: [`/tags/${TAGS[0]}`] }, { tags: [] });
		const filters = { existsArchivedAt: 'false', createdAtBefore: edge, tagsId: [TAGS[0]] };
		expect(await getAll('count', filters)).toEqual({ found: 40, requests: 4 });
	});

	it('The output IDs Only with a filter takes one request for each page', async () => {
		arrange({ archivedAt: null }, { archivedAt: late }, 20);
		expect(await getAll('identifiers', { existsArchivedAt: 'false' })).toMatchObject({
			found: 20,
			requests: 1,
		});
	});
});
