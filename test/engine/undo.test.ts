import type { IDataObject } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { itInCi } from '../support/drawn';
import { runNode, type NodeSetup } from './support/runNode';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, TAGS, TASKS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * Undo turns back what a run did. A colleague may have changed each record between any two steps.
 */
const scene = useScene();
const [{ id }, { id: otherId }] = PEOPLE;
const [{ id: taskId }] = TASKS;
const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const stored = (of = id) => scene.service.store.people.get(of)!;
const byId = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
const told = { tellChanges: true, output: 'simplified' };

type Rows = IDataObject[];
const jsonOf = (items: Array<{ json: IDataObject }>) => items.map(({ json }) => json);

/** Runs an operation, and returns what it put out. */
async function ran(operation: string, parameters: object, input: Rows, resource = 'person') {
	const { items, error } = await scene.run({
		parameters: { resource, operation, options: told, ...parameters },
		input,
	});
	expect(error).toBeUndefined();
	return jsonOf(items);
}

async function undo(
	input: Rows,
	{ resource = 'person', ...setup }: Omit<NodeSetup, 'parameters'> & { resource?: string } = {},
) {
	scene.clear();
	const parameters = { resource, operation: 'undo', options: { output: 'simplified' } };
	const { items, error, errorItems } = await scene.run({ parameters, input, ...setup });
	return { error, errorItems, items: jsonOf(items) };
}

const update = async (field: string, rows: Rows) =>
	await ran('update', { personId: byId, updateFields: { [field]: '={{ $json.value }}' } }, rows);

