import { operations, responseSchema, validate, type Operation } from '../../service/contract';
import { startService, type Service } from '../../service';
import { connect } from '../../service/client';

const NOW = Date.UTC(2026, 1, 3, 10, 20, 30, 456);
const NOW_TEXT = '2026-02-03T10:20:30+00:00';

let service: Service;
let send: ReturnType<typeof connect>;

beforeAll(async () => {
	service = await startService({ switches: { rateLimit: { mode: 'off' } }, clock: () => NOW });
	send = connect(service);
});
afterAll(async () => await service.close());
beforeEach(() => service.reset());

const first = <T>(values: Iterable<T>): T => {
	for (const value of values) return value;
	throw new Error('There is none');
};

const columnOf = (index: number) => {
	const workspace = [...service.store.workspaces.values()][index];
	return `/workspaces/${workspace.id}/columns/${workspace.columns[0].id}`;
};

/** A path of an operation with ids of records that exist. */
function pathOf({ path }: Operation): string {
	const { store } = service;
	const [taskId, comments] = [...store.comments].find(([id]) => store.history.has(id)) ?? ['', []];
	const ids: Record<string, string> = {
		'/people': first(store.people.keys()),
		'/workspaces': first(store.workspaces.keys()),
		'/segments': first(store.segments.keys()),
		'/tasks': taskId,
		'/comments': comments[0].id,
		'/history': store.history.get(taskId)?.[0].id ?? '',
	};
	return path
		.replace('{taskId}', taskId)
		.replace(/(\/\w+)\/\{id\}/, (_match, resource: string) => `${resource}/${ids[resource]}`);
}

/** A body that each operation takes. */
const bodyOf = ({ operationId }: Operation): unknown => {
	if (operationId.endsWith('Person')) return { familyName: 'Vos' };
	if (operationId.endsWith('Segment')) return { title: 'Press', icon: 'star' };
	if (operationId.endsWith('Comment')) return { description: 'Called back' };
	if (operationId === 'duplicateTask') return { title: 'Again' };
	return { title: 'Call back', status: columnOf(1) };
};

