import type { IDataObject } from 'n8n-workflow';
import { resources } from '../../nodes/ContactTaskCrm/resources';
import { itInCi, sampled } from '../support/drawn';
import { refusal } from './support/faults';
import { locator } from './support/fields';
import { items as itemsOf, useScene } from './support/scene';
import { COLUMNS, COMMENTS, DISCUSSED, PEOPLE, SEGMENTS, TAGS, TASKS } from './support/seeded';
import { get } from './support/wire';

const [person, other] = PEOPLE;
const path = `/people/${person.id}`;
const personId = locator(person.id);
const [task] = TASKS;
const taskId = locator(task.id);
const comment = { taskId: locator(DISCUSSED.id), commentId: locator(COMMENTS[0].id) };
const segmentId = locator(SEGMENTS[0]);
const [{ email = '' }] = person.emailAddresses as Array<{ email: string }>;
const [tag = ''] = TAGS.filter((id) => !person.tags.includes(`/tags/${id}`));

/** Each operation that writes. */
const OPERATIONS: Record<string, object> = {
	'person create': { familyName: 'Jansen', additionalFields: { jobTitle: 'Buyer', tags: [tag] } },
	'person upsert': { email, additionalFields: { jobTitle: 'Buyer' } },
	'person update': { personId, updateFields: { jobTitle: 'Buyer', tags: [tag] } },
	'person replace': { personId, familyName: 'Vos' },
	'person archive': { personId, archivedAt: '2026-12-31T17:00:00Z' },
	'person unarchive': { personId },
	'person merge': { personId, mergeFrom: other.id },
	'person addEmailAddress': { personId, email: 'new@mail.example' },
	'person addPhoneNumber': { personId, phoneNumber: '+31 20 7654321', phoneType: 'work' },
	'person addTags': { personId, tags: [tag] },
	'person removeTags': { personId, tags: [tag] },
	'person addToSegments': { personId, segments: person.segments },
	'person removeFromSegments': { personId, segments: person.segments.slice(0, 1) },
	'person undo': {
		outputItem: {
			...{ id: person.id, result: 'updated' },
			changes: { jobTitle: { from: 'Buyer', to: person.jobTitle } },
		},
	},
	'segment create': { title: 'New', icon: 'star' },
	'segment update': { segmentId, updateFields: { title: 'New' } },
	'segment replace': { segmentId, title: 'New', icon: 'star' },
	'task create': { title: 'Call', status: locator(COLUMNS[0]) },
	'task duplicate': { taskId },
	'task export': { taskId },
	'task update': { taskId, updateFields: { title: 'Call' } },
	'task replace': { taskId, title: 'Call', status: locator(task.status) },
	'task move': { taskId, status: locator('Sales / Won') },
	'task complete': { taskId, completedAt: '2026-12-31T17:00:00Z' },
	'task reopen': { taskId },
	'task archive': { taskId, archivedAt: '2026-12-31T17:00:00Z' },
	'task unarchive': { taskId },
	'task undo': {
		outputItem: {
			...{ id: task.id, result: 'updated' },
			changes: { title: { from: 'Call', to: task.title } },
		},
	},
	'comment create': { taskId, description: 'Called' },
	'comment update': { ...comment, updateFields: { description: 'Called' } },
	'comment replace': { ...comment, description: 'Called' },
};

/** Operations with a result that only the service knows. A preview shows their request. */
const UNKNOWN_RESULT = ['task duplicate', 'task export'];