describe('a run over people', () => {
	it.each([
		['Simplified', { ...told }],
		['Raw', { ...told, output: 'raw' }],
		['Selected Fields', { ...told, output: 'selectedFields', fields: ['id', 'jobTitle'] }],
	])(
		'From the output %s, Undo restores fields, lists and parts of an address',
		async (_, options) => {
			const address = { street: 'Markt 1', postalCode: null, city: 'Delft', country: 'NL' };
			const before = scene.change('people', id, { jobTitle: 'Buyer', tags: [A, B], address });
			const updateFields = {
				...{ jobTitle: 'Chef', tags: [B, C] },
				address: { city: 'Leiden', street: 'Plein 2' },
			};
			const done = await ran('update', { personId: byId, updateFields, options }, [{ id }]);
			expect(stored().jobTitle).toBe('Chef');
			// A table keeps an object as text.
			const asText = done.map((item) => ({ ...item, changes: JSON.stringify(item.changes) }));
			const { items, error } = await undo(asText);
			expect(error).toBeUndefined();
			expect(items).toMatchObject([{ id, result: 'updated' }]);
			expect(stored()).toMatchObject({ jobTitle: 'Buyer', address });
			expect([...stored().tags].sort()).toEqual([...before.tags].sort());
			const again = await undo(items);
			expect(again.error).toBeUndefined();
			expect(stored()).toMatchObject({ jobTitle: 'Chef' });
		},
	);

	it('Undo begins with the last item, so that the oldest value comes back', async () => {
		scene.change('people', id, { jobTitle: 'Buyer' });
		const rows = ['Chef', 'Director', 'Owner'].map((value) => ({ id, value }));
		const { error } = await undo(await update('jobTitle', rows));
		expect(error).toBeUndefined();
		expect(scene.writes().map(({ body }) => body)).toEqual([
			{ jobTitle: 'Director' },
			{ jobTitle: 'Chef' },
			{ jobTitle: 'Buyer' },
		]);
	});

	it('Undo leaves a value that a colleague set between two items, with a note', async () => {
		scene.change('people', id, { jobTitle: 'Buyer' });
		const first = await update('jobTitle', [{ id, value: 'Chef' }]);
		scene.change('people', id, { jobTitle: 'Director' });
		const second = await update('jobTitle', [{ id, value: 'Owner' }]);
		const { items } = await undo([...first, ...second]);
		expect(stored().jobTitle).toBe('Director');
		expect(items).toMatchObject([
			{
				result: 'unchanged',
				note: 'Left as it is, because somebody has changed it since: Job Title',
			},
			{ result: 'updated', changes: { jobTitle: { from: 'Owner', to: 'Director' } } },
		]);
	});

	it.each([
		['a value', 'jobTitle', ['Chef', 'Director'], 'Chef'],
		['an entry of a list', 'tags', [[A], [A, B], [A]], [A, B]],
	] as Array<[string, string, unknown[], unknown]>)(
		"Undo leaves %s that a colleague has set back to an earlier item's value",
		async (_, field, values, since) => {
			scene.change('people', id, { jobTitle: 'Buyer', tags: [] });
			const rows = values.map((value) => ({ id, value }) as IDataObject);
			const done = await update(field, rows);
			scene.change('people', id, { [field]: since });
			const { error } = await undo(done);
			expect(error).toBeUndefined();
			expect(stored()).toMatchObject(field === 'tags' ? { tags: [B] } : { [field]: since });
		},
	);

	it('Undo turns back one field, and leaves another that a colleague has changed', async () => {
		scene.change('people', id, { jobTitle: 'Buyer', givenName: 'Eva', tags: [] });
		const updateFields = { jobTitle: 'Chef', givenName: 'Ina', tags: [A] };
		const done = await ran('update', { personId: byId, updateFields }, [{ id }]);
		scene.change('people', id, { givenName: 'Anna', tags: [A, B] });
		const { items } = await undo(done);
		expect(stored()).toMatchObject({ jobTitle: 'Buyer', givenName: 'Anna', tags: [B] });
		expect(items[0].note).toBe('Left as it is, because somebody has changed it since: Given Name');
	});

	itInCi('Undo keeps tags that a colleague adds while the items wait', async () => {
		const people = PEOPLE.slice(0, 15);
		for (const person of people) scene.change('people', person.id, { tags: [] });
		const rows = people.map((person) => ({ id: person.id }));
		const done = await ran('addTags', { personId: byId, tags: [A] }, rows);
		const running = runNode(
			{ url: scene.service.url, apiKey: scene.apiKey },
			{ parameters: { resource: 'person', operation: 'undo' }, input: done },
		);
		await lapse(sleep(20_000));
		// The first item comes last.
		scene.change('people', id, { tags: [A, B] });
		const { error } = await lapse(running);
		expect(error).toBeUndefined();
		expect(stored().tags).toEqual([B]);
	});

	it('Undo accepts an ID in capitals, and passes over a person deleted since', async () => {
		for (const one of [id, otherId]) scene.change('people', one, { jobTitle: 'Buyer' });
		const [first, second] = await update(
			'jobTitle',
			[id, otherId].map((one) => ({ id: one, value: 'Chef' })),
		);
		scene.service.store.people.delete(otherId);
		const { items, error } = await undo([{ ...first, id: id.toUpperCase() }, second]);
		expect(error).toBeUndefined();
		expect(stored().jobTitle).toBe('Buyer');
		expect(items).toMatchObject([
			{ result: 'updated' },
			{ id: otherId, result: 'unchanged', note: 'The person does not exist any more' },
		]);
	});

	it('Undo removes an added phone number although another number contains words', async () => {
		const words = { phoneNumber: '020-1234567 (mornings)', phoneType: 'work' as const };
		const mobile = { phoneNumber: '+31 6 12345678', phoneType: 'mobile' as const };
		scene.change('people', id, { phoneNumbers: [words], jobTitle: 'Buyer' });
		scene.change('people', otherId, { phoneNumbers: [], jobTitle: 'Buyer' });
		const phone = { phoneNumber: mobile.phoneNumber, phoneType: 'mobile' };
		const rows = [{ id }, { id: otherId }];
		const done = await ran('addPhoneNumber', { personId: byId, ...phone }, rows);
		expect(stored().phoneNumbers).toEqual([words, mobile]);
		const { error } = await undo(done);
		expect(error).toBeUndefined();
		expect(stored().phoneNumbers).toEqual([words]);
		expect(stored(otherId).phoneNumbers).toEqual([]);
	});
});

