import { changeSwitches } from '../service/switches';
import { locator } from './support/fields';
import { excuse } from './support/recordExchanges';
import { useScene } from './support/scene';
import { ORGANIZATIONS, PEOPLE, TAGS, TASKS, USERS } from './support/seeded';

const scene = useScene();
const [{ id, emailAddresses }] = PEOPLE;
const [{ email = '' }] = emailAddresses as Array<{ email: string }>;
const personId = locator(id);
const held = () => scene.service.store.people.get(id)!;
const tellChanges = { options: { tellChanges: true } };

const [work, home] = [
	{ phoneNumber: '+31 20 1234567', phoneType: 'work' as const },
	{ phoneNumber: '+31 30 7654321', phoneType: 'home' as const },
];

describe('changes of an update by ID', () => {
	const inFields = (phoneNumbers: object[]) => ({ updateFields: { phoneNumbers } });
	const inJson = (phoneNumbers: object[]) => ({
		...{ inputMode: 'json', jsonBody: JSON.stringify({ phoneNumbers }) },
	});

	it.each([
		['fields', inFields],
		['JSON', inJson],
	])('An update given as %s reports a new spelling of a phone number', async (_, given) => {
		scene.change('people', id, { phoneNumbers: [work, home] });
		const respelled = { ...work, phoneNumber: '020-1234567' };
		const phoneNumbers = { added: [respelled], removed: [work] };
		const from = [work, home];
		const to = [respelled, home];
		for (const options of [{ previewOnly: true }, { tellChanges: true }]) {
			const { items } = await scene.person('update', {
				...{ personId, options, ...given([respelled, home]) },
			});
			expect(items[0].json.changes).toEqual({ phoneNumbers: { ...phoneNumbers, from, to } });
		}
		expect(held().phoneNumbers).toEqual(to);
	});

	it('With Tell What Changed, an update with unchanged values reports and writes no changes', async () => {
		scene.change('people', id, { phoneNumbers: [work], archivedAt: '2026-01-05T09:00:06+00:00' });
		const updateFields = {
			...{ familyName: held().familyName, phoneNumbers: [work] },
			archivedAt: '2026-01-05T09:00:06.789Z',
		};
		const { items } = await scene.person('update', { personId, ...tellChanges, updateFields });
		expect(items[0].json).toMatchObject({ result: 'unchanged', changes: {} });
		expect(scene.writes()).toEqual([]);
	});

	it('With Tell What Changed, an update sends only the fields that differ', async () => {
		scene.change('people', id, { phoneNumbers: [work], jobTitle: 'Buyer' });
		const updateFields = { jobTitle: 'Chef', phoneNumbers: [work] };
		await scene.person('update', { personId, ...tellChanges, updateFields });
		expect(scene.writes().map(({ body }) => body)).toEqual([{ jobTitle: 'Chef' }]);
	});
});

describe('the changes that Replace reports', () => {
	const replace = async (more = {}) =>
		await scene.person('replace', { personId, familyName: 'Bos', ...tellChanges, ...more });

	it('If the service keeps unsent fields, Replace reports only changes that the answer shows', async () => {
		changeSwitches(scene.service.switches, { replaced: 'merged' });
		scene.change('people', id, { familyName: 'Jansen', jobTitle: 'Buyer' });
		const { items } = await replace();
		expect(items[0].json.changes).toEqual({ familyName: { from: 'Jansen', to: 'Bos' } });
		expect(items[0].json.note).toMatch(
			/^The service shows other values than were sent: .*Job Title.*Email Addresses/,
		);
		expect(held()).toMatchObject({ jobTitle: 'Buyer', emailAddresses });
	});

	it('Replace sends nothing if it would change nothing', async () => {
		await replace();
		scene.clear();
		const { items } = await replace();
		expect(items[0].json).toMatchObject({ result: 'unchanged', changes: {} });
		expect(scene.writes()).toEqual([]);
	});

	describe('Replace of a task with links that only a new task can get', () => {
		const task = TASKS.find(({ archivedAt, completedAt }) => !archivedAt && !completedAt)!;
		const links = {
			tags: [`/tags/${TAGS[0]}`],
			people: [`/people/${PEOPLE[0].id}`],
			organizations: [`/organizations/${ORGANIZATIONS[0]}`],
		};
		const stored = () => scene.service.store.tasks.get(task.id)!;
		const replaceTask = async (options: object) =>
			await scene.task('replace', {
				...{ taskId: locator(task.id), title: task.title, status: locator(task.status) },
				options,
			});
		const removedLinks = {
			tags: { added: [], removed: links.tags },
			people: { added: [], removed: links.people },
			organizations: { added: [], removed: links.organizations },
		};
		beforeEach(() => {
			scene.change('tasks', task.id, {
				...{ description: null, dueDate: null, assignees: [], observers: [] },
				...{ storyPointEstimation: null, timeEstimation: null, dealSizeEstimation: null },
				...links,
			});
		});

		it('The preview of Replace names the links that the task may lose', async () => {
			const { items } = await replaceTask({ previewOnly: true });
			expect(items[0].json).toMatchObject({ preview: 'update', changes: removedLinks });
			expect(scene.writes()).toEqual([]);
		});

		it('Replace does not remove links if the approved changes do not name them', async () => {
			const { error } = await replaceTask({ approvedChanges: {} });
			expect(error?.message).toMatch(/Tags/);
			expect(stored()).toMatchObject(links);
		});

		it.each(['anew', 'kept', 'merged'] as const)(
			'Replace reports removed links only if the task lost them (switch "replaced": %s)',
			async (replaced) => {
				changeSwitches(scene.service.switches, { replaced });
				const { items } = await replaceTask({ tellChanges: true });
				expect(items[0].json.changes).toEqual(
					replaced === 'anew' ? expect.objectContaining(removedLinks) : {},
				);
				expect(items[0].json).not.toHaveProperty('note');
				if (replaced !== 'anew') expect(stored()).toMatchObject(links);
			},
		);

		it('If the answer shows no links, Replace reports no removed links', async () => {
			changeSwitches(scene.service.switches, { updatedTask: 'update-fields' });
			const { items } = await replaceTask({ tellChanges: true });
			expect(items[0].json.changes).toEqual({});
		});
	});
});

