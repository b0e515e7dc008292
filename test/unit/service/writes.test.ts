import { startService, type Service } from '../../service';
import { connect, type RequestOptions } from '../../service/client';

let now = Date.UTC(2026, 1, 3, 10);
let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	service = await startService({
		switches: { rateLimit: { mode: 'off' } },
		seed: { people: 3, tasks: 3 },
		clock: () => now,
	});
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => {
	now = Date.UTC(2026, 1, 3, 10);
	service.reset();
});

const userIri = () => `/users/${[...service.store.users.keys()][0]}`;
const tagIris = () => [...service.store.tags.keys()].map((id) => `/tags/${id}`);
const taskPath = () => `/tasks/${[...service.store.tasks.keys()][0]}`;

const vos = () => ({
	familyName: 'Vos',
	givenName: 'Jan',
	owner: userIri(),
	tags: tagIris().slice(0, 2),
	emailAddresses: [{ email: 'jan@example.com' }, { email: 'vos@example.com' }],
	address: { city: 'Gent', street: 'Kouter 1', country: 'BE' },
});

const createVos = async () => (await send('POST', '/people', { body: vos() })).body;

describe('PATCH as a merge patch', () => {
	it('changes what is given and keeps the rest', async () => {
		const before = await createVos();
		const { body } = await send('PATCH', before['@id'], { body: { jobTitle: 'Cook' } });
		expect(body).toEqual({ ...before, jobTitle: 'Cook' });
	});

	it('merges objects, replaces lists and clears with null', async () => {
		const { '@id': path } = await createVos();
		const { body } = await send('PATCH', path, {
			body: {
				address: { city: 'Brugge', street: null },
				tags: [tagIris()[3]],
				emailAddresses: [{ email: 'new@example.com' }],
				givenName: null,
			},
		});
		expect(body.address).toEqual({ city: 'Brugge', country: 'BE' });
		expect(body.tags).toEqual([tagIris()[3]]);
		expect(body.emailAddresses).toEqual([{ email: 'new@example.com' }]);
		expect(body).not.toHaveProperty('givenName');
	});

	it('shows what it cleared as null where nulls are shown', async () => {
		service.switches.omitNulls = false;
		const { '@id': path } = await createVos();
		expect((await send('PATCH', path, { body: { owner: null } })).body.owner).toBeNull();
	});

	it('moves updatedAt only where something changes, and never createdAt', async () => {
		const before = await createVos();
		now += 60_000;
		const same = await send('PATCH', before['@id'], { body: { familyName: 'Vos' } });
		expect(same.body.updatedAt).toBe(before.updatedAt);
		expect(service.requests.at(-1)?.stored).toBe(false);
		const changed = await send('PATCH', before['@id'], { body: { familyName: 'Fox' } });
		expect(changed.body.updatedAt).toBe('2026-02-03T10:01:00+00:00');
		expect(changed.body.createdAt).toBe(before.createdAt);
		expect(service.requests.at(-1)?.stored).toBe(true);
	});

	it('and PUT never change the id of a record', async () => {
		const { '@id': path, id } = await createVos();
		const body = { familyName: 'Fox', id: '11111111-1111-4111-8111-111111111111' };
		expect((await send('PATCH', path, { body })).body.id).toBe(id);
		expect((await send('PUT', path, { body })).body.id).toBe(id);
	});

	it('cannot take away what a record must have', async () => {
		const { '@id': path } = await createVos();
		for (const [target, body] of [
			[path, { familyName: null }],
			[path, { familyName: '' }],
			[taskPath(), { title: null }],
			[taskPath(), { status: null }],
		] as const) {
			const reply = await send('PATCH', target, { body });
			const [name] = Object.keys(body);
			expect([reply.status, reply.body.violations]).toEqual([
				422,
				[{ propertyPath: name, message: 'This value should not be blank.' }],
			]);
		}
	});

	it('merges the recurring settings of a task', async () => {
		const path = taskPath();
		const patch = async (recurringSettings: unknown) =>
			(await send('PATCH', path, { body: { recurringSettings } })).body;
		await patch({ rrule: 'FREQ=WEEKLY', snooze: true });
		const merged = await patch({ snooze: false });
		expect(merged.recurringSettings).toEqual({ rrule: 'FREQ=WEEKLY', snooze: false });
		expect(merged.isRecurring).toBe(true);
		expect((await patch(null)).isRecurring).toBe(false);
	});

	it('gives flags of a task back their default', async () => {
		await send('PATCH', taskPath(), { body: { isFlagged: true } });
		expect((await send('PATCH', taskPath(), { body: { isFlagged: null } })).body.isFlagged).toBe(
			false,
		);
	});
});