describe('lists of addresses and numbers', () => {
	const emails = (...list: string[]) => list.map((email) => ({ email }));
	const replaced = async (to: string[]) =>
		await ran('update', { personId: byId, updateFields: { emailAddresses: emails(...to) } }, [
			{ id },
		]);
	const are = () => stored().emailAddresses.map(({ email }) => email);
	const [X, Y, Z] = ['x@crm.example', 'y@crm.example', 'z@crm.example'];

	it.each([
		['puts the removed main address back first', [X, Y], [Y], [Y, Z], [X, Y, Z], undefined],
		['keeps the address a colleague put first', [X, Y], [Y], [Z, Y], [Z, X, Y], undefined],
		['removes an added address now in capitals', [X], [X, Y], [X, Y.toUpperCase()], [X], undefined],
		['does not move a restored address', [X, Y], [Y], [Y, X], [Y, X], 'Email Addresses'],
		['adds no note to a restored list', [X, Y], [Y], [X, Y], [X, Y], undefined],
		[
			'keeps the order that a colleague chose',
			...[[X, Y, Z], [Y, Z], [Z, Y], [Z, Y, X], 'Email Addresses'],
		],
	] as Array<[string, string[], string[], string[], string[], string | undefined]>)(
		'In a list of e-mail addresses, Undo %s',
		async (_, before, run, since, expected, left) => {
			scene.change('people', id, { emailAddresses: emails(...before) });
			const done = await replaced(run);
			scene.change('people', id, { emailAddresses: emails(...since) });
			const { items } = await undo(done);
			expect(are()).toEqual(expected);
			expect(items[0].note ?? '').toContain(left ?? '');
			if (left === undefined) expect(items[0]).not.toHaveProperty('note');
		},
	);

	it('Undo leaves a phone number whose type a colleague has changed', async () => {
		const number = (phoneType: string) => ({ phoneNumber: '+31 20 1234567', phoneType });
		scene.change('people', id, { phoneNumbers: [number('work')] });
		const updateFields = { phoneNumbers: [number('home')] };
		const done = await ran('update', { personId: byId, updateFields }, [{ id }]);
		scene.change('people', id, { phoneNumbers: [number('mobile')] });
		const { items } = await undo(done);
		expect(stored().phoneNumbers).toEqual([number('mobile')]);
		expect(items[0].note).toMatch(/somebody has changed it since: Phone Numbers/);
	});

	it('Undo does not return an e-mail address that belongs to somebody else by now', async () => {
		scene.change('people', id, { emailAddresses: emails(X, Y) });
		const done = await replaced([X]);
		scene.change('people', otherId, { emailAddresses: emails(Y), archivedAt: null });
		const { items } = await undo(done);
		expect(are()).toEqual([X]);
		expect(items[0].note).toContain(Y);
	});
});

describe('created records', () => {
	const create = async (more: object = {}) =>
		await ran('create', { familyName: 'Vos', email: 'vos@crm.example', ...more }, [{}]);

	it('Undo archives a created person', async () => {
		const done = await create();
		const { items } = await undo(done);
		expect(items).toMatchObject([{ id: done[0].id, result: 'updated' }]);
		expect(stored(String(done[0].id)).archivedAt).toEqual(expect.any(String));
		expect((await undo(done)).items).toMatchObject([{ result: 'unchanged' }]);
	});

	it('Undo does not archive a created person whom somebody has changed since', async () => {
		const done = await create({ additionalFields: { givenName: 'Eva' } });
		const created = String(done[0].id);
		await scene.service.store.people.get(created);
		scene.change('people', created, { jobTitle: 'Buyer', updatedAt: '2027-01-05T09:00:00+00:00' });
		const { items } = await undo(done);
		expect(stored(created).archivedAt).toBeNull();
		expect(items).toMatchObject([
			{
				result: 'unchanged',
				note: 'Eva Vos stays active, because somebody has changed the person since: Job Title',
			},
		]);
	});

	it('Undo archives a person whom one row created and the next row changed', async () => {
		const parameters = {
			...{ email: 'vos@crm.example', familyName: '={{ $json.name }}', phone: '={{ $json.phone }}' },
			options: { output: 'simplified' },
		};
		const rows = [{ name: 'Vos' }, { name: 'de Vos', phone: '+31 6 12345678' }];
		const done = await ran('upsert', { ...parameters, options: told }, rows);
		expect(done.map(({ result }) => result)).toEqual(['created', 'updated']);
		const { error } = await undo(done);
		expect(error).toBeUndefined();
		expect(stored(String(done[0].id))).toMatchObject({
			...{ familyName: 'Vos', phoneNumbers: [], archivedAt: expect.any(String) },
		});
	});

	it('Undo archives a created task, and moves a moved task back', async () => {
		const [from, to] = COLUMNS;
		scene.change('tasks', taskId, { status: from });
		const moving = { taskId: byId, status: { __rl: true, mode: 'id', value: to } };
		const moved = await ran('move', moving, [{ id: taskId }], 'task');
		const status = { __rl: true, mode: 'id', value: to };
		const created = await ran('create', { title: 'Call', status }, [{}], 'task');
		const { items, error } = await undo([...moved, ...created], { resource: 'task' });
		expect(error).toBeUndefined();
		expect(items.map(({ result }) => result)).toEqual(['updated', 'updated']);
		expect(scene.service.store.tasks.get(taskId)!.status).toBe(from);
		const { archivedAt } = scene.service.store.tasks.get(String(created[0].id))!;
		expect(archivedAt).toEqual(expect.any(String));
	});
});

