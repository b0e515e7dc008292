import { locator } from './fields';
import {
	COLUMNS,
	COMMENTS,
	DISCUSSED,
	HISTORY,
	PEOPLE,
	SEGMENTS,
	TAGS,
	TASKS,
	USERS,
	WORKSPACES,
} from './seeded';
import type { Sent } from './wire';
import { command, get, patch, post, put } from './wire';

/** Placeholder in an expected body, for the time at which the node runs. */
export const NOW = 'the present time';

const [person, , other] = PEOPLE;
const [task] = TASKS;
const [workspace] = WORKSPACES;
const PERSON = `/people/${person.id}`;
const TASK = `/tasks/${task.id}`;
const SEGMENT = `/segments/${SEGMENTS[0]}`;
const OF_TASK = `/tasks/${DISCUSSED.id}`;
const COMMENT = `${OF_TASK}/comments/${COMMENTS[0].id}`;
const personId = locator(person.id);
const taskId = locator(task.id);
const segmentId = locator(SEGMENTS[0]);
const ofTask = { taskId: locator(DISCUSSED.id) };
const comment = { ...ofTask, commentId: locator(COMMENTS[0].id) };
const raw = { output: 'raw' };

const [user] = USERS;
const USER = `/users/${user}`;
const status = locator(COLUMNS[1], 'list');
const [tag] = TAGS.filter((id) => !person.tags.includes(`/tags/${id}`));
const [segment] = SEGMENTS.filter((id) => !person.segments.includes(`/segments/${id}`));
const [{ email }] = person.emailAddresses;
const phone = { phoneNumber: '+31 20 7654321', phoneType: 'work' };

/** Expected request for a whole page. Before the node sends a time, such a page shows the time zone of the service. */
const page = (path: string, ...query: string[]) => get(path, ...query, 'itemsPerPage=30');

type Row = readonly [parameters: object, ...sent: Sent[]];

