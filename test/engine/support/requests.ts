import { locator } from './fields';
import { PEOPLE, TASKS } from './seeded';

/** An operation for each kind of request. Each succeeds unless a fault prevents it. */
export const OPERATIONS = {
	GET: { resource: 'person', operation: 'get', personId: locator(PEOPLE[0].id), output: 'raw' },
	list: { resource: 'person', operation: 'getAll', output: 'raw' },
	POST: { resource: 'person', operation: 'create', familyName: 'Jansen' },
	PUT: {
		resource: 'person',
		operation: 'replace',
		personId: locator(PEOPLE[0].id),
		familyName: 'Jansen',
	},
	PATCH: {
		resource: 'person',
		operation: 'update',
		personId: locator(PEOPLE[0].id),
		updateFields: { jobTitle: 'Buyer' },
	},
	command: { resource: 'task', operation: 'export', taskId: locator(TASKS[0].id) },
} satisfies Record<string, Record<string, unknown>>;

export type OperationName = keyof typeof OPERATIONS;

/** Kinds of requests that the node repeats after a failure. It sends those in `ONCE_ONLY` only once. */
export const REPEATABLE: OperationName[] = ['GET', 'list', 'PUT', 'PATCH'];
export const ONCE_ONLY: OperationName[] = ['POST', 'command'];