describe('PUT', () => {
	it('resets every field of a person that is not sent', async () => {
		const before = await createVos();
		now += 60_000;
		const { body } = await send('PUT', before['@id'], { body: { familyName: 'Fox' } });
		expect(body).toMatchObject({
			id: before.id,
			familyName: 'Fox',
			createdAt: before.createdAt,
			updatedAt: '2026-02-03T10:01:00+00:00',
			tags: [],
			emailAddresses: [],
			address: { country: 'NL' },
		});
		expect(body).not.toHaveProperty('givenName');
		expect(body).not.toHaveProperty('owner');
	});

	it('resets a segment and a comment', async () => {
		const [segment] = service.store.segments.values();
		const replaced = await send('PUT', `/segments/${segment.id}`, {
			body: { title: 'A', icon: 'b' },
		});
		expect(replaced.body).toMatchObject({ id: segment.id, title: 'A', icon: 'b' });
		expect(replaced.body).not.toHaveProperty('sequence');
		const comment = await send('POST', `${taskPath()}/comments`, {
			body: { description: 'Hi', flagged: true, mentions: [userIri()] },
		});
		const put = await send('PUT', comment.body['@id'], { body: { description: 'Ho' } });
		expect(put.body).toMatchObject({ description: 'Ho', flagged: false, mentions: [] });
	});

	it('resets the fields an update of a task can set, and no others', async () => {
		const [workspace] = service.store.workspaces.values();
		const status = `/workspaces/${workspace.id}/columns/${workspace.columns[1].id}`;
		const created = await send('POST', '/tasks', {
			body: {
				title: 'Call',
				status,
				isFlagged: true,
				dueDate: '2026-03-01',
				tags: [{ title: 'New' }],
			},
		});
		const { body } = await send('PUT', created.body['@id'], { body: { title: 'Visit', status } });
		expect(body).toMatchObject({ title: 'Visit', isFlagged: false, tags: created.body.tags });
		expect(body).not.toHaveProperty('dueDate');
		expect(body.indexNumber).toBe(created.body.indexNumber);
	});
});

describe('a body', () => {
	it.each([
		['POST', '/segments', { title: 'Press' }, ['icon']],
		['POST', '/people', { givenName: 'Jan' }, ['familyName']],
		['POST', '/tasks', {}, ['title', 'status']],
		['POST', '/people', { familyName: 'Vos', emailAddresses: [{}] }, ['emailAddresses[0].email']],
		[
			'POST',
			'/people',
			{ familyName: 'Vos', phoneNumbers: [{}] },
			['phoneNumbers[0].phoneNumber', 'phoneNumbers[0].phoneType'],
		],
	])('of %s %s with %j is refused for what is missing', async (method, path, body, missing) => {
		const reply = await send(method, path, { body });
		expect(reply.status).toBe(422);
		expect(reply.body.violations).toEqual(
			missing.map((propertyPath) => ({ propertyPath, message: 'This value should not be blank.' })),
		);
	});

	it('gives every violation at once', async () => {
		const { status, body } = await send('POST', '/people', {
			body: {
				emailAddresses: [{ email: 'jan@example.com' }, { email: 'jan' }],
				phoneNumbers: [{ phoneNumber: '1', phoneType: 'pager' }],
			},
		});
		expect(status).toBe(422);
		expect(body.violations.map(({ propertyPath }) => propertyPath).sort()).toEqual([
			'emailAddresses[1].email',
			'familyName',
			'phoneNumbers[0].phoneType',
		]);
		expect(body.detail.split('\n')).toHaveLength(3);
		expect(service.store.people.size).toBe(3);
	});

	it.each([
		[
			{ familyName: 5 },
			'The type of the "familyName" attribute must be "string" or "null", "integer" given.',
		],
		[
			{ familyName: 'Vos', tags: null },
			'The type of the "tags" attribute must be "array", "null" given.',
		],
		[{ familyName: 'Vos', owner: 'jan' }, 'Invalid IRI "jan".'],
		[{ familyName: 'Vos', owner: '/tags/1' }, 'Invalid IRI "/tags/1".'],
		[{ familyName: 'Vos', owner: '/users/1' }, 'Item not found for "/users/1".'],
		[
			{ familyName: 'Vos', archivedAt: 'soon' },
			'Failed to parse time string (soon) of the "archivedAt" attribute.',
		],
		['{"familyName":', 'Syntax error'],
		['', 'Syntax error'],
		['[]', 'The input data is misformatted.'],
	])('%j is refused with 400: %s', async (body, detail) => {
		const reply = await send('POST', '/people', { body });
		expect([reply.status, reply.body.detail]).toEqual([400, detail]);
	});

	it('is refused for its types before anything is validated', async () => {
		const reply = await send('POST', '/people', {
			body: { jobTitle: 1, emailAddresses: [{ email: 'x' }] },
		});
		expect(reply.status).toBe(400);
	});

	it('loses its read-only and unknown fields', async () => {
		const { status, body } = await send('POST', '/people', {
			body: {
				familyName: 'Vos',
				createdAt: '2001-01-01T00:00:00Z',
				avatarUrl: 3,
				shoeSize: 44,
				'@id': '/people/1',
				emailAddresses: [{ email: 'jan@example.com', label: 'work' }],
			},
		});
		expect(status).toBe(201);
		expect(body.createdAt).toBe('2026-02-03T10:00:00+00:00');
		expect(body).not.toHaveProperty('avatarUrl');
		expect(body).not.toHaveProperty('shoeSize');
		expect(body.emailAddresses).toEqual([{ email: 'jan@example.com' }]);
	});

	it('takes columns of a workspace that has them alone', async () => {
		const [one, two] = [...service.store.workspaces.values()];
		const status = `/workspaces/${one.id}/columns/${two.columns[0].id}`;
		const reply = await send('POST', '/tasks', { body: { title: 'Call', status } });
		expect([reply.status, reply.body.detail]).toEqual([400, `Item not found for "${status}".`]);
	});

	it('takes null where the interface allows it', async () => {
		const body = {
			familyName: 'Vos',
			owner: null,
			emailAddresses: [{ email: null }],
			phoneNumbers: [{ phoneNumber: null, phoneType: null }],
		};
		expect((await send('POST', '/people', { body })).status).toBe(201);
		// Both are required, so they show even where other nulls are left out.
		const segment = await send('POST', '/segments', { body: { title: null, icon: null } });
		expect(segment.body).toMatchObject({ title: null, icon: null });
		expect(segment.body).not.toHaveProperty('sequence');
	});

	it.each([
		'2026-03-01',
		'2026-03-01T09:00:00Z',
		'2026-03-01T09:00:00.500+02:00',
		'2026-W09',
		'2026-03',
	])('takes %s as a date of a task', async (plannedWeek) => {
		expect((await send('PATCH', taskPath(), { body: { plannedWeek } })).status).toBe(200);
	});
});

