import { useScene } from './support/scene';
import { PEOPLE, TASKS } from './support/seeded';

const NARROW = 'To see others, narrow the search, or raise the limit where that can be given';

describe('a list that the limit cuts', () => {
	const scene = useScene();
	const people = { resource: 'person', operation: 'getAll', limit: 2 };
	const open = TASKS.filter(({ completedAt }) => completedAt === null);
	const openTasks = {
		resource: 'task',
		operation: 'getAll',
		limit: 3,
		output: 'raw',
		filters: { existsCompletedAt: false },
	};

	it('tells the model of an agent how many there are, from the same request', async () => {
		const { items, error } = await scene.run({ isTool: true, parameters: people });
		expect(error).toBeUndefined();
		const [first, second, note, ...others] = items.map(({ json }) => json);
		expect(others).toEqual([]);
		expect([first.id, second.id]).toEqual(PEOPLE.slice(0, 2).map(({ id }) => id));
		expect(note).toEqual({
			note: `These are the first 2 of ${PEOPLE.length} people. ${NARROW}`,
			shown: 2,
			total: PEOPLE.length,
		});
		const lists = scene.requests().filter(({ path }) => path === '/people');
		expect(lists).toHaveLength(1);
	});

	it('gives any other workflow the records and nothing else', async () => {
		const { items } = await scene.run({ parameters: people });
		expect(items.map(({ json }) => json.id)).toEqual(PEOPLE.slice(0, 2).map(({ id }) => id));
	});

	it('says of filters that the node applies how far it has looked', async () => {
		const { items } = await scene.run({ isTool: true, parameters: openTasks });
		const looked = Math.min(30, TASKS.length);
		expect(items.map(({ json }) => json.id ?? json)).toEqual([
			...open.slice(0, 3).map(({ id }) => id),
			{
				note: `These are the first 3 tasks that meet the filters, found among the first ${looked} of the ${TASKS.length} tasks there are; there may be more. ${NARROW}`,
				shown: 3,
				lookedAt: looked,
			},
		]);
	});

	it.each(['simplified', 'raw', 'selectedFields', 'identifiers'])(
		'is said to be one in the output %s',
		async (output) => {
			const parameters = { ...people, output };
			const { items } = await scene.run({ isTool: true, parameters });
			expect(items).toHaveLength(3);
			expect(items[2].json).toMatchObject({ shown: 2, total: PEOPLE.length });
		},
	);

	it('lets the model raise the limit, and says no more once the list is whole', async () => {
		const parameters = { ...people, limit: "={{ $fromAI('limit', 'How many', 'number') }}" };
		const { items } = await scene.run({
			isTool: true,
			parameters,
			input: [{ limit: PEOPLE.length }],
		});
		expect(items.map(({ json }) => json.id)).toEqual(PEOPLE.map(({ id }) => id));
	});

	it('says nothing where fewer meet the filters than the limit allows', async () => {
		const parameters = { ...openTasks, limit: open.length + 1 };
		const { items } = await scene.run({ isTool: true, parameters });
		expect(items.map(({ json }) => json.id)).toEqual(open.map(({ id }) => id));
	});
});

describe('a list with nothing in it', () => {
	const scene = useScene();

	it.each([
		[{ resource: 'person', filters: { q: 'nobody-is-called-this' } }, 'No people were found'],
		[
			{ resource: 'task', filters: { title: 'no-task-is-called-this' } },
			`None of the ${TASKS.length} tasks there are meets the filters`,
		],
	])('is said to be so: %j', async (asked, note) => {
		const parameters = { operation: 'getAll', ...asked };
		const { items } = await scene.run({ isTool: true, parameters });
		expect(items.map(({ json }) => json)).toEqual([{ note, shown: 0 }]);
		expect((await scene.run({ parameters })).items).toEqual([]);
	});
});

describe('a person whom a model names', () => {
	const scene = useScene();
	const [eva] = PEOPLE.filter(({ emailAddresses }) => (emailAddresses as unknown[]).length > 0);
	const [{ email }] = eva.emailAddresses as Array<{ email: string }>;

	it.each(['list', 'id', 'email'])('is found by e-mail address in the mode %s', async (mode) => {
		const personId = { __rl: true, mode, value: '={{ $fromAI("person") }}' };
		const { items, error } = await scene.run({
			isTool: true,
			parameters: { resource: 'person', operation: 'get', personId },
			input: [{ person: email }],
		});
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.id)).toEqual([eva.id]);
	});
});

describe('a list of texts that a model gives as JSON', () => {
	const scene = useScene();

	it.each([
		['the whole parameter', '={{ $fromAI("titles") }}'],
		['the only entry', ['={{ $fromAI("titles") }}']],
	])('is understood as %s', async (_place, title) => {
		const { items } = await scene.run({
			isTool: true,
			parameters: { resource: 'task', operation: 'getAll', returnAll: true, filters: { title } },
			input: [{ titles: '["call", "visit"]' }],
		});
		const expected = TASKS.filter((task) => /call|visit/i.test(String(task.title)));
		expect(items.map(({ json }) => json.id)).toEqual(expected.map(({ id }) => id));
	});
});

describe('a list of which the service does not say how long it is', () => {
	const scene = useScene({ switches: { bareCollections: true } });

	it('may have more', async () => {
		const parameters = { resource: 'person', operation: 'getAll', limit: 2 };
		const { items } = await scene.run({ isTool: true, parameters });
		expect(items[2].json).toEqual({
			note: `These are the first 2 people; there may be more. ${NARROW}`,
			shown: 2,
		});
	});
});