describe.each(operations.map((operation) => [operation.operationId, operation] as const))(
	'%s',
	(_operationId, operation) => {
		const body = () => (operation.requestTypes.length > 0 ? bodyOf(operation) : undefined);

		it.each(['application/ld+json', 'application/json'])(
			'answers with its documented status and a body of its schema as %s',
			async (accept) => {
				const { method } = operation;
				const reply = await send(method, pathOf(operation), { body: body(), accept });
				expect([reply.status, reply.text]).toEqual([operation.successStatus, expect.any(String)]);
				const schema = responseSchema(operation, reply.status, accept);
				if (!schema) {
					expect(reply.text).toBe('');
					return;
				}
				expect(reply.mediaType).toBe(accept);
				expect(validate(schema, reply.body)).toEqual([]);
				if (accept === 'application/json') expect(reply.text).not.toContain('"@context"');
				else expect(reply.body['@context']).toMatch(/^\/contexts\//);
			},
		);

		it('answers 401 as plain JSON without a key and with a wrong one', async () => {
			for (const key of [null, 'wrong']) {
				const reply = await send(operation.method, pathOf(operation), { body: body(), key });
				expect(reply.status).toBe(401);
				expect(reply.mediaType).toBe('application/json');
				expect(reply.body).toEqual({ code: 401, message: expect.any(String) as string });
			}
		});

		it('has every field of its body, with nulls shown', async () => {
			service.switches.omitNulls = false;
			const reply = await send(operation.method, pathOf(operation), { body: body() });
			const schema = responseSchema(operation, reply.status, 'application/ld+json');
			if (schema) expect(validate(schema, reply.body)).toEqual([]);
		});

		if (operation.path.includes('{id}')) {
			it('answers 404 as a problem for a record that does not exist', async () => {
				const path = pathOf(operation).replace(
					operation.operationId.match(/duplicate|export/) ? /[^/]+(?=\/\w+$)/ : /[^/]+$/,
					'00000000-0000-4000-8000-000000000000',
				);
				const reply = await send(operation.method, path, { body: body() });
				expect(reply.status).toBe(404);
				expect(reply.mediaType).toBe('application/problem+json');
				expect(validate('#/components/schemas/Problem', reply.body)).toEqual([]);
				expect(reply.body).toMatchObject({
					status: 404,
					message: 'Not Found',
					type: '/errors/404',
				});
			});
		}

		if (operation.method !== 'GET') {
			it('answers 403 to a key that may only read', async () => {
				service.switches.readOnlyKeys = [service.apiKey];
				const reply = await send(operation.method, pathOf(operation), { body: body() });
				expect(reply.status).toBe(403);
				expect(service.requests.at(-1)?.stored).toBe(false);
			});
		} else {
			it('answers a key that may only read', async () => {
				service.switches.readOnlyKeys = [service.apiKey];
				expect((await send('GET', pathOf(operation))).status).toBe(200);
			});
		}
	},
);

describe('a person', () => {
	it('comes back with identity, times and defaults', async () => {
		const { body } = await send('POST', '/people', { body: { familyName: 'Vos', dealSize: 3 } });
		expect(body).toEqual({
			'@context': '/contexts/Person',
			'@id': `/people/${body.id}`,
			'@type': 'Person',
			id: body.id,
			familyName: 'Vos',
			dealSize: 3,
			createdAt: NOW_TEXT,
			updatedAt: NOW_TEXT,
			address: { country: 'NL' },
			tags: [],
			segments: [],
			organizations: [],
			_organizations: [],
			emailAddresses: [],
			phoneNumbers: [],
		});
		expect((await send('GET', `/people/${body.id}`)).body).toEqual(body);
	});

	it('shows an avatar by its URL, since the avatar itself is write-only', async () => {
		const [id, file] = first(service.store.mediaObjects);
		const { body } = await send('POST', '/people', {
			body: { familyName: 'Vos', avatar: `/media_objects/${id}` },
		});
		expect(body.avatarUrl).toBe(file.publicUrl);
		expect(body).not.toHaveProperty('avatar');
	});

	it('takes an id of its own where that is free', async () => {
		const body = { familyName: 'Vos', id: '11111111-1111-4111-8111-111111111111' };
		expect((await send('POST', '/people', { body })).body.id).toBe(body.id);
		const again = await send('POST', '/people', { body });
		expect([again.status, again.body.violations[0].propertyPath]).toEqual([422, 'id']);
	});
});

describe('a workspace', () => {
	it('shows its columns as objects or as IRIs', async () => {
		const { id, columns } = first(service.store.workspaces.values());
		const iris = columns.map((column) => `/workspaces/${id}/columns/${column.id}`);
		const objects = await send('GET', `/workspaces/${id}`);
		expect(
			(objects.body.columns as Array<{ '@id': string }>).map((column) => column['@id']),
		).toEqual(iris);
		service.switches.columns = 'iris';
		expect((await send('GET', `/workspaces/${id}`)).body.columns).toEqual(iris);
	});
});

describe('a task', () => {
	const create = async (fields: object = {}) =>
		await send('POST', '/tasks', { body: { title: 'Call', status: columnOf(0), ...fields } });

	it('belongs to the workspace of its column and is of its type', async () => {
		const [deals, tasks] = [...service.store.workspaces.values()];
		const deal = (await create()).body;
		const task = (await create({ status: columnOf(1) })).body;
		expect([deal.workspace, deal.workspaceType]).toEqual([`/workspaces/${deals.id}`, 'deal']);
		expect([task.workspace, task.workspaceType]).toEqual([`/workspaces/${tasks.id}`, 'task']);
	});

	it('goes to the end of its column, to the top, or beside another task', async () => {
		const status = columnOf(2);
		const end = (await create({ status })).body;
		const top = (await create({ status, positionTop: true })).body;
		const before = (await create({ status, beforeTask: end['@id'] })).body;
		const after = (await create({ status, afterTask: top['@id'] })).body;
		const column = [...service.store.tasks.values()]
			.filter((task) => task.status === status)
			.sort((left, right) => left.position - right.position)
			.map(({ id }) => id);
		expect(column.slice(0, 2)).toEqual([top.id, after.id]);
		expect(column.slice(-2)).toEqual([before.id, end.id]);
		expect(
			new Set(
				[...service.store.tasks.values()]
					.filter((task) => task.status === status)
					.map(({ position }) => position),
			).size,
		).toBe(column.length);
	});

	it('is numbered within its workspace', async () => {
		const numbers = [await create(), await create(), await create({ status: columnOf(1) })].map(
			({ body }) => Number(body.indexNumber),
		);
		expect(numbers[1]).toBe(numbers[0] + 1);
		expect(numbers[2]).toBeLessThan(numbers[0]);
	});

	it('counts its subtasks and comments', async () => {
		const parent = (await create()).body;
		const child = (await create({ parent: parent['@id'] })).body;
		await create({ parent: parent['@id'] });
		await send('PATCH', child['@id'], { body: { completedAt: '2026-02-03T10:00:00Z' } });
		await send('POST', `${parent['@id']}/comments`, { body: { description: 'Hi' } });
		const { body } = await send('GET', parent['@id']);
		expect(body).toMatchObject({ totalSubtasks: 2, completedSubtasks: 1, totalComments: 1 });
		expect(body.subTasks).toHaveLength(2);
		expect([child.isSubTask, child.parent]).toEqual([true, parent['@id']]);
	});

	it('links embedded records that exist, makes the others, and shows IRIs', async () => {
		const known = first(service.store.people.keys());
		const tag = first(service.store.tags.keys());
		const { status, body } = await create({
			people: [{ id: known }, { familyName: 'New' }],
			tags: [{ id: tag, title: 'x' }, { title: 'Fresh' }],
			organizations: [{ title: 'Acme' }],
			conversationItems: [{ body: 'Hello' }],
			messages: [{ subject: 'Hello' }],
		});
		expect(status).toBe(201);
		const [linked, made] = body.people as string[];
		expect(linked).toBe(`/people/${known}`);
		expect((await send('GET', made)).body.familyName).toBe('New');
		expect((body.tags as string[])[0]).toBe(`/tags/${tag}`);
		expect(service.store.has((body.tags as string[])[1])).toBe(true);
		expect(body.organizations).toEqual([expect.stringMatching(/^\/organizations\//)]);
		expect(body.conversationItems).toEqual([expect.stringMatching(/^\/conversation_items\//)]);
	});

	it('is refused whole where an embedded person has no family name', async () => {
		const people = service.store.people.size;
		const reply = await create({ people: [{ familyName: 'New' }, { givenName: 'Jo' }] });
		expect([reply.status, reply.body.violations[0].propertyPath]).toEqual([
			422,
			'people[1].familyName',
		]);
		expect(service.store.people.size).toBe(people);
	});

	it('has its files as objects', async () => {
		const { body } = await create();
		const file = `/media_objects/${first(service.store.mediaObjects.keys())}`;
		const reply = await send('PATCH', body['@id'], { body: { files: [file] } });
		expect(reply.body.files).toEqual([
			expect.objectContaining({ '@id': file, mimeType: 'application/pdf' }),
		]);
	});

	it('is duplicated with its own title where none is given, in its column', async () => {
		const { body } = await create({ description: 'Soon', people: [{ familyName: 'New' }] });
		const copy = (await send('POST', `${body['@id']}/duplicate`)).body;
		expect(copy.id).not.toBe(body.id);
		expect(copy).toMatchObject({
			title: 'Call',
			status: body.status,
			people: body.people,
			description: 'Soon',
		});
		const named = await send('POST', `${body['@id']}/duplicate`, {
			body: { title: 'Again', status: columnOf(1), isTemplate: true },
		});
		expect(named.body).toMatchObject({ title: 'Again', status: columnOf(1), isTemplate: true });
	});

	it('is exported without a body', async () => {
		const reply = await send('POST', `/tasks/${first(service.store.tasks.keys())}/export`);
		expect([reply.status, reply.text, reply.mediaType]).toEqual([201, '', undefined]);
	});

	it('has a history entry for each change, oldest first', async () => {
		const { body } = await create();
		await send('PATCH', body['@id'], { body: { title: 'Visit' } });
		await send('PATCH', body['@id'], { body: { title: 'Visit' } });
		await send('PATCH', body['@id'], { body: { status: columnOf(1), isFlagged: true } });
		const { member } = (await send('GET', `${body['@id']}/history`)).body;
		expect(member.map(({ changes }) => changes)).toEqual([
			[{ field: 'title', oldValue: 'Call', newValue: 'Visit' }],
			expect.arrayContaining([
				{ field: 'status', oldValue: columnOf(0), newValue: columnOf(1) },
				{ field: 'isFlagged', oldValue: false, newValue: true },
			]),
		]);
		expect((await send('GET', member[0]['@id'])).body).toMatchObject({ id: member[0].id });
	});

	it('remembers what it was scheduled for before', async () => {
		const { body } = await create({ scheduledOn: '2026-03-01' });
		const reply = await send('PATCH', body['@id'], { body: { scheduledOn: '2026-03-02' } });
		expect(reply.body).toMatchObject({
			scheduledOn: '2026-03-02T00:00:00+00:00',
			previouslyScheduledOn: '2026-03-01T00:00:00+00:00',
		});
		await send('PATCH', body['@id'], { body: { scheduledOn: null } });
		const again = await send('PATCH', body['@id'], { body: { scheduledOn: '2026-03-03' } });
		expect(again.body.previouslyScheduledOn).toBe('2026-03-02T00:00:00+00:00');
	});

	it('answers an update with only the fields of one where the switch says so', async () => {
		const { body } = await create();
		service.switches.updatedTask = 'update-fields';
		const reply = await send('PATCH', body['@id'], { body: { title: 'Visit' } });
		expect(reply.body.title).toBe('Visit');
		expect(reply.body).not.toHaveProperty('workspace');
	});
});

describe('a comment', () => {
	it('belongs to the task of its path, whatever its body says', async () => {
		const [taskId, otherId] = service.store.tasks.keys();
		const { body } = await send('POST', `/tasks/${taskId}/comments`, {
			body: { description: 'Hi', taskId: otherId },
		});
		expect(body.taskId).toBe(taskId);
		expect((await send('GET', `/tasks/${otherId}/comments/${body.id}`)).status).toBe(404);
	});

	it('of a task that does not exist is refused, and its list is empty', async () => {
		const path = '/tasks/00000000-0000-4000-8000-000000000000/comments';
		expect((await send('POST', path, { body: { description: 'Hi' } })).status).toBe(404);
		expect((await send('GET', path)).body).toMatchObject({ totalItems: 0, member: [] });
	});
});

describe('what the interface does not show', () => {
	it('is no endpoint, and no method of one', async () => {
		expect((await send('GET', '/organizations')).status).toBe(404);
		const reply = await send('DELETE', pathOf(operations[0]) + '/x');
		expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, PUT, PATCH']);
	});

	it.each([404, 403, 405, 200] as const)(
		'answers %i for users and tags by switch',
		async (status) => {
			Object.assign(service.switches, { users: status, tags: status });
			for (const path of ['/users', '/tags']) {
				const reply = await send('GET', path);
				expect(reply.status).toBe(status);
				if (status === 200) expect(reply.body.member[0]['@id']).toMatch(path);
			}
		},
	);
});
