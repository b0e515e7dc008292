import type { IDataObject } from 'n8n-workflow';
import { sampled } from '../support/drawn';
import type { NodeResult } from './support/runNode';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TAGS, TASKS, USERS } from './support/seeded';
import { locator } from './support/fields';

/*
 * Writes whose answer is lost, while a colleague changes the same record. The output tells what the node did, and not
 * what the colleague did.
 */

const scene = useScene();

const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const id = PEOPLE[0].id;
const other = PEOPLE[1].id;
const email = PEOPLE[0].emailAddresses[0].email!;
const personId = locator(id);
const TOLD = { output: 'simplified', tellChanges: true };
const stored = (one = id) => scene.service.store.people.get(one)!;
const json = ({ items }: NodeResult) => items.map((item) => item.json);
const emails = (one: string) => stored(one).emailAddresses.map((entry) => entry.email);

/** Changes of a colleague, with their time. */
const since = (changes: object) => ({
	...changes,
	updatedAt: `${new Date(Date.now() + 1_000).toISOString().slice(0, 19)}+00:00`,
});
const lose = (isStored: boolean, method = 'PATCH') =>
	scene.faults({ kind: 'reset', stored: isStored, match: { method, nth: 1 } });
/** Lets a colleague change a person right before the node sends its request with this number, from 1. */
const before = (request: number, changes: object, one = id) =>
	scene.onRequest(request, () => scene.change('people', one, since(changes)));
/** Returns a value without the parts of JSON-LD, whose IDs differ in each answer. */
const plain = (value: unknown) =>
	JSON.parse(
		JSON.stringify(value ?? null, (name, part: unknown) => (/^@/.test(name) ? undefined : part)),
	);
const undo = async (output: IDataObject[], resource: 'person' | 'task' = 'person') => {
	scene.faults();
	return await scene[resource]('undo', {}, { input: output });
};

describe('a list that a colleague changes while an answer is lost', () => {
	const added = { tags: { added: [A], removed: [] } };
	beforeEach(() => scene.change('people', id, { tags: [B] }));

	it.each([
		['addTags', true, { personId, tags: [A] }],
		['addTags', false, { personId, tags: [A] }],
		['upsert', false, { email, additionalFields: { tags: [A] } }],
	] as const)(
		'After a lost answer, %s reports only its own tag (write stored: %s)',
		async (operation, isStored, parameters) => {
			lose(isStored);
			before(3, { tags: [B, C] });
			const done = json(await scene.person(operation, parameters));
			expect(stored().tags).toEqual([B, C, A]);
			expect(done[0].changes).toEqual(added);
			await undo(done);
			expect(stored().tags).toEqual([B, C]);
		},
	);

	it("After a lost answer, Add Tags reports its own tag, not a colleague's", async () => {
		lose(true);
		before(3, { tags: [B, A, C] });
		const [{ changes, result }] = json(await scene.person('addTags', { personId, tags: [A] }));
		expect({ changes, result }).toEqual({ changes: added, result: 'updated' });
		expect(scene.writes()).toHaveLength(1);
	});

	it('After a lost answer, Update reports a new spelling of a phone number', async () => {
		const [old, respelled] = ['020-1234567', '+31 20 1234567'].map((phoneNumber) => ({
			...{ phoneNumber, phoneType: 'work' as const },
		}));
		scene.change('people', id, { phoneNumbers: [old] });
		lose(true);
		const updateFields = { phoneNumbers: [respelled] };
		const [item] = json(await scene.person('update', { personId, updateFields, options: TOLD }));
		expect(stored().phoneNumbers).toEqual([respelled]);
		const phoneNumbers = { added: [respelled], removed: [old] };
		expect(item).toMatchObject({ result: 'updated', changes: { phoneNumbers } });
	});

	it('Add Email Address does not report an address that a colleague moved away meanwhile', async () => {
		scene.change('people', id, { emailAddresses: [{ email: 'm@x.example' }] });
		scene.change('people', other, { emailAddresses: [] });
		lose(true);
		scene.onRequest(4, () => {
			scene.change('people', id, since({ emailAddresses: [{ email: 'm@x.example' }] }));
			scene.change('people', other, since({ emailAddresses: [{ email: 'n@x.example' }] }));
		});
		const parameters = { personId, email: 'n@x.example' };
		const [item] = json(await scene.person('addEmailAddress', parameters));
		expect(emails(other)).toEqual(['n@x.example']);
		expect(item).toMatchObject({
			result: 'unchanged',
			note: expect.stringMatching(/n@x/) as string,
		});
	});
});

describe('an e-mail address that moves while an answer is lost', () => {
	it.each([true, false])(
		"After a lost answer, Add Tags tags the address's new holder (write stored: %s)",
		async (isStored) => {
			const byEmail = { __rl: true, mode: 'email', value: email };
			lose(isStored);
			scene.onRequest(3, () => {
				scene.change('people', id, since({ emailAddresses: [] }));
				scene.change('people', other, since({ emailAddresses: [{ email }], tags: [B] }));
			});
			const [item] = json(await scene.person('addTags', { personId: byEmail, tags: [A] }));
			expect(stored(other).tags).toEqual([B, A]);
			expect(item).toMatchObject({
				id: other,
				result: 'updated',
				changes: { tags: { added: [A] } },
			});
			expect(item.note).toContain(`may have changed the person ${id}`);
		},
	);
});