/** The whole text of each kind of preview. */
const SAID: Array<[name: string, said: object]> = [
	[
		'person create',
		{
			...{ preview: 'create', name: 'Jansen' },
			summary: `Job Title: Buyer; Tags: ${tag}; Family Name: Jansen`,
		},
	],
	[
		'person update',
		{
			preview: 'update',
			name: expect.stringContaining(String(person.familyName)),
			summary: expect.stringMatching(`^Job Title: .+ → Buyer; and 1 more$`),
		},
	],
	[
		'person addPhoneNumber',
		{
			...{ preview: 'update', name: expect.any(String) },
			summary: 'Phone: + +31 20 7654321 (work)',
		},
	],
	[
		'task move',
		{
			...{ preview: 'update', name: task.title },
			summary: 'Column: Sales / Lead → Sales / Won',
		},
	],
	['comment create', { preview: 'create', name: null, summary: 'Description: Called' }],
	[
		'task duplicate',
		{
			...{ preview: 'send', name: null, summary: 'The result is known after the run' },
		},
	],
	[
		'task export',
		{
			...{ preview: 'send', name: null, summary: 'The result is known after the run' },
			request: { method: 'POST', path: `/tasks/${task.id}/export` },
		},
	],
];

/** ID and exact changes of previews. A preview has them in raw output alone. */
const CHANGES: Array<[name: string, id: string | null, changes: object]> = [
	[
		'person create',
		null,
		{
			familyName: { from: null, to: 'Jansen' },
			jobTitle: { from: null, to: 'Buyer' },
			tags: { added: [`/tags/${tag}`], removed: [] },
		},
	],
	[
		'person update',
		person.id,
		{
			jobTitle: { from: person.jobTitle, to: 'Buyer' },
			tags: { added: [`/tags/${tag}`], removed: person.tags },
		},
	],
	[
		'task move',
		task.id,
		{
			status: {
				...{ from: task.status, fromTitle: 'Sales / Lead' },
				...{ to: COLUMNS[3], toTitle: 'Sales / Won' },
			},
		},
	],
	['comment create', null, { description: { from: null, to: 'Called' } }],
];

const previewOnly = { options: { previewOnly: true } };

