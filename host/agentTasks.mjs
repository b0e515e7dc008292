import { crmNode, NODE_TYPE } from './e2e/workflows.mjs';

const given = (name) => `={{ $fromAI('${name}', '', 'string') }}`;
const record = (name) => ({ __rl: true, mode: 'id', value: given(name) });
const update = {
	...{ resource: 'person', operation: 'update', personId: record('person') },
	updateFields: { jobTitle: given('jobTitle') },
};

const TOOLS = {
	'Find People': {
		...{ resource: 'person', operation: 'getAll', limit: 5 },
		filters: { q: given('search') },
	},
	'Get a Person': { resource: 'person', operation: 'get', personId: record('person') },
	'Create a Person': {
		...{ resource: 'person', operation: 'create' },
		...{ familyName: given('familyName'), email: given('email') },
	},
	'Update a Person': update,
	'Preview an Update': { ...update, options: { previewOnly: true } },
	'Find Tasks': {
		...{ resource: 'task', operation: 'getAll', limit: 5 },
		filters: { status: record('column') },
	},
	'Create a Task': {
		...{ resource: 'task', operation: 'create' },
		...{ title: given('title'), status: record('column') },
	},
	'Move a Task': {
		...{ resource: 'task', operation: 'move' },
		...{ taskId: record('task'), status: record('column') },
	},
	'Add a Comment': {
		...{ resource: 'comment', operation: 'create' },
		...{ taskId: record('task'), description: given('text') },
	},
	'Read the History': {
		...{ resource: 'history', operation: 'getAll', limit: 5 },
		taskId: record('task'),
	},
};

/** The name that a model knows a tool by. */
export const asToolName = (name) => name.replaceAll(' ', '_');

/** The nodes that a model uses as its tools. */
export function toolNodes(credential) {
	return Object.entries(TOOLS).map(([name, parameters]) => ({
		...crmNode(name, credential, {
			...{ descriptionType: 'manual', toolDescription: name },
			...parameters,
		}),
		type: `${NODE_TYPE}Tool`,
		onError: 'continueRegularOutput',
	}));
}

const AMBER = 'vandijk.0@mail.example';
const BUYER = { jobTitle: 'Head of Purchasing' };
const idIn = (answer) => /"id":\s*"([^"]+)"/.exec(answer)?.[1];
const findTasks = ['Find Tasks', () => ({ column: 'Sales / Lead' }), /"statusTitle":"Lead"/];
const onTask = (further) => (answer) => ({ task: idIn(answer), ...further });

/**
 * Ten everyday tasks. Each step names a tool, its arguments from the last answer, and a pattern that the new answer must
 * match. `writes` lists the requests that change the CRM.
 */
export const TASKS = {
	'Find a person by e-mail address': {
		steps: [['Get a Person', () => ({ person: AMBER }), /"name":"Amber van Dijk"/]],
		writes: [],
	},
	'Create a person': {
		steps: [
			[
				'Create a Person',
				() => ({ familyName: 'Jansen', email: 'eva@new.example' }),
				/"email":"eva@new\.example"/,
			],
		],
		writes: ['POST /people'],
	},
	'Update a person whom Search finds': {
		steps: [
			['Find People', () => ({ search: AMBER }), /"name":"Amber van Dijk"/],
			['Update a Person', (answer) => ({ person: idIn(answer), ...BUYER }), /"result":"updated"/],
		],
		writes: ['PATCH /people/…'],
	},
	'Create a task in a column by its title': {
		steps: [
			[
				'Create a Task',
				() => ({ title: 'Call back', column: 'Sales / Lead' }),
				/"statusTitle":"Lead"/,
			],
		],
		writes: ['POST /tasks'],
	},
	'Move a task': {
		steps: [findTasks, ['Move a Task', onTask({ column: 'Sales / Won' }), /"statusTitle":"Won"/]],
		writes: ['PATCH /tasks/…'],
	},
	'Add a comment': {
		steps: [
			findTasks,
			['Add a Comment', onTask({ text: 'Called, will call back' }), /Called, will call back/],
		],
		writes: ['POST /tasks/…/comments'],
	},
	'Read what happened to a task': {
		steps: [
			findTasks,
			['Move a Task', onTask({ column: 'Sales / Lost' }), /"statusTitle":"Lost"/],
			['Read the History', onTask({}), /"field":\s*"status"/],
		],
		writes: ['PATCH /tasks/…'],
	},
	'Get a person by a name, and follow the advice of the error': {
		steps: [
			['Get a Person', () => ({ person: 'Amber' }), /Get Many with the filter Search/],
			['Find People', () => ({ search: 'Amber' }), /"name":"Amber van Dijk"/],
		],
		writes: [],
	},
	'Give a column that does not exist, then one that the error lists': {
		steps: [
			[
				'Create a Task',
				() => ({ title: 'Call back', column: 'Nowhere' }),
				/Nowhere[^]*Sales \/ Won[^]*Support \/ To do/,
			],
			[
				'Create a Task',
				(answer) => ({ title: 'Call back', column: /Support \/ To do/.exec(answer)[0] }),
				/"workspaceTitle":"Support"/,
			],
		],
		writes: ['POST /tasks'],
	},
	'Preview a change before it is made': {
		steps: [
			[
				'Preview an Update',
				() => ({ person: AMBER, jobTitle: 'Buyer' }),
				/"preview":"update"[^]*Buyer/,
			],
			['Update a Person', () => ({ person: AMBER, jobTitle: 'Buyer' }), /"result":"updated"/],
		],
		writes: ['PATCH /people/…'],
	},
};
