import { sleep } from 'n8n-workflow';
import { changeSwitches } from '../service/switches';
import { itInCi, sampled } from '../support/drawn';
import { locator } from './support/fields';
import { runNode } from './support/runNode';
import { useScene } from './support/scene';
import { COLUMNS, PEOPLE, SEGMENTS, TAGS, TASKS } from './support/seeded';
import { lapse } from './support/timeLapse';

/*
 * A write is decided when it leaves: by the newest read of the run, and for a list by a read that is at most 15 s old. In
 * these tests, colleagues change the CRM while items wait for a slot.
 */
const scene = useScene();
const [A, B, C] = TAGS.map((tag) => `/tags/${tag}`);
const PERSONAL = PEOPLE.filter(({ emailAddresses }) => emailAddresses.length === 1).slice(0, 30);
const emailOf = (nth: number) => PERSONAL[nth].emailAddresses[0].email!;
const BY_EMAIL = { __rl: true, mode: 'email', value: '={{ $json.email }}' };
const stored = (id: string) => scene.service.store.people.get(id)!;
const written = () => scene.writes().map(({ path }) => path.split('/').at(-1));

/** Starts a run; time passes in `lapse`. */
const start = async (parameters: object, input: object[], more: object = {}) =>
	await runNode(
		{ url: scene.service.url, apiKey: scene.apiKey },
		{ parameters: { resource: 'person', ...parameters }, input: input as never, ...more },
	);
const pass = async (ms: number) => await lapse(sleep(ms));
const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, nth) => ({ email: emailOf(nth), name: `Name ${nth}` }));

/** Gives the address of one person to another. */
function move(from: string, to: string) {
	const { emailAddresses } = stored(from);
	scene.change('people', from, { emailAddresses: [{ email: 'gone@crm.example' }] });
	scene.change('people', to, { emailAddresses });
}

describe('an address that a colleague moves while items wait', () => {
	const [last, heir] = [PERSONAL[24].id, PERSONAL[29].id];

	it.each(
		sampled(
			[
				['addTags', { tags: [A] }, () => stored(heir).tags.includes(A)],
				['addToSegments', { segments: [SEGMENTS[0]] }, () => stored(heir).segments.length > 0],
				[
					'addPhoneNumber',
					{ phoneNumber: '+31 6 99887766' },
					() => stored(heir).phoneNumbers.length > 0,
				],
			] as Array<[string, object, () => boolean]>,
			3,
		),
	)(
		'If an address moves to another person meanwhile, operation %s adds to that person',
		async (operation, parameters, isDone) => {
			for (const { id } of PERSONAL) {
				scene.change('people', id, { tags: [], segments: [], phoneNumbers: [] });
			}
			const running = start({ operation, personId: BY_EMAIL, ...parameters }, rowsOf(25));
			await pass(30_000);
			move(last, heir);
			const { error } = await lapse(running);
			expect(error?.message).toBeUndefined();
			expect(isDone()).toBe(true);
			expect(written()).not.toContain(last);
		},
	);

	itInCi.each([
		['update', { updateFields: { jobTitle: 'Ours' } }, { jobTitle: 'Ours' }],
		['archive', {}, { archivedAt: expect.any(String) }],
	] as Array<[string, object, object]>)(
		'If an address moves to another person meanwhile, operation %s changes that person',
		async (operation, parameters, expected) => {
			for (const person of [last, heir]) scene.change('people', person, { archivedAt: null });
			const running = start({ operation, personId: BY_EMAIL, ...parameters }, rowsOf(25));
			await pass(30_000);
			move(last, heir);
			await lapse(running);
			expect(stored(heir)).toMatchObject(expected);
			expect(written()).not.toContain(last);
		},
	);

	itInCi(
		'If an address moves to another person meanwhile, Create or Update changes that person',
		async () => {
			scene.change('people', heir, { tags: [B] });
			scene.change('people', last, { tags: [] });
			const input = [...rowsOf(25), { email: 'heir@crm.example', name: 'Heir' }];
			const upsert = {
				operation: 'upsert',
				email: '={{ $json.email }}',
				familyName: '={{ $json.name }}',
			};
			const running = start({ ...upsert, additionalFields: { tags: [A] } }, input);
			await pass(30_000);
			move(last, heir);
			const { error } = await lapse(running);
			expect(error?.message).toBeUndefined();
			expect(stored(heir)).toMatchObject({ familyName: 'Name 24', tags: [B, A] });
			expect(written()).not.toContain(last);
		},
	);

	itInCi(
		'If nobody has the e-mail address any more, Create or Update creates a person',
		async () => {
			for (const { id } of PERSONAL) scene.change('people', id, { tags: [] });
			const upsert = {
				operation: 'upsert',
				email: '={{ $json.email }}',
				familyName: '={{ $json.name }}',
			};
			const running = start({ ...upsert, additionalFields: { tags: [A] } }, rowsOf(25));
			await pass(30_000);
			scene.change('people', last, { emailAddresses: [] });
			await lapse(running);
			const people = [...scene.service.store.people.values()];
			const carriers = people.filter(({ emailAddresses }) =>
				emailAddresses.some(({ email }) => email === emailOf(24)),
			);
			expect(carriers).toMatchObject([{ familyName: 'Name 24', tags: [A] }]);
			expect(carriers[0].id).not.toBe(last);
			expect(written()).not.toContain(last);
		},
	);
});