/** Typical parameters of each operation, and the exact requests that the node sends for them. */
export const EXACT_REQUESTS: Readonly<Record<string, Row>> = {
	'person getAll': [
		{ ...raw, limit: 5, filters: { q: 'jansen', tagsId: [tag] }, sort: { familyName: 'asc' } },
		get('/people', 'q=jansen', `tags.id=${tag}`, 'order[familyName]=asc', 'itemsPerPage=5'),
	],
	'person get': [{ ...raw, personId }, get(PERSON)],
	'person findDuplicates': [
		{},
		page('/people', 'exists[archivedAt]=false', 'order[createdAt]=asc'),
		page('/people', 'exists[archivedAt]=false', 'order[createdAt]=asc', 'page=2'),
	],
	'person create': [
		{ familyName: 'Vos', email: 'vos@mail.example', additionalFields: { tags: [tag] } },
		post('/people', {
			familyName: 'Vos',
			emailAddresses: [{ email: 'vos@mail.example' }],
			tags: [`/tags/${tag}`],
		}),
	],
	'person upsert': [
		{ email, familyName: 'Vos', additionalFields: { owner: locator(user) } },
		page('/people', `emailAddresses.email=${email}`),
		patch(PERSON, { familyName: 'Vos', owner: USER }),
	],
	'person update': [
		{ personId, updateFields: { jobTitle: 'Buyer', isTracked: true }, clearFields: ['owner'] },
		patch(PERSON, { jobTitle: 'Buyer', isTracked: true, owner: null }),
	],
	'person replace': [
		{ personId, familyName: 'Vos', additionalFields: { address: { city: 'Delft' } } },
		put(PERSON, { familyName: 'Vos', address: { city: 'Delft' } }),
	],
	'person archive': [{ personId }, page('/people'), patch(PERSON, { archivedAt: NOW })],
	'person unarchive': [{ personId }, patch(PERSON, { archivedAt: null })],
	// Merge sends a time, too, but its reads of people already show the time zone of the service.
	'person merge': [
		{
			...{ personId, mergeFrom: other.id },
			options: { onlyIfTheyShare: false, whenNameDiffers: 'update' },
		},
		get(`/people/${other.id}`),
		get(PERSON),
		patch(PERSON, { emailAddresses: [{ email }, ...other.emailAddresses] }),
		get(PERSON),
		patch(`/people/${other.id}`, { archivedAt: NOW }),
	],
	'person addEmailAddress': [
		{ personId, email: 'new@mail.example' },
		page('/people', 'emailAddresses.email=new@mail.example'),
		get(PERSON),
		patch(PERSON, { emailAddresses: [{ email }, { email: 'new@mail.example' }] }),
	],
	'person addPhoneNumber': [
		{ personId, ...phone },
		get(PERSON),
		patch(PERSON, { phoneNumbers: [...person.phoneNumbers, phone] }),
	],
	'person addTags': [
		{ personId, tags: [tag] },
		get(PERSON),
		patch(PERSON, { tags: [...person.tags, `/tags/${tag}`] }),
	],
	'person removeTags': [
		{ personId, tags: person.tags.slice(0, 1) },
		get(PERSON),
		patch(PERSON, { tags: person.tags.slice(1) }),
	],
	'person addToSegments': [
		{ personId, segments: [segment] },
		get(PERSON),
		patch(PERSON, { segments: [...person.segments, `/segments/${segment}`] }),
	],
	'person removeFromSegments': [
		{ personId, segments: person.segments.slice(0, 1) },
		get(PERSON),
		patch(PERSON, { segments: person.segments.slice(1) }),
	],
	'person undo': [
		{
			outputItem: {
				...{ id: person.id, result: 'updated' },
				changes: {
					jobTitle: { from: 'Buyer', to: person.jobTitle },
					tags: { added: person.tags.slice(0, 1), removed: [] },
				},
			},
		},
		get(PERSON),
		patch(PERSON, { jobTitle: 'Buyer', tags: person.tags.slice(1) }),
	],

	'workspace getAll': [
		{ ...raw, limit: 5, filters: { title: ['Sales'], existsArchivedAt: 'false' } },
		get('/workspaces', 'title=Sales', 'exists[archivedAt]=false', 'itemsPerPage=5'),
	],
	'workspace get': [
		{ ...raw, workspaceId: locator(workspace.id) },
		get(`/workspaces/${workspace.id}`),
	],

	'segment getAll': [{ ...raw, returnAll: true }, page('/segments')],
	'segment get': [{ ...raw, segmentId }, get(SEGMENT)],
	'segment create': [
		{ title: 'Customers', icon: 'star', additionalFields: { sequence: 3 } },
		post('/segments', { title: 'Customers', icon: 'star', sequence: 3 }),
	],
	'segment update': [
		{ segmentId, updateFields: { title: 'Customers' } },
		patch(SEGMENT, { title: 'Customers' }),
	],
	'segment replace': [
		{ segmentId, title: 'Customers', icon: 'star' },
		put(SEGMENT, { title: 'Customers', icon: 'star' }),
	],

	// The service has no filters for tasks, so the node reads whole pages.
	'task getAll': [{ ...raw, limit: 5, filters: { state: 'open' } }, page('/tasks')],
	'task get': [{ ...raw, taskId }, get(TASK)],
	'task create': [
		{
			...{ title: 'Call', status, person: personId },
			additionalFields: { isFlagged: true, assignees: [user], positionTop: true },
		},
		post('/tasks', {
			...{ title: 'Call', status: COLUMNS[1], people: [{ '@id': PERSON, id: person.id }] },
			...{ isFlagged: true, assignees: [USER], positionTop: true },
		}),
	],
	'task duplicate': [
		{ taskId, additionalFields: { title: 'Copy', isTemplate: true } },
		post(`${TASK}/duplicate`, { title: 'Copy', isTemplate: true }),
	],
	'task export': [{ taskId }, command(`${TASK}/export`)],
	'task update': [
		{ taskId, updateFields: { isFlagged: false, observers: [user] }, clearFields: ['dueDate'] },
		patch(TASK, { isFlagged: false, observers: [USER], dueDate: null }),
	],
	'task replace': [
		{ taskId, title: 'Call', status },
		put(TASK, { title: 'Call', status: COLUMNS[1] }),
	],
	'task move': [{ taskId, status }, patch(TASK, { status: COLUMNS[1] })],
	'task complete': [{ taskId }, page('/tasks'), patch(TASK, { completedAt: NOW })],
	'task reopen': [{ taskId }, patch(TASK, { completedAt: null })],
	'task archive': [{ taskId }, page('/tasks'), patch(TASK, { archivedAt: NOW })],
	'task unarchive': [{ taskId }, patch(TASK, { archivedAt: null })],
	'task undo': [
		{
			outputItem: {
				...{ id: task.id, result: 'updated' },
				changes: { title: { from: 'Call', to: task.title } },
			},
		},
		get(TASK),
		patch(TASK, { title: 'Call' }),
	],

	'comment getAll': [{ ...raw, ...ofTask, limit: 5 }, get(`${OF_TASK}/comments`, 'itemsPerPage=5')],
	'comment get': [{ ...raw, ...comment }, get(COMMENT)],
	'comment create': [
		{ ...ofTask, description: 'Called', mentions: [user] },
		post(`${OF_TASK}/comments`, { description: 'Called', mentions: [USER] }),
	],
	'comment update': [
		{ ...comment, updateFields: { flagged: true } },
		patch(COMMENT, { flagged: true }),
	],
	'comment replace': [
		{ ...comment, description: 'Called', additionalFields: { author: locator(user) } },
		put(COMMENT, { description: 'Called', author: USER }),
	],

	'history getAll': [{ ...raw, ...ofTask, limit: 5 }, get(`${OF_TASK}/history`, 'itemsPerPage=5')],
	'history get': [
		{ ...raw, ...ofTask, historyId: locator(HISTORY[0].id) },
		get(`${OF_TASK}/history/${HISTORY[0].id}`),
	],

	'apiRequest send': [
		{
			...{ method: 'PATCH', path: PERSON, jsonBody: '{ "jobTitle": "Buyer" }' },
			queryParameters: { parameters: [{ name: 'notify', value: 'no' }] },
		},
		{ ...patch(PERSON, { jobTitle: 'Buyer' }), query: ['notify=no'] },
	],
};