describe('a preview', () => {
	const scene = useScene();

	const preview = async (name: string, further: object = {}, setup: object = {}) => {
		const [resource, operation] = name.split(' ') as ['person', string];
		const whole = { ...OPERATIONS[name], ...previewOnly, ...further };
		return await scene[resource](operation, whole, setup);
	};
	const methods = () => [...new Set(scene.sent().map(({ method }) => method))];

	const writing = Object.values(resources).flatMap(({ value: resource, operations }) =>
		operations
			.filter(({ method }) => method !== 'GET')
			.map(({ value, reads }) => ({ name: `${resource} ${value}`, reads })),
	);

	it('The preview cases of this test file cover every operation that writes', () => {
		expect(Object.keys(OPERATIONS).sort()).toEqual(writing.map(({ name }) => name).sort());
	});

	it.each(SAID)(
		'A preview of operation %s says in few fields what a run would do',
		async (name, said) => {
			const { items } = await preview(name, {
				options: { previewOnly: true, output: 'selectedFields' },
			});
			expect(items).toEqual([{ json: said, pairedItem: { item: 0 } }]);
		},
	);

	it('The summary of a new person names only the given parts of the address', async () => {
		const address = { street: '', city: 'Delft', country: null };
		const { items } = await preview('person create', {
			...{ inputMode: 'json', jsonBody: { familyName: 'Jansen', address } },
			options: { previewOnly: true, output: 'simplified' },
		});
		expect(items[0].json.summary).toBe('City: Delft; Family Name: Jansen');
	});

	it('The summary of a new person begins with e-mail address and phone number', async () => {
		const { items } = await preview('person create', {
			...{ familyName: 'Jansen', email: 'eva@new.example', phone: '+31 20 1234567' },
			additionalFields: { givenName: 'Eva', jobTitle: 'Buyer', networkId: 'n'.repeat(40) },
			options: { previewOnly: true, output: 'simplified' },
		});
		expect(items[0].json).toMatchObject({
			name: 'Eva Jansen',
			summary: `Email: eva@new.example; Phone: +31 20 1234567; Job Title: Buyer; Network ID: ${'n'.repeat(40)}`,
		});
	});

	it.each(['simplified', 'selectedFields'])(
		'With Tell What Changed and output %s, a preview gives preview, name and summary',
		async (output) => {
			const options = { previewOnly: true, tellChanges: true, output };
			const { items } = await preview('person update', { options });
			expect(Object.keys(items[0].json)).toEqual(['preview', 'name', 'summary']);
		},
	);

	it.each(CHANGES)(
		'A raw preview of the operation %s holds the ID and the exact changes',
		async (name, id, changes) => {
			const { items } = await preview(name, { options: { previewOnly: true, output: 'raw' } });
			expect(items[0].json).toMatchObject({ id, changes });
			expect(Object.keys(items[0].json)).toEqual(['preview', 'name', 'summary', 'id', 'changes']);
		},
	);

	it.each(sampled(Object.keys(OPERATIONS), 5))(
		'A preview of operation %s sends only reads, and the run does as previewed',
		async (name) => {
			if (name === 'person merge') {
				const { familyName, phoneNumbers } = person;
				scene.change('people', other.id, { familyName, phoneNumbers });
			}
			const { items, error } = await preview(name, {
				options: { previewOnly: true, tellChanges: true, output: 'raw' },
			});
			expect(error).toBeUndefined();
			expect(methods().filter((method) => method !== 'GET')).toEqual([]);
			const [{ json: said }] = items;
			const done = await preview(name, { options: { tellChanges: true } });
			const [{ json: is }] = done.items;
			if (said.preview === 'send') {
				expect(UNKNOWN_RESULT).toContain(name);
				expect(said.request).toMatchObject({ method: 'POST' });
				return;
			}
			const ended = said.preview === 'unchanged' ? is.result : `${String(said.preview)}d`;
			expect([is.result, is.id]).toEqual([ended, said.id ?? is.id]);
			if (is.changes === undefined)
				throw new Error(`${name} tells no changes: check its property reads`);
			// Only the service knows the values that a replacement gives to fields that were not sent.
			if (name.endsWith('replace')) expect(said.changes).toMatchObject(is.changes!);
			else
				expect(is.changes).toEqual(name === 'task create' ? untitled(said.changes) : said.changes);
		},
	);

	it.each(sampled(writing, 5))(
		'The operation $name reads before its write exactly if its property `reads` says so',
		async ({ name, reads = 'never' }) => {
			await scene.showTimes();
			for (const tellChanges of [false, true]) {
				scene.clear();
				await preview(name, { options: { tellChanges } });
				// A run of Move also reads the titles of the columns.
				const isRead = scene
					.sent()
					.some(({ method, path }) => method === 'GET' && path !== '/workspaces');
				const expected = ['always', 'lookup', ...(tellChanges ? ['ifAsked'] : [])].includes(reads);
				expect({ tellChanges, isRead }).toEqual({ tellChanges, isRead: expected });
			}
		},
	);

	it('A preview of an API Request shows the request and sends nothing', async () => {
		const { items } = await scene.run({
			parameters: {
				...{ resource: 'apiRequest', operation: 'send', method: 'POST', path: '/organizations' },
				...{ jsonBody: '{ "title": "Acme" }', ...previewOnly },
				queryParameters: { parameters: [{ name: 'a', value: 'b c' }] },
			},
		});
		const request = { method: 'POST', path: '/organizations?a=b+c', body: { title: 'Acme' } };
		expect(items[0].json).toMatchObject({ preview: 'send', name: 'Acme', request });
		expect(scene.sent()).toEqual([]);
	});

	it('A preview of an update without fields says that nothing changes, and sends nothing', async () => {
		const { items } = await preview('person update', { updateFields: {} });
		expect(items[0].json).toMatchObject({
			...{ preview: 'unchanged', name: null, summary: 'Nothing changes' },
			...{ id: person.id, changes: {} },
		});
		expect(scene.sent()).toEqual([]);
	});

	it.each(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const)(
		'A preview reports each refused item and continues, with On Error: %s',
		async (onError) => {
			const input = [{ email: 'no address' }, { email }, { email: 'nobody@mail.example' }];
			const further = {
				email: '={{ $json.email }}',
				options: { previewOnly: true, output: 'raw' },
			};
			const { items, errorItems, error } = await preview('person upsert', further, {
				input,
				onError,
			});
			expect(error).toBeUndefined();
			expect(errorItems).toEqual([]);
			expect(items.map(({ json, pairedItem }) => [json.preview, pairedItem])).toEqual([
				['refused', { item: 0 }],
				['update', { item: 1 }],
				['refused', { item: 2 }],
			]);
			const reason = 'Email: expected an e-mail address, got "no address"';
			const said = {
				...{ preview: 'refused', name: 'no address', summary: `Not written: ${reason}` },
				...{ id: null, changes: {}, code: 'unusable-value', reason, parameter: 'Email' },
			};
			expect(items[0].json).toEqual({
				...said,
				howToGoOn:
					'Correct the address. For people without an address, choose another identifier: see Find By under Options, or Column to Find People By',
			});
			// The columns of a table stand in the order of the fields.
			expect(Object.keys(items[0].json).slice(0, 8)).toEqual(Object.keys(said));
			expect(items[2].json).toMatchObject({ parameter: 'Family Name' });
		},
	);

	it('A preview of an update reports a refusal if the record does not exist', async () => {
		const { items } = await preview('person update', { personId: locator('gone') });
		const reason = 'The person "gone" does not exist';
		expect(items[0].json).toMatchObject({ preview: 'refused', reason });
	});

	it.each([401, 500])(
		'A preview fails as a run does if the service answers HTTP %s',
		async (status) => {
			scene.faults(refusal(status));
			const { items, error } = await preview('person update');
			expect(items).toEqual([]);
			expect(error).toBeDefined();
		},
	);

	it('A preview finds a person whom an earlier item would create, with ID null', async () => {
		const input = [
			{ find: 'new@mail.example', phone: '+31 6 99887766', job: 'Buyer' },
			{ find: '0031699887766', phone: '+31 6 99887766', job: 'Chef' },
			{ find: 'NEW@mail.example', phone: '', job: 'Chef' },
		];
		const { items } = await preview(
			'person upsert',
			{
				...{ matchValue: '={{ $json.find }}', familyName: 'Jansen' },
				options: { matchBy: 'identifier', previewOnly: true, output: 'raw' },
				additionalFields: {
					jobTitle: '={{ $json.job }}',
					phoneNumbers: [{ phoneNumber: '={{ $json.phone }}', phoneType: 'mobile' }],
				},
			},
			{ input },
		);
		expect(items.map(({ json }) => json)).toEqual([
			expect.objectContaining({ preview: 'create', id: null, name: 'Jansen' }),
			expect.objectContaining({
				...{ preview: 'update', id: null, name: 'Jansen' },
				changes: { jobTitle: { from: 'Buyer', to: 'Chef' } },
			}),
			{
				...{ preview: 'unchanged', name: 'Jansen', summary: 'Nothing changes' },
				...{ id: null, changes: {} },
			},
		]);
		expect(methods()).toEqual(['GET']);
	});

	it('A preview of adding one tag twice reads once; the second item is "unchanged"', async () => {
		const input = [{ tag }, { tag }];
		const { items } = await preview('person addTags', { tags: '={{ [$json.tag] }}' }, { input });
		expect(items.map(({ json }) => json.preview)).toEqual(['update', 'unchanged']);
		const reads = scene.sent().filter(({ path: asked }) => asked !== '/tags');
		expect(reads).toEqual([get(path)]);
	});

	it('A run after a preview does not treat the previewed values as written', async () => {
		await preview('person upsert');
		await preview('segment create');
		scene.clear();
		const { items } = await scene.person('upsert', OPERATIONS['person upsert']);
		expect(items[0].json).toMatchObject({ result: 'updated', jobTitle: 'Buyer' });
		const { error } = await scene.person('addToSegments', { personId, segments: ['New'] });
		expect(error?.message).toMatch(/New/);
	});

	itInCi('A preview and a run that writes do not delay each other', async () => {
		const personIds = { personId: locator('={{ $json.id }}') };
		const input = [{ id: person.id }, { id: other.id }];
		await Promise.all([
			scene.person('archive', personIds, { input }),
			preview('person archive', personIds, { input }),
		]);
		const order = scene.sent().map(({ method }) => method);
		expect(order.indexOf('PATCH')).toBeLessThan(order.lastIndexOf('GET'));
		expect(order.lastIndexOf('PATCH')).toBeGreaterThan(order.lastIndexOf('GET'));
	});

	it.each([
		['nothing', '={{ $json.nothing }}'],
		['null', '={{ null }}'],
		['a blank', '={{ "" }}'],
		['neither yes nor no', '={{ "perhaps" }}'],
		['an empty list', '={{ [] }}'],
		['an object', '={{ $json }}'],
	])(
		'The node refuses Preview Only, and writes nothing, if the expression gives %s',
		async (_, value) => {
			const { error } = await preview('person update', { options: { previewOnly: value } });
			expect(error?.message).toMatch(/^Preview Only: expected true or false/);
			expect(scene.sent()).toEqual([]);
		},
	);

	it('A run writes if the user added Preview Only and turned it off', async () => {
		const { items } = await preview('person update', { options: { previewOnly: false } });
		expect(items[0].json).toMatchObject({ result: 'updated', jobTitle: 'Buyer' });
	});

	it('As an agent tool, a preview of an update shows "update" and the name', async () => {
		const { items } = await preview('person update', {}, { isTool: true });
		expect(items[0].json).toMatchObject({ preview: 'update', name: expect.any(String) });
	});

	it('When n8n retries a failed preview, the second try previews every item anew', async () => {
		scene.faults(refusal(401, { nth: 2 } as never));
		const input = [{ id: person.id }, { id: other.id }];
		const further = { personId: locator('={{ $json.id }}') };
		const { items, error } = await preview('person archive', further, { input, retryOnFail: true });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.preview)).toEqual(['update', 'update']);
	});
});