describe('a list that a colleague changes while items wait', () => {
	const add = { operation: 'addTags', tags: [A] };

	itInCi.each([
		['Add Tags by e-mail address', { ...add, personId: BY_EMAIL }],
		['Add Tags by ID', { ...add, personId: locator('={{ $json.id }}') }],
		[
			'Create or Update',
			{ operation: 'upsert', email: '={{ $json.email }}', additionalFields: { tags: [A] } },
		],
		[
			'Create or Update with Look for People: One by One',
			{
				operation: 'upsert',
				email: '={{ $json.email }}',
				additionalFields: { tags: [A] },
				options: { lookUp: 'each' },
			},
		],
	] as Array<[string, object]>)(
		'A waiting write keeps the tag that a colleague adds meanwhile: %s',
		async (_, parameters) => {
			for (const { id } of PERSONAL) scene.change('people', id, { tags: [B] });
			const input = PERSONAL.map(({ id }, nth) => ({ id, email: emailOf(nth) }));
			const running = start(parameters, input);
			await pass(20_000);
			for (const { id } of PERSONAL) scene.change('people', id, { tags: [...stored(id).tags, C] });
			const { error } = await lapse(running);
			expect(error?.message).toBeUndefined();
			for (const { id } of PERSONAL)
				expect(stored(id).tags).toEqual(expect.arrayContaining([A, B, C]));
		},
	);

	itInCi.each([1, 2, 4, 20])(
		'At %s requests a minute, Add Tags writes at most 61 s after reading',
		async (limit) => {
			changeSwitches(scene.service.switches, { rateLimit: { limit } });
			for (const { id } of PERSONAL) scene.change('people', id, { tags: [B] });
			const input = PERSONAL.slice(0, 4).map(({ id }) => ({ id }));
			const parameters = { ...add, personId: locator('={{ $json.id }}') };
			const running = start(parameters, input, { credentials: { requestsPerMinute: limit } });
			const { error } = await lapse(running);
			expect(error?.message).toBeUndefined();
			expect(PERSONAL.slice(0, 4).map(({ id }) => stored(id).tags)).toEqual(Array(4).fill([B, A]));
			// At one request a minute, a write leaves a minute after its read.
			const mostAgeMs = limit === 1 ? 61_000 : 15_000;
			const log = scene.requests();
			const ages = log.flatMap(({ method, path, at }, index) => {
				const reads = log.slice(0, index).filter((earlier) => earlier.path === path);
				return method === 'PATCH' ? [at - reads.at(-1)!.at] : [];
			});
			expect(ages).toHaveLength(4);
			for (const age of ages) expect(age).toBeLessThanOrEqual(mostAgeMs);
		},
	);

	itInCi('At 20 requests a minute, Add Tags reads thirty people with two requests', async () => {
		for (const { id } of PERSONAL) scene.change('people', id, { tags: [B] });
		const { error } = await lapse(start({ ...add, personId: BY_EMAIL }, rowsOf(30)));
		expect(error?.message).toBeUndefined();
		expect(scene.writes()).toHaveLength(30);
		// One lookup and 19 writes in the first minute, one read and 11 writes in the second.
		expect(scene.requests()).toHaveLength(32);
	});

	it('If HTTP 429 delays Add Tags, it keeps a tag that a colleague adds', async () => {
		const { id } = PERSONAL[0];
		scene.change('people', id, { tags: [B] });
		scene.faults({
			...{ kind: 'status', status: 429, headers: { 'Retry-After': '120' } },
			match: { method: 'PATCH', nth: [1, 2, 3, 4] },
		});
		scene.onRequest(3, () => scene.change('people', id, { tags: [B, C] }));
		const { error } = await lapse(start({ ...add, personId: locator(id) }, [{}]));
		expect(error?.message).toBeUndefined();
		expect(stored(id).tags).toEqual([B, C, A]);
	});

	it('Although reads lag behind writes, a person gets the tags of all three rows', async () => {
		changeSwitches(scene.service.switches, { readsLagMs: 5_000 });
		const { id } = PERSONAL[0];
		scene.change('people', id, { tags: [] });
		const input = [A, B, C].map((tag) => ({ tag, email: emailOf(0) }));
		for (const personId of [locator(id), BY_EMAIL]) {
			await lapse(start({ operation: 'addTags', personId, tags: '={{ [$json.tag] }}' }, input));
			expect(stored(id).tags).toEqual([A, B, C]);
			await pass(60_000);
			scene.change('people', id, { tags: [] });
			await pass(60_000);
		}
	});
});