describe('Create or Update', () => {
	it('If the service drops milliseconds of times, a second Create or Update writes nothing', async () => {
		const upsert = {
			...{ email, familyName: held().familyName },
			additionalFields: { archivedAt: '2026-12-31T10:00:06.789Z' },
		};
		const results: unknown[] = [];
		for (let run = 0; run < 2; run++) {
			const { items } = await scene.person('upsert', upsert);
			results.push(items[0].json.result);
		}
		expect(results).toEqual(['updated', 'unchanged']);
		expect(scene.writes()).toHaveLength(1);
	});
});

it('Create reports every written field of a new person as a change', async () => {
	const { items } = await scene.person('create', { familyName: 'Bos', email: 'bos@mail.example' });
	expect(items[0].json).toMatchObject({
		result: 'created',
		changes: {
			familyName: { from: null, to: 'Bos' },
			emailAddresses: { added: [{ email: 'bos@mail.example' }], removed: [] },
		},
	});
});

describe('the note on values that had no effect', () => {
	it('Update of a task and its preview note that tags had no effect', async () => {
		excuse('requests', 'a user writes a field that an update does not take');
		const [{ id: task, tags }] = TASKS;
		const jsonBody = JSON.stringify({ tags: TAGS.map((tag) => `/tags/${tag}`) });
		const given = { taskId: locator(task), inputMode: 'json', jsonBody };
		const note = expect.stringMatching(/other values than were sent: Tags/) as string;
		for (const options of [{ previewOnly: true, output: 'raw' }, { tellChanges: true }]) {
			const { items } = await scene.task('update', { ...given, options });
			expect(items[0].json).toMatchObject({ changes: {}, note });
		}
		expect(scene.service.store.tasks.get(task)!.tags).toEqual(tags);
	});

	it('Replace of a comment adds no note on values that it did not send', async () => {
		const [[task, [comment]]] = scene.service.store.comments;
		const given = { taskId: locator(task), commentId: locator(comment.id), description: 'New' };
		const { items } = await scene.comment('replace', { ...given, ...tellChanges });
		expect(items[0].json).toMatchObject({ result: 'updated' });
		expect(items[0].json).not.toHaveProperty('note');
	});
});

describe('the changes of references with their titles', () => {
	const [{ id: task, author }] = TASKS.filter((one) => one.author);
	const [user] = USERS.map((one) => `/users/${one}`).filter((iri) => iri !== author);
	const credentials = { names: `${user} = Zoë Blom\n${author} = Ada Bos` };
	const update = async (omitFields: string[]) => {
		changeSwitches(scene.service.switches, { omitFields });
		const updateFields = { author: locator(user), title: 'New' };
		const parameters = { taskId: locator(task), ...tellChanges, updateFields };
		return (await scene.task('update', parameters, { credentials })).items[0].json;
	};

	it('Tell What Changed shows the title of a reference before and after the update', async () => {
		const { title } = scene.service.store.tasks.get(task)!;
		expect((await update([])).changes).toEqual({
			author: { from: author, fromTitle: 'Ada Bos', to: user, toTitle: 'Zoë Blom' },
			title: { from: title, to: 'New' },
		});
	});

	it('If a task shows no author, Tell What Changed reports none before', async () => {
		const told = { from: null, fromTitle: null, to: user, toTitle: 'Zoë Blom' };
		expect((await update(['author'])).changes).toMatchObject({ author: told });
	});
});