describe('a preview of 1,000 rows', () => {
	const scene = useScene({ seed: { people: 400 } });

	itInCi(
		'A preview of 1,000 rows sends one request per thirty rows, within two minutes',
		async () => {
			const known = [...scene.service.store.people.values()].flatMap(({ emailAddresses }) =>
				emailAddresses.slice(0, 1).map(({ email: address }) => address),
			);
			const input = itemsOf(1_000, (index) => ({
				email: known[index] ?? `new${index}@mail.example`,
			}));
			const startedAt = Date.now();
			const { items, error } = await scene.person(
				'upsert',
				{
					...{ email: '={{ $json.email }}', familyName: 'Jansen' },
					...previewOnly,
				},
				{ input },
			);
			expect(error).toBeUndefined();
			expect(Date.now() - startedAt).toBeLessThan(120_000);
			expect(items).toHaveLength(1_000);
			const counts = (word: string) => items.filter(({ json }) => json.preview === word).length;
			expect(counts('create')).toBe(1_000 - known.length);
			expect(counts('refused')).toBe(0);
			// One more request shows how the service handles several values.
			expect(scene.requests().length).toBeLessThanOrEqual(Math.ceil(1_000 / 30) + 2);
		},
		600_000,
	);
});

/** Removes titles from changes. The raw output of Create has none, but a preview has them. */
const untitled = (value: unknown): unknown =>
	JSON.parse(
		JSON.stringify(value, (name, part: unknown) =>
			/Title$/.test(name) && name !== 'jobTitle' ? undefined : part,
		),
	);

