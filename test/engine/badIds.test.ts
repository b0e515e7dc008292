import type { BadInput } from './support/badInput';
import { describeBadInput, VALUE } from './support/badInput';
import { locator } from './support/fields';
import {
	COLUMNS,
	COMMENTS,
	DISCUSSED,
	HISTORY,
	PEOPLE,
	SEGMENTS,
	TASKS,
	USERS,
	WORKSPACES,
} from './support/seeded';

/** Texts that would leave their place in a path, or that no path holds. */
const TEXTS = [
	...['a/b', '..', '.', '../people', 'a?b=c', 'a#b', 'a b', 'a%2Fb', '%', 'é', 'a\\b', 'a\nb'],
	...['//example.com', 'https://crm.example/tags/x', 'people/x'],
];

/** Records that can be given by title, which may hold a blank. */
const hasTitles = (collection: string) => ['/segments', '/workspaces'].includes(collection);

/** The same for every parameter that addresses one record. */
function address(
	label: string,
	collection: string,
	parameters: Record<string, unknown>,
	right: string,
): BadInput {
	const expected = `${label}: expected ${collection.includes('{id}') ? '' : 'an ID, or '}${collection}/{id}`;
	return {
		parameter: label,
		parameters,
		right,
		wrong: [
			...TEXTS.filter((text) => !hasTitles(collection) || text !== 'a b').map(
				(text) => [text, `${expected}, got "${text}"`] as const,
			),
			[`${collection}/..`, `${expected}, got "${collection}/.."`],
			[`/other/${right}`, `${expected}, got "/other/${right}"`],
			['', `${label} is empty`],
			[null, `${label} is empty`],
			[undefined, `${label} is empty`],
			[[right], `${expected}, got a list`],
			[{}, `${expected}, got a record without an ID`],
			[true, `${expected}, got a boolean`],
			[1.5, `${expected}, got a number`],
		],
	};
}

const get = (resource: string, name: string, more = {}) => ({
	resource,
	operation: 'get',
	[name]: locator(VALUE),
	...more,
});
const ofTask = { taskId: locator(DISCUSSED.id) };

[
	address('Person', '/people', get('person', 'personId'), PEOPLE[0].id),
	address('Workspace', '/workspaces', get('workspace', 'workspaceId'), WORKSPACES[0].id),
	address('Segment', '/segments', get('segment', 'segmentId'), SEGMENTS[0]),
	address('Task', '/tasks', get('task', 'taskId'), TASKS[0].id),
].forEach(describeBadInput);

/* Below a task, an IRI names the task as well. */
const below = (label: string, path: string): ReadonlyArray<readonly [unknown, string]> => [
	['a/b', `${label}: expected /tasks/{id}/${path}/{id}, got "a/b"`],
	['..', `${label}: expected /tasks/{id}/${path}/{id}, got ".."`],
	['', `${label} is empty`],
	[undefined, `${label} is empty`],
];

describeBadInput({
	parameter: 'Comment',
	parameters: get('comment', 'commentId', ofTask),
	right: COMMENTS[0].id,
	wrong: below('Comment', 'comments'),
});

describeBadInput({
	parameter: 'History Entry',
	parameters: get('history', 'historyId', ofTask),
	right: HISTORY[0].id,
	wrong: below('History Entry', 'history'),
});

const COLUMN = 'Column: expected /workspaces/{id}/columns/{id}';

describeBadInput({
	parameter: 'Column',
	parameters: {
		resource: 'task',
		operation: 'move',
		taskId: locator(TASKS[0].id),
		status: locator(VALUE),
	},
	right: COLUMNS[1],
	wrong: [
		['/x', `${COLUMN}, got "/x"`],
		['/workspaces/x', `${COLUMN}, got "/workspaces/x"`],
		['/workspaces/../columns/x', `${COLUMN}, got "/workspaces/../columns/x"`],
		[`${COLUMNS[1]}/x`, `${COLUMN}, got "${COLUMNS[1]}/x"`],
		['', 'Column is empty'],
		[undefined, 'Column is empty'],
	],
});

const person = (updateFields: Record<string, unknown>) => ({
	resource: 'person',
	operation: 'update',
	personId: locator(PEOPLE[0].id),
	updateFields,
});

describeBadInput({
	parameter: 'Owner',
	parameters: person({ owner: VALUE }),
	right: USERS[0],
	wrong: [
		['../tags/1', 'Owner: expected an ID, or /users/{id}, got "../tags/1"'],
		['/tags/1', 'Owner: expected an ID, or /users/{id}, got "/tags/1"'],
	],
});

describeBadInput({
	parameter: 'Tags',
	parameters: person({ tags: VALUE }),
	right: [],
	wrong: [
		['a1, b/c', 'Tags: expected an ID, or /tags/{id}, got "b/c"'],
		[['/users/1'], 'Tags: expected an ID, or /tags/{id}, got "/users/1"'],
	],
});

describeBadInput({
	parameter: 'Tags to add',
	parameters: {
		resource: 'person',
		operation: 'addTags',
		personId: locator(PEOPLE[0].id),
		tags: VALUE,
	},
	right: PEOPLE[0].tags,
	wrong: [
		['a/b', 'Tags: expected an ID, or /tags/{id}, got "a/b"'],
		[undefined, 'Tags is empty'],
		[[], 'Tags is empty'],
	],
});
