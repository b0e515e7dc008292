// A run that creates, updates and moves 60 tasks, for an undo.
import { randomUUID } from 'node:crypto';
import { crmNode, rowsNode, workflowOf } from './e2e/workflows.mjs';

const CREATED_COUNT = 20;
const UPDATED_COUNT = 40;

const byId = (value) => ({ __rl: true, mode: 'id', value });

/** Returns the values for a task. Some of its fields were empty before, others were not. */
function bodyOf(index, { users }) {
	return {
		title: `Renamed ${index}`,
		description: `By the run\n${index}`,
		dueDate: '2027-03-01T09:00:00+00:00',
		scheduledOn: '2027-02-28',
		isFlagged: true,
		assignees: users.slice(0, 1 + (index % 2)),
		observers: index % 3 === 0 ? [] : users.slice(1, 2),
		storyPointEstimation: index % 4 === 0 ? null : index,
		completedAt: index % 5 === 0 ? '2026-12-31T17:00:00+00:00' : null,
		recurringSettings: { rrule: 'FREQ=WEEKLY', recurUntilCount: index },
	};
}

/** Returns the column after that of a task, in the same workspace. */
function nextColumn(workspaces, status) {
	const { columns } = workspaces.find((one) => one.columns.some((own) => own['@id'] === status));
	const at = columns.findIndex((own) => own['@id'] === status);
	return columns[(at + 1) % columns.length]['@id'];
}

/** Returns the rows of the run: new tasks, and changes of existing ones. */
export function rowsOfTasks({ tasks, users, workspaces }) {
	const [{ columns }] = workspaces;
	return {
		created: Array.from({ length: CREATED_COUNT }, (_, index) => ({
			title: `Created ${index}`,
			status: columns[index % columns.length]['@id'],
		})),
		updated: tasks.slice(0, UPDATED_COUNT).map(({ id, status }, index) => ({
			id,
			body: bodyOf(index, { users }),
			// Every second task stays in its column.
			status: index % 2 === 0 ? status : nextColumn(workspaces, status),
		})),
	};
}

/**
 * Returns the workflows of the run: one creates tasks, the other updates tasks and then moves them.
 * @param {{ id: string, name: string }} credential
 * @param {ReturnType<typeof rowsOfTasks>} rows
 */
export function runOverTasks(credential, { created, updated }) {
	const crm = (name, operation, parameters) =>
		crmNode(name, credential, { resource: 'task', operation, ...parameters });
	const options = { tellChanges: true };
	const creates = crm('Create Tasks', 'create', {
		title: '={{ $json.title }}',
		status: byId('={{ $json.status }}'),
	});
	const updates = crm('Update Tasks', 'update', {
		taskId: byId('={{ $json.id }}'),
		inputMode: 'json',
		jsonBody: '={{ JSON.stringify($json.body) }}',
		options,
	});
	const moves = crm('Move Tasks', 'move', {
		taskId: byId("={{ $('Rows').item.json.id }}"),
		status: byId("={{ $('Rows').item.json.status }}"),
		options,
	});
	const whole = (id, nodes) => ({ ...workflowOf(id, nodes), id, versionId: randomUUID() });
	return [
		whole('createTasks00001', [...rowsNode('Rows', created), creates]),
		whole('updateTasks00002', [...rowsNode('Rows', updated), updates, moves]),
	].map((workflow) => ({ ...workflow, active: false }));
}