describe('a field that a colleague changes while an answer is lost', () => {
	it("After a lost answer, Undo leaves a colleague's value, and does not report it", async () => {
		scene.change('people', id, { jobTitle: 'Old' });
		const updateFields = { jobTitle: 'X' };
		const done = json(await scene.person('update', { personId, updateFields, options: TOLD }));
		scene.clear();
		lose(true);
		before(3, { jobTitle: 'Theirs' });
		const { items } = await scene.person('undo', {}, { input: done });
		expect(stored().jobTitle).toBe('Theirs');
		expect(items[0].json).toMatchObject({
			changes: {},
			note: expect.stringMatching(/Job Title/) as string,
		});
	});

	it('If Undo leaves a created person active, it reports the person as unchanged', async () => {
		const created = json(await scene.person('create', { familyName: 'New' }));
		const made = String(created[0].id);
		scene.clear();
		lose(false);
		before(3, { jobTitle: 'Theirs' }, made);
		const { items } = await scene.person('undo', {}, { input: created });
		expect(stored(made).archivedAt).toBeNull();
		const note = expect.stringMatching(/stays active/) as string;
		expect(items[0].json).toMatchObject({ result: 'unchanged', changes: {}, note });
	});

	it.each([true, false])(
		"After a colleague's change, the node does not resend Replace (Tell What Changed: %s)",
		async (tellChanges) => {
			scene.change('people', id, { jobTitle: null });
			lose(false, 'PUT');
			before(tellChanges ? 3 : 2, { jobTitle: 'Theirs' });
			const options = { output: 'simplified', tellChanges };
			const parameters = { personId, familyName: 'Neu', options };
			const [{ note }] = json(await scene.person('replace', parameters));
			expect(stored().jobTitle).toBe('Theirs');
			expect(stored().familyName).not.toBe('Neu');
			const named = tellChanges ? ' \\(Job Title\\)' : '';
			expect(note).toMatch(
				new RegExp(`changed the person since${named}, so that it was not sent again`),
			);
			expect(scene.writes()).toHaveLength(1);
		},
	);
});

describe('a replacement that is not sent again, because a colleague has changed the record', () => {
	const [task] = TASKS;

	it.each([
		['person', true, { personId, familyName: 'Neu' }],
		['person', false, { personId, familyName: 'Neu' }],
		['task', true, { taskId: locator(task.id), title: 'Neu', status: locator(COLUMNS[2]) }],
		['task', false, { taskId: locator(task.id), title: 'Neu', status: locator(COLUMNS[2]) }],
	] as const)(
		'An unanswered Replace of a %s says whether it took effect (write stored: %s)',
		async (resource, isStored, parameters) => {
			scene.change('tasks', task.id, { status: COLUMNS[0] });
			lose(isStored, 'PUT');
			scene.onRequest(2, () =>
				resource === 'person'
					? scene.change('people', id, since({ jobTitle: 'Theirs', givenName: 'Theirs' }))
					: scene.change('tasks', task.id, since({ status: COLUMNS[1] })),
			);
			const { items } = await scene[resource]('replace', parameters);
			expect(items[0].json).toMatchObject({ result: isStored ? 'updated' : 'unchanged' });
			expect(scene.writes()).toHaveLength(1);
		},
	);
});

describe('a replacement that the service stored without an answer', () => {
	it.each(
		sampled(
			[
				[
					'person',
					{ personId, familyName: 'Neu' },
					['givenName', 'emailAddresses', 'tags', 'owner', 'address'],
				],
				[
					'task',
					{ taskId: locator(TASKS[0].id), title: 'Neu', status: locator(COLUMNS[2]) },
					['description', 'assignees', 'dueDate', 'status'],
				],
			] as const,
			2,
		),
	)(
		'After a lost answer, Replace of a %s reports emptied fields; Undo restores them',
		async (resource, parameters, emptied) => {
			const path = resource === 'person' ? `/people/${id}` : `/tasks/${TASKS[0].id}`;
			const full = await scene.record(path);
			lose(true, 'PUT');
			const done = json(await scene[resource]('replace', { ...parameters, options: TOLD }));
			expect(Object.keys(done[0].changes as object)).toEqual(expect.arrayContaining([...emptied]));
			await undo(done, resource);
			const back = await scene.record(path);
			for (const name of emptied) expect(plain(back[name])).toEqual(plain(full[name]));
		},
	);
});

describe('the output of an update whose answer is lost', () => {
	const taskId = TASKS[0].id;

	it.each(sampled(['raw', 'simplified'], 2))(
		'After a lost answer, an update reports its changes as usual (Output: %s)',
		async (output) => {
			scene.service.switches.references = 'embedded';
			const updated = async (isLost: boolean) => {
				const [earlier, later] = USERS.map((user) => `/users/${user}`);
				scene.change('tasks', taskId, { status: COLUMNS[0], assignees: [earlier] });
				if (isLost) lose(true);
				const updateFields = { status: locator(COLUMNS[1]), assignees: [later] };
				const options = { output, tellChanges: true };
				const parameters = { taskId: locator(taskId), updateFields, options };
				const [{ name, result, summary, changes }] = json(await scene.task('update', parameters));
				return { name, result, summary, changes: plain(changes) as unknown };
			};
			const answered = await updated(false);
			expect(answered.summary).toMatch(/Column: (Sales \/ )?Lead → (Sales \/ )?Qualified/);
			expect(await updated(true)).toEqual(answered);
		},
	);
});
