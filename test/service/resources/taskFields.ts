import { iriOf } from '../iris';
import type { Task } from '../records';
import type { Store } from '../store';

function showFile(store: Store, iri: string) {
	const id = iri.split('/').at(-1) ?? '';
	return { '@id': iri, '@type': 'File', contentId: null, ...store.mediaObjects.get(id) };
}

/** Returns a task with the values from other records (interface section 2.6). */
export function fieldsOf(store: Store, task: Task) {
	const workspace = store.workspaceOf(task);
	const subTasks = store.subTasks.get(task.id) ?? [];
	return {
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
	};
}
