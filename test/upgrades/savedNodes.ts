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
} from '../engine/support/seeded';

/** A node as a workflow holds it: what was set, and nothing of what was left at its default. */
export interface SavedNode {
	name: string;
	parameters: Record<string, unknown>;
}

const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const fromList = (value: string) => ({
	__rl: true,
	mode: 'list',
	value,
	cachedResultName: 'Chosen',
});
const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

const AT = '2026-03-01T09:00:00.000Z';
const [eva] = PEOPLE.filter(({ emailAddresses }) => emailAddresses.length > 0);
const [task] = TASKS;
const [{ id: workspace }] = WORKSPACES;
const [{ id: comment }] = COMMENTS;
const [{ id: entry }] = HISTORY;
const person = fromList(eva.id);
const discussed = fromList(DISCUSSED.id);

const node = (resource: string, operation: string, parameters: Record<string, unknown> = {}) => ({
	name: `${resource} ${operation}`,
	parameters: { resource, operation, ...parameters },
});

/** Every operation, with the parameters that are set most, in each of the ways to set them. */
export const SAVED_NODES: SavedNode[] = [
	node('person', 'create', {
		familyName: 'Jansen',
		additionalFields: {
			givenName: 'Eva',
			jobTitle: 'Chef',
			emailAddresses: ['eva@upgrade.example'],
			phoneNumbers: [{ phoneNumber: '+31612345678', phoneType: 'mobile' }],
			address: { city: 'Utrecht', country: 'NL' },
			tags: [`/tags/${TAGS[0]}`],
			segments: [`/segments/${SEGMENTS[0]}`],
			owner: fromList(`/users/${USERS[0]}`),
		},
		options: { whenRateLimited: 'fail' },
	}),
	node('person', 'create', {
		inputMode: 'json',
		jsonBody: '{ "familyName": "Jansen", "tags": [] }',
	}),
	node('person', 'upsert', {
		matchValue: '={{ $json.email }}',
		familyName: 'Jansen',
		additionalFields: { jobTitle: 'Buyer' },
		replaceLists: ['tags'],
		options: { lookUp: 'each' },
	}),
	node('person', 'upsert', {
		matchBy: 'identifier',
		matchValue: 'nobody@upgrade.example',
		familyName: 'Jansen',
	}),
	node('person', 'get', { personId: person }),
	node('person', 'get', { personId: byEmail(eva.emailAddresses[0].email ?? ''), output: 'raw' }),
	node('person', 'getAll', {
		limit: 5,
		filters: { q: 'a', existsArchivedAt: false, createdAtAfter: '2020-01-01T00:00:00Z' },
		sort: { familyName: 'asc' },
		output: 'selectedFields',
		fields: ['id', 'familyName'],
	}),
	node('person', 'getAll', {
		filters: { tagsId: [TAGS[0]], ownerId: [USERS[0]] },
		output: 'count',
	}),
	node('person', 'getAll', { limit: 3, output: 'identifiers' }),
	node('person', 'update', {
		personId: person,
		updateFields: { jobTitle: 'Chief' },
		clearFields: ['customerId'],
	}),
	node('person', 'replace', { personId: byId(eva.id), familyName: 'Jansen' }),
	node('person', 'archive', { personId: person, archivedAt: AT }),
	node('person', 'unarchive', { personId: person }),
	node('person', 'addTags', { personId: person, tags: [TAGS[1], TAGS[2]] }),
	node('person', 'removeTags', { personId: person, tags: TAGS }),
	node('person', 'addToSegments', { personId: person, segments: [SEGMENTS[1], SEGMENTS[2]] }),
	node('person', 'removeFromSegments', { personId: person, segments: SEGMENTS }),
	node('workspace', 'get', { workspaceId: fromList(workspace) }),
	node('workspace', 'getAll', { returnAll: true, filters: { title: ['Sales'] } }),
	node('segment', 'create', { title: 'Upgrade', icon: 'star' }),
	node('segment', 'get', { segmentId: fromList(SEGMENTS[0]) }),
	node('segment', 'getAll', { limit: 2 }),
	node('segment', 'update', { segmentId: byId(SEGMENTS[0]), updateFields: { title: 'Renamed' } }),
	node('segment', 'replace', { segmentId: byId(SEGMENTS[0]), title: 'Replaced', icon: 'star' }),
	node('task', 'create', {
		title: 'Call',
		status: fromList(COLUMNS[0]),
		additionalFields: {
			dueDate: AT,
			assignees: [`/users/${USERS[0]}`],
			description: 'About the offer',
		},
	}),
	node('task', 'duplicate', { taskId: fromList(task.id), additionalFields: { title: 'Copy' } }),
	node('task', 'export', { taskId: fromList(task.id) }),
	node('task', 'get', { taskId: fromList(task.id) }),
	node('task', 'getAll', { limit: 5 }),
	node('task', 'getAll', {
		limit: 5,
		filters: { status: fromList(COLUMNS[1]), existsCompletedAt: false },
	}),
	node('task', 'update', {
		taskId: fromList(task.id),
		updateFields: { title: 'Call again', dueDate: AT },
	}),
	node('task', 'replace', {
		taskId: fromList(task.id),
		title: 'Replaced',
		status: byId(COLUMNS[1]),
	}),
	node('task', 'move', { taskId: fromList(task.id), status: fromList(COLUMNS[2]) }),
	node('task', 'complete', { taskId: fromList(task.id), completedAt: AT }),
	node('task', 'reopen', { taskId: fromList(task.id) }),
	node('task', 'archive', { taskId: fromList(task.id), archivedAt: AT }),
	node('task', 'unarchive', { taskId: fromList(task.id) }),
	node('comment', 'create', { taskId: discussed, description: 'Done' }),
	node('comment', 'get', { taskId: discussed, commentId: fromList(comment) }),
	node('comment', 'getAll', { taskId: discussed }),
	node('comment', 'update', {
		taskId: discussed,
		commentId: byId(comment),
		updateFields: { flagged: true },
	}),
	node('comment', 'replace', {
		taskId: discussed,
		commentId: byId(comment),
		description: 'Replaced',
	}),
	node('history', 'get', { taskId: discussed, historyId: fromList(entry) }),
	node('history', 'getAll', { taskId: discussed }),
];

/** The item that each of them is given. */
export const INPUT = { email: eva.emailAddresses[0].email };