/** Removes the members of JSON-LD, because some of them are random in every answer. */
const plain = (value: unknown): unknown =>
	JSON.parse(
		JSON.stringify(value, (name, part: unknown) => (name.startsWith('@') ? undefined : part)),
	);

describe('what a write has changed', () => {
	const scene = useScene();

	it.each([
		['update', { updateFields: { familyName: 'Vos' } }, 'PATCH'],
		['replace', { familyName: 'Vos' }, 'PUT'],
	])(
		'With Tell What Changed, the output of %s lists changes, after one more request',
		async (operation, fields, method) => {
			const options = { tellChanges: true };
			const { items } = await scene.person(operation, { personId, ...fields, options });
			const changes = { familyName: { from: person.familyName, to: 'Vos' } };
			expect(items[0].json).toMatchObject({ result: 'updated', changes });
			const sent = scene.sent().filter(({ path: asked }) => asked !== '/users');
			expect(sent.map((one) => one.method)).toEqual(['GET', method]);
		},
	);

	it.each(['simplified', 'selectedFields', 'raw'])(
		'With output %s, a write begins with result, name, summary, and ends with changes',
		async (output) => {
			const options = { output, tellChanges: true };
			const updateFields = { jobTitle: 'Buyer', tags: [tag] };
			const { items } = await scene.person('update', { personId, updateFields, options });
			const { json } = items[0];
			const keys = Object.keys(json);
			expect(keys.slice(0, 3)).toEqual(['result', 'name', 'summary']);
			expect(keys.at(-1)).toBe('changes');
			expect(json.name).toContain(String(person.familyName));
			expect(json.summary).toMatch(/^Job Title: .+ → Buyer; and 1 more$/);
		},
	);

	it('If the node cannot know what a write changed, the output has no summary', async () => {
		const { items } = await scene.person('update', {
			...{ personId, updateFields: { jobTitle: 'Buyer' }, options: { output: 'simplified' } },
		});
		expect(Object.keys(items[0].json).slice(0, 3)).toEqual(['result', 'name', 'id']);
		expect(items[0].json).not.toHaveProperty('changes');
	});

	it('Even without Tell What Changed, an update by e-mail address lists its changes', async () => {
		const byEmail = { ...locator(email), mode: 'email' };
		const updateFields = { jobTitle: 'Buyer' };
		const { items } = await scene.person('update', { personId: byEmail, updateFields });
		expect(items[0].json.changes).toEqual({ jobTitle: { from: person.jobTitle, to: 'Buyer' } });
		expect(scene.requests()).toHaveLength(2);
	});

	it('Without Tell What Changed, the output of an update by ID lists no changes', async () => {
		const { items } = await scene.person('update', OPERATIONS['person update']);
		expect(items[0].json).not.toHaveProperty('changes');
		expect(scene.requests()).toHaveLength(1);
	});

	it('The changes in the output of an update are enough to undo the update', async () => {
		const before = await scene.record(path);
		const { items } = await scene.person('update', {
			personId,
			updateFields: {
				...{ jobTitle: 'Buyer', owner: other.owner ?? '', archivedAt: '2026-12-31T17:00:00Z' },
				...{ tags: [tag], emailAddresses: ['new@mail.example'], address: { city: 'Delft' } },
			},
			options: { tellChanges: true },
		});
		const back = Object.entries(items[0].json.changes as Record<string, IDataObject>).map(
			([name, { from, added, removed }]) => {
				if (from !== undefined) return [name, from];
				const now = items[0].json[name] as unknown[];
				const isAdded = (entry: unknown) =>
					(added as unknown[]).some((one) => JSON.stringify(one) === JSON.stringify(plain(entry)));
				return [name, [...now.filter((entry) => !isAdded(entry)), ...(removed as unknown[])]];
			},
		);
		await scene.person('update', {
			...{ personId, inputMode: 'json' },
			jsonBody: JSON.stringify(Object.fromEntries(back)),
		});
		const { updatedAt } = before;
		expect(plain({ ...(await scene.record(path)), updatedAt })).toEqual(plain(before));
	});

	it('The output lists the first value of an object field as change from null', async () => {
		const recurringSettings = { rrule: 'FREQ=WEEKLY' };
		const { items } = await scene.task('update', {
			...{ taskId, updateFields: { recurringSettings: { ...recurringSettings, snooze: true } } },
			options: { tellChanges: true },
		});
		const to = { ...recurringSettings, snooze: true };
		expect(items[0].json.changes).toEqual({ recurringSettings: { from: null, to } });
	});
});
