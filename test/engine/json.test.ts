import { locator } from './support/fields';
import { useScene } from './support/scene';
import {
	COLUMNS,
	COMMENTS,
	DISCUSSED,
	ORGANIZATIONS,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	USERS,
} from './support/seeded';
import { patch, post, put } from './support/wire';

const PERSON = `/people/${PEOPLE[0].id}`;
const SEGMENT = `/segments/${SEGMENTS[0]}`;
const TASK = `/tasks/${TASKS[0].id}`;
const COMMENT = `/tasks/${DISCUSSED.id}/comments/${COMMENTS[0].id}`;

/** Everything that only JSON can say of a new task (interface, section 2.6). */
const EMBEDDED = {
	title: 'Call',
	status: COLUMNS[0],
	people: [
		{
			familyName: 'Nieuw',
			emailAddresses: [{ email: 'nieuw@mail.example' }],
			phoneNumbers: [{ phoneNumber: '+31 6 1', phoneType: 'work' }],
			address: { city: 'Delft' },
			tags: [`/tags/${TAGS[0]}`],
		},
		{ id: PEOPLE[0].id },
	],
	organizations: [
		{ title: 'Acme', website: 'https://acme.example', address: { city: 'Delft' } },
		{ id: ORGANIZATIONS[0] },
	],
	messages: [{ subject: 'Hello', from: { email: 'a@mail.example' }, read: true }],
	conversationItems: [{ body: 'Hello', mentions: [`/users/${USERS[0]}`], attachments: [] }],
	tags: [{ title: 'New tag', backgroundColor: '#ff0000', textColor: '#ffffff' }, { id: TAGS[0] }],
	participants: ['a@mail.example'],
};
const { people, organizations } = EMBEDDED;

const person = { familyName: 'Json', owner: null, tags: [], unknownField: { of: ['any', 'form'] } };
const segment = { title: 'New', icon: 'star', id: 'own-id', color: 'red' };
const task = {
	title: 'x',
	status: COLUMNS[0],
	recurringSettings: { rrule: 'FREQ=DAILY', recurData: [1] },
	notDocumented: { of: 'any form' },
	assignees: [],
	dueDate: null,
};
const comment = { description: 'x', createdAt: '2026-01-01T00:00:00Z', unknown: [1] };

/** Bodies as they are given, and what is sent beside that or instead. */
const BODIES = [
	['person', 'create', post('/people', person), {}],
	['person', 'update', patch(PERSON, { ...person, id: PEOPLE[0].id }), {}],
	['person', 'replace', put(PERSON, { ...person, id: PEOPLE[0].id }), {}],
	['segment', 'create', post('/segments', segment), {}],
	['segment', 'update', patch(SEGMENT, segment), {}],
	['segment', 'replace', put(SEGMENT, segment), {}],
	['task', 'create', post('/tasks', EMBEDDED), {}],
	['task', 'update', patch(TASK, task), {}],
	['task', 'replace', put(TASK, task), {}],
	[
		...(['task', 'duplicate'] as const),
		post(`${TASK}/duplicate`, {
			...{ title: 'Copy', status: COLUMNS[1], isTemplate: true },
			...{ people, organizations },
		}),
		{},
	],
	[
		...(['task', 'create'] as const),
		post('/tasks', {
			title: 'x',
			status: COLUMNS[0],
			assignees: [`/users/${USERS[0]}`],
			parent: TASK,
		}),
		{ assignees: [USERS[0]], parent: TASKS[0].id },
	],
	...(
		[
			['create', post, `/tasks/${DISCUSSED.id}/comments`],
			['update', patch, COMMENT],
			['replace', put, COMMENT],
		] as const
	).map(
		([operation, request, path]) =>
			[
				'comment',
				operation,
				request(path, {
					...comment,
					author: `/users/${USERS[1]}`,
					mentions: [`/users/${USERS[2]}`],
				}),
				{ author: USERS[1], mentions: [USERS[2]] },
			] as const,
	),
] as const;

/** The ways to give it. */
const FORMS: ReadonlyArray<readonly [name: string, of: (body: object) => unknown]> = [
	['as an object', (body) => body],
	['as text', (body) => JSON.stringify(body)],
	['from the item', () => '={{ $json }}'],
	['from the item as text', () => '={{ JSON.stringify($json) }}'],
];

describe.each(FORMS)('JSON, given %s,', (_form, of) => {
	const scene = useScene();
	const addresses = {
		person: { personId: locator(PEOPLE[0].id) },
		segment: { segmentId: locator(SEGMENTS[0]) },
		task: { taskId: locator(TASKS[0].id) },
		comment: { taskId: locator(DISCUSSED.id), commentId: locator(COMMENTS[0].id) },
	};

	it.each(BODIES)(
		'is sent as it is, with IDs as IRIs: %s %s',
		async (resource, operation, request, asIds) => {
			const body = { ...(request.body as object), ...asIds };
			const { items, error } = await scene[resource](
				operation,
				{ ...addresses[resource], inputMode: 'json', jsonBody: of(body) },
				{ input: [body as never] },
			);
			expect(error).toBeUndefined();
			expect(scene.sent()).toEqual([request]);
			const isNew = request.method === 'POST';
			const record = await scene.record(isNew ? String(items[0]?.json['@id']) : request.path);
			expect(items).toEqual([{ json: record, pairedItem: { item: 0 } }]);
			if (request.body === EMBEDDED) expect(record.people).toEqual([expect.any(String), PERSON]);
		},
	);
});
