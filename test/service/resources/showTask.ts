import { componentSchemas, propertiesOf } from '../contract';
import { iriOf } from '../iris';
import type { Task } from '../records';
import type { Shown } from '../representation';
import type { Store } from '../store';

const FILE_FIELDS = { contentId: null };

function showFile(store: Store, iri: string) {
	const id = iri.split('/').at(-1) ?? '';
	return { '@id': iri, '@type': 'File', ...FILE_FIELDS, ...store.mediaObjects.get(id) };
}

/** A task with everything that follows from other records (interface section 2.6). */
export function showTask(store: Store, task: Task): Shown {
	const workspace = store.workspaceOf(task);
	const subTasks = store.subTasks.get(task.id) ?? [];
	return {
		iri: iriOf('tasks', task.id),
		type: 'Task',
		fields: {
			...task,
			workspace: workspace ? iriOf('workspaces', workspace.id) : null,
			workspaceType: workspace?.workspaceType ?? null,
			isSubTask: task.parent !== null,
			subTasks: subTasks.map((id) => iriOf('tasks', id)),
			totalSubtasks: subTasks.length,
			completedSubtasks: subTasks.filter((id) => store.tasks.get(id)?.completedAt).length,
			totalComments: store.comments.get(task.id)?.length ?? 0,
			isRecurring: task.recurringSettings !== null,
			files: task.files.map((iri) => showFile(store, iri)),
		},
		required: [],
	};
}

const updateFields = Object.keys(propertiesOf(componentSchemas.TaskUpdateFields));

/** A task with only the fields that an update can set. */
export function showUpdateFields(store: Store, task: Task): Shown {
	const shown = showTask(store, task);
	const kept = Object.entries(shown.fields).filter(([name]) => updateFields.includes(name));
	return { ...shown, fields: Object.fromEntries(kept) };
}