/** Refuses the first write for two minutes, and lets a colleague act meanwhile. */
function delay(method: string, nth: number, act: () => void) {
	const headers = { 'Retry-After': '120' };
	scene.faults({ kind: 'status', status: 429, headers, match: { method, nth: 1 } });
	scene.onRequest(nth, act);
}

describe('a field that a colleague changes while HTTP 429 delays the write', () => {
	const [{ id: person }] = PERSONAL;
	const [{ id: task }] = TASKS;
	const personId = locator(person);
	const taskId = locator(task);

	it.each([
		['person update', { personId, updateFields: { jobTitle: 'Ours' } }, { jobTitle: 'Theirs' }],
		['person replace', { personId, familyName: 'Ours' }, { familyName: 'Theirs' }],
		['task update', { taskId, updateFields: { title: 'Ours' } }, { title: 'Theirs' }],
		['task move', { taskId, status: locator(COLUMNS[3]) }, { status: COLUMNS[2] }],
		['task complete', { taskId }, { completedAt: '2026-02-02T00:00:00+00:00' }],
		['task reopen', { taskId }, { completedAt: '2026-02-02T00:00:00+00:00' }],
	] as Array<[string, object, Record<string, string>]>)(
		'Operation %s reports the value that a colleague just set, and Undo restores it',
		async (name, parameters, theirs) => {
			const [resource, operation] = name.split(' ') as ['person' | 'task', string];
			const [table, id] = { person: ['people', person], task: ['tasks', task] }[resource];
			const [[field, value]] = Object.entries(theirs);
			if (operation === 'reopen') scene.change('tasks', task, { completedAt: '2026-01-01' });
			await scene.showTimes();
			delay(operation === 'replace' ? 'PUT' : 'PATCH', 2, () =>
				scene.change(table as 'tasks', id, theirs),
			);
			const options = { tellChanges: true, output: 'raw' };
			const { items } = await scene[resource](operation, { ...parameters, options });
			const { from } = (items[0].json.changes as Record<string, { from: string }>)[field];
			expect(from.replace(/Z$/, '+00:00')).toBe(value);
			scene.faults();
			const { error } = await scene[resource]('undo', {}, { input: items.map(({ json }) => json) });
			expect(error?.message).toBeUndefined();
			expect(scene.service.store[table as 'tasks'].get(id)).toMatchObject(theirs);
		},
	);
});

