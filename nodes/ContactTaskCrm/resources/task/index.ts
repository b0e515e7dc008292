import { contracts } from '../../schema';
import { locator } from '../../ui/locators';
import type { Resource } from '../../ui/operations';
import { Verbs } from '../verbs';
import { required, sentInBody } from '../../ui/parameters';
import { lazily } from '../../util/lazily';
import { taskFields, taskFilters } from './fields';
import { taskRecord } from './record';

const verbs = new Verbs(taskRecord);

/**
 * Parameter Person, for the first person of a task, because most tasks have one person. The field People takes the
 * others.
 */
const firstPerson = sentInBody(
	locator({
		name: 'person',
		collection: contracts.person.collection,
		purpose: 'The person whom the task is about',
	}),
);

const answerOfExport = (id: string) => ({ id, exported: true });

export const task: Resource = {
	value: 'task',
	name: 'Task',
	description: 'A task or deal in a workspace',
	record: taskRecord,
	operations: [
		verbs.getAll(
			'Retrieve a list of tasks or deals, filtered by status, workspace, column, assignee, person, organization, tag, title or dates, 30 a request. Output Count says how many there are.',
		),
		{
			...verbs.create('Create a task or deal in a column of a workspace'),
			parameters: ({ asField }) => [{ ...firstPerson, displayOptions: asField }],
		},
		verbs.operation({
			value: 'duplicate',
			description: 'Create a copy of a task',
			method: 'POST',
			url: `${verbs.url}/duplicate`,
			run: verbs.writer('duplicate', { required: [] }),
			takes: { body: 'duplicate', fields: 'allAdditional' },
		}),
		verbs.operation({
			value: 'export',
			description: 'Have the CRM export a task; it gives no result',
			method: 'POST',
			url: `${verbs.url}/export`,
			run: lazily(async () => {
				const { runCommand } = await import('../../run/record');
				return runCommand(taskRecord, 'export', answerOfExport);
			}),
			gives: 'nothing',
			answer: answerOfExport,
		}),
		verbs.get('Retrieve one task by ID'),
		verbs.update(),
		verbs.replace(),
		verbs.change({
			value: 'move',
			description:
				'Move a task to another column, in the same workspace or in another one, given by title, such as Sales / Won',
			run: verbs.writer('update', { required: ['status'] }),
			parameters: ({ asField }, field) => [required(field('status'), asField)],
		}),
		verbs.setNow('completedAt', { value: 'complete', description: 'Mark a task as completed' }),
		verbs.setTo('completedAt', null, {
			value: 'reopen',
			description: 'Mark a completed task as open again',
		}),
		verbs.archive(),
		verbs.unarchive(),
		verbs.undo(),
	],
	fields: taskFields,
	addedAtFirst: ['dueDate'],
	filters: taskFilters,
	json: '{ "title": "Call back", "status": "/workspaces/5c1f/columns/12ab", "people": [{ "familyName": "Jansen" }] }',
	columns: { method: 'getTaskColumns', examples: 'Title, Deadline, Stage or Assignees' },
	givesIdentifiers: true,
};