describe('items that Undo cannot use', () => {
	const changes = { jobTitle: { from: 'Buyer', to: 'Chef' } };

	it('Undo skips an item that lists no changes, and names Tell What Changed', async () => {
		const updateFields = { jobTitle: 'Chef' };
		const done = await ran('update', { personId: byId, updateFields, options: {} }, [{ id }]);
		expect(done[0]).not.toHaveProperty('changes');
		const { items } = await undo(done);
		expect(items).toMatchObject([
			{ id, result: 'unchanged', note: expect.stringContaining('Options > Tell What Changed') },
		]);
		expect(scene.requests()).toEqual([]);
	});

	const left = 'Left as it is, because';
	it.each<[string, IDataObject, unknown]>([
		[
			'without the earlier value',
			{ result: 'updated', changes: { jobTitle: { to: 'Chef' } } },
			`${left} the run did not tell the earlier value: Job Title. Turn on Options > Tell What Changed for such a run`,
		],
		[
			'of a field of the service',
			{ result: 'updated', changes: { createdAt: { from: 'a', to: 'b' } } },
			`${left} an update cannot set it: Created At`,
		],
		[
			'without changes of a created person',
			{ result: 'created' },
			'Eva Vos stays active, because the item does not tell what the run wrote',
		],
		[
			'of a created person without a name',
			{ result: 'created', changes: { familyName: { from: null, to: 'Vos' } } },
			expect.stringMatching(
				/^The person stays active, because somebody has changed the person since: F/,
			),
		],
	])('Undo leaves a person as it is, and notes the reason: item %s', async (what, item, note) => {
		const name = what.endsWith('a name') ? {} : { givenName: 'Eva', familyName: 'Vos' };
		const nobody = { givenName: null, additionalName: null, familyName: null, emailAddresses: [] };
		scene.change('people', id, { ...nobody, ...name, jobTitle: 'Chef' });
		const { items, error } = await undo([{ id, ...item }]);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ id, result: 'unchanged', note }]);
		expect(scene.writes()).toEqual([]);
	});

	it.each([
		[{ id, changes }, 'Output Item: "result" is missing'],
		[{ result: 'updated', changes }, 'Output Item: "id" is missing'],
		[{ name: 'Jansen' }, 'Output Item: "result" and "id" are missing'],
		[{ preview: 'update', id, changes }, 'Output Item: "result" is missing'],
		[{ id, result: 'merged' }, 'Output Item: expected the result created, updated or unchanged'],
		[{ id, result: 'updated', changes: 'x' }, 'Output Item: expected changes of a person'],
		[
			{ id, result: 'updated', changes: { status: { from: '/a', to: '/b' } } },
			'Output Item: expected changes of a person, as a run puts them out, got "status"',
		],
		[{ '@id': '/tasks/1', id: '1', result: 'updated', changes }, 'Output Item: id: '],
	] as Array<[IDataObject, string]>)(
		'Undo refuses %j before it writes anything',
		async (item, message) => {
			const right = { id: otherId, result: 'updated', changes };
			scene.change('people', otherId, { jobTitle: 'Chef' });
			const { error } = await undo([right, item]);
			expect(error?.message).toContain(message);
			expect(scene.writes()).toEqual([]);
		},
	);

	it('If On Error continues, Undo goes on after an item without an ID', async () => {
		scene.change('people', id, { jobTitle: 'Buyer' });
		const done = await update('jobTitle', [{ id, value: 'Chef' }]);
		const { items, errorItems } = await undo([{ result: 'updated', changes: {} }, ...done], {
			onError: 'continueErrorOutput',
		});
		expect(errorItems).toHaveLength(1);
		expect(items).toMatchObject([{ id, result: 'updated' }]);
		expect(stored().jobTitle).toBe('Buyer');
	});

	it('Undo passes over failed items of a run, and undoes the others', async () => {
		scene.change('people', id, { jobTitle: 'Buyer' });
		const { items: done } = await scene.run({
			parameters: {
				...{ resource: 'person', operation: 'update', personId: byId, options: told },
				updateFields: { jobTitle: 'Chef' },
			},
			input: [{ id: 'gone' }, { id }],
			onError: 'continueRegularOutput',
		});
		const uncertain = { result: 'failed', error: 'No answer', details: { code: 'uncertain' } };
		const { items, error } = await undo([...jsonOf(done), uncertain, { error: 'Refused' }]);
		expect(error).toBeUndefined();
		const passedOver = { result: 'unchanged', note: 'Nothing to undo, because the item failed' };
		const note = expect.stringMatching(/may have taken effect/);
		expect(items).toMatchObject([passedOver, { result: 'updated', id }, { note }, passedOver]);
		expect(stored().jobTitle).toBe('Buyer');
	});

	it('If an item comes from a task, Undo of people says so', async () => {
		const [done] = await ran('archive', { taskId: { ...byId, value: taskId } }, [{}], 'task');
		const { items } = await undo([done]);
		expect(items[0]).toMatchObject({ result: 'unchanged', note: expect.stringMatching(/a task/) });
		scene.change('people', id, { archivedAt: null });
		const [ofPerson] = await ran('archive', { personId: byId }, [{ id }]);
		const { items: undone } = await undo([ofPerson], { resource: 'task' });
		expect(undone[0].note).toMatch(/^No task has this ID, because the item is one of a person/);
	});

	it('For items without ID or result, Undo advises the outputs that have both', async () => {
		const { error } = await undo([{ id }]);
		expect(error?.description).toMatch(/Its Output: Simplified or Raw has both/);
	});

	it('Undo refuses Batching, because it must begin with the last item', async () => {
		const parameters = {
			...{ resource: 'person', operation: 'undo' },
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1_000 } } },
		};
		const input = [1, 2].map(() => ({ id, result: 'updated', changes }));
		const batched = await scene.run({ parameters, input });
		expect(batched.error?.message).toMatch(/^Batching: /);
	});
});