describe('an address that a colleague gives away while HTTP 429 delays the write', () => {
	const [own, heir] = [PERSONAL[0].id, PERSONAL[1].id];
	const personId = locator(own);
	const updateFields = { emailAddresses: [{ email: emailOf(0) }, { email: 'new@crm.example' }] };

	it.each([
		['update', 'without options', { personId, updateFields }, 3],
		[
			'update',
			'with Tell What Changed',
			{ personId, updateFields, options: { tellChanges: true } },
			4,
		],
		['addEmailAddress', 'of one address', { personId, email: 'new@crm.example' }, 3],
	] as Array<[string, string, object, number]>)(
		'The operation %s (%s) adds no address that somebody else has by now',
		async (operation, _, parameters, nth) => {
			delay('PATCH', nth, () =>
				scene.change('people', heir, { emailAddresses: [{ email: 'new@crm.example' }] }),
			);
			const { items, error } = await scene.person(operation, parameters);
			expect(error?.message).toBeUndefined();
			expect(stored(own).emailAddresses).toEqual([{ email: emailOf(0) }]);
			expect(items[0].json.note).toMatch(/new@crm\.example/);
		},
	);
});

describe('an address of a linked person that a colleague moves while HTTP 429 delays the write', () => {
	const [holder, heir] = [PERSONAL[0].id, PERSONAL[1].id];
	const person = { __rl: true, mode: 'email', value: emailOf(0) };

	it.each([
		['create', { title: 'Call', status: locator(COLUMNS[1]), person }],
		['duplicate', { taskId: locator(TASKS[0].id), additionalFields: { people: [person] } }],
	])(
		'If the address moves meanwhile, operation %s links the task to its new holder',
		async (operation, parameters) => {
			delay('POST', 2, () => move(holder, heir));
			const { error } = await scene.task(operation, parameters);
			expect(error?.message).toBeUndefined();
			const { people } = [...scene.service.store.tasks.values()].at(-1)!;
			expect(people).toContain(`/people/${heir}`);
			expect(people).not.toContain(`/people/${holder}`);
			expect(scene.requests().map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
		},
	);
});

describe('a change whose answer is lost', () => {
	const { id, jobTitle } = PERSONAL[0];
	const update = { operation: 'update', personId: locator(id), updateFields: { jobTitle: 'Ours' } };
	const lost = (isStored: boolean) =>
		scene.faults({ kind: 'reset', stored: isStored, match: { method: 'PATCH', nth: 1 } });

	it.each([false, true])(
		'The node never resends an unanswered update that took effect (Tell What Changed: %s)',
		async (tellChanges) => {
			lost(true);
			const { items } = await lapse(start({ ...update, options: { tellChanges } }, [{}]));
			expect(items[0].json).toMatchObject({ result: 'updated', jobTitle: 'Ours' });
			if (tellChanges) {
				expect(items[0].json.changes).toEqual({ jobTitle: { from: jobTitle, to: 'Ours' } });
			}
			expect(scene.writes()).toHaveLength(1);
		},
	);

	it.each([false, true])(
		'The node resends an unanswered update that had no effect (Tell What Changed: %s)',
		async (tellChanges) => {
			lost(false);
			await pass(60_000);
			const { items } = await lapse(start({ ...update, options: { tellChanges } }, [{}]));
			expect(items[0].json).toMatchObject({ result: 'updated', jobTitle: 'Ours' });
			expect(scene.writes()).toHaveLength(2);
		},
	);

	it.each([false, true])(
		"After an unanswered update, the node keeps a colleague's value (Tell What Changed: %s)",
		async (tellChanges) => {
			lost(true);
			scene.onRequest(tellChanges ? 3 : 2, () => {
				const updatedAt = new Date().toISOString();
				scene.change('people', id, { jobTitle: 'Theirs', updatedAt });
			});
			const { items } = await lapse(start({ ...update, options: { tellChanges } }, [{}]));
			expect(stored(id).jobTitle).toBe('Theirs');
			expect(items[0].json.note).toMatch(
				/somebody has changed the person since\. Left as it is: Job Title/,
			);
			expect(scene.writes()).toHaveLength(1);
		},
	);

	it.each([
		['took effect', true],
		['had no effect', false],
	])(
		"After an unanswered Create or Update, a colleague's later value stays (its write %s)",
		async (_, isStored) => {
			scene.change('people', id, { tags: [B] });
			lost(isStored);
			await pass(60_000);
			scene.onRequest(3, () => scene.change('people', id, { jobTitle: 'Theirs', tags: [B, C] }));
			const upsert = { operation: 'upsert', email: emailOf(0), familyName: 'Bos' };
			const additionalFields = { jobTitle: 'Ours', tags: [A] };
			const { items } = await lapse(start({ ...upsert, additionalFields }, [{}]));
			expect(stored(id)).toMatchObject({ jobTitle: 'Theirs', tags: [B, C, A] });
			expect(items[0].json.note).toMatch(
				/somebody has changed the person since\. Left as it is: Job Title/,
			);
		},
	);

	it.each([true, false])(
		'After a lost answer, Replace repeats only a write without effect (took effect: %s)',
		async (isStored) => {
			scene.faults({ kind: 'reset', stored: isStored, match: { method: 'PUT', nth: 1 } });
			await pass(60_000);
			const replace = { operation: 'replace', personId: locator(id), familyName: 'Bos' };
			const { items } = await lapse(start(replace, [{}]));
			expect(items[0].json).toMatchObject({ result: 'updated', familyName: 'Bos' });
			expect(items[0].json.note).toBeUndefined();
			expect(scene.writes()).toHaveLength(isStored ? 1 : 2);
		},
	);

	it('After a lost answer, Add Tags keeps a tag that a colleague added meanwhile', async () => {
		scene.change('people', id, { tags: [B] });
		lost(false);
		scene.onRequest(3, () => scene.change('people', id, { tags: [B, C] }));
		await lapse(start({ operation: 'addTags', personId: locator(id), tags: [A] }, [{}]));
		expect(stored(id).tags).toEqual([B, C, A]);
	});
});

describe('a create without a clear answer', () => {
	const upsert = {
		...{ operation: 'upsert', email: 'new@crm.example', familyName: 'Jansen' },
		additionalFields: { jobTitle: 'Buyer' },
	};
	const setup = { onError: 'continueRegularOutput' };

	it('After an unanswered create, the next row says somebody may have created the person', async () => {
		scene.faults({ kind: 'reset', match: { method: 'POST', nth: 1 } });
		scene.onRequest(2, () => {
			const theirs = { ...PEOPLE[0], id: scene.service.store.newId('people'), familyName: 'Bos' };
			const emailAddresses = [{ email: 'new@crm.example' }];
			scene.service.store.people.set(theirs.id, { ...theirs, emailAddresses });
		});
		const { items } = await lapse(start(upsert, [{}, {}], setup));
		expect(items[1].json).toMatchObject({ result: 'updated' });
		expect(items[1].json.note).toMatch(/may have created the person/);
	});
});