describe('a media type', () => {
	const person = { familyName: 'Vos' };
	const personPath = () => `/people/${[...service.store.people.keys()][0]}`;
	const status = async (method: string, path: string, options: RequestOptions) =>
		(await send(method, path, options)).status;

	it('is JSON-LD or JSON to write a person', async () => {
		for (const type of [
			'application/ld+json',
			'application/json',
			'application/ld+json; charset=utf-8',
		]) {
			expect(await status('POST', '/people', { body: person, type })).toBe(201);
			expect(await status('PUT', personPath(), { body: person, type })).toBe(200);
		}
	});

	it('is JSON-LD alone to write anything else', async () => {
		const body = { title: 'Press', icon: 'star' };
		expect(await status('POST', '/segments', { body, type: 'application/json' })).toBe(415);
		expect(await status('POST', '/segments', { body })).toBe(201);
		expect(
			await status('POST', `${taskPath()}/comments`, { body: {}, type: 'application/json' }),
		).toBe(415);
		expect(
			await status('POST', `${taskPath()}/duplicate`, { body: {}, type: 'application/json' }),
		).toBe(415);
	});

	it('is a merge patch alone to update', async () => {
		for (const type of ['application/json', 'application/ld+json']) {
			expect(await status('PATCH', personPath(), { body: person, type })).toBe(415);
		}
		expect(await status('PATCH', personPath(), { body: person })).toBe(200);
		expect(
			await status('PUT', personPath(), { body: person, type: 'application/merge-patch+json' }),
		).toBe(415);
	});

	it('has to be there', async () => {
		const reply = await send('POST', '/people', { body: person, type: '' });
		expect([reply.status, reply.body.detail]).toEqual([
			415,
			'The "Content-Type" header must exist.',
		]);
	});

	it('matters only once the record was found', async () => {
		expect(await status('PATCH', '/people/1', { body: person, type: 'text/plain' })).toBe(404);
	});
});

describe('a problem', () => {
	const refused = async (accept?: string) =>
		(await send('POST', '/people', { body: {}, accept })).body;

	it('has its JSON-LD members for those who accept them', async () => {
		expect(await refused()).toMatchObject({
			'@type': 'ConstraintViolation',
			description: expect.any(String) as string,
		});
		expect(await refused('application/json')).not.toHaveProperty('@type');
	});

	it('has title, detail, status, type and message', async () => {
		const text = 'familyName: This value should not be blank.';
		expect(await refused('application/json')).toEqual({
			title: 'An error occurred',
			detail: text,
			status: 422,
			type: '/validation_errors',
			violations: [{ propertyPath: 'familyName', message: 'This value should not be blank.' }],
			message: text,
		});
	});

	it('has the form the switches say', async () => {
		service.switches.problemMessage = false;
		expect(await refused()).not.toHaveProperty('message');
		service.switches.problemForm = 'plain';
		expect(await refused()).not.toHaveProperty('@type');
		service.switches.problemForm = 'jsonld';
		expect(await refused('application/json')).toHaveProperty('@type');
		service.switches.problemForm = 'message-only';
		expect(await refused()).toEqual({ message: 'familyName: This value should not be blank.' });
	});
});