describe('a run of more items than the node begins at once', () => {
	itInCi('Undo begins with the last of 600 items', async () => {
		scene.change('people', id, { jobTitle: 'Value 600' });
		const input = Array.from({ length: 600 }, (_, nth) => ({
			...{ id, result: 'updated' },
			changes: { jobTitle: { from: `Value ${nth}`, to: `Value ${nth + 1}` } },
		}));
		// In a preview, each item sees what the items before it would write.
		const { items, error } = await scene.run({
			parameters: { resource: 'person', operation: 'undo', options: { previewOnly: true } },
			input,
		});
		expect(error).toBeUndefined();
		expect(items.filter(({ json }) => json.preview === 'update')).toHaveLength(600);
	});
});

it('A preview of Undo tells what it would turn back, and writes nothing', async () => {
	scene.change('people', id, { jobTitle: 'Buyer' });
	const rows = ['Chef', 'Director'].map((value) => ({ id, value }));
	const done = await update('jobTitle', rows);
	const options = { previewOnly: true };
	scene.clear();
	const { items } = await scene.run({
		parameters: { resource: 'person', operation: 'undo', options },
		input: done,
	});
	expect(jsonOf(items)).toMatchObject([
		{ preview: 'update', id, changes: { jobTitle: { from: 'Chef', to: 'Buyer' } } },
		{ preview: 'update', id, changes: { jobTitle: { from: 'Director', to: 'Chef' } } },
	]);
	expect(scene.writes()).toEqual([]);
});
