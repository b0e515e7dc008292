import type { Task } from '../records';

/** Place of a new task in its column (interface section 2.6); by default, the end. */
export interface Placement {
	positionTop?: boolean;
	/** IDs of tasks. A task in another column does not count. */
	beforeTask?: string | undefined;
	afterTask?: string | undefined;
}

/**
 * Returns the position of a new task in a column, counted from 0. Moves the tasks behind it.
 *
 * @param tasks all tasks of all columns
 */
export function takePosition(tasks: Iterable<Task>, status: string, placement: Placement): number {
	const column = [...tasks].filter((task) => task.status === status);
	const positionOf = (id?: string) => column.find((task) => task.id === id)?.position;
	const before = positionOf(placement.beforeTask);
	const after = positionOf(placement.afterTask);
	const end = column.reduce((last, task) => Math.max(last, task.position + 1), 0);
	const position = placement.positionTop ? 0 : (before ?? (after === undefined ? end : after + 1));
	for (const task of column) if (task.position >= position) task.position += 1;
	return position;
}
